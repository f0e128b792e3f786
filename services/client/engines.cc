#include "services/client/engines.h"

#include <thread>
#include <utility>

#include "services/base/leader.h"

namespace tilewarden::services {

Engines::Engines(std::shared_ptr<grpc::Channel> only) : channel_(std::move(only)) {}

Engines::Engines(std::vector<std::string> addresses, Connect connect)
    : addresses_(std::move(addresses)),
      connect_(std::move(connect)),
      at_(addresses_.front()),
      channel_(connect_(at_)),
      next_(1) {}

grpc::Status Engines::Call(const Once& once) {
  const auto give_up = std::chrono::steady_clock::now() + kLongestTurning;
  while (true) {
    grpc::ClientContext context;
    grpc::Status status = once(channel_, &context);
    if (std::chrono::steady_clock::now() > give_up || !Turn(status, context)) return status;
    Pause(kBetweenTurns);
  }
}

bool Engines::Pause(std::chrono::milliseconds longest) {
  if (channel_->GetState(true) == GRPC_CHANNEL_READY) {
    std::this_thread::sleep_for(longest);
    return false;
  }
  return channel_->WaitForConnected(std::chrono::system_clock::now() + longest);
}

bool Engines::Turn(const grpc::Status& status, const grpc::ClientContext& context) {
  if (status.error_code() != grpc::StatusCode::UNAVAILABLE || !connect_) return false;
  const auto& metadata = context.GetServerTrailingMetadata();
  if (const auto leader = metadata.find(kLeaderMetadata); leader != metadata.end()) {
    at_.assign(leader->second.data(), leader->second.size());
  } else {
    // Also one alone, if it had named a leader that is gone.
    const std::string& next = addresses_[next_++ % addresses_.size()];
    if (!several() && next == at_) return false;
    at_ = next;
  }
  channel_ = connect_(at_);
  return true;
}

}  // namespace tilewarden::services
