#include "calibration/print/standees.h"

#include <cstddef>
#include <string>

#include "absl/strings/str_cat.h"
#include "opencv2/core.hpp"

namespace tilewarden::calibration {
namespace {

using Outline = std::vector<cv::Point2d>;

// Both halves of a figure from where its legs meet and its right side upwards, in mm.
Outline BothHalves(cv::Point2d crotch, const Outline& right) {
  Outline outline = {crotch};
  outline.insert(outline.end(), right.begin(), right.end());
  for (std::size_t i = right.size() - 1; i-- > 0;) outline.emplace_back(-right[i].x, right[i].y);
  return outline;
}

// Feet on y = 0, in mm.
Outline Follower(double height_mm) {
  Outline outline = BothHalves({0.0, 0.22}, {{0.09, 0.15},
                                             {0.14, 0.0},
                                             {0.44, 0.0},
                                             {0.46, 0.06},
                                             {0.38, 0.28},
                                             {0.34, 0.43},
                                             {0.47, 0.48},
                                             {0.51, 0.55},
                                             {0.47, 0.62},
                                             {0.34, 0.69},
                                             {0.21, 0.71},
                                             {0.19, 0.76},
                                             {0.21, 0.84},
                                             {0.18, 0.93},
                                             {0.11, 0.985},
                                             {0.0, 1.0}});
  for (cv::Point2d& p : outline) p *= height_mm;
  return outline;
}

// From top to bottom: a foot, one side upside down, the fold at its head, the other side, a foot.
struct Standee {
  Outline outline;
  Ink ink;
  double width_mm, figure_mm;

  static constexpr double kFoot_mm = 9;
  double height_mm() const { return 2 * (kFoot_mm + figure_mm + 1); }

  void Draw(cv::Point2d at, SheetPdf* sheet) const {
    const double middle = at.y + height_mm() / 2;
    const Ink pale = {0.6 + 0.4 * ink.r, 0.6 + 0.4 * ink.g, 0.6 + 0.4 * ink.b};
    sheet->Fill({{at.x, at.y, width_mm, height_mm()}}, {}, pale);
    for (const double side : {-1.0, 1.0}) {
      Outline drawn;
      for (const cv::Point2d& p : outline) {
        drawn.emplace_back(at.x + width_mm / 2 + p.x, middle + side * (1 + figure_mm - p.y));
      }
      sheet->FillOutline(drawn, ink);
      const double foot = middle + side * (figure_mm + 1);
      sheet->Line({at.x, foot}, {at.x + width_mm, foot}, 0.2, kGrey, true);
    }
    sheet->Line({at.x, middle}, {at.x + width_mm, middle}, 0.2, kGrey, true);
    sheet->Frame({at.x, at.y, width_mm, height_mm()}, 0.15, kGrey);
  }
};

constexpr double kFollower_mm = 18, kFollowerWidth_mm = 20, kGap_mm = 3;
constexpr double kHeading_mm = 12;

// The figures of one kind, with its word. Sizes are those of the wooden ones; an Ark is a card.
struct Row {
  const char* heading;
  std::vector<Standee> standees;
};

std::vector<Standee> OneOfEachColour(const Outline& outline, double width_mm, double figure_mm) {
  std::vector<Standee> standees;
  for (const StandeeColour& colour : kStandeeColours) {
    standees.push_back({outline, colour.ink, width_mm, figure_mm});
  }
  return standees;
}

Row RowOf(SpecialStandee kind) {
  constexpr Ink kWood = {0.81, 0.65, 0.44}, kGingerbread = {0.49, 0.29, 0.15};
  switch (kind) {
    case SpecialStandee::kAbbot:
      return {"Abbots: one of each colour", OneOfEachColour(BothHalves({0, 0}, {{6.6, 0},
                                                                                {6.8, 3.6},
                                                                                {7.6, 5.2},
                                                                                {7.5, 6.8},
                                                                                {5, 10.4},
                                                                                {2.9, 12},
                                                                                {3.6, 14.4},
                                                                                {3.1, 16.4},
                                                                                {0, 19}}),
                                                            20, 19)};
    case SpecialStandee::kProphet:
      return {"Prophets: one of each colour", OneOfEachColour(Follower(20.5), 22, 20.5)};
    case SpecialStandee::kArk:
      return {"The Ark of the Covenant",
              {{BothHalves({0, 1.4}, {{6.6, 1.4},
                                      {7, 0},
                                      {8.9, 0},
                                      {9, 7},
                                      {12.6, 7.2},
                                      {12.6, 8.6},
                                      {9, 8.8},
                                      {9, 12},
                                      {7.4, 13},
                                      {5.4, 18.8},
                                      {3.4, 19.6},
                                      {0, 14}}),
                kWood, 28, 20}}};
    case SpecialStandee::kLargeFollower:
      return {"Large followers: one of each colour", OneOfEachColour(Follower(20.5), 22, 20.5)};
    case SpecialStandee::kBuilder:
      // In a hat, a hand on the hip.
      return {"Builders: one of each colour", OneOfEachColour(BothHalves({0, 3}, {{1.6, 0},
                                                                                  {5, 0},
                                                                                  {4.4, 6},
                                                                                  {7, 9},
                                                                                  {4.4, 12.2},
                                                                                  {2.4, 12.8},
                                                                                  {2.6, 14.6},
                                                                                  {5, 15},
                                                                                  {4.8, 16},
                                                                                  {2.8, 16.2},
                                                                                  {2.4, 18.4},
                                                                                  {0, 18.8}}),
                                                              20, 18.8)};
    case SpecialStandee::kPig:
      return {"Pigs: one of each colour", OneOfEachColour({{-8, 0},
                                                           {-5, 0},
                                                           {-4.2, 3},
                                                           {3, 3},
                                                           {3.8, 0},
                                                           {6.6, 0},
                                                           {7, 4},
                                                           {10, 5},
                                                           {10, 8},
                                                           {7.4, 9},
                                                           {6.6, 12},
                                                           {4.6, 10.6},
                                                           {-6, 11},
                                                           {-8.4, 9},
                                                           {-10, 9.6},
                                                           {-10, 8},
                                                           {-8.6, 7}},
                                                          24, 12)};
    case SpecialStandee::kGingerbreadMan:
      break;
  }
  return {"The Gingerbread Man",
          {{BothHalves({0, 4.2}, {{2, 2.4},
                                  {3, 0.2},
                                  {6.4, 0.2},
                                  {7.4, 2},
                                  {5.5, 9.8},
                                  {9, 10.2},
                                  {10.2, 12.4},
                                  {9, 14.6},
                                  {3.6, 15.6},
                                  {4.8, 19},
                                  {3.2, 22.8},
                                  {0, 23.8}}),
            kGingerbread, 24, 24}}};
}

// Its heading, and the figures side by side below it, from there downwards.
void DrawRow(const Row& row, double middle_x, double y, SheetPdf* sheet) {
  sheet->Text({middle_x, y + 8}, 3.5, row.heading);
  const double pitch = row.standees.front().width_mm + kGap_mm;
  double x = middle_x - (static_cast<double>(row.standees.size()) * pitch - kGap_mm) / 2;
  for (const Standee& standee : row.standees) {
    standee.Draw({x, y + kHeading_mm}, sheet);
    x += pitch;
  }
}

constexpr const char* kHowTo = "cut out, fold at the dashed lines, glue the two sides together";

}  // namespace

absl::Status PrintStandees(const std::filesystem::path& file, Paper paper,
                           const std::vector<SpecialStandee>& special) {
  constexpr std::size_t kRows = 3;
  constexpr int kOfEach = 8;
  SheetPdf sheet(file, paper);
  const double row_mm = 2 * (Standee::kFoot_mm + kFollower_mm + 1) + kHeading_mm + 2;
  const cv::Rect2d area = CentredOnPage(
      sheet.paper(), {kOfEach * (kFollowerWidth_mm + kGap_mm) - kGap_mm, kRows * row_mm});
  const double middle = area.x + area.width / 2;
  for (std::size_t i = 0; i < kStandeeColours.size(); ++i) {
    const StandeeColour& colour = kStandeeColours[i];
    const std::string heading =
        absl::StrCat(colour.name, ": seven followers, one for the score track");
    const Standee follower{Follower(kFollower_mm), colour.ink, kFollowerWidth_mm, kFollower_mm};
    DrawRow({heading.c_str(), std::vector<Standee>(kOfEach, follower)}, middle,
            area.y + static_cast<double>(i % kRows) * row_mm, &sheet);
    if (i % kRows == kRows - 1) sheet.EndPage(absl::StrCat("Followers: ", kHowTo));
  }
  double y = area.y;
  const std::string special_foot = absl::StrCat("Special figures: ", kHowTo);
  for (const SpecialStandee kind : special) {
    const Row row = RowOf(kind);
    const double height_mm = row.standees.front().height_mm() + kHeading_mm + 2;
    if (y > area.y && y + height_mm > area.y + area.height) {
      sheet.EndPage(special_foot);
      y = area.y;
    }
    DrawRow(row, middle, y, &sheet);
    y += height_mm;
  }
  if (!special.empty()) sheet.EndPage(special_foot);
  return sheet.Close();
}

}  // namespace tilewarden::calibration
