#include "services/store/kept_copies.h"

#include <sqlite3.h>

#include <fstream>
#include <memory>
#include <mutex>
#include <system_error>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "services/base/sqlite_statement.h"
#include "services/base/whole_file.h"
#include "services/store/nightly_copies.h"
#include "services/store/sqlite_file.h"

namespace tilewarden::services {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSqlite = "SQLite format 3";
// What stands beside a log, and goes with it.
constexpr const char* kBeside[] = {"-wal", "-shm", "-told", ".lock"};

std::vector<fs::path> DatabasesIn(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (!it->is_regular_file(error)) continue;
    std::string start(kSqlite.size(), '\0');
    std::ifstream(it->path(), std::ios::binary)
        .read(start.data(), static_cast<std::streamsize>(start.size()));
    if (start == kSqlite) files.push_back(it->path());
  }
  return files;
}

// A log of games, and no other database; a damaged one is taken for a log.
bool HoldsGames(const fs::path& file) {
  sqlite3* db = nullptr;
  const int opened = sqlite3_open_v2(file.c_str(), &db, SQLITE_OPEN_READONLY, nullptr);
  const std::unique_ptr<sqlite3, decltype(&sqlite3_close)> connection(db, sqlite3_close);
  if (opened != SQLITE_OK) return true;
  Statement tables(db, "SELECT count(*) FROM sqlite_master WHERE name IN ('games', 'log')");
  return tables.Step() != SQLITE_ROW || tables.IntAt(0) == 2;
}

void RemoveBeside(const fs::path& file) {
  std::error_code error;
  for (const char* beside : kBeside) fs::remove(file.string() + beside, error);
}

absl::StatusOr<bool> ChangeOne(const fs::path& file, const std::string& text,
                               const CopyChange& change) {
  std::error_code error;
  const auto time = fs::last_write_time(file, error);
  const fs::path made = file.string() + ".changed";
  fs::remove(made, error);
  if (auto status = CopySqliteFile(file, made); !status.ok()) return status;
  absl::StatusOr<bool> changed = false;
  {
    const auto store = OpenSqliteStore(made);
    changed = store.ok() ? change(store->get()) : store.status();
  }
  RemoveBeside(made);
  if (changed.ok() && !*changed) {
    // What SQLite has left behind of old rows is not in what was made.
    for (const char* part : {"", "-wal"}) {
      const auto bytes = ReadFile(file.string() + part);
      changed = *changed || (bytes && HoldsText(*bytes, text));
    }
  }
  if (!changed.ok() || !*changed) {
    fs::remove(made, error);
    return changed;
  }
  fs::last_write_time(made, time, error);
  fs::rename(made, file, error);
  if (error) {
    return absl::UnavailableError(
        absl::StrCat(file.string(), " cannot be written: ", error.message()));
  }
  RemoveBeside(file);
  return true;
}

}  // namespace

absl::StatusOr<CopiesChanged> ChangeKeptCopies(const fs::path& folder, const fs::path& log,
                                               const std::string& text, const CopyChange& change) {
  const std::lock_guard copying(CopyingMutex());
  CopiesChanged out;
  for (const fs::path& where : {folder, folder / "backups"}) {
    for (const fs::path& file : DatabasesIn(where)) {
      if (file == log || !HoldsGames(file)) continue;
      const auto changed = ChangeOne(file, text, change);
      if (absl::IsUnavailable(changed.status())) return changed.status();
      if (!changed.ok()) {
        out.left.push_back(absl::StrCat(file.filename().string(), " was not searched (",
                                        std::string(changed.status().message()),
                                        "); delete it if nobody needs it"));
      } else if (*changed) {
        ++out.changed;
      }
    }
  }
  return out;
}

}  // namespace tilewarden::services
