// Engine services that share a database: each game is led by one of them at a time.
#include "services/store/postgres_lease.h"

#include <atomic>
#include <chrono>
#include <set>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "services/base/leader.h"
#include "services/store/postgres_schema.h"
#include "services/store/store.h"
#include "tests/services/support/postgres_cluster.h"
#include "tests/services/support/store_changes.h"

namespace tilewarden::services {
namespace {

using namespace std::chrono_literals;

class PostgresLeaseTest : public testing::Test {
 protected:
  std::unique_ptr<Store> Engine(const std::string& at) {
    auto store = OpenPostgresStore(address_);
    EXPECT_TRUE(store.ok()) << store.status();
    EXPECT_TRUE((*store)->Announce(at).ok());
    return *std::move(store);
  }

  PostgresCluster& cluster_ = PostgresCluster::Shared();
  const std::string address_ = cluster_.NewDatabase();
};

TEST_F(PostgresLeaseTest, WhoCreatesAGameLeadsItAndOthersAreSentThere) {
  const auto one = Engine("one:1"), two = Engine("two:2");
  ASSERT_TRUE(one->Append(NewGame("g")).ok());
  EXPECT_EQ(*one->Lead("g"), 1u);
  const auto other = two->Lead("g");
  EXPECT_EQ(other.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(LeaderOf(other.status()), "one:1");
  // Nobody else's change is taken, not even one with the right number and term.
  Change change = More("g", 2, "theirs", 2);
  EXPECT_EQ(LeaderOf(two->Append(change)), "one:1");
  EXPECT_EQ(one->ReadLog("g")->size(), 1u);
}

TEST_F(PostgresLeaseTest, WhoStopsLeavesItsGamesToOthersAtOnce) {
  auto one = Engine("one:1");
  const auto two = Engine("two:2");
  ASSERT_TRUE(one->Append(NewGame("g")).ok());
  one.reset();
  const auto term = two->Lead("g");
  ASSERT_TRUE(term.ok()) << term.status();
  EXPECT_EQ(*term, 2u);
  EXPECT_TRUE(two->Append(More("g", 2, "second", *term)).ok());
}

TEST_F(PostgresLeaseTest, WhoStartsAgainAtTheSamePlaceNeedNotWaitForItself) {
  const auto killed = Engine("one:1");  // as the database sees it
  ASSERT_TRUE(killed->Append(NewGame("g")).ok());
  const auto again = Engine("one:1");
  EXPECT_EQ(*again->Lead("g"), 2u);
}

// As when a process was stopped, or cut off from the database, and goes on as if
// nothing had been.
TEST_F(PostgresLeaseTest, ALeaderThatWasAwayWritesNothing) {
  const auto one = Engine("one:1"), two = Engine("two:2");
  ASSERT_TRUE(one->Append(NewGame("g")).ok());
  cluster_.Run(address_,
               "UPDATE tilewarden.engines SET alive_until = clock_timestamp() - "
               "interval '1 s' WHERE address = 'one:1'");
  const auto term = two->Lead("g");
  ASSERT_TRUE(term.ok()) << term.status();
  EXPECT_EQ(LeaderOf(one->Append(More("g", 2, "stale"))), "two:2");
  EXPECT_TRUE(two->Append(More("g", 2, "second", *term)).ok());
  EXPECT_EQ(LeaderOf(one->Append(More("g", 3, "stale"))), "two:2");
  EXPECT_EQ(two->ReadLog("g")->back().record, "second");
  // It finds out by itself, too.
  for (int i = 0; i < 100 && one->StillLeads("g", 1); ++i) std::this_thread::sleep_for(100ms);
  EXPECT_FALSE(one->StillLeads("g", 1));
  EXPECT_TRUE(two->StillLeads("g", *term));
}

// Whoever leads a game next finds what the receivers of its events have, and only it may change
// that.
TEST_F(PostgresLeaseTest, WhatWasDeliveredGoesWithTheGame) {
  auto one = Engine("one:1");
  const auto two = Engine("two:2");
  ASSERT_TRUE(one->Append(NewGame("g")).ok());
  ASSERT_TRUE(one->Append(More("g", 2, "second")).ok());
  ASSERT_TRUE(one->SetDelivered({"hook", "g", 1}).ok());
  EXPECT_EQ(*two->FindDelivered("hook", "g"), 1);
  EXPECT_EQ(LeaderOf(two->SetDelivered({"hook", "g", 2})), "one:1");
  EXPECT_TRUE(two->ListUndelivered("hook", 10)->empty()) << "another one sees to it";
  EXPECT_EQ(one->ListUndelivered("hook", 10)->size(), 1u);
  one.reset();
  EXPECT_EQ(two->ListUndelivered("hook", 10)->size(), 1u);
  ASSERT_TRUE(two->Lead("g").ok());
  ASSERT_TRUE(two->SetDelivered({"hook", "g", 2}).ok());
  EXPECT_TRUE(two->ListUndelivered("hook", 10)->empty());
}

TEST_F(PostgresLeaseTest, AnEarlierTermIsOverAlsoForWhoLeadsAgain) {
  const auto one = Engine("one:1");
  auto two = Engine("two:2");
  ASSERT_TRUE(one->Append(NewGame("g")).ok());
  cluster_.Run(address_,
               "UPDATE tilewarden.engines SET alive_until = clock_timestamp() - "
               "interval '1 s' WHERE address = 'one:1'");
  ASSERT_TRUE(two->Lead("g").ok());
  two.reset();
  for (int i = 0; i < 100 && one->StillLeads("g", 1); ++i) std::this_thread::sleep_for(100ms);
  EXPECT_EQ(*one->Lead("g"), 3u);
  EXPECT_TRUE(LeaderOf(one->Append(More("g", 2, "of the first term", 1))).has_value());
  EXPECT_TRUE(one->Append(More("g", 2, "of the third", 3)).ok());
}

// A time that lies further ahead than any lease was written before the clock was
// set back: its writer may be long gone.
TEST_F(PostgresLeaseTest, AClockThatWasSetBackKeepsNobodyInOffice) {
  const auto one = Engine("one:1"), two = Engine("two:2");
  ASSERT_TRUE(one->Append(NewGame("g")).ok());
  cluster_.Run(address_,
               "UPDATE tilewarden.engines SET alive_until = clock_timestamp() + "
               "interval '1 hour' WHERE address = 'one:1'");
  EXPECT_EQ(*two->Lead("g"), 2u);
}

TEST_F(PostgresLeaseTest, AServiceStoppedInTheMiddleOfAChangeHoldsNobodyUp) {
  const auto one = Engine("one:1"), two = Engine("two:2");
  ASSERT_TRUE(one->Append(NewGame("g")).ok());
  // A session as ours are, left in the middle of a change.
  PostgresConnections stopped(address_);
  std::atomic<bool> held = false;
  std::thread in_the_middle([&] {
    (void)stopped.Transact("stop in the middle", [&](pqxx::work& work) {
      if (held) return absl::CancelledError("once is enough");
      work.exec("UPDATE tilewarden.games SET summary = 'half' WHERE id = 'g'");
      held = true;
      std::this_thread::sleep_for(6s);
      work.exec("SELECT 1");
      return absl::OkStatus();
    });
  });
  while (!held) std::this_thread::sleep_for(10ms);
  cluster_.Run(address_,
               "UPDATE tilewarden.engines SET alive_until = clock_timestamp() - "
               "interval '1 s' WHERE address = 'one:1'");
  const auto begun = std::chrono::steady_clock::now();
  absl::StatusOr<std::uint64_t> term = two->Lead("g");
  EXPECT_TRUE(term.ok()) << term.status();
  EXPECT_LT(std::chrono::steady_clock::now() - begun, 5s);
  in_the_middle.join();
  EXPECT_EQ(two->ListGames(1, 0)->front().summary, "summary of g");
}

// Two services and many threads on the same games: every number is written once.
TEST_F(PostgresLeaseTest, ManyThreadsWriteEachEventOnce) {
  constexpr int kGames = 4, kThreads = 4, kEach = 25;
  std::vector<std::unique_ptr<Store>> engines;
  engines.push_back(Engine("one:1"));
  engines.push_back(Engine("two:2"));
  for (int g = 0; g < kGames; ++g) {
    ASSERT_TRUE(
        engines[static_cast<std::size_t>(g) % 2]->Append(NewGame(absl::StrCat("g", g))).ok());
  }
  std::atomic<int> written = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < kEach; ++i) {
        const std::string game = absl::StrCat("g", (t + i) % kGames);
        Store& store = *engines[static_cast<std::size_t>(t + i / 3) % 2];
        const auto term = store.Lead(game);
        if (!term.ok()) continue;
        const auto log = store.ReadLog(game);
        if (!log.ok()) continue;
        const std::string record = absl::StrCat(t, "/", i);
        if (store.Append(More(game, log->size() + 1, record, *term)).ok()) ++written;
      }
    });
  }
  std::thread disturber([&] {
    for (int i = 0; i < 5; ++i) {
      std::this_thread::sleep_for(20ms);
      cluster_.Run(address_,
                   "UPDATE tilewarden.engines SET alive_until = clock_timestamp() - "
                   "interval '1 s'");
    }
  });
  for (std::thread& thread : threads) thread.join();
  disturber.join();
  int found = 0;
  std::set<std::string> records;
  for (int g = 0; g < kGames; ++g) {
    const auto log = engines[0]->ReadLog(absl::StrCat("g", g));
    ASSERT_TRUE(log.ok()) << log.status();
    for (std::size_t i = 1; i < log->size(); ++i, ++found) records.insert((*log)[i].record);
  }
  EXPECT_EQ(found, written);
  EXPECT_EQ(static_cast<int>(records.size()), found);
  EXPECT_GT(found, 0);
}

}  // namespace
}  // namespace tilewarden::services
