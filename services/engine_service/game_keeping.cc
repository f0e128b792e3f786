// The games that are kept: found, named, put away and deleted; and what a hall does with them.
#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "services/base/check_text.h"
#include "services/base/clock.h"
#include "services/base/paging.h"
#include "services/base/request_key.h"
#include "services/engine_service/game_service.h"
#include "services/table/game_list.h"
#include "services/table/remarks.h"

namespace tilewarden::services {
namespace {

constexpr PageSizes kPageSizes = {100, 50};
constexpr std::size_t kLongestFind = 160;

bool IsWanted(const v1::GameSummary& game, const v1::ListGamesRequest& request) {
  if (game.archived() != request.archived()) return false;
  const std::string words = absl::AsciiStrToLower(request.find());
  const auto holds = [&](const std::string& name) {
    return absl::StrContains(absl::AsciiStrToLower(name), words);
  };
  return words.empty() || holds(game.name()) ||
         std::any_of(game.players().begin(), game.players().end(),
                     [&](const v1::Player& player) { return holds(player.name()); });
}

// A remark on a game: logged, answered.
template <typename Request, typename Response>
absl::Status Remark(Games* games, const Request& request, const Table::Remarking& remark,
                    Response* response) {
  const auto key = KeyOf(request);
  if (!key.ok()) return key.status();
  const auto table = games->Find(request.game_id());
  if (!table.ok()) return table.status();
  const auto answer = [](const v1::GameSummary& summary) {
    Response out;
    *out.mutable_summary() = summary;
    return out.SerializeAsString();
  };
  const auto answered = (*table)->Remark(*key, remark, answer);
  if (!answered.ok()) return answered.status();
  if (!response->ParseFromString(*answered)) {
    return absl::DataLossError("the first answer to this request cannot be read");
  }
  return absl::OkStatus();
}

}  // namespace

grpc::Status GameServiceImpl::ListGames(grpc::ServerContext* context,
                                        const v1::ListGamesRequest* request,
                                        v1::ListGamesResponse* response) {
  return Guarded(guard_, context, *request, [&]() -> absl::Status {
    // Tokens are positions of games.
    const auto before = NumberOfToken(request->page_token());
    if (!before.ok()) return before.status();
    const auto size = PageSizeOf(request->page_size(), kPageSizes);
    if (!size.ok()) return size.status();
    if (auto status = CheckText("find", request->find(), kLongestFind, "bytes"); !status.ok()) {
      return status;
    }
    const auto next = [&](const StoredGame& game) -> absl::StatusOr<bool> {
      auto summary = SummaryOf(game);
      if (!summary.ok()) return summary.status();
      if (!IsWanted(*summary, *request)) return true;
      *response->add_games() = *std::move(summary);
      const bool full = response->games_size() == static_cast<int>(*size);
      if (full) response->set_next_page_token(absl::StrCat(game.position));
      return !full;
    };
    response->set_now_ms(NowMs());
    for (std::string& warning : games_->Warnings()) {
      response->add_warnings(std::move(warning));
    }
    return ForEachGame(games_->store(), kGamesAtOnce, next, *before);
  });
}

grpc::Status GameServiceImpl::LabelGame(grpc::ServerContext* context,
                                        const v1::LabelGameRequest* request,
                                        v1::LabelGameResponse* response) {
  return Guarded(guard_, context, *request, [&]() -> absl::Status {
    if (auto status = CheckText("name", request->name(), kLongestName, "bytes"); !status.ok()) {
      return status;
    }
    const auto table = games_->Find(request->game_id());
    if (!table.ok()) return table.status();
    if (request->archived() && (*table)->followed()) {
      return absl::FailedPreconditionError("a camera follows this game; end it first");
    }
    return Remark(games_, *request, LabelRemark(*request), response);
  });
}

grpc::Status GameServiceImpl::CallReferee(grpc::ServerContext* context,
                                          const v1::CallRefereeRequest* request,
                                          v1::CallRefereeResponse* response) {
  return Guarded(guard_, context, *request, [&] {
    return Remark(games_, *request, CallRemark(request->withdrawn()), response);
  });
}

grpc::Status GameServiceImpl::AnswerCall(grpc::ServerContext* context,
                                         const v1::AnswerCallRequest* request,
                                         v1::AnswerCallResponse* response) {
  return Guarded(guard_, context, *request, [&](const Caller& caller) {
    return Remark(games_, *request, AnswerRemark(request->step(), caller.device), response);
  });
}

grpc::Status GameServiceImpl::LimitThinking(grpc::ServerContext* context,
                                            const v1::LimitThinkingRequest* request,
                                            v1::LimitThinkingResponse* response) {
  return Guarded(guard_, context, *request, [&] {
    return Remark(games_, *request, ThinkingRemark(request->limit_s()), response);
  });
}

grpc::Status GameServiceImpl::DeleteGame(grpc::ServerContext* context,
                                         const v1::DeleteGameRequest* request,
                                         v1::DeleteGameResponse* /*response*/) {
  return Guarded(guard_, context, *request,
                 [&]() -> absl::Status { return games_->Delete(request->game_id()); });
}

}  // namespace tilewarden::services
