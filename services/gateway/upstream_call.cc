#include "services/gateway/upstream_call.h"

#include <chrono>
#include <utility>
#include <vector>

#include "boost/asio/as_tuple.hpp"
#include "boost/asio/post.hpp"
#include "boost/asio/use_awaitable.hpp"

namespace tilewarden::services {

namespace asio = boost::asio;

UpstreamCall::UpstreamCall(asio::any_io_executor executor, std::shared_ptr<grpc::Channel> engine)
    : executor_(std::move(executor)), work_(executor_), news_(executor_), stub_(std::move(engine)) {
  news_.expires_at(std::chrono::steady_clock::time_point::max());
}

void UpstreamCall::Start(const std::shared_ptr<UpstreamCall>& call, const std::string& method,
                         std::string_view request) {
  const grpc::Slice slice(request.data(), request.size());
  call->request_ = grpc::ByteBuffer(&slice, 1);
  call->self_ = call;
  call->stub_.PrepareBidiStreamingCall(&call->context_, method, {}, call.get());
  call->AddHold();
  call->holding_ = true;
  call->reading_ = true;
  call->StartWriteLast(&call->request_, grpc::WriteOptions());
  call->StartRead(&call->response_);
  call->StartCall();
}

asio::awaitable<bool> UpstreamCall::Next(std::string* message) {
  while (!has_message_ && !done_) {
    co_await news_.async_wait(asio::as_tuple(asio::use_awaitable));
  }
  if (!has_message_ || aborted_) co_return false;
  has_message_ = false;
  std::vector<grpc::Slice> slices;
  message->clear();
  if (response_.Dump(&slices).ok()) {
    for (const grpc::Slice& slice : slices) {
      message->append(reinterpret_cast<const char*>(slice.begin()), slice.size());
    }
  }
  response_.Clear();
  reading_ = true;
  StartRead(&response_);
  co_return true;
}

void UpstreamCall::Abort() {
  if (std::exchange(aborted_, true) || done_) return;
  context_.TryCancel();
  if (!reading_ && std::exchange(holding_, false)) RemoveHold();
}

void UpstreamCall::OnReadDone(bool ok) {
  asio::post(executor_, [this, self = self_, ok] {
    reading_ = false;
    has_message_ = ok;
    if ((!ok || aborted_) && std::exchange(holding_, false)) RemoveHold();
    news_.cancel();
  });
}

void UpstreamCall::OnDone(const grpc::Status& status) {
  asio::post(executor_, [this, self = self_, status] {
    done_ = true;
    status_ = status;
    news_.cancel();
    self_.reset();
    work_.reset();
  });
}

}  // namespace tilewarden::services
