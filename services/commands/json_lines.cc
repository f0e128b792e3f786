#include "services/commands/json_lines.h"

#include <cstdio>
#include <utility>

#include "nlohmann/json.hpp"
#include "services/base/message_json.h"
#include "services/base/status.h"
#include "services/camera/reporter.h"

namespace tilewarden::services {

void PrintJsonLine(const vision::Frame& frame, bool settled, const char* key,
                   const std::string& json) {
  const nlohmann::json about = {{"number", frame.number},
                                {"name", frame.name},
                                {"time_ms", frame.time_ms},
                                {"settled", settled}};
  std::printf("{\"frame\":%s,\"%s\":%s}\n", about.dump().c_str(), key, json.c_str());
  std::fflush(stdout);
}

JsonLines::JsonLines(std::shared_ptr<grpc::Channel> engine, bool states)
    : games_(v1::GameService::NewStub(std::move(engine))), states_(states) {}

absl::StatusOr<v1::GameState> JsonLines::State() {
  v1::GetGameRequest request;
  request.set_game_id(game_id_);
  v1::GetGameResponse response;
  grpc::ClientContext context;
  const absl::Status status = FromGrpc(games_->GetGame(&context, request, &response));
  if (!status.ok()) return status;
  return std::move(*response.mutable_state());
}

absl::Status JsonLines::Begin(const std::string& game_id) {
  game_id_ = game_id;
  const auto state = State();
  if (!state.ok()) return state.status();
  told_ = state->event_number();
  return absl::OkStatus();
}

absl::Status JsonLines::Tell(const vision::Frame& frame, bool settled) {
  last_.number = frame.number;
  last_.name = frame.name;
  last_.time_ms = frame.time_ms;
  const auto state = State();
  if (!state.ok()) return state.status();
  if (told_ < state->event_number()) {
    v1::WatchGameRequest request;
    request.set_game_id(game_id_);
    request.set_resume_after(told_);
    grpc::ClientContext context;
    const auto stream = games_->WatchGame(&context, request);
    v1::WatchGameResponse message;
    while (told_ < state->event_number() && stream->Read(&message)) {
      if (!message.has_event()) continue;
      told_ = message.event().number();
      PrintJsonLine(last_, settled, "event", ToJson(message.event()));
    }
    context.TryCancel();
    const absl::Status status = FromGrpc(stream->Finish());
    if (told_ < state->event_number()) return status;
  }
  if (states_ && settled) PrintJsonLine(last_, settled, "state", ToJson(*state));
  return absl::OkStatus();
}

absl::Status JsonLines::End() {
  v1::EndGameRequest request;
  request.set_request_id(RandomId());
  request.set_game_id(game_id_);
  v1::EndGameResponse response;
  grpc::ClientContext context;
  const absl::Status status = FromGrpc(games_->EndGame(&context, request, &response));
  return status.ok() ? Tell(last_, false) : status;
}

}  // namespace tilewarden::services
