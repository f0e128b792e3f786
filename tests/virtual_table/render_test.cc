#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/game/game.h"
#include "gtest/gtest.h"
#include "opencv2/imgproc.hpp"
#include "services/boxes/printable_set.h"
#include "tests/virtual_table/picture/camera.h"
#include "tests/virtual_table/scene/laid_table.h"
#include "tests/virtual_table/story/player.h"
#include "tests/virtual_table/story/recording.h"
#include "tests/virtual_table/story/still.h"
#include "tests/virtual_table/story/whole_game.h"
#include "tests/virtual_table/test_pictures.h"

namespace tilewarden::virtual_table {
namespace {

std::shared_ptr<const engine::TileSet> BaseSet() {
  auto set = engine::TileSet::Load("base.c1");
  EXPECT_TRUE(set.ok()) << set.status();
  return *set;
}

TEST(TableCamera, ProjectsAndComesBack) {
  const TableCamera camera =
      TableCamera::Make({1920, 1080}, 62, {{12, -7}, 830, 27, -101, 4}, -0.08, 0.01);
  const cv::Vec3d middle = camera.Project({12, -7, 0});
  EXPECT_NEAR(middle[0], camera.cx, 1e-6);
  EXPECT_NEAR(middle[1], camera.cy, 1e-6);
  EXPECT_NEAR(middle[2], 830, 1e-6);
  EXPECT_NEAR(cv::determinant(cv::Mat(camera.r)), 1, 1e-9);
  for (const cv::Point2d at : {cv::Point2d{-220, 130}, {240, -90}, {0, 0}}) {
    const cv::Point2d back = camera.OnPlane(camera.ProjectPoint({at.x, at.y, 2.2}), 2.2);
    EXPECT_NEAR(back.x, at.x, 0.01);
    EXPECT_NEAR(back.y, at.y, 0.01);
  }
  // What lies farther from the person at the south side is higher up.
  EXPECT_LT(camera.ProjectPoint({0, 100, 0}).y, camera.ProjectPoint({0, -100, 0}).y);
  EXPECT_GT(camera.ProjectPoint({100, 0, 0}).x, camera.ProjectPoint({-100, 0, 0}).x);
}

TEST(Player, PlaysLegallyAndTheSameAgain) {
  const auto set = BaseSet();
  const GamePlan plan = {{"red", "blue", "green"}, 40, 12, 12, 8};
  const engine::Game game = PlayGame(set, plan);
  EXPECT_EQ(game.turns().size(), 40u);
  EXPECT_EQ(game.turns(), PlayGame(set, plan).turns());
  engine::Game again(set, game.rules(), plan.colours);
  for (const auto& turn : game.turns()) ASSERT_TRUE(again.Apply(turn).has_value());
}

TEST(LaidTable, WhatBelongsToNobodyStandsBesideTheOthersAndStaysThere) {
  TileBox box(*engine::TileSet::Load("winter+gingerbread"), 1);
  LaidTable table({}, NeatnessOf(Level::kEasy), 1, {}, {"red"}, &box);
  Moment moment;
  moment.tiles = {{{0, 0}, box.tiles().Find("G.1"), 1}};
  moment.figures = {{{0, 0}, 0, "", {}, false, engine::FigureKind::kGingerbreadMan},
                    {{0, 0}, 0, "red", {}, false, engine::FigureKind::kFollower}};
  table.Take(moment);
  ASSERT_EQ(table.figures().size(), 2u);
  const auto apart_mm = [&] {
    const cv::Vec3d d = table.figures()[0].stand.at - table.figures()[1].stand.at;
    return std::hypot(d[0], d[1]);
  };
  EXPECT_GE(apart_mm(), 14);
  EXPECT_LE(apart_mm(), 30);
  const double before = apart_mm();
  table.Take(moment);
  EXPECT_EQ(apart_mm(), before);
}

class Stills : public testing::TestWithParam<Level> {};

TEST_P(Stills, ShowTheTilesWhereTheTruthSays) {
  TileBox box(BaseSet(), 5);
  StillPlan plan;
  plan.level = GetParam();
  plan.seed = 4;
  plan.turns = 14;
  const Still still = MakeStill(plan, &box);
  ASSERT_EQ(still.picture.size(), plan.size_px);
  ASSERT_EQ(still.truth["tiles"].size(), 15u);
  int compared = 0;
  for (const auto& tile : still.truth["tiles"]) {
    bool under_figure = false;
    for (const auto& meeple : still.truth["meeples"])
      under_figure |= meeple["cell"] == tile["cell"];
    if (under_figure) continue;
    ++compared;
    const cv::Mat seen = CutOut(still.picture, tile["canonical_corners_px"]);
    const int type = box.tiles().Find(tile["tile"].get<std::string>());
    const cv::Mat printed = services::PaintCopy(box.tiles().types()[static_cast<std::size_t>(type)],
                                                tile["copy"], 5, kCutOutSide_px);
    EXPECT_GT(Likeness(seen, printed), 0.75) << tile["tile"];
    // Half a turn away it is another picture.
    cv::Mat turned;
    cv::rotate(printed, turned, cv::ROTATE_180);
    EXPECT_GT(Likeness(seen, printed), Likeness(seen, turned) + 0.2) << tile["tile"];
  }
  EXPECT_GE(compared, 4);
}

TEST_P(Stills, ShowFiguresInTheirColour) {
  TileBox box(BaseSet(), 5);
  StillPlan plan;
  plan.level = GetParam();
  plan.seed = 6;
  plan.turns = 14;
  const Still still = MakeStill(plan, &box);
  ASSERT_GE(still.truth["meeples"].size(), 4u);
  for (const auto& meeple : still.truth["meeples"]) {
    const auto& b = meeple["bbox_px"];
    const cv::Rect box_px(cv::Point(b[0].get<int>(), b[1].get<int>()),
                          cv::Point(b[2].get<int>() + 1, b[3].get<int>() + 1));
    const cv::Scalar mean = cv::mean(still.picture(box_px));
    const double redness = mean[2] - mean[0];
    const bool red = meeple["colour"] == "red";
    // Ground is never blue and never as red as a red figure.
    EXPECT_EQ(redness > 25, red) << meeple.dump() << " mean " << mean;
  }
}

INSTANTIATE_TEST_SUITE_P(Levels, Stills,
                         testing::Values(Level::kEasy, Level::kMedium, Level::kHard),
                         [](const auto& level) { return std::string(NameOf(level.param)); });

TEST(Still, IsTheSameAgain) {
  TileBox box(BaseSet(), 1);
  StillPlan plan;
  plan.turns = 3;
  plan.size_px = {320, 180};
  const Still a = MakeStill(plan, &box), b = MakeStill(plan, &box);
  EXPECT_EQ(cv::norm(a.picture, b.picture, cv::NORM_INF), 0);
  EXPECT_EQ(a.truth, b.truth);
}

TEST(Still, CarriesSpecialFiguresAndClutter) {
  TileBox box(BaseSet(), 5);
  StillPlan plan;
  plan.size_px = {640, 360};
  const Still plain = MakeStill(plan, &box);
  plan.special = 5, plan.clutter = 5;
  const Still still = MakeStill(plan, &box);
  std::map<std::string, int> kinds, clutter;
  for (const auto& meeple : still.truth["meeples"]) {
    if (meeple["figure"] != "follower") ++kinds[meeple["figure"]];
  }
  for (const auto& thing : still.truth["clutter"]) {
    ++clutter[thing["what"]];
    // Something else than before lies in its middle.
    const auto& box_px = thing["bbox_px"];
    const cv::Rect whole({}, still.picture.size());
    const cv::Point at(static_cast<int>((box_px[0].get<double>() + box_px[2].get<double>()) / 2),
                       static_cast<int>((box_px[1].get<double>() + box_px[3].get<double>()) / 2));
    const cv::Rect middle = cv::Rect(at - cv::Point(1, 1), cv::Size(3, 3)) & whole;
    if (middle.empty()) continue;
    EXPECT_GT(cv::norm(still.picture(middle), plain.picture(middle), cv::NORM_INF), 8)
        << thing["what"];
  }
  const std::map<std::string, int> all = {
      {"abbot", 1}, {"prophet", 1}, {"ark", 2}, {"gingerbread-man", 1}};
  EXPECT_EQ(kinds, all);
  EXPECT_EQ(clutter.size(), 5u);
}

TEST(Enrolment, ShowsEveryTypeUpright) {
  TileBox box(BaseSet(), 1);
  const Still still = MakeEnrolment({.size_px = {960, 540}}, &box);
  ASSERT_EQ(still.truth["tiles"].size(), 24u);
  for (const auto& tile : still.truth["tiles"]) {
    const int type = box.tiles().Find(tile["tile"].get<std::string>());
    const cv::Mat printed = services::PaintCopy(box.tiles().types()[static_cast<std::size_t>(type)],
                                                0, 1, kCutOutSide_px);
    EXPECT_GT(Likeness(CutOut(still.picture, tile["canonical_corners_px"]), printed), 0.75);
  }
}

TEST(Recording, TellsLooksFromHands) {
  TileBox box(BaseSet(), 1);
  RecordingPlan plan;
  plan.game.turns = 3;
  plan.game.seed = 42;
  plan.size_px = {320, 180};
  plan.look_frames = 2;
  plan.way_frames = 2;
  plan.mistakes = {2};
  std::vector<cv::Mat> frames;
  std::vector<FrameNote> notes;
  const auto truth = Record(plan, &box, [&](const cv::Mat& frame, const FrameNote& note) {
    frames.push_back(frame.clone());
    notes.push_back(note);
  });
  ASSERT_EQ(truth["frame_count"], frames.size());
  ASSERT_EQ(truth["turns"].size(), 3u);
  ASSERT_EQ(truth["mistakes"].size(), 1u);
  EXPECT_EQ(truth["mistakes"][0]["code"], "edge-mismatch");
  for (std::size_t i = 0; i < frames.size(); ++i) {
    bool in_look = false;
    for (const auto& look : truth["looks"]) {
      in_look |=
          look["first_frame"].get<std::size_t>() <= i && i <= look["last_frame"].get<std::size_t>();
    }
    EXPECT_EQ(notes[i].settled, in_look) << i;
    if (i == 0) continue;
    // A look changes by noise only; a hand changes much.
    const double change = cv::norm(frames[i], frames[i - 1], cv::NORM_L1) /
                          static_cast<double>(frames[i].total() * 3);
    if (notes[i].settled && notes[i - 1].settled && notes[i].look == notes[i - 1].look) {
      EXPECT_LT(change, 3) << i;
    } else {
      EXPECT_GT(change, 1.0) << i << " " << notes[i].what;
    }
  }
}

TEST(WholeGame, AtAHostileTableTheSameGameIsPlayedBeforeAnotherCamera) {
  TileBox box(BaseSet(), 5);
  WholeGamePlan plan;
  plan.story.preset = "c1";
  plan.story.players = 4;
  plan.story.turns = 8;
  plan.story.mistakes = 0;
  plan.level = Level::kEasy;
  plan.size_px = {320, 180};
  const auto play = [&](bool hostile, int* lingering) {
    plan.hostile = hostile;
    return PictureGame(plan, &box, [&](const cv::Mat&, const FrameNote& note) {
      EXPECT_FALSE(note.settled && note.what == "hand lingers");
      *lingering += note.what == "hand lingers" ? 1 : 0;
    });
  };
  int usual_hands = 0, hostile_hands = 0;
  const nlohmann::json usual = play(false, &usual_hands), hostile = play(true, &hostile_hands);
  EXPECT_EQ(usual["turns"], hostile["turns"]);
  EXPECT_EQ(usual_hands, 0);
  EXPECT_GT(hostile_hands, 0);
  // As wide a lens as no usual table has.
  const auto wide = [](const nlohmann::json& truth) { return truth["camera"]["fx"].get<double>(); };
  EXPECT_LT(wide(hostile), wide(usual));
}

}  // namespace
}  // namespace tilewarden::virtual_table
