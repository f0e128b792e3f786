#include "engine/expansions/purchase.h"

#include <algorithm>
#include <vector>

#include "engine/game/placing.h"

namespace tilewarden::engine {
namespace {

enum class SaleCause : std::uint8_t { kBought, kSold };

// The features of older tiles that this one would complete: a place of each, the same
// whichever tile is laid there.
std::vector<Place> CompletedBy(const GameView& view, int tile, const Placement& at) {
  Position position(view.position);
  Parts parts(view.parts);
  position.BeginTurn();
  position.Lay(tile, at, -1);
  parts.Change<Hook::kLaid>([&](Part& part) { part.Laid(position); });
  const Position::Completed completed = position.FindCompleted();
  std::vector<Place> places;
  for (std::size_t i = 0; i < completed.count; ++i) {
    position.features().ForEach(completed.roots[i], [&](int node) {
      if (position.features().at(node).tile != position.LastTile()) {
        places.push_back(position.PlaceOf(node));
      }
    });
  }
  return places;
}

class TilePurchase final : public PartWithoutState<TilePurchase> {
 public:
  // Who sells, for how much, and that no other tile that is left would do.
  std::optional<Refusal> CheckActions(const GameView& view, const Turn& turn) const override {
    if (!turn.purchase) return std::nullopt;
    const Position& position = view.position;
    const auto refuse = [&](const char* code, const char* text) {
      return Refusal{code, text, {turn.cell}};
    };
    const int players = static_cast<int>(position.players().size());
    if (turn.player < 0 || turn.purchase->seller < 0 || turn.purchase->seller >= players ||
        turn.purchase->seller == turn.player) {
      return refuse("no-such-player", "A tile is bought from another player (house rule).");
    }
    if (turn.purchase->points < 1 || turn.purchase->points > position.player(turn.player).score) {
      return refuse(
          "not-enough-points",
          "The buyer pays at least 1 point, and no more points than they have (house rule).");
    }
    std::vector<Place> structures = CompletedBy(view, turn.tile, {turn.cell, turn.rotation});
    if (structures.empty()) {
      return refuse("tile-not-for-sale",
                    "Only a tile that completes a feature on the board may be bought (house "
                    "rule).");
    }
    PlacementList placements;
    for (int tile = 0; tile < position.types() && !structures.empty(); ++tile) {
      if (position.TilesLeft(tile) <= (tile == turn.tile ? 1 : 0)) continue;
      FindPlacements(position, view.parts, tile, &placements);
      placements.ForEach([&](const Placement& at) {
        if (at.cell != turn.cell) return;
        const std::vector<Place> others = CompletedBy(view, tile, at);
        std::erase_if(structures, [&](const Place& structure) {
          return std::find(others.begin(), others.end(), structure) != others.end();
        });
      });
    }
    if (structures.empty()) {
      return refuse("tile-not-for-sale",
                    "Only the one tile that can complete a feature may be bought: another tile "
                    "that is left would complete it too (house rule).");
    }
    return std::nullopt;
  }

  std::optional<Refusal> BeforeScoring(const Playing& playing,
                                       const Position::Completed&) override {
    const Turn& turn = playing.turn;
    if (!turn.purchase) return std::nullopt;
    Position& position = playing.position;
    const int node = position.NodeAt(position.LastTile(), 0);
    const auto [seller, points] = *turn.purchase;
    position.AddItem(For(SaleCause::kBought, node, turn.player, -points, 1));
    position.AddItem(For(SaleCause::kSold, node, seller, points, 1));
    return std::nullopt;
  }

  void Describe(const Position& position, const Position::Item& item,
                ScoreItem* out) const override {
    if (item.part != number()) return;
    const bool bought = item.cause == static_cast<std::uint8_t>(SaleCause::kBought);
    out->kind = bought ? "tile.bought" : "tile.sold";
    out->reason = bought ? "bought the only tile that completes a feature" : "sold the tile drawn";
    out->cells = {position.CellOf(item.node)};
  }
};

}  // namespace

const PartEntry kPurchasePart = {
    "Purchase of tiles", [](const TileSet&, const Rules& rules, bool) { return rules.tile_buying; },
    MakePart<TilePurchase>,
    [](const Turn& turn) -> std::optional<Refusal> {
      if (!turn.purchase) return std::nullopt;
      return Refusal{"tile-not-for-sale",
                     "Tiles are not bought in this game (option tile_buying).",
                     {turn.cell}};
    }};

}  // namespace tilewarden::engine
