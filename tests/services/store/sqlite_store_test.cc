// What SQLite's file adds to what every store promises (store_test.cc): one process at a time,
// damage that is told, a disk that is full, a folder that cannot be written, copies made meanwhile.
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <fstream>
#include <iterator>
#include <thread>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "services/store/sqlite_file.h"
#include "services/store/store.h"
#include "tests/services/support/store_changes.h"
#include "tests/services/support/temp_folder.h"

namespace tilewarden::services {
namespace {

std::string BytesOf(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void WriteBytes(const std::filesystem::path& file, const std::string& bytes) {
  std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
}

class SqliteStoreTest : public testing::Test {
 protected:
  std::unique_ptr<Store> Open() {
    auto store = OpenSqliteStore(file_);
    EXPECT_TRUE(store.ok()) << store.status();
    return store.ok() ? *std::move(store) : nullptr;
  }

  TempFolder folder_;
  const std::filesystem::path file_ = folder_.path() / "data" / "games.sqlite";
};

TEST_F(SqliteStoreTest, ASecondProcessOnTheSameFileIsToldSo) {
  const auto first = Open();
  const auto second = OpenSqliteStore(file_);
  EXPECT_EQ(second.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_TRUE(absl::StrContains(second.status().message(), "in use by another engine service"))
      << second.status();
  EXPECT_TRUE(first->Append(NewGame("g")).ok());
}

TEST_F(SqliteStoreTest, AFileThatIsNoLogIsLeftAsItIs) {
  std::filesystem::create_directories(file_.parent_path());
  const std::string bytes(5000, 'x');
  WriteBytes(file_, bytes);
  const auto store = OpenSqliteStore(file_);
  EXPECT_EQ(store.status().code(), absl::StatusCode::kDataLoss) << store.status();
  EXPECT_TRUE(absl::StrContains(store.status().message(), "put back a copy"));
  EXPECT_EQ(BytesOf(file_), bytes);
}

TEST_F(SqliteStoreTest, ATornFileIsLeftAsItIs) {
  {
    const auto store = Open();
    ASSERT_TRUE(store->Append(NewGame("g")).ok());
    for (std::uint64_t i = 2; i < 60; ++i) {
      ASSERT_TRUE(store->Append(More("g", i, std::string(1000, 'r'))).ok());
    }
  }
  const std::string torn = BytesOf(file_).substr(0, 20'000);
  WriteBytes(file_, torn);
  const auto store = OpenSqliteStore(file_);
  EXPECT_EQ(store.status().code(), absl::StatusCode::kDataLoss) << store.status();
  EXPECT_EQ(BytesOf(file_), torn);
}

TEST_F(SqliteStoreTest, AFlippedByteInsideARecordIsNoticed) {
  {
    const auto store = Open();
    ASSERT_TRUE(store->Append(NewGame("g")).ok());
    ASSERT_TRUE(store->Append(More("g", 2, "the record to be altered")).ok());
  }
  std::string bytes = BytesOf(file_);
  const auto at = bytes.find("to be altered");
  ASSERT_NE(at, std::string::npos);
  bytes[at] = 'T';
  WriteBytes(file_, bytes);
  const auto log = Open()->ReadLog("g");
  EXPECT_EQ(log.status().code(), absl::StatusCode::kDataLoss) << log.status();
  EXPECT_TRUE(absl::StrContains(log.status().message(), "event 2 of game g"));
}

TEST_F(SqliteStoreTest, AFileOfANewerVersionIsRefused) {
  Open();
  std::string bytes = BytesOf(file_);
  bytes[63] = 9;  // user_version, big endian at 60 in SQLite's header
  WriteBytes(file_, bytes);
  const auto store = OpenSqliteStore(file_);
  EXPECT_EQ(store.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_TRUE(absl::StrContains(store.status().message(), "newer")) << store.status();
}

TEST_F(SqliteStoreTest, AVersionBelowZeroIsDamage) {
  Open();
  std::string bytes = BytesOf(file_);
  for (std::size_t i = 60; i < 64; ++i) bytes[i] = '\xff';
  WriteBytes(file_, bytes);
  EXPECT_EQ(OpenSqliteStore(file_).status().code(), absl::StatusCode::kDataLoss);
}

TEST_F(SqliteStoreTest, ALinkToTheFileIsTheSameFile) {
  const auto store = Open();
  const auto link = folder_.path() / "link.sqlite";
  std::filesystem::create_symlink(file_, link);
  EXPECT_EQ(OpenSqliteStore(link).status().code(), absl::StatusCode::kFailedPrecondition);
}

TEST_F(SqliteStoreTest, OtherUsersOfTheMachineReadNothing) {
  const auto store = Open();
  ASSERT_TRUE(store->Append(NewGame("g")).ok());
  const auto copy = folder_.path() / "copy.sqlite";
  ASSERT_TRUE(CopySqliteFile(file_, copy).ok());
  for (const std::string& name :
       {file_.string(), file_.string() + "-wal", file_.string() + ".lock", copy.string()}) {
    struct stat found {};
    ASSERT_EQ(stat(name.c_str(), &found), 0) << name;
    EXPECT_EQ(found.st_mode & 077, 0U) << name;
  }
}

// The write-ahead log may not grow: as on a disk that is full, or a quota that is used up.
TEST_F(SqliteStoreTest, AFullDiskIsToldLosesNothingAndIsGoneOnFromByItself) {
  const auto store = Open();
  ASSERT_TRUE(store->Append(NewGame("g")).ok());
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit full = before;
  full.rlim_cur = std::filesystem::file_size(file_.string() + "-wal") + 20'000;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &full), 0);
  std::uint64_t last = 1;
  absl::Status status;
  while ((status = store->Append(More("g", last + 1, std::string(3000, 'r')))).ok()) ++last;
  const auto again = store->Append(More("g", last + 1, std::string(3000, 'r')));
  const auto meanwhile = store->ReadLog("g");
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(again.code(), absl::StatusCode::kUnavailable);
  EXPECT_TRUE(absl::StrContains(status.message(), "the disk is full")) << status;
  ASSERT_TRUE(meanwhile.ok()) << meanwhile.status();
  EXPECT_EQ(meanwhile->size(), last);
  EXPECT_TRUE(store->Append(More("g", last + 1, "there is room again")).ok());
  EXPECT_EQ(store->ReadLog("g")->size(), last + 1);
}

// Of another user, since whoever runs as root may write everywhere.
TEST_F(SqliteStoreTest, AFolderThatCannotBeWrittenIsToldWithWhatToDo) {
  { Open()->Append(NewGame("g")).IgnoreError(); }
  const auto folder = file_.parent_path();
  ASSERT_EQ(chmod(folder_.path().c_str(), 0755), 0);
  ASSERT_EQ(chmod(folder.c_str(), 0555), 0);
  ASSERT_EQ(chmod(file_.c_str(), 0444), 0);
  ASSERT_EQ(chmod((file_.string() + ".lock").c_str(), 0444), 0);
  const pid_t child = fork();
  if (child == 0) {
    if (geteuid() == 0 && setuid(65534) != 0) _exit(2);
    const auto status = OpenSqliteStore(file_).status();
    const bool told = status.code() == absl::StatusCode::kFailedPrecondition &&
                      absl::StrContains(status.message(), "make the folder writable");
    _exit(told ? 0 : 1);
  }
  int ended = 0;
  waitpid(child, &ended, 0);
  EXPECT_EQ(WEXITSTATUS(ended), 0);
  ASSERT_EQ(chmod(folder.c_str(), 0755), 0);
  ASSERT_EQ(chmod(file_.c_str(), 0644), 0);
  ASSERT_EQ(chmod((file_.string() + ".lock").c_str(), 0644), 0);
  EXPECT_EQ(Open()->ReadLog("g")->size(), 1u);
}

TEST(SqliteStore, InMemoryNothingIsLeftBehind) {
  const auto store = OpenSqliteStore(":memory:");
  ASSERT_TRUE(store.ok()) << store.status();
  ASSERT_TRUE((*store)->Append(NewGame("g")).ok());
  ASSERT_TRUE((*store)->Append(More("g", 2, "more")).ok());
  EXPECT_EQ((*store)->ReadLog("g")->size(), 2u);
  EXPECT_FALSE(std::filesystem::exists(":memory:.lock"));
}

// What lies in the write-ahead log is moved into the file while games go on.
TEST_F(SqliteStoreTest, TheWriteAheadLogStaysSmall) {
  const auto store = Open();
  ASSERT_TRUE(store->Append(NewGame("g")).ok());
  // 24 MB in all; from 16 MB on, changes wait until it begins anew.
  for (std::uint64_t n = 2; n <= 120; ++n) {
    ASSERT_TRUE(store->Append(More("g", n, std::string(200'000, 'r'))).ok());
  }
  EXPECT_LT(std::filesystem::file_size(file_.string() + "-wal"), 20'000'000u);
  EXPECT_EQ(store->ReadLog("g")->size(), 120u);
}

TEST_F(SqliteStoreTest, ACopyMadeWhileGamesArePlayedIsALogByItself) {
  const auto copy = folder_.path() / "copy.sqlite";
  std::uint64_t told_before = 0;
  {
    const auto store = Open();
    ASSERT_TRUE(store->Append(NewGame("g")).ok());
    std::atomic<std::uint64_t> told = 1;
    std::atomic<bool> stop = false;
    std::atomic<int> refused = 0;
    std::thread writer([&] {
      while (!stop) {
        if (store->Append(More("g", told + 1, std::string(500, 'r'))).ok()) {
          ++told;
        } else {
          ++refused;
        }
      }
    });
    while (told < 20) std::this_thread::yield();
    told_before = told;
    const auto status = CopySqliteFile(file_, copy);
    const auto over = CopySqliteFile(file_, copy);
    stop = true;
    writer.join();
    ASSERT_TRUE(status.ok()) << status;
    EXPECT_EQ(over.code(), absl::StatusCode::kAlreadyExists) << over;
    EXPECT_EQ(refused, 0);
  }
  const auto restored = OpenSqliteStore(copy);
  ASSERT_TRUE(restored.ok()) << restored.status();
  const auto log = (*restored)->ReadLog("g");
  ASSERT_TRUE(log.ok()) << log.status();
  EXPECT_GE(log->size(), told_before);
  EXPECT_TRUE((*restored)->Append(More("g", log->size() + 1, "it goes on")).ok());
}

TEST_F(SqliteStoreTest, OfNothingAndOfDamageNoCopyIsLeft) {
  const auto copy = folder_.path() / "copy.sqlite";
  EXPECT_EQ(CopySqliteFile(file_, copy).code(), absl::StatusCode::kNotFound);
  std::filesystem::create_directories(file_.parent_path());
  WriteBytes(file_, std::string(5000, 'x'));
  EXPECT_EQ(CopySqliteFile(file_, copy).code(), absl::StatusCode::kDataLoss);
  EXPECT_FALSE(std::filesystem::exists(copy));
  EXPECT_FALSE(std::filesystem::exists(copy.string() + ".part"));
}

}  // namespace
}  // namespace tilewarden::services
