#include "engine/expansions/cathedrals.h"

namespace tilewarden::engine {
namespace {

constexpr int kCathedralFactor = 3;  // a tile or coat of arms, however many cathedrals there are

class Cathedrals final : public PartWithoutState<Cathedrals> {
 public:
  void Adjust(const Position& position, int root, bool complete, Worth* worth) const override {
    if (!HasCathedral(position, root)) return;
    worth->points = complete ? kCathedralFactor * (worth->tiles + worth->extras) : 0;
  }

  void Describe(const Position& position, const Position::Item& item,
                ScoreItem* out) const override {
    if (item.part != 0 || out->kind != ToString(SegmentKind::kCity)) return;
    if (HasCathedral(position, item.node)) out->reason += ", with a cathedral";
  }

 private:
  static bool HasCathedral(const Position& position, int city) {
    bool cathedral = false;
    position.features().ForEach(city,
                                [&](int node) { cathedral |= position.SegmentAt(node).cathedral; });
    return cathedral;
  }
};

}  // namespace

const PartEntry kCathedralsPart = {
    "Cathedrals", [](const TileSet&, const Rules& rules, bool) { return rules.cathedrals; },
    MakePart<Cathedrals>, nullptr};

}  // namespace tilewarden::engine
