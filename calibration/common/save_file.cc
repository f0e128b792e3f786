#include "calibration/common/save_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <string>
#include <system_error>

#include "absl/strings/str_cat.h"

namespace tilewarden::calibration {
namespace {

// Everything is on the disk when this returns 0; else what went wrong.
int WriteAndSync(const std::filesystem::path& file, std::string_view bytes) {
  const int out = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (out < 0) return errno;
  int error = 0;
  while (!bytes.empty() && error == 0) {
    const ssize_t written = write(out, bytes.data(), bytes.size());
    if (written >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      error = errno;
    }
  }
  if (error == 0 && fsync(out) != 0) error = errno;
  if (close(out) != 0 && error == 0) error = errno;
  return error;
}

}  // namespace

absl::Status SaveFile(const std::filesystem::path& file, std::string_view bytes) {
  const std::filesystem::path beside = absl::StrCat(file.string(), ".new", getpid());
  int error = WriteAndSync(beside, bytes);
  if (error == 0 && std::rename(beside.c_str(), file.c_str()) != 0) error = errno;
  if (error != 0) {
    std::error_code ignored;
    std::filesystem::remove(beside, ignored);
    return absl::PermissionDeniedError(
        absl::StrCat(file.string(), ": cannot be written: ", std::strerror(error)));
  }
  // The new name too is on the disk before anybody relies on it.
  const std::filesystem::path folder_path =
      file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
  if (const int folder = open(folder_path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
      folder >= 0) {
    (void)fsync(folder);
    (void)close(folder);
  }
  return absl::OkStatus();
}

}  // namespace tilewarden::calibration
