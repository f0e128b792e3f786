// Whether the games still have room, told before nothing can be written any more.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "absl/status/status.h"

namespace tilewarden::services {

// An evening's games take a few megabytes, a day's copy as much as all games.
inline constexpr std::uintmax_t kScarce_bytes = 500U << 20;

// The room that a data folder has. Asks the system each time; thread safe.
struct DiskRoom {
  std::filesystem::path folder = {};  // empty: of no folder, and there is always room
  // How much all files in it may take, copies included; 0: as much as the disk holds.
  std::uintmax_t quota_bytes = 0;
  std::uintmax_t scarce_bytes = kScarce_bytes;

  // A sentence that says what to do: little is left on the disk, or nine tenths of the quota are
  // used. Nothing: there is room, or it cannot be said.
  std::optional<std::string> Warning() const;
  // RESOURCE_EXHAUSTED: the quota is used up, so that no game may begin. Those that have begun go
  // on.
  absl::Status ForAnotherGame() const;
};

}  // namespace tilewarden::services
