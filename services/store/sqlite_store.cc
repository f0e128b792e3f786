#include <condition_variable>
#include <functional>
#include <mutex>
#include <utility>

#include "absl/strings/str_cat.h"
#include "services/base/sqlite_statement.h"
#include "services/store/log_checksum.h"
#include "services/store/sqlite_file.h"
#include "services/store/store.h"

namespace tilewarden::services {
namespace {

// Answers are kept for requests that are repeated soon; older ones are dropped.
constexpr int kAnswersKept = 10'000;

absl::Status NoSuchGame(const std::string& id) {
  return absl::NotFoundError(absl::StrCat("there is no game '", id, "'"));
}

// Changes that come while the disk is at work are written together next: a disk that takes 5 ms
// to say that it has something takes no longer for many games than for one.
class SqliteStore : public Store {
 public:
  explicit SqliteStore(std::filesystem::path file) : file_(std::move(file)) {}

  absl::Status Open() { return file_.Open(); }
  std::vector<std::string> Lost() override { return file_.lost(); }

  absl::Status Append(const Change& change) override {
    return WriteWithOthers([&] { return Write(change); });
  }

  absl::Status Delete(const std::string& game_id, std::uint64_t /*term*/) override {
    return WriteWithOthers([&]() -> absl::Status {
      for (const char* kept :
           {"DELETE FROM delivered WHERE game_id = ?", "DELETE FROM log WHERE game_id = ?",
            "DELETE FROM answers WHERE instr(answer, CAST(? AS BLOB)) > 0",
            "DELETE FROM games WHERE id = ?"}) {
        Statement gone(file_.writer(), kept);
        if (gone.Text(1, game_id).Step() != SQLITE_DONE) return Failed();
      }
      if (sqlite3_changes(file_.writer()) != 1) return NoSuchGame(game_id);
      told_.emplace_back(game_id, 0);
      return absl::OkStatus();
    });
  }

  absl::StatusOr<int> ForgetText(const std::string& text) override {
    int answers = 0;
    auto status = WriteWithOthers([&] { return EmptyAnswers(text, &answers); });
    // Deleted bytes are overwritten, but not those of rows that SQLite has moved between pages.
    if (status.ok()) status = Alone([&] { return file_.Run("VACUUM"); });
    if (status.ok()) status = file_.MoveAll();
    if (!status.ok()) return status;
    return answers;
  }

  absl::Status SetDelivered(const Delivered& delivered) override {
    return WriteWithOthers([&]() -> absl::Status {
      Statement set(file_.writer(),
                    "INSERT OR REPLACE INTO delivered(receiver, game_id, number) VALUES(?, ?, ?)");
      set.Blob(1, delivered.receiver).Text(2, delivered.game_id).Int(3, delivered.number);
      const int step = set.Step();
      if (step == SQLITE_CONSTRAINT_FOREIGNKEY) return NoSuchGame(delivered.game_id);
      return step == SQLITE_DONE ? absl::OkStatus() : Failed();
    });
  }

  absl::StatusOr<std::optional<std::int64_t>> FindDelivered(const std::string& receiver,
                                                            const std::string& game_id) override {
    const std::lock_guard lock(reading_mutex_);
    Statement select(file_.reader(),
                     "SELECT number FROM delivered WHERE receiver = ? AND game_id = ?");
    const int step = select.Blob(1, receiver).Text(2, game_id).Step();
    if (step == SQLITE_DONE) return std::nullopt;
    if (step != SQLITE_ROW) return file_.Failed(file_.reader(), "look up what is delivered");
    return select.IntAt(0);
  }

  absl::StatusOr<std::vector<Delivered>> ListUndelivered(const std::string& receiver,
                                                         int limit) override {
    const std::lock_guard lock(reading_mutex_);
    std::vector<Delivered> out;
    Statement select(file_.reader(),
                     "SELECT game_id, number FROM delivered JOIN games ON games.id = game_id "
                     "WHERE receiver = ? AND number < "
                     "(SELECT max(number) FROM log WHERE log.game_id = delivered.game_id) "
                     "ORDER BY position DESC LIMIT ?");
    select.Blob(1, receiver).Int(2, limit);
    int step = SQLITE_ROW;
    while ((step = select.Step()) == SQLITE_ROW) {
      out.push_back({receiver, select.BytesAt(0), select.IntAt(1)});
    }
    if (step != SQLITE_DONE) return file_.Failed(file_.reader(), "look up what is delivered");
    return out;
  }

  absl::StatusOr<std::vector<StoredGame>> ListGames(int limit, std::int64_t before) override {
    const std::lock_guard lock(reading_mutex_);
    std::vector<StoredGame> games;
    Statement select(file_.reader(),
                     "SELECT id, position, created_ms, summary FROM games "
                     "WHERE ?1 = 0 OR position < ?1 ORDER BY position DESC LIMIT ?2");
    select.Int(1, before).Int(2, limit);
    int step = SQLITE_ROW;
    while ((step = select.Step()) == SQLITE_ROW) {
      const std::string id = select.BytesAt(0);
      auto summary = Unsealed(SummaryOfGame(id), select.BytesAt(3));
      if (!summary) return Damaged(absl::StrCat("the summary of game ", id));
      games.push_back({id, select.IntAt(1), select.IntAt(2), *std::move(summary)});
    }
    if (step != SQLITE_DONE) return file_.Failed(file_.reader(), "list the games");
    return games;
  }

  absl::StatusOr<std::vector<LogEntry>> ReadLog(const std::string& game_id) override {
    const std::lock_guard lock(reading_mutex_);
    std::vector<LogEntry> entries;
    Statement select(
        file_.reader(),
        "SELECT number, time_ms, record, checksum FROM log WHERE game_id = ? ORDER BY number");
    select.Text(1, game_id);
    int step = SQLITE_ROW;
    while ((step = select.Step()) == SQLITE_ROW) {
      LogEntry entry{static_cast<std::uint64_t>(select.IntAt(0)), select.IntAt(1),
                     select.BytesAt(2)};
      if (entry.number != entries.size() + 1 || LogChecksum(game_id, entry) != select.IntAt(3)) {
        return Damaged(absl::StrCat("event ", entries.size() + 1, " of game ", game_id));
      }
      entries.push_back(std::move(entry));
    }
    if (step != SQLITE_DONE) return file_.Failed(file_.reader(), "read the log");
    if (entries.empty()) return NoSuchGame(game_id);
    return entries;
  }

  absl::StatusOr<std::optional<StoredAnswer>> FindAnswer(const std::string& request_id) override {
    const std::lock_guard lock(reading_mutex_);
    Statement select(file_.reader(), "SELECT request, answer FROM answers WHERE request_id = ?");
    const int step = select.Text(1, request_id).Step();
    if (step == SQLITE_DONE) return std::nullopt;
    if (step != SQLITE_ROW) return file_.Failed(file_.reader(), "look up a request");
    const std::string request = select.BytesAt(0);
    auto answer = Unsealed(AnswerTo(request_id, request), select.BytesAt(1));
    if (!answer) return Damaged(absl::StrCat("the answer to request ", request_id));
    return StoredAnswer{request_id, request, *std::move(answer)};
  }

 private:
  using Work = std::function<absl::Status()>;
  struct Waiting {
    const Work* work;
    absl::Status status;
    bool written;
  };

  // Does the work in a transaction that may be of several threads.
  absl::Status WriteWithOthers(const Work& work) {
    Waiting mine{&work, absl::OkStatus(), false};
    std::unique_lock lock(waiting_mutex_);
    waiting_.push_back(&mine);
    written_.wait(lock, [&] { return mine.written || !writing_; });
    if (mine.written) return mine.status;
    writing_ = true;
    const auto together = std::exchange(waiting_, {});
    lock.unlock();
    WriteTogether(together);
    lock.lock();
    for (Waiting* one : together) one->written = true;
    writing_ = false;
    lock.unlock();
    written_.notify_all();
    return mine.status;
  }

  // Does the work outside of any transaction, and nobody else writes meanwhile.
  absl::Status Alone(const Work& work) {
    std::unique_lock lock(waiting_mutex_);
    written_.wait(lock, [&] { return !writing_; });
    writing_ = true;
    lock.unlock();
    file_.BeginToWrite();
    absl::Status status = work();
    file_.EndToWrite({});
    lock.lock();
    writing_ = false;
    lock.unlock();
    written_.notify_all();
    return status;
  }

  // One transaction, each change in it all or nothing.
  void WriteTogether(const std::vector<Waiting*>& together) {
    file_.BeginToWrite();
    told_.clear();
    if (!WriteAll(together)) told_.clear();
    file_.EndToWrite(told_);
  }

  bool WriteAll(const std::vector<Waiting*>& together) {
    absl::Status all = file_.Run("BEGIN IMMEDIATE");
    for (Waiting* one : together) {
      if (!all.ok()) break;
      one->status = WriteOne(*one->work);
      // Some failures end the whole transaction.
      if (sqlite3_get_autocommit(file_.writer()) != 0) all = one->status;
    }
    if (all.ok()) all = file_.Run("COMMIT");
    if (all.ok()) return true;
    if (sqlite3_get_autocommit(file_.writer()) == 0) (void)file_.Run("ROLLBACK");
    for (Waiting* one : together) one->status = all;
    return false;
  }

  absl::Status WriteOne(const Work& work) {
    if (auto status = file_.Run("SAVEPOINT change"); !status.ok()) return status;
    const std::size_t told = told_.size();
    absl::Status status = work();
    if (!status.ok()) told_.resize(told);
    if (status.ok()) return file_.Run("RELEASE change");
    if (sqlite3_get_autocommit(file_.writer()) == 0) {
      if (auto undone = file_.Run("ROLLBACK TO change; RELEASE change"); !undone.ok()) {
        return undone;
      }
    }
    return status;
  }

  absl::Status EmptyAnswers(const std::string& text, int* emptied) {
    std::vector<StoredAnswer> found;
    Statement select(file_.writer(), "SELECT request_id, request, answer FROM answers");
    int step = SQLITE_ROW;
    while ((step = select.Step()) == SQLITE_ROW) {
      if (!HoldsText(select.BytesAt(2), text)) continue;
      found.push_back({select.BytesAt(0), select.BytesAt(1), ""});
    }
    if (step != SQLITE_DONE) return Failed();
    for (const StoredAnswer& answer : found) {
      Statement update(file_.writer(), "UPDATE answers SET answer = ? WHERE request_id = ?");
      update.Blob(1, Sealed(AnswerTo(answer.request_id, answer.request), answer.answer));
      if (update.Text(2, answer.request_id).Step() != SQLITE_DONE) return Failed();
    }
    *emptied = static_cast<int>(found.size());
    return absl::OkStatus();
  }

  absl::Status Failed() const { return file_.Failed(file_.writer(), "write the log"); }

  absl::Status Write(const Change& change) {
    sqlite3* const db = file_.writer();
    const std::string summary = Sealed(SummaryOfGame(change.game_id), change.summary);
    if (change.created_ms) {
      Statement insert(db, "INSERT INTO games(id, created_ms, summary) VALUES(?, ?, ?)");
      insert.Text(1, change.game_id).Int(2, *change.created_ms).Blob(3, summary);
      if (const int step = insert.Step(); step == SQLITE_CONSTRAINT_UNIQUE) {
        return absl::AlreadyExistsError(absl::StrCat("there is a game '", change.game_id, "'"));
      } else if (step != SQLITE_DONE) {
        return Failed();
      }
    } else if (!change.summary.empty()) {
      Statement update(db, "UPDATE games SET summary = ? WHERE id = ?");
      if (update.Blob(1, summary).Text(2, change.game_id).Step() != SQLITE_DONE) {
        return Failed();
      }
    }
    if (const auto follows = Follows(change)) {
      Statement last(db, "SELECT coalesce(max(number), 0) FROM log WHERE game_id = ?");
      if (last.Text(1, change.game_id).Step() != SQLITE_ROW) return Failed();
      if (static_cast<std::uint64_t>(last.IntAt(0)) != *follows) return Overtaken(change.game_id);
    }
    for (const LogEntry& entry : change.rewritten) {
      Statement update(db,
                       "UPDATE log SET record = ?, checksum = ? WHERE game_id = ? AND number = ?");
      update.Blob(1, entry.record).Int(2, LogChecksum(change.game_id, entry));
      update.Text(3, change.game_id).Int(4, static_cast<std::int64_t>(entry.number));
      if (update.Step() != SQLITE_DONE) return Failed();
      if (sqlite3_changes(db) != 1) return Overtaken(change.game_id);
    }
    for (const LogEntry& entry : change.entries) {
      Statement insert(db, "INSERT INTO log VALUES(?, ?, ?, ?, ?)");
      insert.Text(1, change.game_id).Int(2, static_cast<std::int64_t>(entry.number));
      insert.Int(3, entry.time_ms).Blob(4, entry.record).Int(5, LogChecksum(change.game_id, entry));
      if (insert.Step() != SQLITE_DONE) return Failed();
    }
    if (change.answer) {
      Statement insert(db, "INSERT INTO answers(request_id, request, answer) VALUES(?, ?, ?)");
      insert.Text(1, change.answer->request_id).Blob(2, change.answer->request);
      insert.Blob(3, Sealed(AnswerTo(change.answer->request_id, change.answer->request),
                            change.answer->answer));
      if (insert.Step() != SQLITE_DONE) return Failed();
      Statement prune(db, "DELETE FROM answers WHERE position <= last_insert_rowid() - ?");
      if (prune.Int(1, kAnswersKept).Step() != SQLITE_DONE) return Failed();
    }
    if (!change.entries.empty()) {
      told_.emplace_back(change.game_id, change.entries.back().number);
    }
    return absl::OkStatus();
  }

  absl::Status Damaged(const std::string& what) const {
    return absl::DataLossError(absl::StrCat(what, " in ", file_.path().string(),
                                            " is damaged; go back to a copy of it with tilewarden "
                                            "restore"));
  }

  SqliteFile file_;
  std::mutex reading_mutex_;

  std::mutex waiting_mutex_;
  std::condition_variable written_;
  std::vector<Waiting*> waiting_;
  bool writing_ = false;  // by one thread, which alone has the writer and what follows
  std::vector<std::pair<std::string, std::uint64_t>> told_;  // in this transaction
};

}  // namespace

absl::StatusOr<std::unique_ptr<Store>> OpenSqliteStore(const std::filesystem::path& file) {
  auto store = std::make_unique<SqliteStore>(file);
  if (auto status = store->Open(); !status.ok()) return status;
  return store;
}

}  // namespace tilewarden::services
