#include "engine/expansions/temples.h"

#include <cstdlib>

#include "engine/game/scoring.h"
#include "engine/tiles/text.h"

namespace tilewarden::engine {
namespace {

constexpr int kTemplePoints = 7;            // Temples; 14 with the Ark on it (German edition)
constexpr int kUnfinishedTemplePoints = 3;  // Temples, final scoring
constexpr int kTempleTiles = 5;             // its own and the four beside it

class Temples final : public PartWithoutState<Temples> {
 public:
  bool Values(SegmentKind kind) const override { return kind == SegmentKind::kTemple; }
  Worth WorthOf(const GameView& view, int root, bool complete) const override {
    const Position& position = view.position;
    Worth worth;
    worth.tiles = complete ? kTempleTiles : kTempleTiles - position.features().at(root).open;
    worth.points = complete ? kTemplePoints : kUnfinishedTemplePoints;
    if (!complete || !position.rules().ark_to_temples) return worth;
    const std::optional<Place> ark = view.parts.Standing(position, FigureKind::kArk);
    worth.doubled = ark && ark->cell == position.CellOf(root);
    if (worth.doubled) worth.points *= 2;
    return worth;
  }

  std::optional<std::uint64_t> Claimants(const Position& position, int root) const override {
    if (position.features().at(root).kind != SegmentKind::kTemple) return std::nullopt;
    const Cell temple = position.CellOf(root);
    std::uint64_t figures = 0;
    for (const Position::Figure& figure : position.figures()) {
      const Cell cell = position.CellOf(figure.node);
      if (std::abs(cell.x - temple.x) + std::abs(cell.y - temple.y) <= 1) {
        figures += position.StrengthOf(figure.kind) << (8 * figure.player);
      }
    }
    return figures;
  }

  // After roads and monasteries.
  int Round(const Rules&, SegmentKind kind) const override {
    return kind == SegmentKind::kTemple ? 1 : 0;
  }

  std::vector<int> UnfinishedAtTheEnd(const Position& position) const override {
    std::vector<int> temples;
    if (position.rules().ark == ArkEdition::kNone) return temples;
    for (int node = 0; node < position.features().size(); ++node) {
      const Features::Node& feature = position.features().at(node);
      if (feature.kind == SegmentKind::kTemple && feature.open > 0) temples.push_back(node);
    }
    return temples;
  }

  void Describe(const Position& position, const Position::Item& item,
                ScoreItem* out) const override {
    if (item.part != 0 || position.features().at(item.node).kind != SegmentKind::kTemple) return;
    out->reason =
        Text(item.turn == 0 ? "unfinished" : "completed", " temple: most followers on its cross",
             item.doubled ? ", doubled by the Ark on it" : "");
  }
};

}  // namespace

bool HasTemple(const CompiledTile& tile) {
  return std::any_of(tile.parts.begin(), tile.parts.end(), [](const CompiledTile::Part& part) {
    return part.kind == SegmentKind::kTemple;
  });
}

const PartEntry kTemplesPart = {"Temples",
                                [](const TileSet& tiles, const Rules&, bool) {
                                  return std::any_of(tiles.compiled().begin(),
                                                     tiles.compiled().end(), HasTemple);
                                },
                                MakePart<Temples>, nullptr};

}  // namespace tilewarden::engine
