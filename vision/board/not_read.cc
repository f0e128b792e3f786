#include "vision/board/not_read.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "calibration/common/quad_finder.h"
#include "vision/picture/geometry.h"
#include "vision/picture/lattice_cells.h"
#include "vision/picture/tile_patch.h"

namespace tilewarden::vision {
namespace {

// Of a tile that the border cuts less than this is left to see: nothing can be said of it; and from
// this share on it is read as one.
constexpr double kLeastShown = 0.2, kWhole = 0.85;
// A tile seems to lie where so much of it is said to be one: bare table between tiles and the
// picture's border has up to 0.8.
constexpr double kSeemsATile = 0.85;
// Bare table with tiles on all four sides looks most like one: that one lies there must be clearer.
constexpr double kSeemsATileInAHole = 0.9;
// And by itself, as a share of its area that agrees on where it lies.
constexpr double kLoneTile = 0.5;
// Middles of tiles of one board that touch, at a corner at most, are nearer to each other, in
// sides.
constexpr double kTouches = 1.6;
// What lies nearer to one of its tiles, in sides, is that tile.
constexpr double kSame = 0.6;

cv::Point2f MiddleOf(const cv::Matx33f& px_from_tile) {
  return calibration::CentreOf(CornersOf(px_from_tile));
}

// In sides of the nearest tile of the board.
double DistanceTo(const BoardPlaces& places, const cv::Matx33f& px_from_tile) {
  double nearest = 1e9;
  for (const auto& [cell, tile] : places.tiles) {
    const std::array<cv::Point2f, 4> corners = CornersOf(tile.px_from_tile);
    nearest = std::min(nearest, cv::norm(calibration::CentreOf(corners) - MiddleOf(px_from_tile)) /
                                    calibration::SideOf(corners));
  }
  return nearest;
}

// Whether tiles lie on all four sides of this cell.
bool IsHole(LatticeCell cell, const BoardPlaces& places) {
  return std::all_of(kBeside.begin(), kBeside.end(), [&](const LatticeCell& side) {
    return places.tiles.contains(Plus(cell, side));
  });
}

LatticeCell CellUnder(const Lattice& lattice, const cv::Matx33f& px_from_tile) {
  const cv::Matx33d lattice_from_px = lattice.Plane().px_from_lattice.inv();
  const cv::Point2d at = Through(lattice_from_px, cv::Point2d(MiddleOf(px_from_tile)));
  return {static_cast<int>(std::floor(at.x)), static_cast<int>(std::floor(at.y))};
}

NotRead Told(NotReadWhy why, LatticeCell cell, const cv::Matx33f& px_from_tile) {
  NotRead told;
  told.why = why;
  told.cell = cell;
  const std::array<cv::Point2f, 4> corners = CornersOf(px_from_tile);
  for (std::size_t i = 0; i < 4; ++i) told.corners_px[i] = {corners[i].x, corners[i].y};
  return told;
}

cv::Matx33f PlaceOf(const NotRead& part) {
  std::array<cv::Point2f, 4> corners;
  for (std::size_t i = 0; i < 4; ++i) {
    corners[i] = cv::Point2d(part.corners_px[i].x, part.corners_px[i].y);
  }
  return PxFromTile(corners);
}

}  // namespace

bool IsRead(const NotRead& part, const BoardPlaces& places) {
  return DistanceTo(places, PlaceOf(part)) < kSame;
}

absl::StatusOr<std::vector<NotRead>> FindNotRead(const TableView& view, const BoardPlaces& places,
                                                 const Lattice& lattice, cv::Size picture,
                                                 const IsTile& is_tile) {
  std::vector<NotRead> not_read;
  std::set<LatticeCell> told;
  for (const auto& [cell, px_from_tile] : places.beside) {
    if (!SpanAnArea(CornersOf(px_from_tile))) continue;
    const TileCover::Share share = view.cover.Of(px_from_tile, picture);
    const bool cut = share.in_picture < kWhole;
    if (share.in_picture < kLeastShown || share.covered < kSeemsATile) continue;
    if (IsHole(cell, places) && share.covered < kSeemsATileInAHole) {
      const absl::StatusOr<bool> tile = is_tile(px_from_tile);
      if (!tile.ok()) return tile.status();
      if (!*tile) continue;
    }
    not_read.push_back(
        Told(cut ? NotReadWhy::kCutByBorder : NotReadWhy::kUnreadable, cell, px_from_tile));
    told.insert(cell);
  }
  for (const JoinedTiles& group : view.boards) {
    std::vector<cv::Matx33f> outside;
    for (const auto& [cell, tile] : group.tiles) {
      if (tile.evidence < kLoneTile || DistanceTo(places, tile.px_from_tile) < kSame) continue;
      if (!told.contains(CellUnder(lattice, tile.px_from_tile))) {
        outside.push_back(tile.px_from_tile);
      }
    }
    const bool touches = std::any_of(outside.begin(), outside.end(), [&](const auto& place) {
      return DistanceTo(places, place) <= kTouches;
    });
    // One that lies by itself was set aside.
    if (outside.size() == 1 && !touches) continue;
    std::vector<cv::Matx33f> named;
    for (const cv::Matx33f& px_from_tile : outside) {
      const absl::StatusOr<bool> tile = is_tile(px_from_tile);
      if (!tile.ok()) return tile.status();
      if (*tile) named.push_back(px_from_tile);
    }
    // Of fields of a printed score track a few may pass for tiles, of another part of the board
    // most.
    if (!touches && 2 * named.size() <= outside.size()) continue;
    for (const cv::Matx33f& px_from_tile : named) {
      not_read.push_back(
          Told(NotReadWhy::kOutside, CellUnder(lattice, px_from_tile), px_from_tile));
    }
  }
  return not_read;
}

}  // namespace tilewarden::vision
