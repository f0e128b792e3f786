#include <fcntl.h>
#include <unistd.h>

#include <ctime>
#include <memory>
#include <string>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "services/store/sqlite_file.h"
#include "services/store/store.h"

namespace tilewarden::services {
namespace {

// "20261124-193005".
std::string Now() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  char text[32] = "";
  if (localtime_r(&now, &local) != nullptr) {
    std::strftime(text, sizeof text, "%Y%m%d-%H%M%S", &local);
  }
  return text;
}

// So that nothing of it is beside the file any more. One that is damaged keeps what it has.
void MoveAllIntoTheFile(const std::filesystem::path& log) {
  sqlite3* db = nullptr;
  if (sqlite3_open_v2(log.c_str(), &db, SQLITE_OPEN_READWRITE, nullptr) == SQLITE_OK) {
    (void)sqlite3_wal_checkpoint_v2(db, nullptr, SQLITE_CHECKPOINT_TRUNCATE, nullptr, nullptr);
  }
  sqlite3_close(db);
}

absl::Status Unwritable(const std::filesystem::path& file, const std::string& why) {
  return absl::UnavailableError(
      absl::StrCat(file.string(), " cannot be written: ", why, "; the games are as they were"));
}

}  // namespace

absl::StatusOr<std::filesystem::path> RestoreSqliteFile(const std::filesystem::path& copy,
                                                        const std::filesystem::path& to) {
  std::error_code error;
  if (!std::filesystem::exists(copy, error)) {
    return absl::NotFoundError(absl::StrCat(copy.string(), ": there is no such file"));
  }
  if (to.has_parent_path()) std::filesystem::create_directories(to.parent_path(), error);
  LockFile lock;
  if (auto status = lock.Take(to); !status.ok()) return status;
  const std::filesystem::path checked = to.string() + ".restored";
  std::filesystem::remove(checked, error);
  if (auto status = CopySqliteFile(copy, checked); !status.ok()) return status;
  {
    // Of this version, and one that can be opened.
    const auto opened = OpenSqliteStore(checked);
    if (!opened.ok()) return opened.status();
  }
  std::filesystem::remove(checked.string() + ".lock", error);
  std::filesystem::remove(checked.string() + "-told", error);
  std::filesystem::path before;
  if (std::filesystem::exists(to, error)) {
    before = absl::StrCat(to.string(), ".before-", Now());
    MoveAllIntoTheFile(to);
    std::filesystem::create_hard_link(to, before, error);
    if (error) return Unwritable(before, error.message());
    for (const char* beside : {"-wal", "-told"}) {
      std::filesystem::rename(to.string() + beside, before.string() + beside, error);
    }
    std::filesystem::remove(to.string() + "-shm", error);
  }
  // At one moment the one, from then on the other.
  std::filesystem::rename(checked, to, error);
  if (error) return Unwritable(to, error.message());
  const auto folder = to.has_parent_path() ? to.parent_path() : std::filesystem::path(".");
  const int handle = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const bool synced = handle >= 0 && fsync(handle) == 0;
  if (handle >= 0) close(handle);
  if (!synced) return Unwritable(folder, "it cannot be brought to the disk");
  return before;
}

}  // namespace tilewarden::services
