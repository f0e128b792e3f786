// Which games this engine service leads, as the database has it.
//
// Each engine service is a row that says until when it is alive, by the database's
// clock; it says so anew twice a second. A game names the engine service that leads
// it and the term: leading passes on only when the leader is no longer alive, and
// each time the term grows. What counts is the term: the database takes a change
// for the present one alone, so that a leader that was away writes nothing.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <thread>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "services/store/postgres_connections.h"

namespace tilewarden::services {

// Thread safe; blocks on the database where it says so.
class PostgresLease {
 public:
  struct Times {
    // How long a service counts as alive after it last said so; short enough that
    // another one leads within 5 s.
    std::chrono::milliseconds lease{2000};
    std::chrono::milliseconds beat{500};
  };
  // `connections` outlives this.
  PostgresLease(PostgresConnections* connections, Times times);
  // Gives everything up, so that others need not wait.
  ~PostgresLease();

  // Becomes alive and begins to say so. Blocks.
  absl::Status Begin();
  // Others find this engine service there. Whoever was there before is gone. Blocks.
  absl::Status Announce(const std::string& address);
  // The term in which this engine service leads the game, from now on if nobody else
  // does. Blocks at times. NOT_FOUND; LedElsewhere; UNAVAILABLE: the database is away.
  absl::StatusOr<std::uint64_t> Lead(const std::string& game_id);
  // Nobody else is known to lead it. Does not block.
  bool StillLeads(const std::string& game_id, std::uint64_t term);

  // In the transaction that creates a game: it is led from here, in its first term.
  void LeadNew(pqxx::work& work, const std::string& game_id);
  void Created(const std::string& game_id);
  // What the database knows this engine service by, once it has begun.
  std::int64_t id() const { return id_; }
  // A change was refused: why.
  absl::Status Refused(pqxx::work& work, const std::string& game_id);

 private:
  using Clock = std::chrono::steady_clock;
  void Renew(pqxx::work& work, std::int64_t id);
  void Renewed(Clock::time_point asked);
  bool Alive();
  void KeepBeating();
  absl::Status Beat();
  std::string Interval() const;

  PostgresConnections* const connections_;
  const Times times_;
  std::mutex mutex_;
  std::condition_variable stopping_;
  bool stopped_ = false;
  std::int64_t id_ = 0;
  std::string address_;
  Clock::time_point alive_until_;
  std::map<std::string, std::uint64_t> terms_;  // of the games led
  std::thread heart_;
};

}  // namespace tilewarden::services
