#include "engine/expansions/pig.h"

#include <algorithm>

#include "engine/game/scoring.h"

namespace tilewarden::engine {
namespace {

constexpr int kPigPoints = 1;  // more for each city, however many pigs of one player stand there

class Pig final : public PartWithoutState<Pig> {
 public:
  int MoreForCity(const Position& position, int field, int player) const override {
    const auto& figures = position.figures();
    const bool has = std::any_of(figures.begin(), figures.end(), [&](const auto& figure) {
      return figure.kind == FigureKind::kPig && figure.player == player &&
             position.features().Find(figure.node) == field;
    });
    return has ? kPigPoints : 0;
  }

  void Describe(const Position&, const Position::Item& item, ScoreItem* out) const override {
    const bool farm = item.part == 0 && item.cause == static_cast<int>(Scoring::Cause::kFarm);
    if (farm && item.extras > 0) out->reason += ", with a pig";
  }
};

}  // namespace

const PartEntry kPigPart = {"The pig",
                            [](const TileSet&, const Rules& rules, bool) { return rules.pigs > 0; },
                            MakePart<Pig>, nullptr};

}  // namespace tilewarden::engine
