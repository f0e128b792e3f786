#include "services/engine_service/game_service.h"

#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "services/base/clock.h"
#include "services/base/request_key.h"
#include "services/base/status.h"
#include "services/table/by_hand.h"
#include "services/table/game_list.h"

namespace tilewarden::services {
namespace {

// A pause at the table is longer than this only when nobody looks on.
constexpr std::chrono::minutes kUnused{1};
// What is kept for days is looked through so often.
constexpr std::chrono::hours kBetweenSweeps{1};

// A command on a game: judged, logged, answered.
template <typename Request, typename Response>
absl::Status Command(Games* games, const Request& request, const Table::Judge& judge,
                     const Table::Answer& answer, Response* response) {
  const auto key = KeyOf(request);
  if (!key.ok()) return key.status();
  auto table = games->Find(request.game_id());
  if (!table.ok()) return table.status();
  const auto answered = (*table)->Command(*key, judge, answer);
  if (!answered.ok()) return answered.status();
  if (!response->ParseFromString(*answered)) {
    return absl::DataLossError("the first answer to this request cannot be read");
  }
  return absl::OkStatus();
}

template <typename Response>
std::string StateAnswer(Table& table, const Table::Told&) {
  Response response;
  *response.mutable_state() = table.StateWhileAnswering();
  return response.SerializeAsString();
}

// The same where the rules may refuse it.
template <typename Response>
std::string StateOrRefusal(Table& table, const Table::Told& told) {
  if (!told.refusal) return StateAnswer<Response>(table, told);
  Response response;
  *response.mutable_refusal() = ToProto(*told.refusal);
  return response.SerializeAsString();
}

// A watch that is refused.
class RefusedWatch : public grpc::ServerWriteReactor<grpc::ByteBuffer> {
 public:
  explicit RefusedWatch(const absl::Status& status) { Finish(ToGrpc(status)); }
  void OnDone() override { delete this; }
};

}  // namespace

GameServiceImpl::GameServiceImpl(Games* games, Guard* guard)
    : games_(games), guard_(guard), heart_([this] { KeepBeating(); }) {}

GameServiceImpl::~GameServiceImpl() { Stop(); }

void GameServiceImpl::Stop() {
  {
    const std::lock_guard lock(mutex_);
    if (std::exchange(stopped_, true)) return;
  }
  stopping_.notify_all();
  heart_.join();
  for (const auto& table : games_->open_tables()) {
    for (const auto& viewer : table->viewers()) {
      viewer->Stop(absl::UnavailableError(
          "the engine service stops; watch again with the last event number"));
    }
  }
}

void GameServiceImpl::KeepBeating() {
  auto swept = std::chrono::steady_clock::now();
  std::unique_lock lock(mutex_);
  while (!stopping_.wait_for(lock, std::chrono::seconds(1), [this] { return stopped_; })) {
    lock.unlock();
    games_->LeaveThoseLedElsewhere();
    // What they needed goes back to the machine; the allocator would keep it.
    if (games_->PutAside(kUnused) > 0) malloc_trim(0);
    if (const auto now = std::chrono::steady_clock::now(); now - swept >= kBetweenSweeps) {
      swept = now;
      games_->SweepClips();
    }
    for (const auto& table : games_->open_tables()) {
      for (const auto& viewer : table->viewers()) viewer->Tick(NowMs());
    }
    lock.lock();
  }
}

grpc::Status GameServiceImpl::CreateGame(grpc::ServerContext* context,
                                         const v1::CreateGameRequest* request,
                                         v1::CreateGameResponse* response) {
  return Guarded(guard_, context, *request, [&]() -> absl::Status {
    if (auto status = games_->CreateOnce(*request, response); !status.ok()) return status;
    if (!request->by_hand()) games_->Offer(response->state().game_id(), request->name());
    return absl::OkStatus();
  });
}

grpc::Status GameServiceImpl::GetGame(grpc::ServerContext* context,
                                      const v1::GetGameRequest* request,
                                      v1::GetGameResponse* response) {
  return Guarded(guard_, context, *request, [&]() -> absl::Status {
    const auto table = games_->Find(request->game_id());
    if (!table.ok()) return table.status();
    const auto state = (*table)->StateTold();
    if (!state.ok()) return state.status();
    static_assert(int{v1::GetGameResponse::kStateFieldNumber} ==
                  int{v1::WatchGameResponse::kStateFieldNumber});
    *response = (*state)->Parse<v1::GetGameResponse>();
    return absl::OkStatus();
  });
}

template <typename Request>
grpc::ServerWriteReactor<grpc::ByteBuffer>* GameServiceImpl::Watch(
    grpc::CallbackServerContext* context, const grpc::ByteBuffer& bytes, WatchStream::Next next,
    absl::StatusOr<Table::Cursor> (*begin)(const Request&, const Table&)) {
  absl::Status refused;
  try {
    const std::string& method = MethodOf<Request>();
    const auto caller = guard_->Admit(ArrivalOf(*context), method);
    if (!caller.ok()) return new RefusedWatch(caller.status());
    Request request;
    grpc::ByteBuffer copy = bytes;
    if (const auto read = grpc::SerializationTraits<Request>::Deserialize(&copy, &request);
        !read.ok()) {
      // As of every other method.
      return new RefusedWatch(FromGrpc(read));
    }
    const auto table = games_->Find(request.game_id());
    refused = table.status();
    if (table.ok()) {
      const auto cursor = begin(request, **table);
      refused = cursor.status();
      if (cursor.ok()) {
        const auto still_admitted = [this, caller = *caller, &method] {
          return guard_->StillAdmitted(caller, method);
        };
        return WatchStream::Start(*table, next, *cursor, still_admitted).get();
      }
    }
  } catch (const std::exception& error) {
    refused = absl::InternalError(absl::StrCat("internal error: ", error.what()));
  }
  TellLeader(refused, context);
  return new RefusedWatch(refused);
}

grpc::ServerWriteReactor<grpc::ByteBuffer>* GameServiceImpl::WatchGame(
    grpc::CallbackServerContext* context, const grpc::ByteBuffer* bytes) {
  return Watch<v1::WatchGameRequest>(
      context, *bytes, &Table::Next,
      [](const v1::WatchGameRequest& request, const Table& table) -> absl::StatusOr<Table::Cursor> {
        const std::uint64_t after = request.resume_after();
        if (after > table.last_number()) {
          return absl::OutOfRangeError(absl::StrCat("resume_after: game ", table.id(),
                                                    " has no event ", after,
                                                    " yet; watch again without a resume number"));
        }
        if (after > 0 && !table.Keeps(after)) {
          return absl::OutOfRangeError(
              absl::StrCat("resume_after: what follows event ", after, " of game ", table.id(),
                           " is not kept any more; watch again without a resume number, the "
                           "present state comes first"));
        }
        return Table::Cursor{after == 0, after};
      });
}

grpc::ServerWriteReactor<grpc::ByteBuffer>* GameServiceImpl::WatchSummary(
    grpc::CallbackServerContext* context, const grpc::ByteBuffer* bytes) {
  return Watch<v1::WatchSummaryRequest>(
      context, *bytes, &Table::NextSummary,
      [](const v1::WatchSummaryRequest&, const Table&) -> absl::StatusOr<Table::Cursor> {
        return Table::Cursor();
      });
}

grpc::Status GameServiceImpl::PlayTurn(grpc::ServerContext* context,
                                       const v1::PlayTurnRequest* request,
                                       v1::PlayTurnResponse* response) {
  return Guarded(guard_, context, *request, [&] {
    const auto judge = [&](engine::Referee& referee) {
      return PlayByHand(request->turn(), referee);
    };
    const auto answer = [](Table&, const Table::Told& told) {
      v1::PlayTurnResponse out;
      if (told.refusal) *out.mutable_refusal() = ToProto(*told.refusal);
      for (const v1::GameEvent& event : told.events) {
        if (event.has_turn_played()) *out.mutable_event() = event;
      }
      return out.SerializeAsString();
    };
    return Command(games_, *request, judge, answer, response);
  });
}

grpc::Status GameServiceImpl::CorrectTurn(grpc::ServerContext* context,
                                          const v1::CorrectTurnRequest* request,
                                          v1::CorrectTurnResponse* response) {
  return Guarded(guard_, context, *request, [&] {
    const auto judge = [&](engine::Referee& referee) {
      return CorrectByHand(request->turn_number(), request->turn(), referee);
    };
    return Command(games_, *request, judge, StateOrRefusal<v1::CorrectTurnResponse>, response);
  });
}

grpc::Status GameServiceImpl::UndoTurn(grpc::ServerContext* context,
                                       const v1::UndoTurnRequest* request,
                                       v1::UndoTurnResponse* response) {
  return Guarded(guard_, context, *request, [&] {
    return Command(games_, *request, UndoByHand, StateAnswer<v1::UndoTurnResponse>, response);
  });
}

grpc::Status GameServiceImpl::AnswerQuestion(grpc::ServerContext* context,
                                             const v1::AnswerQuestionRequest* request,
                                             v1::AnswerQuestionResponse* response) {
  return Guarded(guard_, context, *request, [&] {
    const auto judge = [&](engine::Referee& referee) -> absl::StatusOr<Table::Judgement> {
      const auto& open = referee.questions();
      const auto question = std::find_if(
          open.begin(), open.end(), [&](const auto& q) { return q.id == request->question_id(); });
      if (question == open.end()) {
        return absl::FailedPreconditionError(
            absl::StrCat("question_id: question ", request->question_id(), " is not open"));
      }
      if (request->answer() >= question->answers.size()) {
        return absl::OutOfRangeError(absl::StrCat("answer: question ", request->question_id(),
                                                  " has ", question->answers.size(), " answers"));
      }
      return referee.Answer(request->question_id(), static_cast<int>(request->answer()));
    };
    return Command(games_, *request, judge, StateOrRefusal<v1::AnswerQuestionResponse>, response);
  });
}

grpc::Status GameServiceImpl::ChangePoints(grpc::ServerContext* context,
                                           const v1::ChangePointsRequest* request,
                                           v1::ChangePointsResponse* response) {
  return Guarded(guard_, context, *request, [&] {
    const auto judge = [&](engine::Referee& referee) {
      return PointsByHand(request->change(), referee);
    };
    return Command(games_, *request, judge, StateAnswer<v1::ChangePointsResponse>, response);
  });
}

grpc::Status GameServiceImpl::EndGame(grpc::ServerContext* context,
                                      const v1::EndGameRequest* request,
                                      v1::EndGameResponse* response) {
  return Guarded(guard_, context, *request, [&] {
    const auto judge = [](engine::Referee& referee) -> absl::StatusOr<Table::Judgement> {
      if (referee.ended()) return GameHasEnded();
      if (referee.game() == nullptr) {
        return absl::FailedPreconditionError("the start tile has not been seen yet");
      }
      return referee.End();
    };
    return Command(games_, *request, judge, StateAnswer<v1::EndGameResponse>, response);
  });
}

grpc::Status GameServiceImpl::GetTileSet(grpc::ServerContext* context,
                                         const v1::GetTileSetRequest* request,
                                         v1::GetTileSetResponse* response) {
  return Guarded(guard_, context, *request, [&]() -> absl::Status {
    if (!request->game_id().empty()) {
      const auto table = games_->Find(request->game_id());
      if (!table.ok()) return table.status();
      *response = ToProto(*(*table)->art());
      return absl::OkStatus();
    }
    const auto art = games_->tile_sets().Get(request->tile_set());
    if (!art.ok()) return art.status();
    *response = ToProto(**art);
    return absl::OkStatus();
  });
}

}  // namespace tilewarden::services
