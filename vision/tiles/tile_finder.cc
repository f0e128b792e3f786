#include "vision/tiles/tile_finder.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <string>

#include "absl/strings/str_cat.h"
#include "calibration/common/quad_finder.h"
#include "opencv2/imgproc.hpp"
#include "vision/picture/tile_patch.h"

namespace tilewarden::vision {
namespace {

// As in training (scripts/train/finder_scene.py): one answer for so many pixels, of eight values;
// middles are told in so many pixels, shapes by the square of so many.
constexpr int kStride = 4, kGrid = 16;
constexpr std::size_t kOutputs = 8;
constexpr float kReach = 32, kShape = 32;
// Longer sides of the picture at which the network looks: it knows tiles of 17 to 100 pixels, and
// those between these two best.
constexpr int kCoarse_px = 256, kFirst_px = 640, kFine_px = 1280;
constexpr double kSmall_px = 30, kLarge_px = 70;
constexpr std::size_t kGoodPart = 6;  // one in so many
// Places from this logit on have a say. A tile of which less says so is none.
constexpr float kSays = 0;
constexpr double kLeastEvidence = 0.3;
// Voices for middles so near to each other, in tile sides, are for one tile.
constexpr float kOneMiddle = 0.25F;
// Tiles whose middles are nearer, in sides of the larger one, are the same one.
constexpr float kSame = 0.5F;

// What one place says.
struct Voice {
  cv::Point2f middle;
  float weight = 0;
  float xx = 0, xy = 0, yy = 0;  // logarithm of the shape
  float cosine = 0, sine = 0;    // of four times the turn
  float side = 0;                // in pixels
};

std::vector<Voice> VoicesOf(const cv::Mat& answer) {
  const int rows = answer.size[2], columns = answer.size[3];
  std::array<const float*, kOutputs> planes{};
  for (std::size_t k = 0; k < kOutputs; ++k) planes[k] = answer.ptr<float>(0, static_cast<int>(k));
  std::vector<Voice> voices;
  for (int y = 0; y < rows; ++y) {
    for (int x = 0; x < columns; ++x) {
      const int i = y * columns + x;
      if (planes[0][i] < kSays) continue;
      Voice voice;
      constexpr float kMiddle = (kStride - 1) / 2.F;
      voice.middle = {kStride * static_cast<float>(x) + kMiddle + kReach * planes[1][i],
                      kStride * static_cast<float>(y) + kMiddle + kReach * planes[2][i]};
      voice.weight = 1 / (1 + std::exp(-planes[0][i]));
      voice.xx = planes[3][i];
      voice.xy = planes[4][i];
      voice.yy = planes[5][i];
      voice.cosine = planes[6][i];
      voice.sine = planes[7][i];
      // The shape is half of u u' + v v', of the tile's sides u and v.
      voice.side = kShape * std::sqrt(2.F) * std::exp(0.25F * (voice.xx + voice.yy));
      voices.push_back(voice);
    }
  }
  return voices;
}

// The symmetric matrix whose logarithm this is, to the power of a half.
cv::Matx22f HalfPower(float xx, float xy, float yy) {
  const float mean = 0.5F * (xx + yy), half = 0.5F * (xx - yy);
  const float off = std::hypot(half, xy);
  const float most = std::exp(0.5F * (mean + off)), least = std::exp(0.5F * (mean - off));
  const float even = 0.5F * (most + least), odd = off > 1e-6F ? 0.5F * (most - least) / off : 0;
  return {even + odd * half, odd * xy, odd * xy, even - odd * half};
}

// The tile that these voices speak of, in the pixels that they are told in.
FoundTile TileOf(const std::vector<const Voice*>& voices) {
  Voice sum;
  for (const Voice* voice : voices) {
    const float w = voice->weight;
    sum.middle += w * voice->middle;
    sum.weight += w;
    sum.xx += w * voice->xx;
    sum.xy += w * voice->xy;
    sum.yy += w * voice->yy;
    sum.cosine += w * voice->cosine;
    sum.sine += w * voice->sine;
  }
  const float one = 1 / sum.weight;
  const cv::Matx22f half = HalfPower(one * sum.xx, one * sum.xy, one * sum.yy);
  const float turn = 0.25F * std::atan2(sum.sine, sum.cosine);
  const float size = kShape * std::sqrt(2.F);
  const cv::Vec2f u = size * (half * cv::Vec2f(std::cos(turn), std::sin(turn)));
  const cv::Vec2f v = size * (half * cv::Vec2f(-std::sin(turn), std::cos(turn)));
  const cv::Point2f corner = one * sum.middle - 0.5F * cv::Point2f(u + v);
  FoundTile tile;
  tile.px_from_tile = {u[0], v[0], corner.x, u[1], v[1], corner.y, 0, 0, 1};
  const float area = std::abs(u[0] * v[1] - u[1] * v[0]);
  tile.evidence = std::min(1.F, sum.weight * kStride * kStride / std::max(area, 1.F));
  return tile;
}

cv::Point2f MiddleOf(const FoundTile& tile) {
  return calibration::CentreOf(CornersOf(tile.px_from_tile));
}

}  // namespace

absl::StatusOr<TileFinder> TileFinder::Load(const std::filesystem::path& folder) {
  const auto path = folder / "finder_network.onnx";
  std::ifstream weights(path, std::ios::binary);
  if (!weights) {
    return absl::NotFoundError(
        absl::StrCat("no finder network in ", folder.string(),
                     ": finder_network.onnx belongs there (or set TILEWARDEN_MODELS)"));
  }
  const std::string bytes((std::istreambuf_iterator<char>(weights)), {});
  try {
    cv::dnn::Net net = cv::dnn::readNetFromONNX(bytes.data(), bytes.size());
    const std::array<int, 4> shape = {1, 3, 64, 64};
    net.setInput(cv::Mat(4, shape.data(), CV_32F, cv::Scalar(0)));
    if (net.forward().total() == kOutputs * 16 * 16) return TileFinder(std::move(net));
  } catch (const cv::Exception&) {
  }
  return absl::DataLossError(absl::StrCat("the finder network in ", folder.string(),
                                          " is damaged or of another version: fetch it again"));
}

std::vector<FoundTile> TileFinder::FindAt(const cv::Mat& picture, int side_px) {
  const double scale = static_cast<double>(side_px) / std::max(picture.cols, picture.rows);
  cv::Mat seen;
  cv::resize(picture, seen, {}, scale, scale, scale < 1 ? cv::INTER_AREA : cv::INTER_LINEAR);
  cv::Scalar mean, deviation;
  cv::meanStdDev(seen, mean, deviation);
  // Mean and contrast over all channels at once, as in training.
  double middle = 0, squares = 0;
  for (int c = 0; c < 3; ++c) middle += mean[c] / 3;
  for (int c = 0; c < 3; ++c) {
    squares += (deviation[c] * deviation[c] + (mean[c] - middle) * (mean[c] - middle)) / 3;
  }
  const double x = static_cast<double>(picture.cols) / seen.cols;
  const double y = static_cast<double>(picture.rows) / seen.rows;
  const auto missing = [](int px) { return (kGrid - px % kGrid) % kGrid; };
  cv::copyMakeBorder(seen, seen, 0, missing(seen.rows), 0, missing(seen.cols),
                     cv::BORDER_REPLICATE);
  cv::Mat blob;
  cv::dnn::blobFromImage(seen, blob, 1 / (std::sqrt(squares) + 4), {}, cv::Scalar::all(middle),
                         false, false, CV_32F);
  net_.setInput(blob);
  const std::vector<Voice> voices = VoicesOf(net_.forward());

  // How much is said for each place, and the voices by place.
  const cv::Size places(seen.cols / kStride, seen.rows / kStride);
  cv::Mat said(places, CV_32F, cv::Scalar(0));
  std::vector<std::vector<const Voice*>> by_place(static_cast<std::size_t>(places.area()));
  const cv::Rect all({}, places);
  const auto place_of = [&](cv::Point2f px) {
    return cv::Point(static_cast<int>(std::floor((px.x + 0.5F) / kStride)),
                     static_cast<int>(std::floor((px.y + 0.5F) / kStride)));
  };
  const auto voices_at = [&](cv::Point place) -> std::vector<const Voice*>& {
    return by_place[static_cast<std::size_t>(place.y * places.width + place.x)];
  };
  for (const Voice& voice : voices) {
    const cv::Point place = place_of(voice.middle);
    if (!all.contains(place)) continue;
    said.at<float>(place) += voice.weight;
    voices_at(place).push_back(&voice);
  }
  cv::GaussianBlur(said, said, {3, 3}, 0.8, 0.8, cv::BORDER_CONSTANT);
  cv::Mat most;
  cv::dilate(said, most, cv::Mat::ones(3, 3, CV_8U));
  std::vector<FoundTile> tiles;
  for (int py = 0; py < places.height; ++py) {
    for (int px = 0; px < places.width; ++px) {
      const float here = said.at<float>(py, px);
      if (here <= 0.5F || here < most.at<float>(py, px)) continue;
      // Voices near the peak, by the size that those at it tell.
      float side = 0, weight = 0;
      cv::Point2f middle(0, 0);
      const auto each = [&](int reach, const auto& visit) {
        const cv::Rect near = cv::Rect(px - reach, py - reach, 2 * reach + 1, 2 * reach + 1) & all;
        for (int y1 = near.y; y1 < near.br().y; ++y1) {
          for (int x1 = near.x; x1 < near.br().x; ++x1) {
            for (const Voice* voice : voices_at({x1, y1})) visit(*voice);
          }
        }
      };
      each(1, [&](const Voice& voice) {
        side += voice.weight * voice.side;
        middle += voice.weight * voice.middle;
        weight += voice.weight;
      });
      if (weight <= 0) continue;
      side /= weight;
      middle *= 1 / weight;
      std::vector<const Voice*> agree;
      each(static_cast<int>(std::ceil(kOneMiddle * side / kStride)) + 1, [&](const Voice& voice) {
        if (cv::norm(voice.middle - middle) < kOneMiddle * side) agree.push_back(&voice);
      });
      if (agree.empty()) continue;
      FoundTile tile = TileOf(agree);
      if (tile.evidence < kLeastEvidence) continue;
      // From the smaller picture's pixels, whose first lies about the first ones of the larger.
      const cv::Matx33f px_from_seen(static_cast<float>(x), 0, static_cast<float>(0.5 * x - 0.5), 0,
                                     static_cast<float>(y), static_cast<float>(0.5 * y - 0.5), 0, 0,
                                     1);
      tile.px_from_tile = px_from_seen * tile.px_from_tile;
      tiles.push_back(tile);
    }
  }
  return tiles;
}

std::vector<FoundTile> TileFinder::Find(const cv::Mat& picture) {
  std::vector<FoundTile> found = FindAt(picture, kFirst_px);
  const int longer = std::max(picture.cols, picture.rows);
  // Where a good part of them is too small or too large to be sure of all, once more at another
  // size.
  std::size_t small = 0, large = 0;
  for (const FoundTile& tile : found) {
    const double side = calibration::SideOf(CornersOf(tile.px_from_tile)) * kFirst_px / longer;
    small += side < kSmall_px ? 1 : 0;
    large += side > kLarge_px ? 1 : 0;
  }
  const auto many = [&](std::size_t count) { return kGoodPart * count >= found.size(); };
  for (const auto& [wanted, side_px] :
       {std::pair(many(large), kCoarse_px), {many(small), kFine_px}}) {
    // What is much larger than the picture shows nothing more.
    if (!wanted || side_px > 1.5 * longer) continue;
    const std::vector<FoundTile> tiles = FindAt(picture, side_px);
    found.insert(found.end(), tiles.begin(), tiles.end());
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const FoundTile& a, const FoundTile& b) { return a.evidence > b.evidence; });
  std::vector<FoundTile> tiles;
  for (const FoundTile& tile : found) {
    const cv::Point2f middle = MiddleOf(tile);
    const double side = calibration::SideOf(CornersOf(tile.px_from_tile));
    const bool known = std::any_of(tiles.begin(), tiles.end(), [&](const FoundTile& other) {
      const double larger = std::max(side, calibration::SideOf(CornersOf(other.px_from_tile)));
      return cv::norm(MiddleOf(other) - middle) < kSame * larger;
    });
    if (!known) tiles.push_back(tile);
  }
  return tiles;
}

}  // namespace tilewarden::vision
