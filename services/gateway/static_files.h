// The display's files for the gateway.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace tilewarden::services {

struct StaticFile {
  std::filesystem::path path;
  std::string content_type;
  // Its name holds a hash of its content (the build's assets): never changes.
  bool immutable = false;
};

// The file that a request target names inside the folder, "/" being
// index.html. Nothing for targets that are malformed, leave the folder (also by
// a link) or name no regular file. Blocks on the disk.
std::optional<StaticFile> FindStaticFile(const std::filesystem::path& folder,
                                         std::string_view target);

}  // namespace tilewarden::services
