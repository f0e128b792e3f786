// On which field of the score track a marker stands.
#include "vision/track/score_track_fields.h"

#include <cmath>

#include "calibration/print/score_track.h"
#include "gtest/gtest.h"

namespace tilewarden::vision {
namespace {

// A field of the ring's upper side that is no corner, and its middle.
int OnUpperSide() {
  for (int field = 0; field < calibration::ScoreTrack::kFields; ++field) {
    const cv::Rect2d place = calibration::Field_mm(field);
    const double x = place.x + place.width / 2;
    if (place.y < 1 && std::abs(x - calibration::ScoreTrack::kWidth_mm / 2) < place.width) {
      return field;
    }
  }
  return -1;
}

cv::Point2d MiddleOf(int field) {
  const cv::Rect2d place = calibration::Field_mm(field);
  return (place.tl() + place.br()) / 2;
}

TEST(ScoreTrackFields, AFootIsOnTheFieldBelowIt) {
  for (int field = 0; field < calibration::ScoreTrack::kFields; ++field) {
    const auto fields = FieldsOf(MiddleOf(field), 1);
    ASSERT_FALSE(fields.empty()) << field;
    EXPECT_EQ(fields.front().field, field);
    EXPECT_GT(fields.front().probability, 0.95) << field;
  }
}

TEST(ScoreTrackFields, BetweenTwoFieldsBothAreTold) {
  const int field = OnUpperSide();
  const cv::Point2d between = (MiddleOf(field) + MiddleOf(field + 1)) / 2;
  const auto fields = FieldsOf(between, 1);
  ASSERT_EQ(fields.size(), 2U);
  EXPECT_NEAR(fields[0].probability, 0.5, 0.01);
  EXPECT_NEAR(fields[1].probability, 0.5, 0.01);
}

TEST(ScoreTrackFields, WhoWasPushedOutOfTheRingIsStillOnIt) {
  const int field = OnUpperSide();
  const cv::Point2d rim(MiddleOf(field).x, 0);
  ASSERT_FALSE(FieldsOf(rim - cv::Point2d(0, 6), 1).empty());
  EXPECT_EQ(FieldsOf(rim - cv::Point2d(0, 6), 1).front().field, field);
  EXPECT_TRUE(FieldsOf(rim - cv::Point2d(0, 25), 1).empty()) << "that is beside the sheet's ring";
}

TEST(ScoreTrackFields, TheRingGoesOnFromTheLastFieldToTheFirst) {
  EXPECT_EQ(Near(0), (std::array<int, 5>{48, 49, 0, 1, 2}));
  EXPECT_EQ(Near(25), (std::array<int, 5>{23, 24, 25, 26, 27}));
}

}  // namespace
}  // namespace tilewarden::vision
