#include "services/store/postgres_lease.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "services/base/leader.h"

namespace tilewarden::services {
namespace {

constexpr const char* kLeading = "lead the game";

}  // namespace

PostgresLease::PostgresLease(PostgresConnections* connections, Times times)
    : connections_(connections), times_(times) {}

PostgresLease::~PostgresLease() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  stopping_.notify_all();
  if (!heart_.joinable()) return;
  heart_.join();
  // If the database is away, others wait until the lease has run out.
  (void)connections_->Transact("stop leading", [this](pqxx::work& work) {
    work.exec_params("DELETE FROM tilewarden.engines WHERE id = $1", id_);
    return absl::OkStatus();
  });
}

std::string PostgresLease::Interval() const {
  return absl::StrCat("interval '", times_.lease.count(), " milliseconds'");
}

absl::Status PostgresLease::Begin() {
  const auto asked = Clock::now();
  const auto begin = [this](pqxx::work& work) {
    // Rows of services that ended long ago.
    work.exec(
        "DELETE FROM tilewarden.engines WHERE alive_until < clock_timestamp() - interval '1 day'");
    id_ =
        work.exec(absl::StrCat("INSERT INTO tilewarden.engines(address, alive_until) "
                               "VALUES('', clock_timestamp() + ",
                               Interval(), ") RETURNING id"))[0][0]
            .as<std::int64_t>();
    return absl::OkStatus();
  };
  if (auto status = connections_->Transact(kLeading, begin); !status.ok()) return status;
  Renewed(asked);
  heart_ = std::thread([this] { KeepBeating(); });
  return absl::OkStatus();
}

absl::Status PostgresLease::Announce(const std::string& address) {
  {
    const std::lock_guard lock(mutex_);
    address_ = address;
  }
  return connections_->Transact(kLeading, [&](pqxx::work& work) {
    Renew(work, id_);
    if (!address.empty()) {
      work.exec_params("DELETE FROM tilewarden.engines WHERE address = $1 AND id <> $2", address,
                       id_);
    }
    return absl::OkStatus();
  });
}

// The row may have been taken for one of long ago, when the clock jumped.
void PostgresLease::Renew(pqxx::work& work, std::int64_t id) {
  std::string address;
  {
    const std::lock_guard lock(mutex_);
    address = address_;
  }
  work.exec_params(
      absl::StrCat("INSERT INTO tilewarden.engines VALUES($1, $2, clock_timestamp() + ", Interval(),
                   ") ON CONFLICT (id) DO UPDATE SET address = excluded.address, "
                   "alive_until = excluded.alive_until"),
      id, address);
}

void PostgresLease::Renewed(Clock::time_point asked) {
  const std::lock_guard lock(mutex_);
  alive_until_ = asked + times_.lease;
}

bool PostgresLease::Alive() {
  const std::lock_guard lock(mutex_);
  return Clock::now() < alive_until_;
}

void PostgresLease::KeepBeating() {
  std::unique_lock lock(mutex_);
  while (!stopping_.wait_for(lock, times_.beat, [this] { return stopped_; })) {
    lock.unlock();
    // If it fails, the next one tries again; meanwhile Lead says what is wrong.
    (void)Beat();
    lock.lock();
  }
}

absl::Status PostgresLease::Beat() {
  const auto asked = Clock::now();
  std::map<std::string, std::uint64_t> before, now;
  {
    const std::lock_guard lock(mutex_);
    before = terms_;
  }
  const auto beat = [&](pqxx::work& work) {
    Renew(work, id_);
    now.clear();
    for (const auto& row :
         work.exec_params("SELECT id, term FROM tilewarden.games WHERE led_by = $1", id_)) {
      now[row[0].as<std::string>()] = row[1].as<std::uint64_t>();
    }
    return absl::OkStatus();
  };
  if (auto status = connections_->Transact(kLeading, beat); !status.ok()) return status;
  Renewed(asked);
  const std::lock_guard lock(mutex_);
  for (const auto& [game, term] : before) {
    const auto found = now.find(game);
    if (found != now.end() && found->second == term) continue;
    if (const auto led = terms_.find(game); led != terms_.end() && led->second == term) {
      terms_.erase(led);
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<std::uint64_t> PostgresLease::Lead(const std::string& game_id) {
  if (Alive()) {
    const std::lock_guard lock(mutex_);
    if (const auto led = terms_.find(game_id); led != terms_.end()) return led->second;
  }
  const auto asked = Clock::now();
  std::uint64_t term = 0;
  const auto lead = [&](pqxx::work& work) -> absl::Status {
    if (!Alive()) Renew(work, id_);
    // A time too far ahead is of a clock that was set back since.
    const auto row = work.exec_params(
        absl::StrCat("UPDATE tilewarden.games SET led_by = $2, "
                     "term = CASE WHEN led_by = $2 THEN term ELSE term + 1 END "
                     "WHERE id = $1 AND (led_by IS NULL OR led_by = $2 OR NOT EXISTS ("
                     "SELECT 1 FROM tilewarden.engines WHERE engines.id = led_by AND alive_until "
                     "BETWEEN clock_timestamp() AND clock_timestamp() + ",
                     Interval(), ")) RETURNING term"),
        game_id, id_);
    if (row.empty()) return Refused(work, game_id);
    term = row[0][0].as<std::uint64_t>();
    return absl::OkStatus();
  };
  const bool was_alive = Alive();
  if (auto status = connections_->Transact(kLeading, lead); !status.ok()) {
    const std::lock_guard lock(mutex_);
    if (LeaderOf(status)) terms_.erase(game_id);
    return status;
  }
  if (!was_alive) Renewed(asked);
  const std::lock_guard lock(mutex_);
  terms_[game_id] = term;
  return term;
}

bool PostgresLease::StillLeads(const std::string& game_id, std::uint64_t term) {
  const std::lock_guard lock(mutex_);
  const auto led = terms_.find(game_id);
  return led != terms_.end() && led->second == term;
}

void PostgresLease::LeadNew(pqxx::work& work, const std::string& game_id) {
  work.exec_params("UPDATE tilewarden.games SET led_by = $2, term = 1 WHERE id = $1", game_id, id_);
}

void PostgresLease::Created(const std::string& game_id) {
  const std::lock_guard lock(mutex_);
  terms_[game_id] = 1;
}

absl::Status PostgresLease::Refused(pqxx::work& work, const std::string& game_id) {
  const auto row = work.exec_params(
      "SELECT coalesce(engines.address, '') FROM tilewarden.games LEFT JOIN tilewarden.engines "
      "ON engines.id = games.led_by WHERE games.id = $1",
      game_id);
  if (row.empty()) return absl::NotFoundError(absl::StrCat("there is no game '", game_id, "'"));
  return LedElsewhere(game_id, row[0][0].as<std::string>());
}

}  // namespace tilewarden::services
