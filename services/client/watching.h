// Watches one game, through restarts of its engine service and from one to another.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "grpcpp/grpcpp.h"
#include "services/client/engines.h"
#include "tilewarden/v1/game.grpc.pb.h"

namespace tilewarden::services {

// Calls `show` from a thread of its own for every state and event, each event
// once and in order; reconnects with the last number until destroyed.
class Watching {
 public:
  using Show = std::function<void(const v1::WatchGameResponse&)>;
  Watching(Engines engines, std::string game_id, Show show);
  ~Watching();

 private:
  void Run();
  void WatchOnce();

  Engines engines_;
  const std::string game_id_;
  const Show show_;
  std::uint64_t last_ = 0;

  std::mutex mutex_;
  bool stopped_ = false;
  grpc::ClientContext* context_ = nullptr;
  std::thread thread_;
};

}  // namespace tilewarden::services
