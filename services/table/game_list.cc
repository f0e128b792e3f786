#include "services/table/game_list.h"

#include <utility>

#include "absl/strings/str_cat.h"

namespace tilewarden::services {

absl::StatusOr<v1::GameSummary> SummaryOf(const StoredGame& game) {
  v1::GameSummary summary;
  if (!summary.ParseFromString(game.summary)) {
    return absl::DataLossError(absl::StrCat("the summary of game ", game.id, " cannot be read"));
  }
  return summary;
}

const std::string& TableOf(const v1::GameSummary& game) {
  // Games of earlier versions had one name for both.
  return game.table().empty() ? game.name() : game.table();
}

absl::StatusOr<StoredGame> StoredAgain(Store* store, const StoredGame& game) {
  auto games = store->ListGames(1, game.position + 1);
  if (!games.ok()) return games.status();
  if (games->empty() || games->front().id != game.id) {
    return absl::NotFoundError(absl::StrCat("there is no game ", game.id));
  }
  return std::move(games->front());
}

absl::Status ForEachGame(Store* store, int at_once, const NextGame& next, std::int64_t before) {
  while (true) {
    const auto games = store->ListGames(at_once, before);
    if (!games.ok()) return games.status();
    for (const StoredGame& game : *games) {
      const auto more = next(game);
      if (!more.ok()) return more.status();
      if (!*more) return absl::OkStatus();
    }
    if (static_cast<int>(games->size()) < at_once) return absl::OkStatus();
    before = games->back().position;
  }
}

}  // namespace tilewarden::services
