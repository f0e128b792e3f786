// The games of a store by their summaries, newest first. Pure but for the store.
#pragma once

#include <functional>

#include "absl/status/statusor.h"
#include "services/store/store.h"
#include "tilewarden/v1/game.pb.h"

namespace tilewarden::services {

// DATA_LOSS: it is damaged.
absl::StatusOr<v1::GameSummary> SummaryOf(const StoredGame& game);

// The name by which cameras and topics know its table.
const std::string& TableOf(const v1::GameSummary& game);

// As many as one question to a store asks for.
inline constexpr int kGamesAtOnce = 100;

// The same game as the store has it now. NOT_FOUND: it is gone. Other errors as Store::ListGames.
absl::StatusOr<StoredGame> StoredAgain(Store* store, const StoredGame& game);

// Shows every game (with a position below `before`, if that is not 0) to `next` until that returns
// false or an error, which is then returned. Asks the store for so many at once. Other errors as
// Store::ListGames.
using NextGame = std::function<absl::StatusOr<bool>(const StoredGame&)>;
absl::Status ForEachGame(Store* store, int at_once, const NextGame& next, std::int64_t before = 0);

}  // namespace tilewarden::services
