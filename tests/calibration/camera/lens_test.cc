// The lens from looks at the board: corners where they are, refusals with their
// reasons, guidance, and a fit that says honestly how good it is.
#include "calibration/camera/lens.h"

#include <cmath>
#include <string>
#include <vector>

#include "calibration/camera/board_look.h"
#include "calibration/camera/lens_guide.h"
#include "calibration/camera/lens_solver.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "opencv2/calib3d.hpp"
#include "opencv2/imgproc.hpp"
#include "tests/calibration/camera/rendered_looks.h"

namespace tilewarden::calibration {
namespace {

using ::testing::HasSubstr;

constexpr int kWidth = 960, kHeight = 540;

class BoardPictureTest : public testing::Test {
 protected:
  Sheet Held(int place, Tilt tilt) {
    return HeldBoard(BoardSheet(board_), board_, {place, tilt, ""}, lens_, &rng_);
  }
  cv::Mat Picture(int place, Tilt tilt) {
    held_ = Held(place, tilt);
    return photographer_.Take({held_}, {}, 5);
  }
  std::vector<cv::Point2f> TrueCorners(const BoardLook& look) const {
    cv::Vec3d turn;
    cv::Rodrigues(held_.r, turn);
    std::vector<cv::Point2f> corners;
    cv::projectPoints(look.corners_mm, turn, held_.t, lens_.CameraMatrix(), lens_.Distortion(),
                      corners);
    return corners;
  }

  const BoardLayout board_;
  const Lens lens_ = SomeLens(3, {kWidth, kHeight});
  const Photographer photographer_{lens_};
  cv::RNG rng_{77};
  Sheet held_;
};

TEST_F(BoardPictureTest, CornersAreFoundToATenthOfAPixel) {
  for (const Tilt tilt : {Tilt::kNone, Tilt::kLeft, Tilt::kTop}) {
    const auto look = FindBoard(Picture(4, tilt), board_);
    ASSERT_TRUE(look.ok()) << look.status();
    EXPECT_GE(look->ids.size(), 25u);
    const auto truth = TrueCorners(*look);
    double sum = 0;
    cv::Point2d mean;
    for (std::size_t i = 0; i < truth.size(); ++i) {
      const cv::Point2d off = look->corners_px[i] - truth[i];
      sum += off.dot(off);
      mean += off / static_cast<double>(truth.size());
    }
    EXPECT_LT(std::sqrt(sum / static_cast<double>(truth.size())), 0.1);
    EXPECT_LT(cv::norm(mean), 0.03) << "all corners are off to one side";
  }
}

TEST_F(BoardPictureTest, TiltIsToldByTheSideThatIsFartherAway) {
  for (const Tilt tilt : {Tilt::kNone, Tilt::kLeft, Tilt::kRight, Tilt::kTop, Tilt::kBottom}) {
    const auto look = FindBoard(Picture(4, tilt), board_);
    ASSERT_TRUE(look.ok()) << look.status();
    EXPECT_EQ(TiltOf(*look), tilt);
  }
}

TEST_F(BoardPictureTest, PictureWithoutABoardIsRefused) {
  const auto look = FindBoard(photographer_.Take({}, {}, 1), board_);
  EXPECT_EQ(look.status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(look.status().message(), HasSubstr("no board in the picture"));
}

TEST_F(BoardPictureTest, AnotherBoardIsRefused) {
  for (const char* other : {"5x7", "8x6", "3x4"}) {
    const auto look = FindBoard(Picture(4, Tilt::kNone), *ParseBoard(other));
    EXPECT_EQ(look.status().code(), absl::StatusCode::kInvalidArgument) << other;
    EXPECT_THAT(look.status().message(), HasSubstr("--board"));
  }
}

TEST_F(BoardPictureTest, BlurredPictureIsRefused) {
  cv::Mat picture = Picture(4, Tilt::kNone), out_of_focus, moved;
  cv::GaussianBlur(picture, out_of_focus, {}, 2.2);
  // Moved by nine pixels while it was taken.
  cv::blur(picture, moved, {9, 1});
  for (const cv::Mat& blurred : {out_of_focus, moved}) {
    const auto look = FindBoard(blurred, board_);
    EXPECT_EQ(look.status().code(), absl::StatusCode::kFailedPrecondition);
    EXPECT_THAT(look.status().message(), HasSubstr("blurred"));
  }
}

TEST_F(BoardPictureTest, CoveredBoardIsRefused) {
  cv::Mat picture = Picture(4, Tilt::kNone);
  // A sleeve over all but its upper end.
  const auto truth = FindBoard(picture, board_);
  ASSERT_TRUE(truth.ok());
  const cv::Rect all = cv::boundingRect(truth->corners_px);
  const bool lying = all.width > all.height;
  cv::rectangle(picture,
                lying
                    ? cv::Rect(all.x + all.width / 5, 0, kWidth - all.x - all.width / 5, kHeight)
                    : cv::Rect(0, all.y + all.height / 5, kWidth, kHeight - all.y - all.height / 5),
                cv::Scalar(90, 100, 140), cv::FILLED);
  const auto look = FindBoard(picture, board_);
  EXPECT_EQ(look.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(look.status().message(), HasSubstr("corners of the board are clear"));
}

TEST_F(BoardPictureTest, GlareOnATabletIsRefusedAndALittlePullsNoCorner) {
  const cv::Mat picture = Picture(4, Tilt::kNone);
  const auto clear = FindBoard(picture, board_);
  ASSERT_TRUE(clear.ok());
  const cv::Rect all = cv::boundingRect(clear->corners_px);
  const cv::Point middle = (all.tl() + all.br()) / 2;
  // A lamp that its glass shows, burnt out in the middle and soft at the rim.
  const auto with_lamp = [&](double share) {
    cv::Mat lamp(picture.size(), CV_8UC3, cv::Scalar::all(0));
    cv::ellipse(lamp, middle, {cvRound(share * all.width), cvRound(share * all.height)}, 0, 0, 360,
                cv::Scalar::all(255), cv::FILLED);
    cv::GaussianBlur(lamp, lamp, {}, 6);
    return cv::Mat(picture + lamp);
  };
  const auto refused = FindBoard(with_lamp(0.62), board_);
  EXPECT_EQ(refused.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(refused.status().message(), HasSubstr("without glare"));
  const auto look = FindBoard(with_lamp(0.2), board_);
  ASSERT_TRUE(look.ok()) << look.status();
  EXPECT_LT(look->ids.size(), clear->ids.size());
  const auto truth = TrueCorners(*look);
  for (std::size_t i = 0; i < truth.size(); ++i) {
    EXPECT_LT(cv::norm(look->corners_px[i] - truth[i]), 0.3) << look->ids[i];
  }
}

// A look without a picture: corners where the lens has them, and some noise.
BoardLook Look(const Lens& lens, const LensGuide::Wish& wish, double noise_px, cv::RNG* rng) {
  const BoardLayout board;
  const Sheet held = HeldBoard(BoardSheet(board), board, wish, lens, rng);
  cv::Vec3d turn;
  cv::Rodrigues(held.r, turn);
  const auto all = ToCharuco(board)->chessboardCorners;
  std::vector<cv::Point2f> seen;
  cv::projectPoints(all, turn, held.t, lens.CameraMatrix(), lens.Distortion(), seen);
  BoardLook look{lens.size_px, {}, {}, {}};
  for (std::size_t i = 0; i < all.size(); ++i) {
    seen[i] += cv::Point2f(static_cast<float>(rng->gaussian(noise_px)),
                           static_cast<float>(rng->gaussian(noise_px)));
    if (!cv::Rect2f({}, cv::Size2f(lens.size_px)).contains(seen[i])) continue;
    look.ids.push_back(static_cast<int>(i));
    look.corners_px.push_back(seen[i]);
    look.corners_mm.push_back(all[i]);
  }
  return look;
}

LensGuide Guided(const Lens& lens, double noise_px, std::uint64_t seed) {
  cv::RNG rng(seed);
  LensGuide guide;
  for (int n = 0; n < 60 && guide.Progress() < 1; ++n) {
    const BoardLook look = Look(lens, guide.Next(), noise_px, &rng);
    if (look.ids.size() >= kFewestCorners) guide.Add(look).IgnoreError();
  }
  return guide;
}

TEST(LensGuideTest, WhoDoesWhatItSaysIsThroughWithEverythingSeen) {
  const LensGuide guide = Guided(SomeLens(1, {1920, 1080}), 0.05, 5);
  EXPECT_EQ(guide.Progress(), 1);
  EXPECT_GE(guide.Coverage(), 0.9);
  EXPECT_LE(guide.looks().size(), 30u);
}

TEST(LensGuideTest, ProgressNeverGoesBack) {
  const Lens lens = SomeLens(1, {1920, 1080});
  cv::RNG rng(9);
  LensGuide guide;
  double before = guide.Progress();
  EXPECT_EQ(before, 0);
  for (int n = 0; n < 10; ++n) {
    if (!guide.Add(Look(lens, guide.Next(), 0.05, &rng)).ok()) continue;
    EXPECT_GT(guide.Progress(), before);
    before = guide.Progress();
  }
}

TEST(LensGuideTest, AsksForWhatIsMissing) {
  const Lens lens = SomeLens(1, {1920, 1080});
  cv::RNG rng(11);
  LensGuide guide;
  for (int n = 0; n < 3; ++n) {
    for (const Tilt tilt : {Tilt::kNone, Tilt::kRight, Tilt::kTop, Tilt::kBottom}) {
      guide.Add(Look(lens, {4, tilt, ""}, 0.05, &rng)).IgnoreError();
    }
  }
  EXPECT_EQ(guide.Next().tilt, Tilt::kLeft);
  EXPECT_NE(guide.Next().place, 4);
  EXPECT_THAT(guide.Next().text, HasSubstr("its left side tilted away"));
}

TEST(LensGuideTest, TheSameLookTwiceIsRefused) {
  cv::RNG rng(3);
  const BoardLook look = Look(SomeLens(1, {1920, 1080}), {4, Tilt::kLeft, ""}, 0.05, &rng);
  LensGuide guide;
  ASSERT_TRUE(guide.Add(look).ok());
  const absl::Status again = guide.Add(look);
  EXPECT_EQ(again.code(), absl::StatusCode::kAlreadyExists);
  EXPECT_THAT(again.message(), HasSubstr("already a look like this"));
}

TEST(LensGuideTest, PicturesOfAnotherSizeAreRefused) {
  cv::RNG rng(3);
  LensGuide guide;
  ASSERT_TRUE(guide.Add(Look(SomeLens(1, {1920, 1080}), {4, Tilt::kLeft, ""}, 0, &rng)).ok());
  const absl::Status other =
      guide.Add(Look(SomeLens(1, {1280, 720}), {4, Tilt::kTop, ""}, 0, &rng));
  EXPECT_THAT(other.message(), HasSubstr("1280x720 after one of 1920x1080"));
}

TEST(LensSolverTest, FindsTheLensAndItsHalvesAgree) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Lens lens = SomeLens(seed, {1920, 1080});
    const auto fit = SolveLens(Guided(lens, 0.05, seed).looks());
    ASSERT_TRUE(fit.ok()) << fit.status();
    EXPECT_NEAR(fit->rms_px, 0.05 * std::sqrt(2), 0.02);
    EXPECT_LT(Difference(fit->lens, lens).rms_px, 0.4);
    EXPECT_LT(fit->halves.rms_px, 0.8);
    EXPECT_NE(fit->verdict(), Verdict::kPoor);
  }
}

TEST(LensSolverTest, LensWithMoreTermsIsFoundToo) {
  Lens lens = SomeLens(4, {1920, 1080});
  lens.distortion = {-0.20, 0.08, 0.002, -0.0015, -0.02};
  const auto fit = SolveLens(Guided(lens, 0.03, 4).looks());
  ASSERT_TRUE(fit.ok()) << fit.status();
  EXPECT_LT(fit->rms_px, 0.06);
  EXPECT_LT(Difference(fit->lens, lens).rms_px, 0.5);
}

TEST(LensSolverTest, CornersThatWentAstrayDoNotCount) {
  const Lens lens = SomeLens(2, {1920, 1080});
  std::vector<BoardLook> looks = Guided(lens, 0.03, 6).looks();
  for (std::size_t i = 0; i < looks.size(); i += 3) looks[i].corners_px[4] += cv::Point2f(2, -3);
  const auto fit = SolveLens(looks);
  ASSERT_TRUE(fit.ok()) << fit.status();
  EXPECT_LT(fit->rms_px, 0.06);
  EXPECT_LT(Difference(fit->lens, lens).rms_px, 0.4);
}

TEST(LensSolverTest, BentBoardIsCalledPoor) {
  // The paper bulges: corners are off by some pixels, always in the same way.
  const Lens lens = SomeLens(2, {1920, 1080});
  std::vector<BoardLook> looks = Guided(lens, 0.03, 6).looks();
  cv::RNG rng(1);
  for (BoardLook& look : looks) {
    for (cv::Point2f& p : look.corners_px) {
      p += cv::Point2f(static_cast<float>(rng.gaussian(2)), static_cast<float>(rng.gaussian(2)));
    }
  }
  const auto fit = SolveLens(looks);
  ASSERT_TRUE(fit.ok()) << fit.status();
  EXPECT_EQ(fit->verdict(), Verdict::kPoor);
  EXPECT_THAT(fit->Describe(), HasSubstr("is the board flat"));
}

TEST(LensSolverTest, TooFewViewsAreRefused) {
  std::vector<BoardLook> looks = Guided(SomeLens(2, {1920, 1080}), 0.03, 6).looks();
  looks.resize(5);
  const auto fit = SolveLens(looks);
  EXPECT_EQ(fit.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(fit.status().message(), HasSubstr("5 usable pictures of the board are too few"));
}

TEST(LensTest, DifferenceIsUpToTheTurnOfTheCamera) {
  const Lens lens = SomeLens(5, {1920, 1080});
  EXPECT_LT(Difference(lens, lens).worst_px, 1e-2);
  // A moved centre is a turned camera, but for little in the corners.
  Lens moved = lens;
  moved.cx += 3;
  EXPECT_LT(Difference(lens, moved).rms_px, 0.6);
  // A longer lens is not: one in a hundred is 9.6 px at the picture's side.
  Lens longer = lens;
  longer.focal_px *= 1.01;
  EXPECT_GT(Difference(lens, longer).rms_px, 4);
}

TEST(LensTest, StraightenedPictureShowsPointsWhereMovedHasThem) {
  Lens lens = SomeLens(5, {640, 360});
  lens.distortion = {-0.2, 0.05, 0, 0, 0};
  const std::vector<cv::Point2f> dots = {{80, 60}, {320, 180}, {560, 300}};
  cv::Mat picture(lens.size_px, CV_8UC3, cv::Scalar::all(0));
  for (const auto& dot : dots) cv::circle(picture, dot, 4, cv::Scalar::all(255), cv::FILLED);
  const cv::Mat straight = Straightener(lens).Straight(picture);
  for (const auto& p : Moved(dots, lens, lens.Straight())) {
    EXPECT_GT(straight.at<cv::Vec3b>(cvRound(p.y), cvRound(p.x))[0], 200) << p;
  }
  EXPECT_EQ(straight.at<cv::Vec3b>(60, 80)[0], 0) << "the corner's dot has moved";
  // And back again.
  const auto back = Moved(Moved(dots, lens, lens.Straight()), lens.Straight(), lens);
  for (std::size_t i = 0; i < dots.size(); ++i) EXPECT_LT(cv::norm(back[i] - dots[i]), 0.01);
}

}  // namespace
}  // namespace tilewarden::calibration
