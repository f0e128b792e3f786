// The engine services that a client may ask, and whom to ask next. Several of them
// share a database, and each game is led by one; that one alone answers for it.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "grpcpp/grpcpp.h"

namespace tilewarden::services {

// A copy for each who calls: not thread safe. Only Call and Pause block.
class Engines {
 public:
  // How long a call may look for whoever leads its game: another one does within 5 s.
  static constexpr std::chrono::milliseconds kLongestTurning{6000}, kBetweenTurns{150};

  // The channel to the engine service at an address; safe from any thread.
  using Connect = std::function<std::shared_ptr<grpc::Channel>(const std::string& address)>;

  // One alone.
  Engines(std::shared_ptr<grpc::Channel> only);  // NOLINT: as good as the channel itself
  // At least one address. Each is connected to when it is first needed.
  Engines(std::vector<std::string> addresses, Connect connect);

  // To be used for the next call.
  const std::shared_ptr<grpc::Channel>& channel() const { return channel_; }
  // There is more than one engine service to ask.
  bool several() const { return addresses_.size() > 1; }

  // After a call ended so: turns to the leader that it names, or to the next one
  // if that engine service cannot answer. False: nobody else would answer otherwise.
  bool Turn(const grpc::Status& status, const grpc::ClientContext& context);

  // Makes a call, again elsewhere if need be, for kLongestTurning at most. It must be
  // safe to repeat.
  using Once =
      std::function<grpc::Status(const std::shared_ptr<grpc::Channel>&, grpc::ClientContext*)>;
  grpc::Status Call(const Once& once);

  // Before the next try: waits so long at most, or until a lost connection stands again, which it
  // says. Not a plain sleep, because gRPC connects only while somebody waits for it: callers that
  // are refused at once and sleep in between are connected again after seconds.
  bool Pause(std::chrono::milliseconds longest);

 private:
  std::vector<std::string> addresses_;
  Connect connect_;
  std::string at_;
  std::shared_ptr<grpc::Channel> channel_;
  std::size_t next_ = 0;
};

}  // namespace tilewarden::services
