// What a game promises besides the rules: players who join late, copies, words
// for a refusal, memory.
#include "engine/game/game.h"

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/tiles/text.h"
#include "gtest/gtest.h"
#include "tests/engine/game/random_game.h"

namespace tilewarden::engine {
namespace {

Turn Place(const Game& game, int player, const char* tile, Cell cell, int rotation,
           int segment = -1) {
  Turn turn;
  turn.player = player;
  turn.tile = game.tile_set().Find(tile);
  turn.cell = cell;
  turn.rotation = rotation;
  if (segment >= 0) turn.deployment = {FigureKind::kFollower, segment};
  return turn;
}

TEST(Game, AddedPlayersMoveTheOthersOn) {
  Game game(*TileSet::Load("base.c1"), Rules{}, {"red", "blue"});
  ASSERT_TRUE(game.Apply(Place(game, 0, "B.E", {0, -1}, 2, 0)));
  ASSERT_TRUE(game.Apply(Place(game, 1, "B.U", {1, 0}, 0, 0)));
  ASSERT_TRUE(game.AddPlayer("green", 0).ok());
  EXPECT_FALSE(game.AddPlayer("red", 0).ok());
  EXPECT_FALSE(game.AddPlayer("pink", 9).ok());
  EXPECT_EQ(game.players()[0].colour, "green");
  EXPECT_EQ(game.players()[1].score, 4);
  EXPECT_EQ(game.score_items()[0].player, 1);
  EXPECT_EQ(game.Figures()[0].player, 2);
  EXPECT_EQ(game.FeatureAt({0, 0}, 1).owners, std::vector<int>{2});
  EXPECT_EQ(game.turns()[1].player, 2);
  // The road completes for blue, wherever it sits.
  ASSERT_TRUE(game.Apply(Place(game, 0, "B.A", {2, 0}, 0)));
  const auto outcome = game.Apply(Place(game, 0, "B.A", {-1, 0}, 2));
  ASSERT_TRUE(outcome.has_value());
  ASSERT_EQ(outcome->items.size(), 1U);
  EXPECT_EQ(outcome->items[0].player, 2);
  while (game.Undo()) {
  }
  for (const PlayerState& player : game.players()) {
    EXPECT_EQ(player.score, 0);
    EXPECT_EQ(player.followers(), 7);
  }
}

TEST(Game, RefusalsNameTheEdgeTheNeighbourAndTheRule) {
  const Game game(*TileSet::Load("base.c1"), Rules{}, {"red"});
  const auto why = game.Check(Place(game, 0, "B.E", {1, 0}, 0));
  ASSERT_TRUE(why.has_value());
  EXPECT_EQ(why->code, "edge-mismatch");
  EXPECT_EQ(why->text,
            "The tile's west edge shows a field but meets a road: every edge must match "
            "(Placing a tile).");
  EXPECT_EQ(why->cells, (std::vector<Cell>{{1, 0}, {0, 0}}));
  // The field that the tile shows there, and the road that it meets.
  EXPECT_EQ(why->places, (std::vector<engine::Place>{{{1, 0}, 1}, {{0, 0}, 1}}));
}

TEST(Game, RefusalsNameTheFiguresInTheWay) {
  Game game(*TileSet::Load("base.c1"), Rules{}, {"red", "blue"});
  ASSERT_TRUE(game.Apply(Place(game, 0, "B.W", {1, 0}, 0, 2)));
  const auto why = game.Check(Place(game, 1, "B.U", {-1, 0}, 0, 0));
  ASSERT_TRUE(why.has_value());
  EXPECT_EQ(why->code, "feature-occupied");
  EXPECT_EQ(why->cells, (std::vector<Cell>{{-1, 0}, {1, 0}}));
  EXPECT_EQ(why->places, (std::vector<engine::Place>{{{-1, 0}, 0}, {{1, 0}, 2}}));
  const auto no_field = game.Check(Place(game, 1, "B.U", {-1, 0}, 0, 7));
  EXPECT_EQ(no_field->code, "not-a-segment");
  EXPECT_EQ(no_field->places, (std::vector<engine::Place>{{{-1, 0}, 7}}));
}

TEST(Game, CopiesAreIndependent) {
  Game game(*TileSet::Load("base.c1"), Rules{}, {"red"});
  Game copy = game;
  ASSERT_TRUE(copy.Apply(Place(copy, 0, "B.E", {0, -1}, 2, 0)));
  EXPECT_EQ(game.PlacedTiles().size(), 1U);
  EXPECT_EQ(game.players()[0].score, 0);
  EXPECT_EQ(copy.players()[0].score, 4);
}

TEST(Game, ItemsSayWhy) {
  Game game(*TileSet::Load("base.c1"), Rules{}, {"red"});
  const auto outcome = game.Apply(Place(game, 0, "B.E", {0, -1}, 2, 0));
  ASSERT_TRUE(outcome.has_value());
  EXPECT_EQ(outcome->items[0].reason, "completed city: 2 tiles");
  EXPECT_EQ(outcome->items[0].cells, (std::vector<Cell>{{0, -1}, {0, 0}}));
  EXPECT_EQ(outcome->items[0].turn, 1);
  ASSERT_EQ(outcome->returned.size(), 1U);
  ASSERT_TRUE(game.Apply(Place(game, 0, "B.U", {1, 0}, 0, 1)));
  EXPECT_EQ(game.ScoreIfEndedNow()[0].reason, "farm beside 1 completed city");
}

TEST(Game, AFoundBoardIsWorthWhatLiesOnIt) {
  const auto tiles = *TileSet::Load("base.c1");
  const auto lay = [&](const char* tile, Cell cell, int rotation) {
    return PlacedTile{tiles->Find(tile), cell, rotation};
  };
  // A complete city whose knight was not taken home, a farm beside it, a road that runs
  // against a city, and a monastery on an island.
  const Game game =
      Game::AsFound(tiles, Rules{}, {"red", "blue"},
                    {lay("B.E", {2, 0}, 3), lay("B.E", {0, -1}, 2), lay("B.B", {7, 7}, 0),
                     lay("B.U", {1, 0}, 0), lay("B.D", {0, 0}, 0), lay("B.C", {0, 0}, 0)},
                    {{0, FigureKind::kFollower, {0, -1}, 0},
                     {0, FigureKind::kFollower, {0, 0}, 2},
                     {0, FigureKind::kFollower, {2, 0}, 0},
                     {1, FigureKind::kFollower, {1, 0}, 0},
                     {1, FigureKind::kFollower, {7, 7}, 0},
                     {1, FigureKind::kFollower, {5, 5}, 0}});
  std::vector<std::string> items;
  for (const ScoreItem& item : game.ScoreIfEndedNow()) {
    items.push_back(Text(item.player, ": ", item.points, " ", item.reason));
  }
  EXPECT_EQ(items, (std::vector<std::string>{"0: 4 completed city: 2 tiles",
                                             "0: 1 unfinished city: 1 tile",
                                             "1: 2 unfinished road: 2 tiles",
                                             "1: 1 unfinished monastery: itself and 0 neighbours",
                                             "0: 3 farm beside 1 completed city"}));
  EXPECT_EQ(game.PlacedTiles().size(), 5U);
  EXPECT_EQ(game.Figures().size(), 5U);
}

TEST(Game, AWholeGameIsSmall) {
  for (const GameConfig& config : AllConfigs()) {
    Game game = NewGame(config, 6);
    RandomPlayer player(game, 1);
    while (game.PlacedTiles().size() < 72) {
      const auto turn = player.NextTurn(game);
      if (!turn) break;
      ASSERT_TRUE(game.Apply(*turn));
    }
    EXPECT_LE(game.MemoryUsed(), 64U * 1024U) << config.name;
  }
}

// With every figure that there is.
Rules Everything() {
  Rules rules = *Rules::Preset("ark-1");
  rules.abbot = true;
  rules.large_followers = rules.builders = rules.pigs = 1;
  return rules;
}

TEST(FigureKinds, StandEachAtItsNumberWithAWordOfItsOwn) {
  std::set<std::string_view> words;
  int number = 0;
  for (const FigureKindEntry& entry : AllFigureKinds()) {
    EXPECT_EQ(static_cast<int>(entry.kind), number++);
    EXPECT_TRUE(words.insert(entry.word).second) << entry.word;
    EXPECT_EQ(WordOf(entry.kind), entry.word);
    // Who belongs to nobody is in no supply and claims nothing; all others do something.
    bool stands = false;
    for (int kind = 0; kind < kSegmentKinds; ++kind) {
      stands |= !entry.claims(static_cast<SegmentKind>(kind), Rules{});
    }
    EXPECT_EQ(entry.neutral, !stands);
    EXPECT_EQ(entry.neutral, entry.supply(Everything()) == 0);
  }
  EXPECT_LE(number, kMostFigureKinds);
  EXPECT_EQ(WordOf(FigureKind{kMostFigureKinds}), "");
}

}  // namespace
}  // namespace tilewarden::engine
