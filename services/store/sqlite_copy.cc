#include <fcntl.h>
#include <unistd.h>

#include <memory>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "services/base/sqlite_statement.h"
#include "services/base/whole_file.h"
#include "services/store/sqlite_file.h"

namespace tilewarden::services {
namespace {

using Connection = std::unique_ptr<sqlite3, decltype(&sqlite3_close)>;

Connection Connect(const std::filesystem::path& file) {
  sqlite3* db = nullptr;
  sqlite3_open_v2(file.c_str(), &db, SQLITE_OPEN_READWRITE, nullptr);
  sqlite3_extended_result_codes(db, 1);
  sqlite3_busy_timeout(db, 10'000);
  return {db, sqlite3_close};
}

absl::Status Failed(sqlite3* db, const std::filesystem::path& file) {
  const int code = sqlite3_errcode(db) & 0xff;
  const std::string what = absl::StrCat(file.string(), ": ", sqlite3_errmsg(db));
  if (code == SQLITE_CORRUPT || code == SQLITE_NOTADB) {
    return absl::DataLossError(absl::StrCat(what, "; no copy was made"));
  }
  return absl::UnavailableError(absl::StrCat(what, "; no copy was made"));
}

// SQLite does not bring such a copy to the disk by itself.
bool Sync(const std::filesystem::path& path) {
  const int handle = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const bool synced = handle >= 0 && fsync(handle) == 0;
  if (handle >= 0) close(handle);
  return synced;
}

absl::Status Copy(const std::filesystem::path& from, const std::filesystem::path& to) {
  const Connection log = Connect(from);
  // What is in the write-ahead log stays there: this only reads.
  sqlite3_db_config(log.get(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  {
    Statement copy(log.get(), "VACUUM INTO ?");
    if (copy.Text(1, to.string()).Step() != SQLITE_DONE) return Failed(log.get(), from);
  }
  const Connection made = Connect(to);
  Statement check(made.get(), "PRAGMA integrity_check(1)");
  if (check.Step() != SQLITE_ROW) return Failed(made.get(), to);
  if (const std::string found = check.BytesAt(0); found != "ok") {
    return absl::DataLossError(absl::StrCat(from.string(), ": ", found, "; no copy was made"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CopySqliteFile(const std::filesystem::path& from, const std::filesystem::path& to) {
  std::error_code error;
  if (!std::filesystem::exists(from, error)) {
    return absl::NotFoundError(absl::StrCat("there are no games in ", from.string(),
                                            "; say with --data which folder they are in"));
  }
  if (std::filesystem::exists(to, error)) {
    return absl::AlreadyExistsError(
        absl::StrCat(to.string(), " is there already and is not overwritten; name another file"));
  }
  // Under its name once it is whole.
  const std::filesystem::path part = to.string() + ".part";
  std::filesystem::remove(part, error);
  // Empty, and for its owner's eyes only.
  absl::Status status = WritePrivateFile(part, "", IfThere::kReplace);
  if (status.ok()) status = Copy(from, part);
  if (status.ok() && !Sync(part)) {
    status = absl::UnavailableError(absl::StrCat(part.string(), " cannot be written to the disk"));
  }
  if (status.ok()) {
    std::filesystem::rename(part, to, error);
    if (error || !Sync(to.has_parent_path() ? to.parent_path() : ".")) {
      status = absl::UnavailableError(absl::StrCat(to.string(), " cannot be written to the disk"));
    }
  }
  if (!status.ok()) std::filesystem::remove(part, error);
  return status;
}

}  // namespace tilewarden::services
