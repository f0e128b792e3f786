// `tilewarden rules check`: agrees with what is right, and sees what is wrong.
#include "services/records/rules_check.h"

#include <fstream>
#include <sstream>

#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace tilewarden::services {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const fs::path kOwn = fs::path(TILEWARDEN_TEST_DATA) / "own_scenarios.json";
const fs::path kShared = fs::path(TILEWARDEN_SHARED) / "scenarios";

json ReadJson(const fs::path& path) {
  std::ifstream in(path);
  return json::parse(in);
}

// Checks a text under a name of its own.
absl::Status CheckText(const std::string& name, const std::string& text, RulesReport* report) {
  const fs::path path = fs::path(::testing::TempDir()) / name;
  std::ofstream(path) << text;
  return CheckRulesFile(path, report);
}

TEST(RulesCheck, OwnScenariosAgree) {
  RulesReport report;
  const absl::Status status = CheckRulesFile(kOwn, &report);
  ASSERT_TRUE(status.ok()) << status;
  EXPECT_EQ(report.cases, 2);
  EXPECT_GE(report.expectations, 12);
  EXPECT_TRUE(report.differences.empty()) << report.differences[0];
}

// Every kind of expectation, made wrong, is seen.
TEST(RulesCheck, WrongExpectationsAreSeen) {
  const std::vector<std::pair<std::string, json>> wrongs = {
      {"/scenarios/0/moves/0/expect/count", 2},
      {"/scenarios/0/moves/0/expect/contains", json::array({{1, 0, 0}})},
      {"/scenarios/0/moves/1/expect/events", json::array({{0, 1, "road"}})},
      {"/scenarios/0/moves/1/expect/supply", {7, 7}},
      {"/scenarios/0/moves/2/expect/reject", "edge-mismatch"},
      {"/scenarios/0/moves/3/expect/events", json::array({{0, 3, "city"}})},
      {"/scenarios/0/moves/3/expect/scores", {4, 0}},
      {"/scenarios/0/final/scores", {3, 1}},
      {"/scenarios/1/final/events", json::array()},
  };
  for (const auto& [where, value] : wrongs) {
    json file = ReadJson(kOwn);
    file[json::json_pointer(where)] = value;
    RulesReport report;
    const absl::Status status = CheckText("wrong.json", file.dump(), &report);
    EXPECT_TRUE(status.ok()) << status;
    EXPECT_EQ(report.differences.size(), 1U) << where;
  }
}

TEST(RulesCheck, BrokenFilesAreErrorsThatSayWhere) {
  const auto message = [](const std::string& name, const std::string& text) {
    RulesReport report;
    const absl::Status status = CheckText(name, text, &report);
    EXPECT_FALSE(status.ok()) << name;
    return std::string(status.message());
  };
  EXPECT_NE(message("a.json", "{").find("neither scenarios"), std::string::npos);
  EXPECT_NE(message("a.jsonl", "{}\nnonsense\n").find("a.jsonl:2"), std::string::npos);
  EXPECT_NE(message("b.jsonl", "").find("no games"), std::string::npos);
  EXPECT_NE(message("c.json", R"({"scenarios": [{"id": "x", "players": [],
                                 "start": [["Z.Z", 0, 0, 0]], "moves": []}]})")
                .find("c.json: x"),
            std::string::npos);
  EXPECT_NE(message("d.json", R"({"scenarios": [{"id": "x"}]})").find("d.json"), std::string::npos);
  EXPECT_NE(message("e.json", R"({"scenarios": [{"id": "x", "players": [], "rules": {"no": 1},
                                 "start": [["B.D", 0, 0, 0]], "moves": []}]})")
                .find("no option"),
            std::string::npos);
  RulesReport report;
  EXPECT_FALSE(CheckRulesFile("no/such/file.json", &report).ok());
}

class Recorded : public ::testing::TestWithParam<const char*> {};

TEST_P(Recorded, Agrees) {
  const fs::path path = kShared / GetParam();
  if (!fs::exists(path)) GTEST_SKIP() << "the shared recorded games are not beside the checkout";
  RulesReport report;
  const absl::Status status = CheckRulesFile(path, &report);
  ASSERT_TRUE(status.ok()) << status;
  EXPECT_GT(report.expectations, 100);
  EXPECT_TRUE(report.differences.empty()) << report.differences[0];
  EXPECT_LE(report.explained.size(), 10U);
}

// A recorded game with one number changed is seen.
TEST(RulesCheck, ChangedGamesAreSeen) {
  const fs::path path = kShared / "games" / "base.jsonl";
  if (!fs::exists(path)) GTEST_SKIP() << "the shared recorded games are not beside the checkout";
  std::ifstream in(path);
  std::string line;
  std::getline(in, line);
  const json game = json::parse(line);
  const auto differences = [&](const char* where, const json& value) {
    json changed = game;
    changed[json::json_pointer(where)] = value;
    RulesReport report;
    const absl::Status status = CheckText("changed.jsonl", changed.dump(), &report);
    EXPECT_TRUE(status.ok()) << status;
    return report.differences.size();
  };
  EXPECT_EQ(differences("/seed", game["seed"]), 0U);
  EXPECT_GE(differences("/turns/3/legal", json::array()), 1U);
  EXPECT_EQ(differences("/turns/3/options", json::array()), 1U);
  EXPECT_EQ(differences("/turns/9/scores", {9, 9, 9, 9}), 1U);
  EXPECT_EQ(differences("/final_events", json::array()), 1U);
  EXPECT_EQ(differences("/features_at_end/0/owners", {0, 1, 2}), 1U);
}

INSTANTIATE_TEST_SUITE_P(Files, Recorded,
                         ::testing::Values("scenarios.json", "games/base.jsonl",
                                           "games/base.live.jsonl", "games/base_nofarm.jsonl",
                                           "games/base_tiny2.jsonl", "games/abbot.jsonl",
                                           "games/abbot.live.jsonl", "games/winter.jsonl",
                                           "games/winter.live.jsonl", "games/river12.jsonl",
                                           "games/river1_abbot.jsonl",
                                           "games/river1_abbot.live.jsonl", "games/river2.jsonl"));

}  // namespace
}  // namespace tilewarden::services
