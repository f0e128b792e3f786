#include "services/publish/delivered_file.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "services/access/secrets.h"
#include "services/sqlite_statement.h"

namespace tilewarden::services {

DeliveredFile::DeliveredFile(std::filesystem::path file, const std::string& receiver)
    : file_(std::move(file)), receiver_(HashOf(receiver)) {}

DeliveredFile::~DeliveredFile() { sqlite3_close(db_); }

absl::StatusOr<std::unique_ptr<DeliveredFile>> DeliveredFile::Open(
    const std::filesystem::path& file, const std::string& receiver) {
  std::unique_ptr<DeliveredFile> delivered(new DeliveredFile(file, receiver));
  if (sqlite3_open(file.c_str(), &delivered->db_) != SQLITE_OK) return delivered->Failed();
  sqlite3_busy_timeout(delivered->db_, 5000);
  for (const char* sql :
       {"PRAGMA journal_mode=WAL", "PRAGMA synchronous=NORMAL",
        "CREATE TABLE IF NOT EXISTS delivered(receiver BLOB NOT NULL, game TEXT NOT NULL, "
        "number INTEGER NOT NULL, PRIMARY KEY(receiver, game)) WITHOUT ROWID"}) {
    if (sqlite3_exec(delivered->db_, sql, nullptr, nullptr, nullptr) != SQLITE_OK) {
      return delivered->Failed();
    }
  }
  return delivered;
}

absl::Status DeliveredFile::Failed() const {
  return absl::FailedPreconditionError(
      absl::StrCat(file_.string(), ": ", db_ == nullptr ? "no memory" : sqlite3_errmsg(db_),
                   "; make the folder writable, or move a damaged file away: the receiver then "
                   "begins anew"));
}

std::optional<std::int64_t> DeliveredFile::Find(const std::string& game_id) {
  Statement select(db_, "SELECT number FROM delivered WHERE receiver = ? AND game = ?");
  if (select.Blob(1, receiver_).Text(2, game_id).Step() != SQLITE_ROW) return std::nullopt;
  return select.IntAt(0);
}

std::map<std::string, std::int64_t> DeliveredFile::All() {
  std::map<std::string, std::int64_t> out;
  Statement select(db_, "SELECT game, number FROM delivered WHERE receiver = ?");
  select.Blob(1, receiver_);
  while (select.Step() == SQLITE_ROW) out[select.BytesAt(0)] = select.IntAt(1);
  return out;
}

absl::Status DeliveredFile::Set(const std::string& game_id, std::int64_t number) {
  Statement set(db_, "INSERT OR REPLACE INTO delivered(receiver, game, number) VALUES(?, ?, ?)");
  set.Blob(1, receiver_).Text(2, game_id).Int(3, number);
  return set.Step() == SQLITE_DONE ? absl::OkStatus() : Failed();
}

void DeliveredFile::Remove(const std::string& game_id) {
  Statement remove(db_, "DELETE FROM delivered WHERE receiver = ? AND game = ?");
  remove.Blob(1, receiver_).Text(2, game_id).Step();
}

}  // namespace tilewarden::services
