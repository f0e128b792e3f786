// What an expansion needs beyond its own files: an entry in the list of figure kinds
// and one in the list of parts.
#include "tests/engine/game/made_up_expansion/beekeepers.h"

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "engine/game/game.h"
#include "gtest/gtest.h"

namespace tilewarden::engine {
namespace {

const RuleBook& WithBeekeepers() {
  static const auto* const kBook = [] {
    auto* book = new RuleBook(RuleBook::Standard());
    book->kinds.push_back(kBeekeeperKind);
    book->parts.push_back(kBeekeepersPart);
    return book;
  }();
  return *kBook;
}

// A straight road from west to east; segment 0 is the road, 1 the field north of it.
constexpr int kRoad = 0, kNorthField = 1;

class BeekeepersTest : public ::testing::Test {
 protected:
  Turn Straight(int player, Cell cell) const {
    Turn turn;
    turn.player = player;
    turn.tile = game_.tile_set().Find("B.U");
    turn.cell = cell;
    return turn;
  }
  Turn WithBeekeeper(Turn turn, int segment = kNorthField) const {
    turn.deployment = {kBeekeeper, segment};
    return turn;
  }
  // All that shows of the game.
  auto Portrait() const {
    std::vector<std::tuple<int, int, std::string>> items;
    for (const ScoreItem& item : game_.score_items()) {
      items.emplace_back(item.player, item.points, item.kind);
    }
    return std::tuple(game_.players(), game_.Figures(), items, game_.turns());
  }
  std::string CodeOf(const Turn& turn) const {
    const std::optional<Refusal> why = game_.Check(turn);
    return why ? why->code : "";
  }

  Game game_{*TileSet::Load("base.c1"), Rules{}, {"red", "blue"}, 0, WithBeekeepers()};
};

TEST_F(BeekeepersTest, EachPlayerHasOneThatStandsOnFieldsOnly) {
  EXPECT_EQ(game_.players()[0].Supply(kBeekeeper), 1);
  const Turn turn = Straight(0, {1, 0});
  std::map<FigureKind, std::vector<int>> offered;
  for (const Deployment& way : game_.LegalDeployments(0, turn.tile, {turn.cell, 0})) {
    offered[way.kind].push_back(way.segment);
  }
  EXPECT_EQ(offered[kBeekeeper], (std::vector<int>{1, 2}));
  EXPECT_EQ(offered[FigureKind::kFollower], (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(CodeOf(WithBeekeeper(turn, kRoad)), "beekeeper-wrong-feature");

  ASSERT_TRUE(game_.Apply(WithBeekeeper(turn)));
  EXPECT_EQ(game_.players()[0].Supply(kBeekeeper), 0);
  EXPECT_EQ(game_.players()[0].followers(), 7);
  EXPECT_EQ(game_.Figures(), (std::vector<PlacedFigure>{{0, kBeekeeper, {1, 0}, kNorthField}}));
  EXPECT_EQ(CodeOf(WithBeekeeper(Straight(0, {3, 0}))), "not-adjacent");
  EXPECT_EQ(CodeOf(WithBeekeeper(Straight(0, {-1, 0}), 2)), "none-in-supply");
}

TEST_F(BeekeepersTest, ATileBesidePaysUntilThePotsAreGone) {
  ASSERT_TRUE(game_.Apply(WithBeekeeper(Straight(0, {1, 0}))));
  const std::optional<Outcome> beside = game_.Apply(Straight(1, {2, 0}));
  ASSERT_TRUE(beside);
  ASSERT_EQ(beside->items.size(), 1U);
  EXPECT_EQ(beside->items[0].kind, "honey");
  EXPECT_EQ(beside->items[0].reason, "a pot of honey");
  EXPECT_EQ(beside->items[0].player, 0);
  EXPECT_EQ(beside->items[0].turn, 2);
  EXPECT_TRUE(game_.Apply(Straight(0, {3, 0}))->items.empty());
  EXPECT_EQ(game_.Apply(Straight(1, {1, 1}))->items.size(), 1U);
  EXPECT_TRUE(game_.Apply(Straight(0, {1, -1}))->items.empty());
  EXPECT_EQ(game_.players()[0].score, kPots);
}

TEST_F(BeekeepersTest, NoneStandsBesideAnother) {
  ASSERT_TRUE(game_.Apply(WithBeekeeper(Straight(0, {1, 0}))));
  const auto before = Portrait();
  Refusal why;
  // On the south side, where the field is free.
  EXPECT_FALSE(game_.Apply(WithBeekeeper(Straight(1, {2, 0}), 2), &why));
  EXPECT_EQ(why.code, "bees-quarrel");
  EXPECT_EQ(why.cells, (std::vector<Cell>{{1, 0}}));
  EXPECT_EQ(Portrait(), before);
  EXPECT_EQ(CodeOf(WithBeekeeper(Straight(1, {-1, 0}), 2)), "");
}

TEST_F(BeekeepersTest, UndoGoesBackExactlyAndTheSameCanBePlayedAgain) {
  const std::vector<Turn> turns = {WithBeekeeper(Straight(0, {1, 0})), Straight(1, {2, 0}),
                                   WithBeekeeper(Straight(1, {-1, 0}), 2), Straight(0, {1, 1}),
                                   Straight(1, {-2, 0})};
  std::vector portraits = {Portrait()};
  for (const Turn& turn : turns) {
    ASSERT_TRUE(game_.Apply(turn));
    portraits.push_back(Portrait());
  }
  EXPECT_EQ(game_.players()[0].score + game_.players()[1].score, kPots);
  for (std::size_t left = turns.size(); left > 0; --left) {
    ASSERT_TRUE(game_.Undo());
    EXPECT_EQ(Portrait(), portraits[left - 1]);
  }
  for (std::size_t i = 0; i < turns.size(); ++i) {
    ASSERT_TRUE(game_.Apply(turns[i]));
    EXPECT_EQ(Portrait(), portraits[i + 1]);
  }
}

TEST_F(BeekeepersTest, CopiesHaveTheirOwnPots) {
  ASSERT_TRUE(game_.Apply(WithBeekeeper(Straight(0, {1, 0}))));
  Game copy = game_;
  ASSERT_TRUE(copy.Apply(Straight(1, {2, 0})));
  ASSERT_TRUE(copy.Apply(Straight(0, {1, 1})));
  EXPECT_EQ(copy.players()[0].score, kPots);
  EXPECT_EQ(game_.Apply(Straight(1, {1, -1}))->items.size(), 1U);
}

TEST_F(BeekeepersTest, OtherGamesKnowNothingOfThem) {
  const Game other(*TileSet::Load("base.c1"), Rules{}, {"red", "blue"});
  const std::optional<Refusal> why = other.Check(WithBeekeeper(Straight(0, {1, 0})));
  ASSERT_TRUE(why);
  EXPECT_EQ(why->code, "no-such-figure");
}

}  // namespace
}  // namespace tilewarden::engine
