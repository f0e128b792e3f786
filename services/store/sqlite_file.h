// The file that one engine service keeps its log in: opened by one process at a time, checked
// before anything is written, brought to this version. One connection writes, another one reads
// and need not wait for the disk, and a third moves the write-ahead log into the file beside them.
//
// Others may read it meanwhile: CopySqliteFile is the online backup.
#pragma once

#include <sqlite3.h>

#include <condition_variable>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "absl/status/status.h"

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

  // To be called before each change. Blocks while the write-ahead log must begin anew.
  void WaitToWrite();
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
  absl::Status LockOut();
  absl::Status MakePrivate() const;
  absl::Status Connect(Connection* connection);
  absl::Status Check();
  absl::Status Migrate();
  absl::Status InUse() const;
  absl::Status Damaged(const std::string& why) const;
  // The write-ahead log has as many pages now.
  void Grown(int pages);
  void KeepCheckpointing();

  const std::filesystem::path file_;
  int lock_ = -1;
  Connection writer_, reader_, checkpointer_;

  std::mutex mutex_;
  std::condition_variable wanted_, may_write_;
  int pages_ = 0, moved_ = 0;  // in the write-ahead log; of them when it was last asked for
  bool checkpoint_ = false, alone_ = false, stopped_ = false;
  std::thread thread_;
};

// Copies the log as it is at one moment, also while an engine service writes it, and checks the
// copy. NOT_FOUND: there is no log. ALREADY_EXISTS: `to` is there; nothing is overwritten.
// DATA_LOSS: the log is damaged. UNAVAILABLE: the disk is full or failed.
absl::Status CopySqliteFile(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace tilewarden::services
