// The story of one sighting.
#include <algorithm>
#include <cstddef>
#include <functional>
#include <set>
#include <utility>

#include "engine/referee/model.h"
#include "engine/referee/state.h"

namespace tilewarden::engine {
KnownBoard Referee::State::Known() const {
  KnownBoard board;
  for (const PlacedTile& laid : game().PlacedTiles()) {
    board.tiles.push_back({laid.cell, laid.tile, laid.rotation});
  }
  for (const Finding& finding : ledger.findings()) {
    const int tile = tiles().Find(finding.tile);
    if (finding.placement && tile >= 0 && game().TileAt(finding.placement->cell) == nullptr) {
      board.tiles.push_back({finding.placement->cell, tile, finding.placement->rotation});
    }
  }
  for (const PlacedFigure& figure : game().Figures()) {
    board.figures.push_back(
        {figure.cell, game().players()[static_cast<std::size_t>(figure.player)].colour});
  }
  return board;
}

// The whole story of one sighting: lay it on the board; while a hand is in view
// only remember; on a still table conclude.
std::vector<Event> Referee::State::Observe(const Sighting& sighting) {
  std::vector<Event> events;
  if (ledger.ended() || recent.Repeated(sighting)) return events;
  out = &events;
  ++sightings;
  aligned = false;
  // While nothing lies on the board there is nothing to align with.
  const bool begun = ledger.game() != nullptr && !game().PlacedTiles().empty();
  if (begun || TryStart(sighting)) {
    std::optional<BoardFromLattice> found =
        begun || !sighting.settled ? Align(sighting, Known(), game(), faces, alignment) : alignment;
    // A hand over the whole board: it lies as it lay.
    const bool all_under_hands =
        std::all_of(sighting.tiles.begin(), sighting.tiles.end(),
                    [](const SightedTile& tile) { return tile.hidden >= 0.5; });
    if (!found && !sighting.settled && all_under_hands) found = alignment;
    aligned = found.has_value();
    if (!sighting.settled && (all_under_hands || !unplaced_looks.empty())) {
      unplaced_looks.push_back({sightings, sighting});
      if (unplaced_looks.size() > kKeptViews) unplaced_looks.pop_front();
      hands.Saw(sightings);
    } else if (found) {
      if (sighting.settled) RememberUnplaced(*found);
      alignment = found;
      Look look = Project(sighting, *found, tiles(), faces);
      look.score_track = sighting.score_track;
      if (look.settled) {
        Judge(look);
      } else {
        Remember(look, sightings);
      }
    }
  }
  out = nullptr;
  return events;
}

// Under a hand over the whole board the lattice may have moved: where it lies now, or as it lay.
void Referee::State::RememberUnplaced(const BoardFromLattice& now) {
  for (const auto& [number, sighting] : unplaced_looks) {
    std::optional<BoardFromLattice> place = Align(sighting, Known(), game(), faces, now);
    if (!place) place = Align(sighting, Known(), game(), faces, alignment);
    Remember(Project(sighting, place.value_or(now), tiles(), faces), number);
  }
  unplaced_looks.clear();
}

void CellMemory::ForgetHands() {
  covered_looks = 0;
  covered_from_ms = covered_to_ms = 0;
  hands.clear();
  laid_open = covered_again = false;
  figures.clear();
}

// Evidence of what happens under hands, kept until the table is still.
void Referee::State::Remember(const Look& look, std::uint64_t number) {
  hands.Saw(number);
  if (game().rules().ark != ArkEdition::kNone) ark_hands.Remember(look);
  for (const auto& [cell, view] : look.cells) {
    if (!NearBoard(cell)) continue;
    CellMemory& cell_memory = MemoryOf(cell);
    if (view.covered || view.hidden) {
      if (cell_memory.first_covered == 0) cell_memory.first_covered = number;
      cell_memory.last_covered = number;
    }
    const bool last_tile = !game().turns().empty() && game().turns().back().cell == cell;
    if (game().TileAt(cell) != nullptr && !last_tile) continue;
    const bool laid = view.tile && view.straight;
    if (laid && !view.readings.empty() && cell_memory.first_seen == 0) {
      cell_memory.first_seen = number;
    }
    const auto around = Around(cell);
    const auto coverage = static_cast<int>(std::count_if(
        around.begin(), around.end(), [&](Cell near) { return look.At(near).covered; }));
    if (view.covered || view.hidden) {
      if (cell_memory.covered_looks++ == 0) cell_memory.covered_from_ms = look.time_ms;
      cell_memory.covered_to_ms = look.time_ms;
      cell_memory.covered_again = cell_memory.covered_again || cell_memory.laid_open;
    } else if (laid) {
      cell_memory.laid_open = true;
    }
    const bool over = view.covered || view.hidden;
    if ((over || (laid && coverage > 0)) && cell_memory.hands.size() < kKeptViews) {
      cell_memory.hands.push_back({number, coverage, laid, view.readings});
    }
    for (const FigureView& figure : view.figures) {
      if (figure.seen.probability < options.figure_certainty) continue;
      if (cell_memory.figures.size() < kKeptViews) cell_memory.figures.push_back(figure);
    }
  }
}

void Referee::State::Judge(const Look& look) {
  const int last_before = static_cast<int>(game().turns().size());
  if (!ReviewBoard(look)) return;
  conditions.clear();
  const std::vector<PlacedTile> placed = game().PlacedTiles();  // a revision changes the game's
  for (const PlacedTile& laid : placed) ReviewTile(laid, look);
  ark_moved = ArkElsewhere(look);
  TakeNewTiles(look);
  const int amendable_from = std::min(last_before, static_cast<int>(game().turns().size()));
  ReviewFigures(FiguresOverSeams(look, amendable_from), amendable_from);
  ReviewNeutral(look, amendable_from);
  ReviewAside(look);
  FillMovers();
  ReorderBatches();
  ArrangePlayers();
  AssertOrder();
  AssertCounts();
  ReviewScoreTrack(look);
  CloseQuestions();
  SettleFindings(look);

  // What was under the hands is used up where the table can be seen again.
  for (auto it = memory.begin(); it != memory.end();) {
    const CellView& view = look.At(it->first);
    const bool board_tile = game().TileAt(it->first) != nullptr;
    if (!view.hidden && (board_tile || !view.tile)) it->second.ForgetHands();
    const bool empty = !view.hidden && !view.tile && !board_tile;
    // This look may have missed what a hand laid there.
    const bool visited = it->second.last_covered > hands.LastSettled();
    if (empty && visited) {
      CellMemory anew;
      anew.first_covered = it->second.first_covered;
      anew.last_covered = it->second.last_covered;
      it->second = std::move(anew);
    }
    it = empty && !visited ? memory.erase(it) : std::next(it);
  }
  hands.Settled(sightings);
}

}  // namespace tilewarden::engine
