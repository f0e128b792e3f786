#include "vision/figures/figures_beside.h"

#include <algorithm>
#include <cmath>

#include "vision/picture/named_tile.h"

namespace tilewarden::vision {
namespace {

// What is found so near to a figure of the board, in tile sizes, is that figure, which leans out
// over the table.
constexpr double kSame = 0.4;
// That one that was seen is still there, below a hand: it may as well have taken it.
constexpr double kUnderHand = 0.49;

std::vector<NamedTile> TilesAt(const BoardPlaces& places) {
  std::vector<NamedTile> tiles;
  for (const auto& [cell, tile] : places.tiles) {
    NamedTile& laid = tiles.emplace_back();
    laid.cell = cell;
    laid.corners_px = CornersOf(tile.px_from_tile);
    laid.tile = tile.name;
  }
  return tiles;
}

// The cells of the view where no tile lies.
BoardPlaces Beside(const BoardView& view, const BoardPlaces& board) {
  BoardPlaces places;
  for (int y = 0; y < view.cells_y; ++y) {
    for (int x = 0; x < view.cells_x; ++x) {
      const LatticeCell cell{view.first.x + x, view.first.y + y};
      if (board.tiles.contains(cell)) continue;
      const cv::Matx33d from_tile(1, 0, cell.x, 0, 1, cell.y, 0, 0, 1);
      places.beside[cell] = cv::Matx33f(view.plane.px_from_lattice * from_tile);
    }
  }
  return places;
}

}  // namespace

void FiguresBeside::Forget() {
  looked_ = false;
  found_.clear();
  figures_.clear();
}

void FiguresBeside::Look(const cv::Mat& picture, const PicturePyramid& pyramid,
                         const cv::Mat& hand_mask, const BoardPlaces& places,
                         const TablePlane& plane, const std::vector<SightedFigure>& on_board,
                         const Options& options) {
  const std::vector<NamedTile> tiles = TilesAt(places);
  const CellWatch::Change change = looked_ ? watch_.Changed(pyramid) : CellWatch::Change();
  if (!looked_ || !change.cells.empty() || tiles.size() != tiles_) {
    found_ = looked_ ? finder_.FindAgain(picture, tiles, plane, hand_mask, change.cells, options)
                     : finder_.Find(picture, tiles, plane, hand_mask, options);
    tiles_ = tiles.size();
    looked_ = !finder_.view().picture.empty();
    if (looked_) watch_.Remember(pyramid, Beside(finder_.view(), places));
  }
  figures_ = found_;
  std::erase_if(figures_, [&](const SightedFigure& figure) {
    return figure.cell || std::any_of(on_board.begin(), on_board.end(), [&](const auto& other) {
             return other.cell &&
                    std::hypot(other.foot_px.x - figure.foot_px.x,
                               other.foot_px.y - figure.foot_px.y) < kSame * plane.tile_px;
           });
  });
}

std::vector<SightedFigure> FiguresBeside::StillThere(const cv::Mat& picture,
                                                     const cv::Mat& hand_mask) const {
  std::vector<SightedFigure> there = figures_;
  if (there.empty()) return there;
  const auto [gone, hidden] = finder_.WhatChanged(picture, hand_mask);
  const auto among = [](const std::vector<Point>& feet, const SightedFigure& figure) {
    return std::any_of(feet.begin(), feet.end(), [&](const Point& foot) {
      return foot.x == figure.foot_px.x && foot.y == figure.foot_px.y;
    });
  };
  std::erase_if(there, [&](const SightedFigure& figure) { return among(gone, figure); });
  for (SightedFigure& figure : there) {
    if (among(hidden, figure)) figure.probability *= kUnderHand;
  }
  return there;
}

}  // namespace tilewarden::vision
