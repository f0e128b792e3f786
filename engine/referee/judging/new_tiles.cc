// Tiles that came: laid, laid against the rules, or put beside the board.
#include <algorithm>
#include <cstddef>
#include <tuple>
#include <utility>

#include "engine/referee/judging/judging.h"
#include "engine/referee/model.h"
#include "engine/tiles/text.h"

namespace tilewarden::engine {
namespace {

// A tile that may have been laid there since the last look.
bool MayBeLaid(const Mind& mind, Cell cell, const CellView& view) {
  if (!view.tile || view.hidden || !view.straight || view.readings.empty() ||
      mind.game().TileAt(cell) != nullptr || !NearBoard(mind.game(), cell)) {
    return false;
  }
  // A person took it back, and it lies there still.
  const auto taken_back = mind.ledger.taken_back().find(cell);
  return taken_back == mind.ledger.taken_back().end() ||
         !mind.faces.Same(view.readings.front().tile, taken_back->second.rotation,
                          view.readings.front().rotation);
}

// `wrong`: what was found by now in this look; a tile that was moved is no new one.
std::vector<Cell> FreshTiles(Mind& mind, const Look& look, const std::vector<Condition>& wrong) {
  std::vector<Cell> fresh;
  for (const auto& [cell, view] : look.cells) {
    if (!MayBeLaid(mind, cell, view)) continue;
    CellMemory& memory = mind.cells[cell];
    memory.ShowedTileStill(mind.sightings);
    const bool moved = std::any_of(wrong.begin(), wrong.end(), [&, at = cell](const Condition& c) {
      return c.finding.code == "tile-moved" && c.finding.cells.back() == at;
    });
    if (moved) continue;
    memory.evidence().Add(view, mind.faces, true);
    fresh.push_back(cell);
  }
  return fresh;
}

// How late the figures on a tile say that it was laid: 0, they may be of the player whose turn it
// is; 1, no figure tells; 2, they are of others.
int Lateness(const Mind& mind, const CellView& view, int expected) {
  const bool order_known = expected >= 0 || mind.ledger.order().players > 0;
  int late = 1;
  for (const FigureView& figure : view.figures) {
    if (figure.seen.probability < mind.options.figure_certainty || !order_known) continue;
    late = 2;
    for (const ColourProbability& c : figure.seen.colours) {
      if (c.probability >= kColourPossible && PlayerOf(mind.game(), c.colour) == expected) late = 0;
    }
  }
  return late;
}

struct Next {
  Cell cell;
  TileReading reading;
};

// Which of these tiles was laid first, of those that may lie there: in the order that the colours
// of their figures and the first sight of each tile tell. Nothing: none may yet.
std::optional<Next> FirstLaid(const Mind& mind, const std::vector<Cell>& fresh, const Look& look,
                              int expected) {
  // Once a later tile is read, an earlier one is not waited for any longer.
  std::uint64_t latest = 0;
  for (const Cell cell : fresh) latest = std::max(latest, mind.cells.Find(cell)->FirstSeen());
  std::optional<Next> next;
  std::tuple<std::uint64_t, int, std::uint64_t, std::uint64_t, std::uint64_t> next_rank;
  for (const Cell cell : fresh) {
    const CellMemory& seen = *mind.cells.Find(cell);
    const CellView& view = look.At(cell);
    const Decision decision = Decide(mind, cell, view, seen.FirstSeen() == latest);
    if (decision.kind != Decision::Kind::kLegal) continue;
    // At last by when a hand was there: over the later one it was later, and over the first one
    // sooner, though an arm may have been over both.
    const std::tuple rank = {seen.FirstSettled(), Lateness(mind, view, expected), seen.FirstSeen(),
                             seen.LastCovered(), seen.FirstCovered()};
    if (next && rank >= next_rank) continue;
    next = Next{cell, decision.reading};
    next_rank = rank;
  }
  return next;
}

// A tile lies where it may not.
Conclusions IllegalTile(const Mind& mind, Cell cell, const Decision& decision) {
  const TileReading& reading = decision.reading;
  // A hand that was not seen may hold it yet: one look accuses nobody.
  const CellMemory* seen = mind.cells.Find(cell);
  const double looked_at = seen == nullptr || seen->FirstSettled() == mind.sightings ? kHalf : 1;
  double weight = looked_at;
  if (decision.refusal->code == "not-adjacent") {
    // A tile put down beside the board while somebody thinks touches nothing.
    // Beside a tile that is itself not accepted, that one is told first.
    weight = kHalf;
    for (const Cell near : Around(cell)) {
      if (mind.game().TileAt(near) != nullptr) weight = looked_at;
    }
    for (const Finding& open : mind.ledger.findings()) {
      if (!open.placement) continue;
      for (const Side side : kSides) {
        if (Neighbour(cell, side) == open.placement->cell) return {};
      }
    }
  }
  Condition illegal = Wrong(decision.refusal->code, Severity::kIllegal, decision.refusal->cells,
                            Text("The tile ", Where(cell), " cannot stay there. ",
                                 decision.refusal->text, " Turn it or lay it elsewhere."),
                            weight);
  illegal.finding.placement = Placement{cell, reading.rotation};
  illegal.finding.tile = mind.tiles().types()[static_cast<std::size_t>(reading.tile)].id;
  return illegal;
}

// A tile lies beside the board, since so many turns.
Conclusions ReviewAsideTile(Mind& mind, Cell cell, const CellView& view, std::size_t since) {
  // What all looks at it say: one may be doubtful.
  TileEvidence& evidence = mind.cells[cell].evidence();
  evidence.Add(view, mind.faces, true);
  const std::vector<TileReading> shares = evidence.Shares();
  const auto best =
      std::max_element(shares.begin(), shares.end(),
                       [](const auto& a, const auto& b) { return a.probability < b.probability; });
  if (best->probability < kThatTile || mind.game().turns().size() <= since) return {};
  const double weight = evidence.looks() >= kPatience ? 1 : kHalf;
  const std::vector<Placement> places = mind.game().LegalPlacements(best->tile);
  if (places.empty()) {
    return Wrong("tile-set-aside", Severity::kNote, {cell},
                 "The tile beside the board fits nowhere, so setting it aside is right.", weight);
  }
  return Wrong("tile-fits", Severity::kWarning, {cell, places.front().cell},
               Text("The tile beside the board fits, for example ", Where(places.front().cell),
                    ": it must be laid."),
               weight);
}

// Done: one that may not lie there may, beside another answer to what people are asked.
bool ReadBesideAnyAgain(Mind& mind, const std::vector<Cell>& fresh, const Look& look,
                        Conclusions* concluded) {
  return std::any_of(fresh.begin(), fresh.end(), [&](Cell cell) {
    const Decision decision = Decide(mind, cell, look.At(cell), true);
    if (decision.kind != Decision::Kind::kIllegal) return false;
    Conclusions again = ReadBesideAgain(mind, cell, decision.reading);
    const bool done = again.done;
    *concluded += std::move(again);
    return done;
  });
}

}  // namespace

Conclusions TakeNewTiles(Mind& mind, const Look& look, const std::vector<Condition>& wrong) {
  std::vector<Cell> fresh = FreshTiles(mind, look, wrong);
  mind.shown.several_new = fresh.size() > 1;
  Conclusions concluded;
  Batch batch;
  batch.first = static_cast<int>(mind.game().turns().size()) + 1;
  // One turn after the other.
  const auto take = [&](const Next& next) {
    std::erase(fresh, next.cell);
    Conclusions taken = TakeDown(mind, next.cell, next.reading, look, mind.ledger.order().next);
    const bool done = taken.done;
    concluded += std::move(taken);
    if (!done) return false;
    const Turn turn = TurnAt(mind.ledger, next.cell);
    CellMemory& memory = mind.cells[next.cell];
    memory.TakenDown(look.At(next.cell).ProbabilityOf(mind.faces, turn.tile, turn.rotation),
                     !look.FigureOn(next.cell) && !MayHaveFigure(mind, next.cell), mind.sightings);
    batch.first_seen[next.cell] = memory.FirstSeen();
    return true;
  };
  bool read_again = false;
  for (;;) {
    if (const auto next = FirstLaid(mind, fresh, look, mind.ledger.order().next)) {
      if (!take(*next)) break;
    } else if (const auto unsure = LongUnsure(mind, fresh, look)) {
      if (!take({unsure->cell, unsure->readings.front()})) break;
      concluded += AskWhichTile(mind, *unsure);
    } else if (!read_again && ReadBesideAnyAgain(mind, fresh, look, &concluded)) {
      read_again = true;
    } else {
      break;
    }
  }
  mind.batches.Remember(std::move(batch));
  mind.shown.undecided = false;
  for (const Cell cell : fresh) {
    const Decision decision = Decide(mind, cell, look.At(cell), true);
    if (decision.kind == Decision::Kind::kIllegal) {
      concluded += IllegalTile(mind, cell, decision);
    } else {
      mind.shown.undecided = true;
    }
  }
  return concluded;
}

Conclusions ReviewAside(Mind& mind, const Look& look) {
  Conclusions concluded;
  const auto free = [&](Cell cell) { return !look.At(cell).hidden && !look.At(cell).tile; };
  for (const auto& [cell, view] : look.cells) {
    if (!view.tile || view.hidden || view.readings.empty() || mind.game().TileAt(cell) != nullptr ||
        NearBoard(mind.game(), cell)) {
      continue;
    }
    const std::optional<std::size_t> since =
        mind.aside.CameAfter(cell, mind.game().turns().size(), mind.shown.several_new, free);
    if (since) concluded += ReviewAsideTile(mind, cell, view, *since);
  }
  mind.aside.EndLook(free, [&](Cell cell) { return mind.game().TileAt(cell) != nullptr; });
  return concluded;
}

}  // namespace tilewarden::engine
