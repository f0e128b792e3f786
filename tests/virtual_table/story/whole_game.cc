#include "tests/virtual_table/story/whole_game.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "tests/virtual_table/scene/laid_table.h"
#include "tests/virtual_table/story/game_pictures.h"
#include "tests/virtual_table/story/game_truth.h"
#include "tests/virtual_table/story/still.h"
#include "tests/virtual_table/story/truth.h"

namespace tilewarden::virtual_table {
namespace {

using engine::Cell;
using nlohmann::json;

// Of the figures at a hostile table.
constexpr double kOverEdge = 0.25;

json TurnsOf(const engine::Game& game) {
  std::vector<std::string> colours;
  for (const auto& player : game.players()) colours.push_back(player.colour);
  engine::Game now(game.shared_tile_set(), game.rules(), colours, game.PlacedTiles()[0].rotation);
  json turns = json::array();
  for (const engine::Turn& turn : game.turns()) {
    const auto outcome = now.Apply(turn);
    turns.push_back(TurnTruth(now, turn, static_cast<int>(turns.size()) + 1, *outcome));
  }
  return turns;
}

// All cells that ever hold a tile.
BoardExtent ExtentOf(const Story& story) {
  int x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  for (const Moment& moment : story.moments) {
    for (const auto& tile : moment.tiles) {
      x0 = std::min(x0, tile.cell.x), x1 = std::max(x1, tile.cell.x);
      y0 = std::min(y0, tile.cell.y), y1 = std::max(y1, tile.cell.y);
    }
  }
  return {(x0 + x1) / 2.0, (y0 + y1) / 2.0, x1 - x0 + 1, y1 - y0 + 1};
}

// The setting as somebody sets a camera up who wants all of the board in the picture, and some
// table around it, however the board is turned; before and after the camera is bumped.
Scene Framed(const WholeGamePlan& plan, cv::Size2d board_mm, const std::vector<TileOnBoard>& ground,
             const Nudge& nudge) {
  constexpr double kMargin = 0.05;  // of the picture's height
  for (double room = 1.15;; room *= 1.04) {
    Scene scene = MakeSetting(plan.level, plan.story.seed, plan.size_px, board_mm, plan.table, room,
                              plan.hostile);
    const double margin = kMargin * plan.size_px.height;
    const cv::Rect2d picture(margin, margin, plan.size_px.width - 2 * margin,
                             plan.size_px.height - 2 * margin);
    const auto whole = [&](const TileOnBoard& tile) {
      const auto corners = TopCorners(tile.card.stand);
      return std::all_of(corners.begin(), corners.end(), [&](const cv::Vec3d& corner) {
        return picture.contains(scene.camera.ProjectPoint(corner)) &&
               picture.contains(scene.camera.Moved(nudge).ProjectPoint(corner));
      });
    };
    if (std::all_of(ground.begin(), ground.end(), whole)) return scene;
  }
}

// The lamp goes out.
Lights Switched(const Lights& lights) {
  Lights other = lights;
  other.lamp.colour = {0.004F, 0.004F, 0.004F};
  return other;
}

}  // namespace

json PictureGame(const WholeGamePlan& plan, TileBox* box, const FrameSink& sink) {
  const Story story = TellStory(plan.story);
  const engine::Game& game = story.game[0];
  const std::uint64_t seed = plan.story.seed;
  Neatness neat = NeatnessOf(plan.level);
  if (plan.hostile) neat.over_edge = kOverEdge;
  const double pitch = kTile_mm + neat.gap_mm;
  const BoardExtent extent = ExtentOf(story);
  cv::RNG rng(seed * 2654435761u + 3);
  rng.next();
  const BoardFrame frame = Centred(extent, rng.uniform(-0.08, 0.08), pitch);
  const HandLaid hand(box->tiles(), frame, neat, seed);
  // Nothing may stand where a tile will lie.
  std::vector<TileOnBoard> ground;
  std::vector<Cell> cells;
  for (const Moment& moment : story.moments) {
    for (const auto& tile : moment.tiles) {
      if (std::find(cells.begin(), cells.end(), tile.cell) != cells.end()) continue;
      cells.push_back(tile.cell);
      ground.push_back(hand.Lay({0, tile.cell, 0, 0, 0}, 0));
    }
  }
  const double direction = rng.uniform(0.0, 2 * std::numbers::pi);
  const double by_mm = rng.uniform(6.0, 30.0);
  const Nudge nudge = {{by_mm * std::cos(direction), by_mm * std::sin(direction)},
                       rng.uniform(-3.0, 3.0),
                       rng.uniform(0.97, 1.03)};
  Scene scene = Framed(plan, {extent.columns * pitch, extent.rows * pitch}, ground, nudge);
  std::vector<std::string> colours;
  for (const auto& player : game.players()) colours.push_back(player.colour);
  const engine::Game fresh(game.shared_tile_set(), game.rules(), colours);
  std::vector<Figure> figures;
  AddSurroundings(fresh.players(), ground, seed, 15, &scene, &figures);
  std::vector<std::vector<Figure>> supply(colours.size());
  for (const Figure& figure : figures) {
    const auto owner = std::find(colours.begin(), colours.end(), figure.colour);
    supply[static_cast<std::size_t>(owner - colours.begin())].push_back(figure);
  }
  // One table top for both cameras.
  scene.area_mm = AreaInView(scene.camera) | AreaInView(scene.camera.Moved(nudge));
  const Lights other = Switched(scene.lights);
  const json camera = CameraTruth(scene.camera);

  json truth = ShowGame(plan, story, std::move(scene),
                        LaidTable(frame, neat, seed, std::move(supply), colours, box), box, sink,
                        nudge, other);
  truth["schema"] = "tilewarden.game/1";
  truth["tile_set"] = box->tiles().id();
  truth["preset"] = plan.story.preset;
  truth["box"] = box->box();
  truth["level"] = NameOf(plan.level);
  truth["hostile"] = plan.hostile;
  truth["seed"] = seed;
  truth["colours"] = colours;
  const auto& start = game.PlacedTiles()[0];
  truth["start"] = {{"tile", box->tiles().types()[static_cast<std::size_t>(start.tile)].id},
                    {"cell", {start.cell.x, start.cell.y}},
                    {"rotation", start.rotation}};
  truth["turns"] = TurnsOf(game);
  truth["final"] = FinalTruth(game);
  truth["camera"] = camera;
  return truth;
}

}  // namespace tilewarden::virtual_table
