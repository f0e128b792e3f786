// How a recorded table's game should end, to check that it did.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "nlohmann/json.hpp"
#include "tilewarden/v1/game.pb.h"

namespace tilewarden::services {

// Reads PICTURES.truth.json beside a recording (schema tilewarden.recording/1).
// NOT_FOUND: there is none. DATA_LOSS: it cannot be read.
absl::StatusOr<nlohmann::json> LoadTruth(const std::filesystem::path& recording);

// Each difference between the truth and a finished game in one sentence: scores,
// the points of every turn, tiles on the board, illegal placements flagged.
// Empty: they agree.
std::vector<std::string> DifferencesFromTruth(const nlohmann::json& truth,
                                              const v1::GameState& state,
                                              const std::vector<v1::Finding>& illegal);

}  // namespace tilewarden::services
