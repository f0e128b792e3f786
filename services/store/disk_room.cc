#include "services/store/disk_room.h"

#include <system_error>

#include "absl/strings/str_cat.h"

namespace tilewarden::services {
namespace {

constexpr char kMakeRoom[] = "take old games out with tilewarden archive, or delete some";

std::uintmax_t UsedIn_bytes(const std::filesystem::path& folder) {
  std::uintmax_t used = 0;
  std::error_code error;
  for (std::filesystem::recursive_directory_iterator at(folder, error), end; at != end && !error;
       at.increment(error)) {
    std::error_code gone;  // while we looked
    const std::uintmax_t size = at->is_regular_file(gone) ? at->file_size(gone) : 0;
    if (!gone) used += size;
  }
  return used;
}

std::string Used(std::uintmax_t used, std::uintmax_t quota) {
  return absl::StrCat("the games take ", used >> 20, " of the ", quota >> 20, " MB set by --quota");
}

}  // namespace

std::optional<std::string> DiskRoom::Warning() const {
  if (folder.empty()) return std::nullopt;
  std::error_code error;
  const auto space = std::filesystem::space(folder, error);
  if (!error && space.available < scarce_bytes) {
    return absl::StrCat("the disk with ", folder.string(), " has only ", space.available >> 20,
                        " MB left; when it is full, no turn can be kept. Make room, or ",
                        kMakeRoom);
  }
  if (quota_bytes == 0) return std::nullopt;
  const std::uintmax_t used = UsedIn_bytes(folder);
  if (used < quota_bytes / 10 * 9) return std::nullopt;
  return absl::StrCat(Used(used, quota_bytes), used < quota_bytes ? "; soon" : ";",
                      " no game can begin: ", kMakeRoom);
}

absl::Status DiskRoom::ForAnotherGame() const {
  if (folder.empty() || quota_bytes == 0) return absl::OkStatus();
  const std::uintmax_t used = UsedIn_bytes(folder);
  if (used < quota_bytes) return absl::OkStatus();
  return absl::ResourceExhaustedError(absl::StrCat(Used(used, quota_bytes), ": ", kMakeRoom));
}

}  // namespace tilewarden::services
