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

}  // namespace tilewarden::calibration
