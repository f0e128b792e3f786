// The score track: told is who forgot to move, and nothing that is not sure.
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "engine/referee/referee.h"
#include "gtest/gtest.h"
#include "tests/engine/referee/simulated_table.h"

namespace tilewarden::engine {
namespace {

class ScoreTrackTest : public testing::Test {
 protected:
  ScoreTrackTest()
      : tiles_(*TileSet::Load("base.c1")),
        table_(tiles_, NoErrors(), 1),
        referee_(*Referee::Create(tiles_, *Rules::Preset("c1"), {"red", "blue"}, false, &log_)) {
    table_.tiles.push_back({{0, 0}, tiles_->start_tile(), 0});
    Look();
    Stand("red", 0);
    Stand("blue", 0);
  }

  void Observe(Sighting sighting) {
    sighting.time_ms = time_ms_ += 1000;
    sighting.score_track = track_;
    for (Event& event : referee_.Observe(sighting)) log_.push_back(std::move(event));
  }
  void Look(int looks = 1) {
    for (int i = 0; i < looks; ++i) Observe(table_.Look());
  }
  // The next tile of a road that goes on to the east, by whoever's turn it is.
  void PlayTile() {
    Turn turn;
    turn.tile = tiles_->Find("B.U");
    turn.cell = {++east_, 0};
    Observe(table_.Look(turn.cell));
    table_.Lay(turn);
    Look();
    ASSERT_EQ(referee_.game()->turns().size(), static_cast<std::size_t>(east_));
  }
  void Score(const std::string& colour, int points) {
    auto judged = referee_.ChangePoints(colour, points, "as if scored");
    ASSERT_TRUE(std::holds_alternative<std::vector<Event>>(judged));
    for (Event& event : std::get<std::vector<Event>>(judged)) log_.push_back(std::move(event));
  }
  SightedMarker& Stand(const std::string& colour, int field, double standing = 0.98) {
    if (!track_) track_.emplace();
    std::erase_if(track_->markers,
                  [&](const SightedMarker& m) { return m.colours[0].colour == colour; });
    return track_->markers.emplace_back(
        SightedMarker{{{field, 0.97}}, {{colour, 0.98}}, standing, 0.9});
  }
  std::string Told() const {
    std::string told;
    for (const Finding& finding : referee_.findings()) told += finding.text;
    return told;
  }
  // Red has scored and does not move; the next tiles are laid.
  void RedForgets(int points) {
    PlayTile();
    Score("red", points);
    Look();
    PlayTile();
    Look(kEnough);
  }

  static constexpr int kEnough = 8;
  std::shared_ptr<const TileSet> tiles_;
  SimulatedTable table_;
  std::vector<Event> log_;
  Referee referee_;
  std::optional<SightedScoreTrack> track_;
  std::int64_t time_ms_ = 0;
  int east_ = 0;
};

TEST_F(ScoreTrackTest, TellsWhoForgotToMoveAndTakesItBackOnceMoved) {
  RedForgets(17);
  ASSERT_EQ(referee_.findings().size(), 1u);
  const Finding& finding = referee_.findings()[0];
  EXPECT_EQ(finding.code, "score-track");
  EXPECT_EQ(finding.severity, Severity::kNote);
  EXPECT_EQ(finding.text,
            "The red marker is on 0 of the score track, but red has 17 points: move it to 17.");
  EXPECT_EQ(finding.marker->points, 17);
  Stand("red", 17);
  Look();
  EXPECT_EQ(Told(), "");
}

TEST_F(ScoreTrackTest, ScoresAreNeverChangedByIt) {
  RedForgets(17);
  for (const PlayerState& player : referee_.game()->players()) EXPECT_EQ(player.score, 0);
  EXPECT_EQ(referee_.points_by_hand().size(), 1u);
}

TEST_F(ScoreTrackTest, WaitsUntilTheNextTurnHasBegunAndALittleLonger) {
  PlayTile();
  Score("red", 17);
  Look(3 * kEnough);
  EXPECT_EQ(Told(), "") << "the next turn has not begun";
  PlayTile();
  Look();
  EXPECT_EQ(Told(), "") << "people are still moving";
  Look(kEnough);
  EXPECT_NE(Told(), "");
}

TEST_F(ScoreTrackTest, WhoMovesWhileTheNextTileIsLaidIsLeftInPeace) {
  PlayTile();
  Score("red", 6);
  PlayTile();
  Look(2);
  Stand("red", 3);  // step by step
  Look(2);
  Stand("red", 6);
  Look(kEnough);
  PlayTile();
  Look(kEnough);
  EXPECT_EQ(Told(), "");
}

TEST_F(ScoreTrackTest, WhoWasQuickerThanTheCameraIsLeftInPeace) {
  PlayTile();
  Stand("red", 9);
  Look(kEnough);
  EXPECT_EQ(Told(), "");
  Score("red", 9);
  PlayTile();
  Look(kEnough);
  EXPECT_EQ(Told(), "");
}

TEST_F(ScoreTrackTest, AMarkerThatWentTooFarIsToldToo) {
  PlayTile();
  Stand("red", 9);
  Look();
  PlayTile();
  Look(kEnough);
  EXPECT_EQ(Told(),
            "The red marker is on 9 of the score track, but red has 0 points: move it to 0.");
}

TEST_F(ScoreTrackTest, FromFiftyOnTheTrackBeginsAgainStandingOrLying) {
  Stand("red", 17);
  RedForgets(67);
  EXPECT_EQ(Told(), "") << "the rounds may be marked beside the ring";
  Stand("red", 17, 0.02);
  Look(kEnough);
  EXPECT_EQ(Told(), "");
  Stand("red", 16, 0.02);
  Look();
  PlayTile();
  Look(kEnough);
  EXPECT_EQ(Told(),
            "The red marker is on 16 of the score track, but red has 67 points: move it to 17.");
}

TEST_F(ScoreTrackTest, AMarkerThatFellOverIsTold) {
  Stand("red", 17);
  RedForgets(17);
  Stand("red", 17, 0.02);
  Look();
  PlayTile();
  Look(kEnough);
  EXPECT_EQ(Told(),
            "The red marker is lying down on the score track, which adds 50 points, but red has 17 "
            "points: stand it up.");
  Stand("red", 17, 0.5);
  Look();
  EXPECT_EQ(Told(), "") << "it is no longer sure";
}

TEST_F(ScoreTrackTest, NothingIsToldOfWhatIsNotSure) {
  Stand("red", 0).colours = {{"red", 0.6}, {"blue", 0.4}};
  RedForgets(17);
  EXPECT_EQ(Told(), "") << "its colour is not clear";
  Stand("red", 0).fields = {{0, 0.6}, {1, 0.4}};
  Look(kEnough);
  EXPECT_EQ(Told(), "") << "its field is not clear";
  Stand("red", 0).probability = 0.3;
  Look(kEnough);
  EXPECT_EQ(Told(), "") << "it may be nothing";
}

TEST_F(ScoreTrackTest, TwoOfOneColourAndColoursThatDoNotPlayAreLeftOut) {
  Stand("red", 0);
  track_->markers.push_back(track_->markers.back());
  track_->markers.back().fields = {{17, 0.97}};
  Stand("pink", 30);
  RedForgets(17);
  EXPECT_EQ(Told(), "");
}

TEST_F(ScoreTrackTest, AHiddenMarkerIsNoMistake) {
  track_->markers.clear();
  RedForgets(17);
  EXPECT_EQ(Told(), "");
  Stand("red", 0);
  track_->hidden_fields = {16, 17, 18};
  Look();
  PlayTile();
  Look(kEnough);
  EXPECT_EQ(Told(), "") << "it may be another red figure: the marker may stand where nobody sees";
}

TEST_F(ScoreTrackTest, WhatWasToldStandsWhileTheMarkerIsHiddenAndGoesWithTheTrack) {
  RedForgets(17);
  track_->markers.clear();
  Look(2);
  EXPECT_NE(Told(), "");
  track_.reset();
  Look();
  EXPECT_EQ(Told(), "");
}

TEST_F(ScoreTrackTest, WhatWasToldStandsAfterARestart) {
  RedForgets(17);
  auto restored = Referee::Restore(tiles_, log_);
  ASSERT_TRUE(restored.ok()) << restored.status();
  referee_ = *std::move(restored);
  Look(2);
  EXPECT_NE(Told(), "");
  Stand("red", 17);
  Look();
  EXPECT_EQ(Told(), "");
}

}  // namespace
}  // namespace tilewarden::engine
