#include "services/store/lock_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

#include "absl/strings/str_cat.h"

namespace tilewarden::services {

LockFile::~LockFile() {
  if (handle_ >= 0) close(handle_);
}

absl::Status LockFile::Take(const std::filesystem::path& log) {
  std::error_code error;
  const auto real = std::filesystem::weakly_canonical(log, error);
  const std::string name = (error ? log : real).string() + ".lock";
  handle_ = open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (handle_ < 0) {
    return absl::FailedPreconditionError(
        absl::StrCat(name, " cannot be written (", std::system_category().message(errno),
                     "); make the folder writable, or choose another with --data"));
  }
  return flock(handle_, LOCK_EX | LOCK_NB) == 0 ? absl::OkStatus() : LogInUse(log);
}

absl::Status LogInUse(const std::filesystem::path& log) {
  return absl::FailedPreconditionError(absl::StrCat(
      log.string(),
      " is in use by another engine service; stop that one, or choose another folder with --data"));
}

}  // namespace tilewarden::services
