// The lock by which one process at a time has a log: beside the file that it really is, whatever
// links lead there. It goes with the process, however that ends.
#pragma once

#include <filesystem>

#include "absl/status/status.h"

namespace tilewarden::services {

class LockFile {
 public:
  LockFile() = default;
  LockFile(const LockFile&) = delete;
  LockFile& operator=(const LockFile&) = delete;
  ~LockFile();

  // FAILED_PRECONDITION: another process has it, or the folder cannot be written. Does not wait.
  absl::Status Take(const std::filesystem::path& log);

 private:
  int handle_ = -1;
};

// What is said to whoever finds the log in use.
absl::Status LogInUse(const std::filesystem::path& log);

}  // namespace tilewarden::services
