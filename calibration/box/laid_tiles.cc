#include "calibration/box/laid_tiles.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "calibration/box/reference_pack.h"
#include "opencv2/imgproc.hpp"

namespace tilewarden::calibration {
namespace {

using Corners = std::array<cv::Point2f, 4>;

double Distance(cv::Point2f a, cv::Point2f b) { return std::hypot(a.x - b.x, a.y - b.y); }

// Groups items for which `linked(i, j)` holds, directly or over others.
template <typename Linked>
std::vector<std::vector<std::size_t>> Groups(std::size_t count, Linked linked) {
  std::vector<std::vector<std::size_t>> groups;
  std::vector<bool> taken(count, false);
  for (std::size_t first = 0; first < count; ++first) {
    if (taken[first]) continue;
    std::vector<std::size_t> group = {first};
    taken[first] = true;
    for (std::size_t k = 0; k < group.size(); ++k) {
      for (std::size_t other = 0; other < count; ++other) {
        if (taken[other] || !linked(group[k], other)) continue;
        taken[other] = true;
        group.push_back(other);
      }
    }
    groups.push_back(std::move(group));
  }
  return groups;
}

// A bevelled or drawn rim gives a tile two outlines, and which of them was found
// differs from tile to tile. Takes the inner one, which stands out most evenly,
// and widens all by the rim that is usual among them.
void FollowRims(const std::vector<Quad>& quads, std::vector<LaidTile>& tiles) {
  std::vector<double> rims;
  for (LaidTile& tile : tiles) {
    Corners inner = tile.corners_px, outer = tile.corners_px;
    const double side = SideOf(tile.corners_px);
    for (const Quad& quad : quads) {
      if (quad.support < 0.85 * tile.support ||
          Distance(CentreOf(quad.corners_px), tile.centre_px) > 0.06 * side) {
        continue;
      }
      const double size = SideOf(quad.corners_px), ratio = size / side;
      if (ratio < 0.94 || ratio > 1.06) continue;
      if (size < SideOf(inner)) inner = quad.corners_px;
      if (size > SideOf(outer)) outer = quad.corners_px;
    }
    rims.push_back(SideOf(outer) / SideOf(inner));
    tile.corners_px = inner;
  }
  if (rims.empty()) return;
  const auto middle = rims.begin() + static_cast<std::ptrdiff_t>(rims.size() / 2);
  std::nth_element(rims.begin(), middle, rims.end());
  const auto rim = static_cast<float>(*middle);
  for (LaidTile& tile : tiles) {
    const cv::Point2f centre = CentreOf(tile.corners_px);
    for (cv::Point2f& corner : tile.corners_px) corner = centre + (corner - centre) * rim;
  }
}

std::vector<LaidTile> Ordered(const std::vector<LaidTile>& tiles, bool in_rows) {
  cv::Point2d right(0, 0);
  double side = 0;
  for (const LaidTile& tile : tiles) {
    // Of the two directions of its sides, the one nearest to the picture's own.
    for (std::size_t i = 0; i < 4; ++i) {
      const cv::Point2f d = tile.corners_px[(i + 1) % 4] - tile.corners_px[i];
      if (d.x > std::abs(d.y)) right += cv::Point2d(d);
    }
    side += SideOf(tile.corners_px) / static_cast<double>(tiles.size());
  }
  right /= std::hypot(right.x, right.y);
  const auto along = [&](const LaidTile& t) {
    return t.centre_px.x * right.x + t.centre_px.y * right.y;
  };
  const auto down = [&](const LaidTile& t) {
    return t.centre_px.y * right.x - t.centre_px.x * right.y;
  };
  auto rows = Groups(tiles.size(), [&](std::size_t a, std::size_t b) {
    return std::abs(down(tiles[a]) - down(tiles[b])) < 0.4 * side &&
           std::abs(along(tiles[a]) - along(tiles[b])) < 1.8 * side;
  });
  const auto mean_down = [&](const std::vector<std::size_t>& row) {
    double sum = 0;
    for (const std::size_t i : row) sum += down(tiles[i]);
    return sum / static_cast<double>(row.size());
  };
  std::sort(rows.begin(), rows.end(),
            [&](const auto& a, const auto& b) { return mean_down(a) < mean_down(b); });
  // In sides, from middle to middle: nearer ones lie in no rows.
  constexpr double kRowsApart = 0.8, kTilesApart = 0.95;
  std::vector<LaidTile> ordered;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::vector<std::size_t>& row = rows[r];
    if (in_rows && r > 0 && mean_down(row) - mean_down(rows[r - 1]) < kRowsApart * side) return {};
    std::sort(row.begin(), row.end(),
              [&](std::size_t a, std::size_t b) { return along(tiles[a]) < along(tiles[b]); });
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (in_rows && i > 0 && along(tiles[row[i]]) - along(tiles[row[i - 1]]) < kTilesApart * side)
        return {};
      ordered.push_back(tiles[row[i]]);
    }
  }
  return ordered;
}

}  // namespace

std::vector<LaidTile> LaidOut(const std::vector<Quad>& quads,
                              const std::function<double(cv::Point2f)>& side_px, double within,
                              double reach) {
  std::vector<LaidTile> kept;
  for (const Quad& quad : quads) {
    const cv::Point2f centre = CentreOf(quad.corners_px);
    const double side = side_px(centre);
    if (std::abs(SideOf(quad.corners_px) / side - 1) > within) continue;
    const auto over = std::find_if(kept.begin(), kept.end(), [&](const LaidTile& laid) {
      return Distance(laid.centre_px, centre) < 0.9 * side;
    });
    if (over == kept.end()) kept.push_back({quad.corners_px, centre, quad.support});
  }
  FollowRims(quads, kept);
  const auto groups = Groups(kept.size(), [&](std::size_t a, std::size_t b) {
    return Distance(kept[a].centre_px, kept[b].centre_px) < reach * side_px(kept[a].centre_px);
  });
  std::vector<LaidTile> largest;
  for (const auto& group : groups) {
    if (group.size() <= largest.size()) continue;
    largest.clear();
    for (const std::size_t i : group) largest.push_back(kept[i]);
  }
  return largest;
}

std::vector<LaidTile> InReadingOrder(const std::vector<LaidTile>& tiles) {
  return Ordered(tiles, false);
}

std::vector<LaidTile> InRows(const std::vector<LaidTile>& tiles) { return Ordered(tiles, true); }

cv::Mat CutOut(const cv::Mat& picture, const Corners& corners_px) {
  constexpr int kSide = ReferencePack::kSide_px;
  constexpr float kLast = kSide - 0.5F;
  const Corners to = {cv::Point2f(-0.5F, -0.5F), {kLast, -0.5F}, {kLast, kLast}, {-0.5F, kLast}};
  const cv::Mat h = cv::getPerspectiveTransform(corners_px.data(), to.data());
  // Supersampled by two, because a tile may be larger in the picture than here.
  const cv::Mat twice = (cv::Mat_<double>(3, 3) << 2, 0, 0.5, 0, 2, 0.5, 0, 0, 1);
  cv::Mat large, cut;
  cv::warpPerspective(picture, large, twice * h, {2 * kSide, 2 * kSide}, cv::INTER_LINEAR,
                      cv::BORDER_REPLICATE);
  cv::resize(large, cut, {kSide, kSide}, 0, 0, cv::INTER_AREA);
  return cut;
}

}  // namespace tilewarden::calibration
