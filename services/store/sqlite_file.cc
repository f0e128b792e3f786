#include "services/store/sqlite_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "services/base/sqlite_statement.h"
#include "services/store/log_checksum.h"

namespace tilewarden::services {
namespace {

// Pages more in the write-ahead log before they are moved into the file: 4 MB. Where changes come
// without a pause, it does not begin anew by itself; from so many on, they wait for it.
constexpr int kPagesBetweenCheckpoints = 1000, kMostPages = 4000;
// After so long without a change, all of it.
constexpr std::chrono::milliseconds kIdle{1000};
constexpr std::chrono::seconds kLongestMove{30};
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
)sql",
    // 3: summaries and answers behind checksums (log_checksum.h): SealAll.
    "SELECT 1"};
constexpr int kSealedSince = 3;
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
  // The last connection that goes moves everything into the file, and takes the write-ahead log
  // with it.
  writer_.reset();
  std::error_code error;
  if (opened_ && !std::filesystem::exists(file_.string() + "-wal", error)) {
    told_.Clear();
  }
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
    if (auto status = lock_.Take(file_); !status.ok()) return status;
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
  FindLost();
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
  opened_ = true;
  return absl::OkStatus();
}

// SQLite's own files beside it get its mode.
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

void SqliteFile::FindLost() {
  for (const auto& [game, number] : told_.Open(file_.string() + "-told")) {
    Statement last(writer(), "SELECT coalesce(max(number), 0) FROM log WHERE game_id = ?");
    if (last.Text(1, game).Step() != SQLITE_ROW) continue;
    const auto there = static_cast<std::uint64_t>(last.IntAt(0));
    if (there >= number) continue;
    lost_.push_back(absl::StrCat("game ", game, " has lost ", number - there,
                                 " changes that were saved (", there + 1, " to ", number,
                                 "): a file of the log was damaged or is missing. Compare the game "
                                 "with the table, or go back to a copy with tilewarden restore"));
  }
  if (!lost_.empty()) told_.Clear();
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

void SqliteFile::BeginToWrite() {
  std::unique_lock lock(mutex_);
  may_write_.wait(lock, [this] { return !alone_; });
  writing_ = true;
}

void SqliteFile::EndToWrite(const std::vector<std::pair<std::string, std::uint64_t>>& told) {
  told_.Add(told);
  {
    const std::lock_guard lock(mutex_);
    writing_ = false;
    written_ = std::chrono::steady_clock::now();
  }
  nobody_writes_.notify_all();
}

absl::Status SqliteFile::MoveAll() {
  if (in_memory()) return absl::OkStatus();
  std::unique_lock lock(mutex_);
  checkpoint_ = all_ = true;
  wanted_.notify_all();
  if (may_write_.wait_for(lock, kLongestMove, [this] { return pages_ == 0; })) {
    return absl::OkStatus();
  }
  return absl::UnavailableError(absl::StrCat(
      file_.string(), "-wal cannot be emptied; end what else reads it, and try again"));
}

void SqliteFile::KeepCheckpointing() {
  std::unique_lock lock(mutex_);
  while (true) {
    wanted_.wait_for(lock, kIdle, [this] { return checkpoint_ || stopped_; });
    if (stopped_) return;
    const bool idle = pages_ > 0 && std::chrono::steady_clock::now() - written_ >= kIdle;
    if (!checkpoint_ && !idle) continue;
    checkpoint_ = false;
    // One that makes it begin anew needs a moment in which nobody writes.
    alone_ = idle || all_ || pages_ >= kMostPages;
    nobody_writes_.wait(lock, [this] { return !alone_ || !writing_; });
    const int mode = alone_ ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_PASSIVE;
    lock.unlock();
    // If the disk refuses, what is in the write-ahead log is safe there, and a later change asks
    // again.
    const int done =
        sqlite3_wal_checkpoint_v2(checkpointer_.get(), nullptr, mode, nullptr, nullptr);
    lock.lock();
    if (alone_ && done == SQLITE_OK) {
      told_.Clear();
      pages_ = moved_ = 0;
      all_ = false;
    }
    alone_ = false;
    may_write_.notify_all();
  }
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
      return LogInUse(file_);
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
  if (version < kSealedSince) {
    if (auto status = SealAll(); !status.ok()) return status;
  }
  if (auto status = Run(absl::StrCat("PRAGMA user_version=", kVersion).c_str()); !status.ok()) {
    return status;
  }
  return Run("COMMIT");
}

absl::Status SqliteFile::SealAll() const {
  const auto seal = [](sqlite3_context* context, int, sqlite3_value** values) {
    std::array<std::string, 2> of;
    for (std::size_t i = 0; i < of.size(); ++i) {
      const void* bytes = sqlite3_value_blob(values[i]);
      const auto size = static_cast<std::size_t>(sqlite3_value_bytes(values[i]));
      if (bytes != nullptr) of[i].assign(static_cast<const char*>(bytes), size);
    }
    const std::string sealed = Sealed(of[0], of[1]);
    sqlite3_result_blob64(context, sealed.data(), sealed.size(), SQLITE_TRANSIENT);
  };
  sqlite3_create_function_v2(writer(), "seal", 2, SQLITE_UTF8, nullptr, seal, nullptr, nullptr,
                             nullptr);
  // The words before are SummaryOfGame and AnswerTo.
  return Run(
      "UPDATE games SET summary = seal('summary/' || id, summary);"
      "UPDATE answers SET answer = seal(CAST('answer/' || request_id || '/' AS BLOB) || request, "
      "answer)");
}

}  // namespace tilewarden::services
