// Where games are kept: an append-only log of events per game, and the first
// answers of requests that changed something. The bytes are the services'
// own; the store only keeps them.
//
// Thread safe. Every method blocks on the disk. When Append returns OK, the
// change is on the disk and survives a power cut.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace tilewarden::services {

struct LogEntry {
  std::uint64_t number = 0;  // from 1 within its game
  std::int64_t time_ms = 0;  // since 1970
  std::string record;        // v1::LogRecord, serialised
  friend bool operator==(const LogEntry&, const LogEntry&) = default;
};

// A request that was answered, so that its repetition gets the same answer.
struct StoredAnswer {
  std::string request_id;
  std::string request;  // method and serialised request: what the id stands for
  std::string answer;   // serialised
  friend bool operator==(const StoredAnswer&, const StoredAnswer&) = default;
};

struct StoredGame {
  std::string id;
  std::int64_t position = 0;  // grows with every game created
  std::int64_t created_ms = 0;
  std::string summary;  // v1::GameSummary, serialised
};

// What one request or sighting changes, all or nothing.
struct Change {
  std::string game_id;
  // Set for a new game; ALREADY_EXISTS when it is there.
  std::optional<std::int64_t> created_ms;
  std::vector<LogEntry> entries;  // may be empty
  // The summary after these entries; empty leaves it.
  std::string summary;
  std::optional<StoredAnswer> answer;
};

class Store {
 public:
  virtual ~Store() = default;

  // ABORTED: the entries do not follow the log's last one, somebody else wrote.
  // UNAVAILABLE: the disk is full or failed; nothing was written.
  virtual absl::Status Append(const Change& change) = 0;

  // Newest first, those with a position below `before` (0: all).
  virtual absl::StatusOr<std::vector<StoredGame>> ListGames(int limit, std::int64_t before) = 0;
  // Oldest first. NOT_FOUND: no such game. DATA_LOSS: an entry is damaged.
  virtual absl::StatusOr<std::vector<LogEntry>> ReadLog(const std::string& game_id) = 0;
  virtual absl::StatusOr<std::optional<StoredAnswer>> FindAnswer(const std::string& request_id) = 0;
};

// One SQLite file, opened by one process at a time. Makes it when it is not
// there. DATA_LOSS: the file is damaged; it is left untouched and the message
// says what to do. FAILED_PRECONDITION: another process has it open, it is of
// a newer version, or the folder cannot be written.
absl::StatusOr<std::unique_ptr<Store>> OpenSqliteStore(const std::filesystem::path& file);

}  // namespace tilewarden::services
