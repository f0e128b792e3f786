// A game in forms that people, spreadsheets and other programs read. Pure
// functions.
#pragma once

#include "absl/status/statusor.h"
#include "engine/game/game.h"
#include "tilewarden/v1/query.pb.h"

namespace tilewarden::services {

// `state` is the game's. INVALID_ARGUMENT: no such format. FAILED_PRECONDITION:
// the format lacks something that this game has; the message names it.
absl::StatusOr<v1::ExportGameResponse> Export(v1::ExportFormat format, const engine::Game& game,
                                              const v1::GameState& state);

}  // namespace tilewarden::services
