// What is wrong with the order of play and the copies of tiles, and which findings are raised and
// cleared after a look.
#include <algorithm>
#include <cstddef>
#include <utility>

#include "engine/game/remarks.h"
#include "engine/referee/judging/judging.h"
#include "engine/referee/model.h"
#include "engine/tiles/text.h"

namespace tilewarden::engine {

namespace {

// Whether a breach in this turn was seen: the round before it turn by turn, and two rounds on end
// at any time before, from which the order is known. Of turns that came up several in one look
// nobody saw who laid which, nor how many play.
bool OrderWasSeen(const Mind& mind, int turn) {
  if (mind.ledger.players_given()) return true;
  const int round = std::max(2, mind.ledger.order().players);
  int since = 1, longest = 0;  // the first of the turns on end that were seen one by one
  for (const Batch& batch : mind.batches.all()) {
    if (batch.first >= turn) break;
    longest = std::max(longest, batch.first - since);
    since = batch.first + static_cast<int>(batch.first_seen.size());
  }
  return turn - since >= round && std::max(longest, turn - since) >= 2 * round;
}

}  // namespace

Conclusions WrongOrder(const Mind& mind) {
  const Ledger& ledger = mind.ledger;
  const FigureMemory& memory = mind.figures;
  const Game& game = *ledger.game();
  const std::vector<Turn>& turns = game.turns();
  const int count = static_cast<int>(turns.size());
  const auto name = [&](int player) {
    return player < 0 ? std::string("another player")
                      : game.players()[static_cast<std::size_t>(player)].colour;
  };
  // It must be sure whose figure it is.
  const auto weight = [&](Cell cell) {
    const FigureTrack* track = memory.FindTrack(cell);
    const auto figures = game.Figures();
    const auto figure = std::find_if(figures.begin(), figures.end(),
                                     [&](const PlacedFigure& f) { return f.cell == cell; });
    if (track == nullptr || figure == figures.end()) return kHalf;
    if (track->LeadOf(name(figure->player)) < kColourSure) return kHalf * kHalf;
    // Looks before this one count, whatever the game made of them then.
    return track->looks() > 1 ? 1 : kHalf;
  };
  Conclusions concluded;
  // Several breaches rather tell that the order was concluded from a figure that was read wrongly.
  const auto& violations = ledger.order().violations;
  const int lately = count - kRoundsOfOrder * std::max(1, ledger.order().players);
  const auto several = std::count_if(violations.begin(), violations.end(),
                                     [&](const auto& v) { return v.turn > lately; });
  if (several >= kBreachesOfDoubt) return concluded;
  for (const TurnOrder::Violation& violation : violations) {
    if (violation.turn <= count - kOrderMemory || !OrderWasSeen(mind, violation.turn)) continue;
    const Cell cell = turns[static_cast<std::size_t>(violation.turn - 1)].cell;
    if (violation.breach == TurnOrder::Breach::kTwoTiles) {
      const Cell before = turns[static_cast<std::size_t>(violation.turn - 2)].cell;
      concluded += Wrong("two-tiles", Severity::kIllegal, {cell, before},
                         Text("Two tiles were laid in one turn of ", name(violation.player),
                              ", the last ", Where(cell), ": take one back."),
                         weight(cell));
    } else {
      concluded += Wrong(
          "out-of-turn", Severity::kWarning, {cell},
          Text(name(violation.player), " has played ", Where(cell), ", but the next to play was ",
               name(violation.expected), ": take the tile back, or carry on from here."),
          weight(cell));
    }
  }
  return concluded;
}

// Legal as it lies, and worth a note until the next tile comes.
Conclusions RemarkOnLastTurn(const Game& game) {
  Conclusions concluded;
  for (Refusal& remark : RemarksOn(game)) {
    // The account of tiles tells of those (counts.cc).
    if (remark.code == "no-copies-left") continue;
    concluded += Wrong(std::move(remark.code), Severity::kNote, std::move(remark.cells),
                       std::move(remark.text), 1);
  }
  return concluded;
}

Conclusions SettleFindings(Mind& mind, const Look& look, const std::vector<Condition>& wrong) {
  const auto visible = [&](const std::vector<Cell>& cells) {
    return std::none_of(cells.begin(), cells.end(),
                        [&](Cell cell) { return look.At(cell).hidden; });
  };
  auto [raised, cleared] =
      mind.suspicions.Weigh(wrong, mind.ledger.findings(), mind.ledger.next_finding_id(),
                            {visible, mind.hands.SinceSettled()});
  Conclusions concluded;
  for (Finding& finding : raised) {
    concluded += Conclude(&mind.ledger, FindingRaised{std::move(finding)});
  }
  for (const std::uint32_t id : cleared) concluded += Conclude(&mind.ledger, FindingCleared{id});
  return concluded;
}

}  // namespace tilewarden::engine
