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
constexpr float kDeepestShadow = 0.5F;
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
        const double d =
            samples[i].seen[c] - fit[c].gain * samples[i].reference[c] - fit[c].offset;
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

// Distance of what is seen from what is expected, allowing for a shadow or a
// bright spot, in units of what print and noise do.
inline float Distance(const cv::Vec3f& seen, const cv::Vec3f& expected) {
  const float pp = expected.dot(expected), op = seen.dot(expected);
  const float k = std::clamp(op / std::max(pp, 1.0F), kDeepestShadow, kBrightestGlare);
  const cv::Vec3f d = seen - k * expected;
  const float level = std::sqrt(seen.dot(seen)) + std::sqrt(pp);
  return std::sqrt(d.dot(d)) / (6 + 0.045F * level);
}

// Reference pictures pasted cell by cell; light not fitted yet.
void PasteTiles(const cv::Mat& frame, const std::vector<NamedTile>& tiles, double reduce,
                BoardView& view) {
  for (const NamedTile& tile : tiles) {
    const cv::Rect cell = CellRect(view, tile.cell);
    const auto square = Square(0, 0, kSide);
    std::array<cv::Point2f, 4> corners;
    for (std::size_t i = 0; i < 4; ++i) {
      corners[i] = (tile.corners_px[i] + cv::Point2f(0.5F, 0.5F)) / reduce -
                   cv::Point2f(0.5F, 0.5F);
    }
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
      samples.push_back({view.expected.at<cv::Vec3f>(y, x),
                         cv::Vec3f(view.picture.at<cv::Vec3b>(y, x))});
    }
  }
  return samples;
}

// Slow changes of the light over the board: ratio of seen to expected where the
// two agree, spread over what lies between.
cv::Mat LightField(const BoardView& view, const std::array<ChannelFit, 3>& fit) {
  const cv::Size size(view.picture.cols / kFieldScale, view.picture.rows / kFieldScale);
  cv::Mat ratio = cv::Mat::zeros(size, CV_32FC3), weight = cv::Mat::zeros(size, CV_32F);
  for (int by = 0; by < size.height; ++by) {
    for (int bx = 0; bx < size.width; ++bx) {
      cv::Vec3f seen, expected;
      int n = 0;
      for (int y = by * kFieldScale + 1; y < (by + 1) * kFieldScale; y += 2) {
        for (int x = bx * kFieldScale + 1; x < (bx + 1) * kFieldScale; x += 2) {
          if (!view.known.at<uchar>(y, x) || view.covered.at<uchar>(y, x)) continue;
          const cv::Vec3f s(view.picture.at<cv::Vec3b>(y, x));
          const cv::Vec3f r = view.expected.at<cv::Vec3f>(y, x);
          cv::Vec3f e;
          for (int c = 0; c < 3; ++c) {
            e[c] = std::max(1.0F, static_cast<float>(fit[c].gain * r[c] + fit[c].offset));
          }
          if (Distance(s, e) > 2.5F) continue;
          seen += s;
          expected += e;
          ++n;
        }
      }
      if (n < 6) continue;
      weight.at<float>(by, bx) = static_cast<float>(n);
      for (int c = 0; c < 3; ++c) {
        ratio.at<cv::Vec3f>(by, bx)[c] =
            static_cast<float>(n) * std::clamp(seen[c] / expected[c], 0.4F, 1.6F);
      }
    }
  }
  const double sigma = 0.45 * kSide / kFieldScale;
  cv::GaussianBlur(ratio, ratio, {}, sigma);
  cv::GaussianBlur(weight, weight, {}, sigma);
  for (int y = 0; y < size.height; ++y) {
    for (int x = 0; x < size.width; ++x) {
      const float w = weight.at<float>(y, x) + 0.02F;
      cv::Vec3f& r = ratio.at<cv::Vec3f>(y, x);
      for (int c = 0; c < 3; ++c) r[c] = (r[c] + 0.02F) / w;
    }
  }
  cv::resize(ratio, ratio, view.picture.size(), 0, 0, cv::INTER_LINEAR);
  return ratio;
}

// Expected pictures and white in this light, from the reference pictures.
void ApplyLight(const std::array<ChannelFit, 3>& fit, const cv::Mat& field, BoardView& view) {
  view.light.create(view.picture.size(), CV_32FC3);
  cv::Vec3f white;
  for (int c = 0; c < 3; ++c) {
    white[c] = static_cast<float>((fit[c].gain * 128 + fit[c].offset) / 128 * 255);
  }
  for (int y = 0; y < view.picture.rows; ++y) {
    const cv::Vec3f* g = field.ptr<cv::Vec3f>(y);
    cv::Vec3f* e = view.expected.ptr<cv::Vec3f>(y);
    cv::Vec3f* l = view.light.ptr<cv::Vec3f>(y);
    for (int x = 0; x < view.picture.cols; ++x) {
      for (int c = 0; c < 3; ++c) {
        const float fitted = static_cast<float>(fit[c].gain) * e[x][c] +
                             static_cast<float>(fit[c].offset);
        e[x][c] = std::max(1.0F, g[x][c] * fitted);
        l[x][c] = std::max(8.0F, g[x][c] * white[c]);
      }
    }
  }
}

// A print may lie a little off its reference: the best of the near places.
void Compare(BoardView& view) {
  constexpr int kSlack = 2;
  view.difference = cv::Mat::zeros(view.picture.size(), CV_32F);
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
    }
  }
}

}  // namespace

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
  view.covered = cv::Mat::zeros(size, CV_8U);
  if (!hand_mask.empty()) {
    const double sx = static_cast<double>(hand_mask.cols) / frame.cols;
    const double sy = static_cast<double>(hand_mask.rows) / frame.rows;
    const cv::Matx33d mask_from_px(sx, 0, 0.5 * sx - 0.5, 0, sy, 0.5 * sy - 0.5, 0, 0, 1);
    cv::warpPerspective(hand_mask, view.covered, mask_from_px * view.px_from_view, size,
                        cv::INTER_NEAREST | cv::WARP_INVERSE_MAP);
  }
  PasteTiles(source, tiles, reduce, view);
  const std::array<ChannelFit, 3> fit = FitLight(TakeSamples(view));
  ApplyLight(fit, LightField(view, fit), view);
  Compare(view);
  return view;
}

}  // namespace tilewarden::vision
