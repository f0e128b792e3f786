#include "vision/tiles/network_patch.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "opencv2/imgproc.hpp"
#include "vision/picture/geometry.h"
#include "vision/picture/tile_patch.h"

namespace tilewarden::vision {

cv::Mat CutPatch(const cv::Mat& picture, const std::array<cv::Point2f, 4>& corners_px) {
  if (picture.empty() || picture.type() != CV_8UC3) return {};
  if (!SpanAnArea(corners_px)) return {};

  // Only the tile's surroundings, shrunk until a patch pixel is at most two wide.
  const cv::Rect tile = cv::boundingRect(corners_px);
  const cv::Rect around = Grown(tile, std::max(tile.width, tile.height) / 2 + 2, picture.size());
  if (around.empty()) return {};
  cv::Mat part = picture(around);
  double scale = 1;
  const double step_px =
      std::sqrt(cv::contourArea(corners_px)) * (1 + 2 * kPatchMargin) / kPatch_px;
  if (step_px > 2) {
    cv::Mat smaller;
    const double wanted = 2 / step_px;
    cv::resize(part, smaller,
               {std::max(1, cvRound(part.cols * wanted)), std::max(1, cvRound(part.rows * wanted))},
               0, 0, cv::INTER_AREA);
    scale = static_cast<double>(smaller.cols) / part.cols;
    part = smaller;
  }
  std::vector<cv::Point2f> source;
  for (const cv::Point2f& p : corners_px) {
    source.emplace_back(static_cast<float>((p.x - around.x + 0.5) * scale - 0.5),
                        static_cast<float>((p.y - around.y + 0.5) * scale - 0.5));
  }
  // Twice as fine as needed, then averaged: that is what a pixel sees.
  constexpr double kFine = 2.0 * kPatch_px / (1 + 2 * kPatchMargin);
  const float first = static_cast<float>(kFine * kPatchMargin - 0.5);
  const float last = static_cast<float>(kFine * (1 + kPatchMargin) - 0.5);
  const std::vector<cv::Point2f> target = {
      {first, first}, {last, first}, {last, last}, {first, last}};
  cv::Mat fine, patch;
  cv::warpPerspective(part, fine, cv::getPerspectiveTransform(source, target),
                      {2 * kPatch_px, 2 * kPatch_px}, cv::INTER_LINEAR, cv::BORDER_REPLICATE);
  cv::resize(fine, patch, {kPatch_px, kPatch_px}, 0, 0, cv::INTER_AREA);
  return patch;
}

cv::Mat Shifted(const cv::Mat& patch, cv::Point by) {
  if (by == cv::Point()) return patch;
  cv::Mat wide;
  cv::copyMakeBorder(patch, wide, kPatchShift_px, kPatchShift_px, kPatchShift_px, kPatchShift_px,
                     cv::BORDER_REPLICATE);
  return wide(cv::Rect(kPatchShift_px + by.x, kPatchShift_px + by.y, kPatch_px, kPatch_px));
}

cv::Mat Normalised(const cv::Mat& patch) {
  cv::Scalar mean, deviation;
  const cv::Mat continuous = patch.isContinuous() ? patch : patch.clone();
  cv::meanStdDev(continuous.reshape(1, continuous.rows * continuous.cols * 3), mean, deviation);
  const double contrast = deviation[0] + 4;
  cv::Mat seen;
  patch.convertTo(seen, CV_32F, 1 / contrast, -mean[0] / contrast);
  return seen;
}

absl::StatusOr<cv::Mat> OfSize(const cv::Mat& given) {
  if (given.empty() || given.type() != CV_8UC3 || given.rows != given.cols) {
    return absl::InvalidArgumentError("a patch must be square and 8-bit BGR");
  }
  if (given.rows == kPatch_px) return given;
  cv::Mat patch;
  cv::resize(given, patch, {kPatch_px, kPatch_px}, 0, 0,
             given.rows > kPatch_px ? cv::INTER_AREA : cv::INTER_LINEAR);
  return patch;
}

}  // namespace tilewarden::vision
