#include "engine/expansions/abbot.h"

#include <cstdlib>

#include "engine/game/scoring.h"
#include "engine/tiles/text.h"

namespace tilewarden::engine {
namespace {

Refusal NoAbbotThere(const Turn& turn) {
  return {"no-abbot-there", "The player has no abbot there (The Abbot).", {*turn.recall}};
}

class Abbot final : public PartWithoutState<Abbot> {
 public:
  std::optional<Refusal> CheckActions(const GameView& view, const Turn& turn) const override {
    if (!turn.recall) return std::nullopt;
    const Position& position = view.position;
    if (position.rules().recall_needs_meeple && position.player(turn.player).followers() == 0) {
      return Refusal{
          "none-in-supply",
          "A player without a meeple cannot choose not to place one, and so may not recall "
          "the abbot (older wording, option recall_needs_meeple).",
          {turn.cell}};
    }
    const Cell cell = *turn.recall;
    for (const Position::Figure& figure : position.figures()) {
      if (figure.kind != FigureKind::kAbbot || figure.player != turn.player ||
          position.CellOf(figure.node) != cell) {
        continue;
      }
      const bool beside =
          std::abs(cell.x - turn.cell.x) <= 1 && std::abs(cell.y - turn.cell.y) <= 1;
      if (!beside || position.features().at(figure.node).open != 1) return std::nullopt;
      return Refusal{"recall-completed",
                     "This tile completes the abbot's feature: it scores as completed, and "
                     "the abbot comes home with it (The Abbot).",
                     {cell, turn.cell},
                     {position.PlaceOf(figure.node)}};
    }
    return NoAbbotThere(turn);
  }

  // The abbot's feature scores as it lies now, before anything that this tile
  // completes (The Abbot: "return the abbot and score at once").
  std::optional<Refusal> Act(const Playing& playing) override {
    if (!playing.turn.recall) return std::nullopt;
    Position& position = playing.position;
    const int player = playing.turn.player;
    for (std::size_t i = 0; i < position.figures().size(); ++i) {
      const Position::Figure figure = position.figures()[i];
      if (figure.kind != FigureKind::kAbbot || figure.player != player) continue;
      const Worth worth = Scoring(position, playing.parts).WorthOf(figure.node, false);
      position.AddItem(For(0, figure.node, player, worth.points, worth.tiles));
      position.ReturnFigure(i);
      break;
    }
    return std::nullopt;
  }

  void Describe(const Position& position, const Position::Item& item,
                ScoreItem* out) const override {
    if (item.part != number()) return;
    const SegmentKind kind = position.features().at(item.node).kind;
    out->kind = Text(ToString(kind), ".recall");
    out->reason = ReasonOfPlot("abbot recalled from", kind, item.tiles);
    out->cells = position.CellsOf(item.node);
  }
};

}  // namespace

const PartEntry kAbbotPart = {
    "The Abbot",
    // An abbot that was found may go home, whether or not the rules give one.
    [](const TileSet&, const Rules& rules, bool found) { return rules.abbot || found; },
    MakePart<Abbot>,
    [](const Turn& turn) -> std::optional<Refusal> {
      if (!turn.recall) return std::nullopt;
      return NoAbbotThere(turn);
    }};

}  // namespace tilewarden::engine
