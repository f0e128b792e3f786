#include "vision/figure_difference.h"

#include <algorithm>
#include <cmath>

#include "opencv2/imgproc.hpp"
#include "vision/figure_shape.h"

namespace tilewarden::vision {
namespace {

// Difference from which a pixel is taken as foreign: well above what the print
// of this board differs anyway.
float ForeignFrom(const BoardView& view) { return std::clamp(3.8F * view.noise, 0.5F, 2.2F); }

cv::Vec3f At(const cv::Mat& picture, cv::Point p) { return picture.at<cv::Vec3b>(p); }

}  // namespace

// Foreign pixels hang together over the seams between tiles and over the board's
// rim too.
cv::Mat DifferenceSigns::Pieces() const {
  constexpr float kForeignToTable = 2.2F;
  cv::Mat foreign = view_.difference > ForeignFrom(view_);
  cv::Mat beside = cv::Mat::zeros(foreign.size(), CV_8U);
  for (int y = 0; y < foreign.rows; ++y) {
    for (int x = 0; x < foreign.cols; ++x) {
      if (view_.on_tile.at<uchar>(y, x)) continue;
      const cv::Vec3f seen(view_.picture.at<cv::Vec3b>(y, x));
      if (view_.Away({x, y}, seen) > kForeignToTable) beside.at<uchar>(y, x) = 255;
    }
  }
  // The tiles' own sides are strips, unless what they belong to goes on upon the
  // tile: a figure at the board's rim.
  cv::Mat whole = foreign | beside;
  cv::morphologyEx(whole, whole, cv::MORPH_CLOSE,
                   cv::getStructuringElement(cv::MORPH_ELLIPSE, {7, 7}));
  cv::morphologyEx(whole, whole, cv::MORPH_OPEN,
                   cv::getStructuringElement(cv::MORPH_ELLIPSE, {7, 7}));
  beside &= whole;
  foreign |= beside;
  foreign.setTo(0, view_.covered);
  cv::morphologyEx(foreign, foreign, cv::MORPH_OPEN,
                   cv::getStructuringElement(cv::MORPH_ELLIPSE, {3, 3}));
  cv::Mat joined;
  cv::morphologyEx(foreign, joined, cv::MORPH_CLOSE,
                   cv::getStructuringElement(cv::MORPH_ELLIPSE, {7, 7}));
  return joined;
}

Tones DifferenceSigns::PaintOfPiece(const cv::Mat& piece, cv::Point corner) const {
  const float from = ForeignFrom(view_);
  cv::Mat inner, sure = cv::Mat::zeros(piece.size(), CV_8U);
  cv::erode(piece, inner, {});
  if (cv::countNonZero(inner) < 12) inner = piece;
  for (int y = 0; y < piece.rows; ++y) {
    for (int x = 0; x < piece.cols; ++x) {
      const cv::Point p(corner.x + x, corner.y + y);
      if (!inner.at<uchar>(y, x)) continue;
      float away = view_.Away(p, At(view_.picture, p));
      if (view_.known.at<uchar>(p)) away = std::min(away, view_.difference.at<float>(p));
      if (away > (view_.on_tile.at<uchar>(p) ? from : 2 * from)) sure.at<uchar>(y, x) = 255;
    }
  }
  const bool enough = cv::countNonZero(sure) > std::max(12, cv::countNonZero(inner) / 4);
  return TonesOf(view_.picture, enough ? sure : inner, corner);
}

FigureEvidence DifferenceSigns::Weigh(const cv::Rect& window, const Tones& tones) const {
  // The table and the seams vary more than print, and are known less well.
  constexpr float kTableSays = 0.7F, kSeamSays = 0.5F;
  const float from = ForeignFrom(view_);
  FigureEvidence evidence{cv::Mat::zeros(window.size(), CV_8S),
                          cv::Mat::zeros(window.size(), CV_8U)};
  for (int y = 0; y < window.height; ++y) {
    for (int x = 0; x < window.width; ++x) {
      const cv::Point p(window.x + x, window.y + y);
      if (view_.covered.at<uchar>(p)) continue;
      const cv::Vec3f seen = At(view_.picture, p);
      const bool print = view_.known.at<uchar>(p) != 0;
      const float unit = print ? from : 1;
      const float contrast = view_.Away(p, tones.lit);
      float weight = std::clamp(contrast / unit - (print ? 0.3F : 0.6F), 0.0F, 1.0F);
      if (!print) weight *= view_.on_tile.at<uchar>(p) ? kSeamSays : kTableSays;
      if (weight <= 0) continue;
      float away = view_.Away(p, seen);
      // The difference knows about prints that lie a little off.
      if (print) away = std::min(away, view_.difference.at<float>(p));
      const float away_from_figure =
          std::min(AwayFromPaint(seen, tones.lit), AwayFromPaint(seen, tones.shade));
      float e = std::clamp((away - away_from_figure) / unit, -1.0F, 1.0F);
      if (away_from_figure > 3) e = std::min(e, 0.2F);
      // A table may well have a shade of the figure's paint.
      if (!print) e = std::min(e, std::clamp(away - 1.3F, -1.0F, 1.0F));
      evidence.value.at<signed char>(y, x) =
          static_cast<signed char>(std::lround(kFullEvidence * e * weight));
      evidence.weight.at<uchar>(y, x) = static_cast<uchar>(std::lround(kFullEvidence * weight));
    }
  }
  return evidence;
}

// The constants are from the virtual table's development seeds and the rendered tables.
double DifferenceSigns::StandingLogit(const cv::Mat& /*under*/, cv::Point /*corner*/,
                                      const cv::Mat& top, cv::Point top_corner) const {
  constexpr double kEven = 0.45, kPerUneven = 5, kMost = 1;
  if (top.empty()) return 0;
  const double uneven = Unevenness(view_.picture, top, top_corner);
  return std::clamp(kPerUneven * (uneven - kEven), -kMost, kMost);
}

}  // namespace tilewarden::vision
