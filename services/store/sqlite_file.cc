#include "services/store/sqlite_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "services/base/sqlite_statement.h"

namespace tilewarden::services {
namespace {

// Pages more in the write-ahead log before they are moved into the file: 4 MB. Where changes come
// without a pause, it does not begin anew by itself; from so many on, they wait for it.
constexpr int kPagesBetweenCheckpoints = 1000, kMostPages = 4000;
// For locks of those who read, and for what changes wait for then.
constexpr int kLongestBusy_ms = 5000, kLongestCheckpointBusy_ms = 100;

// From one version to the next; never changed once they were in use.
constexpr std::array kMigrations = {
    // 1
    R"sql(
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
)sql",
    // 2: how far receivers of events have been told.
    R"sql(
CREATE TABLE delivered(
  receiver BLOB NOT NULL,
  game_id TEXT NOT NULL REFERENCES games(id),
  number INTEGER NOT NULL,
  PRIMARY KEY(receiver, game_id)) WITHOUT ROWID;
)sql"};
constexpr int kVersion = static_cast<int>(kMigrations.size());

}  // namespace

SqliteFile::~SqliteFile() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  wanted_.notify_all();
  if (thread_.joinable()) thread_.join();
  checkpointer_.reset();
  reader_.reset();
  writer_.reset();
  // Last: until here nobody else may open it.
  if (lock_ >= 0) close(lock_);
}

absl::Status SqliteFile::Open() {
  std::error_code error;
  if (file_.has_parent_path()) std::filesystem::create_directories(file_.parent_path(), error);
  if (error) {
    return absl::FailedPreconditionError(absl::StrCat("the folder ", file_.parent_path().string(),
                                                      " cannot be made (", error.message(),
                                                      "); choose another with --data"));
  }
  if (!in_memory()) {
    if (auto status = LockOut(); !status.ok()) return status;
    if (auto status = MakePrivate(); !status.ok()) return status;
  }
  if (auto status = Connect(&writer_); !status.ok()) return status;
  // A file that turns out to be damaged stays as it is: nothing is moved from
  // the write-ahead log into it until it has been checked.
  sqlite3_db_config(writer(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  if (auto status = Check(); !status.ok()) return status;
  for (const char* sql : {"PRAGMA journal_mode=WAL", "PRAGMA synchronous=FULL",
                          "PRAGMA foreign_keys=ON", "PRAGMA secure_delete=ON"}) {
    if (auto status = Run(sql); !status.ok()) return status;
  }
  if (auto status = Migrate(); !status.ok()) return status;
  if (in_memory()) return absl::OkStatus();
  sqlite3_db_config(writer(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0, nullptr);
  for (Connection* other : {&reader_, &checkpointer_}) {
    if (auto status = Connect(other); !status.ok()) return status;
    // Before its first look, a connection does not know that there is a write-ahead log.
    if (sqlite3_exec(other->get(), "SELECT 1 FROM games LIMIT 1", nullptr, nullptr, nullptr) !=
        SQLITE_OK) {
      return Failed(other->get(), "read the log");
    }
  }
  // In place of SQLite's own, which would make writers wait for it.
  const auto hook = [](void* self, sqlite3*, const char*, int pages) {
    static_cast<SqliteFile*>(self)->Grown(pages);
    return SQLITE_OK;
  };
  sqlite3_busy_timeout(checkpointer_.get(), kLongestCheckpointBusy_ms);
  sqlite3_wal_hook(writer(), hook, this);
  thread_ = std::thread([this] { KeepCheckpointing(); });
  return absl::OkStatus();
}

// The lock goes with the process, however it ends. It lies beside the file that it really is,
// whatever links lead there.
absl::Status SqliteFile::LockOut() {
  std::error_code error;
  const auto real = std::filesystem::weakly_canonical(file_, error);
  const std::string name = (error ? file_ : real).string() + ".lock";
  lock_ = open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (lock_ < 0) {
    return absl::FailedPreconditionError(
        absl::StrCat(name, " cannot be written (", std::system_category().message(errno),
                     "); make the folder writable, or choose another with --data"));
  }
  return flock(lock_, LOCK_EX | LOCK_NB) == 0 ? absl::OkStatus() : InUse();
}

// For its owner's eyes only; SQLite's own files beside it get its mode.
absl::Status SqliteFile::MakePrivate() const {
  const int handle = open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (handle >= 0) {
    (void)fchmod(handle, S_IRUSR | S_IWUSR);
    close(handle);
    return absl::OkStatus();
  }
  return absl::FailedPreconditionError(
      absl::StrCat(file_.string(), " cannot be written (", std::system_category().message(errno),
                   "); make the folder writable, or choose another with --data"));
}

absl::Status SqliteFile::Connect(Connection* connection) {
  sqlite3* db = nullptr;
  const int opened =
      sqlite3_open_v2(file_.c_str(), &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
  connection->reset(db);
  if (opened != SQLITE_OK) return Failed(db, "open");
  sqlite3_extended_result_codes(db, 1);
  sqlite3_busy_timeout(db, kLongestBusy_ms);
  return absl::OkStatus();
}

void SqliteFile::Grown(int pages) {
  {
    const std::lock_guard lock(mutex_);
    if (pages < pages_) moved_ = 0;  // it began anew
    pages_ = pages;
    if (pages_ - moved_ < kPagesBetweenCheckpoints) return;
    moved_ = pages_;
    checkpoint_ = true;
  }
  wanted_.notify_all();
}

void SqliteFile::WaitToWrite() {
  std::unique_lock lock(mutex_);
  may_write_.wait(lock, [this] { return !alone_; });
}

void SqliteFile::KeepCheckpointing() {
  std::unique_lock lock(mutex_);
  while (true) {
    wanted_.wait(lock, [this] { return checkpoint_ || stopped_; });
    if (stopped_) return;
    checkpoint_ = false;
    // One that makes it begin anew needs a moment in which nobody writes.
    alone_ = pages_ >= kMostPages;
    const int mode = alone_ ? SQLITE_CHECKPOINT_RESTART : SQLITE_CHECKPOINT_PASSIVE;
    lock.unlock();
    // If the disk refuses, what is in the write-ahead log is safe there, and a later change asks
    // again.
    (void)sqlite3_wal_checkpoint_v2(checkpointer_.get(), nullptr, mode, nullptr, nullptr);
    lock.lock();
    alone_ = false;
    may_write_.notify_all();
  }
}

absl::Status SqliteFile::InUse() const {
  return absl::FailedPreconditionError(absl::StrCat(
      file_.string(),
      " is in use by another engine service; stop that one, or choose another folder with --data"));
}

absl::Status SqliteFile::Failed(sqlite3* db, const std::string& doing) const {
  const std::string what = absl::StrCat("cannot ", doing, ": ", file_.string(), ": ",
                                        db == nullptr ? "no memory" : sqlite3_errmsg(db));
  switch ((db == nullptr ? SQLITE_NOMEM : sqlite3_errcode(db)) & 0xff) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return Damaged(sqlite3_errmsg(db));
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return InUse();
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
      return absl::FailedPreconditionError(
          absl::StrCat(what, "; make the folder writable, or choose another with --data"));
    case SQLITE_FULL:
      return absl::UnavailableError(absl::StrCat(what, "; make room on the disk"));
    case SQLITE_IOERR:
      return absl::UnavailableError(
          absl::StrCat(what, "; check whether the disk is full or failing"));
    case SQLITE_CONSTRAINT:
      return absl::AbortedError(absl::StrCat(what, "; somebody else has written to this game"));
    default:
      return absl::UnavailableError(what);
  }
}

absl::Status SqliteFile::Damaged(const std::string& why) const {
  return absl::DataLossError(absl::StrCat(
      "the log ", file_.string(), " is damaged (", why,
      "). It was left as it is: move it away to start afresh, or put back a copy of it"));
}

absl::Status SqliteFile::Run(const char* sql) const {
  return sqlite3_exec(writer(), sql, nullptr, nullptr, nullptr) == SQLITE_OK
             ? absl::OkStatus()
             : Failed(writer(), "write the log");
}

absl::Status SqliteFile::Check() {
  Statement check(writer(), "PRAGMA quick_check(1)");
  if (check.Step() != SQLITE_ROW) return Failed(writer(), "check the log");
  if (const std::string found = check.BytesAt(0); found != "ok") return Damaged(found);
  return absl::OkStatus();
}

absl::Status SqliteFile::Migrate() {
  if (auto status = Run("BEGIN EXCLUSIVE"); !status.ok()) return status;
  std::int64_t version = -1;
  {
    Statement select(writer(), "PRAGMA user_version");
    if (select.Step() != SQLITE_ROW) return Failed(writer(), "read the log's version");
    version = select.IntAt(0);
  }
  if (version > kVersion) {
    return absl::FailedPreconditionError(
        absl::StrCat(file_.string(), " was written by a newer Tilewarden (version ", version,
                     " of the log, this program knows ", kVersion, "); update this one"));
  }
  if (version < 0) return Damaged(absl::StrCat("it says that its version is ", version));
  for (std::int64_t from = version; from < kVersion; ++from) {
    if (auto status = Run(kMigrations[static_cast<std::size_t>(from)]); !status.ok()) return status;
  }
  if (auto status = Run(absl::StrCat("PRAGMA user_version=", kVersion).c_str()); !status.ok()) {
    return status;
  }
  return Run("COMMIT");
}

}  // namespace tilewarden::services
