#include <mutex>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "services/log_checksum.h"
#include "services/sqlite_statement.h"
#include "services/store.h"

namespace tilewarden::services {
namespace {

constexpr int kVersion = 1;
// Answers are kept for requests that are repeated soon; older ones are dropped.
constexpr int kAnswersKept = 10'000;

constexpr const char* kSchema = R"sql(
CREATE TABLE games(
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  created_ms INTEGER NOT NULL,
  summary BLOB NOT NULL);
CREATE TABLE log(
  game_id TEXT NOT NULL REFERENCES games(id),
  number INTEGER NOT NULL,
  time_ms INTEGER NOT NULL,
  record BLOB NOT NULL,
  checksum INTEGER NOT NULL,
  PRIMARY KEY(game_id, number)) WITHOUT ROWID;
CREATE TABLE answers(
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  request_id TEXT NOT NULL UNIQUE,
  request BLOB NOT NULL,
  answer BLOB NOT NULL);
)sql";

class SqliteStore : public Store {
 public:
  explicit SqliteStore(std::filesystem::path file) : file_(std::move(file)) {}
  ~SqliteStore() override { sqlite3_close(db_); }

  absl::Status Open() {
    std::error_code error;
    if (file_.has_parent_path()) std::filesystem::create_directories(file_.parent_path(), error);
    if (error) {
      return absl::FailedPreconditionError(absl::StrCat("the folder ", file_.parent_path().string(),
                                                        " cannot be made (", error.message(),
                                                        "); choose another with --data"));
    }
    if (sqlite3_open_v2(file_.c_str(), &db_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr) !=
        SQLITE_OK) {
      return Failed("open");
    }
    sqlite3_extended_result_codes(db_, 1);
    // A file that turns out to be damaged stays as it is: nothing is moved from
    // the write-ahead log into it until it has been checked.
    sqlite3_db_config(db_, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
    if (auto status = Check(); !status.ok()) return status;
    for (const char* sql :
         {"PRAGMA journal_mode=WAL", "PRAGMA synchronous=FULL", "PRAGMA foreign_keys=ON"}) {
      if (auto status = Run(sql); !status.ok()) return status;
    }
    if (auto status = Migrate(); !status.ok()) return status;
    sqlite3_db_config(db_, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0, nullptr);
    return absl::OkStatus();
  }

  absl::Status Append(const Change& change) override {
    const std::lock_guard lock(mutex_);
    if (auto status = Run("BEGIN IMMEDIATE"); !status.ok()) return status;
    absl::Status status = Write(change);
    if (status.ok()) status = Run("COMMIT");
    if (!status.ok() && sqlite3_get_autocommit(db_) == 0) {
      sqlite3_exec(db_, "ROLLBACK", nullptr, nullptr, nullptr);
    }
    return status;
  }

  absl::StatusOr<std::vector<StoredGame>> ListGames(int limit, std::int64_t before) override {
    const std::lock_guard lock(mutex_);
    std::vector<StoredGame> games;
    Statement select(db_,
                     "SELECT id, position, created_ms, summary FROM games "
                     "WHERE ?1 = 0 OR position < ?1 ORDER BY position DESC LIMIT ?2");
    select.Int(1, before).Int(2, limit);
    int step = SQLITE_ROW;
    while ((step = select.Step()) == SQLITE_ROW) {
      games.push_back({select.BytesAt(0), select.IntAt(1), select.IntAt(2), select.BytesAt(3)});
    }
    if (step != SQLITE_DONE) return Failed("list the games");
    return games;
  }

  absl::StatusOr<std::vector<LogEntry>> ReadLog(const std::string& game_id) override {
    const std::lock_guard lock(mutex_);
    std::vector<LogEntry> entries;
    Statement select(
        db_, "SELECT number, time_ms, record, checksum FROM log WHERE game_id = ? ORDER BY number");
    select.Text(1, game_id);
    int step = SQLITE_ROW;
    while ((step = select.Step()) == SQLITE_ROW) {
      LogEntry entry{static_cast<std::uint64_t>(select.IntAt(0)), select.IntAt(1),
                     select.BytesAt(2)};
      if (entry.number != entries.size() + 1 || LogChecksum(game_id, entry) != select.IntAt(3)) {
        return absl::DataLossError(absl::StrCat("event ", entries.size() + 1, " of game ", game_id,
                                                " in ", file_.string(),
                                                " is damaged; put back a copy of the file"));
      }
      entries.push_back(std::move(entry));
    }
    if (step != SQLITE_DONE) return Failed("read the log");
    if (entries.empty()) {
      return absl::NotFoundError(absl::StrCat("there is no game '", game_id, "'"));
    }
    return entries;
  }

  absl::StatusOr<std::optional<StoredAnswer>> FindAnswer(const std::string& request_id) override {
    const std::lock_guard lock(mutex_);
    Statement select(db_, "SELECT request, answer FROM answers WHERE request_id = ?");
    const int step = select.Text(1, request_id).Step();
    if (step == SQLITE_DONE) return std::nullopt;
    if (step != SQLITE_ROW) return Failed("look up a request");
    return StoredAnswer{request_id, select.BytesAt(0), select.BytesAt(1)};
  }

 private:
  // The last SQLite error as a status that says what to do.
  absl::Status Failed(const std::string& doing) {
    const std::string what = absl::StrCat("cannot ", doing, ": ", file_.string(), ": ",
                                          db_ == nullptr ? "no memory" : sqlite3_errmsg(db_));
    switch ((db_ == nullptr ? SQLITE_NOMEM : sqlite3_errcode(db_)) & 0xff) {
      case SQLITE_CORRUPT:
      case SQLITE_NOTADB:
        return Damaged(sqlite3_errmsg(db_));
      case SQLITE_BUSY:
      case SQLITE_LOCKED:
        return absl::FailedPreconditionError(
            absl::StrCat(file_.string(),
                         " is in use by another engine service; stop that one, or "
                         "choose another folder with --data"));
      case SQLITE_READONLY:
      case SQLITE_CANTOPEN:
      case SQLITE_PERM:
        return absl::FailedPreconditionError(
            absl::StrCat(what, "; make the folder writable, or choose another with --data"));
      case SQLITE_FULL:
        return absl::UnavailableError(absl::StrCat(what, "; make room on the disk"));
      case SQLITE_CONSTRAINT:
        return absl::AbortedError(absl::StrCat(what, "; somebody else has written to this game"));
      default:
        return absl::UnavailableError(what);
    }
  }

  absl::Status Damaged(const std::string& why) const {
    return absl::DataLossError(absl::StrCat(
        "the log ", file_.string(), " is damaged (", why,
        "). It was left as it is: move it away to start anew, or put back a copy of it"));
  }

  absl::Status Run(const char* sql) {
    return sqlite3_exec(db_, sql, nullptr, nullptr, nullptr) == SQLITE_OK ? absl::OkStatus()
                                                                          : Failed("write the log");
  }

  absl::Status Check() {
    // One process at a time; the lock goes with the process, however it ends.
    if (auto status = Run("PRAGMA locking_mode=EXCLUSIVE"); !status.ok()) return status;
    Statement check(db_, "PRAGMA quick_check(1)");
    if (check.Step() != SQLITE_ROW) return Failed("check the log");
    if (const std::string found = check.BytesAt(0); found != "ok") return Damaged(found);
    return absl::OkStatus();
  }

  absl::Status Migrate() {
    if (auto status = Run("BEGIN EXCLUSIVE"); !status.ok()) return status;
    std::int64_t version = -1;
    {
      Statement select(db_, "PRAGMA user_version");
      if (select.Step() != SQLITE_ROW) return Failed("read the log's version");
      version = select.IntAt(0);
    }
    if (version > kVersion) {
      return absl::FailedPreconditionError(
          absl::StrCat(file_.string(), " was written by a newer Tilewarden (version ", version,
                       " of the log, this program knows ", kVersion, "); update this one"));
    }
    if (version == 0) {
      if (auto status = Run(kSchema); !status.ok()) return status;
      if (auto status = Run(absl::StrCat("PRAGMA user_version=", kVersion).c_str()); !status.ok()) {
        return status;
      }
    }
    return Run("COMMIT");
  }

  absl::Status Write(const Change& change) {
    if (change.created_ms) {
      Statement insert(db_, "INSERT INTO games(id, created_ms, summary) VALUES(?, ?, ?)");
      insert.Text(1, change.game_id).Int(2, *change.created_ms).Blob(3, change.summary);
      if (const int step = insert.Step(); step == SQLITE_CONSTRAINT_UNIQUE) {
        return absl::AlreadyExistsError(absl::StrCat("there is a game '", change.game_id, "'"));
      } else if (step != SQLITE_DONE) {
        return Failed("write the log");
      }
    } else if (!change.summary.empty()) {
      Statement update(db_, "UPDATE games SET summary = ? WHERE id = ?");
      if (update.Blob(1, change.summary).Text(2, change.game_id).Step() != SQLITE_DONE) {
        return Failed("write the log");
      }
    }
    if (!change.entries.empty()) {
      Statement last(db_, "SELECT coalesce(max(number), 0) FROM log WHERE game_id = ?");
      if (last.Text(1, change.game_id).Step() != SQLITE_ROW) return Failed("write the log");
      if (static_cast<std::uint64_t>(last.IntAt(0)) + 1 != change.entries.front().number) {
        return absl::AbortedError(
            absl::StrCat("somebody else has written to game ", change.game_id));
      }
    }
    for (const LogEntry& entry : change.entries) {
      Statement insert(db_, "INSERT INTO log VALUES(?, ?, ?, ?, ?)");
      insert.Text(1, change.game_id).Int(2, static_cast<std::int64_t>(entry.number));
      insert.Int(3, entry.time_ms).Blob(4, entry.record).Int(5, LogChecksum(change.game_id, entry));
      if (insert.Step() != SQLITE_DONE) return Failed("write the log");
    }
    if (change.answer) {
      Statement insert(db_, "INSERT INTO answers(request_id, request, answer) VALUES(?, ?, ?)");
      insert.Text(1, change.answer->request_id).Blob(2, change.answer->request);
      if (insert.Blob(3, change.answer->answer).Step() != SQLITE_DONE) {
        return Failed("write the log");
      }
      Statement prune(db_, "DELETE FROM answers WHERE position <= last_insert_rowid() - ?");
      if (prune.Int(1, kAnswersKept).Step() != SQLITE_DONE) return Failed("write the log");
    }
    return absl::OkStatus();
  }

  const std::filesystem::path file_;
  std::mutex mutex_;
  sqlite3* db_ = nullptr;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Store>> OpenSqliteStore(const std::filesystem::path& file) {
  auto store = std::make_unique<SqliteStore>(file);
  if (auto status = store->Open(); !status.ok()) return status;
  return store;
}

}  // namespace tilewarden::services
