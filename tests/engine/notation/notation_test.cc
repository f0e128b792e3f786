// Games as text, and the odds of a draw.
#include "engine/notation/notation.h"

#include <filesystem>
#include <fstream>
#include <iterator>

#include "engine/game/odds.h"
#include "gtest/gtest.h"
#include "tests/engine/game/random_game.h"

namespace tilewarden::engine {
namespace {

constexpr const char* kHeader = "tilewarden 1\nset base.c1\nplayer red\nplayer blue\nstart 0\n";

std::string ErrorOf(const std::string& text) {
  const auto record = ParseNotation(text);
  EXPECT_FALSE(record.ok()) << text;
  return std::string(record.status().message());
}

TEST(Notation, ReadsWhatAPersonTypes) {
  const auto record = ParseNotation(std::string(kHeader) +
                                    "# opening\n1 red B.W 1,0 r0 follower 2\n2 blue B.L -1,0 r0\n"
                                    "#\n3 - B.C aside\n");
  ASSERT_TRUE(record.ok()) << record.status();
  ASSERT_EQ(record->turns.size(), 3U);
  EXPECT_EQ(record->turns[0].deployment, (Deployment{FigureKind::kFollower, 2}));
  EXPECT_TRUE(record->turns[2].set_aside);
  EXPECT_EQ(record->comments.size(), 2U);
  EXPECT_EQ(record->comments[0], (std::pair<std::size_t, std::string>(0, "opening")));
}

TEST(Notation, IsStrictAndSaysWhere) {
  const std::string header = kHeader;
  EXPECT_EQ(ErrorOf(""), "the text must end with a line break");
  EXPECT_EQ(ErrorOf("tilewarden 2\n"), "line 1: expected \"tilewarden 1\", not \"tilewarden 2\"");
  EXPECT_NE(ErrorOf("tilewarden 1\nset base.c9\n").find("base.c1"), std::string::npos);
  EXPECT_EQ(ErrorOf("tilewarden 1\nset base.c1\n"), "line 2: the header ends with \"start\"");
  EXPECT_NE(ErrorOf("tilewarden 1\nset base.c1\noption no 1\n").find("line 3: no option"),
            std::string::npos);
  EXPECT_EQ(ErrorOf(header + "2 red B.W 1,0 r0\n"), "line 6: expected turn number 1, not \"2\"");
  EXPECT_EQ(ErrorOf(header + "1 green B.W 1,0 r0\n"), "line 6: no player \"green\"");
  EXPECT_EQ(ErrorOf(header + "1 red Z.Z 1,0 r0\n"), "line 6: the set has no tile \"Z.Z\"");
  EXPECT_EQ(ErrorOf(header + "1 red B.W 1,00 r0\n"),
            "line 6: expected the cell, as in 1,-2, not \"1,00\"");
  EXPECT_EQ(ErrorOf(header + "1 red B.W 1,0 r4\n"),
            "line 6: expected the rotation, r0 to r3, not \"r4\"");
  EXPECT_EQ(ErrorOf(header + "1 red B.W 1,0\n"),
            "line 6: expected the rotation, r0 to r3 at its end");
  EXPECT_EQ(ErrorOf(header + "1 red B.W 1,0 r0 follower\n"),
            "line 6: expected the segment's number at its end");
  EXPECT_EQ(ErrorOf(header + "1 red B.W 1,0 r0 recall x\n"),
            "line 6: expected the abbot's cell, not \"x\"");
  EXPECT_EQ(ErrorOf(header + "1 red B.W 1,0 r0  follower 1\n"), "line 6: did not expect \"\" here");
  EXPECT_EQ(ErrorOf(header + "1 red B.W 1,0 r0 follower 1 follower 2\n"),
            "line 6: did not expect \"follower\" here");
}

TEST(Notation, AGameThatWasJoinedGoesOnFromWhatWasFound) {
  const std::string header = "tilewarden 1\nset base.c1\nplayer red\nplayer blue\n";
  const std::string text = header +
                           "found B.D 0,0 r0\nfound B.U 1,0 r0 red follower 0\n"
                           "found B.U -1,0 r0\n# joined\n1 - B.A 2,0 r0\n2 blue B.A -2,0 r2\n";
  const auto record = ParseNotation(text);
  ASSERT_TRUE(record.ok()) << record.status();
  EXPECT_EQ(record->found.size(), 3U);
  EXPECT_EQ(PrintNotation(*record), text);
  const auto game = Replay(*record);
  ASSERT_TRUE(game.ok()) << game.status();
  EXPECT_EQ(game->players()[0].score, 5) << "the road of five tiles";
  EXPECT_EQ(
      PrintNotation(RecordOf(*game)),
      PrintNotation(
          {record->tiles, record->rules, record->colours, 0, record->found, record->turns, {}}));

  const std::string found = header + "found B.D 0,0 r0\n";
  EXPECT_EQ(ErrorOf(found + "found B.U 0,0 r0\n"), "line 6: the tile at 0,0 is there twice");
  EXPECT_EQ(ErrorOf(found + "found B.U 1,0 r0 red\n"), "line 6: expected the figure at its end");
  EXPECT_EQ(ErrorOf(found + "found B.U 1,0 r0 red follower 9\n"),
            "line 6: the tile at 1,0 has no segment 9");
  EXPECT_EQ(ErrorOf(found + "found B.U 999999,0 r0\n"),
            "line 6: the tile at 999999,0 is farther away than 250 cells");
  EXPECT_EQ(ErrorOf(found + "found B.U\n"), "line 6: expected the cell, as in 1,-2 at its end");
  EXPECT_EQ(ErrorOf(found + "start 0\n"), "line 6: expected turn number 1, not \"start\"");
}

TEST(Notation, LinesOfACommentAreComments) {
  auto record = ParseNotation(kHeader);
  ASSERT_TRUE(record.ok()) << record.status();
  record->comments = {{0, "one\n\ntwo"}};
  EXPECT_EQ(PrintNotation(*record), std::string(kHeader) + "# one\n#\n# two\n");
}

TEST(Notation, IllegalTurnsAreNamedWhenReplayed) {
  const auto record = ParseNotation(std::string(kHeader) + "1 red B.E 1,0 r0\n");
  ASSERT_TRUE(record.ok());
  const auto game = Replay(*record);
  EXPECT_NE(std::string(game.status().message()).find("turn 1 is not legal: edge-mismatch"),
            std::string::npos);
}

// Every example is one that can be typed, played, and comes out as it went in.
TEST(Notation, ExamplesAreGames) {
  const auto read = [](const std::filesystem::path& path) {
    std::ifstream in(path);
    return std::string((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  };
  const std::filesystem::path data = TILEWARDEN_TEST_DATA;
  const std::string readme = read(data / "../../../../engine/notation/NOTATION.md");
  const std::size_t begin = readme.find("\ntilewarden 1\nset base.c2\n");
  ASSERT_NE(begin, std::string::npos);
  const std::size_t end = readme.find("```", begin);
  ASSERT_NE(end, std::string::npos);
  for (const std::string& text :
       {readme.substr(begin + 1, end - begin - 1), read(data / "example.txt")}) {
    const auto record = ParseNotation(text);
    ASSERT_TRUE(record.ok()) << record.status();
    const auto game = Replay(*record);
    ASSERT_TRUE(game.ok()) << game.status();
    EXPECT_GT(game->players()[0].score, 0);
    EXPECT_EQ(PrintNotation(*record), text);
  }
}

// The log of every kind of game goes through the notation and back.
TEST(Notation, RoundTripsGamesOfEveryKind) {
  for (const GameConfig& config : AllConfigs()) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      Game game = NewGame(config, 3);
      RandomPlayer player(game, seed);
      while (const auto turn = player.NextTurnOrSetAside(game)) game.Apply(*turn);
      GameRecord record = RecordOf(game);
      record.comments = {{0, "begins"}, {record.turns.size(), ""}};
      const std::string text = PrintNotation(record);
      const auto parsed = ParseNotation(text);
      ASSERT_TRUE(parsed.ok()) << config.name << ": " << parsed.status();
      EXPECT_EQ(parsed->turns, record.turns);
      EXPECT_EQ(parsed->rules, record.rules) << config.name;
      EXPECT_EQ(parsed->comments, record.comments);
      EXPECT_EQ(PrintNotation(*parsed), text);
      const auto replayed = Replay(*parsed);
      ASSERT_TRUE(replayed.ok()) << replayed.status();
      EXPECT_EQ(replayed->players(), game.players());
    }
  }
}

TEST(Notation, ColoursMayBeAnyText) {
  Game game(*TileSet::Load("base.c1"), Rules{}, {"light blue", "100%", "gr\xC3\xBCn"});
  const std::string text = PrintNotation(RecordOf(game));
  EXPECT_NE(text.find("player light%20blue\nplayer 100%25\n"), std::string::npos);
  EXPECT_EQ(ParseNotation(text)->colours, RecordOf(game).colours);
}

TEST(Rules, EveryOptionGoesThroughText) {
  for (const std::string& name : Rules::PresetNames()) {
    const Rules rules = *Rules::Preset(name);
    Rules read;
    for (const auto& [option, value] : rules.ToMap()) {
      EXPECT_TRUE(read.Set(option, value).ok()) << option;
    }
    EXPECT_EQ(read, rules) << name;
  }
  EXPECT_FALSE(Rules::Preset("c9").ok());
  Rules rules;
  EXPECT_FALSE(rules.Set("followers", "many").ok());
  EXPECT_FALSE(rules.Set("followers", "0").ok());
  EXPECT_FALSE(rules.Set("two_tile_city_points", "3").ok());
  EXPECT_FALSE(rules.Set("area", "3,0,1,1").ok());
  EXPECT_FALSE(rules.Set("nothing", "1").ok());
  EXPECT_EQ(rules, Rules{});
}

TEST(Odds, ChanceToDrawIsHypergeometric) {
  EXPECT_NEAR(ChanceToDraw(1, 71, 1), 1.0 / 71, 1e-12);
  EXPECT_NEAR(ChanceToDraw(2, 4, 2), 1 - (2.0 / 4) * (1.0 / 3), 1e-12);
  EXPECT_DOUBLE_EQ(ChanceToDraw(3, 10, 8), 1);
  EXPECT_DOUBLE_EQ(ChanceToDraw(0, 10, 8), 0);
  EXPECT_DOUBLE_EQ(ChanceToDraw(2, 10, 99), 1);
}

TEST(Odds, PilesAreDrawnOneAfterTheOther) {
  // The river's last but one tile lies: its lake is next, then the land.
  const Game start(*TileSet::Load("base.c2+river1.c2"), Rules{}, {"red"});
  ASSERT_EQ(PilesLeft(start).size(), 3U);
  EXPECT_EQ(PilesLeft(start)[0].size(), 10U);
  // South of the source only land fits: it comes after ten river tiles and the lake.
  EXPECT_EQ(ChanceToFill(start, {0, 1}, 11), 0);
  EXPECT_GT(ChanceToFill(start, {0, 1}, 12), 0);
  EXPECT_DOUBLE_EQ(ChanceToFill(start, {-1, 0}, 1), 10.0 / 10);
  Game game = start;
  Turn turn;
  turn.tile = game.tile_set().Find("R1.D");
  turn.cell = {-1, 0};
  ASSERT_TRUE(game.Apply(turn));
  EXPECT_EQ(PilesLeft(game)[0].size(), 9U);
}

TEST(Odds, TheProofThatATileFitsNowhereNamesEveryWay) {
  Game game(*TileSet::Load("base.c1"), Rules{}, {"red"});
  const int all_city = game.tile_set().Find("B.C");
  EXPECT_TRUE(ProofThatNothingFits(game, all_city).empty());
  Turn cap;
  cap.tile = game.tile_set().Find("B.E");
  cap.cell = {0, -1};
  cap.rotation = 2;
  ASSERT_TRUE(game.Apply(cap));
  const std::vector<Misfit> proof = ProofThatNothingFits(game, all_city);
  // Six cells beside the two tiles, four turns each.
  ASSERT_EQ(proof.size(), 24U);
  for (const Misfit& misfit : proof) {
    EXPECT_EQ(misfit.why.code, "edge-mismatch");
    EXPECT_GE(misfit.why.cells.size(), 2U);
  }
}

TEST(Odds, TilesThatFitAnOpenCity) {
  const Game game(*TileSet::Load("base.c1"), Rules{}, {"red"});
  // North of the start tile a city edge is wanted; every other side is free.
  EXPECT_EQ(OpenCellsOf(game, {0, 0}, 0), std::vector<Cell>({{0, -1}}));
  int copies = 0;
  for (const FittingTile& fitting : TilesThatFit(game, {0, -1})) {
    copies += fitting.left;
    EXPECT_FALSE(fitting.rotations.empty());
  }
  EXPECT_EQ(copies, 72 - 1 - 28);  // 28 tiles have no city at all
  EXPECT_NEAR(ChanceToFill(game, {0, -1}, 1), 43.0 / 71, 1e-12);
  EXPECT_EQ(OpenCellsOf(game, {0, 0}, 1), std::vector<Cell>({{-1, 0}, {1, 0}}));
  EXPECT_EQ(OpenCellsOf(game, {0, 0}, 3), std::vector<Cell>({{-1, 0}, {0, 1}, {1, 0}}));
  EXPECT_TRUE(TilesThatFit(game, {5, 5}).empty());
}

}  // namespace
}  // namespace tilewarden::engine
