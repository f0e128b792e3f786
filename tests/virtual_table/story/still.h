// Single pictures of a table with their truth: a board in the middle of a
// game, and the types of a set laid out for enrolment.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "nlohmann/json.hpp"
#include "opencv2/core.hpp"
#include "tests/virtual_table/picture/renderer.h"
#include "tests/virtual_table/scene/board.h"

namespace tilewarden::virtual_table {

struct StillPlan {
  Level level = Level::kEasy;
  std::uint64_t seed = 1;
  int turns = 20;
  std::vector<std::string> colours = {"red", "blue"};
  cv::Size size_px{1920, 1080};
  std::optional<TableKind> table;
  // The camera was moved after everything had been laid.
  Nudge nudge;
  // So many tiles without figures change places, to lie where they do not fit.
  int planted = 0;
  // The board alone: no figures, nothing beside it.
  bool bare = false;
  // So many special figures and small things that are no figures, as of extras.h.
  int special = 0, clutter = 0;
};

struct Still {
  cv::Mat picture;
  nlohmann::json truth;
};

Still MakeStill(const StillPlan& plan, TileBox* box);

// Tiles face up in rows with gaps, as laid out to enrol them.
struct EnrolmentPlan {
  Level level = Level::kEasy;
  std::uint64_t seed = 1;
  int columns = 6;
  cv::Size size_px{1920, 1080};
  // Types and copies, row by row; empty: each type once, in the order of the set.
  std::vector<std::pair<int, int>> cards = {};
  // Turned as it happens, each some degrees askew; else upright.
  bool any_turn = false;
};
Still MakeEnrolment(const EnrolmentPlan& plan, TileBox* box);

// Every copy of a box by type and number, in an order by chance.
std::vector<std::pair<int, int>> ShuffledBox(const engine::TileSet& tiles, std::uint64_t seed);

// Where the middle of a board lies and how large it is, in cells.
struct BoardExtent {
  double middle_x = 0, middle_y = 0;
  int columns = 1, rows = 1;
};
BoardExtent ExtentOf(const engine::Game& game);

// The frame that puts the middle of a board at the world's origin.
BoardFrame Centred(const BoardExtent& extent, double yaw_rad, double pitch_mm);

// What stands around a board: stacks of face-down tiles, each player's supply
// of figures, and the usual clutter. Fills the scene and keeps off the tiles.
void AddSurroundings(const std::vector<engine::PlayerState>& players,
                     const std::vector<TileOnBoard>& tiles, std::uint64_t seed, int stack_height,
                     Scene* scene, std::vector<Figure>* supply);

}  // namespace tilewarden::virtual_table
