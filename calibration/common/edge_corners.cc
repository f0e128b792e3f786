#include "calibration/common/edge_corners.h"

#include <cstdint>
#include <unordered_map>

#include "opencv2/imgproc.hpp"

namespace tilewarden::calibration {
namespace {

// Shorter ones are grain and print; tiles of less than 24 px are not looked for.
constexpr float kShortestSegment_px = 9;
// An edge may stop this short of the corner (rounded corners, a figure).
constexpr float kGap_px = 6;

struct EdgeSegment {
  cv::Point2f from, to, direction;
  float length = 0;
};

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

std::vector<EdgeCorner> FindCorners(const std::vector<EdgeSegment>& segments, cv::Size size) {
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
  std::vector<EdgeCorner> corners;
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
              corners.push_back(Cross(u, v) > 0 ? EdgeCorner{at, u, v} : EdgeCorner{at, v, u});
            }
          }
        }
      }
    }
  }
  return corners;
}

// Both edges of a dark seam cross both edges of the other: one corner is enough.
std::vector<EdgeCorner> Thinned(const std::vector<EdgeCorner>& corners) {
  std::vector<EdgeCorner> kept;
  std::unordered_map<std::int64_t, std::vector<int>> by_place;
  for (const EdgeCorner& c : corners) {
    const auto x = static_cast<std::int64_t>(c.at.x / 3), y = static_cast<std::int64_t>(c.at.y / 3);
    std::vector<int>& here = by_place[(x << 32) | y];
    const bool known = std::any_of(here.begin(), here.end(), [&](int k) {
      const EdgeCorner& other = kept[static_cast<std::size_t>(k)];
      return Dot(other.u, c.u) > 0.985F && Dot(other.v, c.v) > 0.985F;
    });
    if (known) continue;
    here.push_back(static_cast<int>(kept.size()));
    kept.push_back(c);
  }
  return kept;
}

}  // namespace

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

std::vector<EdgeCorner> FindEdgeCorners(const std::vector<cv::Mat>& contrasts) {
  return Thinned(FindCorners(FindSegments(contrasts), contrasts.front().size()));
}

}  // namespace tilewarden::calibration
