// A log that is damaged, and what is told of it; copies, and going back to them.
#include <sys/stat.h>

#include <chrono>
#include <fstream>
#include <iterator>
#include <limits>
#include <random>
#include <thread>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "services/base/clock.h"
#include "services/store/disk_room.h"
#include "services/store/nightly_copies.h"
#include "services/store/sqlite_file.h"
#include "services/store/store.h"
#include "tests/services/support/power_cut_run.h"
#include "tests/services/support/store_changes.h"
#include "tests/services/support/temp_folder.h"

namespace tilewarden::services {
namespace {

namespace fs = std::filesystem;

std::string BytesOf(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
void WriteBytes(const fs::path& file, const std::string& bytes) {
  std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
}

class SqliteDamageTest : public testing::Test {
 protected:
  static std::unique_ptr<Store> Open(const fs::path& file) {
    auto store = OpenSqliteStore(file);
    EXPECT_TRUE(store.ok()) << store.status();
    return store.ok() ? *std::move(store) : nullptr;
  }
  // What is on the disk at this moment, as after a kill, in another folder.
  fs::path CopyOfAll(const std::string& name) const {
    const fs::path to = folder_.path() / name;
    fs::create_directories(to);
    for (const char* beside : {"", "-wal", "-told"}) {
      const fs::path from = file_.string() + beside;
      if (fs::exists(from)) fs::copy_file(from, to / from.filename());
    }
    return to / "games.sqlite";
  }
  std::size_t WalSize() const {
    std::error_code error;
    const auto size = fs::file_size(file_.string() + "-wal", error);
    return error ? 0 : static_cast<std::size_t>(size);
  }
  void Alter(const fs::path& file, const std::string& what) {
    std::string bytes = BytesOf(file);
    std::size_t found = 0;
    for (auto at = bytes.find(what); at != std::string::npos; at = bytes.find(what, at + 1)) {
      bytes[at] ^= 1;
      ++found;
    }
    ASSERT_GT(found, 0u);
    WriteBytes(file, bytes);
  }

  TempFolder folder_;
  const fs::path file_ = folder_.path() / "data" / "games.sqlite";
};

// Issue: 120 of 120 damaged write-ahead logs lost acknowledged changes without a word.
TEST_F(SqliteDamageTest, WhatADamagedWriteAheadLogLosesIsTold) {
  constexpr std::uint64_t kLast = 40;
  fs::path whole;
  {
    const auto store = Open(file_);
    ASSERT_TRUE(store->Append(NewGame("g")).ok());
    for (std::uint64_t n = 2; n <= kLast; ++n) {
      ASSERT_TRUE(store->Append(More("g", n, std::string(300, 'r'))).ok());
    }
    whole = CopyOfAll("whole");
  }
  EXPECT_TRUE(Open(CopyOfAll("closed"))->Lost().empty());
  const std::string wal = BytesOf(whole.string() + "-wal");
  ASSERT_GT(wal.size(), 50'000u);
  std::mt19937 random(1);
  int lost = 0;
  for (int i = 0; i < 60; ++i) {
    const fs::path at = folder_.path() / absl::StrCat("damaged", i);
    fs::create_directories(at);
    std::string damaged = wal;
    if (i % 3 == 0) {
      damaged.resize(random() % wal.size());
    } else {
      for (int n = 0; n < 8; ++n)
        damaged[random() % wal.size()] ^= static_cast<char>(1 + random() % 255);
    }
    if (i % 20 == 19) damaged.clear();
    fs::copy_file(whole, at / "games.sqlite");
    fs::copy_file(whole.string() + "-told", at / "games.sqlite-told");
    WriteBytes(at / "games.sqlite-wal", damaged);
    const auto store = OpenSqliteStore(at / "games.sqlite");
    if (!store.ok()) continue;  // told as damage
    const auto log = (*store)->ReadLog("g");
    const std::uint64_t there = log.ok() ? log->size() : 0;
    if (there == kLast) continue;
    ++lost;
    ASSERT_EQ((*store)->Lost().size(), 1u) << there << " of " << kLast << " in silence";
    EXPECT_TRUE(
        absl::StrContains((*store)->Lost()[0], absl::StrCat("(", there + 1, " to ", kLast, ")")))
        << (*store)->Lost()[0];
  }
  EXPECT_GT(lost, 20);
}

TEST_F(SqliteDamageTest, WhileNobodyPlaysEverythingLiesInTheFileItself) {
  const auto store = Open(file_);
  ASSERT_TRUE(store->Append(NewGame("g")).ok());
  ASSERT_TRUE(store->Append(More("g", 2, "more")).ok());
  EXPECT_GT(WalSize(), 0u);
  for (int i = 0; i < 500 && WalSize() > 0; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_EQ(WalSize(), 0u);
  // The file alone is the log.
  const fs::path alone = folder_.path() / "alone.sqlite";
  fs::copy_file(file_, alone);
  EXPECT_EQ(Open(alone)->ReadLog("g")->size(), 2u);
  EXPECT_TRUE(store->Append(More("g", 3, "and on")).ok());
  EXPECT_EQ(store->ReadLog("g")->size(), 3u);
}

TEST_F(SqliteDamageTest, AlteredSummariesAndAnswersAreNotBelieved) {
  {
    const auto store = Open(file_);
    Change change = NewGame("g");
    change.answer = StoredAnswer{"request", "what was asked", "what was answered"};
    ASSERT_TRUE(store->Append(change).ok());
    EXPECT_EQ(store->ListGames(1, 0)->at(0).summary, "summary of g");
    EXPECT_EQ((*store->FindAnswer("request"))->answer, "what was answered");
  }
  Alter(file_, "summary of g");
  Alter(file_, "what was answered");
  const auto store = Open(file_);
  EXPECT_TRUE(absl::IsDataLoss(store->ListGames(1, 0).status()));
  EXPECT_TRUE(absl::IsDataLoss(store->FindAnswer("request").status()));
  EXPECT_TRUE(store->ReadLog("g").ok()) << "the game itself is whole";
}

TEST_F(SqliteDamageTest, AVersionBelowZeroIsDamage) {
  Open(file_);
  std::string bytes = BytesOf(file_);
  for (std::size_t i = 60; i < 64; ++i) bytes[i] = '\xff';  // user_version
  WriteBytes(file_, bytes);
  EXPECT_TRUE(absl::IsDataLoss(OpenSqliteStore(file_).status()));
}

TEST_F(SqliteDamageTest, ALinkToTheFileIsTheSameFile) {
  const auto store = Open(file_);
  const fs::path link = folder_.path() / "link.sqlite";
  fs::create_symlink(file_, link);
  const auto second = OpenSqliteStore(link);
  EXPECT_EQ(second.status().code(), absl::StatusCode::kFailedPrecondition);
}

TEST_F(SqliteDamageTest, OtherUsersOfTheMachineReadNothing) {
  const auto store = Open(file_);
  ASSERT_TRUE(store->Append(NewGame("g")).ok());
  const fs::path copy = folder_.path() / "copy.sqlite";
  ASSERT_TRUE(CopySqliteFile(file_, copy).ok());
  for (const std::string& file : {file_.string(), file_.string() + "-wal", file_.string() + "-told",
                                  file_.string() + ".lock", copy.string()}) {
    struct stat found {};
    ASSERT_EQ(stat(file.c_str(), &found), 0) << file;
    EXPECT_EQ(found.st_mode & 077, 0u) << file;
  }
}

// Issue: restoring by copying a file brought the old state back if the log beside it was forgotten.
TEST_F(SqliteDamageTest, GoingBackToACopyBringsItsStateAndKeepsTheOther) {
  const fs::path copy = folder_.path() / "copy.sqlite";
  fs::path killed;
  {
    const auto store = Open(file_);
    ASSERT_TRUE(store->Append(NewGame("g")).ok());
    ASSERT_TRUE(store->Append(More("g", 2, "of the copy")).ok());
    ASSERT_TRUE(CopySqliteFile(file_, copy).ok());
    ASSERT_TRUE(store->Append(More("g", 3, "later")).ok());
    EXPECT_EQ(RestoreSqliteFile(copy, file_).status().code(), absl::StatusCode::kFailedPrecondition)
        << "while an engine service has it";
    killed = CopyOfAll("killed");
  }
  ASSERT_TRUE(fs::exists(killed.string() + "-wal"));
  const auto before = RestoreSqliteFile(copy, killed);
  ASSERT_TRUE(before.ok()) << before.status();
  {
    const auto restored = Open(killed);
    EXPECT_EQ(restored->ReadLog("g")->size(), 2u);
    EXPECT_TRUE(restored->Lost().empty());
  }
  EXPECT_EQ(Open(*before)->ReadLog("g")->size(), 3u);
  EXPECT_TRUE(absl::IsNotFound(RestoreSqliteFile(folder_.path() / "none", killed).status()));
  WriteBytes(copy, std::string(5000, 'x'));
  EXPECT_TRUE(absl::IsDataLoss(RestoreSqliteFile(copy, killed).status()));
  EXPECT_EQ(Open(killed)->ReadLog("g")->size(), 2u) << "a bad copy changes nothing";
}

// Issue: nothing ever deleted or archived a game.
TEST_F(SqliteDamageTest, OldGamesGoIntoAnArchive) {
  const fs::path archive = folder_.path() / "archive.sqlite";
  {
    const auto store = Open(file_);
    for (const char* id : {"old", "new"}) ASSERT_TRUE(store->Append(NewGame(id)).ok());
    Change later = More("new", 2, "of this year");
    later.entries[0].time_ms = 5000;
    ASSERT_TRUE(store->Append(later).ok());
    EXPECT_EQ(ArchiveSqliteFile(file_, archive, 3000).status().code(),
              absl::StatusCode::kFailedPrecondition)
        << "while an engine service has it";
  }
  const auto taken = ArchiveSqliteFile(file_, archive, 3000);
  ASSERT_TRUE(taken.ok()) << taken.status();
  EXPECT_EQ(*taken, 1);
  EXPECT_EQ(ArchiveSqliteFile(file_, archive, 3000).status().code(),
            absl::StatusCode::kAlreadyExists);
  const auto store = Open(file_);
  EXPECT_TRUE(absl::IsNotFound(store->ReadLog("old").status()));
  EXPECT_EQ(store->ReadLog("new")->size(), 2u);
  EXPECT_EQ(store->ListGames(10, 0)->size(), 1u);
  EXPECT_EQ(Open(archive)->ReadLog("old")->size(), 1u);
}

TEST_F(SqliteDamageTest, AQuotaWarnsBeforeItIsUsedUpAndThenLetsNoGameBegin) {
  const auto room = [&](std::uintmax_t quota_bytes) {
    return DiskRoom{.folder = folder_.path(), .quota_bytes = quota_bytes, .scarce_bytes = 0};
  };
  std::filesystem::create_directory(folder_.path() / "backups");
  std::ofstream(folder_.path() / "backups" / "copy") << std::string(95, 'c');
  EXPECT_EQ(room(200).Warning(), std::nullopt);
  EXPECT_TRUE(room(200).ForAnotherGame().ok());
  EXPECT_TRUE(absl::StrContains(room(100).Warning().value_or(""), "soon no game can begin"));
  EXPECT_TRUE(room(100).ForAnotherGame().ok());
  EXPECT_TRUE(absl::StrContains(room(90).Warning().value_or(""), "; no game can begin"));
  EXPECT_TRUE(absl::IsResourceExhausted(room(90).ForAnotherGame()));
  EXPECT_EQ(DiskRoom().Warning(), std::nullopt);
}

TEST_F(SqliteDamageTest, ADiskThatIsNearlyFullIsTold) {
  EXPECT_EQ((DiskRoom{.folder = folder_.path(), .scarce_bytes = 0}.Warning()), std::nullopt);
  const auto scarce = DiskRoom{.folder = folder_.path(),
                               .scarce_bytes = std::numeric_limits<std::uintmax_t>::max()}
                          .Warning();
  ASSERT_TRUE(scarce);
  EXPECT_TRUE(absl::StrContains(*scarce, folder_.path().string())) << *scarce;
}

TEST(PowerCuts, LoseNothingThatWasAcknowledged) {
  const CutSum sum = RunPowerCuts(40, 1);
  EXPECT_EQ(sum.wrong, "");
  EXPECT_EQ(sum.cuts, 40);
}

TEST_F(SqliteDamageTest, ACopyIsMadeEachDayAndTheNewestAreKept) {
  const auto store = Open(file_);
  ASSERT_TRUE(store->Append(NewGame("g")).ok());
  const NightlyCopies::Options options{file_, 3};
  constexpr std::int64_t kDay_ms = 86'400'000;
  std::vector<fs::path> made;
  for (std::int64_t day = 0; day < 5; ++day) {
    ASSERT_TRUE(store->Append(More("g", 2 + static_cast<std::uint64_t>(day), "a day's game")).ok());
    const auto copy = NightlyCopies::CopyIfDue(options, NowMs() + day * kDay_ms);
    ASSERT_TRUE(copy.ok()) << copy.status();
    EXPECT_FALSE(copy->empty());
    made.push_back(*copy);
    EXPECT_TRUE(NightlyCopies::CopyIfDue(options, NowMs() + day * kDay_ms + 1000)->empty());
    fs::last_write_time(*copy, fs::file_time_type::clock::now() - std::chrono::hours(1));
  }
  EXPECT_FALSE(fs::exists(made[1]));
  EXPECT_TRUE(fs::exists(made[2]));
  EXPECT_EQ(Open(made[4])->ReadLog("g")->size(), 6u);
}

}  // namespace
}  // namespace tilewarden::services
