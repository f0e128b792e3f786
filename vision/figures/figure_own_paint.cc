#include "vision/figures/figure_own_paint.h"

#include <algorithm>
#include <vector>

#include "opencv2/imgproc.hpp"

namespace tilewarden::vision {
namespace {

// Distances from a paint that still are, and surely are not, of it.
constexpr float kOfOwn = 1.6F, kNotOfOwn = 3;
// Of a drawing that is seen, and of one that is covered.
constexpr float kSeen = 0.75F, kCovered = 0.45F;
constexpr int kWindow_px = 11;

cv::Mat Grey(const ColourPlanes& colours) {
  cv::Mat sum = colours[0] + colours[1] + colours[2];
  sum *= 1.0 / 3;
  // Prints lie up to a pixel off.
  cv::GaussianBlur(sum, sum, {}, 1.2);
  return sum;
}

cv::Mat Mean(const cv::Mat& values) {
  cv::Mat mean;
  cv::boxFilter(values, mean, CV_32F, {kWindow_px, kWindow_px});
  return mean;
}

}  // namespace

cv::Mat DrawingSeen(const BoardView& view) {
  constexpr float kDrawn = 5;  // spread of brightness within the window, of 255
  const cv::Mat seen = Grey(view.seen), expected = Grey(view.expected);
  const cv::Mat mean_seen = Mean(seen), mean_expected = Mean(expected);
  const cv::Mat spread = Mean(expected.mul(expected)) - mean_expected.mul(mean_expected);
  const cv::Mat together = Mean(expected.mul(seen)) - mean_expected.mul(mean_seen);
  // Brightness that a shadow takes, it takes from the drawing as well.
  cv::Mat light = mean_seen / (mean_expected + 1), drawing;
  cv::max(light, 0.25F, light);
  cv::divide(together, spread.mul(light) + 1e-3F, drawing);
  drawing.setTo(-1, (spread < kDrawn * kDrawn) | (view.known == 0));
  return drawing;
}

OwnPaintSigns::OwnPaintSigns(const BoardView& view, const cv::Mat& drawing, const cv::Vec3f& paint)
    : view_(view), drawing_(drawing), by_difference_(view) {
  apart_.create(view.size(), CV_32F);
  constexpr int kBlock = 64;  // the light changes slowly
  for (int y = 0; y < apart_.rows; ++y) {
    for (int x = 0; x < apart_.cols; x += kBlock) {
      const int count = std::min(kBlock, apart_.cols - x);
      const cv::Vec3f lit = paint.mul(view.light.WhiteAt({x + count / 2, y}));
      DistanceFromPaint(RowOf(view.seen, y, x), lit, count, apart_.ptr<float>(y) + x);
    }
  }
}

cv::Mat OwnPaintSigns::Pieces(const cv::Rect& area) const {
  const cv::Mat drawing = drawing_(area);
  cv::Mat pieces = (apart_(area) < kOfOwn) & (drawing < kCovered) & (view_.on_tile(area) != 0);
  pieces.setTo(0, view_.covered(area));
  cv::morphologyEx(pieces, pieces, cv::MORPH_OPEN,
                   cv::getStructuringElement(cv::MORPH_ELLIPSE, {5, 5}));
  // Print of that colour where little is drawn means nothing.
  cv::Mat labels, stats, centroids;
  const int n = cv::connectedComponentsWithStats(pieces, labels, stats, centroids);
  const cv::Mat covered = pieces & (drawing > -1);
  constexpr double kLeast = 0.35;  // share of a piece where a drawing is covered
  std::vector<int> signs(static_cast<std::size_t>(n));
  for (int y = 0; y < labels.rows; ++y) {
    for (int x = 0; x < labels.cols; ++x) {
      if (covered.at<uchar>(y, x)) ++signs[static_cast<std::size_t>(labels.at<int>(y, x))];
    }
  }
  for (int i = 1; i < n; ++i) {
    if (signs[static_cast<std::size_t>(i)] < kLeast * stats.at<int>(i, cv::CC_STAT_AREA)) {
      pieces.setTo(0, labels == i);
    }
  }
  return pieces;
}

Tones OwnPaintSigns::PaintOfPiece(const cv::Mat& piece, cv::Point corner) const {
  return by_difference_.PaintOfPiece(piece, corner);
}

FigureEvidence OwnPaintSigns::Weigh(const cv::Rect& window, const Tones& /*tones*/) const {
  FigureEvidence evidence{cv::Mat::zeros(window.size(), CV_8S),
                          cv::Mat::zeros(window.size(), CV_8U)};
  for (int y = 0; y < window.height; ++y) {
    for (int x = 0; x < window.width; ++x) {
      const cv::Point p(window.x + x, window.y + y);
      if (view_.covered.at<uchar>(p)) continue;
      const float apart = apart_.at<float>(p), drawing = drawing_.at<float>(p);
      float value = 0, weight = 0;
      if (apart > kNotOfOwn) {
        value = -1, weight = 1;
      } else if (drawing > -1) {
        weight = 1;
        value = std::clamp((kSeen + kCovered - 2 * drawing) / (kSeen - kCovered), -1.F, 1.F);
        if (apart > kOfOwn) value = std::min(value, 0.F);
      }
      evidence.value.at<signed char>(y, x) = static_cast<signed char>(kFullEvidence * value);
      evidence.weight.at<uchar>(y, x) = static_cast<uchar>(kFullEvidence * weight);
    }
  }
  return evidence;
}

double OwnPaintSigns::StandingLogit(const cv::Mat& under, cv::Point corner, const cv::Mat& top,
                                    cv::Point top_corner) const {
  return by_difference_.StandingLogit(under, corner, top, top_corner);
}

}  // namespace tilewarden::vision
