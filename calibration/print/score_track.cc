#include "calibration/print/score_track.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "calibration/print/standees.h"

namespace tilewarden::calibration {
namespace {

using Track = ScoreTrack;
static_assert(2 * (Track::kColumns + Track::kRows) - 4 == Track::kFields);

// Out of the way of markers that lean over from the ring.
constexpr double kMarkToRing_mm = 12;

// Column and row of a field, clockwise around the page.
cv::Point PlaceOf(int field) {
  constexpr int kRight = Track::kColumns - 1, kLow = Track::kRows - 1;
  if (field <= kRight) return {field, 0};
  if (field <= kRight + kLow) return {kRight, field - kRight};
  if (field <= 2 * kRight + kLow) return {2 * kRight + kLow - field, kLow};
  return {0, Track::kFields - field};
}

void DrawFields(const cv::Point2d& at, SheetPdf* sheet) {
  for (int field = 0; field < Track::kFields; ++field) {
    const cv::Rect2d place = Field_mm(field) + at;
    const Ink ground = field == 0        ? Ink{0.95, 0.75, 0.40}
                       : field % 10 == 0 ? Ink{0.72, 0.82, 0.62}
                       : field % 5 == 0  ? Ink{0.85, 0.90, 0.78}
                                         : Ink{0.97, 0.95, 0.88};
    sheet->Fill({place}, {}, ground);
    sheet->Frame(place, 0.3, kGrey);
    sheet->Text((place.tl() + place.br()) / 2, field % 5 == 0 ? 6.5 : 4.5, std::to_string(field));
  }
}

// How often each player has been round.
void DrawRounds(const cv::Point2d& at, SheetPdf* sheet) {
  constexpr int kRounds = 4;
  constexpr double kCell = 17;
  const double middle = at.x + Track::kWidth_mm / 2, left = middle - kRounds * kCell / 2;
  const double top = at.y + Track::kHeight_mm / 2 - kStandeeColours.size() * kCell / 2;
  sheet->Text({middle, top - 22}, 9, "Score track");
  sheet->Text({middle, top - 10}, 4, "Been around? Mark it here.");
  for (std::size_t row = 0; row < kStandeeColours.size(); ++row) {
    const double cell_y = top + static_cast<double>(row) * kCell;
    const StandeeColour& colour = kStandeeColours[row];
    sheet->Text({left - 10, cell_y + kCell / 2}, 4, colour.name, colour.ink);
    for (int round = 0; round < kRounds; ++round) {
      const cv::Rect2d cell = {left + round * kCell, cell_y, kCell, kCell};
      sheet->Frame(cell, 0.3, colour.ink);
      sheet->Text((cell.tl() + cell.br()) / 2, 4.5, absl::StrCat("+", (round + 1) * Track::kFields),
                  kGrey);
    }
  }
}

void DrawPage(SheetPdf* sheet) {
  const cv::Point2d at = TrackOnPage_mm(sheet->paper()).tl();
  DrawFields(at, sheet);
  DrawRounds(at, sheet);
  for (int mark = 0; mark < Track::kMarks; ++mark) {
    sheet->Fill(MarkerInk(Track::kFirstMarker + mark, Track::kMark_mm),
                at + cv::Point2d(Mark_mm(mark)[0]));
  }
  sheet->EndPage("Score track");
}

}  // namespace

cv::Rect2d Field_mm(int field) {
  const cv::Point2d at = cv::Point2d(PlaceOf(field)) * Track::kField_mm;
  return {at.x, at.y, Track::kField_mm, Track::kField_mm};
}

std::vector<cv::Point2f> Mark_mm(int mark) {
  constexpr double kNear = Track::kField_mm + kMarkToRing_mm;
  const bool right = mark == 1 || mark == 2, low = mark >= 2;
  const auto x = static_cast<float>(right ? Track::kWidth_mm - kNear - Track::kMark_mm : kNear);
  const auto y = static_cast<float>(low ? Track::kHeight_mm - kNear - Track::kMark_mm : kNear);
  constexpr auto kSide = static_cast<float>(Track::kMark_mm);
  return {{x, y}, {x + kSide, y}, {x + kSide, y + kSide}, {x, y + kSide}};
}

cv::Rect2d TrackOnPage_mm(Paper paper) {
  return CentredOnPage(paper, {Track::kWidth_mm, Track::kHeight_mm});
}

absl::Status PrintScoreTrack(const std::filesystem::path& file, Paper paper) {
  SheetPdf sheet(file, paper);
  DrawPage(&sheet);
  return sheet.Close();
}

cv::Mat PaintScoreTrack(Paper paper, double px_per_mm) {
  SheetPdf sheet(paper, px_per_mm);
  DrawPage(&sheet);
  return sheet.Painted();
}

}  // namespace tilewarden::calibration
