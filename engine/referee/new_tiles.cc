// Tiles that came: laid, laid against the rules, or put beside the board.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <tuple>

#include "engine/referee/model.h"
#include "engine/referee/state.h"
#include "engine/tiles/text.h"

namespace tilewarden::engine {

// The player with this number plays this colour; -1: somebody who was not seen yet.
bool Referee::State::Plays(const std::string& colour, int player) const {
  const auto& players = game().players();
  const auto found = std::find_if(players.begin(), players.end(),
                                  [&](const PlayerState& p) { return p.colour == colour; });
  return (found == players.end() ? -1 : static_cast<int>(found - players.begin())) == player;
}

void Referee::State::TakeNewTiles(const Look& look) {
  std::vector<Cell> fresh;
  for (const auto& [cell, view] : look.cells) {
    if (!view.tile || view.hidden || !view.straight || view.readings.empty() ||
        game().TileAt(cell) != nullptr || !NearBoard(cell)) {
      continue;
    }
    const auto taken_back = ledger.taken_back().find(cell);
    if (taken_back != ledger.taken_back().end() &&
        faces.Same(view.readings.front().tile, taken_back->second.rotation,
                   view.readings.front().rotation)) {
      continue;
    }
    const bool moved =
        std::any_of(conditions.begin(), conditions.end(), [&, at = cell](const Condition& c) {
          return c.finding.code == "tile-moved" && c.finding.cells.back() == at;
        });
    CellMemory& cell_memory = MemoryOf(cell);
    if (cell_memory.first_seen == 0) cell_memory.first_seen = sightings;
    if (cell_memory.first_settled == 0) cell_memory.first_settled = sightings;
    if (moved) continue;
    AddEvidence(cell, view);
    fresh.push_back(cell);
  }

  // One turn after the other, in the order that the colours of their figures
  // and the first sight of each tile tell.
  several_new = fresh.size() > 1;
  Batch batch;
  batch.first = static_cast<int>(game().turns().size()) + 1;
  while (!fresh.empty()) {
    const int expected = ledger.order().next;
    const bool order_known = expected >= 0 || ledger.order().players > 0;
    std::optional<std::size_t> next;
    Decision next_decision;
    std::tuple<std::uint64_t, int, std::uint64_t, std::uint64_t, std::uint64_t> next_rank;
    // Once a later tile is read, an earlier one is not waited for any longer.
    std::uint64_t latest = 0;
    for (const Cell cell : fresh) latest = std::max(latest, memory[cell].first_seen);
    for (std::size_t i = 0; i < fresh.size(); ++i) {
      const CellView& view = look.At(fresh[i]);
      const Decision decision = Decide(fresh[i], view, memory[fresh[i]].first_seen == latest);
      if (decision.kind != Decision::Kind::kLegal) continue;
      int late = 1;  // no figure tells whose turn it was
      for (const FigureView& figure : view.figures) {
        if (figure.seen.probability < options.figure_certainty || !order_known) continue;
        late = 2;
        for (const ColourProbability& c : figure.seen.colours) {
          if (c.probability >= kColourPossible && Plays(c.colour, expected)) late = 0;
        }
      }
      // At last by when a hand was there: over the later one it was later, and over the first one
      // sooner, though an arm may have been over both.
      const CellMemory& seen = memory[fresh[i]];
      const std::tuple rank = {seen.first_settled, late, seen.first_seen, seen.last_covered,
                               seen.first_covered};
      if (!next || rank < next_rank) {
        next = i;
        next_rank = rank;
        next_decision = decision;
      }
    }
    if (!next) break;
    const Cell cell = fresh[*next];
    fresh.erase(fresh.begin() + static_cast<std::ptrdiff_t>(*next));
    const CellView& view = look.At(cell);
    if (!TakeDown(cell, next_decision.reading, look, expected)) break;
    const Turn turn = TurnAt(cell);
    CellMemory& cell_memory = MemoryOf(cell);
    cell_memory.clearest = view.ProbabilityOf(faces, turn.tile, turn.rotation);
    cell_memory.taken_by_sight = true;
    batch.first_seen[cell] = cell_memory.first_seen;
    cell_memory.last_right = sightings;
  }
  batches.Remember(std::move(batch));
  undecided = false;
  for (const Cell cell : fresh) {
    const Decision decision = Decide(cell, look.At(cell), true);
    undecided = undecided || decision.kind != Decision::Kind::kIllegal;
    if (decision.kind == Decision::Kind::kIllegal) AssertIllegal(cell, decision);
  }
}

void Referee::State::AssertIllegal(Cell cell, const Decision& decision) {
  const TileReading& reading = decision.reading;
  double weight = 1;
  if (decision.refusal->code == "not-adjacent") {
    // A tile put down beside the board while somebody thinks touches nothing.
    // Beside a tile that is itself not accepted, that one is told first.
    weight = kHalf;
    for (const Cell near : Around(cell)) {
      if (game().TileAt(near) != nullptr) weight = 1;
    }
    for (const Finding& open : ledger.findings()) {
      if (!open.placement) continue;
      for (const Side side : kSides) {
        if (Neighbour(cell, side) == open.placement->cell) return;
      }
    }
  }
  Assert(decision.refusal->code, Severity::kIllegal, decision.refusal->cells,
         Text("The tile ", Where(cell), " may not lie there. ", decision.refusal->text,
              " Turn it or lay it elsewhere."),
         weight);
  conditions.back().finding.placement = Placement{cell, reading.rotation};
  conditions.back().finding.tile = tiles().types()[static_cast<std::size_t>(reading.tile)].id;
}

// Tiles that lie beside the board since a turn: set aside, as the next one is laid.
void Referee::State::ReviewAside(const Look& look) {
  for (const auto& [cell, view] : look.cells) {
    if (!view.tile || view.hidden || view.readings.empty() || game().TileAt(cell) != nullptr ||
        NearBoard(cell)) {
      continue;
    }
    const std::optional<std::size_t> since = aside.CameAfter(cell, game().turns().size());
    if (!since) continue;
    // What all looks at it say: one may be doubtful.
    AddEvidence(cell, view);
    const CellMemory& seen = MemoryOf(cell);
    const auto best =
        std::max_element(seen.log_evidence.begin(), seen.log_evidence.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    double total = 0;
    for (const auto& entry : seen.log_evidence) total += std::exp(entry.second - best->second);
    if (1 / total < kThatTile) continue;
    if (game().turns().size() <= *since) continue;
    const int tile = best->first.first;
    const double weight = seen.looks >= kPatience ? 1 : kHalf;
    const std::vector<Placement> places = game().LegalPlacements(tile);
    if (places.empty()) {
      Assert("tile-set-aside", Severity::kNote, {cell},
             "The tile beside the board fits nowhere: rightly set aside.", weight);
    } else {
      Assert("tile-fits", Severity::kWarning, {cell, places.front().cell},
             Text("The tile beside the board fits, for example ", Where(places.front().cell),
                  ": it must be laid."),
             weight);
    }
  }
  const auto free = [&](Cell cell) { return !look.At(cell).hidden && !look.At(cell).tile; };
  aside.EndLook(free, [&](Cell cell) { return game().TileAt(cell) != nullptr; });
}

}  // namespace tilewarden::engine
