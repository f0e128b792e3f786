#include "services/client/watching.h"

#include <chrono>
#include <utility>

namespace tilewarden::services {

Watching::Watching(Engines engines, std::string game_id, Show show)
    : engines_(std::move(engines)),
      game_id_(std::move(game_id)),
      show_(std::move(show)),
      thread_([this] { Run(); }) {}

Watching::~Watching() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    if (context_ != nullptr) context_->TryCancel();
  }
  thread_.join();
}

void Watching::Run() {
  while (true) {
    WatchOnce();
    {
      const std::lock_guard lock(mutex_);
      if (stopped_) return;
    }
    engines_.Pause(std::chrono::milliseconds(100));
  }
}

void Watching::WatchOnce() {
  grpc::ClientContext context;
  {
    const std::lock_guard lock(mutex_);
    if (stopped_) return;
    context_ = &context;
  }
  v1::WatchGameRequest request;
  request.set_game_id(game_id_);
  request.set_resume_after(last_);
  const auto games = v1::GameService::NewStub(engines_.channel());
  const auto stream = games->WatchGame(&context, request);
  v1::WatchGameResponse message;
  while (stream->Read(&message)) {
    if (message.has_state()) last_ = message.state().event_number();
    if (message.has_event()) last_ = message.event().number();
    show_(message);
  }
  const grpc::Status status = stream->Finish();
  // What follows is not kept any more: from the state on.
  if (status.error_code() == grpc::StatusCode::OUT_OF_RANGE) last_ = 0;
  engines_.Turn(status, context);
  const std::lock_guard lock(mutex_);
  context_ = nullptr;
}

}  // namespace tilewarden::services
