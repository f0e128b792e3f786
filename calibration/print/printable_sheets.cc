#include "calibration/print/printable_sheets.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "absl/strings/str_cat.h"
#include "opencv2/imgproc.hpp"

namespace tilewarden::calibration {
namespace {

// Tiles on a page: rows and columns with room for the pictures to go on beyond
// the cut.
struct TileGrid {
  static constexpr int kColumns = 4, kRows = 5, kOnPage = kColumns * kRows;
  static constexpr double kGap_mm = 3, kBleed_mm = 1.4, kPitch_mm = kPrintedTile_mm + kGap_mm;

  explicit TileGrid(const SheetPdf& sheet)
      : area(CentredOnPage(sheet.paper(),
                           {kColumns * kPitch_mm - kGap_mm, kRows * kPitch_mm - kGap_mm})) {}

  cv::Rect2d WithBleed(int column, int row) const {
    return {area.x + column * kPitch_mm - kBleed_mm, area.y + row * kPitch_mm - kBleed_mm,
            kPrintedTile_mm + 2 * kBleed_mm, kPrintedTile_mm + 2 * kBleed_mm};
  }

  // Short lines at the page's sides, in the direction of each cut.
  void CuttingMarks(SheetPdf* sheet) const {
    constexpr double kFrom = 2.2, kTo = 5.2;
    for (int i = 0; i < std::max(kColumns, kRows); ++i) {
      for (const double at : {i * kPitch_mm, i * kPitch_mm + kPrintedTile_mm}) {
        if (i < kColumns) {
          const double x = area.x + at, low = area.y + area.height;
          sheet->Line({x, area.y - kFrom}, {x, area.y - kTo}, 0.15);
          sheet->Line({x, low + kFrom}, {x, low + kTo}, 0.15);
        }
        if (i < kRows) {
          const double y = area.y + at, right = area.x + area.width;
          sheet->Line({area.x - kFrom, y}, {area.x - kTo, y}, 0.15);
          sheet->Line({right + kFrom, y}, {right + kTo, y}, 0.15);
        }
      }
    }
  }

  cv::Rect2d area;
};

SheetPicture WithBleed(const cv::Mat& face) {
  const int more = cvRound(face.cols * TileGrid::kBleed_mm / kPrintedTile_mm);
  cv::Mat wider;
  cv::copyMakeBorder(face, wider, more, more, more, more, cv::BORDER_REPLICATE);
  return SheetPicture(wider);
}

// A follower's outline, feet on y = 0 and head at y = 1, x about the middle.
std::vector<cv::Point2d> FollowerOutline() {
  const std::vector<cv::Point2d> right = {{0.09, 0.15}, {0.14, 0.0},  {0.44, 0.0},   {0.46, 0.06},
                                          {0.38, 0.28}, {0.34, 0.43}, {0.47, 0.48},  {0.51, 0.55},
                                          {0.47, 0.62}, {0.34, 0.69}, {0.21, 0.71},  {0.19, 0.76},
                                          {0.21, 0.84}, {0.18, 0.93}, {0.11, 0.985}, {0.0, 1.0}};
  std::vector<cv::Point2d> outline = {{0.0, 0.22}};
  outline.insert(outline.end(), right.begin(), right.end());
  for (std::size_t i = right.size() - 1; i-- > 0;) outline.emplace_back(-right[i].x, right[i].y);
  return outline;
}

// From top to bottom: a foot, one side upside down, the fold at its head, the
// other side, a foot.
struct Standee {
  static constexpr double kWidth_mm = 20, kFoot_mm = 9, kFigure_mm = 18;
  static constexpr double kHeight_mm = 2 * (kFoot_mm + kFigure_mm + 1);

  static void Draw(cv::Point2d at, Ink ink, SheetPdf* sheet) {
    const double middle = at.y + kHeight_mm / 2;
    const Ink pale = {0.6 + 0.4 * ink.r, 0.6 + 0.4 * ink.g, 0.6 + 0.4 * ink.b};
    sheet->Fill({{at.x, at.y, kWidth_mm, kHeight_mm}}, {}, pale);
    for (const double side : {-1.0, 1.0}) {
      std::vector<cv::Point2d> outline;
      for (const cv::Point2d& p : FollowerOutline()) {
        outline.emplace_back(at.x + kWidth_mm / 2 + p.x * kFigure_mm,
                             middle + side * (1 + (1 - p.y) * kFigure_mm));
      }
      sheet->FillOutline(outline, ink);
      const double foot = middle + side * (kFigure_mm + 1);
      sheet->Line({at.x, foot}, {at.x + kWidth_mm, foot}, 0.2, kGrey, true);
    }
    sheet->Line({at.x, middle}, {at.x + kWidth_mm, middle}, 0.2, kGrey, true);
    sheet->Frame({at.x, at.y, kWidth_mm, kHeight_mm}, 0.15, kGrey);
  }
};

}  // namespace

absl::Status PrintBoard(const std::filesystem::path& file, Paper paper, BoardLayout board) {
  SheetPdf sheet(file, paper);
  const cv::Rect2d room = Content_mm(paper);
  board.square_mm = std::min({board.square_mm, std::floor(room.width / board.columns),
                              std::floor(room.height / board.rows)});
  const cv::Rect2d area = CentredOnPage(sheet.paper(), board.size_mm());
  sheet.Fill(BoardInk(board), area.tl());
  sheet.EndPage(absl::StrCat("Calibration board, ", board.ToString(), " squares of ",
                             board.square_mm, " mm. Glue it on something flat and stiff."));
  return sheet.Close();
}

absl::Status PrintTiles(const std::filesystem::path& file, Paper paper, const std::string& title,
                        const std::vector<PrintableTile>& tiles) {
  SheetPdf sheet(file, paper);
  const TileGrid grid(sheet);
  std::map<Back, SheetPicture> backs;
  for (const PrintableTile& tile : tiles) {
    if (!backs.contains(tile.back)) backs.emplace(tile.back, WithBleed(PaintBack({}, tile.back)));
  }
  const int count = static_cast<int>(tiles.size());
  const int pages = (count + TileGrid::kOnPage - 1) / TileGrid::kOnPage;
  for (int page = 0; page < pages; ++page) {
    const int first = page * TileGrid::kOnPage, end = std::min(count, first + TileGrid::kOnPage);
    const auto heading = [&](const char* side) {
      return absl::StrCat(title, ", ", side, " ", page + 1, " of ", pages,
                          ": print on both sides, turned over the long edge");
    };
    for (const bool back : {false, true}) {
      grid.CuttingMarks(&sheet);
      for (int i = first; i < end; ++i) {
        const PrintableTile& tile = tiles[static_cast<std::size_t>(i)];
        const int column = (i - first) % TileGrid::kColumns, row = (i - first) / TileGrid::kColumns;
        if (back) {
          sheet.Picture(grid.WithBleed(TileGrid::kColumns - 1 - column, row), backs.at(tile.back));
        } else {
          sheet.Picture(grid.WithBleed(column, row), WithBleed(tile.face));
        }
      }
      sheet.EndPage(heading(back ? "backs" : "faces"));
    }
  }
  return sheet.Close();
}

absl::Status PrintStandees(const std::filesystem::path& file, Paper paper) {
  constexpr std::size_t kRows = 3;
  constexpr int kOfEach = 8;
  constexpr double kGap_mm = 3, kPitch_mm = Standee::kWidth_mm + kGap_mm;
  SheetPdf sheet(file, paper);
  const double row_mm = Standee::kHeight_mm + 14;
  const cv::Rect2d area =
      CentredOnPage(sheet.paper(), {kOfEach * kPitch_mm - kGap_mm, kRows * row_mm});
  for (std::size_t i = 0; i < kStandeeColours.size(); ++i) {
    const StandeeColour& colour = kStandeeColours[i];
    const double y = area.y + static_cast<double>(i % kRows) * row_mm;
    sheet.Text({area.x + area.width / 2, y + 8}, 3.5,
               absl::StrCat(colour.name, ": seven followers, one for the score track"));
    for (int n = 0; n < kOfEach; ++n) {
      Standee::Draw({area.x + n * kPitch_mm, y + 12}, colour.ink, &sheet);
    }
    if (i % kRows == kRows - 1) {
      sheet.EndPage("Followers: cut out, fold at the dashed lines, glue the two sides together");
    }
  }
  return sheet.Close();
}

}  // namespace tilewarden::calibration
