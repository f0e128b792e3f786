// The one way to write files that somebody relies on: profiles, packs,
// lists of tiles, the owner's tiles.
#pragma once

#include <filesystem>
#include <string_view>

#include "absl/status/status.h"

namespace tilewarden::calibration {

// Writes a file beside it, brings that onto the disk and renames it, so that the
// file is whole or as it was, whatever fails. PERMISSION_DENIED: it cannot be
// written; the message names file and reason, and it is as it was. Two at once of
// one file: from two processes the later one stays; in one process its callers see
// to it that there is one. Blocks on the disk.
absl::Status SaveFile(const std::filesystem::path& file, std::string_view bytes);

}  // namespace tilewarden::calibration
