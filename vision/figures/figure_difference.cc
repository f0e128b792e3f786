#include "vision/figures/figure_difference.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "opencv2/imgproc.hpp"
#include "vision/figures/figure_shape.h"
#include "vision/picture/geometry.h"

namespace tilewarden::vision {
namespace {

// Difference from which a pixel is taken as foreign: well above what the print
// of this board differs anyway.
float ForeignFrom(const BoardView& view) { return std::clamp(3.8F * view.noise, 0.5F, 2.2F); }

// A colour as a row of pixels.
class RowOfOne {
 public:
  RowOfOne(const cv::Vec3f& colour, int count) {
    for (std::size_t c = 0; c < 3; ++c) {
      planes_[c].assign(static_cast<std::size_t>(count), colour[static_cast<int>(c)]);
    }
  }
  ColourRow row() const { return {planes_[0].data(), planes_[1].data(), planes_[2].data()}; }

 private:
  std::array<std::vector<float>, 3> planes_;
};

}  // namespace

// Foreign pixels hang together over the seams between tiles and over the board's
// rim too.
cv::Mat DifferenceSigns::Pieces(const cv::Rect& area) const {
  // In spreads of the bare table. Less takes its grain for figures.
  constexpr float kForeignToTable = 2.2F;
  // As far as the steps below reach, all together.
  constexpr int kContext_px = 16;
  const cv::Rect wide = Grown(area, kContext_px, view_.size());
  const cv::Mat small = cv::getStructuringElement(cv::MORPH_ELLIPSE, {3, 3});
  const cv::Mat large = cv::getStructuringElement(cv::MORPH_ELLIPSE, {7, 7});
  cv::Mat foreign = view_.difference(wide) > ForeignFrom(view_);
  cv::Mat beside = (view_.away(wide) > kForeignToTable) & ~view_.on_tile(wide);
  // The tiles' own sides are strips, unless what they belong to goes on upon the
  // tile: a figure at the board's rim.
  cv::Mat whole = foreign | beside;
  cv::morphologyEx(whole, whole, cv::MORPH_CLOSE, large);
  cv::morphologyEx(whole, whole, cv::MORPH_OPEN, large);
  beside &= whole;
  foreign |= beside;
  foreign.setTo(0, view_.covered(wide));
  cv::morphologyEx(foreign, foreign, cv::MORPH_OPEN, small);
  cv::Mat joined;
  cv::morphologyEx(foreign, joined, cv::MORPH_CLOSE, large);
  return joined(cv::Rect(area.tl() - wide.tl(), area.size()));
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
      if (view_.away.at<float>(p) > (view_.on_tile.at<uchar>(p) ? from : 2 * from)) {
        sure.at<uchar>(y, x) = 255;
      }
    }
  }
  const bool enough = cv::countNonZero(sure) > std::max(12, cv::countNonZero(inner) / 4);
  return TonesOf(view_.picture, enough ? sure : inner, corner);
}

FigureEvidence DifferenceSigns::Weigh(const cv::Rect& window, const Tones& tones) const {
  FigureEvidence evidence{cv::Mat::zeros(window.size(), CV_8S),
                          cv::Mat::zeros(window.size(), CV_8U)};
  const int width = window.width;
  const RowOfOne lit(tones.lit, width);
  cv::parallel_for_(cv::Range(0, window.height), [&](const cv::Range& rows) {
    std::vector<float> contrast(static_cast<std::size_t>(width)), from_lit(contrast),
        from_shade(contrast);
    for (int y = rows.start; y < rows.end; ++y) {
      const ColourRow seen = RowOf(view_.seen, window.y + y, window.x);
      view_.Away(window.x, window.y + y, width, lit.row(), contrast.data());
      DistanceFromPaint(seen, tones.lit, width, from_lit.data());
      DistanceFromPaint(seen, tones.shade, width, from_shade.data());
      for (int x = 0; x < width; ++x) {
        const cv::Point p(window.x + x, window.y + y);
        if (view_.covered.at<uchar>(p)) continue;
        const auto k = static_cast<std::size_t>(x);
        const auto [value, weight] =
            WeighPixel(p, contrast[k], std::min(from_lit[k], from_shade[k]));
        evidence.value.at<signed char>(y, x) =
            static_cast<signed char>(std::lround(kFullEvidence * value * weight));
        evidence.weight.at<uchar>(y, x) = static_cast<uchar>(std::lround(kFullEvidence * weight));
      }
    }
  });
  return evidence;
}

double DifferenceSigns::ForeignShare(const cv::Mat& under, cv::Point corner) const {
  const cv::Rect window(corner, under.size());
  const cv::Mat print = under & view_.known(window);
  const int known = cv::countNonZero(print);
  if (2 * known <= cv::countNonZero(under)) return 1;
  const cv::Mat foreign = view_.difference(window) > ForeignFrom(view_);
  return static_cast<double>(cv::countNonZero(foreign & print)) / known;
}

DifferenceSigns::Evidence DifferenceSigns::WeighPixel(cv::Point p, float contrast,
                                                      float away_from_figure) const {
  // The table and the seams vary more than print, and are known less well.
  constexpr float kTableSays = 0.7F, kSeamSays = 0.5F;
  const bool print = view_.known.at<uchar>(p) != 0;
  const float unit = print ? ForeignFrom(view_) : 1;
  float weight = std::clamp(contrast / unit - (print ? 0.3F : 0.6F), 0.0F, 1.0F);
  if (!print) weight *= view_.on_tile.at<uchar>(p) ? kSeamSays : kTableSays;
  const float away = view_.away.at<float>(p);
  float value = std::clamp((away - away_from_figure) / unit, -1.0F, 1.0F);
  if (away_from_figure > 3) value = std::min(value, 0.2F);
  // A table may well have a shade of the figure's paint.
  if (!print) value = std::min(value, std::clamp(away - 1.3F, -1.0F, 1.0F));
  return {value, weight};
}

// The constants are from the virtual table's development seeds and the rendered tables.
double DifferenceSigns::StandingLogit(const cv::Mat& /*under*/, cv::Point /*corner*/,
                                      const cv::Mat& top, cv::Point top_corner) const {
  // Unevenness at which either is as likely, logits for each 1 of it more, and their limit.
  constexpr double kEven = 0.45, kPerUneven = 5, kMost = 1;
  if (top.empty()) return 0;
  const double uneven = Unevenness(view_.picture, top, top_corner);
  return std::clamp(kPerUneven * (uneven - kEven), -kMost, kMost);
}

}  // namespace tilewarden::vision
