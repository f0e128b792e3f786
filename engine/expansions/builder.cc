#include "engine/expansions/builder.h"

#include <algorithm>

namespace tilewarden::engine {
namespace {

struct DoubleTurn {
  bool due = false;     // the tile laid last gave its player a second part
  bool second = false;  // the turn that is played is one
};

class Builder final : public PartWithState<Builder, DoubleTurn> {
 public:
  // A tile that fits nowhere does not use up the second part: its player draws again.
  void Begin(Position& position, const Turn& turn) override {
    PartWithState::Begin(position, turn);
    if (turn.set_aside) return;
    state_.second =
        state_.due && turn.player >= 0 && position.Laid(position.LastTile()).player == turn.player;
    state_.due = false;
  }

  // Before anything scores: the builder may come home with what this tile completes, and
  // the second part is taken nevertheless. There is no third ("no chain reaction").
  std::optional<Refusal> Act(const Playing& playing) override {
    state_.due =
        !state_.second && playing.turn.player >= 0 && Extends(playing.position, playing.turn);
    return std::nullopt;
  }

  bool GivesExtraTurn(const Position&, const Turn&) const override { return state_.due; }

 private:
  // Whether a builder that stood before this tile was laid stands on what it extends.
  static bool Extends(const Position& position, const Turn& turn) {
    const int last = position.LastTile();
    const Features& features = position.features();
    const auto on_new_tile = [&](int root) {
      const int segments = static_cast<int>(position.TileOf(last).parts.size());
      for (int segment = 0; segment < segments; ++segment) {
        if (features.Find(position.NodeAt(last, segment)) == root) return true;
      }
      return false;
    };
    const auto& figures = position.figures();
    return std::any_of(figures.begin(), figures.end(), [&](const Position::Figure& figure) {
      return figure.kind == FigureKind::kBuilder && figure.player == turn.player &&
             features.at(figure.node).tile != last && on_new_tile(features.Find(figure.node));
    });
  }
};

}  // namespace

const PartEntry kBuilderPart = {
    "The builder", [](const TileSet&, const Rules& rules, bool) { return rules.builders > 0; },
    MakePart<Builder>, nullptr};

}  // namespace tilewarden::engine
