#include "tests/evaluation/picture_changes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "opencv2/imgcodecs.hpp"
#include "opencv2/imgproc.hpp"

namespace tilewarden::picture_changes {
namespace {

constexpr int kGrey = 128;

cv::Matx23d After(const cv::Matx23d& second, const cv::Matx23d& first) {
  cv::Matx23d both;
  for (int r = 0; r < 2; ++r) {
    for (int c = 0; c < 3; ++c) {
      both(r, c) =
          second(r, 0) * first(0, c) + second(r, 1) * first(1, c) + (c == 2 ? second(r, 2) : 0);
    }
  }
  return both;
}

void Cut(const cv::Rect& keep, ChangedPicture& changed) {
  if (keep.empty()) return;
  changed.picture = changed.picture(keep).clone();
  changed.now_from_then =
      After({1, 0, -static_cast<double>(keep.x), 0, 1, -static_cast<double>(keep.y)},
            changed.now_from_then);
}

void Scale(double scale, ChangedPicture& changed) {
  if (scale == 1) return;
  cv::Mat scaled;
  cv::resize(changed.picture, scaled, {}, scale, scale,
             scale < 1 ? cv::INTER_AREA : cv::INTER_CUBIC);
  const double x = static_cast<double>(scaled.cols) / changed.picture.cols;
  const double y = static_cast<double>(scaled.rows) / changed.picture.rows;
  // Points count from the middle of the first pixel.
  changed.now_from_then = After({x, 0, 0.5 * x - 0.5, 0, y, 0.5 * y - 0.5}, changed.now_from_then);
  changed.picture = scaled;
}

void Turn(double turn_deg, ChangedPicture& changed) {
  if (turn_deg == 0) return;
  const cv::Size size = changed.picture.size();
  const double angle = turn_deg * std::numbers::pi / 180, c = std::cos(angle), s = std::sin(angle);
  const cv::Size grown(
      static_cast<int>(std::lround(std::abs(c) * size.width + std::abs(s) * size.height)),
      static_cast<int>(std::lround(std::abs(s) * size.width + std::abs(c) * size.height)));
  const double x = 0.5 * (size.width - 1), y = 0.5 * (size.height - 1);
  const cv::Matx23d turned(c, -s, 0.5 * (grown.width - 1) - c * x + s * y, s, c,
                           0.5 * (grown.height - 1) - s * x - c * y);
  cv::Mat picture;
  cv::warpAffine(changed.picture, picture, turned, grown, cv::INTER_CUBIC, cv::BORDER_CONSTANT,
                 cv::Scalar::all(kGrey));
  changed.now_from_then = After(turned, changed.now_from_then);
  changed.picture = picture;
}

void AddBorder(double share, ChangedPicture& changed) {
  if (share == 0) return;
  const int wide =
      static_cast<int>(std::lround(share * std::max(changed.picture.cols, changed.picture.rows)));
  cv::Mat picture;
  cv::copyMakeBorder(changed.picture, picture, wide, wide, wide, wide, cv::BORDER_CONSTANT,
                     cv::Scalar::all(kGrey));
  changed.now_from_then = After({1, 0, static_cast<double>(wide), 0, 1, static_cast<double>(wide)},
                                changed.now_from_then);
  changed.picture = picture;
}

void ChangeLight(const PictureChange& change, cv::Mat& picture) {
  if (change.gamma == 1 && change.contrast == 1 && change.cast == cv::Vec3d(1, 1, 1)) return;
  cv::Mat table(1, 256, CV_8UC3);
  for (int level = 0; level < 256; ++level) {
    cv::Vec3b& out = table.at<cv::Vec3b>(level);
    for (int k = 0; k < 3; ++k) {
      const double lit = 255 * std::pow(level / 255.0, change.gamma) * change.cast[k];
      out[k] = cv::saturate_cast<uchar>(kGrey + change.contrast * (lit - kGrey));
    }
  }
  cv::LUT(picture, table, picture);
}

void Shake(double length_px, double direction_deg, cv::Mat& picture) {
  if (length_px == 0) return;
  const int reach = static_cast<int>(std::ceil(0.5 * length_px)) + 1;
  cv::Mat kernel = cv::Mat::zeros(2 * reach + 1, 2 * reach + 1, CV_32F);
  const double angle = direction_deg * std::numbers::pi / 180;
  constexpr int kSteps = 64;
  for (int i = 0; i < kSteps; ++i) {
    const double t = length_px * ((i + 0.5) / kSteps - 0.5);
    const double x = reach + t * std::cos(angle), y = reach + t * std::sin(angle);
    const int left = static_cast<int>(x), top = static_cast<int>(y);
    for (int dy = 0; dy < 2; ++dy) {
      for (int dx = 0; dx < 2; ++dx) {
        kernel.at<float>(top + dy, left + dx) += static_cast<float>(
            (dx ? x - left : 1 - x + left) * (dy ? y - top : 1 - y + top) / kSteps);
      }
    }
  }
  cv::filter2D(picture, picture, -1, kernel, {-1, -1}, 0, cv::BORDER_REPLICATE);
}

void AddNoise(double deviation, std::uint64_t seed, cv::Mat& picture) {
  if (deviation == 0) return;
  cv::RNG rng(seed * 2654435761U + 77);
  cv::Mat noise(picture.size(), CV_16SC3);
  rng.fill(noise, cv::RNG::NORMAL, 0, deviation);
  cv::add(picture, noise, picture, cv::noArray(), CV_8UC3);
}

void Store(int quality, cv::Mat& picture) {
  if (quality == 0) return;
  std::vector<uchar> stored;
  cv::imencode(".jpg", picture, stored, {cv::IMWRITE_JPEG_QUALITY, quality});
  picture = cv::imdecode(stored, cv::IMREAD_COLOR);
}

}  // namespace

std::vector<PictureChange> PlainChanges() {
  std::vector<PictureChange> changes;
  const auto add = [&](const char* name) -> PictureChange& {
    changes.emplace_back().name = name;
    return changes.back();
  };
  add("as it is");
  add("JPEG 92").jpeg = 92;
  add("half").scale = 0.5;
  add("0.35").scale = 0.35;
  add("1.5 times").scale = 1.5;
  add("turned 90").turn_deg = 90;
  add("turned 180").turn_deg = 180;
  add("turned 17").turn_deg = 17;
  add("darker").gamma = 1.6;
  add("brighter").gamma = 0.65;
  add("blur").blur_px = 1.5;
  add("noise").noise = 14;
  add("border").border = 0.06;
  return changes;
}

PictureChange RandomMix(std::uint64_t seed, cv::Size size, double side_px, double smallest_px) {
  cv::RNG rng(seed * 2246822519U + 11);
  for (int i = 0; i < 4; ++i) rng.next();
  PictureChange change;
  change.name = "mix " + std::to_string(seed);
  std::array<int, 9> kinds = {0, 1, 2, 3, 4, 5, 6, 7, 8};
  for (std::size_t i = kinds.size(); i > 1; --i) {
    std::swap(kinds[i - 1], kinds[static_cast<std::size_t>(rng.uniform(0, static_cast<int>(i)))]);
  }
  const int count = rng.uniform(2, 6);
  for (int i = 0; i < count; ++i) {
    switch (kinds[static_cast<std::size_t>(i)]) {
      case 0: {
        const double most = std::min(1.5, std::sqrt(12e6 / size.area()));
        const double least = std::min(most, std::max(0.35, smallest_px / side_px));
        change.scale = rng.uniform(least, most);
        break;
      }
      case 1:
        change.turn_deg = rng.uniform(-180.0, 180.0);
        break;
      case 2:
        change.border = rng.uniform(0.01, 0.1);
        break;
      case 3:
        change.gamma = std::exp(rng.uniform(-0.45, 0.45));
        break;
      case 4:
        for (int k = 0; k < 3; ++k) change.cast[k] = rng.uniform(0.85, 1.12);
        break;
      case 5:
        change.contrast = rng.uniform(0.75, 1.2);
        break;
      case 6:
        if (rng.uniform(0, 2) == 0) {
          change.blur_px = rng.uniform(0.5, 1.5);
        } else {
          change.motion_px = rng.uniform(1.5, 5.0);
          change.motion_deg = rng.uniform(0.0, 180.0);
        }
        break;
      case 7:
        change.noise = rng.uniform(3.0, 14.0);
        break;
      default:
        change.jpeg = rng.uniform(60, 96);
    }
  }
  return change;
}

ChangedPicture Apply(const PictureChange& change, const cv::Mat& picture, std::uint64_t seed) {
  ChangedPicture changed{picture.clone(), {1, 0, 0, 0, 1, 0}};
  Cut(change.keep, changed);
  Scale(change.scale, changed);
  Turn(change.turn_deg, changed);
  AddBorder(change.border, changed);
  ChangeLight(change, changed.picture);
  if (change.blur_px > 0) cv::GaussianBlur(changed.picture, changed.picture, {}, change.blur_px);
  Shake(change.motion_px, change.motion_deg, changed.picture);
  AddNoise(change.noise, seed, changed.picture);
  Store(change.jpeg, changed.picture);
  return changed;
}

}  // namespace tilewarden::picture_changes
