// Findings: raised once when the evidence suffices, kept while it cannot be
// seen whether they hold, cleared when the table has been put right.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <map>
#include <set>
#include <utility>

#include "engine/referee/codes.h"
#include "engine/referee/model.h"
#include "engine/referee/state.h"
#include "engine/tiles/text.h"

namespace tilewarden::engine {
void Referee::State::Assert(std::string code, Severity severity, std::vector<Cell> cells,
                            std::string text, double weight) {
  conditions.push_back(Wrong(std::move(code), severity, std::move(cells), std::move(text), weight));
}

void Referee::State::AssertOrder() {
  const std::vector<Turn>& turns = game().turns();
  const int count = static_cast<int>(turns.size());
  const auto name = [&](int player) {
    return player < 0 ? std::string("another player")
                      : game().players()[static_cast<std::size_t>(player)].colour;
  };
  // Whose figure it is must be sure.
  const auto weight = [&](Cell cell) {
    const auto track = tracks.find(cell);
    const auto figures = game().Figures();
    const auto figure = std::find_if(figures.begin(), figures.end(),
                                     [&](const PlacedFigure& f) { return f.cell == cell; });
    if (track == tracks.end() || figure == figures.end()) return kHalf;
    double mine = std::log(kColourFloor), others = kLeastLogLikelihood;
    for (const auto& [colour, log_likelihood] : track->second.log_colour) {
      double& which = colour == name(figure->player) ? mine : others;
      which = std::max(which, log_likelihood);
    }
    if (mine - others < kColourSure) return kHalf * kHalf;
    // Looks before this one count, whatever the game made of them then.
    return track->second.looks > 1 ? 1 : kHalf;
  };
  for (const TurnOrder::Violation& violation : ledger.order().violations) {
    if (violation.turn <= count - kOrderMemory) continue;
    const Cell cell = turns[static_cast<std::size_t>(violation.turn - 1)].cell;
    if (violation.breach == TurnOrder::Breach::kTwoTiles) {
      const Cell before = turns[static_cast<std::size_t>(violation.turn - 2)].cell;
      Assert("two-tiles", Severity::kIllegal, {cell, before},
             Text("Two tiles were laid in one turn of ", name(violation.player), ", the last ",
                  Where(cell), ": take one back."),
             weight(cell));
    } else {
      Assert("out-of-turn", Severity::kWarning, {cell},
             Text(name(violation.player), " has played ", Where(cell), ", but it was the turn of ",
                  name(violation.expected), ": take the tile back, or go on from here."),
             weight(cell));
    }
  }
}

// More copies of a tile lie on the table than the box has, one read as its twin counted as that.
void Referee::State::AssertCounts() {
  const int types = static_cast<int>(tiles().types().size());
  for (int tile = 0; tile < types; ++tile) {
    if (game().TilesLeft(tile) >= 0) continue;
    int left = 0;
    for (int twin = 0; twin < types; ++twin) {
      if (faces.Twins(twin, tile)) left += game().TilesLeft(twin);
    }
    if (left >= 0) continue;
    const auto& laid = game().PlacedTiles();
    const auto last = std::find_if(laid.rbegin(), laid.rend(),
                                   [&](const PlacedTile& placed) { return placed.tile == tile; });
    const CellMemory& seen = MemoryOf(last->cell);
    Assert("no-copies-left", Severity::kWarning, {last->cell},
           Text("Every copy of the tile ", Where(last->cell),
                " lies already: does it belong to this box?"),
           seen.looks > 1 && seen.clearest >= kClearReading ? 1 : kHalf);
  }
}

void Referee::State::SettleFindings(const Look& look) {
  const auto visible = [&](const std::vector<Cell>& cells) {
    return std::none_of(cells.begin(), cells.end(),
                        [&](Cell cell) { return look.At(cell).hidden; });
  };
  auto [raised, cleared] = suspicions.Weigh(conditions, ledger.findings(), ledger.next_finding_id(),
                                            {visible, hands.SinceSettled()});
  for (Finding& finding : raised) Emit(FindingRaised{std::move(finding)});
  for (const std::uint32_t id : cleared) Emit(FindingCleared{id});
}

}  // namespace tilewarden::engine
