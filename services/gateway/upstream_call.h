// One call of the gateway to the engine service: raw bytes, read one message
// at a time, so that nothing piles up.
//
// All methods on the executor's thread; gRPC's own threads only post to it.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "boost/asio/any_io_executor.hpp"
#include "boost/asio/awaitable.hpp"
#include "boost/asio/executor_work_guard.hpp"
#include "boost/asio/steady_timer.hpp"
#include "grpcpp/generic/generic_stub.h"
#include "grpcpp/grpcpp.h"

namespace tilewarden::services {

class UpstreamCall final : public grpc::ClientBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer> {
 public:
  UpstreamCall(boost::asio::any_io_executor executor, std::shared_ptr<grpc::Channel> engine);

  // Sends the only request and starts reading. Lives until the call is done.
  static void Start(const std::shared_ptr<UpstreamCall>& call, const std::string& method,
                    std::string_view request);
  grpc::ClientContext& context() { return context_; }

  // Waits for the next message. False: the call is done, see status().
  boost::asio::awaitable<bool> Next(std::string* message);
  const grpc::Status& status() const { return status_; }
  // Cancels the call; Next then ends with false.
  void Abort();
  bool aborted() const { return aborted_; }

 private:
  void OnReadDone(bool ok) override;
  void OnDone(const grpc::Status& status) override;

  const boost::asio::any_io_executor executor_;
  // Keeps the executor running until gRPC is done with this.
  boost::asio::executor_work_guard<boost::asio::any_io_executor> work_;
  boost::asio::steady_timer news_;
  grpc::GenericStub stub_;
  grpc::ClientContext context_;
  grpc::ByteBuffer request_, response_;
  std::shared_ptr<UpstreamCall> self_;
  bool reading_ = false;  // gRPC owns response_
  bool has_message_ = false;
  bool holding_ = false;  // reads may still be started from here
  bool aborted_ = false;
  bool done_ = false;
  grpc::Status status_;
};

}  // namespace tilewarden::services
