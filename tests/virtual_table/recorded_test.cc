// The recorded game that is bundled: its truth is a legal game with these
// scores, and its pictures show what the truth says.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/game/game.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "opencv2/videoio.hpp"
#include "services/boxes/printable_set.h"
#include "tests/virtual_table/test_pictures.h"

namespace tilewarden::virtual_table {
namespace {

using nlohmann::json;

const std::filesystem::path kFolder = TILEWARDEN_RECORDED;

json LoadTruth() {
  std::ifstream file(kFolder / "two_players.truth.json");
  EXPECT_TRUE(file.good());
  return json::parse(file);
}

std::shared_ptr<const engine::TileSet> SetOf(const json& truth) {
  auto set = engine::TileSet::Load(truth["tile_set"].get<std::string>());
  EXPECT_TRUE(set.ok()) << set.status();
  return *set;
}

engine::Turn TurnOf(const json& truth, const engine::TileSet& set) {
  engine::Turn turn;
  turn.player = truth["player"];
  turn.tile = set.Find(truth["tile"].get<std::string>());
  turn.cell = {truth["cell"][0], truth["cell"][1]};
  turn.rotation = truth["rotation"];
  if (truth.contains("deployment") && !truth["deployment"].is_null()) {
    turn.deployment =
        engine::Deployment{engine::FigureKind::kFollower, truth["deployment"]["segment"]};
  }
  return turn;
}

std::vector<int> Scores(const engine::Game& game) {
  std::vector<int> scores;
  for (const auto& player : game.players()) scores.push_back(player.score);
  return scores;
}

TEST(RecordedGame, IsPlayedByTheRulesToTheSameScores) {
  const json truth = LoadTruth();
  const auto set = SetOf(truth);
  engine::Game game(set, engine::Rules{}, truth["colours"].get<std::vector<std::string>>(),
                    truth["start"]["rotation"]);
  std::map<std::string, int> scored;
  ASSERT_GE(truth["turns"].size(), 30u);
  for (const json& t : truth["turns"]) {
    for (const json& mistake : truth["mistakes"]) {
      if (mistake["turn"] != t["number"]) continue;
      const auto refusal = game.Check(TurnOf(mistake, *set));
      ASSERT_TRUE(refusal.has_value());
      EXPECT_EQ(refusal->code, mistake["code"]);
    }
    const auto outcome = game.Apply(TurnOf(t, *set));
    ASSERT_TRUE(outcome.has_value()) << t.dump();
    EXPECT_EQ(Scores(game), t["scores"].get<std::vector<int>>()) << "turn " << t["number"];
    ASSERT_EQ(outcome->items.size(), t["items"].size());
    for (std::size_t i = 0; i < outcome->items.size(); ++i) {
      EXPECT_EQ(outcome->items[i].points, t["items"][i]["points"]);
      EXPECT_EQ(outcome->items[i].player, t["items"][i]["player"]);
      ++scored[outcome->items[i].kind];
    }
    EXPECT_EQ(outcome->returned.size(), t["returned"].size());
  }
  std::vector<int> scores = Scores(game);
  for (const auto& item : game.ScoreIfEndedNow()) {
    scores[static_cast<std::size_t>(item.player)] += item.points;
  }
  EXPECT_EQ(scores, truth["final"]["scores"].get<std::vector<int>>());
  // A game worth showing: several kinds, a farmer, one mistake put right.
  EXPECT_GE(scored["city"], 1);
  EXPECT_GE(scored["road"], 1);
  EXPECT_GE(scored["monastery"], 1);
  EXPECT_GE(scored["city"] + scored["road"] + scored["monastery"], 8);
  EXPECT_EQ(truth["mistakes"].size(), 1u);
  const auto& meeples = truth["meeples"];
  EXPECT_TRUE(std::any_of(meeples.begin(), meeples.end(),
                          [](const json& m) { return m["kind"] == "lying"; }));
}

TEST(RecordedGame, PicturesShowWhatTheTruthSays) {
  const json truth = LoadTruth();
  const auto set = SetOf(truth);
  const std::filesystem::path path = kFolder / "two_players.mp4";
  ASSERT_LE(std::filesystem::file_size(path), 6u << 20);
  cv::VideoCapture video(path.string());
  ASSERT_TRUE(video.isOpened());
  EXPECT_NEAR(video.get(cv::CAP_PROP_FPS), truth["fps"].get<double>(), 0.01);
  std::map<int, int> look_at;  // by the frame in its middle
  for (std::size_t i = 0; i < truth["looks"].size(); ++i) {
    const json& look = truth["looks"][i];
    const int first = look["first_frame"], last = look["last_frame"];
    EXPECT_GE((last - first + 1) / truth["fps"].get<double>(), 0.8);
    look_at[(first + last) / 2] = static_cast<int>(i);
  }
  int frames = 0, compared = 0, like = 0;
  for (cv::Mat frame; video.read(frame); ++frames) {
    const auto it = look_at.find(frames);
    if (it == look_at.end() || it->second % 6 != 0) continue;
    const auto there = [&](const json& thing) {
      return thing["first_look"].get<int>() <= it->second &&
             (thing["last_look"].is_null() || it->second <= thing["last_look"].get<int>());
    };
    for (const json& tile : truth["tiles"]) {
      bool free = there(tile);
      for (const json& meeple : truth["meeples"]) {
        free &= !there(meeple) || meeple["cell"] != tile["cell"];
      }
      if (!free) continue;
      const auto& corners = tile["canonical_corners_px"];
      EXPECT_GE(std::hypot(corners[0][0].get<double>() - corners[1][0].get<double>(),
                           corners[0][1].get<double>() - corners[1][1].get<double>()),
                60);
      const int type = set->Find(tile["tile"].get<std::string>());
      const cv::Mat printed = services::PaintCopy(set->types()[static_cast<std::size_t>(type)],
                                                  tile["copy"], truth["box"], kCutOutSide_px);
      ++compared;
      like += Likeness(CutOut(frame, corners), printed) > 0.6;
    }
  }
  EXPECT_EQ(frames, truth["frame_count"].get<int>());
  EXPECT_GE(compared, 30);
  // A figure on a neighbour may lean over a tile: not all need to agree.
  EXPECT_GE(like, compared * 95 / 100) << compared;
}

}  // namespace
}  // namespace tilewarden::virtual_table
