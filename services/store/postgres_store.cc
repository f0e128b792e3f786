#include <functional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "services/store/log_checksum.h"
#include "services/store/postgres_connections.h"
#include "services/store/postgres_lease.h"
#include "services/store/postgres_schema.h"
#include "services/store/store.h"
#include "spdlog/spdlog.h"

namespace tilewarden::services {
namespace {

// Answers are kept for requests that are repeated soon; older ones are dropped.
constexpr int kAnswersKept = 10'000;

constexpr const char* kWriting = "write the log";
constexpr const char* kDelivered = "look up what is delivered";

bool HoldsNul(const std::string& id) { return id.find('\0') != std::string::npos; }

absl::Status NoSuchGame(const std::string& id) {
  return absl::NotFoundError(absl::StrCat("there is no game '", id, "'"));
}

class PostgresStore : public Store {
 public:
  explicit PostgresStore(const std::string& address) : connections_(address) {}

  absl::Status Open() {
    if (auto status = PreparePostgres(&connections_); !status.ok()) return status;
    const auto damaged = DamagedGames(&connections_);
    if (!damaged.ok()) return damaged.status();
    // The others go on.
    if (!damaged->empty()) {
      spdlog::error("{}: the logs of these games have gaps, put back a copy of the database: {}",
                    connections_.shown(), absl::StrJoin(*damaged, ", "));
    }
    return lease_.Begin();
  }

  absl::Status Append(const Change& change) override {
    const auto write = [&](pqxx::work& work) { return Write(work, change); };
    const absl::Status status = connections_.Transact(kWriting, write);
    if (status.ok() && change.created_ms) lease_.Created(change.game_id);
    return status;
  }

  absl::Status Delete(const std::string& game_id, std::uint64_t term) override {
    if (HoldsNul(game_id)) return NoSuchGame(game_id);
    Change nothing;
    nothing.game_id = game_id;
    nothing.term = term;
    return connections_.Transact("delete a game", [&](pqxx::work& work) -> absl::Status {
      if (auto status = HoldTerm(work, nothing); !status.ok()) return status;
      for (const char* kept : {"DELETE FROM tilewarden.delivered WHERE game_id = $1",
                               "DELETE FROM tilewarden.log WHERE game_id = $1",
                               "DELETE FROM tilewarden.answers WHERE "
                               "position(convert_to($1, 'UTF8') IN answer) > 0",
                               "DELETE FROM tilewarden.games WHERE id = $1"}) {
        work.exec_params(kept, game_id);
      }
      return absl::OkStatus();
    });
  }

  absl::StatusOr<std::vector<StoredGame>> ListGames(int limit, std::int64_t before) override {
    return List("list the games", [limit, before](pqxx::work& work) {
      return work.exec_params(
          "SELECT id, position, created_ms, summary FROM tilewarden.games "
          "WHERE $1::bigint = 0 OR position < $1::bigint ORDER BY position DESC LIMIT $2",
          before, limit);
    });
  }

  absl::StatusOr<std::vector<LogEntry>> ReadLog(const std::string& game_id) override {
    if (HoldsNul(game_id)) return NoSuchGame(game_id);
    std::vector<LogEntry> entries;
    const auto read = [&](pqxx::work& work) -> absl::Status {
      entries.clear();
      for (const auto& row :
           work.exec_params("SELECT number, time_ms, record, checksum FROM tilewarden.log "
                            "WHERE game_id = $1 ORDER BY number",
                            game_id)) {
        LogEntry entry{row[0].as<std::uint64_t>(), row[1].as<std::int64_t>(), BytesOf(row[2])};
        if (entry.number != entries.size() + 1 ||
            LogChecksum(game_id, entry) != row[3].as<std::int64_t>()) {
          return Damaged(absl::StrCat("event ", entries.size() + 1, " of game ", game_id));
        }
        entries.push_back(std::move(entry));
      }
      return entries.empty() ? NoSuchGame(game_id) : absl::OkStatus();
    };
    if (auto status = connections_.Transact("read the log", read); !status.ok()) return status;
    return entries;
  }

  absl::StatusOr<std::optional<StoredAnswer>> FindAnswer(const std::string& request_id) override {
    std::optional<StoredAnswer> found;
    const auto find = [&](pqxx::work& work) -> absl::Status {
      found.reset();
      const auto row =
          work.exec_params("SELECT request, answer FROM tilewarden.answers WHERE request_id = $1",
                           ToBytes(request_id));
      if (row.empty()) return absl::OkStatus();
      const std::string request = BytesOf(row[0][0]);
      auto answer = Unsealed(AnswerTo(request_id, request), BytesOf(row[0][1]));
      if (!answer) return Damaged(absl::StrCat("the answer to request ", request_id));
      found = {request_id, request, *std::move(answer)};
      return absl::OkStatus();
    };
    if (auto status = connections_.Transact("look up a request", find); !status.ok()) return status;
    return found;
  }

  absl::StatusOr<int> ForgetText(const std::string& text) override {
    int answers = 0;
    // So many at once, however large they are.
    constexpr int kAtOnce = 100;
    std::int64_t after = 0;
    std::optional<std::int64_t> last = 0;  // of those just looked at
    while (last) {
      int emptied = 0;
      const auto some = [&](pqxx::work& work) {
        emptied = 0;
        last.reset();
        const auto rows = work.exec_params(
            "SELECT position, request_id, request, answer FROM tilewarden.answers "
            "WHERE position > $1 ORDER BY position LIMIT $2",
            after, kAtOnce);
        for (const auto& row : rows) {
          if (!HoldsText(BytesOf(row[3]), text)) continue;
          work.exec_params("UPDATE tilewarden.answers SET answer = $2 WHERE position = $1",
                           row[0].as<std::int64_t>(),
                           ToBytes(Sealed(AnswerTo(BytesOf(row[1]), BytesOf(row[2])), "")));
          ++emptied;
        }
        if (!rows.empty()) last = rows.back()[0].as<std::int64_t>();
        return absl::OkStatus();
      };
      if (auto status = connections_.Transact("forget a text", some); !status.ok()) return status;
      answers += emptied;
      if (last) after = *last;
    }
    return answers;
  }

  absl::Status SetDelivered(const Delivered& delivered) override {
    if (HoldsNul(delivered.game_id)) return NoSuchGame(delivered.game_id);
    return connections_.Transact("keep what is delivered", [&](pqxx::work& work) {
      const auto set = work.exec_params(
          "INSERT INTO tilewarden.delivered SELECT $1, id, $3 FROM tilewarden.games "
          "WHERE id = $2 AND led_by = $4 "
          "ON CONFLICT (receiver, game_id) DO UPDATE SET number = excluded.number",
          ToBytes(delivered.receiver), delivered.game_id, delivered.number, lease_.id());
      return set.affected_rows() == 1 ? absl::OkStatus() : lease_.Refused(work, delivered.game_id);
    });
  }
  absl::StatusOr<std::optional<std::int64_t>> FindDelivered(const std::string& receiver,
                                                            const std::string& game_id) override {
    std::optional<std::int64_t> found;
    const auto find = [&](pqxx::work& work) {
      found.reset();
      const auto row = work.exec_params(
          "SELECT number FROM tilewarden.delivered WHERE receiver = $1 AND game_id = $2",
          ToBytes(receiver), game_id);
      if (!row.empty()) found = row[0][0].as<std::int64_t>();
      return absl::OkStatus();
    };
    if (HoldsNul(game_id)) return found;
    if (auto status = connections_.Transact(kDelivered, find); !status.ok()) return status;
    return found;
  }
  absl::StatusOr<std::vector<Delivered>> ListUndelivered(const std::string& receiver,
                                                         int limit) override {
    std::vector<Delivered> out;
    const auto list = [&](pqxx::work& work) {
      out.clear();
      for (const auto& row : work.exec_params(
               "SELECT game_id, number FROM tilewarden.delivered "
               "JOIN tilewarden.games ON games.id = game_id WHERE receiver = $1 AND number < "
               "(SELECT max(number) FROM tilewarden.log WHERE log.game_id = delivered.game_id) "
               "AND (led_by = $2 OR NOT EXISTS (SELECT 1 FROM tilewarden.engines "
               "WHERE engines.id = led_by AND alive_until >= clock_timestamp())) "
               "ORDER BY position DESC LIMIT $3",
               ToBytes(receiver), lease_.id(), limit)) {
        out.push_back({receiver, row[0].as<std::string>(), row[1].as<std::int64_t>()});
      }
      return absl::OkStatus();
    };
    if (auto status = connections_.Transact(kDelivered, list); !status.ok()) return status;
    return out;
  }

  absl::StatusOr<std::uint64_t> Lead(const std::string& game_id) override {
    if (HoldsNul(game_id)) return NoSuchGame(game_id);
    return lease_.Lead(game_id);
  }
  bool StillLeads(const std::string& game_id, std::uint64_t term) override {
    return lease_.StillLeads(game_id, term);
  }
  absl::StatusOr<std::vector<StoredGame>> GamesWithoutLeader(int limit) override {
    return List("look for games without a leader", [limit](pqxx::work& work) {
      return work.exec_params(
          "SELECT id, position, created_ms, summary FROM tilewarden.games WHERE NOT EXISTS ("
          "SELECT 1 FROM tilewarden.engines WHERE engines.id = led_by AND "
          "alive_until >= clock_timestamp()) ORDER BY position DESC LIMIT $1",
          limit);
    });
  }
  absl::Status Announce(const std::string& address) override { return lease_.Announce(address); }

 private:
  absl::Status Damaged(const std::string& what) const {
    return absl::DataLossError(absl::StrCat(what, " in ", connections_.shown(),
                                            " is damaged; put back a copy of the database"));
  }

  using Select = std::function<pqxx::result(pqxx::work&)>;
  absl::StatusOr<std::vector<StoredGame>> List(const std::string& doing, const Select& select) {
    std::vector<StoredGame> games;
    const auto list = [&](pqxx::work& work) -> absl::Status {
      games.clear();
      for (const auto& row : select(work)) {
        const auto id = row[0].as<std::string>();
        auto summary = Unsealed(SummaryOfGame(id), BytesOf(row[3]));
        if (!summary) return Damaged(absl::StrCat("the summary of game ", id));
        games.push_back(
            {id, row[1].as<std::int64_t>(), row[2].as<std::int64_t>(), *std::move(summary)});
      }
      return absl::OkStatus();
    };
    if (auto status = connections_.Transact(doing, list); !status.ok()) return status;
    return games;
  }

  absl::Status Write(pqxx::work& work, const Change& change) {
    if (change.created_ms) {
      const auto inserted = work.exec_params(
          "INSERT INTO tilewarden.games(id, created_ms, summary) VALUES($1, $2, $3) "
          "ON CONFLICT (id) DO NOTHING",
          change.game_id, *change.created_ms,
          ToBytes(Sealed(SummaryOfGame(change.game_id), change.summary)));
      if (inserted.affected_rows() == 0) {
        return absl::AlreadyExistsError(absl::StrCat("there is a game '", change.game_id, "'"));
      }
      lease_.LeadNew(work, change.game_id);
    } else if (auto status = HoldTerm(work, change); !status.ok()) {
      return status;
    }
    if (const auto follows = Follows(change)) {
      const auto last = work.exec_params(
          "SELECT coalesce(max(number), 0) FROM tilewarden.log WHERE game_id = $1", change.game_id);
      if (last[0][0].as<std::uint64_t>() != *follows) return Overtaken(change.game_id);
    }
    for (const LogEntry& entry : change.rewritten) {
      const auto updated = work.exec_params(
          "UPDATE tilewarden.log SET record = $1, checksum = $2 WHERE game_id = $3 AND number = $4",
          ToBytes(entry.record), LogChecksum(change.game_id, entry), change.game_id, entry.number);
      if (updated.affected_rows() != 1) return Overtaken(change.game_id);
    }
    for (const LogEntry& entry : change.entries) {
      work.exec_params("INSERT INTO tilewarden.log VALUES($1, $2, $3, $4, $5)", change.game_id,
                       entry.number, entry.time_ms, ToBytes(entry.record),
                       LogChecksum(change.game_id, entry));
    }
    if (change.answer) {
      const auto position = work.exec_params(
          "INSERT INTO tilewarden.answers(request_id, request, answer) VALUES($1, $2, $3) "
          "RETURNING position",
          ToBytes(change.answer->request_id), ToBytes(change.answer->request),
          ToBytes(Sealed(AnswerTo(change.answer->request_id, change.answer->request),
                         change.answer->answer)));
      work.exec_params("DELETE FROM tilewarden.answers WHERE position <= $1",
                       position[0][0].as<std::int64_t>() - kAnswersKept);
    }
    return absl::OkStatus();
  }

  // Locks the game until the end of the transaction, so that its term is the
  // present one when the change is there.
  absl::Status HoldTerm(pqxx::work& work, const Change& change) {
    const auto held = work.exec_params(
        "UPDATE tilewarden.games SET summary = CASE WHEN $4 THEN $3 ELSE summary END "
        "WHERE id = $1 AND term = $2",
        change.game_id, change.term, ToBytes(Sealed(SummaryOfGame(change.game_id), change.summary)),
        !change.summary.empty());
    return held.affected_rows() == 1 ? absl::OkStatus() : lease_.Refused(work, change.game_id);
  }

  PostgresConnections connections_;
  PostgresLease lease_{&connections_, {}};
};

}  // namespace

absl::StatusOr<std::unique_ptr<Store>> OpenPostgresStore(const std::string& address) {
  auto store = std::make_unique<PostgresStore>(address);
  if (auto status = store->Open(); !status.ok()) return status;
  return store;
}

}  // namespace tilewarden::services
