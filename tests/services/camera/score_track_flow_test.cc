// A game with the score track in use, from the pictures to the finding: vision reads
// them, the contract carries them, the referee tells who forgot to move.
#include <cstddef>
#include <memory>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "engine/referee/referee.h"
#include "gtest/gtest.h"
#include "services/boxes/printable_set.h"
#include "services/convert/convert.h"
#include "tests/virtual_table/story/recording.h"
#include "vision/reader/table_reader.h"

namespace tilewarden::services {
namespace {

constexpr std::size_t kTurns = 8, kFirstForgotten = 5;

TEST(ScoreTrackFlow, ForgottenMarkersAreToldAndThoseThatMoveAreNot) {
  const auto tiles = *engine::TileSet::Load("base.c1");
  virtual_table::TileBox box(tiles, kBundledBox);
  virtual_table::RecordingPlan plan;
  plan.game = {{"red", "blue"}, static_cast<int>(kTurns), 3, 5, 4};
  plan.look_frames = 3;
  plan.way_frames = 1;
  plan.score_track = true;
  plan.size_px = {1600, 900};
  for (std::size_t turn = kFirstForgotten; turn <= kTurns; ++turn) {
    plan.forgotten.push_back(static_cast<int>(turn));
  }

  const auto networks = vision::Networks::Load();
  ASSERT_TRUE(networks.ok()) << networks.status();
  vision::TableReader reader(
      *networks, std::make_shared<const calibration::ReferencePack>(PaintedPack(*tiles, 2)));
  std::vector<engine::Event> log;
  auto referee =
      *engine::Referee::Create(tiles, *engine::Rules::Preset("c1"), plan.game.colours, false, &log);
  std::int64_t time_ms = 0;
  std::set<std::string> told_early, told_late;
  const auto truth =
      virtual_table::Record(plan, &box, [&](const cv::Mat& frame, const virtual_table::FrameNote&) {
        const auto seen = reader.Read(frame, time_ms += 2500);
        ASSERT_TRUE(seen.ok()) << seen.status();
        const auto arrived = FromProto(ToProto(*seen));
        ASSERT_TRUE(arrived.ok()) << arrived.status();
        for (const engine::Event& event : referee.Observe(*arrived)) {
          const auto* raised = std::get_if<engine::FindingRaised>(&event);
          if (raised == nullptr || raised->finding.code != "score-track") continue;
          const bool early = referee.game()->turns().size() < kFirstForgotten;
          (early ? told_early : told_late).insert(raised->finding.text);
        }
      });
  ASSERT_EQ(referee.game()->turns().size(), kTurns);
  // Who scored since, but for the last turn, did not move.
  std::vector<int> before = truth["turns"][kFirstForgotten - 2]["scores"],
                   after = truth["turns"][kTurns - 2]["scores"];
  ASSERT_NE(before, after) << "nobody scored: another seed is needed";
  EXPECT_TRUE(told_early.empty()) << *told_early.begin();
  for (std::size_t p = 0; p < before.size(); ++p) {
    bool told = false;
    for (const std::string& text : told_late) {
      told |= text.find("The " + plan.game.colours[p] + " marker is on " +
                        std::to_string(before[p])) == 0;
    }
    EXPECT_EQ(told, before[p] != after[p]) << plan.game.colours[p];
  }
}

}  // namespace
}  // namespace tilewarden::services
