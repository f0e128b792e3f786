// Tiles of the game: whether they lie as they were laid, and were read right.
#include <algorithm>
#include <cmath>
#include <cstddef>

#include "engine/referee/model.h"
#include "engine/referee/state.h"
#include "engine/tiles/text.h"

namespace tilewarden::engine {

double Referee::State::Touched(Cell cell, std::uint64_t since, int reach) const {
  std::uint64_t covered = 0;
  for (int dx = -reach; dx <= reach; ++dx) {
    for (int dy = -reach; dy <= reach; ++dy) {
      const auto found = memory.find({cell.x + dx, cell.y + dy});
      if (found != memory.end()) covered = std::max(covered, found->second.last_covered);
    }
  }
  return hands.EverSeen() && covered < since ? kUntouched : 1;
}

bool Referee::State::ReviewBoard(const Look& look) {
  if (game().PlacedTiles().empty()) return true;
  // A cleared table, a picture of a part: conclude nothing.
  std::size_t differing = 0, visible = 0;
  for (const PlacedTile& laid : game().PlacedTiles()) {
    const CellView& view = look.At(laid.cell);
    if (view.hidden) continue;
    ++visible;
    if (!view.tile || view.ProbabilityOf(faces, laid.tile, laid.rotation) < kNotThisTile) {
      ++differing;
    }
  }
  const auto most = std::max(2.0, kMostDiffering * static_cast<double>(visible));
  if (static_cast<double>(differing) > most || differing == visible) return false;

  for (const PlacedTile& laid : game().PlacedTiles()) {
    const CellView& view = look.At(laid.cell);
    if (view.hidden) continue;
    CellMemory& cell_memory = MemoryOf(laid.cell);
    if (!view.tile) {
      ++cell_memory.absent_looks;
      continue;
    }
    cell_memory.absent_looks = 0;
    const double right = view.ProbabilityOf(faces, laid.tile, laid.rotation);
    cell_memory.clearest = std::max(cell_memory.clearest, right);
    if (right >= kNotThisTile) cell_memory.last_right = sightings;
    AddEvidence(laid.cell, view);
  }
  // The last tile may be taken up again, turned or moved until the next one is
  // laid: that is no mistake, only a turn that was not over.
  ReviewLastTile(look);
  return true;
}

bool Referee::State::ReviewLastTile(const Look& look) {
  if (game().turns().empty() || !may_take_back) return false;
  const Turn last = game().turns().back();
  const int number = static_cast<int>(game().turns().size());
  const CellView& view = look.At(last.cell);
  if (view.hidden || ledger.SetByHand(last.cell)) return false;

  const bool absent = !view.tile;
  const double same = view.ProbabilityOf(faces, last.tile, last.rotation);
  const bool changed = !absent && !view.readings.empty() && same < kNotThisTile &&
                       view.readings.front().probability >= kThatTile;
  if (!absent && !changed) return false;

  Game before = game();
  before.Undo();
  std::optional<Turn> instead;
  const CellView* there = &view;
  if (changed) {
    instead = Laying(before, view.readings.front().tile, last.cell, view.readings.front().rotation);
  } else {
    for (const auto& [cell, other] : look.cells) {
      if (!other.tile || other.hidden || !other.straight || other.readings.empty() ||
          game().TileAt(cell) != nullptr || !NearBoard(cell)) {
        continue;
      }
      const TileReading& best = other.readings.front();
      if (best.tile != last.tile || best.probability < kThatTile) continue;
      instead = Laying(before, best.tile, cell, best.rotation);
      there = &other;
      break;
    }
    // Where no hand was over it, one look may have missed it, and the other is the next tile.
    const bool touched = Touched(last.cell, MemoryOf(last.cell).last_right) == 1;
    if (!(instead && touched) && MemoryOf(last.cell).absent_looks < 2) return false;
  }

  may_take_back = false;
  const CellMemory had = MemoryOf(last.cell);
  memory.erase(last.cell);
  if (instead && !CheckOn(before, *instead)) {
    bool inferred = false;
    instead->player = -1;
    FillNeutral(&*instead, before, look);
    const Turn turn = CompleteTurn(*instead, before, number, last.player, *there, &inferred);
    may_take_back = SetTurn(number, turn, "the last tile was laid differently");
    if (may_take_back && changed && had.last_covered < had.last_right) {
      // Nobody touched it: the looks before showed this tile too, and were read wrongly.
      CellMemory& now = MemoryOf(last.cell);
      now.log_evidence = had.log_evidence;
      now.looks = had.looks;
      now.clearest = view.readings.front().probability;
      now.taken_by_sight = had.taken_by_sight;
      now.first_seen = had.first_seen;
      now.first_settled = had.first_settled;
      now.last_right = sightings;
    }
    NoteClaim(number);
    return true;
  }
  return Emit(TurnsRevised{number, {}, "the last tile was taken up again"});
}

void Referee::State::ReviewTile(const PlacedTile& laid, const Look& look) {
  const CellView& view = look.At(laid.cell);
  if (view.hidden || ledger.SetByHand(laid.cell)) return;
  CellMemory& cell_memory = MemoryOf(laid.cell);
  // Fingers turn a tile from beside it.
  constexpr int kBeside = 1;
  const double weight = kHalf * Touched(laid.cell, cell_memory.last_right, kBeside);
  if (!view.tile) {
    for (const auto& [cell, other] : look.cells) {
      const bool seen_there = suspicions.SeemedMoved(laid.cell, cell);
      double alike = 0;
      for (const TileReading& reading : other.readings) {
        if (reading.tile == laid.tile) alike += reading.probability;
      }
      if (other.tile && !other.hidden && game().TileAt(cell) == nullptr && NearBoard(cell) &&
          alike >= (seen_there ? kNotThisTile : kLikelyThatTile)) {
        Assert("tile-moved", Severity::kIllegal, {laid.cell, cell},
               Text("A laid tile was moved: put it back to ", Where(laid.cell), "."), weight);
        return;
      }
    }
    Assert("tile-taken", Severity::kIllegal, {laid.cell},
           Text("The tile ", Where(laid.cell), " is gone: put it back."), weight);
    return;
  }
  if (view.readings.empty()) return;
  const TileReading& other = view.readings.front();
  const double same = view.ProbabilityOf(faces, laid.tile, laid.rotation);
  if (same >= kNotThisTile || other.probability < kLikelyThatTile) return;

  // Read wrongly so far, or changed since? Only what was once clear has changed.
  if (cell_memory.taken_by_sight && cell_memory.clearest < kClearReading) {
    const auto evidence = [&](int tile, int rotation) {
      double best = std::log(kReadingFloor) * cell_memory.looks;
      for (const auto& [reading, log_likelihood] : cell_memory.log_evidence) {
        if (reading.first == tile && faces.Same(tile, reading.second, rotation)) {
          best = std::max(best, log_likelihood);
        }
      }
      return best;
    };
    const bool better =
        evidence(other.tile, other.rotation) >= evidence(laid.tile, laid.rotation) + kRevisingLead;
    if (better && ReadAgain(laid, other, view)) return;
    if (!better && weight < kHalf) return;
  }
  if (other.tile == laid.tile) {
    Assert("tile-turned", Severity::kIllegal, {laid.cell},
           Text("The tile ", Where(laid.cell), " was turned: turn it back."), weight);
  } else {
    Assert("tile-changed", Severity::kIllegal, {laid.cell},
           Text("Another tile lies ", Where(laid.cell), " than was laid: put the laid one back."),
           weight);
  }
}

// Replaces the reading of a tile, and finds again where its figure stands: the
// segments of the other tile have other numbers.
bool Referee::State::ReadAgain(const PlacedTile& laid, const TileReading& reading,
                               const CellView& view) {
  if (laid.turn == 0) return ReadFoundAgain(laid.cell, reading, view);
  const std::vector<Turn>& turns = game().turns();
  Turn turn = turns[static_cast<std::size_t>(laid.turn - 1)];
  const bool had_figure = turn.deployment.has_value();
  turn.tile = reading.tile;
  turn.rotation = reading.rotation;
  turn.deployment.reset();
  const std::optional<Game> before = ledger.Replay({turns.begin(), turns.begin() + laid.turn - 1});
  if (!before) return false;
  for (const FigureView& figure : view.figures) {
    if (figure.seen.probability < options.figure_certainty) continue;
    const auto choice = ReadFigure(figure, *before, turn, turn.player);
    if (!choice || choice->refusal || choice->player < 0) continue;
    if (had_figure && choice->player != turn.player) continue;
    turn.player = choice->player;
    turn.deployment = choice->deployment;
    break;
  }
  if (had_figure && !turn.deployment) return false;
  return SetTurn(laid.turn, turn, "the tile was read better");
}

}  // namespace tilewarden::engine
