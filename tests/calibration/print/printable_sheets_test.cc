// Printed sheets are true to scale and hold what they should: each PDF is
// rasterised as a printer would, and measured.
#include "calibration/print/printable_sheets.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "calibration/print/score_track.h"
#include "calibration/print/standees.h"
#include "gtest/gtest.h"
#include "opencv2/aruco.hpp"
#include "opencv2/imgcodecs.hpp"
#include "opencv2/imgproc.hpp"

namespace tilewarden::calibration {
namespace {

namespace fs = std::filesystem;

constexpr int kDotsPerInch = 127;  // 5 pixels a millimetre
constexpr double kPx_per_mm = kDotsPerInch / 25.4;

class PrintableSheetsTest : public testing::TestWithParam<Paper> {
 protected:
  void SetUp() override {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    std::string name = info->name();
    std::replace(name.begin(), name.end(), '/', '-');
    folder_ = fs::path(testing::TempDir()) / ("tilewarden_sheets_" + name);
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path file() const { return folder_ / "sheet.pdf"; }

  // The pages of the file, in grey; or their red, in which the backs differ.
  std::vector<cv::Mat> Pages(bool red = false) const {
    const std::string command = "pdftoppm -r " + std::to_string(kDotsPerInch) + " '" +
                                file().string() + "' '" + (folder_ / "page").string() + "'";
    EXPECT_EQ(std::system(command.c_str()), 0) << "pdftoppm of poppler-utils is needed";
    std::vector<fs::path> names;
    for (const auto& entry : fs::directory_iterator(folder_)) {
      if (entry.path().extension() == ".ppm") names.push_back(entry.path());
    }
    std::sort(names.begin(), names.end());
    std::vector<cv::Mat> pages;
    for (const auto& name : names) {
      cv::Mat page = cv::imread(name.string(), red ? cv::IMREAD_COLOR : cv::IMREAD_GRAYSCALE);
      if (red) cv::extractChannel(page, page, 2);
      pages.push_back(page);
    }
    return pages;
  }

  fs::path folder_;
};

cv::Mat PageArea(const cv::Mat& page, const cv::Rect2d& mm) {
  return page(cv::Rect(cvRound(mm.x * kPx_per_mm), cvRound(mm.y * kPx_per_mm),
                       cvRound(mm.width * kPx_per_mm), cvRound(mm.height * kPx_per_mm)));
}

// Marks that reach up from the ruler's line by at least this much.
std::vector<int> RulerMarks(const cv::Mat& page, double height_mm) {
  const cv::Size2d size = {page.cols / kPx_per_mm, page.rows / kPx_per_mm};
  const cv::Mat row =
      PageArea(page, {0, size.height - 10 - height_mm, size.width, 1 / kPx_per_mm}).row(0);
  std::vector<int> marks;
  for (int x = 1; x < row.cols; ++x) {
    if (row.at<uchar>(x) < 200 && row.at<uchar>(x - 1) >= 200) marks.push_back(x);
  }
  return marks;
}

TEST_P(PrintableSheetsTest, EveryPageHasThePapersSizeAndARulerOf100Millimetres) {
  PrintableTile tile{cv::Mat(64, 64, CV_8UC3, cv::Scalar(60, 150, 70)), Back::kTile};
  const std::vector<std::function<absl::Status()>> sheets = {
      [&] { return PrintBoard(file(), GetParam(), {}); },
      [&] { return PrintScoreTrack(file(), GetParam()); },
      [&] { return PrintStandees(file(), GetParam()); },
      [&] {
        return PrintStandees(file(), GetParam(), {SpecialStandee::kProphet, SpecialStandee::kArk});
      },
      [&] {
        return PrintStandees(file(), GetParam(),
                             {SpecialStandee::kAbbot, SpecialStandee::kLargeFollower,
                              SpecialStandee::kBuilder, SpecialStandee::kPig});
      },
      [&] { return PrintTiles(file(), GetParam(), "Tiles", {tile}); }};
  const std::vector<std::size_t> pages = {1, 1, 2, 3, 4, 2};
  for (std::size_t i = 0; i < sheets.size(); ++i) {
    SCOPED_TRACE(i);
    TearDown();
    SetUp();
    ASSERT_TRUE(sheets[i]().ok());
    const auto drawn = Pages();
    ASSERT_EQ(drawn.size(), pages[i]);
    for (const cv::Mat& page : drawn) {
      EXPECT_NEAR(page.cols / kPx_per_mm, SizeOf_mm(GetParam()).width, 0.3);
      EXPECT_NEAR(page.rows / kPx_per_mm, SizeOf_mm(GetParam()).height, 0.3);
      const auto centimetres = RulerMarks(page, 3.7);
      ASSERT_EQ(centimetres.size(), 11u);
      EXPECT_NEAR((centimetres.back() - centimetres.front()) / kPx_per_mm, 100, 0.25);
      EXPECT_EQ(RulerMarks(page, 1.5).size(), 101u);
    }
  }
}

TEST_P(PrintableSheetsTest, LibraryFindsEveryCornerOfTheBoardTrueToScale) {
  const BoardLayout board;
  ASSERT_TRUE(PrintBoard(file(), GetParam(), board).ok());
  const auto pages = Pages();
  ASSERT_EQ(pages.size(), 1u);
  std::vector<std::vector<cv::Point2f>> markers;
  std::vector<int> ids;
  cv::aruco::detectMarkers(pages[0], MarkerDictionary(), markers, ids);
  EXPECT_EQ(ids.size(), 24u);
  std::vector<cv::Point2f> corners;
  std::vector<int> corner_ids;
  const auto charuco = ToCharuco(board);
  cv::aruco::interpolateCornersCharuco(markers, ids, pages[0], charuco, corners, corner_ids);
  ASSERT_EQ(corners.size(), 35u);
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const auto& first = charuco->chessboardCorners[static_cast<std::size_t>(corner_ids[0])];
    const auto& here = charuco->chessboardCorners[static_cast<std::size_t>(corner_ids[i])];
    // Within half a pixel: so far the rasteriser may move an edge.
    const cv::Point2f moved = (corners[i] - corners[0]) / kPx_per_mm;
    EXPECT_NEAR(moved.x, here.x - first.x, 0.1);
    EXPECT_NEAR(moved.y, here.y - first.y, 0.1);
  }
}

TEST_P(PrintableSheetsTest, BoardThatIsTooLargeGetsSmallerSquares) {
  BoardLayout board;
  board.columns = 9, board.rows = 9;
  ASSERT_TRUE(PrintBoard(file(), GetParam(), board).ok());
  std::vector<std::vector<cv::Point2f>> markers;
  std::vector<int> ids;
  cv::aruco::detectMarkers(Pages().at(0), MarkerDictionary(), markers, ids);
  EXPECT_EQ(ids.size(), 40u);
}

TEST_P(PrintableSheetsTest, ScoreTrackIsFoundByItsMarksAndPaintedAsItIsPrinted) {
  ASSERT_TRUE(PrintScoreTrack(file(), GetParam()).ok());
  const cv::Mat page = Pages().at(0);
  std::vector<std::vector<cv::Point2f>> markers;
  std::vector<int> ids;
  cv::aruco::detectMarkers(page, MarkerDictionary(), markers, ids);
  ASSERT_EQ(ids.size(), 4u);
  const cv::Point2f at(TrackOnPage_mm(GetParam()).tl());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    ASSERT_GE(ids[i], ScoreTrack::kFirstMarker) << "not a marker of a board";
    const auto expected = Mark_mm(ids[i] - ScoreTrack::kFirstMarker);
    for (std::size_t c = 0; c < 4; ++c) {
      EXPECT_LT(cv::norm(markers[i][c] / kPx_per_mm - expected[c] - at), 0.5);
    }
  }
  cv::Mat painted;
  cv::cvtColor(PaintScoreTrack(GetParam(), kPx_per_mm), painted, cv::COLOR_BGR2GRAY);
  // The rasteriser rounds the page's size up.
  const cv::Rect both(
      {}, cv::Size(std::min(page.cols, painted.cols), std::min(page.rows, painted.rows)));
  cv::absdiff(painted(both), page(both), painted);
  cv::blur(painted, painted, {5, 5});
  EXPECT_LT(cv::mean(painted)[0], 3);
}

TEST(ScoreTrackTest, FieldsFollowEachOtherAroundTheSheet) {
  const cv::Rect2d whole(0, 0, ScoreTrack::kWidth_mm, ScoreTrack::kHeight_mm);
  for (int field = 0; field < ScoreTrack::kFields; ++field) {
    const cv::Rect2d here = Field_mm(field), next = Field_mm((field + 1) % ScoreTrack::kFields);
    EXPECT_NEAR(cv::norm(here.tl() - next.tl()), ScoreTrack::kField_mm, 1e-9) << field;
    EXPECT_NEAR((here & whole).area(), here.area(), 1e-6) << field;
  }
  EXPECT_EQ(Field_mm(0).tl(), cv::Point2d());
}

TEST_P(PrintableSheetsTest, TilesAre45MillimetresAndEachBackLiesBehindItsFace) {
  // Two pages' worth; the last one with a back of its own.
  std::vector<PrintableTile> tiles;
  for (int i = 0; i < 21; ++i) {
    tiles.push_back({cv::Mat(64, 64, CV_8UC3, cv::Scalar::all(40 + 9 * i)), Back::kTile});
  }
  tiles[1].back = Back::kStart;
  ASSERT_TRUE(PrintTiles(file(), GetParam(), "Tiles", tiles).ok());
  const auto pages = Pages(true);
  ASSERT_EQ(pages.size(), 4u);
  const cv::Size2d size = SizeOf_mm(GetParam());
  // Faces in rows of four, 48 mm apart, the grid in the middle of the page.
  const double top = (size.height - 10 - 20 - 237) / 2 + 10;
  const auto middle_of = [&](const cv::Mat& page, int column, int row) {
    const double x = size.width / 2 + (column - 1.5) * 48, y = top + 22.5 + row * 48;
    return cv::mean(PageArea(page, {x - 20, y - 20, 40, 40}))[0];
  };
  for (int i = 0; i < 20; ++i) EXPECT_NEAR(middle_of(pages[0], i % 4, i / 4), 40 + 9 * i, 2) << i;
  EXPECT_NEAR(middle_of(pages[2], 0, 0), 220, 2);
  EXPECT_NEAR(middle_of(pages[2], 1, 0), 255, 1) << "no tile there";
  // Turned over the long edge the second column lies behind the third.
  const double usual = middle_of(pages[1], 0, 0), start = middle_of(pages[1], 2, 0);
  EXPECT_GT(std::abs(usual - start), 5);
  EXPECT_NEAR(middle_of(pages[1], 1, 0), usual, 0.5);
  EXPECT_NEAR(middle_of(pages[3], 3, 0), usual, 0.5);
  EXPECT_NEAR(middle_of(pages[3], 0, 0), 255, 1);
  // The cutting marks above the first row are 45 mm apart.
  const cv::Mat marks = PageArea(pages[0], {8, top - 4, 100, 0.4}).row(0);
  std::vector<int> at;
  for (int x = 1; x < marks.cols; ++x) {
    if (marks.at<uchar>(x) < 200 && marks.at<uchar>(x - 1) >= 200) at.push_back(x);
  }
  ASSERT_GE(at.size(), 2u);
  EXPECT_NEAR((at[1] - at[0]) / kPx_per_mm, kPrintedTile_mm, 0.25);
}

INSTANTIATE_TEST_SUITE_P(Papers, PrintableSheetsTest, testing::Values(Paper::kA4, Paper::kLetter),
                         [](const auto& paper) {
                           return paper.param == Paper::kA4 ? "A4" : "Letter";
                         });

TEST(ParseBoardTest, TakesSquaresAcrossAndDown) {
  EXPECT_EQ(ParseBoard("5x7")->columns, 5);
  EXPECT_EQ(ParseBoard("5x7")->rows, 7);
  for (const char* wrong : {"", "6", "6x", "2x8", "6x10", "6x8x", "ax8"}) {
    EXPECT_FALSE(ParseBoard(wrong).ok()) << wrong;
  }
}

TEST(PrintTest, FolderThatIsNotThereIsTold) {
  const absl::Status status = PrintBoard("/nowhere/board.pdf", Paper::kA4, {});
  EXPECT_EQ(status.code(), absl::StatusCode::kPermissionDenied);
  EXPECT_NE(status.message().find("/nowhere/board.pdf"), std::string::npos);
}

}  // namespace
}  // namespace tilewarden::calibration
