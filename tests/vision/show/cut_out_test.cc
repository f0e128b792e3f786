// Small parts of straightened pictures.
#include "vision/show/cut_out.h"

#include <vector>

#include "gtest/gtest.h"
#include "opencv2/core.hpp"
#include "opencv2/imgcodecs.hpp"

namespace tilewarden::vision {
namespace {

constexpr int kCell_px = 60;
const cv::Scalar kRed(20, 20, 200);

std::string Jpeg(const cv::Mat& picture) {
  std::vector<unsigned char> jpeg;
  cv::imencode(".jpg", picture, jpeg, {cv::IMWRITE_JPEG_QUALITY, 92});
  return {jpeg.begin(), jpeg.end()};
}

// Four cells by three, grey, one of them red.
std::string RedCell(int x, int y) {
  cv::Mat picture(3 * kCell_px, 4 * kCell_px, CV_8UC3, cv::Scalar(90, 90, 90));
  picture(cv::Rect(x * kCell_px, y * kCell_px, kCell_px, kCell_px)) = kRed;
  return Jpeg(picture);
}

cv::Mat Opened(const std::optional<std::string>& jpeg) {
  EXPECT_TRUE(jpeg.has_value());
  if (!jpeg) return {};
  return cv::imdecode(std::vector<unsigned char>(jpeg->begin(), jpeg->end()), cv::IMREAD_COLOR);
}

void ExpectRed(const cv::Mat& picture) {
  ASSERT_FALSE(picture.empty());
  const cv::Scalar mean = cv::mean(picture);
  for (int channel = 0; channel < 3; ++channel) EXPECT_NEAR(mean[channel], kRed[channel], 15);
}

TEST(CutOut, IsTheAreaOfThePictureThatWasTurned) {
  // Cell (3, 0) of four by three, turned clockwise, lies in its row 3 and column 2 of three.
  const struct {
    int turns;
    double x, y;
  } cases[] = {{0, 3, 0}, {1, 2, 3}, {2, 0, 2}, {3, 0, 0}};
  for (const auto& c : cases) {
    SCOPED_TRACE(c.turns);
    const cv::Mat cut = Opened(CutOut(RedCell(3, 0), 4, 3, c.turns, {c.x, c.y, 1, 1}));
    EXPECT_EQ(cut.size(), cv::Size(kCell_px, kCell_px)) << "as it was: it is small enough";
    ExpectRed(cut);
  }
}

TEST(CutOut, PartsOfCellsCanBeCut) {
  const cv::Mat cut = Opened(CutOut(RedCell(1, 1), 4, 3, 0, {0.5, 0.5, 2, 2}));
  ASSERT_EQ(cut.size(), cv::Size(2 * kCell_px, 2 * kCell_px));
  ExpectRed(cut(cv::Rect(kCell_px / 2 + 3, kCell_px / 2 + 3, kCell_px - 6, kCell_px - 6)));
  EXPECT_NEAR(cv::mean(cut(cv::Rect(0, 0, 25, 25)))[2], 90, 15);
}

TEST(CutOut, StaysSmall) {
  cv::Mat noise(1200, 1600, CV_8UC3);
  cv::randu(noise, 0, 255);  // compresses badly
  const CutOutOptions options;
  const auto jpeg = CutOut(Jpeg(noise), 16, 12, 0, {0, 0, 16, 12}, options);
  ASSERT_TRUE(jpeg.has_value());
  EXPECT_LE(jpeg->size(), options.most_bytes);
  EXPECT_GT(jpeg->size(), options.most_bytes / 4) << "and no smaller than it must be";
  const cv::Mat cut = Opened(jpeg);
  EXPECT_LE(cut.cols, options.largest_px);
  EXPECT_NEAR(static_cast<double>(cut.cols) / cut.rows, 16.0 / 12, 0.02);
}

TEST(CutOut, NothingOfWhatIsNoPictureOrLiesElsewhere) {
  const std::string jpeg = RedCell(0, 0);
  EXPECT_FALSE(CutOut("a picture", 4, 3, 0, {0, 0, 1, 1}).has_value());
  EXPECT_FALSE(CutOut("", 4, 3, 0, {0, 0, 1, 1}).has_value());
  EXPECT_FALSE(CutOut(jpeg.substr(0, 20), 4, 3, 0, {0, 0, 1, 1}).has_value());
  EXPECT_FALSE(CutOut(jpeg, 4, 3, 0, {3.5, 0, 1, 1}).has_value());
  EXPECT_FALSE(CutOut(jpeg, 4, 3, 1, {3, 0, 1, 1}).has_value()) << "turned, it has three columns";
  EXPECT_FALSE(CutOut(jpeg, 4, 3, 0, {-1, 0, 1, 1}).has_value());
  EXPECT_FALSE(CutOut(jpeg, 4, 3, 0, {0, 0, 0, 1}).has_value());
}

TEST(CutOut, APictureThatClaimsToBeHugeIsNotOpened) {
  std::string jpeg = RedCell(0, 0);
  const std::size_t frame = jpeg.find("\xFF\xC0");
  ASSERT_NE(frame, std::string::npos);
  for (const std::size_t at : {5u, 7u}) jpeg.replace(frame + at, 2, "\x7F\xFF");
  EXPECT_FALSE(CutOut(jpeg, 4, 3, 0, {0, 0, 1, 1}).has_value());
}

}  // namespace
}  // namespace tilewarden::vision
