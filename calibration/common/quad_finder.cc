#include "calibration/common/quad_finder.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <unordered_map>

#include "calibration/common/edge_corners.h"
#include "opencv2/imgproc.hpp"

namespace tilewarden::calibration {
namespace {

// The corners that close a side begun at `from` along `along`: the edge comes
// back along -along, and the next side leaves roughly as `next` does.
template <typename Back, typename Next>
std::vector<int> Closing(const std::vector<EdgeCorner>& corners, const Buckets& buckets,
                         const EdgeCorner& from, cv::Point2f along, cv::Point2f next, Back back,
                         Next onward, const QuadOptions& options) {
  const auto reach = static_cast<float>(options.max_side_px);
  std::vector<std::pair<float, int>> found;
  int last = -1;
  for (float r = static_cast<float>(options.min_side_px) - 8; r < reach + 8; r += 8) {
    const cv::Point2f p = from.at + along * r;
    for (int dy = -4; dy <= 4; dy += 8) {
      const cv::Point2f q = p + cv::Point2f(-along.y, along.x) * static_cast<float>(dy);
      const int column = buckets.Column(q.x), row = buckets.Row(q.y);
      const int id = row * buckets.columns() + column;
      if (id == last) continue;
      last = id;
      for (const int k : buckets.At(column, row)) {
        const EdgeCorner& c = corners[static_cast<std::size_t>(k)];
        const cv::Point2f d = c.at - from.at;
        const float t = Dot(d, along);
        if (t < options.min_side_px || t > options.max_side_px) continue;
        if (std::abs(Cross(along, d)) > 2.F + 0.03F * t) continue;
        if (Dot(back(c), along) > -0.99F || Dot(onward(c), next) < 0.94F) continue;
        found.emplace_back(t, k);
      }
    }
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  std::vector<int> result;
  float previous = -10;
  for (const auto& [t, k] : found) {
    if (t - previous < 2.5F) continue;
    previous = t;
    result.push_back(k);
    if (result.size() == 8) break;
  }
  return result;
}

// Could be a square seen at up to 55 degrees of tilt.
bool LooksSquare(const std::array<cv::Point2f, 4>& c) {
  std::array<float, 4> side{};
  for (std::size_t i = 0; i < 4; ++i) side[i] = Norm(c[(i + 1) % 4] - c[i]);
  for (std::size_t i = 0; i < 4; ++i) {
    const cv::Point2f a = c[(i + 1) % 4] - c[i], b = c[(i + 3) % 4] - c[i];
    const float sine = Cross(a, b) / (side[i] * side[(i + 3) % 4]);
    if (sine < 0.78F) return false;
  }
  const float r1 = side[0] / side[2], r2 = side[1] / side[3];
  if (r1 < 0.77F || r1 > 1.3F || r2 < 0.77F || r2 > 1.3F) return false;
  const float aspect = (side[0] + side[2]) / (side[1] + side[3]);
  return aspect > 0.6F && aspect < 1.67F;
}

class EdgeMap {
 public:
  explicit EdgeMap(const std::vector<cv::Mat>& contrasts) {
    for (const cv::Mat& contrast : contrasts) {
      cv::Mat smooth, dx, dy;
      cv::GaussianBlur(contrast, smooth, {}, 0.8);
      cv::Sobel(smooth, dx, CV_16S, 1, 0);
      cv::Sobel(smooth, dy, CV_16S, 0, 1);
      dx_.push_back(dx);
      dy_.push_back(dy);
    }
  }

  // Share of the side from a to b along which the picture changes across it.
  float Support(cv::Point2f a, cv::Point2f b) const {
    const cv::Point2f d = b - a;
    const float length = Norm(d);
    const cv::Point2f normal(-d.y / length, d.x / length);
    const int samples = std::clamp(static_cast<int>(length / 4), 6, 24);
    int hits = 0;
    for (int i = 0; i < samples; ++i) {
      const cv::Point2f p = a + d * ((static_cast<float>(i) + 0.5F) / static_cast<float>(samples));
      float strongest = 0;
      for (int k = -2; k <= 2; ++k) {
        const int x = cvRound(p.x + normal.x * static_cast<float>(k));
        const int y = cvRound(p.y + normal.y * static_cast<float>(k));
        if (x < 0 || y < 0 || x >= dx_[0].cols || y >= dx_[0].rows) continue;
        for (std::size_t c = 0; c < dx_.size(); ++c) {
          const float gx = dx_[c].at<std::int16_t>(y, x), gy = dy_[c].at<std::int16_t>(y, x);
          const float across = std::abs(gx * normal.x + gy * normal.y);
          const float along = std::abs(gx * normal.y - gy * normal.x);
          if (across > 1.5F * along) strongest = std::max(strongest, across);
        }
      }
      // Sobel sums eight differences: 24 is a step of 6 grey levels, above the
      // noise of the pictures this was tried on.
      hits += strongest > 24 ? 1 : 0;
    }
    return static_cast<float>(hits) / static_cast<float>(samples);
  }

 private:
  std::vector<cv::Mat> dx_, dy_;
};

// The best square about a place and of a size.
using QuadsByPlace = std::unordered_map<std::uint64_t, Quad>;

// Takes a square where its edges are there, but for the one between its last two corners
// where that is `open`.
void Take(const std::array<cv::Point2f, 4>& c, bool open, const EdgeMap& edges,
          QuadsByPlace& best) {
  if (!LooksSquare(c)) return;
  const cv::Point2f m = CentreOf(c);
  const auto key = (static_cast<std::uint64_t>(std::max(0.F, m.x / 3)) << 40) |
                   (static_cast<std::uint64_t>(std::max(0.F, m.y / 3)) << 16) |
                   static_cast<std::uint64_t>(SideOf(c) / 3);
  Quad& known = best[key];
  if (known.support > 0.999) return;
  constexpr std::size_t kOpenSide = 2;
  float sum = 0, least = 1;
  for (std::size_t i = 0; i < 4; ++i) {
    const float side = edges.Support(c[i], c[(i + 1) % 4]);
    sum += side;
    if (!open || i != kOpenSide) least = std::min(least, side);
  }
  if (least < 0.3F) return;
  if (sum / 4 > known.support) known = {c, sum / 4};
}

// The squares that begin at a corner `p`.
void CloseSquares(const std::vector<EdgeCorner>& corners, const Buckets& buckets,
                  const EdgeMap& edges, const EdgeCorner& p, const QuadOptions& options,
                  QuadsByPlace& best) {
  // Clockwise in the picture: p, q along u, then s, then r along v.
  const auto u_of = [](const EdgeCorner& c) { return c.u; };
  const auto v_of = [](const EdgeCorner& c) { return c.v; };
  const std::vector<int> qs = Closing(corners, buckets, p, p.u, p.v, v_of, u_of, options);
  if (qs.empty()) return;
  if (options.open_ends) {
    for (const int qi : qs) {
      const EdgeCorner& q = corners[static_cast<std::size_t>(qi)];
      const float side = Norm(q.at - p.at);
      Take({p.at, q.at, q.at + q.u * side, p.at + p.v * side}, true, edges, best);
    }
  }
  const std::vector<int> rs = Closing(corners, buckets, p, p.v, p.u, u_of, v_of, options);
  for (const int qi : qs) {
    for (const int ri : rs) {
      const EdgeCorner& q = corners[static_cast<std::size_t>(qi)];
      const EdgeCorner& r = corners[static_cast<std::size_t>(ri)];
      const float sine = Cross(q.u, r.v);
      if (std::abs(sine) < 0.5F) continue;
      const cv::Point2f s = q.at + q.u * (Cross(r.at - q.at, r.v) / sine);
      Take({p.at, q.at, s, r.at}, false, edges, best);
    }
  }
}

std::array<cv::Point2f, 4> FromTopLeft(std::array<cv::Point2f, 4> c) {
  const auto first = std::min_element(
      c.begin(), c.end(), [](cv::Point2f a, cv::Point2f b) { return a.x + a.y < b.x + b.y; });
  std::rotate(c.begin(), first, c.end());
  return c;
}

}  // namespace

double SideOf(const std::array<cv::Point2f, 4>& c) {
  double sum = 0;
  for (std::size_t i = 0; i < 4; ++i) sum += Norm(c[(i + 1) % 4] - c[i]);
  return sum / 4;
}

cv::Point2f CentreOf(const std::array<cv::Point2f, 4>& c) {
  return (c[0] + c[1] + c[2] + c[3]) * 0.25F;
}

std::vector<Quad> FindQuads(const cv::Mat& picture, const QuadOptions& options) {
  const double scale = std::min(
      1.0, static_cast<double>(options.work_side_px) / std::max(picture.cols, picture.rows));
  cv::Mat small = picture;
  if (scale < 1) cv::resize(picture, small, {}, scale, scale, cv::INTER_AREA);
  const std::vector<cv::Mat> contrasts = Contrasts(small);
  const std::vector<EdgeCorner> corners = FindEdgeCorners(contrasts);
  Buckets buckets(small.size(), 16);
  for (int i = 0; i < static_cast<int>(corners.size()); ++i) {
    const cv::Point2f at = corners[static_cast<std::size_t>(i)].at;
    buckets.At(buckets.Column(at.x), buckets.Row(at.y)).push_back(i);
  }

  // In stripes of corners side by side, as many on every machine.
  constexpr std::size_t kStripes = 8;
  const EdgeMap edges(contrasts);
  std::array<QuadsByPlace, kStripes> found;
  cv::parallel_for_(cv::Range(0, static_cast<int>(kStripes)), [&](const cv::Range& range) {
    for (int i = range.start; i < range.end; ++i) {
      const auto k = static_cast<std::size_t>(i);
      for (std::size_t p = k * corners.size() / kStripes; p < (k + 1) * corners.size() / kStripes;
           ++p) {
        CloseSquares(corners, buckets, edges, corners[p], options, found[k]);
      }
    }
  });
  QuadsByPlace best;
  for (const QuadsByPlace& stripe : found) {
    for (const auto& [key, quad] : stripe) {
      if (quad.support > best[key].support) best[key] = quad;
    }
  }
  std::vector<Quad> quads;
  quads.reserve(best.size());
  for (auto& [key, quad] : best) {
    if (quad.support <= 0) continue;
    for (cv::Point2f& c : quad.corners_px) {
      c = (c + cv::Point2f(0.5F, 0.5F)) / static_cast<float>(scale) - cv::Point2f(0.5F, 0.5F);
    }
    quad.corners_px = FromTopLeft(quad.corners_px);
    quads.push_back(quad);
  }
  std::sort(quads.begin(), quads.end(), [](const Quad& a, const Quad& b) {
    if (a.support != b.support) return a.support > b.support;
    const cv::Point2f ca = CentreOf(a.corners_px), cb = CentreOf(b.corners_px);
    return ca.y != cb.y ? ca.y < cb.y : ca.x < cb.x;
  });
  if (quads.size() > static_cast<std::size_t>(options.limit)) {
    quads.resize(static_cast<std::size_t>(options.limit));
  }
  return quads;
}

}  // namespace tilewarden::calibration
