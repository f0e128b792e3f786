#include "engine/expansions/cathedrals.h"

namespace tilewarden::engine {
namespace {

constexpr int kCathedralFactor = 3;  // a tile or coat of arms, however many cathedrals there are

class Cathedrals final : public PartWithoutState<Cathedrals> {
 public:
  void Adjust(const Position& position, int root, bool complete, Worth* worth) const override {
    bool cathedral = false;
    position.features().ForEach(root,
                                [&](int node) { cathedral |= position.SegmentAt(node).cathedral; });
    if (!cathedral) return;
    worth->points = complete ? kCathedralFactor * (worth->tiles + worth->extras) : 0;
  }
};

}  // namespace

const PartEntry kCathedralsPart = {
    "Cathedrals", [](const TileSet&, const Rules& rules, bool) { return rules.cathedrals; },
    MakePart<Cathedrals>, nullptr};

}  // namespace tilewarden::engine
