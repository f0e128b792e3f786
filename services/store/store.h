// Where games are kept: an append-only log of events per game, and the first
// answers of requests that changed something. The bytes are the services'
// own; the store only keeps them.
//
// Several engine services may share a store. Each game is led by one of them at a
// time, in a numbered term; only the leader's changes are taken.
//
// Thread safe. Every method blocks on the disk or the database, StillLeads
// excepted. When Append returns OK, the change is on the disk and survives a power cut.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
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
  std::string request;  // what the id stands for, as RequestKey has it
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
  // In which the writer leads the game, as Lead said. Whoever creates a game leads
  // it in term 1.
  std::uint64_t term = 1;
  // Only while this is the last entry's number; absent: what `entries` follow says it.
  std::optional<std::uint64_t> as_of;
  std::vector<LogEntry> entries;  // may be empty
  // In the place of earlier ones with their numbers: a person is taken out of them.
  std::vector<LogEntry> rewritten;
  // The summary after these entries; empty leaves it.
  std::string summary;
  std::optional<StoredAnswer> answer;
};

// The number that must be the log's last one for the change; absent: any may.
std::optional<std::uint64_t> Follows(const Change& change);
// What Append answers otherwise.
absl::Status Overtaken(const std::string& game_id);

// Whether the bytes hold this text, with capitals or without (those of ASCII).
bool HoldsText(std::string_view bytes, std::string_view text);

// How far whoever is told a game's events from outside has them.
struct Delivered {
  std::string receiver;  // bytes that name it
  std::string game_id;
  std::int64_t number = 0;  // of the last event that it has; kWantsState: it wants the state next
  static constexpr std::int64_t kWantsState = -1;
};

class Store {
 public:
  virtual ~Store() = default;

  // ABORTED: the entries do not follow the log's last one, or that is not `as_of` any more:
  // somebody else wrote. LedElsewhere: the term is over. Nothing was written then. UNAVAILABLE: the
  // disk is full or failed, or the database is away. Nothing was written, or the answer of the
  // database got lost: ReadLog tells.
  virtual absl::Status Append(const Change& change) = 0;

  // Newest first, those with a position below `before` (0: all).
  virtual absl::StatusOr<std::vector<StoredGame>> ListGames(int limit, std::int64_t before) = 0;
  // Oldest first. NOT_FOUND: no such game. DATA_LOSS: an entry is damaged.
  virtual absl::StatusOr<std::vector<LogEntry>> ReadLog(const std::string& game_id) = 0;
  virtual absl::StatusOr<std::optional<StoredAnswer>> FindAnswer(const std::string& request_id) = 0;

  // Takes a game away with all that is kept of it, the answers that speak of it included; its
  // bytes do not stay behind in the file. LedElsewhere, as for Append; NOT_FOUND: no such game.
  virtual absl::Status Delete(const std::string& game_id, std::uint64_t term) = 0;

  // Empties the answers that hold this text, with capitals or without: their requests stay
  // answered. Then leaves nothing behind, in a file of its own, of what was replaced or deleted
  // before. How many answers there were. Blocks for seconds, and changes wait.
  virtual absl::StatusOr<int> ForgetText(const std::string& text) = 0;

  // Kept where the games are, so that whoever leads a game next goes on from there.
  // LedElsewhere, as for Append; NOT_FOUND: no such game.
  virtual absl::Status SetDelivered(const Delivered& delivered) = 0;
  // The number; absent: nothing is known of this game.
  virtual absl::StatusOr<std::optional<std::int64_t>> FindDelivered(const std::string& receiver,
                                                                    const std::string& game_id) = 0;
  // Of which a receiver lacks something, newest game first, at most so many; none that another
  // engine service leads.
  virtual absl::StatusOr<std::vector<Delivered>> ListUndelivered(const std::string& receiver,
                                                                 int limit) = 0;

  // Makes this engine service the game's leader, if no other one is, and returns
  // the term. LedElsewhere (leader.h): another one is. NOT_FOUND: no such game.
  virtual absl::StatusOr<std::uint64_t> Lead(const std::string&) { return 1; }
  // No other one is known to have taken over since that term. Does not block.
  virtual bool StillLeads(const std::string&, std::uint64_t) { return true; }
  // Newest first, those whose leader has stopped or died; of a store that is not shared, none.
  virtual absl::StatusOr<std::vector<StoredGame>> GamesWithoutLeader(int /*limit*/) {
    return std::vector<StoredGame>();
  }
  // Changes that had been acknowledged and were gone at the start, a sentence for each game.
  virtual std::vector<std::string> Lost() { return {}; }
  // Where other engine services send those who ask for games led here.
  virtual absl::Status Announce(const std::string&) { return absl::OkStatus(); }
};

// One SQLite file, opened by one process at a time. Makes it when it is not
// there. DATA_LOSS: the file is damaged; it is left untouched and the message
// says what to do. FAILED_PRECONDITION: another process has it open, it is of
// a newer version, or the folder cannot be written.
absl::StatusOr<std::unique_ptr<Store>> OpenSqliteStore(const std::filesystem::path& file);

// A PostgreSQL database, shared by engine services. Makes its tables when they are
// not there, in a schema of their own. Errors as PostgresConnections::Transact and
// PreparePostgres.
absl::StatusOr<std::unique_ptr<Store>> OpenPostgresStore(const std::string& address);

// Whichever the address names (store_address.h); empty: the SQLite file in this folder.
// INVALID_ARGUMENT: neither.
absl::StatusOr<std::unique_ptr<Store>> OpenStore(const std::string& address,
                                                 const std::filesystem::path& data);

}  // namespace tilewarden::services
