// Mistakes with figures: players' own, and those of nobody.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "engine/tiles/index.h"
#include "tests/engine/referee/evening.h"

namespace tilewarden::engine {
namespace {

// Feet nearer than this are the same place to anybody who looks on.
constexpr double kApart = 0.25;

double Distance(Point a, Point b) { return std::hypot(a.x - b.x, a.y - b.y); }

}  // namespace

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
  if (truth_.players()[At(turn.player)].followers() == 0) return false;
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

// Somebody takes a figure from elsewhere on the board, and lays this turn's tile, before the table
// is still again.
bool Evening::FigureTakenWhileLaying(const Turn& turn) {
  if (turn.recall || !turn.ark_path.empty() || turn.ark_landing || !turn.gingerbread.empty()) {
    return false;
  }
  Game after = truth_;
  const auto outcome = after.Apply(turn);
  if (!outcome || !outcome->returned.empty() || outcome->extra_turn) return false;
  std::vector<SimulatedTable::Figure> own;
  for (const auto& figure : table_.figures) {
    const bool beside =
        std::abs(figure.cell.x - turn.cell.x) <= 2 && std::abs(figure.cell.y - turn.cell.y) <= 2;
    if (!figure.colour.empty() && figure.kind != FigureKind::kAbbot && !beside &&
        figure.cell != truth_.turns().back().cell) {
      own.push_back(figure);
    }
  }
  if (own.empty()) return false;
  const SimulatedTable::Figure figure = own[At(table_.Pick(static_cast<int>(own.size())))];
  Expect("figure-taken-laying", {"figure-taken-early"});
  planted_ = figure.cell;
  Hand(figure.cell);
  table_.Take(figure.colour, figure.cell);
  TakeTurn(turn);
  Settle();
  ExpectTold();
  Hand(figure.cell);
  table_.figures.push_back(figure);
  Settle();
  Settle();
  ExpectCleared();
  return true;
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
  const std::optional<Turn> next = NextTurn();
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
  // Until the next tile is laid, who moved him may still think again.
  if (!man || truth_.turns().empty() || !truth_.turns().back().gingerbread.empty()) return false;
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
