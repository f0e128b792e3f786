#include "tests/engine/game/made_up_expansion/beekeepers.h"

#include <cstdlib>

namespace tilewarden::engine {
namespace {

struct Hive {
  int pots = kPots;
};

class Beekeepers final : public PartWithState<Beekeepers, Hive> {
 public:
  std::optional<Refusal> CheckActions(const GameView& view, const Turn& turn) const override {
    if (!turn.deployment || turn.deployment->kind != kBeekeeper) return std::nullopt;
    for (const Position::Figure& figure : view.position.figures()) {
      const Cell cell = view.position.CellOf(figure.node);
      if (figure.kind != kBeekeeper || Distance(cell, turn.cell) > 1) continue;
      return Refusal{"bees-quarrel", "No beekeeper stands beside another (Beekeepers).", {cell}};
    }
    return std::nullopt;
  }

  std::optional<Refusal> AfterScoring(const Playing& playing, const Position::Completed&) override {
    Position& position = playing.position;
    for (const Position::Figure& figure : position.figures()) {
      if (figure.kind != kBeekeeper || state_.pots == 0) continue;
      if (Distance(position.CellOf(figure.node), playing.turn.cell) != 1) continue;
      position.AddItem(For(0, figure.node, figure.player, 1, 1));
      --state_.pots;
    }
    return std::nullopt;
  }

  void Describe(const Position& position, const Position::Item& item,
                ScoreItem* out) const override {
    if (item.part != number()) return;
    out->kind = "honey";
    out->reason = "a pot of honey";
    out->cells = {position.CellOf(item.node)};
  }

 private:
  static int Distance(Cell a, Cell b) { return std::abs(a.x - b.x) + std::abs(a.y - b.y); }
};

}  // namespace

const FigureKindEntry kBeekeeperKind = {
    kBeekeeper,
    "beekeeper",
    false,
    false,
    [](const Rules&) { return 1; },
    "beekeepers",
    [](SegmentKind segment, const Rules&) {
      if (segment == SegmentKind::kField) return Fault{};
      return Fault{"beekeeper-wrong-feature", "A beekeeper stands only on a field (Beekeepers)."};
    }};

const PartEntry kBeekeepersPart = {"Beekeepers",
                                   [](const TileSet&, const Rules&, bool) { return true; },
                                   MakePart<Beekeepers>, nullptr};

}  // namespace tilewarden::engine
