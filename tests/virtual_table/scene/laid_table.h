// What lies on the table at each moment of a story, each thing a little off as by hand,
// which stays while nobody touches it: tiles slide when a neighbour is laid, figures are
// fiddled with, and the board may be pushed as a whole.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/virtual_table/scene/board.h"
#include "tests/virtual_table/story/story.h"

namespace tilewarden::virtual_table {

class LaidTable {
 public:
  // `supply`: the figures beside the board, by player. `box` is not owned.
  LaidTable(BoardFrame frame, Neatness neatness, std::uint64_t seed,
            std::vector<std::vector<Figure>> supply, std::vector<std::string> colours,
            const TileBox* box);

  // Takes over what lies there now.
  void Take(const Moment& moment);
  const std::vector<Card>& cards() const { return cards_; }
  // On the board, and beside it.
  const std::vector<Figure>& figures() const { return figures_; }

  // Where a tile would lie that a hand brings, and a figure that stands or would.
  Card CardFor(const engine::SimulatedTable::Tile& tile) const;
  Figure FigureFor(const engine::SimulatedTable::Figure& figure) const;
  int PlayerOf(const std::string& colour) const;
  cv::Point2d Middle(engine::Cell cell) const { return frame_.Middle(cell); }

  // Somebody moves the figure about on its place.
  void Fiddle(const engine::SimulatedTable::Figure& figure);
  // Somebody pushes the whole board.
  void Push(cv::Point2d by_mm, double turn_rad);

 private:
  using FigureKey = std::tuple<std::string, engine::Cell, int>;
  void Slide(engine::Cell laid);
  int NewCopy(int type) const;
  // What belongs to nobody stands beside the others on its place, not in their midst.
  void StandAside(const std::vector<engine::SimulatedTable::Figure>& figures);

  BoardFrame frame_;
  Neatness neatness_;
  std::uint64_t seed_;
  std::vector<std::vector<Figure>> supply_;
  std::vector<std::string> colours_;
  const TileBox* box_;
  cv::RNG rng_;
  // Type and printed copy by cell, and how far each has slid.
  std::map<engine::Cell, std::pair<int, int>> copies_;
  std::map<engine::Cell, cv::Vec3d> slid_;  // x, y in mm, and radians
  std::map<FigureKey, cv::Vec3d> fiddled_;
  std::map<FigureKey, cv::Vec2d> aside_;  // x, y in mm
  std::map<engine::Cell, engine::SimulatedTable::Tile> tiles_;
  std::vector<Card> cards_;
  std::vector<Figure> figures_;
};

}  // namespace tilewarden::virtual_table
