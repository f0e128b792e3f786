// The score track as the reader sees it, on pictures of the virtual table. How often
// it is right, score_track_evaluation tells.
#include "tests/virtual_table/scene/score_track.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "opencv2/imgproc.hpp"
#include "vision/track/score_track_reader.h"

namespace tilewarden::vision {
namespace {

namespace vt = virtual_table;

vt::TrackPlan Plan(std::vector<vt::TrackMarker> markers, double tilt_deg = 15,
                   std::uint64_t seed = 12) {
  vt::TrackPlan plan;
  plan.size_px = {1280, 720};
  plan.across_mm = 620;
  plan.markers = std::move(markers);
  plan.tilt_deg = tilt_deg;
  plan.seed = seed;
  return plan;
}

Options Players() {
  Options options;
  options.colours = {"red", "blue", "yellow", "green"};
  return options;
}

std::optional<SightedScoreTrack> Read(ScoreTrackReader& reader, const cv::Mat& picture,
                                      std::int64_t time_ms = 0) {
  return reader.Read(picture, PicturePyramid(picture), time_ms, {}, Players());
}
std::optional<SightedScoreTrack> ReadOnce(const cv::Mat& picture) {
  ScoreTrackReader reader;
  return Read(reader, picture);
}

// Field by colour, of the markers that are told.
std::map<std::string, int> FieldsOf(const SightedScoreTrack& track) {
  std::map<std::string, int> fields;
  for (const SightedMarker& marker : track.markers) {
    if (marker.probability < 0.5) continue;
    EXPECT_FALSE(fields.contains(marker.colours.front().colour));
    fields[marker.colours.front().colour] = marker.fields.front().field;
  }
  return fields;
}
using Fields = std::map<std::string, int>;

TEST(ScoreTrackReaderTest, FindsTheTrackFromAnySideToAMillimetreAndAHalf) {
  for (const double tilt_deg : {0.0, 25.0, 48.0}) {
    SCOPED_TRACE(tilt_deg);
    const vt::TrackPicture made =
        vt::MakeTrackPicture(Plan({}, tilt_deg, 20 + static_cast<std::uint64_t>(tilt_deg)));
    const auto track = ReadOnce(made.picture);
    ASSERT_TRUE(track.has_value());
    EXPECT_TRUE(track->markers.empty());
    EXPECT_TRUE(track->hidden_fields.empty());
    const double px_per_mm = cv::norm(made.corners_px[1] - made.corners_px[0]) / 186;
    for (std::size_t c = 0; c < 4; ++c) {
      const cv::Point2d seen(track->corners_px[c].x, track->corners_px[c].y);
      EXPECT_LT(cv::norm(seen - made.corners_px[c]), 1.5 * px_per_mm);
    }
  }
}

TEST(ScoreTrackReaderTest, TellsColourFieldAndPose) {
  const vt::TrackPicture made = vt::MakeTrackPicture(
      Plan({{"red", 3, false}, {"blue", 17, true}, {"yellow", 29, false}, {"green", 44, true}}));
  const auto track = ReadOnce(made.picture);
  ASSERT_TRUE(track.has_value());
  EXPECT_EQ(FieldsOf(*track), (Fields{{"red", 3}, {"blue", 17}, {"yellow", 29}, {"green", 44}}));
  for (const SightedMarker& marker : track->markers) {
    const std::string& colour = marker.colours.front().colour;
    EXPECT_EQ(marker.standing_probability < 0.5, colour == "blue" || colour == "green") << colour;
  }
}

TEST(ScoreTrackReaderTest, MarkersMayShareAField) {
  const vt::TrackPicture made = vt::MakeTrackPicture(
      Plan({{"red", 20, false}, {"blue", 20, false}, {"yellow", 7, false}, {"green", 8, false}}));
  const auto track = ReadOnce(made.picture);
  ASSERT_TRUE(track.has_value());
  EXPECT_EQ(FieldsOf(*track), (Fields{{"red", 20}, {"blue", 20}, {"yellow", 7}, {"green", 8}}));
}

TEST(ScoreTrackReaderTest, UnderAPaperNothingIsTold) {
  vt::TrackPlan plan = Plan({{"red", 30, false}, {"blue", 5, false}});
  plan.covered = 30;
  const vt::TrackPicture made = vt::MakeTrackPicture(plan);
  ASSERT_TRUE(made.hidden[0]);
  const auto track = ReadOnce(made.picture);
  ASSERT_TRUE(track.has_value());
  EXPECT_EQ(FieldsOf(*track), (Fields{{"blue", 5}}));
  const std::vector<int>& hidden = track->hidden_fields;
  for (const int field : {28, 29, 30, 31, 32}) {
    EXPECT_TRUE(std::binary_search(hidden.begin(), hidden.end(), field)) << field;
  }
  for (const int field : {0, 5, 10}) {
    EXPECT_FALSE(std::binary_search(hidden.begin(), hidden.end(), field)) << field;
  }
}

TEST(ScoreTrackReaderTest, FollowsAMarkerThatMovesAndASheetThatIsTakenAway) {
  ScoreTrackReader reader;
  const cv::Mat before =
      vt::MakeTrackPicture(Plan({{"red", 3, false}, {"blue", 17, false}})).picture;
  ASSERT_EQ(FieldsOf(*Read(reader, before)), (Fields{{"red", 3}, {"blue", 17}}));
  const cv::Mat after =
      vt::MakeTrackPicture(Plan({{"red", 9, false}, {"blue", 17, false}})).picture;
  ASSERT_EQ(FieldsOf(*Read(reader, after, 1000)), (Fields{{"red", 9}, {"blue", 17}}));
  const cv::Mat table(after.size(), CV_8UC3, cv::Scalar(60, 90, 120));
  EXPECT_FALSE(Read(reader, table, 2000).has_value());
  // It is looked for again, but not in every frame.
  EXPECT_FALSE(Read(reader, after, 3000).has_value());
  EXPECT_EQ(FieldsOf(*Read(reader, after, 9000)), (Fields{{"red", 9}, {"blue", 17}}));
}

}  // namespace
}  // namespace tilewarden::vision
