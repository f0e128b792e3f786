// The mistakes that simulated people make.
#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/referee_order.h"
#include "referee_evening.h"

namespace tilewarden::engine {
namespace {

std::size_t At(int i) { return static_cast<std::size_t>(i); }

// Feet nearer than this are the same place to anybody who looks on.
constexpr double kApart = 0.25;

double Distance(Point a, Point b) { return std::hypot(a.x - b.x, a.y - b.y); }

}  // namespace

const std::vector<Evening::Mistake>& Evening::Mistakes() {
  static const auto* const kMistakes = new std::vector<Mistake>{
      {"edge-mismatch", &Evening::EdgeMismatch},
      {"not-adjacent", &Evening::NotAdjacent},
      {"out-of-area", &Evening::OutOfArea},
      {"river-uturn", &Evening::RiverUturn},
      {"river-must-continue", &Evening::RiverMustContinue},
      {"no-copies-left", &Evening::NoCopiesLeft},
      {"tile-fits", &Evening::SetAside},
      {"tile-taken", &Evening::TileTaken},
      {"tile-turned", &Evening::TileTurned},
      {"tile-moved", &Evening::TileMoved},
      {"two-tiles", &Evening::SecondTile},
      {"out-of-turn", &Evening::OutOfTurn},
      {"feature-occupied", &Evening::OccupiedFeature},
      {"none-in-supply", &Evening::NoneInSupply},
      {"garden-needs-abbot", &Evening::OnGarden},
      {"abbot-wrong-feature", &Evening::AbbotWrong},
      {"prophet-only-in-city", &Evening::ProphetWrong},
      {"no-follower-on-temple", &Evening::OnTemple},
      {"figure-taken-early", &Evening::FigureTaken},
      {"figure-moved", &Evening::FigureMoved},
      {"figure-not-on-last-tile", &Evening::FigureOnOldTile},
      {"two-figures", &Evening::TwoFigures},
      {"figure-not-returned", &Evening::NotReturned},
      {"figure-pose", &Evening::WrongPose},
      {"ark-moved", &Evening::ArkMoved},
      {"gingerbread-moved", &Evening::GingerbreadMoved},
  };
  return *kMistakes;
}

// Something goes wrong before this turn is taken: one of the kinds that can.
bool Evening::MakeMistake(const Turn& turn) {
  std::vector<Mistake> kinds = Mistakes();
  while (!kinds.empty()) {
    const auto at = kinds.begin() + table_.Pick(static_cast<int>(kinds.size()));
    const Mistake mistake = *at;
    kinds.erase(at);
    if (!options_.kind.empty() && options_.kind != mistake.kind) continue;
    if ((this->*mistake.make)(turn)) return mistake.make == &Evening::NotReturned;
  }
  return false;
}

void Evening::Expect(const std::string& kind, std::set<std::string> codes) {
  ++report_.planted[kind];
  kind_ = kind;
  expected_ = std::move(codes);
  told_.clear();
}

void Evening::ExpectTold() {
  if (!told_.empty()) return;
  ++report_.missed[kind_];
  Note("missed " + kind_ + " after turn " + std::to_string(truth_.turns().size()));
}

void Evening::ExpectCleared() {
  for (const Finding& open : referee_.findings()) {
    if (!expected_.contains(open.code)) continue;
    ++report_.not_cleared;
    Note("not cleared after turn " + std::to_string(truth_.turns().size()) + ": " + open.text);
  }
  expected_.clear();
}

bool Evening::Plant(const std::string& kind, std::set<std::string> codes, Cell hand,
                    const std::function<void()>& wrong, const std::function<void()>& right) {
  Expect(kind, std::move(codes));
  Hand(hand);
  wrong();
  Settle();
  Settle();
  ExpectTold();
  Hand(hand);
  right();
  Settle();
  Settle();
  ExpectCleared();
  return true;
}

// --- Tiles

bool Evening::IllegalTile(const Turn& turn, const std::string& code) {
  // Beyond the table's edge only the board was shifted.
  if (code == "out-of-area" && truth_.rules().board_shift != BoardShift::kRefused) return false;
  std::vector<Turn> wrong;
  Turn t = turn;
  t.deployment.reset();
  t.recall.reset();
  t.ark_path.clear();
  if (code == "river-must-continue") {
    // The river is not finished, but somebody draws from the other pile.
    if (std::none_of(tiles_->last().begin(), tiles_->last().end(),
                     [&](int last) { return truth_.TilesLeft(last) > 0; })) {
      return false;
    }
    t.tile = table_.Pick(static_cast<int>(tiles_->types().size()));
    if (Type(t.tile).HasRiver() || truth_.TilesLeft(t.tile) <= 0) return false;
  }
  for (const PlacedTile& laid : truth_.PlacedTiles()) {
    for (int dx = -1; dx <= 1; ++dx) {
      for (int dy = -1; dy <= 1; ++dy) {
        for (t.rotation = 0; t.rotation < 4; ++t.rotation) {
          t.cell = {laid.cell.x + dx, laid.cell.y + dy};
          const auto refusal = truth_.Check(t);
          if (refusal && refusal->code == code) wrong.push_back(t);
        }
      }
    }
  }
  if (wrong.empty()) return false;
  t = wrong[At(table_.Pick(static_cast<int>(wrong.size())))];
  return Plant(
      code, {code}, t.cell, [&] { table_.Lay(t); }, [&] { table_.tiles.pop_back(); });
}

bool Evening::NoCopiesLeft(const Turn& turn) {
  Turn t = turn;
  t.deployment.reset();
  t.tile = table_.Pick(static_cast<int>(tiles_->types().size()));
  if (truth_.TilesLeft(t.tile) > 0 || Type(t.tile).HasRiver()) return false;
  const std::vector<Placement> legal = truth_.LegalPlacements(t.tile);
  if (legal.empty()) return false;
  const Placement at = legal[At(table_.Pick(static_cast<int>(legal.size())))];
  // Leaving the Gingerbread Man where he stands would be a second mistake.
  if (!truth_.GingerbreadTargets(t.tile, at).empty()) return false;
  t.cell = at.cell;
  t.rotation = at.rotation;
  return Plant(
      "no-copies-left", {"no-copies-left"}, t.cell, [&] { table_.Lay(t); },
      [&] { table_.tiles.pop_back(); });
}

// Says that a tile fits nowhere, puts it beside the board and draws another.
bool Evening::SetAside(const Turn& turn) {
  const int tile = table_.Pick(static_cast<int>(tiles_->types().size()));
  if (truth_.TilesLeft(tile) <= (tile == turn.tile ? 1 : 0) ||
      truth_.LegalPlacements(tile).empty() || !expected_.empty() || !turn.gingerbread.empty()) {
    return false;
  }
  Expect("tile-fits", {"tile-fits"});
  int east = 0;
  for (const auto& laid : table_.tiles) east = std::max(east, laid.cell.x);
  const Cell cell = {east + 4, 0};
  Hand(cell);
  table_.tiles.push_back({cell, tile, table_.Pick(4)});
  Settle();
  // The next tile lies: now it is plain that this one is not going to.
  Turn legal = turn;
  Hand(legal.cell);
  table_.Lay(legal);
  Settle();
  Settle();
  ExpectTold();
  Hand(cell);
  std::erase_if(table_.tiles, [&](const auto& t) { return t.cell == cell; });
  // The tile just laid is taken up again: the first one goes first.
  Hand(legal.cell);
  std::erase_if(table_.tiles, [&](const auto& t) { return t.cell == legal.cell; });
  Settle();
  Settle();
  ExpectCleared();
  return true;
}

// Not the last one, which may be taken up again, nor one with a figure on it.
SimulatedTable::Tile* Evening::OldTile() {
  std::vector<SimulatedTable::Tile*> old;
  for (std::size_t i = 0; i + 1 < table_.tiles.size(); ++i) {
    const Cell cell = table_.tiles[i].cell;
    if (truth_.TileAt(cell) == nullptr) continue;
    if (std::none_of(table_.figures.begin(), table_.figures.end(),
                     [&](const auto& figure) { return figure.cell == cell; })) {
      old.push_back(&table_.tiles[i]);
    }
  }
  return old.empty() ? nullptr : old[At(table_.Pick(static_cast<int>(old.size())))];
}

bool Evening::TileTaken(const Turn&) {
  SimulatedTable::Tile* old = OldTile();
  if (old == nullptr || table_.tiles.size() < 4) return false;
  const SimulatedTable::Tile tile = *old;
  return Plant(
      "tile-taken", {"tile-taken"}, tile.cell,
      [&] { std::erase_if(table_.tiles, [&](const auto& t) { return t.cell == tile.cell; }); },
      [&] { table_.tiles.insert(table_.tiles.begin(), tile); });
}

bool Evening::TileTurned(const Turn&) {
  SimulatedTable::Tile* old = OldTile();
  if (old == nullptr || table_.tiles.size() < 4) return false;
  const SimulatedTable::Tile tile = *old;
  if (faces_.Same(tile.tile, 0, 1)) return false;
  return Plant(
      "tile-turned", {"tile-turned"}, tile.cell,
      [&] { table_.TileAt(tile.cell)->rotation = (tile.rotation + 1) & 3; },
      [&] { table_.TileAt(tile.cell)->rotation = tile.rotation; });
}

bool Evening::TileMoved(const Turn&) {
  SimulatedTable::Tile* old = OldTile();
  if (old == nullptr || table_.tiles.size() < 5) return false;
  const SimulatedTable::Tile tile = *old;
  std::vector<Cell> free;
  for (const auto& laid : table_.tiles) {
    for (const Side side : kSides) {
      const Cell cell = Neighbour(laid.cell, side);
      if (table_.TileAt(cell) == nullptr) free.push_back(cell);
    }
  }
  const Cell to = free[At(table_.Pick(static_cast<int>(free.size())))];
  return Plant(
      "tile-moved", {"tile-moved", "tile-taken"}, tile.cell,
      [&] {
        table_.TileAt(tile.cell)->cell = to;
        Hand(to);
      },
      [&] {
        Hand(to);
        table_.TileAt(to)->cell = tile.cell;
      });
}

// --- The order of play

// The player before lays another tile, and claims something on it.
bool Evening::SecondTile(const Turn& turn) { return FalseTurn(turn, "two-tiles", turn.player - 1); }

bool Evening::OutOfTurn(const Turn& turn) {
  return options_.players > 2 && FalseTurn(turn, "out-of-turn", turn.player + 1);
}

bool Evening::FalseTurn(const Turn& turn, const std::string& code, int by) {
  // Before every player has had two turns, or enough figures have told it, nobody who
  // looks on can know the order.
  if (static_cast<int>(truth_.turns().size()) < 3 * options_.players) return false;
  std::vector<int> evidence;
  for (const Turn& played : truth_.turns()) {
    evidence.push_back(played.deployment || played.recall ? played.player : -1);
  }
  if (DeduceOrder(evidence, options_.players, false).next < 0) return false;
  if (!turn.gingerbread.empty() || turn.ark_landing) return false;
  // After an extra turn, whose turn it is, is another matter.
  const Turn& last = truth_.turns().back();
  if ((last.player + 1) % options_.players != turn.player) return false;
  Turn t = turn;
  t.player = (by + options_.players) % options_.players;
  t.recall.reset();
  t.ark_path.clear();
  const auto deployments = truth_.LegalDeployments(t.player, t.tile, {t.cell, t.rotation});
  if (deployments.empty()) return false;
  t.deployment = deployments[At(table_.Pick(static_cast<int>(deployments.size())))];
  // What it completes would go home; keep to turns that complete nothing.
  Game after = truth_;
  const auto outcome = after.Apply(t);
  if (!outcome || !outcome->returned.empty() || outcome->extra_turn) return false;
  return Plant(
      code, {code}, t.cell,
      [&] {
        table_.Lay(t);
        table_.Set(Colour(t.player), t.cell, t.deployment->segment, t.deployment->kind);
      },
      [&] {
        table_.Take(Colour(t.player), t.cell);
        table_.tiles.pop_back();
      });
}

// --- Figures

bool Evening::IllegalFigure(const Turn& turn, const std::string& code, FigureKind kind) {
  if (!turn.gingerbread.empty() || turn.ark_landing) return false;
  const auto& segments = Type(turn.tile).segments;
  for (std::size_t s = 0; s < segments.size(); ++s) {
    Turn t = turn;
    t.recall.reset();
    t.ark_path.clear();
    t.deployment = Deployment{kind, static_cast<int>(s)};
    const auto refusal = truth_.Check(t);
    if (!refusal || refusal->code != code) continue;
    return Plant(
        code, {code}, t.cell,
        [&] {
          table_.Lay(t);
          table_.Set(Colour(t.player), t.cell, static_cast<int>(s), kind);
        },
        [&] {
          table_.Take(Colour(t.player), t.cell);
          table_.tiles.pop_back();
        });
  }
  return false;
}

bool Evening::OccupiedFeature(const Turn& turn) {
  if (truth_.players()[At(turn.player)].followers == 0) return false;
  return IllegalFigure(turn, "feature-occupied", FigureKind::kFollower);
}
bool Evening::NoneInSupply(const Turn& turn) {
  return IllegalFigure(turn, "none-in-supply", FigureKind::kFollower);
}
bool Evening::OnGarden(const Turn& turn) {
  return IllegalFigure(turn, "garden-needs-abbot", FigureKind::kFollower);
}
bool Evening::AbbotWrong(const Turn& turn) {
  if (!truth_.rules().abbot) return false;
  return IllegalFigure(turn, "abbot-wrong-feature", FigureKind::kAbbot);
}
bool Evening::ProphetWrong(const Turn& turn) {
  if (truth_.rules().ark == ArkEdition::kNone) return false;
  return IllegalFigure(turn, "prophet-only-in-city", FigureKind::kProphet);
}
bool Evening::OnTemple(const Turn& turn) {
  return IllegalFigure(turn, "no-follower-on-temple", FigureKind::kFollower);
}

bool Evening::FigureTaken(const Turn&) {
  std::vector<SimulatedTable::Figure> own;
  for (const auto& figure : table_.figures) {
    if (!figure.colour.empty() && figure.kind != FigureKind::kAbbot) own.push_back(figure);
  }
  if (own.empty()) return false;
  const SimulatedTable::Figure figure = own[At(table_.Pick(static_cast<int>(own.size())))];
  // Until the next tile is laid, the last figure may be taken back.
  if (figure.cell == truth_.turns().back().cell) return false;
  return Plant(
      "figure-taken-early", {"figure-taken-early"}, figure.cell,
      [&] { table_.Take(figure.colour, figure.cell); }, [&] { table_.figures.push_back(figure); });
}

bool Evening::FigureMoved(const Turn&) {
  std::vector<std::pair<SimulatedTable::Figure, int>> moves;
  for (const auto& figure : table_.figures) {
    if (figure.colour.empty() || figure.cell == truth_.turns().back().cell) continue;
    const SimulatedTable::Tile* tile = table_.TileAt(figure.cell);
    const auto& segments = Type(tile->tile).segments;
    for (int s = 0; s < static_cast<int>(segments.size()); ++s) {
      if (s == figure.segment || Distance(table_.SpotOf(tile->tile, s),
                                          table_.SpotOf(tile->tile, figure.segment)) < kApart) {
        continue;
      }
      if (segments[At(s)].kind != SegmentKind::kRiver) moves.push_back({figure, s});
    }
  }
  if (moves.empty()) return false;
  const auto [figure, segment] = moves[At(table_.Pick(static_cast<int>(moves.size())))];
  return Plant(
      "figure-moved", {"figure-moved"}, figure.cell,
      [&, f = figure, s = segment] {
        table_.Take(f.colour, f.cell);
        table_.Set(f.colour, f.cell, s, f.kind);
      },
      [&, f = figure] {
        table_.Take(f.colour, f.cell);
        table_.figures.push_back(f);
      });
}

bool Evening::FigureOnOldTile(const Turn&) {
  SimulatedTable::Tile* old = OldTile();
  if (old == nullptr) return false;
  const Cell cell = old->cell;
  const std::string colour = Colour(table_.Pick(options_.players));
  return Plant(
      "figure-not-on-last-tile", {"figure-not-on-last-tile", "figure-not-returned"}, cell,
      [&] { table_.Set(colour, cell, 0); }, [&] { table_.Take(colour, cell); });
}

// A second figure on the tile just laid.
bool Evening::TwoFigures(const Turn&) {
  if (truth_.turns().empty()) return false;
  const Turn& last = truth_.turns().back();
  const auto figures = truth_.Figures();
  if (!last.deployment || std::none_of(figures.begin(), figures.end(), [&](const auto& figure) {
        return figure.cell == last.cell;
      })) {
    return false;
  }
  const auto& segments = Type(last.tile).segments;
  for (int s = 0; s < static_cast<int>(segments.size()); ++s) {
    const SegmentKind kind = segments[At(s)].kind;
    if (s == last.deployment->segment || kind == SegmentKind::kRiver ||
        kind == SegmentKind::kGarden || kind == SegmentKind::kTemple ||
        Distance(table_.SpotOf(last.tile, s), table_.SpotOf(last.tile, last.deployment->segment)) <
            kApart) {
      continue;
    }
    return Plant(
        "two-figures", {"two-figures"}, last.cell,
        [&] { table_.Set(Colour(last.player), last.cell, s); }, [&] { table_.figures.pop_back(); });
  }
  return false;
}

// What this turn completes stays on the table until another one is taken.
bool Evening::NotReturned(const Turn& turn) {
  Game after = truth_;
  const auto outcome = after.Apply(turn);
  if (!outcome || outcome->returned.empty() || !turn.gingerbread.empty() || turn.ark_landing ||
      outcome->extra_turn) {
    return false;
  }
  leave_figures_ = true;
  TakeTurn(turn);
  leave_figures_ = false;
  // Whoever is next lays a tile all the same.
  Expect("figure-not-returned", {"figure-not-returned"});
  const std::optional<Turn> next = people_.NextTurn(truth_);
  if (next) TakeTurn(*next);
  Settle();
  ExpectTold();
  for (const PlacedFigure& figure : left_) {
    table_.Take(Colour(figure.player), figure.cell);
    Hand(figure.cell);
  }
  left_.clear();
  Settle();
  Settle();
  ExpectCleared();
  return true;
}

bool Evening::WrongPose(const Turn&) {
  std::vector<SimulatedTable::Figure*> candidates;
  for (auto& figure : table_.figures) {
    if (!figure.colour.empty() && figure.cell != truth_.turns().back().cell &&
        figure.kind == FigureKind::kFollower) {
      candidates.push_back(&figure);
    }
  }
  if (candidates.empty()) return false;
  const SimulatedTable::Figure figure =
      *candidates[At(table_.Pick(static_cast<int>(candidates.size())))];
  const auto turn_over = [&] {
    for (auto& f : table_.figures) {
      if (f.cell == figure.cell && f.colour == figure.colour) f.lying = !f.lying;
    }
  };
  return Plant("figure-pose", {"figure-pose", "figure-moved"}, figure.cell, turn_over, turn_over);
}

// --- Figures of nobody

bool Evening::ArkMoved(const Turn&) {
  if (!truth_.ark()) return false;
  const Cell from = *truth_.ark();
  std::vector<Cell> far;
  for (const PlacedTile& laid : truth_.PlacedTiles()) {
    if (std::abs(laid.cell.x - from.x) + std::abs(laid.cell.y - from.y) > 5) {
      far.push_back(laid.cell);
    }
  }
  if (far.empty()) return false;
  const Cell to = far[At(table_.Pick(static_cast<int>(far.size())))];
  return Plant(
      "ark-moved", {"ark-moved"}, to,
      [&] {
        table_.MoveNeutral(FigureKind::kArk, Place{to, 0});
      },
      [&] {
        Hand(from);
        table_.MoveNeutral(FigureKind::kArk, Place{from, 0});
      });
}

bool Evening::GingerbreadMoved(const Turn&) {
  const std::optional<Place> man = truth_.gingerbread_man();
  if (!man) return false;
  std::vector<Place> cities;
  for (const PlacedTile& laid : truth_.PlacedTiles()) {
    const auto& segments = Type(laid.tile).segments;
    for (int s = 0; s < static_cast<int>(segments.size()); ++s) {
      if (segments[At(s)].kind == SegmentKind::kCity && laid.cell != man->cell) {
        cities.push_back({laid.cell, s});
      }
    }
  }
  if (cities.empty()) return false;
  const Place to = cities[At(table_.Pick(static_cast<int>(cities.size())))];
  // Within his own city he may stand anywhere.
  const auto his = truth_.FeatureAt(man->cell, man->segment).places;
  if (std::find(his.begin(), his.end(), to) != his.end()) return false;
  return Plant(
      "gingerbread-moved", {"gingerbread-moved"}, to.cell,
      [&] { table_.MoveNeutral(FigureKind::kGingerbreadMan, to); },
      [&] { table_.MoveNeutral(FigureKind::kGingerbreadMan, man); });
}

}  // namespace tilewarden::engine
