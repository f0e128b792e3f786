#include "services/store/postgres_schema.h"

#include <array>

#include "absl/strings/str_cat.h"
#include "services/store/log_checksum.h"

namespace tilewarden::services {
namespace {

// Reading and checking all of a large database takes its time.
constexpr std::chrono::seconds kOpening{600};
// The services that open this database wait for each other.
constexpr long kLock = 0x7469'6c65'7761'7264;

// From one version to the next; never changed once they were in use. Ids that
// clients choose are bytes: text holds no NUL.
constexpr std::array kMigrations = {
    // 1: as in SQLite.
    R"sql(
CREATE TABLE tilewarden.games(
  position bigserial PRIMARY KEY,
  id text NOT NULL UNIQUE,
  created_ms bigint NOT NULL,
  summary bytea NOT NULL);
CREATE TABLE tilewarden.log(
  game_id text NOT NULL REFERENCES tilewarden.games(id),
  number bigint NOT NULL,
  time_ms bigint NOT NULL,
  record bytea NOT NULL,
  checksum bigint NOT NULL,
  PRIMARY KEY(game_id, number));
CREATE TABLE tilewarden.answers(
  position bigserial PRIMARY KEY,
  request_id bytea NOT NULL UNIQUE,
  request bytea NOT NULL,
  answer bytea NOT NULL);
)sql",
    // 2: which engine service leads a game, and in which term. Terms only grow; a
    // change that names an earlier one is refused.
    R"sql(
CREATE TABLE tilewarden.engines(
  id bigserial PRIMARY KEY,
  address text NOT NULL,
  alive_until timestamptz NOT NULL);
ALTER TABLE tilewarden.games
  ADD COLUMN led_by bigint,
  ADD COLUMN term bigint NOT NULL DEFAULT 0;
CREATE INDEX games_led_by ON tilewarden.games(led_by) WHERE led_by IS NOT NULL;
)sql",
    // 3: how far receivers of events have been told.
    R"sql(
CREATE TABLE tilewarden.delivered(
  receiver bytea NOT NULL,
  game_id text NOT NULL REFERENCES tilewarden.games(id),
  number bigint NOT NULL,
  PRIMARY KEY(receiver, game_id));
)sql",
    // 4: summaries and answers behind checksums (log_checksum.h): SealAll.
    "SELECT 1"};
constexpr int kSealedSince = 4;
constexpr int kVersion = static_cast<int>(kMigrations.size());

void SealAll(pqxx::work& work) {
  for (const auto& row : work.exec("SELECT id, summary FROM tilewarden.games")) {
    const auto id = row[0].as<std::string>();
    work.exec_params("UPDATE tilewarden.games SET summary = $2 WHERE id = $1", id,
                     ToBytes(Sealed(SummaryOfGame(id), BytesOf(row[1]))));
  }
  for (const auto& row : work.exec("SELECT position, request_id, request, answer "
                                   "FROM tilewarden.answers")) {
    const std::string sealed = Sealed(AnswerTo(BytesOf(row[1]), BytesOf(row[2])), BytesOf(row[3]));
    work.exec_params("UPDATE tilewarden.answers SET answer = $2 WHERE position = $1",
                     row[0].as<std::int64_t>(), ToBytes(sealed));
  }
}

}  // namespace

absl::Status PreparePostgres(PostgresConnections* connections) {
  return PreparePostgres(connections, kVersion);
}

absl::Status PreparePostgres(PostgresConnections* connections, int version) {
  const auto prepare = [&](pqxx::work& work) -> absl::Status {
    work.exec("SET LOCAL lock_timeout = '600s'");
    work.exec(absl::StrCat("SELECT pg_advisory_xact_lock(", kLock, ")"));
    const bool exists =
        !work.exec("SELECT 1 FROM pg_namespace WHERE nspname = 'tilewarden'").empty();
    if (!exists) work.exec("CREATE SCHEMA tilewarden");
    work.exec("CREATE TABLE IF NOT EXISTS tilewarden.version(version integer NOT NULL)");
    const auto row = work.exec("SELECT coalesce(max(version), 0) FROM tilewarden.version");
    const int found = row[0][0].as<int>();
    if (found > kVersion) {
      return absl::FailedPreconditionError(
          absl::StrCat(connections->shown(), " was written by a newer Tilewarden (version ", found,
                       " of the log, this program knows ", kVersion, "); update this one"));
    }
    for (int from = found; from < version; ++from) {
      work.exec(kMigrations[static_cast<std::size_t>(from)]);
      if (from + 1 == kSealedSince) SealAll(work);
      work.exec(absl::StrCat("INSERT INTO tilewarden.version VALUES(", from + 1, ")"));
    }
    return absl::OkStatus();
  };
  return connections->Transact("open the log", prepare, kOpening);
}

absl::StatusOr<std::vector<std::string>> DamagedGames(PostgresConnections* connections) {
  std::vector<std::string> damaged;
  const auto look = [&](pqxx::work& work) {
    damaged.clear();
    for (const auto& row : work.exec(R"sql(
        SELECT games.id FROM tilewarden.games LEFT JOIN (
          SELECT game_id, count(*) AS events, min(number) AS first, max(number) AS last
          FROM tilewarden.log GROUP BY game_id) AS logs ON logs.game_id = games.id
        WHERE events IS NULL OR first <> 1 OR last <> events ORDER BY games.id)sql")) {
      damaged.push_back(row[0].as<std::string>());
    }
    return absl::OkStatus();
  };
  if (auto status = connections->Transact("check the log", look, kOpening); !status.ok()) {
    return status;
  }
  return damaged;
}

}  // namespace tilewarden::services
