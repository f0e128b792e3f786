// Whether a disk is nearly full, told before nothing can be written any more.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace tilewarden::services {

// An evening's games take a few megabytes, a day's copy as much as all games.
inline constexpr std::uintmax_t kScarce_bytes = 500U << 20;

// A sentence that says what to do, where less than `scarce_bytes` are free on the disk that this
// folder is on. Nothing: there is room, or it cannot be said. Asks the system; thread safe.
std::optional<std::string> ScarceRoom(const std::filesystem::path& folder,
                                      std::uintmax_t scarce_bytes = kScarce_bytes);

}  // namespace tilewarden::services
