#include "vision/board/tiles_aside.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>
#include <utility>

#include "calibration/common/quad_finder.h"
#include "opencv2/imgproc.hpp"
#include "vision/picture/geometry.h"
#include "vision/picture/lattice_cells.h"

namespace tilewarden::vision {
namespace {

// Width of the small pictures by which changes are found: a tile of 1/40 of the width has 8 pixels.
constexpr int kSmallWidth_px = 320;
// Changes of less than this, in levels of all channels beyond the common change, are noise; of less
// than this share of a tile's area they are figures.
constexpr double kChange = 24;
constexpr double kLeastOfATile = 0.25;
// Squares may be this much larger or smaller than the board's tiles on the table's plane, which
// few tiles tell only roughly far from them.
constexpr double kMostScale = 1.3;
// And their sides and angles as unlike.
constexpr double kMostSkew = 0.2;
// Squares that are looked at in one part of the picture, best supported first.
constexpr std::size_t kMostAside = 24;

using Corners = std::array<cv::Point2f, 4>;

LatticeCell CellAt(cv::Point2d lattice) {
  return {static_cast<int>(std::floor(lattice.x)), static_cast<int>(std::floor(lattice.y))};
}

cv::Point2d Centre(const std::array<cv::Point2d, 4>& corners) {
  return (corners[0] + corners[1] + corners[2] + corners[3]) * 0.25;
}

// What touches a tile of the board, at a corner too, belongs to the board.
bool Away(LatticeCell cell, const BoardPlaces& places) {
  return std::none_of(places.tiles.begin(), places.tiles.end(),
                      [&](const auto& tile) { return Touch(tile.first, cell); });
}

// The corners in the lattice's order, north-west first, where the quad may be a tile that lies
// away from the board.
std::optional<Corners> AsTile(const Corners& quad, const cv::Matx33d& lattice_from_px,
                              const BoardPlaces& places) {
  std::array<cv::Point2d, 4> on_table;
  for (std::size_t i = 0; i < 4; ++i) on_table[i] = Through(lattice_from_px, cv::Point2d(quad[i]));
  double mean = 0, most_skew = 0;
  for (std::size_t i = 0; i < 4; ++i) mean += cv::norm(on_table[(i + 1) % 4] - on_table[i]) / 4;
  if (!(mean > 1 / kMostScale && mean < kMostScale)) return std::nullopt;
  for (std::size_t i = 0; i < 4; ++i) {
    const cv::Point2d side = on_table[(i + 1) % 4] - on_table[i];
    const cv::Point2d next = on_table[(i + 2) % 4] - on_table[(i + 1) % 4];
    most_skew = std::max(
        {most_skew, std::abs(cv::norm(side) / mean - 1), std::abs(side.dot(next)) / (mean * mean)});
  }
  const cv::Point2d centre = Centre(on_table);
  if (most_skew > kMostSkew || !Away(CellAt(centre), places)) return std::nullopt;
  // North-west is the corner that lies so, to an eighth of a turn.
  std::size_t first = 0;
  for (std::size_t i = 1; i < 4; ++i) {
    const auto sum = [](cv::Point2d p) { return p.x + p.y; };
    if (sum(on_table[i]) < sum(on_table[first])) first = i;
  }
  Corners corners;
  for (std::size_t i = 0; i < 4; ++i) corners[i] = quad[(first + i) % 4];
  return corners;
}

// Squares in a part of the picture that may be tiles, best supported first, each place once.
std::vector<Corners> Squares(const cv::Mat& picture, const cv::Rect& part,
                             const cv::Matx33d& lattice_from_px, double tile_px,
                             const BoardPlaces& places) {
  calibration::QuadOptions options;
  const double scale =
      std::min(1.0, static_cast<double>(options.work_side_px) / std::max(part.width, part.height));
  options.min_side_px = 0.5 * tile_px * scale;
  options.max_side_px = 2 * tile_px * scale;
  std::vector<Corners> squares;
  for (const calibration::Quad& quad : calibration::FindQuads(picture(part), options)) {
    Corners corners = quad.corners_px;
    for (cv::Point2f& corner : corners) corner += cv::Point2f(part.tl());
    const std::optional<Corners> tile = AsTile(corners, lattice_from_px, places);
    if (!tile) continue;
    const bool known = std::any_of(squares.begin(), squares.end(), [&](const Corners& other) {
      return cv::norm(calibration::CentreOf(other) - calibration::CentreOf(*tile)) <
             0.1 * calibration::SideOf(*tile);
    });
    if (!known) squares.push_back(*tile);
    if (squares.size() == kMostAside) break;
  }
  return squares;
}

// A piece of paper is doubtful, a tile that was set aside lies open.
bool IsClear(const std::vector<TileCandidate>& names) {
  constexpr double kClear = 0.8;  // less takes paper for tiles, more leaves out worn ones
  return !names.empty() && !names.front().tile.empty() && names.front().probability >= kClear;
}

Corners CornersOfTile(const SightedTile& tile) {
  Corners corners;
  for (std::size_t i = 0; i < 4; ++i) {
    corners[i] = cv::Point2d(tile.corners_px[i].x, tile.corners_px[i].y);
  }
  return corners;
}

}  // namespace

void TilesAside::Forget() {
  seen_.release();
  tiles_.clear();
}

void TilesAside::Carry(const cv::Matx33d& px_now_from_px_before) {
  seen_.release();
  for (SightedTile& tile : tiles_) {
    for (Point& corner : tile.corners_px) {
      const cv::Point2d now = Through(px_now_from_px_before, {corner.x, corner.y});
      corner = {now.x, now.y};
    }
  }
}

std::vector<cv::Rect> TilesAside::Changed(const cv::Mat& picture, const cv::Mat& hand_mask,
                                          const BoardPlaces& places, double tile_px) {
  const cv::Size size(kSmallWidth_px, std::max(1, picture.rows * kSmallWidth_px / picture.cols));
  const double scale = static_cast<double>(size.width) / picture.cols;
  cv::Mat now;
  cv::resize(picture, now, size, 0, 0, cv::INTER_AREA);
  cv::Mat changed(size, CV_8U, cv::Scalar(255));
  if (seen_.size() == size) {
    // A green tile on a grey table may be as light as it.
    cv::Mat difference, most;
    cv::absdiff(seen_, now, difference);
    cv::transform(difference, most, cv::Matx13f(1, 1, 1));
    changed = most > kChange + cv::mean(most)[0];
  }
  if (!hand_mask.empty()) {
    cv::Mat hand;
    cv::resize(hand_mask, hand, size, 0, 0, cv::INTER_NEAREST);
    changed.setTo(0, hand);
    if (seen_.size() == size) seen_.copyTo(now, hand);
  }
  for (const auto& [cell, tile] : places.tiles) {
    std::vector<cv::Point> outline;
    for (const cv::Point2f& c : CornersOf(tile.px_from_tile)) outline.emplace_back(c * scale);
    cv::fillConvexPoly(changed, outline, cv::Scalar(0));
  }
  seen_ = now;
  cv::Mat labels, stats, centroids;
  const int count = cv::connectedComponentsWithStats(changed, labels, stats, centroids);
  std::vector<cv::Rect> parts;
  for (int i = 1; i < count; ++i) {
    const auto at = [&](int what) { return stats.at<int>(i, what); };
    const double side = tile_px * scale;
    if (at(cv::CC_STAT_AREA) < kLeastOfATile * side * side) continue;
    const cv::Rect small_part(at(cv::CC_STAT_LEFT), at(cv::CC_STAT_TOP), at(cv::CC_STAT_WIDTH),
                              at(cv::CC_STAT_HEIGHT));
    const cv::Rect part(cv::Point(cv::Point2d(small_part.tl()) / scale),
                        cv::Point(cv::Point2d(small_part.br()) / scale));
    parts.push_back(Grown(part, static_cast<int>(tile_px), picture.size()));
  }
  return parts;
}

absl::Status TilesAside::Look(const cv::Mat& picture, const PicturePyramid& pyramid,
                              const cv::Mat& hand_mask, const BoardPlaces& places,
                              BoardReader& board) {
  const TablePlane plane = board.lattice().Plane();
  const cv::Matx33d lattice_from_px = plane.px_from_lattice.inv();
  const std::vector<cv::Rect> parts = Changed(picture, hand_mask, places, plane.tile_px);
  // Where tiles lay that may lie there still.
  std::vector<Corners> before;
  std::erase_if(tiles_, [&](SightedTile& tile) {
    const std::optional<Corners> lies = AsTile(CornersOfTile(tile), lattice_from_px, places);
    if (!lies) return true;
    const cv::Point2d centre = calibration::CentreOf(*lies);
    // The board may be named from another tile now, and its lattice tells better what lies far off.
    tile.cell = CellAt(Through(lattice_from_px, centre));
    const bool changed = std::any_of(parts.begin(), parts.end(), [&](const cv::Rect& part) {
      return part.contains(cv::Point(centre));
    });
    if (changed) before.push_back(*lies);
    return changed;
  });
  for (const cv::Rect& part : parts) {
    std::vector<Corners> squares;
    std::copy_if(before.begin(), before.end(), std::back_inserter(squares), [&](const Corners& c) {
      return part.contains(cv::Point(calibration::CentreOf(c)));
    });
    const std::vector<Corners> found =
        Squares(picture, part, lattice_from_px, plane.tile_px, places);
    squares.insert(squares.end(), found.begin(), found.end());
    for (const Corners& square : squares) {
      absl::StatusOr<std::optional<LooseReading>> read = board.ReadLoose(picture, pyramid, square);
      if (!read.ok()) return read.status();
      if (!*read || !IsClear((*read)->names)) continue;
      const cv::Point2d centre = calibration::CentreOf(CornersOf((*read)->px_from_tile));
      const LatticeCell cell = CellAt(Through(lattice_from_px, centre));
      const bool taken = std::any_of(tiles_.begin(), tiles_.end(), [&](const SightedTile& tile) {
        return Touch(tile.cell, cell);
      });
      if (taken) continue;
      tiles_.push_back(
          ToSightedTile(board.lattice(), cell, (*read)->px_from_tile, std::move((*read)->names)));
    }
  }
  return absl::OkStatus();
}

}  // namespace tilewarden::vision
