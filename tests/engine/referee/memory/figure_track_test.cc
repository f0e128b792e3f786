#include "engine/referee/memory/figure_track.h"

#include "gtest/gtest.h"

namespace tilewarden::engine {
namespace {

SightedFigure Seen(const char* colour, double probability) {
  SightedFigure figure;
  figure.colours = {{colour, probability}};
  return figure;
}

TEST(FigureTrack, TheColourThatMostLooksShowedLeads) {
  FigureTrack track;
  track.Saw(Seen("red", 0.9), 1);
  track.Saw(Seen("red", 0.9), 2);
  track.Saw(Seen("blue", 0.6), 3);
  EXPECT_GT(track.LeadOf("red"), 0);
  EXPECT_LT(track.LeadOf("blue"), 0);
}

TEST(FigureTrack, AFigureOfTheGameIsNoNewOneAtItsFirstLook) {
  FigureTrack track;
  track.Expect("red");
  EXPECT_EQ(track.looks(), 1);
  track.Saw(Seen("blue", 0.6), 1);
  EXPECT_GT(track.LeadOf("red"), 0);
  track.Expect("green");
  EXPECT_FALSE(track.log_colours().contains("green"));
}

TEST(FigureTrack, AFigureThatWasMissedBeforeIsMissedMoreOften) {
  FigureTrack steady, flickering;
  for (std::uint64_t i = 1; i <= 9; ++i) {
    steady.Saw(Seen("red", 0.9), i);
    if (i % 3 == 0) flickering.Miss();
    if (i % 3 != 0) flickering.Saw(Seen("red", 0.9), i);
  }
  EXPECT_TRUE(flickering.Missing());
  flickering.Saw(Seen("red", 0.9), 10);
  EXPECT_FALSE(flickering.Missing());
  EXPECT_GT(flickering.MissRate(0.01), steady.MissRate(0.01));
  EXPECT_GT(steady.MissRate(0.1), steady.MissRate(0.01));
}

TEST(FigureTrack, SegmentsAddUpUntilAHandMayHaveMovedIt) {
  FigureTrack track;
  track.AddSegments({0.9, 0.1});
  track.AddSegments({0.9, 0.1});
  ASSERT_EQ(track.log_segments().size(), 2U);
  EXPECT_GT(track.log_segments()[0], track.log_segments()[1]);
  track.ForgetSegments();
  EXPECT_TRUE(track.log_segments().empty());
}

TEST(FigureTrack, OnlyAClearPoseIsRemembered) {
  FigureTrack track;
  track.SeenInPose(0.7, 1);
  EXPECT_EQ(track.LastInPose(), 0U);
  track.SeenInPose(0.95, 2);
  track.SeenInPose(0.1, 3);
  EXPECT_EQ(track.LastInPose(), 2U);
}

TEST(FigureTrack, TellsHowClearItsPlaceWasBefore) {
  FigureTrack track;
  EXPECT_EQ(track.SeenInPlace(0.4, 1), 0);
  EXPECT_EQ(track.SeenInPlace(0.2, 2), 0.4);
  EXPECT_EQ(track.SeenInPlace(0.9, 3), 0.4);
  EXPECT_EQ(track.LastInPlace(), 3U);
}

}  // namespace
}  // namespace tilewarden::engine
