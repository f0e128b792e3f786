#include "services/access/token_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <system_error>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "services/access/rules.h"
#include "services/base/check_text.h"
#include "services/base/secrets.h"
#include "services/base/sqlite_statement.h"

namespace tilewarden::services {
namespace {

constexpr int kVersion = 1;
constexpr std::int64_t kDay_ms = 86'400'000, kHour_ms = 3'600'000;
constexpr std::size_t kSecretBytes = 32, kTokenIdSymbols = 10, kCodeIdSymbols = 2, kCodeSymbols = 8;
// tw_ID_SECRET: of a form that programs which look for lost secrets can find.
constexpr std::string_view kTokenStart = "tw_";
constexpr std::size_t kTokenLength = 3 + kTokenIdSymbols + 1 + 43;

constexpr const char* kSchema = R"sql(
CREATE TABLE tokens(
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  hash BLOB NOT NULL,
  role TEXT NOT NULL,
  game_table TEXT NOT NULL,
  device TEXT NOT NULL,
  made_ms INTEGER NOT NULL,
  expires_ms INTEGER NOT NULL,
  seen_ms INTEGER NOT NULL DEFAULT 0,
  revoked INTEGER NOT NULL DEFAULT 0);
CREATE TABLE codes(
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  hash BLOB NOT NULL,
  role TEXT NOT NULL,
  game_table TEXT NOT NULL,
  expires_ms INTEGER NOT NULL,
  tries INTEGER NOT NULL);
)sql";

constexpr const char* kColumns =
    "SELECT id, role, game_table, device, made_ms, expires_ms, seen_ms, revoked, hash FROM tokens ";

Token TokenAt(Statement* row) {
  return {row->BytesAt(0),   {RoleNamed(row->BytesAt(1)), row->BytesAt(2)},
          row->BytesAt(3),   row->IntAt(4),
          row->IntAt(5),     row->IntAt(6),
          row->IntAt(7) != 0};
}

absl::Status CheckGrant(const Grant& grant) {
  if (grant.role == v1::ROLE_UNSPECIFIED) {
    return absl::InvalidArgumentError("role: choose camera, display, referee or admin");
  }
  if (!grant.table.empty() && grant.role != v1::ROLE_CAMERA) {
    return absl::InvalidArgumentError("table: only cameras belong to a table");
  }
  return absl::OkStatus();
}

absl::Status NoSuchCode() {
  return absl::InvalidArgumentError(
      "this code is wrong, has been used or has expired; get a new one from the engine's screen");
}

}  // namespace

TokenFile::~TokenFile() { sqlite3_close(db_); }

absl::StatusOr<std::unique_ptr<TokenFile>> TokenFile::Open(const std::filesystem::path& file) {
  std::unique_ptr<TokenFile> tokens(new TokenFile(file));
  if (auto status = tokens->OpenLocked(); !status.ok()) return status;
  return tokens;
}

absl::Status TokenFile::OpenLocked() {
  std::error_code error;
  if (file_.has_parent_path()) std::filesystem::create_directories(file_.parent_path(), error);
  // Not for other users of this machine; SQLite's own files beside it follow.
  const int handle = open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (handle < 0) {
    return absl::FailedPreconditionError(
        absl::StrCat(file_.string(), " cannot be opened (", std::system_category().message(errno),
                     "); make the folder writable, or choose another with --data"));
  }
  close(handle);
  if (sqlite3_open_v2(file_.c_str(), &db_, SQLITE_OPEN_READWRITE, nullptr) != SQLITE_OK) {
    return Failed("open");
  }
  sqlite3_busy_timeout(db_, 5000);
  for (const char* sql :
       {"PRAGMA journal_mode=WAL", "PRAGMA synchronous=FULL", "BEGIN IMMEDIATE"}) {
    if (auto status = Run(sql); !status.ok()) return status;
  }
  std::int64_t version = -1;
  {
    Statement select(db_, "PRAGMA user_version");
    if (select.Step() != SQLITE_ROW) return Failed("read");
    version = select.IntAt(0);
  }
  if (version > kVersion) {
    return absl::FailedPreconditionError(
        absl::StrCat(file_.string(), " was written by a newer Tilewarden; update this one"));
  }
  if (version == 0) {
    if (auto status = Run(kSchema); !status.ok()) return status;
    if (auto status = Run(absl::StrCat("PRAGMA user_version=", kVersion).c_str()); !status.ok()) {
      return status;
    }
  }
  return Run("COMMIT");
}

absl::Status TokenFile::Failed(const std::string& doing) const {
  const std::string what = absl::StrCat("cannot ", doing, " ", file_.string(), ": ",
                                        db_ == nullptr ? "no memory" : sqlite3_errmsg(db_));
  const int code = db_ == nullptr ? SQLITE_NOMEM : sqlite3_errcode(db_) & 0xff;
  if (code == SQLITE_CORRUPT || code == SQLITE_NOTADB) {
    return absl::FailedPreconditionError(
        absl::StrCat(what, "; move it away, and pair all devices again"));
  }
  return absl::UnavailableError(what);
}

absl::Status TokenFile::Run(const char* sql) {
  return sqlite3_exec(db_, sql, nullptr, nullptr, nullptr) == SQLITE_OK ? absl::OkStatus()
                                                                        : Failed("write");
}

absl::StatusOr<std::string> TokenFile::Make(const Grant& grant, const std::string& device, int days,
                                            std::int64_t now_ms) {
  const std::lock_guard lock(mutex_);
  return MakeLocked(grant, device, days, now_ms);
}

absl::StatusOr<std::string> TokenFile::MakeLocked(const Grant& grant, const std::string& device,
                                                  int days, std::int64_t now_ms) {
  if (auto status = CheckGrant(grant); !status.ok()) return status;
  if (auto status = CheckText("device", device, kLongestDevice); !status.ok()) return status;
  if (days < 1 || days > 3650) return absl::InvalidArgumentError("days: 1 to 3650");
  const std::string id = RandomSymbols(kTokenIdSymbols);
  const std::string secret = absl::WebSafeBase64Escape(RandomBytes(kSecretBytes));
  Statement insert(db_,
                   "INSERT INTO tokens(id, hash, role, game_table, device, made_ms, expires_ms) "
                   "VALUES(?, ?, ?, ?, ?, ?, ?)");
  insert.Text(1, id).Blob(2, HashOf(secret)).Text(3, NameOf(grant.role)).Text(4, grant.table);
  insert.Text(5, device).Int(6, now_ms).Int(7, now_ms + days * kDay_ms);
  if (insert.Step() != SQLITE_DONE) return Failed("write");
  return absl::StrCat(std::string(kTokenStart), id, "_", secret);
}

absl::StatusOr<TokenFile::Verdict> TokenFile::Check(std::string_view token, std::int64_t now_ms) {
  if (token.size() != kTokenLength || token.substr(0, kTokenStart.size()) != kTokenStart) {
    return Verdict{};
  }
  token.remove_prefix(kTokenStart.size());
  const std::string id(token.substr(0, kTokenIdSymbols));
  const std::string hash = HashOf(token.substr(kTokenIdSymbols + 1));
  const std::lock_guard lock(mutex_);
  return FindLocked(id, &hash, now_ms);
}

absl::StatusOr<TokenFile::Verdict> TokenFile::CheckAgain(const std::string& id,
                                                         std::int64_t now_ms) {
  const std::lock_guard lock(mutex_);
  return FindLocked(id, nullptr, now_ms);
}

absl::StatusOr<TokenFile::Verdict> TokenFile::FindLocked(const std::string& id,
                                                         const std::string* hash,
                                                         std::int64_t now_ms) {
  Verdict verdict;
  {
    Statement select(db_, absl::StrCat(kColumns, "WHERE id = ?").c_str());
    const int step = select.Text(1, id).Step();
    if (step == SQLITE_DONE) return verdict;
    if (step != SQLITE_ROW) return Failed("read");
    if (hash != nullptr && !SameSecret(*hash, select.BytesAt(8))) return verdict;
    verdict.token = TokenAt(&select);
  }
  if (verdict.token.revoked) {
    verdict.is = Verdict::kRevoked;
  } else if (now_ms >= verdict.token.expires_ms) {
    verdict.is = Verdict::kExpired;
  } else {
    verdict.is = Verdict::kGood;
    if (now_ms - verdict.token.seen_ms > kHour_ms) {
      // Only for the list: whoever is let in need not wait for it to succeed.
      Statement update(db_, "UPDATE tokens SET seen_ms = ? WHERE id = ?");
      update.Int(1, now_ms).Text(2, id).Step();
    }
  }
  return verdict;
}

absl::StatusOr<std::vector<Token>> TokenFile::List(std::int64_t now_ms) {
  const std::lock_guard lock(mutex_);
  std::vector<Token> tokens;
  Statement select(db_,
                   absl::StrCat(kColumns, "WHERE expires_ms > ? ORDER BY position DESC").c_str());
  select.Int(1, now_ms);
  int step = SQLITE_ROW;
  while ((step = select.Step()) == SQLITE_ROW) tokens.push_back(TokenAt(&select));
  if (step != SQLITE_DONE) return Failed("read");
  return tokens;
}

absl::Status TokenFile::Revoke(const std::string& id) {
  const std::lock_guard lock(mutex_);
  Statement update(db_, "UPDATE tokens SET revoked = 1 WHERE id = ?");
  if (update.Text(1, id).Step() != SQLITE_DONE) return Failed("write");
  if (sqlite3_changes(db_) == 0) {
    return absl::NotFoundError(
        absl::StrCat("there is no token ", id, "; tilewarden access list shows them"));
  }
  return absl::OkStatus();
}

absl::StatusOr<bool> TokenFile::Reword(const Words& words) {
  struct Column {
    const char *select, *update;
  };
  constexpr Column kWritten[] = {
      {"SELECT position, device FROM tokens", "UPDATE tokens SET device = ? WHERE position = ?"},
      {"SELECT position, game_table FROM tokens",
       "UPDATE tokens SET game_table = ? WHERE position = ?"},
      {"SELECT position, game_table FROM codes",
       "UPDATE codes SET game_table = ? WHERE position = ?"}};
  const std::lock_guard lock(mutex_);
  bool changed = false;
  for (const Column& column : kWritten) {
    std::vector<std::pair<std::int64_t, std::string>> reworded;
    Statement select(db_, column.select);
    int step = SQLITE_ROW;
    while ((step = select.Step()) == SQLITE_ROW) {
      const std::string before = select.BytesAt(1);
      if (std::string now = words(before); now != before) {
        reworded.emplace_back(select.IntAt(0), std::move(now));
      }
    }
    if (step != SQLITE_DONE) return Failed("read");
    for (const auto& [position, text] : reworded) {
      Statement update(db_, column.update);
      if (update.Text(1, text).Int(2, position).Step() != SQLITE_DONE) return Failed("write");
      changed = true;
    }
  }
  if (auto status = Run("VACUUM"); !status.ok()) return status;
  Statement checkpoint(db_, "PRAGMA wal_checkpoint(TRUNCATE)");
  if (checkpoint.Step() != SQLITE_ROW || checkpoint.IntAt(0) != 0)
    return Failed("empty the log of");
  return changed;
}

absl::StatusOr<TokenFile::Code> TokenFile::MakeCode(const Grant& grant, std::int64_t now_ms) {
  if (auto status = CheckGrant(grant); !status.ok()) return status;
  const std::lock_guard lock(mutex_);
  Statement prune(db_,
                  "DELETE FROM codes WHERE expires_ms <= ?1 OR position <= "
                  "(SELECT max(position) FROM codes) - ?2");
  if (prune.Int(1, now_ms).Int(2, kMostCodes - 1).Step() != SQLITE_DONE) return Failed("write");
  for (int tries = 0; tries < 100; ++tries) {
    const std::string code = RandomSymbols(kCodeSymbols);
    Statement insert(db_,
                     "INSERT OR IGNORE INTO codes(id, hash, role, game_table, expires_ms, tries) "
                     "VALUES(?, ?, ?, ?, ?, ?)");
    insert.Text(1, code.substr(0, kCodeIdSymbols)).Blob(2, HashOf(code));
    insert.Text(3, NameOf(grant.role)).Text(4, grant.table).Int(5, now_ms + kCodeLife_ms);
    if (insert.Int(6, kCodeTries).Step() != SQLITE_DONE) return Failed("write");
    if (sqlite3_changes(db_) == 1) return Code{ShownCode(code), now_ms + kCodeLife_ms};
  }
  return absl::UnavailableError("no code is free; try again");
}

absl::StatusOr<TokenFile::Paired> TokenFile::Exchange(const std::string& code,
                                                      const std::string& device,
                                                      std::int64_t now_ms) {
  const std::lock_guard lock(mutex_);
  if (auto status = Run("BEGIN IMMEDIATE"); !status.ok()) return status;
  auto paired = ExchangeLocked(PlainCode(code), device, now_ms);
  // A wrong try is kept, too; a disk that failed and a name that is too long
  // leave the code as it was.
  const bool keep = paired.ok() || paired.status() == NoSuchCode();
  if (auto status = Run(keep ? "COMMIT" : "ROLLBACK"); !status.ok()) {
    sqlite3_exec(db_, "ROLLBACK", nullptr, nullptr, nullptr);
    return status;
  }
  return paired;
}

absl::StatusOr<TokenFile::Paired> TokenFile::ExchangeLocked(const std::string& code,
                                                            const std::string& device,
                                                            std::int64_t now_ms) {
  if (code.size() != kCodeSymbols) return NoSuchCode();
  const std::string id = code.substr(0, kCodeIdSymbols);
  Paired paired;
  {
    Statement select(db_,
                     "SELECT hash, role, game_table FROM codes WHERE id = ? AND expires_ms > ?");
    const int step = select.Text(1, id).Int(2, now_ms).Step();
    if (step == SQLITE_DONE) return NoSuchCode();
    if (step != SQLITE_ROW) return Failed("read");
    if (!SameSecret(HashOf(code), select.BytesAt(0))) {
      Statement wrong(db_, "UPDATE codes SET tries = tries - 1 WHERE id = ?");
      if (wrong.Text(1, id).Step() != SQLITE_DONE) return Failed("write");
      Statement spent(db_, "DELETE FROM codes WHERE id = ? AND tries <= 0");
      if (spent.Text(1, id).Step() != SQLITE_DONE) return Failed("write");
      return NoSuchCode();
    }
    paired.grant = {RoleNamed(select.BytesAt(1)), select.BytesAt(2)};
  }
  Statement used(db_, "DELETE FROM codes WHERE id = ?");
  if (used.Text(1, id).Step() != SQLITE_DONE) return Failed("write");
  auto token = MakeLocked(paired.grant, device, kTokenDays, now_ms);
  if (!token.ok()) return token.status();
  paired.token = *std::move(token);
  paired.expires_ms = now_ms + kTokenDays * kDay_ms;
  return paired;
}

}  // namespace tilewarden::services
