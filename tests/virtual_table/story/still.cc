#include "tests/virtual_table/story/still.h"

#include <algorithm>
#include <array>
#include <map>
#include <numbers>
#include <set>

#include "tests/virtual_table/scene/extras.h"
#include "tests/virtual_table/story/player.h"
#include "tests/virtual_table/story/truth.h"

namespace tilewarden::virtual_table {
namespace {

using nlohmann::json;

json HeadOf(const Scene& scene, Level level, std::uint64_t seed, const TileBox& box) {
  return {{"schema", "tilewarden.virtual-table/1"},
          {"tile_set", box.tiles().id()},
          {"box", box.box()},
          {"level", NameOf(level)},
          {"seed", seed},
          {"units", "mm, px (centre of the top-left pixel = 0,0)"},
          {"camera", CameraTruth(scene.camera)}};
}

bool Fits(const engine::TileSet& tiles, const std::map<engine::Cell, TileOnBoard*>& board,
          const engine::PlacedTile& tile) {
  const auto edge = [&](const engine::PlacedTile& t, int side) {
    return tiles.types()[static_cast<std::size_t>(t.tile)]
        .edges[static_cast<std::size_t>((side - t.rotation + 8) & 3)];
  };
  constexpr std::array<engine::Cell, 4> kBeside = {engine::Cell{0, -1}, engine::Cell{1, 0},
                                                   engine::Cell{0, 1}, engine::Cell{-1, 0}};
  for (int side = 0; side < 4; ++side) {
    const engine::Cell d = kBeside[static_cast<std::size_t>(side)];
    const auto other = board.find({tile.cell.x + d.x, tile.cell.y + d.y});
    if (other != board.end() && edge(tile, side) != edge(other->second->tile, (side + 2) & 3)) {
      return false;
    }
  }
  return true;
}

// Lets two tiles at a time change places. The cells where one lies then that does not fit.
std::set<engine::Cell> Plant(int count, const engine::TileSet& tiles, const HandLaid& hand,
                             const std::vector<FigureOnBoard>& figures, std::uint64_t seed,
                             std::vector<TileOnBoard>* laid) {
  std::map<engine::Cell, TileOnBoard*> board;
  for (TileOnBoard& tile : *laid) board[tile.tile.cell] = &tile;
  std::set<engine::Cell> taken;
  for (const FigureOnBoard& figure : figures) taken.insert(figure.figure.cell);
  std::set<engine::Cell> planted;
  cv::RNG rng(seed * 69069 + 11);
  rng.next();
  constexpr int kTries = 500;
  for (int i = 0; i < kTries && static_cast<int>(planted.size()) < count; ++i) {
    const auto any = [&]() -> TileOnBoard& {
      return (*laid)[static_cast<std::size_t>(rng.uniform(0, static_cast<int>(laid->size())))];
    };
    TileOnBoard &a = any(), &b = any();
    if (a.tile.cell == b.tile.cell || taken.contains(a.tile.cell) || taken.contains(b.tile.cell)) {
      continue;
    }
    engine::PlacedTile to_a = a.tile, to_b = b.tile;
    to_a.tile = b.tile.tile, to_b.tile = a.tile.tile;
    to_a.rotation = rng.uniform(0, 4), to_b.rotation = rng.uniform(0, 4);
    if (Fits(tiles, board, to_a) || Fits(tiles, board, to_b)) continue;
    const TileOnBoard new_a = hand.Lay(to_a, b.card.copy), new_b = hand.Lay(to_b, a.card.copy);
    a = new_a, b = new_b;
    for (const engine::Cell& cell : {to_a.cell, to_b.cell})
      planted.insert(cell), taken.insert(cell);
  }
  return planted;
}

// People who lay out a box step back until every row is in the picture, with some of the table
// around it. One tile of each type fits as it is.
Scene SettingAround(const EnrolmentPlan& plan, cv::Size2d rows_mm, const BoardFrame& frame) {
  constexpr double kStep = 1.06, kMostRoom = 2, kAround_mm = 15;
  const auto setting = [&](double room) {
    return MakeSetting(plan.level, plan.seed, plan.size_px, rows_mm, std::nullopt, room);
  };
  const cv::Rect2d picture({0, 0}, cv::Size2d(plan.size_px));
  const auto whole = [&](const TableCamera& camera) {
    const double c = std::cos(frame.yaw_rad), s = std::sin(frame.yaw_rad);
    for (const double x : {-rows_mm.width / 2 - kAround_mm, rows_mm.width / 2 + kAround_mm}) {
      for (const double y : {-rows_mm.height / 2 - kAround_mm, rows_mm.height / 2 + kAround_mm}) {
        if (!picture.contains(camera.ProjectPoint({c * x - s * y, s * x + c * y, 0}))) return false;
      }
    }
    return true;
  };
  double room = 1.15;
  if (!plan.any_turn) return setting(room);
  while (room < kMostRoom && !whole(setting(room).camera)) room *= kStep;
  return setting(room);
}

}  // namespace

BoardExtent ExtentOf(const engine::Game& game) {
  int x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  for (const auto& tile : game.PlacedTiles()) {
    x0 = std::min(x0, tile.cell.x), x1 = std::max(x1, tile.cell.x);
    y0 = std::min(y0, tile.cell.y), y1 = std::max(y1, tile.cell.y);
  }
  return {(x0 + x1) / 2.0, (y0 + y1) / 2.0, x1 - x0 + 1, y1 - y0 + 1};
}

BoardFrame Centred(const BoardExtent& extent, double yaw_rad, double pitch_mm) {
  BoardFrame frame;
  frame.yaw_rad = yaw_rad;
  const double x = -extent.middle_x * pitch_mm, y = extent.middle_y * pitch_mm;
  const double c = std::cos(yaw_rad), s = std::sin(yaw_rad);
  frame.origin_mm = {c * x - s * y, s * x + c * y};
  return frame;
}

void AddSurroundings(const std::vector<engine::PlayerState>& players,
                     const std::vector<TileOnBoard>& tiles, std::uint64_t seed, int stack_height,
                     Scene* scene, std::vector<Figure>* supply) {
  Surroundings around(scene->camera, seed);
  for (const auto& tile : tiles) {
    const auto at = tile.card.stand.at;
    around.Take({at[0], at[1]}, 40);
  }
  const cv::Size size = scene->camera.size_px;
  const auto wish = [&](double u, double v) {
    return scene->camera.OnPlane({u * size.width, v * size.height}, 0);
  };
  const auto stack = [&](cv::Point2d near, int height) {
    cv::Point2d at;
    if (height <= 0 || !around.Find(near, 40, 36, true, &at)) return;
    const double yaw = around.Turn();
    for (int i = 0; i < height; ++i) {
      Card card;
      card.stand.at = {static_cast<float>(at.x + around.rng().gaussian(0.8)),
                       static_cast<float>(at.y + around.rng().gaussian(0.8)),
                       static_cast<float>(i * kCardThickness_mm)};
      card.stand.yaw_rad = yaw + around.rng().gaussian(0.04);
      scene->cards.push_back(card);
    }
  };
  stack(wish(0.90, 0.42), std::min(9, stack_height));
  stack(wish(0.10, 0.30), std::min(6, stack_height - 9));
  const std::vector<cv::Point2d> seats = {wish(0.25, 0.93), wish(0.80, 0.92), wish(0.93, 0.18),
                                          wish(0.07, 0.55), wish(0.5, 0.05),  wish(0.93, 0.65)};
  for (std::size_t p = 0; p < players.size(); ++p) {
    std::vector<engine::FigureKind> kinds(static_cast<std::size_t>(players[p].followers()),
                                          engine::FigureKind::kFollower);
    for (const engine::FigureKind kind : {engine::FigureKind::kAbbot, engine::FigureKind::kProphet,
                                          engine::FigureKind::kLargeFollower,
                                          engine::FigureKind::kBuilder, engine::FigureKind::kPig}) {
      kinds.insert(kinds.end(), static_cast<std::size_t>(players[p].Supply(kind)), kind);
    }
    for (const engine::FigureKind kind : kinds) {
      cv::Point2d at;
      if (!around.Find(seats[p % seats.size()], 42, 11, true, &at)) continue;
      Figure figure;
      figure.kind = kind;
      figure.colour = players[p].colour;
      figure.lying = around.rng().uniform(0, 3) == 0;
      figure.stand = {{static_cast<float>(at.x), static_cast<float>(at.y), 0}, around.Turn()};
      supply->push_back(figure);
    }
  }
  const auto prop = [&](PropKind kind, cv::Point2d near, cv::Vec3f colour) {
    cv::Point2d at;
    const double radius = RadiusOf(kind);
    if (!around.Find(near, 60, radius, false, &at)) return;
    scene->props.push_back(
        {kind, {{static_cast<float>(at.x), static_cast<float>(at.y), 0}, around.Turn()}, colour});
  };
  prop(PropKind::kScoreSheet, wish(0.95, 0.02), {});
  prop(PropKind::kMug, wish(0.03, 0.08), LinearBgr(58, 104, 112));
  prop(PropKind::kPhone, wish(0.04, 0.85), {});
  prop(PropKind::kPage, wish(0.55, -0.02), {});
  prop(PropKind::kPen, wish(0.95, 0.75), LinearBgr(34, 40, 84));
}

Still MakeStill(const StillPlan& plan, TileBox* box) {
  const engine::Game game = PlayGame(
      box->shared_tiles(),
      {plan.colours, plan.turns, plan.seed, plan.turns > 40 ? 12 : 9, plan.turns > 40 ? 8 : 6});
  const Neatness neat = NeatnessOf(plan.level);
  const double pitch = kTile_mm + neat.gap_mm;
  const BoardExtent extent = ExtentOf(game);
  Scene scene = MakeSetting(plan.level, plan.seed, plan.size_px,
                            {extent.columns * pitch, extent.rows * pitch}, plan.table);
  cv::RNG rng(plan.seed * 2654435761u + 3);
  rng.next();
  const HandLaid hand(box->tiles(), Centred(extent, rng.uniform(-0.2, 0.2), pitch), neat,
                      plan.seed);
  std::vector<TileOnBoard> tiles;
  std::vector<FigureOnBoard> figures;
  hand.Build(game, &tiles, &figures);
  const std::set<engine::Cell> planted =
      Plant(plan.planted, box->tiles(), hand, figures, plan.seed, &tiles);
  std::vector<Figure> supply;
  if (plan.bare) {
    figures.clear();
  } else {
    AddSurroundings(game.players(), tiles, plan.seed, 71 - static_cast<int>(game.turns().size()),
                    &scene, &supply);
  }

  const std::vector<FigureOnBoard> special =
      SetSpecialFigures(plan.special, plan.colours, box->tiles(), hand, tiles, figures, plan.seed);
  figures.insert(figures.end(), special.begin(), special.end());
  const std::vector<Prop> clutter =
      LayClutter(plan.clutter, scene.camera, tiles, figures, plan.seed);

  scene.camera = scene.camera.Moved(plan.nudge);

  json truth = HeadOf(scene, plan.level, plan.seed, *box);
  truth["tiles"] = json::array();
  truth["meeples"] = json::array();
  truth["offboard_meeples"] = json::array();
  truth["distractors"] = json::array();
  truth["clutter"] = json::array();
  std::map<engine::Cell, const TileOnBoard*> by_cell;
  std::vector<Card> cards = scene.cards;
  for (const auto& tile : tiles) {
    truth["tiles"].push_back(TileTruth(scene.camera, box->tiles(), tile));
    if (planted.contains(tile.tile.cell)) truth["tiles"].back()["planted"] = true;
    by_cell[tile.tile.cell] = &tile;
    cards.push_back(tile.card);
  }
  std::vector<Figure> things = supply;
  for (const auto& figure : figures) {
    truth["meeples"].push_back(
        FigureTruth(scene.camera, box->tiles(), *by_cell[figure.figure.cell], figure));
    things.push_back(figure.thing);
  }
  for (const auto& figure : supply) {
    truth["offboard_meeples"].push_back(LooseFigureTruth(scene.camera, figure));
  }
  for (const auto& prop : scene.props) {
    truth["distractors"].push_back(PropTruth(scene.camera, prop));
  }
  std::vector<Prop> props = scene.props;
  for (const auto& thing : clutter) {
    truth["clutter"].push_back(PropTruth(scene.camera, thing));
    props.push_back(thing);
  }
  Renderer renderer(scene, box);
  renderer.Settle(cards, things, props);
  return {renderer.Frame({}, plan.seed), std::move(truth)};
}

Still MakeEnrolment(const EnrolmentPlan& plan, TileBox* box) {
  const auto& types = box->tiles().types();
  std::vector<std::pair<int, int>> laid = plan.cards;
  if (laid.empty()) {
    for (std::size_t i = 0; i < types.size(); ++i) laid.emplace_back(static_cast<int>(i), 0);
  }
  const int columns = plan.columns;
  const int rows = (static_cast<int>(laid.size()) + columns - 1) / columns;
  constexpr double kPitch_mm = kTile_mm + 14;
  cv::RNG rng(plan.seed * 40503 + 1);
  rng.next();
  const BoardExtent extent = {(columns - 1) / 2.0, (rows - 1) / 2.0, columns, rows};
  BoardFrame frame = Centred(extent, rng.uniform(-0.05, 0.05), kPitch_mm);
  frame.pitch_mm = kPitch_mm;
  const Scene scene = SettingAround(plan, {columns * kPitch_mm, rows * kPitch_mm}, frame);
  json truth = HeadOf(scene, plan.level, plan.seed, *box);
  truth["tiles"] = json::array();
  std::vector<Card> cards;
  for (std::size_t i = 0; i < laid.size(); ++i) {
    TileOnBoard tile;
    const int type = laid[i].first;
    tile.tile.tile = type;
    tile.tile.cell = {static_cast<int>(i) % columns, static_cast<int>(i) / columns};
    tile.tile.rotation =
        plan.any_turn ? rng.uniform(0, 4) : types[static_cast<std::size_t>(type)].upright;
    tile.card.type = type;
    tile.card.copy = laid[i].second;
    const cv::Point2d at = frame.Middle(tile.tile.cell);
    const double askew_rad = plan.any_turn ? 0.06 : 0.015;
    tile.card.stand = {
        {static_cast<float>(at.x + rng.gaussian(1.2)), static_cast<float>(at.y + rng.gaussian(1.2)),
         0},
        frame.yaw_rad - tile.tile.rotation * std::numbers::pi / 2 + rng.gaussian(askew_rad)};
    truth["tiles"].push_back(TileTruth(scene.camera, box->tiles(), tile));
    cards.push_back(tile.card);
  }
  Renderer renderer(scene, box);
  renderer.Settle(cards, {}, {});
  return {renderer.Frame({}, plan.seed), std::move(truth)};
}

std::vector<std::pair<int, int>> ShuffledBox(const engine::TileSet& tiles, std::uint64_t seed) {
  std::vector<std::pair<int, int>> cards;
  for (std::size_t type = 0; type < tiles.types().size(); ++type) {
    for (int copy = 0; copy < tiles.counts()[type]; ++copy) {
      cards.emplace_back(static_cast<int>(type), copy);
    }
  }
  cv::RNG rng(seed * 7919 + 5);
  rng.next();
  for (std::size_t i = cards.size(); i > 1; --i) {
    std::swap(cards[i - 1], cards[static_cast<std::size_t>(rng.uniform(0, static_cast<int>(i)))]);
  }
  return cards;
}

}  // namespace tilewarden::virtual_table
