// Special figures and things that are no figures, on rendered tables.
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "engine/tiles/tile_set.h"
#include "gtest/gtest.h"
#include "opencv2/imgcodecs.hpp"
#include "tests/virtual_table/story/still.h"
#include "tests/vision/figures/figure_kinds_scoring.h"
#include "tests/vision/figures/figure_scoring.h"
#include "tests/vision/figures/true_table.h"
#include "vision/figures/figure_forms.h"
#include "vision/figures/figure_kind_network.h"
#include "vision/picture/camera_pose.h"

namespace tilewarden::vision {
namespace {

namespace fs = std::filesystem;
namespace vt = virtual_table;

FigureOutline Seen(FigureForm form, bool standing) {
  CameraPose pose;
  pose.centre = {0, 5};
  pose.height = 12;
  return Outlines(form, pose, {0, 0}, 64, {{standing, 0.3}}).front();
}

TEST(FigureForms, AreOfTheirSizes) {
  for (const bool standing : {true, false}) {
    const int follower = Seen(FigureForm::kFollower, standing).area;
    EXPECT_NEAR(Seen(FigureForm::kProphet, standing).area / (follower * 1.25), 1, 0.12) << standing;
    EXPECT_GT(Seen(FigureForm::kGingerbreadMan, standing).area, 1.2 * follower) << standing;
  }
  // The foot is where it stands, at the far end from where it leans to.
  const FigureOutline card = Seen(FigureForm::kArkCard, true);
  EXPECT_GT(card.foot_px.y, 0.55F * static_cast<float>(card.mask.rows));
}

TEST(FigureForms, OnlyThoseThatTheGameHas) {
  EXPECT_EQ(FormsOf(std::vector<FigureKind>{}), std::vector{FigureForm::kFollower});
  EXPECT_EQ(FormsOf({FigureKind::kArk, FigureKind::kProphet}),
            (std::vector{FigureForm::kFollower, FigureForm::kProphet, FigureForm::kWoodenArk,
                         FigureForm::kArkCard}));
}

// Rows in the order of the kinds; each form is of one kind, and the network has a word for all.
TEST(FigureKinds, AreListedOnce) {
  std::set<FigureForm> forms;
  for (std::size_t i = 0; i < kFigureKinds; ++i) {
    const FigureKindFacts& facts = FigureKinds()[i];
    EXPECT_EQ(static_cast<std::size_t>(facts.kind), i) << facts.name;
    EXPECT_EQ(&FactsOf(facts.kind), &facts);
    EXPECT_LT(facts.told_by, kToldKinds) << facts.name;
    for (const FigureForm form : facts.forms) {
      EXPECT_TRUE(forms.insert(form).second) << facts.name << " and another";
      EXPECT_EQ(KindOf(form), facts.kind) << facts.name;
      EXPECT_GT(Seen(form, true).area, 0) << facts.name << " has no outline";
    }
  }
  EXPECT_TRUE(forms.contains(FigureForm::kLargeFollower)) << "the last one";
}

TEST(UnexpectedKind, IsToldWhereItIsClearAndTheGameIsNotSaidToHaveIt) {
  const auto looks = [](FigureKind kind, double probability) {
    FigureKindAnswer look;
    look.kinds[static_cast<std::size_t>(kind)] = probability;
    look.kinds[static_cast<std::size_t>(FigureKind::kFollower)] += 1 - probability;
    return look;
  };
  const auto told = UnexpectedKind(looks(FigureKind::kAbbot, 0.97), {FigureKind::kProphet});
  ASSERT_TRUE(told);
  EXPECT_EQ(told->kind, FigureKind::kAbbot);
  EXPECT_EQ(told->probability, 0.97);
  EXPECT_FALSE(UnexpectedKind(looks(FigureKind::kAbbot, 0.97), {FigureKind::kAbbot}));
  EXPECT_FALSE(UnexpectedKind(looks(FigureKind::kAbbot, 0.9), {}));
  EXPECT_FALSE(UnexpectedKind(looks(FigureKind::kFollower, 0.5), {}));
}

TEST(FigureKindNetwork, AMissingOrTornFileIsSaid) {
  const auto folder = fs::temp_directory_path() / "tilewarden-figure-kind-network";
  fs::remove_all(folder);
  fs::create_directories(folder);
  EXPECT_EQ(FigureKindNetwork::Load(folder).status().code(), absl::StatusCode::kNotFound);
  std::ofstream(folder / "figure_kind_network.onnx", std::ios::binary) << "no network at all";
  EXPECT_EQ(FigureKindNetwork::Load(folder).status().code(), absl::StatusCode::kDataLoss);
  fs::remove_all(folder);
}

// A floor, not a goal: a board seen from 35 to 40 degrees aside.
TEST(FigureKindNetwork, TellsFromAsideWhetherAFigureStands) {
  const auto folder = fs::temp_directory_path() / "tilewarden-figure-poses";
  fs::remove_all(folder);
  fs::create_directories(folder);
  const auto set = engine::TileSet::Load("base.c1");
  ASSERT_TRUE(set.ok()) << set.status();
  vt::TileBox box(*set, 1020);
  const auto write = [&](const std::string& name, const vt::Still& made) {
    cv::imwrite((folder / (name + ".jpg")).string(), made.picture);
    std::ofstream(folder / (name + ".json")) << made.truth;
    return (folder / (name + ".json")).string();
  };
  vt::StillPlan plan;
  plan.level = vt::Level::kHard;
  plan.seed = 1622;
  plan.turns = 60;
  const std::string types = write("types", vt::MakeEnrolment({}, &box));
  const VirtualStill still = LoadVirtualStill(types, write("still", vt::MakeStill(plan, &box)));
  fs::remove_all(folder);
  absl::StatusOr<FigureKindNetwork> network = FigureKindNetwork::Load();
  ASSERT_TRUE(network.ok()) << network.status();
  const cv::Matx33d& px_from_lattice = still.table.plane.px_from_lattice;
  const CameraPose pose = EstimateCameraPose(px_from_lattice, still.picture.size());
  int right[2] = {}, all[2] = {};
  for (const auto& m : still.truth["meeples"]) {
    const cv::Vec3d q = px_from_lattice.inv() * cv::Vec3d(m["base_px"][0], m["base_px"][1], 1);
    const FigureLook look =
        LookAt(still.picture, px_from_lattice, pose, {q[0] / q[2], q[1] / q[2]}, {200, 210, 220});
    const bool standing = m["kind"] == "standing";
    ++all[standing];
    right[standing] += (network->Tell(look).standing_logit > 0) == standing;
  }
  ASSERT_GE(all[0], 2);
  ASSERT_GE(all[1], 8);
  EXPECT_EQ(right[0], all[0]);
  EXPECT_GE(right[1], all[1] - 1);
}

// Floors, not goals: two boards of the virtual table, with and without special figures in the game.
TEST(FigureKinds, AreToldApartAndClutterIsRefused) {
  const auto folder = fs::temp_directory_path() / "tilewarden-figure-kinds";
  fs::remove_all(folder);
  fs::create_directories(folder);
  const auto set = engine::TileSet::Load("base.c1");
  ASSERT_TRUE(set.ok()) << set.status();
  constexpr std::uint64_t kBox = 1020;
  vt::TileBox box(*set, kBox);
  const auto write = [&](const std::string& name, const vt::Still& still) {
    cv::imwrite((folder / (name + ".jpg")).string(), still.picture, {cv::IMWRITE_JPEG_QUALITY, 92});
    std::ofstream(folder / (name + ".json")) << still.truth;
    return folder / (name + ".json");
  };
  const fs::path types = write("types", vt::MakeEnrolment({}, &box));
  FigureCounts special, plain;
  for (const vt::Level level : {vt::Level::kEasy, vt::Level::kMedium}) {
    vt::StillPlan plan;
    plan.level = level;
    plan.seed = kBox + static_cast<std::uint64_t>(level);
    plan.special = 5, plan.clutter = 5;
    const fs::path still = write("still", vt::MakeStill(plan, &box));
    Telling telling;
    plain.Add(ScoreVirtualStill(types, still, telling));
    telling.special = true;
    special.Add(ScoreVirtualStill(types, still, telling));
  }
  fs::remove_all(folder);
  EXPECT_EQ(special.kinds.Special(), 10);
  EXPECT_GE(special.kinds.ToldApart(), 9);
  EXPECT_LE(special.kinds.FollowersAsSpecial(), 1);
  EXPECT_EQ(special.kinds.Things(), 10);
  EXPECT_LE(special.kinds.TakenForFigures(), 1);
  EXPECT_EQ(plain.kinds.ToldApart() + plain.kinds.FollowersAsSpecial(), 0);
  // Those that nobody expects are told beside their reading, where the look is clear.
  EXPECT_GE(plain.kinds.ToldUnexpected(), 5);
  EXPECT_EQ(plain.kinds.WronglyUnexpected(), 0);
  EXPECT_TRUE(special.kinds.unexpected.empty());
  EXPECT_LE(plain.kinds.TakenForFigures(), 2);
}

}  // namespace
}  // namespace tilewarden::vision
