#include "calibration/common/quad_finder.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <unordered_map>

#include "opencv2/imgproc.hpp"

namespace tilewarden::calibration {
namespace {

constexpr float kShortestSegment_px = 9;
// An edge may stop this short of the corner (rounded corners, a figure).
constexpr float kGap_px = 6;

float Cross(cv::Point2f a, cv::Point2f b) { return a.x * b.y - a.y * b.x; }
float Dot(cv::Point2f a, cv::Point2f b) { return a.x * b.x + a.y * b.y; }
float Norm(cv::Point2f a) { return std::sqrt(Dot(a, a)); }

struct EdgeSegment {
  cv::Point2f from, to, direction;
  float length = 0;
};

// Two edges leaving a point: one corner of a possible square, `u` to `v`
// clockwise in the picture.
struct Corner {
  cv::Point2f at, u, v;
};

// Buckets of points or segments by place, so that only neighbours are compared.
class Buckets {
 public:
  Buckets(cv::Size size, int cell_px)
      : cell_px_(cell_px),
        columns_(size.width / cell_px + 1),
        rows_(size.height / cell_px + 1),
        items_(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_)) {}

  int Column(float x) const { return std::clamp(static_cast<int>(x) / cell_px_, 0, columns_ - 1); }
  int Row(float y) const { return std::clamp(static_cast<int>(y) / cell_px_, 0, rows_ - 1); }
  std::vector<int>& At(int column, int row) {
    return items_[static_cast<std::size_t>(row * columns_ + column)];
  }
  const std::vector<int>& At(int column, int row) const {
    return items_[static_cast<std::size_t>(row * columns_ + column)];
  }
  int columns() const { return columns_; }
  int rows() const { return rows_; }

 private:
  int cell_px_, columns_, rows_;
  std::vector<std::vector<int>> items_;
};

// Brightness, and red against green: a red roof, a field and a grey cloth may be
// equally bright, but not of one hue.
std::vector<cv::Mat> Contrasts(const cv::Mat& picture) {
  if (picture.channels() == 1) return {picture};
  cv::Mat grey, green, red, hue;
  cv::cvtColor(picture, grey, cv::COLOR_BGR2GRAY);
  cv::extractChannel(picture, green, 1);
  cv::extractChannel(picture, red, 2);
  cv::addWeighted(red, 0.7, green, -0.7, 128, hue);
  return {grey, hue};
}

std::vector<EdgeSegment> FindSegments(const std::vector<cv::Mat>& contrasts) {
  std::vector<std::vector<cv::Vec4f>> lines(contrasts.size());
  cv::parallel_for_(cv::Range(0, static_cast<int>(contrasts.size())), [&](const cv::Range& range) {
    for (int i = range.start; i < range.end; ++i) {
      const auto k = static_cast<std::size_t>(i);
      cv::createLineSegmentDetector(cv::LSD_REFINE_NONE)->detect(contrasts[k], lines[k]);
    }
  });
  std::vector<EdgeSegment> segments;
  for (const std::vector<cv::Vec4f>& found : lines) {
    for (const cv::Vec4f& l : found) {
      EdgeSegment s{{l[0], l[1]}, {l[2], l[3]}, {}, 0};
      s.length = Norm(s.to - s.from);
      if (s.length < kShortestSegment_px) continue;
      s.direction = (s.to - s.from) / s.length;
      segments.push_back(s);
    }
  }
  return segments;
}

std::vector<Corner> FindCorners(const std::vector<EdgeSegment>& segments, cv::Size size) {
  Buckets buckets(size, 24);
  for (int i = 0; i < static_cast<int>(segments.size()); ++i) {
    const EdgeSegment& s = segments[static_cast<std::size_t>(i)];
    const int steps = static_cast<int>((s.length + 2 * kGap_px) / 12) + 1;
    int last = -1;
    for (int k = 0; k <= steps; ++k) {
      const cv::Point2f p =
          s.from + s.direction * (-kGap_px + (s.length + 2 * kGap_px) * static_cast<float>(k) /
                                                 static_cast<float>(steps));
      const int column = buckets.Column(p.x), row = buckets.Row(p.y);
      if (const int id = row * buckets.columns() + column; id != last) {
        buckets.At(column, row).push_back(i);
        last = id;
      }
    }
  }
  std::vector<Corner> corners;
  for (int row = 0; row < buckets.rows(); ++row) {
    for (int column = 0; column < buckets.columns(); ++column) {
      const std::vector<int>& here = buckets.At(column, row);
      for (std::size_t a = 0; a < here.size(); ++a) {
        for (std::size_t b = a + 1; b < here.size(); ++b) {
          const EdgeSegment& s = segments[static_cast<std::size_t>(here[a])];
          const EdgeSegment& t = segments[static_cast<std::size_t>(here[b])];
          const float sine = Cross(s.direction, t.direction);
          // A right angle seen at up to 55 degrees of tilt is 60 to 120 degrees.
          if (std::abs(sine) < 0.82F) continue;
          const float along_s = Cross(t.from - s.from, t.direction) / sine;
          const float along_t = Cross(t.from - s.from, s.direction) / sine;
          if (along_s < -kGap_px || along_s > s.length + kGap_px) continue;
          if (along_t < -kGap_px || along_t > t.length + kGap_px) continue;
          const cv::Point2f at = s.from + s.direction * along_s;
          if (buckets.Column(at.x) != column || buckets.Row(at.y) != row) continue;
          for (const float sign_s : {-1.F, 1.F}) {
            if ((sign_s > 0 ? s.length - along_s : along_s) < kShortestSegment_px * 0.7F) continue;
            for (const float sign_t : {-1.F, 1.F}) {
              if ((sign_t > 0 ? t.length - along_t : along_t) < kShortestSegment_px * 0.7F)
                continue;
              const cv::Point2f u = s.direction * sign_s, v = t.direction * sign_t;
              corners.push_back(Cross(u, v) > 0 ? Corner{at, u, v} : Corner{at, v, u});
            }
          }
        }
      }
    }
  }
  return corners;
}

// Both edges of a dark seam cross both edges of the other: one corner is enough.
std::vector<Corner> Thinned(const std::vector<Corner>& corners) {
  std::vector<Corner> kept;
  std::unordered_map<std::int64_t, std::vector<int>> by_place;
  for (const Corner& c : corners) {
    const auto x = static_cast<std::int64_t>(c.at.x / 3), y = static_cast<std::int64_t>(c.at.y / 3);
    std::vector<int>& here = by_place[(x << 32) | y];
    const bool known = std::any_of(here.begin(), here.end(), [&](int k) {
      const Corner& other = kept[static_cast<std::size_t>(k)];
      return Dot(other.u, c.u) > 0.985F && Dot(other.v, c.v) > 0.985F;
    });
    if (known) continue;
    here.push_back(static_cast<int>(kept.size()));
    kept.push_back(c);
  }
  return kept;
}

// The corners that close a side begun at `from` along `along`: the edge comes
// back along -along, and the next side leaves roughly as `next` does.
template <typename Back, typename Next>
std::vector<int> Closing(const std::vector<Corner>& corners, const Buckets& buckets,
                         const Corner& from, cv::Point2f along, cv::Point2f next, Back back,
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
        const Corner& c = corners[static_cast<std::size_t>(k)];
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
void CloseSquares(const std::vector<Corner>& corners, const Buckets& buckets, const EdgeMap& edges,
                  const Corner& p, const QuadOptions& options, QuadsByPlace& best) {
  // Clockwise in the picture: p, q along u, then s, then r along v.
  const auto u_of = [](const Corner& c) { return c.u; };
  const auto v_of = [](const Corner& c) { return c.v; };
  const std::vector<int> qs = Closing(corners, buckets, p, p.u, p.v, v_of, u_of, options);
  if (qs.empty()) return;
  if (options.open_ends) {
    for (const int qi : qs) {
      const Corner& q = corners[static_cast<std::size_t>(qi)];
      const float side = Norm(q.at - p.at);
      Take({p.at, q.at, q.at + q.u * side, p.at + p.v * side}, true, edges, best);
    }
  }
  const std::vector<int> rs = Closing(corners, buckets, p, p.v, p.u, u_of, v_of, options);
  for (const int qi : qs) {
    for (const int ri : rs) {
      const Corner& q = corners[static_cast<std::size_t>(qi)];
      const Corner& r = corners[static_cast<std::size_t>(ri)];
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
  const std::vector<Corner> corners = Thinned(FindCorners(FindSegments(contrasts), small.size()));
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
