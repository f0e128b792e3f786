// From a game to things on the table: where its tiles and figures lie, how
// they have drifted, and what else stands around them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine/game/game.h"
#include "opencv2/core.hpp"
#include "tests/virtual_table/scene/scene.h"
#include "tests/virtual_table/scene/setting.h"

namespace tilewarden::virtual_table {

// Where cells lie in the world. Cells go east (x) and south (y).
struct BoardFrame {
  cv::Point2d origin_mm;  // middle of cell (0, 0)
  double yaw_rad = 0;     // of the board's east, counter-clockwise
  double pitch_mm = kTile_mm;

  cv::Point2d Middle(engine::Cell cell) const;
};

struct TileOnBoard {
  engine::PlacedTile tile;
  Card card;
};

struct FigureOnBoard {
  engine::PlacedFigure figure;
  Figure thing;
};

// Lays tiles and figures by hand: each a little off, the same for the same
// seed whatever else is on the board.
class HandLaid {
 public:
  HandLaid(const engine::TileSet& tiles, BoardFrame frame, Neatness neatness, std::uint64_t seed);

  const BoardFrame& frame() const { return frame_; }
  // `copy` is the printed copy that lies there.
  TileOnBoard Lay(const engine::PlacedTile& tile, int copy) const;
  // On a tile that lies on the board.
  FigureOnBoard Set(const engine::PlacedFigure& figure, const std::string& colour,
                    const TileOnBoard& on) const;
  // Everything of a game; copies are counted up in the order of laying.
  void Build(const engine::Game& game, std::vector<TileOnBoard>* tiles,
             std::vector<FigureOnBoard>* figures) const;

 private:
  const engine::TileSet& tiles_;
  BoardFrame frame_;
  Neatness neatness_;
  std::uint64_t seed_;
};

// Corners of a card's top face in world mm: north-west first, clockwise, of the
// canonical picture.
std::vector<cv::Vec3d> TopCorners(const Stand& card);

// Finds places for things beside the board, in view and apart.
class Surroundings {
 public:
  Surroundings(const TableCamera& camera, std::uint64_t seed);
  // No place within `radius` of it any more.
  void Take(cv::Point2d at, double radius_mm);
  // A free place within `reach` of a wish; falls back to farther ones. False:
  // the table is full.
  bool Find(cv::Point2d wish, double reach_mm, double radius_mm, bool whole_in_view,
            cv::Point2d* at);
  double Turn() { return rng_.uniform(-3.14159, 3.14159); }
  cv::RNG& rng() { return rng_; }

 private:
  TableCamera camera_;
  cv::RNG rng_;
  std::vector<std::pair<cv::Point2d, double>> taken_;
};

}  // namespace tilewarden::virtual_table
