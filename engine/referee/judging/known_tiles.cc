// Tiles of the game: whether they still lie as they were laid, and were read right.
#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/referee/judging/judging.h"
#include "engine/referee/model.h"
#include "engine/tiles/index.h"
#include "engine/tiles/text.h"

namespace tilewarden::engine {
namespace {

// A cleared table, a picture of a part: so much differs that the look cannot be of this board.
bool OfAnotherBoard(const Mind& mind, const Look& look) {
  std::size_t differing = 0, visible = 0;
  for (const PlacedTile& laid : mind.game().PlacedTiles()) {
    const CellView& view = look.At(laid.cell);
    if (view.hidden) continue;
    ++visible;
    if (!view.tile || view.ProbabilityOf(mind.faces, laid.tile, laid.rotation) < kNotThisTile) {
      ++differing;
    }
  }
  const auto most = std::max(kFewDiffering, kMostDiffering * static_cast<double>(visible));
  return static_cast<double>(differing) > most || differing == visible;
}

// Where the last tile, which is gone from its cell, seems to lie now.
const std::pair<const Cell, CellView>* LaidElsewhere(const Mind& mind, const Turn& last,
                                                     const Look& look) {
  for (const auto& entry : look.cells) {
    const auto& [cell, other] = entry;
    if (!other.tile || other.hidden || !other.straight || other.readings.empty() ||
        mind.game().TileAt(cell) != nullptr || !NearBoard(mind.game(), cell)) {
      continue;
    }
    const TileReading& best = other.readings.front();
    if (best.tile == last.tile && best.probability >= kThatTile) return &entry;
  }
  return nullptr;
}

// The look differs from the tile only in small things, which a figure on it covers, seen or missed.
bool CoveredByFigure(const Mind& mind, const Turn& last, const Look& look) {
  const TileReading& other = look.At(last.cell).readings.front();
  const CellMemory* seen = mind.cells.Find(last.cell);
  return mind.faces.SameButSmall(last.tile, last.rotation, other.tile, other.rotation) &&
         (look.FigureOn(last.cell) || (seen != nullptr && seen->OnceClearBare()));
}

// The last turn was this one instead, as this view shows it.
Conclusions LaidDifferently(Mind& mind, Turn instead, const Game& before, int mover,
                            const CellView& view, const Look& look) {
  const int number = static_cast<int>(mind.game().turns().size());
  instead.player = -1;
  FillNeutral(mind, &instead, before, look);
  CompletedTurn completed = CompleteTurn(mind, instead, before, number, mover, view);
  Conclusions concluded = std::move(completed.joined);
  Conclusions set =
      SetTurn(&mind.ledger, number, completed.turn, "the last tile was laid differently");
  concluded.done = set.done;
  concluded += std::move(set);
  concluded += NoteClaim(&mind.ledger, number, std::move(completed.claim));
  return concluded;
}

// A tile of the game is not on its cell: gone, or moved to another one.
Conclusions ReviewAbsent(const Mind& mind, const PlacedTile& laid, const Look& look) {
  for (const auto& [cell, other] : look.cells) {
    double alike = 0;
    for (const TileReading& reading : other.readings) {
      if (reading.tile == laid.tile) alike += reading.probability;
    }
    const bool seen_there = mind.suspicions.SeemedMoved(laid.cell, cell);
    if (other.tile && !other.hidden && mind.game().TileAt(cell) == nullptr &&
        NearBoard(mind.game(), cell) && alike >= (seen_there ? kNotThisTile : kLikelyThatTile)) {
      return Wrong("tile-moved", Severity::kIllegal, {laid.cell, cell},
                   Text("A tile was moved: put it back ", Where(laid.cell), "."), kHalf);
    }
  }
  return Wrong("tile-taken", Severity::kIllegal, {laid.cell},
               Text("The tile ", Where(laid.cell), " is gone: put it back."), kHalf);
}

// The turn's figure covers a coat of arms or a scroll, or did.
bool ClaimsCoat(const Mind& mind, const Turn& turn) {
  return turn.deployment &&
         CityMarks(mind.tiles().types()[At(turn.tile)].segments[At(turn.deployment->segment)]) > 0;
}

// Replaces the reading of a tile, and finds again where its figure stands: the
// segments of the other tile have other numbers.
Conclusions ReadAgain(Mind& mind, const PlacedTile& laid, const TileReading& reading,
                      const CellView& view) {
  if (laid.turn == 0) return ReadFoundAgain(mind, laid.cell, reading, view);
  const std::vector<Turn>& turns = mind.game().turns();
  Turn turn = turns[At(laid.turn - 1)];
  const Turn had = turn;
  turn.tile = reading.tile;
  turn.rotation = reading.rotation;
  turn.deployment.reset();
  const std::optional<Game> before =
      mind.ledger.Replay({turns.begin(), turns.begin() + laid.turn - 1});
  if (!before) return {};
  for (const FigureView& figure : view.figures) {
    if (figure.seen.probability < mind.options.figure_certainty) continue;
    const auto choice = ReadFigure(mind, figure, *before, turn, turn.player);
    if (!choice || choice->refusal || choice->player < 0) continue;
    if (had.deployment && choice->player != turn.player) continue;
    turn.player = choice->player;
    turn.deployment = choice->deployment;
    break;
  }
  // The figure may have gone home since.
  if (had.deployment && !turn.deployment &&
      mind.faces.SameButSmall(had.tile, had.rotation, reading.tile, reading.rotation)) {
    turn = WithTile(mind.tiles(), had, reading.tile, reading.rotation);
  }
  if (had.deployment && !turn.deployment) return {};
  Conclusions set = SetTurn(&mind.ledger, laid.turn, turn, "the tile was read better");
  if (set.done && ClaimsCoat(mind, turn)) mind.habits.CoatUncovered(false);
  return set;
}

// Whether the tile was read wrongly so far, and this other reading is the better one.
bool ReadBetter(const Mind& mind, const PlacedTile& laid, const TileReading& other, bool covered) {
  const CellMemory& memory = *mind.cells.Find(laid.cell);
  const bool small = mind.faces.SameButSmall(laid.tile, laid.rotation, other.tile, other.rotation);
  if (small && (memory.OnceClearBare() || covered)) return false;
  // A figure covered what makes the difference so far.
  if (small && other.probability >= kClearReading) return true;
  if (!small && (!memory.TakenBySight() || memory.OnceClear())) return false;
  const TileEvidence& evidence = small ? memory.bare_evidence() : memory.evidence();
  return evidence.LogLikelihoodOf(other.tile, other.rotation, mind.faces) >=
         evidence.LogLikelihoodOf(laid.tile, laid.rotation, mind.faces) + kRevisingLead;
}

}  // namespace

bool MayHaveTouched(const Mind& mind, Cell cell, std::uint64_t since) {
  return mind.hands.Unwatched(since) || mind.cells.LastCovered(cell) > since;
}

bool MayHaveTouchedTile(const Mind& mind, Cell cell, std::uint64_t since) {
  return mind.hands.Unwatched(since) || mind.cells.LastCoveredAround(cell) > since;
}

bool MayHaveFigure(const Mind& mind, Cell cell) {
  return mind.claims.MayHaveSet(cell) && !mind.ledger.FigureByHand(cell);
}

bool ShowsBoard(Mind& mind, const Look& look) {
  if (mind.game().PlacedTiles().empty()) return true;
  if (OfAnotherBoard(mind, look)) return false;
  std::set<Cell> under_figures;
  for (const PlacedFigure& figure : mind.game().Figures()) under_figures.insert(figure.cell);
  for (const PlacedTile& laid : mind.game().PlacedTiles()) {
    const CellView& view = look.At(laid.cell);
    if (view.hidden) continue;
    CellMemory& memory = mind.cells[laid.cell];
    if (!view.tile) {
      memory.ShowedNone();
      continue;
    }
    const double share = view.ProbabilityOf(mind.faces, laid.tile, laid.rotation);
    // The look may have missed the figure, known or not.
    const bool bare = !look.FigureOn(laid.cell) && !under_figures.contains(laid.cell) &&
                      !MayHaveFigure(mind, laid.cell);
    const bool was_bare = memory.OnceClearBare();
    memory.ShowedKnown(share, view, bare, mind.faces, mind.sightings);
    // Its coat of arms was read under the follower who covered it.
    if (!was_bare && memory.OnceClearBare() && ClaimsCoat(mind, TurnAt(mind.ledger, laid.cell))) {
      mind.habits.CoatUncovered(true);
    }
  }
  return true;
}

Conclusions ReviewLastTile(Mind& mind, const Look& look) {
  if (mind.game().turns().empty() || !mind.may_take_back) return {};
  const Turn last = mind.game().turns().back();
  const int number = static_cast<int>(mind.game().turns().size());
  const CellView& view = look.At(last.cell);
  if (view.hidden || mind.ledger.SetByHand(last.cell)) return {};

  const bool absent = !view.tile;
  const double same = view.ProbabilityOf(mind.faces, last.tile, last.rotation);
  const bool changed = !absent && !mind.ledger.TileByHand(last.cell) && !view.readings.empty() &&
                       same < kNotThisTile && view.readings.front().probability >= kThatTile &&
                       !CoveredByFigure(mind, last, look);
  if (!absent && !changed) return {};

  Game before = mind.game();
  before.Undo();
  std::optional<Turn> instead;
  const CellView* there = &view;
  if (changed) {
    instead = Laying(before, view.readings.front().tile, last.cell, view.readings.front().rotation);
  } else {
    if (const auto* elsewhere = LaidElsewhere(mind, last, look)) {
      const TileReading& best = elsewhere->second.readings.front();
      instead = Laying(before, best.tile, elsewhere->first, best.rotation);
      there = &elsewhere->second;
    }
    // Where no hand was over it, one look may have missed it, and the other is the next tile.
    const CellMemory& missed = mind.cells[last.cell];
    const bool touched = MayHaveTouched(mind, last.cell, missed.LastRight());
    if (!(instead && touched) && missed.AbsentLooks() < kLooksWithout) return {};
  }

  mind.may_take_back = false;
  const CellMemory had = mind.cells[last.cell];
  mind.cells.Forget(last.cell);
  if (!instead || CheckLaying(before, *instead)) {
    return Conclude(&mind.ledger, TurnsRevised{number, {}, "the last tile was taken up again"});
  }
  Conclusions concluded = LaidDifferently(mind, *instead, before, last.player, *there, look);
  mind.may_take_back = concluded.done;
  if (concluded.done && changed && had.LastCovered() < had.LastRight()) {
    // Nobody touched it.
    mind.cells[last.cell] = had.ReadAnew(view.readings.front().probability, mind.sightings);
  }
  return concluded;
}

Conclusions TakeOutWhatNeverLay(Mind& mind, const Look& look) {
  const std::vector<PlacedTile> placed = mind.game().PlacedTiles();
  const auto never_lay = [&](const PlacedTile& laid) {
    const CellView& view = look.At(laid.cell);
    const CellMemory* memory = mind.cells.Find(laid.cell);
    return laid.turn > 0 && !view.hidden && !view.tile && !mind.ledger.TileByHand(laid.cell) &&
           memory != nullptr && memory->NeverLay();
  };
  const auto laid = std::find_if(placed.begin(), placed.end(), never_lay);
  if (laid == placed.end()) return {};
  std::vector<Turn> turns = mind.game().turns();
  turns.erase(turns.begin(), turns.begin() + laid->turn);
  Conclusions taken = Conclude(
      &mind.ledger, TurnsRevised{laid->turn, std::move(turns), "no tile lies there after all"});
  if (taken.done) mind.cells.Forget(laid->cell);
  return taken;
}

Conclusions ReviewTile(Mind& mind, const PlacedTile& laid, const Look& look) {
  const CellView& view = look.At(laid.cell);
  if (view.hidden || mind.ledger.TileByHand(laid.cell)) return {};
  const CellMemory& memory = mind.cells[laid.cell];
  const auto made = [&] {
    const bool touched = MayHaveTouchedTile(mind, laid.cell, memory.LastRight());
    return mind.differences.Made(Difference::kTile, laid.cell, touched);
  };
  if (!view.tile) return made() ? ReviewAbsent(mind, laid, look) : Conclusions();
  if (view.readings.empty()) return {};
  const TileReading& other = view.readings.front();
  const double same = view.ProbabilityOf(mind.faces, laid.tile, laid.rotation);
  if (same >= kNotThisTile || other.probability < kLikelyThatTile) return {};

  // Read wrongly so far, or changed since? Only what was once clear has changed, and only where
  // somebody may have done it.
  if (ReadBetter(mind, laid, other, look.FigureOn(laid.cell))) {
    Conclusions again = ReadAgain(mind, laid, other, view);
    if (again.done) return again;
  }
  // Nobody exchanges a tile for one that differs only in what a figure covers.
  const bool small = mind.faces.SameButSmall(laid.tile, laid.rotation, other.tile, other.rotation);
  if (small || !memory.OnceClear() || !made()) return {};
  if (other.tile == laid.tile) {
    return Wrong("tile-turned", Severity::kIllegal, {laid.cell},
                 Text("The tile ", Where(laid.cell), " was turned: turn it back."), kHalf);
  }
  return Wrong(
      "tile-changed", Severity::kIllegal, {laid.cell},
      Text("The tile ", Where(laid.cell), " is not the one that was laid: put that one back."),
      kHalf);
}

}  // namespace tilewarden::engine
