#include "engine/expansions/goods.h"

#include <algorithm>

#include "engine/game/scoring.h"
#include "engine/tiles/text.h"

namespace tilewarden::engine {
namespace {

constexpr int kMostPoints = 10;  // for most tokens of a kind; all who tie have them

// What a city gave to whoever laid this tile.
struct Taken {
  int turn = 0;
  int tile = 0;  // its number
  int city = 0;  // a node of it
};

class GoodsPart final : public PartWithoutState<GoodsPart> {
 public:
  std::size_t MemoryUsed() const override { return taken_.capacity() * sizeof(Taken); }

  // Whoever has the majority in the city, and whether anybody stands there, is no matter.
  std::optional<Refusal> AfterScoring(const Playing& playing,
                                      const Position::Completed& completed) override {
    const Position& position = playing.position;
    for (std::size_t i = 0; i < completed.count; ++i) {
      const int root = completed.roots[i];
      if (Of(position, root).empty()) continue;
      taken_.push_back({position.turn(), position.LastTile(), root});
    }
    return std::nullopt;
  }

  void Undo(Position& position, const Turn&) override {
    while (!taken_.empty() && taken_.back().turn == position.turn()) taken_.pop_back();
  }

  void CountTokens(const Position& position, int player, GoodsTokens* tokens) const override {
    for (const Taken& taken : taken_) {
      if (position.Laid(taken.tile).player != player) continue;
      for (const auto& [goods, count] : Of(position, taken.city)) (*tokens)[goods] += count;
    }
  }

  void AddFinal(const Position& position, std::vector<Position::Item>* items) const override {
    const int players = static_cast<int>(position.players().size());
    std::vector<GoodsTokens> tokens(position.players().size());
    for (int player = 0; player < players; ++player) {
      CountTokens(position, player, &tokens[static_cast<std::size_t>(player)]);
    }
    for (const Goods goods : kAllGoods) {
      const auto count = [&](int player) {
        return tokens[static_cast<std::size_t>(player)][goods];
      };
      int most = 0;
      for (int player = 0; player < players; ++player) most = std::max(most, count(player));
      for (int player = 0; player < players && most > 0; ++player) {
        if (count(player) < most) continue;
        const int city = CitiesOf(position, player, goods).front();
        items->push_back(For(goods, city, player, kMostPoints, most));
      }
    }
  }

  void Describe(const Position& position, const Position::Item& item,
                ScoreItem* out) const override {
    if (item.part != number()) return;
    const auto goods = static_cast<Goods>(item.cause);
    out->kind = "goods";
    out->reason = Text("most ", ToString(goods), ": ", Counted(item.tiles, "token", "tokens"));
    for (const int city : CitiesOf(position, item.player, goods)) {
      const std::vector<Cell> cells = position.CellsOf(city);
      out->cells.insert(out->cells.end(), cells.begin(), cells.end());
    }
    std::sort(out->cells.begin(), out->cells.end());
    out->cells.erase(std::unique(out->cells.begin(), out->cells.end()), out->cells.end());
  }

 private:
  // What a city trades in.
  static GoodsTokens Of(const Position& position, int city) {
    GoodsTokens goods;
    position.features().ForEach(city, [&](int node) {
      const Goods shown = position.SegmentAt(node).goods;
      if (shown != Goods::kNone) ++goods[shown];
    });
    return goods;
  }

  // The cities from which a player has such tokens.
  std::vector<int> CitiesOf(const Position& position, int player, Goods goods) const {
    std::vector<int> cities;
    for (const Taken& taken : taken_) {
      if (position.Laid(taken.tile).player != player) continue;
      if (Of(position, taken.city).contains(goods)) cities.push_back(taken.city);
    }
    return cities;
  }

  std::vector<Taken> taken_;  // oldest first
};

}  // namespace

const PartEntry kGoodsPart = {"Goods",
                              [](const TileSet&, const Rules& rules, bool) { return rules.goods; },
                              MakePart<GoodsPart>, nullptr};

}  // namespace tilewarden::engine
