#include "vision/figure_board_view.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "opencv2/imgproc.hpp"

namespace tilewarden::vision {
namespace {

constexpr int kSide = BoardView::kSide_px;
constexpr int kLargestCells = 40;  // across: a wrong lattice may not ask for gigabytes
constexpr int kSeam_px = 2;        // the gap and bevel between tiles
constexpr int kFieldScale = 8;     // the light changes slowly: estimated on a small picture

// A tile darkens in a shadow and brightens in glare, but keeps its hues.
constexpr float kBrightestGlare = 1.35F;

std::array<cv::Point2f, 4> Square(float x, float y, float side) {
  return {{{x - 0.5F, y - 0.5F},
           {x + side - 0.5F, y - 0.5F},
           {x + side - 0.5F, y + side - 0.5F},
           {x - 0.5F, y + side - 0.5F}}};
}

cv::Rect CellRect(const BoardView& view, LatticeCell cell) {
  return {(cell.x - view.first.x) * kSide, (cell.y - view.first.y) * kSide, kSide, kSide};
}

// Light of the whole picture on one channel: seen = gain * reference + offset.
struct ChannelFit {
  double gain = 1, offset = 0;
};

struct Sample {
  cv::Vec3f reference, seen;
};

// Robust against the share of the tiles that figures cover.
std::array<ChannelFit, 3> FitLight(const std::vector<Sample>& samples) {
  std::array<ChannelFit, 3> fit;
  if (samples.size() < 50) return fit;
  std::vector<double> weight(samples.size(), 1);
  std::vector<double> residual(samples.size());
  for (int round = 0; round < 8; ++round) {
    for (int c = 0; c < 3; ++c) {
      double w = 0, x = 0, y = 0, xx = 0, xy = 0;
      for (std::size_t i = 0; i < samples.size(); ++i) {
        const double r = samples[i].reference[c], s = samples[i].seen[c], k = weight[i];
        w += k, x += k * r, y += k * s, xx += k * r * r, xy += k * r * s;
      }
      // A board of one colour does not tell gain from offset: lean on offset 0.
      const double lean = w * 200;
      const double det = (w + lean / 400) * xx - x * x;
      if (det <= 0) continue;
      fit[c].gain = std::max(0.05, ((w + lean / 400) * xy - x * y) / det);
      fit[c].offset = (y - fit[c].gain * x) / (w + lean / 400);
    }
    for (std::size_t i = 0; i < samples.size(); ++i) {
      double sum = 0;
      for (int c = 0; c < 3; ++c) {
        const double d = samples[i].seen[c] - fit[c].gain * samples[i].reference[c] - fit[c].offset;
        sum += d * d;
      }
      residual[i] = std::sqrt(sum);
    }
    std::vector<double> sorted = residual;
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
    std::nth_element(sorted.begin(), middle, sorted.end());
    const double scale = std::max(3.0, 1.5 * *middle);
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const double z = residual[i] / scale;
      weight[i] = 1 / (1 + z * z * z * z);
    }
  }
  return fit;
}

}  // namespace

float Distance(const cv::Vec3f& seen, const cv::Vec3f& expected, float deepest_shadow) {
  const float pp = expected.dot(expected), op = seen.dot(expected);
  const float k = std::clamp(op / std::max(pp, 1.0F), deepest_shadow, kBrightestGlare);
  const cv::Vec3f d = seen - k * expected;
  const float level = std::sqrt(seen.dot(seen)) + std::sqrt(pp);
  return std::sqrt(d.dot(d)) / (6 + 0.045F * level);
}

namespace {

// Reference pictures pasted cell by cell; light not fitted yet.
void PasteTiles(const cv::Mat& frame, const std::vector<NamedTile>& tiles, double reduce,
                BoardView& view) {
  for (const NamedTile& tile : tiles) {
    const cv::Rect cell = CellRect(view, tile.cell);
    const auto square = Square(0, 0, kSide);
    std::array<cv::Point2f, 4> corners;
    for (std::size_t i = 0; i < 4; ++i) {
      corners[i] =
          (tile.corners_px[i] + cv::Point2f(0.5F, 0.5F)) / reduce - cv::Point2f(0.5F, 0.5F);
    }
    view.on_tile(cell).setTo(255);
    cv::Mat own = view.picture(cell);
    cv::warpPerspective(frame, own, cv::getPerspectiveTransform(square, corners), own.size(),
                        cv::INTER_LINEAR | cv::WARP_INVERSE_MAP, cv::BORDER_REPLICATE);
    if (tile.expected.empty()) continue;
    cv::Mat small;
    cv::resize(tile.expected, small, own.size(), 0, 0, cv::INTER_AREA);
    small.convertTo(view.expected(cell), CV_32F);
    const cv::Rect inner(cell.x + kSeam_px, cell.y + kSeam_px, kSide - 2 * kSeam_px,
                         kSide - 2 * kSeam_px);
    view.known(inner).setTo(255);
  }
}

std::vector<Sample> TakeSamples(const BoardView& view) {
  std::vector<Sample> samples;
  for (int y = 2; y < view.picture.rows; y += 4) {
    for (int x = 2; x < view.picture.cols; x += 4) {
      if (!view.known.at<uchar>(y, x) || view.covered.at<uchar>(y, x)) continue;
      samples.push_back(
          {view.expected.at<cv::Vec3f>(y, x), cv::Vec3f(view.picture.at<cv::Vec3b>(y, x))});
    }
  }
  return samples;
}

// Slow changes of the light over the board: first how much there is of it, then
// the haze of glare. A value per block where seen and expected agree to within a
// gate, spread over what lies between; rounds go from coarse to fine, so that the
// gate follows a strong but slow change and still leaves out the figures.
void FollowLight(BoardView& view) {
  struct Place {
    int x, y;  // block
    cv::Vec3f seen, expected;
  };
  constexpr std::array<float, 3> kGate = {6, 4, 2.5F};
  constexpr std::array<double, 3> kReach = {0.9, 0.6, 0.4};  // tiles
  std::vector<Place> places;
  for (int y = 1; y < view.picture.rows; y += 3) {
    for (int x = 1; x < view.picture.cols; x += 3) {
      if (!view.known.at<uchar>(y, x) || view.covered.at<uchar>(y, x)) continue;
      places.push_back({x / kFieldScale, y / kFieldScale, view.picture.at<cv::Vec3b>(y, x),
                        view.expected.at<cv::Vec3f>(y, x)});
    }
  }
  const cv::Size size(view.picture.cols / kFieldScale, view.picture.rows / kFieldScale);
  cv::Mat gain(size, CV_32F, cv::Scalar(1)), haze = cv::Mat::zeros(size, CV_32FC3);
  for (std::size_t round = 0; round < 2 * kGate.size(); ++round) {
    const bool for_gain = round < kGate.size();
    const float gate = kGate[round % kGate.size()];
    cv::Mat sum = cv::Mat::zeros(size, CV_32FC3), weight = cv::Mat::zeros(size, CV_32F);
    for (const Place& p : places) {
      if (Distance(p.seen, p.expected) > gate) continue;
      const float level = p.expected.dot(p.expected) * 1e-4F;
      weight.at<float>(p.y, p.x) += for_gain ? level : 1;
      sum.at<cv::Vec3f>(p.y, p.x) +=
          for_gain ? cv::Vec3f::all(p.seen.dot(p.expected) * 1e-4F - level) : p.seen - p.expected;
    }
    const double sigma = kReach[round % kGate.size()] * kSide / kFieldScale;
    cv::GaussianBlur(sum, sum, {}, sigma);
    cv::GaussianBlur(weight, weight, {}, sigma);
    for (int y = 0; y < size.height; ++y) {
      for (int x = 0; x < size.width; ++x) {
        cv::Vec3f& change = sum.at<cv::Vec3f>(y, x);
        change *= 1 / (weight.at<float>(y, x) + 0.01F);
        if (for_gain) {
          change = cv::Vec3f::all(std::clamp(1 + change[0], 0.5F, 2.0F));
          gain.at<float>(y, x) *= change[0];
        } else {
          haze.at<cv::Vec3f>(y, x) += change;
        }
      }
    }
    for (Place& p : places) {
      const cv::Vec3f& change = sum.at<cv::Vec3f>(p.y, p.x);
      p.expected = for_gain ? p.expected * change[0] : p.expected + change;
      for (int c = 0; c < 3; ++c) p.expected[c] = std::clamp(p.expected[c], 1.0F, 255.0F);
    }
  }
  cv::resize(gain, gain, view.picture.size(), 0, 0, cv::INTER_LINEAR);
  cv::resize(haze, haze, view.picture.size(), 0, 0, cv::INTER_LINEAR);
  for (int y = 0; y < view.picture.rows; ++y) {
    const float* g = gain.ptr<float>(y);
    const cv::Vec3f* h = haze.ptr<cv::Vec3f>(y);
    cv::Vec3f* e = view.expected.ptr<cv::Vec3f>(y);
    cv::Vec3f* l = view.light.ptr<cv::Vec3f>(y);
    for (int x = 0; x < view.picture.cols; ++x) {
      for (int c = 0; c < 3; ++c) e[x][c] = std::clamp(g[x] * e[x][c] + h[x][c], 1.0F, 255.0F);
      l[x] *= g[x];
    }
  }
}

// Expected pictures and white in the light of the whole picture.
void ApplyLight(const std::array<ChannelFit, 3>& fit, BoardView& view) {
  cv::Vec3f gain, offset, white;
  for (int c = 0; c < 3; ++c) {
    gain[c] = static_cast<float>(fit[static_cast<std::size_t>(c)].gain);
    offset[c] = static_cast<float>(fit[static_cast<std::size_t>(c)].offset);
    white[c] = std::max(20.0F, (gain[c] * 128 + offset[c]) / 128 * 255);
  }
  view.light.create(view.picture.size(), CV_32FC3);
  view.light.setTo(cv::Scalar(white[0], white[1], white[2]));
  for (int y = 0; y < view.picture.rows; ++y) {
    cv::Vec3f* e = view.expected.ptr<cv::Vec3f>(y);
    for (int x = 0; x < view.picture.cols; ++x) {
      for (int c = 0; c < 3; ++c) e[x][c] = std::max(1.0F, gain[c] * e[x][c] + offset[c]);
    }
  }
}

// White where no picture of a tile is known: the tiles of a board show the same
// colours on the whole, whatever lies where. Medians, so that figures do not count.
void LightByTiles(BoardView& view) {
  // Medians of the published editions' tiles, B G R; of the training art.
  constexpr std::array<float, 3> kUsual = {66, 168, 150};
  view.light.create(view.picture.size(), CV_32FC3);
  cv::Vec3f white;
  for (int c = 0; c < 3; ++c) {
    std::array<std::size_t, 256> counts{};
    std::size_t all = 0;
    for (int y = 0; y < view.picture.rows; ++y) {
      for (int x = 0; x < view.picture.cols; ++x) {
        if (!view.on_tile.at<uchar>(y, x) || view.covered.at<uchar>(y, x)) continue;
        ++counts[view.picture.at<cv::Vec3b>(y, x)[c]];
        ++all;
      }
    }
    int median = 0;
    for (std::size_t below = counts[0]; median < 255 && 2 * below < all;) {
      below += counts[static_cast<std::size_t>(++median)];
    }
    white[c] =
        std::max(20.0F, static_cast<float>(median) / kUsual[static_cast<std::size_t>(c)] * 255);
  }
  view.light.setTo(cv::Scalar(white[0], white[1], white[2]));
}

// A print may lie a little off its reference: the best of the near places.
void Compare(BoardView& view) {
  constexpr int kSlack = 2;
  view.difference = cv::Mat::zeros(view.picture.size(), CV_32F);
  std::vector<float> sample;
  for (int y = 0; y < view.picture.rows; ++y) {
    const uchar* known = view.known.ptr<uchar>(y);
    const cv::Vec3b* seen = view.picture.ptr<cv::Vec3b>(y);
    float* out = view.difference.ptr<float>(y);
    for (int x = 0; x < view.picture.cols; ++x) {
      if (!known[x]) continue;
      const cv::Vec3f s(seen[x]);
      float best = Distance(s, view.expected.at<cv::Vec3f>(y, x));
      if (best > 1) {
        for (int dy = -kSlack; dy <= kSlack; ++dy) {
          for (int dx = -kSlack; dx <= kSlack; ++dx) {
            const int u = std::clamp(x + dx, 0, view.picture.cols - 1);
            const int v = std::clamp(y + dy, 0, view.picture.rows - 1);
            if (!view.known.at<uchar>(v, u)) continue;
            best = std::min(best, Distance(s, view.expected.at<cv::Vec3f>(v, u)));
          }
        }
      }
      out[x] = best;
      if (x % 5 == 0 && y % 5 == 0) sample.push_back(best);
    }
  }
  if (sample.empty()) return;
  const auto middle = sample.begin() + static_cast<std::ptrdiff_t>(sample.size() / 2);
  std::nth_element(sample.begin(), middle, sample.end());
  view.noise = *middle;
}

float InSpreads(const cv::Vec3f& seen, const cv::Vec3f& mean, const cv::Vec3f& spread) {
  float sum = 0;
  for (int c = 0; c < 3; ++c) {
    const float z = (seen[c] - mean[c]) / spread[c];
    sum += z * z;
  }
  return std::sqrt(sum / 2);
}

// Mean and spread of the bare table around each place. A second round leaves out
// what is not table: figures in supply, the rim of things.
void LearnTable(BoardView& view) {
  constexpr float kFloor = 8, kOutlier = 2.5F;
  cv::Mat bare = (view.on_tile == 0) & (view.covered == 0), picture;
  cv::erode(bare, bare, {}, {-1, -1}, 3);
  const cv::Size size(view.picture.cols / BoardView::kCoarser,
                      view.picture.rows / BoardView::kCoarser);
  cv::resize(view.picture, picture, size, 0, 0, cv::INTER_AREA);
  picture.convertTo(picture, CV_32F);
  cv::resize(bare, bare, size, 0, 0, cv::INTER_NEAREST);
  const cv::Size around(2 * kSide / BoardView::kCoarser + 1, 2 * kSide / BoardView::kCoarser + 1);
  for (int round = 0; round < 2; ++round) {
    cv::Mat weight, sum = cv::Mat::zeros(size, CV_32FC3), squares = cv::Mat::zeros(size, CV_32FC3);
    bare.convertTo(weight, CV_32F, 1 / 255.0);
    for (int y = 0; y < size.height; ++y) {
      for (int x = 0; x < size.width; ++x) {
        if (!bare.at<uchar>(y, x)) continue;
        const cv::Vec3f p = picture.at<cv::Vec3f>(y, x);
        sum.at<cv::Vec3f>(y, x) = p;
        squares.at<cv::Vec3f>(y, x) = p.mul(p);
      }
    }
    cv::blur(weight, weight, around);
    cv::blur(sum, sum, around);
    cv::blur(squares, squares, around);
    view.table_mean = cv::Mat::zeros(size, CV_32FC3);
    view.table_spread = cv::Mat::zeros(size, CV_32FC3);
    for (int y = 0; y < size.height; ++y) {
      for (int x = 0; x < size.width; ++x) {
        const float w = std::max(1e-4F, weight.at<float>(y, x));
        const cv::Vec3f mean = sum.at<cv::Vec3f>(y, x) / w;
        cv::Vec3f spread = squares.at<cv::Vec3f>(y, x) / w - mean.mul(mean);
        for (int c = 0; c < 3; ++c) spread[c] = std::sqrt(std::max(0.0F, spread[c])) + kFloor;
        view.table_mean.at<cv::Vec3f>(y, x) = mean;
        view.table_spread.at<cv::Vec3f>(y, x) = spread;
        if (round == 0 && InSpreads(picture.at<cv::Vec3f>(y, x), mean, spread) > kOutlier) {
          bare.at<uchar>(y, x) = 0;
        }
      }
    }
  }
  // Seams are the darkest of what lies between the prints.
  const cv::Mat rim = view.on_tile & (view.known == 0);
  cv::Mat grey;
  cv::cvtColor(view.picture, grey, cv::COLOR_BGR2GRAY);
  cv::Scalar mean = cv::mean(grey, rim), spread;
  cv::meanStdDev(view.picture, mean, spread, rim & (grey < mean[0]));
  for (int c = 0; c < 3; ++c) {
    view.seam_mean[c] = static_cast<float>(mean[c]);
    view.seam_spread[c] = static_cast<float>(spread[c]) + kFloor;
  }
}

}  // namespace

float BoardView::Away(cv::Point place, const cv::Vec3f& seen) const {
  constexpr float kDeepest = 0.3F, kPrice = 0.6F;
  if (!on_tile.at<uchar>(place)) {
    const cv::Point coarse(std::min(place.x / kCoarser, table_mean.cols - 1),
                           std::min(place.y / kCoarser, table_mean.rows - 1));
    return InSpreads(seen, table_mean.at<cv::Vec3f>(coarse), table_spread.at<cv::Vec3f>(coarse));
  }
  const cv::Vec3f e = expected.at<cv::Vec3f>(place);
  float away = Distance(seen, e);
  if (away > kPrice) away = std::min(away, kPrice + Distance(seen, e, kDeepest));
  if (!known.at<uchar>(place)) away = std::min(away, InSpreads(seen, seam_mean, seam_spread));
  return away;
}

BoardView ViewBoard(const cv::Mat& frame, const std::vector<NamedTile>& tiles,
                    const TablePlane& plane, const cv::Mat& hand_mask) {
  BoardView view;
  if (tiles.empty() || frame.empty()) return view;
  LatticeCell low = tiles.front().cell, high = low;
  for (const NamedTile& tile : tiles) {
    low = {std::min(low.x, tile.cell.x), std::min(low.y, tile.cell.y)};
    high = {std::max(high.x, tile.cell.x), std::max(high.y, tile.cell.y)};
  }
  if (high.x - low.x >= kLargestCells || high.y - low.y >= kLargestCells) return view;
  view.first = {low.x - 1, low.y - 1};
  view.cells_x = high.x - low.x + 3;
  view.cells_y = high.y - low.y + 3;

  // Reduced first where the frame is much finer than the view.
  double reduce = 1;
  cv::Mat source = frame;
  if (plane.tile_px > 1.7 * kSide) {
    reduce = plane.tile_px / (1.2 * kSide);
    cv::resize(frame, source, {}, 1 / reduce, 1 / reduce, cv::INTER_AREA);
  }
  const cv::Matx33d lattice_from_view(1.0 / kSide, 0, view.first.x + 0.5 / kSide, 0, 1.0 / kSide,
                                      view.first.y + 0.5 / kSide, 0, 0, 1);
  view.px_from_view = plane.px_from_lattice * lattice_from_view;
  const double half = 0.5 / reduce - 0.5;
  const cv::Matx33d source_from_px(1 / reduce, 0, half, 0, 1 / reduce, half, 0, 0, 1);
  const cv::Size size(view.cells_x * kSide, view.cells_y * kSide);
  cv::warpPerspective(source, view.picture, source_from_px * view.px_from_view, size,
                      cv::INTER_LINEAR | cv::WARP_INVERSE_MAP, cv::BORDER_REPLICATE);
  view.expected = cv::Mat::zeros(size, CV_32FC3);
  view.known = cv::Mat::zeros(size, CV_8U);
  view.on_tile = cv::Mat::zeros(size, CV_8U);
  view.covered = cv::Mat::zeros(size, CV_8U);
  if (!hand_mask.empty()) {
    const double sx = static_cast<double>(hand_mask.cols) / frame.cols;
    const double sy = static_cast<double>(hand_mask.rows) / frame.rows;
    const cv::Matx33d mask_from_px(sx, 0, 0.5 * sx - 0.5, 0, sy, 0.5 * sy - 0.5, 0, 0, 1);
    cv::warpPerspective(hand_mask, view.covered, mask_from_px * view.px_from_view, size,
                        cv::INTER_NEAREST | cv::WARP_INVERSE_MAP);
  }
  PasteTiles(source, tiles, reduce, view);
  if (cv::countNonZero(view.known) == 0) {
    LightByTiles(view);
    return view;
  }
  ApplyLight(FitLight(TakeSamples(view)), view);
  FollowLight(view);
  Compare(view);
  LearnTable(view);
  return view;
}

}  // namespace tilewarden::vision
