#include "vision/tiles/tile_finder.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "calibration/common/quad_finder.h"
#include "opencv2/imgproc.hpp"
#include "vision/picture/geometry.h"
#include "vision/picture/tile_patch.h"

namespace tilewarden::vision {
namespace {

// As in training (scripts/train/finder_scene.py): one answer for so many pixels, of eight values;
// middles are told in so many pixels, shapes by the square of so many.
constexpr int kStride = 4, kGrid = 16;
constexpr int kOutputs = 8;
constexpr float kReach = 32, kShape = 32;
// Longer sides of the picture at which the network looks: it knows tiles of 17 to 100 pixels, and
// those between these two best.
constexpr int kCoarse_px = 256, kFirst_px = 640, kFine_px = 960, kFinest_px = 1280;
constexpr double kTiny_px = 22, kSmall_px = 30, kLarge_px = 65, kWhole_px = 50;
constexpr double kMostBlown = 1.5;
// Tiles of which so much says so are clear.
constexpr double kAsClear = 0.9;
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
  std::vector<Voice> voices;
  for (int y = 0; y < answer.rows; ++y) {
    const float* said = answer.ptr<float>(y);
    for (int x = 0; x < answer.cols; ++x, said += kOutputs) {
      if (said[0] < kSays) continue;
      Voice voice;
      constexpr float kMiddle = (kStride - 1) / 2.F;
      voice.middle = {kStride * static_cast<float>(x) + kMiddle + kReach * said[1],
                      kStride * static_cast<float>(y) + kMiddle + kReach * said[2]};
      voice.weight = 1 / (1 + std::exp(-said[0]));
      voice.xx = said[3];
      voice.xy = said[4];
      voice.yy = said[5];
      voice.cosine = said[6];
      voice.sine = said[7];
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

// That a tile lies there, by place.
cv::Mat CoverOf(const cv::Mat& answer) {
  cv::Mat cover;
  cv::extractChannel(answer, cover, 0);
  std::transform(cover.begin<float>(), cover.end<float>(), cover.begin<float>(),
                 [](float logit) { return 1 / (1 + std::exp(-logit)); });
  return cover;
}

// A picture as the network takes it: mean and contrast over all channels at once, as in training.
cv::Mat AsTrained(cv::Mat seen) {
  cv::Scalar mean, deviation;
  cv::meanStdDev(seen, mean, deviation);
  double middle = 0, squares = 0;
  for (int c = 0; c < 3; ++c) middle += mean[c] / 3;
  for (int c = 0; c < 3; ++c) {
    squares += (deviation[c] * deviation[c] + (mean[c] - middle) * (mean[c] - middle)) / 3;
  }
  const auto missing = [](int px) { return (kGrid - px % kGrid) % kGrid; };
  cv::copyMakeBorder(seen, seen, 0, missing(seen.rows), 0, missing(seen.cols),
                     cv::BORDER_REPLICATE);
  const double contrast = std::sqrt(squares) + 4;
  seen.convertTo(seen, CV_32F, 1 / contrast, -middle / contrast);
  return seen;
}

// All voices, by the place that they speak of.
class Heard {
 public:
  Heard(std::vector<Voice> voices, cv::Size places);
  // A tile wherever more is said than around it.
  std::vector<FoundTile> Tiles() const;

 private:
  std::optional<FoundTile> TileAt(int px, int py) const;
  template <typename Visit>
  void EachNear(int px, int py, int reach, const Visit& visit) const {
    const cv::Rect near = cv::Rect(px - reach, py - reach, 2 * reach + 1, 2 * reach + 1) & all_;
    for (int y = near.y; y < near.br().y; ++y) {
      for (int x = near.x; x < near.br().x; ++x) {
        for (const Voice* voice : by_place_[IndexOf({x, y})]) visit(*voice);
      }
    }
  }
  std::size_t IndexOf(cv::Point place) const {
    return static_cast<std::size_t>(place.y * all_.width + place.x);
  }

  const std::vector<Voice> voices_;
  const cv::Rect all_;
  std::vector<std::vector<const Voice*>> by_place_;
  cv::Mat said_;  // how much is said for each place
};

Heard::Heard(std::vector<Voice> voices, cv::Size places)
    : voices_(std::move(voices)),
      all_({}, places),
      by_place_(static_cast<std::size_t>(places.area())),
      said_(places, CV_32F, cv::Scalar(0)) {
  for (const Voice& voice : voices_) {
    const cv::Point place(static_cast<int>(std::floor((voice.middle.x + 0.5F) / kStride)),
                          static_cast<int>(std::floor((voice.middle.y + 0.5F) / kStride)));
    if (!all_.contains(place)) continue;
    said_.at<float>(place) += voice.weight;
    by_place_[IndexOf(place)].push_back(&voice);
  }
  cv::GaussianBlur(said_, said_, {3, 3}, 0.8, 0.8, cv::BORDER_CONSTANT);
}

std::vector<FoundTile> Heard::Tiles() const {
  cv::Mat most;
  cv::dilate(said_, most, cv::Mat::ones(3, 3, CV_8U));
  std::vector<FoundTile> tiles;
  for (int py = 0; py < all_.height; ++py) {
    for (int px = 0; px < all_.width; ++px) {
      const float here = said_.at<float>(py, px);
      if (here <= 0.5F || here < most.at<float>(py, px)) continue;
      if (const auto tile = TileAt(px, py)) tiles.push_back(*tile);
    }
  }
  return tiles;
}

std::optional<FoundTile> Heard::TileAt(int px, int py) const {
  // Voices near the peak, by the size that those at it tell.
  float side = 0, weight = 0;
  cv::Point2f middle(0, 0);
  EachNear(px, py, 1, [&](const Voice& voice) {
    side += voice.weight * voice.side;
    middle += voice.weight * voice.middle;
    weight += voice.weight;
  });
  if (weight <= 0) return std::nullopt;
  side /= weight;
  middle *= 1 / weight;
  std::vector<const Voice*> agree;
  EachNear(px, py, static_cast<int>(std::ceil(kOneMiddle * side / kStride)) + 1,
           [&](const Voice& voice) {
             if (cv::norm(voice.middle - middle) < kOneMiddle * side) agree.push_back(&voice);
           });
  if (agree.empty()) return std::nullopt;
  const FoundTile tile = TileOf(agree);
  if (tile.evidence < kLeastEvidence) return std::nullopt;
  return tile;
}

cv::Point2f MiddleOf(const FoundTile& tile) {
  return calibration::CentreOf(CornersOf(tile.px_from_tile));
}

// Whether clear smaller tiles fill what seems to be a tile: then it is a block of them.
bool IsFilled(const FoundTile& tile, const std::vector<FoundTile>& found) {
  constexpr double kSmaller = 0.7, kFilled = 0.3;
  const double side = calibration::SideOf(CornersOf(tile.px_from_tile));
  double filled = 0;
  for (const FoundTile& other : found) {
    const double its = calibration::SideOf(CornersOf(other.px_from_tile)) / side;
    if (other.evidence < kAsClear || its > kSmaller) continue;
    const cv::Point2f apart = MiddleOf(other) - MiddleOf(tile);
    if (std::max(std::abs(apart.x), std::abs(apart.y)) < 0.5 * side) filled += its * its;
  }
  return filled > kFilled;
}

}  // namespace

absl::StatusOr<TileFinder> TileFinder::Load(const std::filesystem::path& folder) {
  absl::StatusOr<Network> network = Network::Load(folder / "finder_network.onnx");
  if (absl::IsNotFound(network.status())) {
    return absl::NotFoundError(
        absl::StrCat("no finder network in ", folder.string(),
                     ": finder_network.onnx belongs there (or set TILEWARDEN_MODELS)"));
  }
  if (network.ok()) {
    const std::vector<cv::Mat> said = network->Run({cv::Mat::zeros(64, 64, CV_32FC3)});
    if (!said.empty() && said.front().size() == cv::Size(16, 16) &&
        said.front().channels() == kOutputs) {
      return TileFinder(*std::move(network));
    }
  }
  return absl::DataLossError(absl::StrCat("the finder network in ", folder.string(),
                                          " is damaged or of another version: fetch it again"));
}

FoundTiles TileFinder::FindAt(const cv::Mat& picture, int side_px) const {
  const double scale = static_cast<double>(side_px) / std::max(picture.cols, picture.rows);
  cv::Mat seen;
  cv::resize(picture, seen, {}, scale, scale, scale < 1 ? cv::INTER_AREA : cv::INTER_LINEAR);
  const double x = static_cast<double>(picture.cols) / seen.cols;
  const double y = static_cast<double>(picture.rows) / seen.rows;
  const cv::Mat answer = network_.Run({AsTrained(seen)}).front();
  // From the smaller picture's pixels, whose first lies about the first ones of the larger.
  const cv::Matx33d px_from_seen(x, 0, 0.5 * x - 0.5, 0, y, 0.5 * y - 0.5, 0, 0, 1);
  FoundTiles found;
  found.tiles = Heard(VoicesOf(answer), answer.size()).Tiles();
  for (FoundTile& tile : found.tiles) {
    tile.px_from_tile = cv::Matx33f(px_from_seen) * tile.px_from_tile;
  }
  constexpr double kMiddle = (kStride - 1) / 2.0;
  const cv::Matx33d seen_from_place(kStride, 0, kMiddle, 0, kStride, kMiddle, 0, 0, 1);
  found.cover = {CoverOf(answer), (px_from_seen * seen_from_place).inv()};
  return found;
}

FoundTiles TileFinder::Find(const cv::Mat& picture) const {
  FoundTiles first = FindAt(picture, kFirst_px);
  std::vector<FoundTile>& found = first.tiles;
  const int longer = std::max(picture.cols, picture.rows);
  const auto side_of = [&](const FoundTile& tile) {
    return calibration::SideOf(CornersOf(tile.px_from_tile)) * kFirst_px / longer;
  };
  const auto is_large = [&](const FoundTile& tile) { return side_of(tile) > kLarge_px; };
  const auto small = static_cast<std::size_t>(
      std::count_if(found.begin(), found.end(),
                    [&](const FoundTile& tile) { return side_of(tile) < kSmall_px; }));
  // Where a good part of them is too small to be sure of all, once more at another size. What is
  // much larger than the picture shows nothing more.
  const auto tiny = static_cast<std::size_t>(std::count_if(
      found.begin(), found.end(), [&](const FoundTile& tile) { return side_of(tile) < kTiny_px; }));
  const int fine_px = kGoodPart * tiny >= found.size() ? kFinest_px : kFine_px;
  if (kGoodPart * small >= found.size() && fine_px <= kMostBlown * longer) {
    FoundTiles again = FindAt(picture, fine_px);
    found.insert(found.end(), again.tiles.begin(), again.tiles.end());
    first.cover = std::move(again.cover);
  }
  // Within a large tile houses and bends of roads may pass for tiles. One more look shows it as a
  // whole, and costs little.
  if (std::any_of(found.begin(), found.end(), is_large)) {
    FoundTiles again = FindAt(picture, kCoarse_px);
    std::erase_if(again.tiles, [&](const FoundTile& tile) { return side_of(tile) < kWhole_px; });
    found.insert(found.end(), again.tiles.begin(), again.tiles.end());
    const std::vector<FoundTile> all = found;
    std::erase_if(found, [&](const FoundTile& tile) {
      return side_of(tile) >= kWhole_px && IsFilled(tile, all);
    });
    if (2 * again.tiles.size() > found.size()) first.cover = std::move(again.cover);
  }
  // Of large ones that are clear the largest: print on a tile may be as clear as the tile.
  const auto worth = [&](const FoundTile& tile) {
    const double side = side_of(tile);
    return side >= kWhole_px && tile.evidence >= kAsClear ? 1 + side : tile.evidence;
  };
  std::stable_sort(found.begin(), found.end(),
                   [&](const FoundTile& a, const FoundTile& b) { return worth(a) > worth(b); });
  std::vector<FoundTile> tiles;  // each once
  for (const FoundTile& tile : found) {
    const cv::Point2f middle = MiddleOf(tile);
    const double side = calibration::SideOf(CornersOf(tile.px_from_tile));
    const bool known = std::any_of(tiles.begin(), tiles.end(), [&](const FoundTile& other) {
      const double larger = std::max(side, calibration::SideOf(CornersOf(other.px_from_tile)));
      return cv::norm(MiddleOf(other) - middle) < kSame * larger;
    });
    if (!known) tiles.push_back(tile);
  }
  first.tiles = std::move(tiles);
  return first;
}

TileCover::Share TileCover::Of(const cv::Matx33f& px_from_tile, cv::Size picture) const {
  // Beside a tile of the board its own rim would count.
  constexpr double kRim = 0.15;
  constexpr int kAcross = 12;
  const cv::Rect2d shown(0, 0, picture.width, picture.height);
  const cv::Rect all({}, probability.size());
  Share share;
  int seen = 0;
  for (int i = 0; i < kAcross * kAcross; ++i) {
    const auto at = [](int k) { return kRim + (1 - 2 * kRim) * (k + 0.5) / kAcross; };
    const cv::Point2d in_tile(at(i % kAcross), at(i / kAcross));
    const cv::Point2d px = Through(cv::Matx33d(px_from_tile), in_tile);
    if (!shown.contains(px)) continue;
    ++seen;
    const cv::Point place(Through(place_from_px, px));  // rounded
    if (all.contains(place)) share.covered += probability.at<float>(place);
  }
  share.in_picture = static_cast<double>(seen) / (kAcross * kAcross);
  if (seen > 0) share.covered /= seen;
  return share;
}

}  // namespace tilewarden::vision
