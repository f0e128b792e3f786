// That the list of rules is whole: a test for each row of the comparison, an
// option behind each row that leaves a choice, and a test for each option.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include "engine/game/rules.h"
#include "engine/tiles/tile_set.h"
#include "gtest/gtest.h"

namespace tilewarden::engine {
namespace {

// Those of the comparison that lies beside the checkout, and with them those on boxes that
// it does not tell of.
constexpr int kComparedRows = 35, kRows = 42;

std::string ReadAll(const std::filesystem::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// Rows that have tests here: the number in "RuleRow.R07_...".
std::set<int> RowsTested() {
  std::set<int> rows;
  const ::testing::UnitTest& all = *::testing::UnitTest::GetInstance();
  for (int i = 0; i < all.total_test_suite_count(); ++i) {
    const ::testing::TestSuite& suite = *all.GetTestSuite(i);
    if (std::string(suite.name()) != "RuleRow") continue;
    for (int k = 0; k < suite.total_test_count(); ++k) {
      rows.insert(std::stoi(std::string(suite.GetTestInfo(k)->name()).substr(1, 2)));
    }
  }
  return rows;
}

TEST(RuleList, EveryRowHasATest) {
  const std::set<int> rows = RowsTested();
  for (int row = 1; row <= kRows; ++row) EXPECT_TRUE(rows.count(row)) << "row " << row;
}

TEST(RuleList, TheComparisonHasNoOtherRows) {
  const std::string text = ReadAll(std::filesystem::path(TILEWARDEN_SHARED) / "rules/RULES.md");
  if (text.empty()) GTEST_SKIP() << "the comparison of rules lies beside the checkout";
  std::istringstream lines(text);
  int rows = 0;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t dot = line.find(". ");
    if (dot == std::string::npos || dot > 2) continue;
    if (line.find_first_not_of("0123456789") != dot) continue;
    EXPECT_EQ(std::stoi(line), ++rows);
  }
  EXPECT_EQ(rows, kComparedRows);
}

TEST(RuleList, EveryOptionNamesItsRow) {
  std::set<int> rows;
  for (const Rules::Option& option : Rules::Options()) {
    EXPECT_FALSE(option.values.empty()) << option.name;
    if (option.name == "enforce_counts") continue;
    ASSERT_EQ(option.text.rfind("row", 0), 0U) << option.name;
    std::istringstream words(option.text.substr(option.text.find(' ')));
    int row = 0;
    words >> row;
    EXPECT_TRUE(row >= 1 && row <= kRows) << option.name;
    rows.insert(row);
    char mark = 0;
    while (words >> mark && (mark == ',' || mark == '-')) {
      const int first = row;
      words >> row;
      for (int i = mark == '-' ? first : row; i <= row; ++i) rows.insert(i);
    }
  }
  // These leave no choice, or none that a program could take: how ties score,
  // what an unfinished river and fields around it are, when the Ark enters.
  for (const int row : {12, 18, 21, 32, 30, 35}) rows.insert(row);
  for (int row = 1; row <= kRows; ++row) EXPECT_TRUE(rows.count(row)) << "row " << row;
}

TEST(RuleList, EveryOptionIsPlayedInATestOfItsRow) {
  std::string text;
  for (const char* file :
       {"rule_rows_abbot_test.cc", "rule_rows_base_test.cc", "rule_rows_boxes_test.cc",
        "rule_rows_river_test.cc", "rule_rows_spinoffs_test.cc"}) {
    text += ReadAll(std::filesystem::path(TILEWARDEN_ENGINE_TESTS) / file);
  }
  ASSERT_FALSE(text.empty());
  for (const Rules::Option& option : Rules::Options()) {
    EXPECT_NE(text.find(option.name), std::string::npos) << option.name;
  }
}

// The last section: what no source has.
TEST(RuleList, WhatNoSourceKnowsIsAssumed) {
  // One list of the Ark's tiles has three crrf, the other four; both have 72.
  for (const auto& [set, wanted] : {std::pair("ark", 3), std::pair("ark.crrf4", 4)}) {
    const auto tiles = TileSet::Load(set);
    ASSERT_TRUE(tiles.ok()) << tiles.status();
    int crrf = 0;
    for (std::size_t i = 0; i < (*tiles)->types().size(); ++i) {
      const TileType& type = (*tiles)->types()[i];
      EXPECT_TRUE(type.assumed) << type.id;
      if (type.id.rfind("A.crrf", 0) == 0) crrf += (*tiles)->counts()[i];
    }
    EXPECT_EQ(crrf, wanted);
    EXPECT_EQ((*tiles)->total(), 72);
  }
  for (const char* set : {"winter+gingerbread", "base.c2+river.20ae", "base.c2+cutcassonne"}) {
    const auto tiles = TileSet::Load(set);
    ASSERT_TRUE(tiles.ok()) << tiles.status();
    int assumed = 0;
    for (const TileType& type : (*tiles)->types()) assumed += type.assumed ? 1 : 0;
    EXPECT_GE(assumed, 5) << set;
  }
}

}  // namespace
}  // namespace tilewarden::engine
