// What PostgreSQL adds to what every store promises: addresses, versions, damage,
// and a database that goes away.
#include <chrono>
#include <thread>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "services/store/log_checksum.h"
#include "services/store/postgres_schema.h"
#include "services/store/store.h"
#include "services/store/store_address.h"
#include "tests/services/support/postgres_cluster.h"
#include "tests/services/support/store_changes.h"

namespace tilewarden::services {
namespace {

using std::chrono::steady_clock;

class PostgresStoreTest : public testing::Test {
 protected:
  std::unique_ptr<Store> Open() {
    auto store = OpenPostgresStore(address_);
    EXPECT_TRUE(store.ok()) << store.status();
    return store.ok() ? *std::move(store) : nullptr;
  }
  std::string Name() {
    return cluster_.Run(address_, "SELECT current_database()")[0][0].as<std::string>();
  }
  static void ExpectRefused(const std::string& address, absl::StatusCode code,
                            const std::string& words) {
    const auto store = OpenStore(address, "/nowhere");
    EXPECT_EQ(store.status().code(), code) << store.status();
    EXPECT_TRUE(absl::StrContains(store.status().message(), words)) << store.status();
    EXPECT_FALSE(absl::StrContains(store.status().message(), "secret")) << store.status();
    EXPECT_FALSE(absl::StrContains(store.status().message(), "\n")) << store.status();
  }

  PostgresCluster& cluster_ = PostgresCluster::Shared();
  const std::string address_ = cluster_.NewDatabase();
};

TEST(StoreAddress, PasswordsAreNotShown) {
  for (const auto& [address, shown] : std::vector<std::pair<std::string, std::string>>{
           {"postgresql://ann:secret@db/games", "postgresql://ann:***@db/games"},
           {"postgres://ann:se:cr@et@db:5433/games", "postgres://ann:***@db:5433/games"},
           {"postgresql://ann:se/cr?et@db/games", "postgresql://ann:***@db/games"},
           {"postgresql://ann@db:5433/games", "postgresql://ann@db:5433/games"},
           {"postgresql://db:5433/games", "postgresql://db:5433/games"},
           {"postgresql:///games?user=ann&password=secret&sslmode=require",
            "postgresql:///games?user=ann&password=***&sslmode=require"},
           {"postgresql:///games?sslpassword=secret", "postgresql:///games?sslpassword=***"},
           {"postgresql:///games?pass%77ord=secret", "postgresql:///games?pass%77ord=***"},
           {"postgresql:///games?host=/run/a:b", "postgresql:///games?host=/run/a:b"},
           {"", ""}}) {
    EXPECT_EQ(WithoutSecrets(address), shown);
  }
}

TEST_F(PostgresStoreTest, WrongAddressesAreTold) {
  ExpectRefused("mysql://ann:secret@db/games", absl::StatusCode::kInvalidArgument,
                "write postgresql://USER@HOST/NAME");
  ExpectRefused("postgresql://ann:secret%@db/games", absl::StatusCode::kInvalidArgument,
                "not the address of a PostgreSQL database");
  ExpectRefused("postgresql://ann:secret@127.0.0.1:1/games", absl::StatusCode::kUnavailable,
                "cannot be reached");
  ExpectRefused(cluster_.Address("no_such_database"), absl::StatusCode::kUnavailable,
                "no_such_database");
  ExpectRefused(cluster_.Address("postgres", "nobody_here"), absl::StatusCode::kUnavailable,
                "nobody_here");
}

TEST_F(PostgresStoreTest, MissingRightsAreTold) {
  cluster_.Run("postgres", "CREATE ROLE guest LOGIN");
  const std::string guest = cluster_.Address(Name(), "guest");
  ExpectRefused(guest, absl::StatusCode::kFailedPrecondition, "give this user the database");
  Open();
  ExpectRefused(guest, absl::StatusCode::kFailedPrecondition, "give this user the database");
}

TEST_F(PostgresStoreTest, ADatabaseOfANewerVersionIsRefused) {
  Open();
  cluster_.Run(address_, "INSERT INTO tilewarden.version VALUES(99)");
  ExpectRefused(address_, absl::StatusCode::kFailedPrecondition, "newer Tilewarden (version 99");
}

class EarlierPostgresTest : public PostgresStoreTest, public testing::WithParamInterface<int> {};

INSTANTIATE_TEST_SUITE_P(Versions, EarlierPostgresTest, testing::Values(1, 2, 3));

TEST_P(EarlierPostgresTest, IsBroughtToThisVersionWithItsGames) {
  PostgresConnections connections(address_);
  ASSERT_TRUE(PreparePostgres(&connections, GetParam()).ok());
  cluster_.Run(address_, absl::StrCat(R"sql(
      INSERT INTO tilewarden.games(id, created_ms, summary) VALUES('g', 1000, 'old');
      INSERT INTO tilewarden.log VALUES('g', 1, 1000, 'started', )sql",
                                      LogChecksum("g", {1, 1000, "started"}), R"sql();
      INSERT INTO tilewarden.answers(request_id, request, answer) VALUES('id', 'what', 'done'))sql"));
  const auto store = Open();
  EXPECT_EQ(store->ListGames(10, 0)->at(0).summary, "old");
  EXPECT_EQ((*store->FindAnswer("id"))->answer, "done");
  const auto term = store->Lead("g");
  ASSERT_TRUE(term.ok()) << term.status();
  ASSERT_TRUE(store->Append(More("g", 2, "more", *term)).ok());
  EXPECT_EQ(store->ReadLog("g")->size(), 2u);
  EXPECT_TRUE(store->SetDelivered({"hook", "g", 2}).ok());
}

TEST_F(PostgresStoreTest, DamageOfOneGameIsToldAndOthersGoOn) {
  auto store = Open();
  for (const char* game : {"altered", "gap", "whole"}) {
    ASSERT_TRUE(store->Append(NewGame(game)).ok());
    ASSERT_TRUE(store->Append(More(game, 2, "second")).ok());
    ASSERT_TRUE(store->Append(More(game, 3, "third")).ok());
  }
  cluster_.Run(
      address_,
      "UPDATE tilewarden.log SET record = 'Second' WHERE game_id = 'altered' AND number = 2");
  cluster_.Run(address_, "DELETE FROM tilewarden.log WHERE game_id = 'gap' AND number = 2");
  store.reset();
  store = Open();
  PostgresConnections connections(address_);
  EXPECT_EQ(*DamagedGames(&connections), std::vector<std::string>{"gap"});
  for (const char* game : {"altered", "gap"}) {
    const auto log = store->ReadLog(game);
    EXPECT_EQ(log.status().code(), absl::StatusCode::kDataLoss) << log.status();
    EXPECT_TRUE(absl::StrContains(log.status().message(), absl::StrCat("event 2 of game ", game)));
  }
  EXPECT_TRUE(store->Append(More("whole", 4, "fourth", *store->Lead("whole"))).ok());
}

TEST_F(PostgresStoreTest, TablesThatSomebodyChangedAreTold) {
  const auto store = Open();
  cluster_.Run(address_, "ALTER TABLE tilewarden.log RENAME COLUMN record TO renamed");
  const auto log = store->ReadLog("g");
  EXPECT_EQ(log.status().code(), absl::StatusCode::kDataLoss) << log.status();
}

TEST_F(PostgresStoreTest, ADatabaseThatOnlyReadsIsTold) {
  const auto store = Open();
  cluster_.Run("postgres",
               absl::StrCat("ALTER DATABASE ", Name(), " SET default_transaction_read_only = on"));
  cluster_.Run("postgres",
               "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
               "WHERE application_name = 'tilewarden'");
  const auto status = store->Append(NewGame("g"));
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable) << status;
  EXPECT_TRUE(absl::StrContains(status.message(), "only reads")) << status;
}

TEST_F(PostgresStoreTest, ConnectionsThatBrokeWhileIdleAreReplacedUnseen) {
  const auto store = Open();
  ASSERT_TRUE(store->Append(NewGame("g")).ok());
  cluster_.Run("postgres",
               "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
               "WHERE application_name = 'tilewarden'");
  EXPECT_TRUE(store->Append(More("g", 2, "second")).ok());
  EXPECT_EQ(store->ReadLog("g")->size(), 2u);
}

TEST_F(PostgresStoreTest, WhileTheDatabaseIsAwayCallsSaySoAndThenGoOn) {
  const auto store = Open();
  ASSERT_TRUE(store->Append(NewGame("g")).ok());
  cluster_.Stop();
  const auto refused = store->Append(More("g", 2, "second"));
  EXPECT_EQ(refused.code(), absl::StatusCode::kUnavailable) << refused;
  EXPECT_TRUE(absl::StrContains(refused.message(), "what was acknowledged is kept")) << refused;
  EXPECT_EQ(store->ReadLog("g").status().code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(store->ListGames(1, 0).status().code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(store->FindAnswer("x").status().code(), absl::StatusCode::kUnavailable);
  cluster_.Start();
  const auto term = store->Lead("g");
  ASSERT_TRUE(term.ok()) << term.status();
  EXPECT_TRUE(store->Append(More("g", 2, "second", *term)).ok());
  EXPECT_EQ(store->ReadLog("g")->size(), 2u);
}

TEST_F(PostgresStoreTest, ADatabaseThatFreezesHoldsNobodyUpForLong) {
  const auto store = Open();
  ASSERT_TRUE(store->Append(NewGame("g")).ok());
  cluster_.Freeze(true);
  const auto begun = steady_clock::now();
  const auto refused = store->Append(More("g", 2, "second"));
  const auto waited = steady_clock::now() - begun;
  cluster_.Freeze(false);
  EXPECT_EQ(refused.code(), absl::StatusCode::kUnavailable) << refused;
  EXPECT_LT(waited, std::chrono::seconds(30));
  // Whether it was written is for the log to say: once at most.
  const auto term = store->Lead("g");
  ASSERT_TRUE(term.ok()) << term.status();
  const auto size = store->ReadLog("g")->size();
  EXPECT_LE(size, 2u);
  EXPECT_TRUE(store->Append(More("g", size + 1, "next", *term)).ok());
}

}  // namespace
}  // namespace tilewarden::services
