#include <cstdint>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "services/base/sqlite_statement.h"
#include "services/store/sqlite_file.h"
#include "services/store/store.h"

namespace tilewarden::services {
namespace {

using Connection = std::unique_ptr<sqlite3, decltype(&sqlite3_close)>;

// All in one transaction: afterwards they are all there, or none.
bool TakeOut(sqlite3* db, std::int64_t before_ms, int* taken) {
  const auto run = [db](const char* sql) {
    return sqlite3_exec(db, sql, nullptr, nullptr, nullptr) == SQLITE_OK;
  };
  if (!run("PRAGMA synchronous=FULL") || !run("BEGIN IMMEDIATE") ||
      !run("CREATE TEMP TABLE old(id TEXT PRIMARY KEY)")) {
    return false;
  }
  Statement find(
      db, "INSERT INTO old SELECT game_id FROM log GROUP BY game_id HAVING max(time_ms) < ?");
  if (find.Int(1, before_ms).Step() != SQLITE_DONE) return false;
  *taken = sqlite3_changes(db);
  return run("DELETE FROM delivered WHERE game_id IN old") &&
         run("DELETE FROM log WHERE game_id IN old") && run("DELETE FROM games WHERE id IN old") &&
         run("COMMIT") && run("VACUUM");
}

}  // namespace

absl::StatusOr<int> ArchiveSqliteFile(const std::filesystem::path& log,
                                      const std::filesystem::path& to, std::int64_t before_ms) {
  std::error_code error;
  if (std::filesystem::exists(log, error)) {
    // Checked, and of this version.
    const auto store = OpenSqliteStore(log);
    if (!store.ok()) return store.status();
    if (const auto lost = (*store)->Lost(); !lost.empty()) {
      return absl::DataLossError(absl::StrJoin(lost, "; "));
    }
  }
  LockFile lock;
  if (auto status = lock.Take(log); !status.ok()) return status;
  if (auto status = CopySqliteFile(log, to); !status.ok()) return status;
  sqlite3* db = nullptr;
  sqlite3_open_v2(log.c_str(), &db, SQLITE_OPEN_READWRITE, nullptr);
  const Connection connection(db, sqlite3_close);
  int taken = 0;
  if (!TakeOut(db, before_ms, &taken)) {
    return absl::UnavailableError(absl::StrCat(log.string(), ": ", sqlite3_errmsg(db),
                                               "; no game was taken out, and ", to.string(),
                                               " holds all of them"));
  }
  return taken;
}

}  // namespace tilewarden::services
