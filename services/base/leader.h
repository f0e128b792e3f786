// Which engine service leads a game, told to whoever asked another one. Pure functions.
#pragma once

#include <optional>
#include <string>

#include "absl/status/status.h"

namespace tilewarden::services {

// Trailing metadata of a call that was refused because another engine service leads
// its game: that one's address and port, for ChannelTo.
inline constexpr const char* kLeaderMetadata = "tilewarden-leader";

// UNAVAILABLE: another engine service, at this address, leads the game.
absl::Status LedElsewhere(const std::string& game_id, const std::string& address);
// Of such a status.
std::optional<std::string> LeaderOf(const absl::Status& status);

}  // namespace tilewarden::services
