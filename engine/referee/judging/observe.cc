// The story of one sighting.
#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <variant>
#include <vector>

#include "engine/referee/judging/judging.h"
#include "engine/referee/model.h"

namespace tilewarden::engine {
namespace {

KnownBoard Known(const Ledger& ledger) {
  const Game& game = *ledger.game();
  KnownBoard board;
  for (const PlacedTile& laid : game.PlacedTiles()) {
    board.tiles.push_back({laid.cell, laid.tile, laid.rotation});
  }
  for (const Finding& finding : ledger.findings()) {
    const int tile = ledger.tiles()->Find(finding.tile);
    if (finding.placement && tile >= 0 && game.TileAt(finding.placement->cell) == nullptr) {
      board.tiles.push_back({finding.placement->cell, tile, finding.placement->rotation});
    }
  }
  for (const PlacedFigure& figure : game.Figures()) {
    board.figures.push_back(
        {figure.cell, game.players()[static_cast<std::size_t>(figure.player)].colour});
  }
  return board;
}

Look AsItLies(const Mind& mind, const Sighting& sighting, const BoardFromLattice& place) {
  return WithKindsOf(mind, Project(sighting, place, mind.tiles(), mind.faces));
}

// Evidence of what happens under hands, kept until the table is still. `number`: of the sighting.
void Remember(Mind& mind, const Look& look, std::uint64_t number) {
  mind.hands.Saw(number);
  SeeSupplies(mind, look);
  mind.last_hands.Remember(look);
  if (mind.game().rules().ark != ArkEdition::kNone) mind.ark_hands.Remember(look);
  for (const auto& [cell, view] : look.cells) {
    if (!NearBoard(mind.game(), cell)) continue;
    CellMemory& seen = mind.cells[cell];
    if (view.covered || view.hidden) seen.Covered(number);
    const bool last_tile = !mind.game().turns().empty() && mind.game().turns().back().cell == cell;
    if (mind.game().TileAt(cell) != nullptr && !last_tile) continue;
    if (view.tile && view.straight && !view.readings.empty()) seen.ShowedTile(number);
    const auto around = Around(cell);
    const auto coverage = static_cast<int>(std::count_if(
        around.begin(), around.end(), [&](Cell near) { return look.At(near).covered; }));
    seen.visits().Remember(view, number, look.time_ms, coverage, mind.options.figure_certainty);
  }
}

// Under a hand over the whole board the lattice may have moved: where it lies now, or as it lay.
void RememberWaiting(Mind& mind, const BoardFromLattice& now) {
  for (const auto& [number, sighting] : mind.lattice.TakeWaiting()) {
    const KnownBoard board = Known(mind.ledger);
    std::optional<BoardFromLattice> place = Align(sighting, board, mind.game(), mind.faces, now);
    if (!place) place = Align(sighting, board, mind.game(), mind.faces, mind.lattice.last());
    Remember(mind, AsItLies(mind, sighting, place.value_or(now)), number);
  }
}

std::set<Cell> TilesWithFigures(const Mind& mind, const Look& look) {
  std::set<Cell> cells;
  for (const auto& [cell, view] : look.cells) {
    const bool figure = std::any_of(view.figures.begin(), view.figures.end(), [&](const auto& f) {
      return f.seen.probability >= mind.options.figure_certainty;
    });
    if (figure) cells.insert(cell);
  }
  return cells;
}

// A still look at the table: what is concluded from it, step by step.
Conclusions Judge(Mind& mind, const Look& look) {
  int last_before = static_cast<int>(mind.game().turns().size());
  mind.shown.figures = TilesWithFigures(mind, look);
  const bool doubted = std::exchange(mind.shown.doubted, !Believed(mind, look));
  if (mind.shown.doubted) return {};
  if (!ShowsBoard(mind, look)) {
    mind.hands.Missed(mind.sightings);
    return {};
  }
  mind.cleared.BoardShown();
  SeeSupplies(mind, look);
  Conclusions concluded = ReviewLastTile(mind, look);
  Conclusions taken_out = TakeOutWhatNeverLay(mind, look);
  if (taken_out.done) --last_before;
  concluded += std::move(taken_out);
  const std::vector<PlacedTile> placed =
      mind.game().PlacedTiles();  // a revision changes the game's
  for (const PlacedTile& laid : placed) concluded += ReviewTile(mind, laid, look);
  concluded += NoteMuchDiffers(mind, look);
  mind.shown.ark_moved = ArkElsewhere(mind.game(), look);
  concluded += TakeNewTiles(mind, look, concluded.wrong);
  const bool tile_came = static_cast<int>(mind.game().turns().size()) > last_before;
  if (tile_came && !mind.hands.SinceSettled()) mind.hands.Missed(mind.sightings);
  CountSupplies(mind, look);
  concluded += AskIfTakenWhileLaying(mind, last_before);
  const int amendable_from = std::min(last_before, static_cast<int>(mind.game().turns().size()));
  concluded += ReviewFigures(mind, FiguresOverSeams(mind, look, amendable_from), amendable_from);
  concluded += ReviewArk(mind, look, amendable_from);
  concluded += ReviewGingerbreadMan(mind, look, amendable_from);
  concluded += ReviewAside(mind, look);
  concluded += FillMovers(&mind.ledger);
  concluded += ReorderBatches(&mind.ledger, mind.batches);
  concluded += ArrangePlayers(&mind.ledger);
  concluded += WrongOrder(mind);
  concluded += NoteRiver(mind);
  concluded += ReviewCounts(mind);
  concluded += RemarkOnLastTurn(mind.game());
  concluded += ReviewScoreTrack(mind, look);
  concluded += AskUnseen(mind, static_cast<int>(mind.game().turns().size()) != last_before);
  concluded += AskIfPlayedWith(mind, look);
  concluded += CloseQuestions(mind);
  std::erase_if(concluded.wrong, [&](const Condition& wrong) {
    return MayBeOfUnexpected(mind, wrong.finding) || HangsOnUnsure(mind, wrong.finding);
  });
  concluded += NoteUnread(mind, look);
  concluded += SettleFindings(mind, look, concluded.wrong);

  const auto on_board = [&](Cell cell) { return mind.game().TileAt(cell) != nullptr; };
  const bool turns_changed =
      std::any_of(concluded.events.begin(), concluded.events.end(), [](const Event& event) {
        return std::holds_alternative<TurnPlayed>(event) ||
               std::holds_alternative<TurnsRevised>(event);
      });
  // Several figures are easily lost at once; a hand takes one. A hand that laid a tile was there
  // for that, and a figure beside a new tile is easily lost; but one that was elsewhere was not.
  if (mind.differences.First(Difference::kFigureGone) > 1) {
    mind.differences.Explain(Difference::kFigureGone);
  } else if (turns_changed) {
    mind.differences.Explain(Difference::kFigureGone, [&](Cell cell) {
      return TakenBesidesLaying(mind, cell, last_before);
    });
  }
  // What a look showed that was doubted at first is nobody's doing.
  for (const Difference what :
       {Difference::kTile, Difference::kFigureMoved, Difference::kFigurePose,
        Difference::kFigureCame, Difference::kFigureGone}) {
    if (doubted) mind.differences.Explain(what);
  }
  mind.differences.EndLook([&](Cell cell) { return !look.At(cell).hidden && look.At(cell).tile; });
  mind.cells.EndLook(look, on_board, mind.hands.LastSettled());
  NoteAway(mind, last_before);
  mind.last_hands.Forget();
  mind.hands.Settled(mind.sightings);
  return concluded;
}

// A sighting of a game that has begun: lays it on the board; while a hand is in view only
// remembers; on a still table concludes. `place`: how the lattice lies, if that is known.
Conclusions Take(Mind& mind, const Sighting& sighting, std::optional<BoardFromLattice> place) {
  // A hand over the whole board: it lies as it lay.
  const bool all_under_hands =
      std::all_of(sighting.tiles.begin(), sighting.tiles.end(),
                  [](const SightedTile& tile) { return tile.hidden >= kUnderHand; });
  if (!place && !sighting.settled && all_under_hands) place = mind.lattice.last();
  mind.lattice.Found(place);
  if (!sighting.settled && (all_under_hands || mind.lattice.SomeWait())) {
    mind.lattice.Wait(mind.sightings, sighting);
    mind.hands.Saw(mind.sightings);
    return {};
  }
  if (!place) {
    mind.hands.Missed(mind.sightings);
    return {};
  }
  if (sighting.settled) RememberWaiting(mind, *place);
  mind.lattice.Lay(*place);
  Look look = AsItLies(mind, sighting, *place);
  look.score_track = sighting.score_track;
  if (look.settled) return Judge(mind, look);
  Remember(mind, look, mind.sightings);
  return {};
}

// Two tiles lie there in the game, and no way to lay the lattice makes sense of both: the second
// was read wrongly, or laid elsewhere since. The start tile alone tells how it lies. Where there
// are more tiles, the others tell.
std::optional<BoardFromLattice> AlignByStartTile(const Mind& mind, const Sighting& sighting) {
  const bool two_tiles = mind.game().PlacedTiles().size() == 2 && mind.game().turns().size() == 1;
  if (!two_tiles || !mind.may_take_back) return std::nullopt;
  const Cell second = mind.game().turns().back().cell;
  if (mind.ledger.TileByHand(second)) return std::nullopt;
  KnownBoard board = Known(mind.ledger);
  std::erase_if(board.tiles, [&](const KnownTile& tile) { return tile.cell == second; });
  std::erase_if(board.figures, [&](const KnownFigure& figure) { return figure.cell == second; });
  return Align(sighting, board, mind.game(), mind.faces, mind.lattice.last());
}

}  // namespace

std::vector<Event> Observe(Mind& mind, const Sighting& sighting) {
  if (mind.ledger.ended() || mind.recent.Repeated(sighting)) return {};
  ++mind.sightings;
  if (sighting.settled) mind.habits.SawCloth(sighting.cloth);
  mind.lattice.Next();
  // While nothing lies on the board there is nothing to align with.
  const bool begun = mind.ledger.game() != nullptr && !mind.game().PlacedTiles().empty();
  Conclusions concluded = AskIfPlayedWithRiver(mind, sighting);
  if (!begun) {
    if (concluded.done) return std::move(concluded.events);
    Conclusions started = TryStart(mind, sighting);
    const bool has_started = started.done;
    concluded += std::move(started);
    if (!has_started) return std::move(concluded.events);
  }
  std::optional<BoardFromLattice> place = mind.lattice.last();
  if (begun || !sighting.settled) {
    place = Align(sighting, Known(mind.ledger), mind.game(), mind.faces, place);
    if (!place && sighting.settled) place = AlignByStartTile(mind, sighting);
  }
  concluded += Take(mind, sighting, place);
  if (mind.cleared.Saw(sighting, mind.game().PlacedTiles().size())) {
    concluded += AskWhetherOver(&mind.ledger);
  }
  return std::move(concluded.events);
}

}  // namespace tilewarden::engine
