// Files read and written as a whole. Block on the disk.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace tilewarden::services {

// Nothing: it cannot be read, or is a folder.
std::optional<std::string> ReadFile(const std::filesystem::path& file);

// What to do where the file is there already: of two processes that write it at the same moment
// the last one wins, or the first.
enum class IfThere { kReplace, kLeave };

// Whole or not at all, brought to the disk, for its owner's eyes only. UNAVAILABLE: it cannot be
// written; the message says why.
absl::Status WritePrivateFile(const std::filesystem::path& file, std::string_view text,
                              IfThere if_there);

}  // namespace tilewarden::services
