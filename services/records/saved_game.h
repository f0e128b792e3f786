// A whole game as a file: our notation, or a saved game of JCloisterZone where
// its name ends in ".jcz". No state; blocks on the file; safe to call from any
// thread.
#pragma once

#include <filesystem>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/notation/notation.h"

namespace tilewarden::services {

// NOT_FOUND: no such file. INVALID_ARGUMENT: it is not of its form; the message
// names the file, and the line or what is wrong.
absl::StatusOr<engine::GameRecord> ReadSavedGame(const std::filesystem::path& path);

// INVALID_ARGUMENT: the form lacks what the game has. UNAVAILABLE: the file
// cannot be written.
absl::Status WriteSavedGame(const engine::GameRecord& record, const std::filesystem::path& path);

}  // namespace tilewarden::services
