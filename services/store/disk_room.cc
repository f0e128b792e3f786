#include "services/store/disk_room.h"

#include <system_error>

#include "absl/strings/str_cat.h"

namespace tilewarden::services {

std::optional<std::string> ScarceRoom(const std::filesystem::path& folder,
                                      std::uintmax_t scarce_bytes) {
  std::error_code error;
  const auto space = std::filesystem::space(folder, error);
  if (error || space.available >= scarce_bytes) return std::nullopt;
  return absl::StrCat(
      "the disk with ", folder.string(), " has only ", space.available >> 20,
      " MB left; when it is full, no turn can be kept. Make room, or take old games "
      "out with tilewarden archive");
}

}  // namespace tilewarden::services
