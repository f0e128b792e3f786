#include "services/base/whole_file.h"

#include <sys/stat.h>

#include <iterator>

#include "gtest/gtest.h"
#include "tests/services/support/temp_folder.h"

namespace tilewarden::services {
namespace {

TEST(WholeFile, IsReplacedOrLeftAndForItsOwnerAlone) {
  const TempFolder folder;
  const auto file = folder.path() / "secret";
  EXPECT_EQ(ReadFile(file), std::nullopt);
  ASSERT_TRUE(WritePrivateFile(file, "first\n", IfThere::kLeave).ok());
  ASSERT_TRUE(WritePrivateFile(file, "second\n", IfThere::kLeave).ok());
  EXPECT_EQ(ReadFile(file), "first\n");
  ASSERT_TRUE(WritePrivateFile(file, "third\n", IfThere::kReplace).ok());
  EXPECT_EQ(ReadFile(file), "third\n");
  struct stat about {};
  ASSERT_EQ(stat(file.c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 0777, 0600U);
  // Nothing else is left there.
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(WholeFile, WhatCannotBeWrittenOrReadIsTold) {
  const TempFolder folder;
  const auto nowhere = folder.path() / "none" / "file";
  const auto status = WritePrivateFile(nowhere, "text", IfThere::kReplace);
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_NE(status.message().find(nowhere.string()), std::string::npos);
  EXPECT_EQ(ReadFile(folder.path()), std::nullopt);
}

}  // namespace
}  // namespace tilewarden::services
