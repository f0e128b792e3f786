// The file that one engine service keeps its log in: opened by one process at a time, checked
// before anything is written, brought to this version. One connection writes, another one reads
// and need not wait for the disk, and a third moves the write-ahead log into the file beside them.
//
// Whenever nobody has written for a second, everything lies in the file itself: what SQLite does
// not notice when it is damaged, the write-ahead log, is empty then. What it loses nevertheless is
// told at the next start (told_numbers.h).
//
// Others may read it meanwhile: CopySqliteFile is the online backup.
#pragma once

#include <sqlite3.h>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "services/store/lock_file.h"
#include "services/store/told_numbers.h"

namespace tilewarden::services {

// Open and Failed are safe from any thread; each connection is for one thread at a time.
class SqliteFile {
 public:
  explicit SqliteFile(std::filesystem::path file) : file_(std::move(file)) {}
  ~SqliteFile();
  SqliteFile(const SqliteFile&) = delete;
  SqliteFile& operator=(const SqliteFile&) = delete;

  // Makes it when it is not there. Errors as OpenSqliteStore. Blocks on the disk.
  absl::Status Open();

  sqlite3* writer() const { return writer_.get(); }
  sqlite3* reader() const { return in_memory() ? writer_.get() : reader_.get(); }
  const std::filesystem::path& path() const { return file_; }
  // Changes that had been acknowledged and were not there at the start, a sentence for each game.
  const std::vector<std::string>& lost() const { return lost_; }

  // Around each transaction, from one thread at a time. Begin blocks while the write-ahead log must
  // begin anew; End says what has been acknowledged: games and their last numbers.
  void BeginToWrite();
  void EndToWrite(const std::vector<std::pair<std::string, std::uint64_t>>& told);
  // Brings everything into the file itself and empties the write-ahead log. UNAVAILABLE: somebody
  // reads all the time, or the disk failed. Blocks, half a minute at most.
  absl::Status MoveAll();
  // With the writer.
  absl::Status Run(const char* sql) const;
  // A connection's last error as a status that says what to do.
  absl::Status Failed(sqlite3* db, const std::string& doing) const;

 private:
  struct Close {
    void operator()(sqlite3* db) const { sqlite3_close(db); }
  };
  using Connection = std::unique_ptr<sqlite3, Close>;

  // ":memory:": one connection for all, so for one thread.
  bool in_memory() const { return file_ == ":memory:"; }
  // For its owner's eyes only.
  absl::Status MakePrivate() const;
  absl::Status Connect(Connection* connection);
  absl::Status Check();
  absl::Status Migrate();
  absl::Status SealAll() const;
  void FindLost();
  absl::Status Damaged(const std::string& why) const;
  // The write-ahead log has as many pages now.
  void Grown(int pages);
  void KeepCheckpointing();

  const std::filesystem::path file_;
  LockFile lock_;  // goes last: until then nobody else may open it
  ToldNumbers told_;
  std::vector<std::string> lost_;
  bool opened_ = false;
  Connection writer_, reader_, checkpointer_;

  std::mutex mutex_;
  std::condition_variable wanted_, may_write_, nobody_writes_;
  int pages_ = 0, moved_ = 0;  // in the write-ahead log; of them when it was last asked for
  bool checkpoint_ = false, all_ = false;  // wanted: one, and one that leaves nothing there
  bool alone_ = false, writing_ = false, stopped_ = false;
  std::chrono::steady_clock::time_point written_{};
  std::thread thread_;
};

// Copies the log as it is at one moment, also while an engine service writes it, and checks the
// copy. NOT_FOUND: there is no log. ALREADY_EXISTS: `to` is there; nothing is overwritten.
// DATA_LOSS: the log is damaged. UNAVAILABLE: the disk is full or failed.
absl::Status CopySqliteFile(const std::filesystem::path& from, const std::filesystem::path& to);

// The same, and then takes out of the log the games in which nothing has happened since
// `before_ms`; how many. Errors as above, FAILED_PRECONDITION: an engine service has the log.
absl::StatusOr<int> ArchiveSqliteFile(const std::filesystem::path& log,
                                      const std::filesystem::path& to, std::int64_t before_ms);

// Puts a checked copy in the place of the log, which is kept beside it under the name that is
// returned (empty: there was none); nothing of it is mixed with the copy. NOT_FOUND, DATA_LOSS,
// UNAVAILABLE as above; FAILED_PRECONDITION: an engine service has the log.
absl::StatusOr<std::filesystem::path> RestoreSqliteFile(const std::filesystem::path& copy,
                                                        const std::filesystem::path& to);

}  // namespace tilewarden::services
