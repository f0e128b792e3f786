// One case of a rules check: a scenario or a recorded game, played and
// compared. Internal to the rules check; nlohmann::json exceptions pass through
// where a file lacks what its format needs.
#pragma once

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/game/game.h"
#include "nlohmann/json.hpp"
#include "services/records/rules_check.h"

namespace tilewarden::services {

absl::Status CheckScenario(const std::string& file, const nlohmann::json& scenario,
                           RulesReport* report);

// With `live` only the scores after each turn "if the game ended now".
absl::Status CheckGame(const std::string& file, const nlohmann::json& game,
                       const nlohmann::json* live, RulesReport* report);

// Every tile type there is and those that the case brings ("tiles", in the form
// of the scenario format), one copy each, starting with `start`.
absl::StatusOr<std::shared_ptr<const engine::TileSet>> AllTiles(const nlohmann::json& inline_tiles,
                                                                const std::string& start);

// The options of the scenario format as the engine's.
absl::StatusOr<engine::Rules> RulesFrom(const nlohmann::json& options);

}  // namespace tilewarden::services
