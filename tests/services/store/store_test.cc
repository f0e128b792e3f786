// What every store promises, on each of them.
#include "services/store/store.h"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tests/services/support/postgres_cluster.h"
#include "tests/services/support/store_changes.h"
#include "tests/services/support/temp_folder.h"

namespace tilewarden::services {
namespace {

enum class Kind { kSqlite, kPostgres };

class StoreTest : public testing::TestWithParam<Kind> {
 protected:
  StoreTest() {
    if (GetParam() == Kind::kPostgres) address_ = PostgresCluster::Shared().NewDatabase();
  }
  std::unique_ptr<Store> Open() {
    auto store = OpenStore(address_, folder_.path() / "data");
    EXPECT_TRUE(store.ok()) << store.status();
    return store.ok() ? *std::move(store) : nullptr;
  }

  TempFolder folder_;
  std::string address_;
};

INSTANTIATE_TEST_SUITE_P(Stores, StoreTest, testing::Values(Kind::kSqlite, Kind::kPostgres),
                         [](const auto& store) {
                           return store.param == Kind::kSqlite ? "Sqlite" : "Postgres";
                         });

TEST_P(StoreTest, WhatWasAppendedIsThereAfterOpeningAgain) {
  {
    const auto store = Open();
    ASSERT_TRUE(store->Append(NewGame("g1")).ok());
    ASSERT_TRUE(store->Append(NewGame("g2")).ok());
    Change change = More("g1", 2, std::string("bytes\0and more", 14));
    change.answer = StoredAnswer{"request", "what", "answer"};
    ASSERT_TRUE(store->Append(change).ok());
  }
  const auto store = Open();
  const auto log = store->ReadLog("g1");
  ASSERT_TRUE(log.ok());
  const std::vector<LogEntry> expected = {{1, 1000, "started"},
                                          {2, 1002, std::string("bytes\0and more", 14)}};
  EXPECT_EQ(*log, expected);
  const auto games = store->ListGames(10, 0);
  ASSERT_TRUE(games.ok());
  ASSERT_EQ(games->size(), 2u);
  EXPECT_EQ(games->at(0).id, "g2");
  EXPECT_EQ(games->at(1).summary, "after 2");
  const auto answer = store->FindAnswer("request");
  ASSERT_TRUE(answer.ok() && answer->has_value());
  EXPECT_EQ(**answer, (StoredAnswer{"request", "what", "answer"}));
  EXPECT_FALSE(store->FindAnswer("another")->has_value());
}

TEST_P(StoreTest, ListsGamesPageByPageNewestFirst) {
  const auto store = Open();
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(store->Append(NewGame(absl::StrCat("g", i))).ok());
  auto page = store->ListGames(2, 0);
  ASSERT_EQ(page->size(), 2u);
  EXPECT_EQ(page->at(0).id, "g4");
  page = store->ListGames(2, page->at(1).position);
  ASSERT_EQ(page->size(), 2u);
  EXPECT_EQ(page->at(0).id, "g2");
  page = store->ListGames(2, page->at(1).position);
  ASSERT_EQ(page->size(), 1u);
  EXPECT_EQ(page->at(0).id, "g0");
}

TEST_P(StoreTest, RefusesAGapARepeatAndASecondBeginningWithoutChangingAnything) {
  const auto store = Open();
  ASSERT_TRUE(store->Append(NewGame("g")).ok());
  EXPECT_EQ(store->Append(More("g", 3, "gap")).code(), absl::StatusCode::kAborted);
  EXPECT_EQ(store->Append(More("g", 1, "repeat")).code(), absl::StatusCode::kAborted);
  EXPECT_EQ(store->Append(NewGame("g")).code(), absl::StatusCode::kAlreadyExists);
  EXPECT_EQ(store->ReadLog("g")->size(), 1u);
  EXPECT_EQ(store->ListGames(1, 0)->front().summary, "summary of g");
}

TEST_P(StoreTest, AChangeIsAllOrNothing) {
  const auto store = Open();
  Change first = NewGame("g");
  first.answer = StoredAnswer{"id", "a", "b"};
  ASSERT_TRUE(store->Append(first).ok());
  Change second = More("g", 2, "x");
  second.answer = StoredAnswer{"id", "c", "d"};  // the id is taken
  EXPECT_EQ(store->Append(second).code(), absl::StatusCode::kAborted);
  EXPECT_EQ(store->ReadLog("g")->size(), 1u);
}

TEST_P(StoreTest, ADeletedGameIsGoneWithEveryAnswerThatSpeaksOfIt) {
  const auto store = Open();
  ASSERT_TRUE(store->Append(NewGame("g1")).ok());
  ASSERT_TRUE(store->Append(NewGame("g2")).ok());
  Change change = More("g1", 2, "more");
  change.answer = StoredAnswer{"of g1", "what", "tells of g1"};
  ASSERT_TRUE(store->Append(change).ok());
  change = More("g2", 2, "more");
  change.answer = StoredAnswer{"of g2", "what", "tells of g2"};
  ASSERT_TRUE(store->Append(change).ok());
  ASSERT_TRUE(store->SetDelivered({"receiver", "g1", 2}).ok());
  EXPECT_TRUE(store->Delete("g1", 1).ok());
  EXPECT_EQ(store->Delete("g1", 1).code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(store->ReadLog("g1").status().code(), absl::StatusCode::kNotFound);
  EXPECT_FALSE(store->FindAnswer("of g1")->has_value());
  EXPECT_FALSE(store->FindDelivered("receiver", "g1")->has_value());
  EXPECT_TRUE(store->FindAnswer("of g2")->has_value());
  EXPECT_EQ(store->ReadLog("g2")->size(), 2U);
  EXPECT_EQ(store->ListGames(10, 0)->size(), 1U);
}

TEST_P(StoreTest, EntriesAreRewrittenInTheirPlacesWhileNobodyElseWrites) {
  const auto store = Open();
  ASSERT_TRUE(store->Append(NewGame("g")).ok());
  ASSERT_TRUE(store->Append(More("g", 2, "told by Anna")).ok());
  Change change;
  change.game_id = "g";
  change.summary = "without";
  change.as_of = 1;
  change.rewritten = {{2, 1002, "told by …"}};
  EXPECT_EQ(store->Append(change).code(), absl::StatusCode::kAborted);
  EXPECT_EQ(store->ReadLog("g")->at(1).record, "told by Anna");
  EXPECT_EQ(store->ListGames(1, 0)->front().summary, "after 2");
  change.as_of = 2;
  change.entries = {{3, 1003, "more"}};
  ASSERT_TRUE(store->Append(change).ok());
  const std::vector<LogEntry> expected = {
      {1, 1000, "started"}, {2, 1002, "told by …"}, {3, 1003, "more"}};
  EXPECT_EQ(*store->ReadLog("g"), expected) << "their checksums fit";
  EXPECT_EQ(store->ListGames(1, 0)->front().summary, "without");
  change.as_of = 3;
  change.entries.clear();
  change.rewritten = {{4, 1004, "not there"}};
  EXPECT_EQ(store->Append(change).code(), absl::StatusCode::kAborted);
}

TEST_P(StoreTest, AnswersThatHoldATextAreEmptiedAndStayAnswers) {
  const auto store = Open();
  ASSERT_TRUE(store->Append(NewGame("g")).ok());
  std::uint64_t number = 1;
  for (const char* answer : {"of ANNA\x01", "of Ben"}) {
    Change change = More("g", ++number, "more");
    change.answer = StoredAnswer{answer, "what", answer};
    ASSERT_TRUE(store->Append(change).ok());
  }
  // More than are looked at in one go.
  for (int i = 0; i < 250; ++i) {
    Change change = More("g", ++number, "more");
    change.answer = StoredAnswer{absl::StrCat("r", i), "what", i == 249 ? "Anna again" : "other"};
    ASSERT_TRUE(store->Append(change).ok());
  }
  const auto emptied = store->ForgetText("Anna");
  ASSERT_TRUE(emptied.ok()) << emptied.status();
  EXPECT_EQ(*emptied, 2);
  EXPECT_EQ(**store->FindAnswer("of ANNA\x01"), (StoredAnswer{"of ANNA\x01", "what", ""}));
  EXPECT_EQ(**store->FindAnswer("r249"), (StoredAnswer{"r249", "what", ""}));
  EXPECT_EQ((*store->FindAnswer("of Ben"))->answer, "of Ben");
  EXPECT_EQ(*store->ForgetText("Anna"), 0);
  EXPECT_TRUE(store->Append(More("g", ++number, "and on")).ok());
}

TEST_P(StoreTest, AMissingGameIsNotFound) {
  EXPECT_EQ(Open()->ReadLog("none").status().code(), absl::StatusCode::kNotFound);
}

TEST_P(StoreTest, AGameGoesOnAfterOpeningAgain) {
  {
    const auto store = Open();
    ASSERT_TRUE(store->Append(NewGame("g")).ok());
    ASSERT_TRUE(store->Append(More("g", 2, "before")).ok());
  }
  const auto store = Open();
  const auto term = store->Lead("g");
  ASSERT_TRUE(term.ok()) << term.status();
  EXPECT_TRUE(store->StillLeads("g", *term));
  EXPECT_TRUE(store->Append(More("g", 3, "after", *term)).ok());
  EXPECT_EQ(store->ReadLog("g")->size(), 3u);
}

TEST_P(StoreTest, IdsAreBytes) {
  const auto store = Open();
  Change change = NewGame("g");
  change.answer = StoredAnswer{std::string("a\0b", 3), "", ""};
  ASSERT_TRUE(store->Append(change).ok());
  EXPECT_FALSE(store->FindAnswer("a")->has_value());
  EXPECT_EQ(**store->FindAnswer(std::string("a\0b", 3)), *change.answer);
  EXPECT_EQ(store->ReadLog(std::string("g\0", 2)).status().code(), absl::StatusCode::kNotFound);
}

TEST_P(StoreTest, HowFarAReceiverHasBeenToldIsKept) {
  const std::string one("hook\0one", 8), two = "hook two";
  {
    const auto store = Open();
    for (const char* game : {"g1", "g2", "g3"}) {
      ASSERT_TRUE(store->Append(NewGame(game)).ok());
      ASSERT_TRUE(store->Append(More(game, 2, "second")).ok());
    }
    EXPECT_EQ(*store->FindDelivered(one, "g1"), std::nullopt);
    EXPECT_TRUE(store->ListUndelivered(one, 10)->empty()) << "it was never told of any";
    ASSERT_TRUE(store->SetDelivered({one, "g1", 0}).ok());
    ASSERT_TRUE(store->SetDelivered({one, "g1", 1}).ok());
    ASSERT_TRUE(store->SetDelivered({one, "g2", 2}).ok());
    ASSERT_TRUE(store->SetDelivered({one, "g3", Delivered::kWantsState}).ok());
    ASSERT_TRUE(store->SetDelivered({two, "g1", 2}).ok());
    EXPECT_EQ(store->SetDelivered({one, "none", 1}).code(), absl::StatusCode::kNotFound);
    EXPECT_EQ(store->SetDelivered({one, std::string("g1\0", 3), 1}).code(),
              absl::StatusCode::kNotFound);
  }
  const auto store = Open();
  EXPECT_EQ(*store->FindDelivered(one, "g1"), 1);
  EXPECT_EQ(*store->FindDelivered(two, "g1"), 2);
  EXPECT_EQ(*store->FindDelivered(one, "g3"), Delivered::kWantsState);
  EXPECT_EQ(*store->FindDelivered(two, "g2"), std::nullopt);
  EXPECT_EQ(*store->FindDelivered(two, std::string("g1\0", 3)), std::nullopt);
  const auto left = *store->ListUndelivered(one, 10);
  ASSERT_EQ(left.size(), 2u);
  EXPECT_EQ(left[0].game_id, "g3");
  EXPECT_EQ(left[1].game_id, "g1");
  EXPECT_EQ(left[1].number, 1);
  EXPECT_EQ(store->ListUndelivered(one, 1)->size(), 1u);
  EXPECT_TRUE(store->ListUndelivered(two, 10)->empty());
}

// Kills a process in the middle of writing: every change it was told is on the
// disk must be there.
TEST_P(StoreTest, EveryAcknowledgedChangeSurvivesAKill) {
  for (int round = 0; round < 5; ++round) {
    const std::string game = absl::StrCat("g", round);
    int pipe_ends[2];
    ASSERT_EQ(pipe(pipe_ends), 0);
    const pid_t child = fork();
    if (child == 0) {
      auto store = OpenStore(address_, folder_.path() / "data");
      if (!store.ok() || !(*store)->Append(NewGame(game)).ok()) _exit(1);
      for (std::uint64_t i = 2;; ++i) {
        if (!(*store)->Append(More(game, i, absl::StrCat("record ", i))).ok()) _exit(1);
        if (write(pipe_ends[1], &i, sizeof i) != sizeof i) _exit(1);
      }
    }
    close(pipe_ends[1]);
    std::uint64_t acknowledged = 0;
    for (int i = 0; i < 10 + 7 * round; ++i) {
      ASSERT_EQ(read(pipe_ends[0], &acknowledged, sizeof acknowledged),
                static_cast<ssize_t>(sizeof acknowledged));
    }
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    std::uint64_t last = 0;
    while (read(pipe_ends[0], &last, sizeof last) == sizeof last) acknowledged = last;
    close(pipe_ends[0]);
    const auto log = Open()->ReadLog(game);
    ASSERT_TRUE(log.ok()) << log.status();
    EXPECT_GE(log->size(), acknowledged);
    EXPECT_EQ(log->back().record, absl::StrCat("record ", log->size()));
  }
}

// Side by side, as the tables of a hall: the store may bring them to the disk together.
TEST_P(StoreTest, ManyGamesAreWrittenAtOnceAndReadMeanwhile) {
  constexpr int kGames = 8;
  constexpr std::uint64_t kEvents = 40;
  const auto store = Open();
  std::atomic<int> refused = 0, misread = 0;
  std::vector<std::thread> writers;
  for (int g = 0; g < kGames; ++g) {
    writers.emplace_back([&, id = absl::StrCat("g", g)] {
      if (!store->Append(NewGame(id)).ok()) ++refused;
      for (std::uint64_t n = 2; n <= kEvents; ++n) {
        Change change = More(id, n, absl::StrCat(id, " event ", n));
        change.answer = StoredAnswer{absl::StrCat(id, "/", n), "what", "answer"};
        // Refused in between, which must not touch those beside it.
        if (store->Append(More(id, n + 1, "a gap")).code() != absl::StatusCode::kAborted) ++refused;
        if (!store->Append(change).ok()) ++refused;
        // What was acknowledged is read at once.
        const auto answer = store->FindAnswer(change.answer->request_id);
        if (!answer.ok() || !answer->has_value()) ++misread;
      }
    });
  }
  std::atomic<bool> written = false;
  std::thread reader([&] {
    while (!written) {
      const auto games = store->ListGames(kGames, 0);
      if (!games.ok()) ++misread;
      for (const StoredGame& game : games.ok() ? *games : std::vector<StoredGame>()) {
        if (!store->ReadLog(game.id).ok()) ++misread;
      }
    }
  });
  for (std::thread& writer : writers) writer.join();
  written = true;
  reader.join();
  EXPECT_EQ(refused, 0);
  EXPECT_EQ(misread, 0);
  for (int g = 0; g < kGames; ++g) {
    const auto log = store->ReadLog(absl::StrCat("g", g));
    ASSERT_TRUE(log.ok()) << log.status();
    ASSERT_EQ(log->size(), kEvents);
    EXPECT_EQ(log->back().record, absl::StrCat("g", g, " event ", kEvents));
  }
}

}  // namespace
}  // namespace tilewarden::services
