// Saved games of JCloisterZone, read and written.
#include "services/records/jcz.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <tuple>

#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "services/records/jcz_shared.h"
#include "services/records/rules_check.h"
#include "services/records/saved_game.h"
#include "tests/engine/game/random_game.h"

namespace tilewarden::services {
namespace {

using engine::Game;
using engine::GameConfig;
using engine::GameRecord;
using engine::Rules;
using engine::TileSet;
using engine::Turn;
using nlohmann::json;

const std::filesystem::path kData = TILEWARDEN_TEST_DATA;

std::string ReadText(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return std::string((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
}

std::string ReadError(const std::string& text) {
  return std::string(ReadJcz(text).status().message());
}
std::string WriteError(const GameRecord& record) {
  return std::string(WriteJcz(record).status().message());
}

GameRecord Typed(const std::string& text) {
  const auto record = engine::ParseNotation("tilewarden 1\n" + text);
  EXPECT_TRUE(record.ok()) << record.status();
  return *record;
}

// Every set that is shared, with the options that the format has.
const std::vector<GameConfig> kShared = {
    {"base", "base.c1", "c2", {{"followers", "5"}}},
    {"no farmers", "base.c1", "c2", {{"farmers", "false"}, {"two_tile_city_points", "2"}}},
    {"gardens", "base.c2", "c2", {{"abbot", "true"}}},
    {"river I", "base.c1+river1.c1", "c2", {}},
    {"river I, gardens", "base.c2+river1.c2", "c2", {{"abbot", "true"}}},
    {"river II", "base.c1+river2.c1", "c2", {{"inns", "true"}, {"volcano_lake", "false"}}},
    {"river II, gardens",
     "base.c2+river2.c2",
     "c2",
     {{"abbot", "true"}, {"pig_herd", "true"}, {"volcano_lake", "false"}}},
    {"both rivers",
     "base.c2+river1.c2+river2.c2",
     "c2",
     {{"abbot", "true"}, {"volcano_lake", "false"}}},
    {"winter", "winter", "winter", {{"inns", "true"}}},
    {"winter with a river", "winter+river1.c1", "winter", {}},
    {"inns and cathedrals", "base.c1+inns.c1", "c2", {}},
    {"inns and cathedrals, gardens", "base.c2+inns.c2", "c2", {{"abbot", "true"}}},
    {"traders and builders", "base.c1+traders.c1", "c2", {}},
    {"traders and builders, gardens", "base.c2+traders.c2", "c2", {{"abbot", "true"}}},
    {"both boxes, two figures each",
     "base.c1+inns.c1+traders.c1",
     "c2",
     {{"builders", "2"}, {"large_followers", "2"}, {"pigs", "2"}}},
};

Game RandomGame(const GameConfig& config, std::uint64_t seed) {
  Game game = engine::NewGame(config, 2 + static_cast<int>(seed % 4));
  engine::RandomPlayer player(game, seed);
  std::vector<int> unplaceable;
  while (const auto turn = player.NextTurn(game, &unplaceable)) {
    for (const int tile : unplaceable) {
      Turn aside;
      aside.player = turn->player;
      aside.tile = tile;
      aside.set_aside = true;
      EXPECT_TRUE(game.Apply(aside));
    }
    unplaceable.clear();
    const auto outcome = game.Apply(*turn);
    EXPECT_TRUE(outcome);
    // There, the second part of a double turn is always taken.
    if (outcome && outcome->extra_turn) player.SetNextPlayer(turn->player);
  }
  return game;
}

std::vector<std::tuple<int, int, std::string>> Points(const Game& game) {
  std::vector<std::tuple<int, int, std::string>> out;
  for (const auto& items : {game.score_items(), game.ScoreIfEndedNow()}) {
    for (const auto& item : items) out.emplace_back(item.player, item.points, item.kind);
  }
  return out;
}

// What stands where, and what it is worth, goes through the format and back.
TEST(SavedGames, RandomGamesOfEverySharedSetReadBack) {
  for (const GameConfig& config : kShared) {
    int written = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      const Game game = RandomGame(config, seed);
      const auto text = WriteJcz(RecordOf(game));
      if (!text.ok()) {
        // The format's rules for the river and the builder are stricter than the official ones.
        const std::string why(text.status().message());
        ASSERT_TRUE(why.find("the river comes too close") != std::string::npos ||
                    why.find("no builder on what the tile completes") != std::string::npos)
            << config.name << ": " << why;
        continue;
      }
      ++written;
      const auto back = ReadJcz(*text);
      ASSERT_TRUE(back.ok()) << config.name << ": " << back.status();
      EXPECT_TRUE(back->ended);
      const auto replayed = Replay(back->record);
      ASSERT_TRUE(replayed.ok()) << config.name << ": " << replayed.status();
      EXPECT_EQ(Points(*replayed), Points(game)) << config.name;
      EXPECT_EQ(replayed->Figures(), game.Figures());
      EXPECT_EQ(replayed->turns().size(), game.turns().size());
      EXPECT_EQ(*WriteJcz(back->record), *text);
    }
    EXPECT_GE(written, 10) << config.name;
  }
}

TEST(SavedGames, EveryTileOfTheSharedSetsHasANameThere) {
  for (const GameConfig& config : kShared) {
    const auto tiles = TileSet::Load(config.set);
    ASSERT_TRUE(tiles.ok()) << tiles.status();
    for (const engine::TileType& type : (*tiles)->types()) {
      const auto theirs = TheirTile(type.id);
      ASSERT_TRUE(theirs) << type.id;
      const auto ours = OurTiles(theirs->id);
      EXPECT_TRUE(std::any_of(ours.begin(), ours.end(), [&](const SharedTile& tile) {
        return tile.id == type.id && tile.turn == theirs->turn;
      })) << type.id;
      for (int segment = 0; segment < static_cast<int>(type.segments.size()); ++segment) {
        const auto& own = type.segments[static_cast<std::size_t>(segment)];
        for (int turn = 0; turn < 4; ++turn) {
          EXPECT_EQ(SegmentAt(type, turn, FeatureOf(own.kind), LocationOf(own, turn)), segment)
              << type.id << " " << LocationOf(own, turn);
        }
      }
    }
  }
}

TEST(SavedGames, OwnGamesAgreeWithTheirAssertions) {
  for (const char* name : {"own.jcz", "river.jcz", "winter.jcz", "recall.jcz", "boxes.jcz"}) {
    RulesReport report;
    const absl::Status status = CheckRulesFile(kData / name, &report);
    ASSERT_TRUE(status.ok()) << status;
    EXPECT_GE(report.expectations, 4) << name;
    EXPECT_TRUE(report.differences.empty()) << report.differences[0];
  }
}

TEST(SavedGames, WrongAssertionsAreSeen) {
  std::string text = ReadText(kData / "own.jcz");
  const std::size_t at = text.find("Ann has 7");
  ASSERT_NE(at, std::string::npos);
  text.replace(at, 9, "Ann has 8");
  const auto path = std::filesystem::path(::testing::TempDir()) / "wrong.jcz";
  std::ofstream(path) << text;
  RulesReport report;
  ASSERT_TRUE(CheckRulesFile(path, &report).ok());
  EXPECT_EQ(report.differences.size(), 1U);
}

// Without its last turn a game has no final scoring.
TEST(SavedGames, PointsOfAGameThatGoesOnLeaveOutTheEnd) {
  json file = json::parse(ReadText(kData / "river.jcz"));
  file["gameAnnotations"].erase("endTurn");
  const auto saved = ReadJcz(file.dump());
  ASSERT_TRUE(saved.ok()) << saved.status();
  EXPECT_FALSE(saved->ended);
  const auto game = Replay(saved->record);
  ASSERT_TRUE(game.ok()) << game.status();
  EXPECT_TRUE(*Holds("Ben has 0 points", *saved, *game));
  EXPECT_FALSE(*Holds("Ben has 1 point", *saved, *game));
  EXPECT_FALSE(Holds("phase is TilePhase", *saved, *game).ok());
  EXPECT_FALSE(Holds("Zoe has 1 point", *saved, *game).ok());
}

// There, a follower is known by its name, which must be in the supply; and
// where nothing can be done nobody passes.
TEST(SavedGames, FollowersAndPassesAreThoseOfTheirGame) {
  const auto text =
      WriteJcz(Typed("set base.c1\noption followers 2\nplayer red\nstart 0\n"
                     "1 red B.E 0,-1 r2\n"
                     "2 red B.E 1,-1 r0 follower 1\n"     // a farmer stays
                     "3 red B.E 2,-1 r0 follower 0\n"     // a knight, till the city is complete
                     "4 red B.E 2,-2 r2\n"                // nobody is left to deploy
                     "5 red B.E 3,-1 r0 follower 0\n"));  // the same follower again
  ASSERT_TRUE(text.ok()) << text.status();
  const json file = json::parse(*text);
  std::vector<std::string> moves;
  for (const json& move : file["replay"]) {
    if (move["type"] == "DEPLOY_MEEPLE") moves.push_back(move["payload"]["meepleId"]);
    if (move["type"] == "PASS") moves.push_back("pass");
  }
  EXPECT_EQ(moves, (std::vector<std::string>{"pass", "0.small.1", "0.small.2", "0.small.2"}));
}

// What the loader there looks for; without it a file is a mere setup.
TEST(SavedGames, WrittenGamesCarryWhatIsNeededToLoadThem) {
  const auto text =
      WriteJcz(Typed("set base.c2\noption abbot true\nplayer red\nplayer blue\nstart 1\n"
                     "1 blue B.W 0,1 r1 follower 0\n2 red B.C aside\n"));
  EXPECT_FALSE(text.ok());  // B.C fits, so it may not be set aside
  const auto good =
      WriteJcz(Typed("set base.c2\noption abbot true\nplayer red\nplayer blue\nstart 1\n"
                     "1 blue B.W 0,1 r1 follower 0\n"));
  ASSERT_TRUE(good.ok()) << good.status();
  const json file = json::parse(*good);
  for (const char* key :
       {"appVersion", "gameId", "initialRandom", "clock", "setup", "players", "replay"}) {
    EXPECT_FALSE(file[key].is_null()) << key;
  }
  EXPECT_EQ(file["setup"]["sets"], json({{"basic:2", 1}}));
  EXPECT_EQ(file["setup"]["elements"],
            json({{"small-follower", 7}, {"farmers", true}, {"abbot", 1}, {"garden", true}}));
  EXPECT_EQ(file["setup"]["start"],
            json::parse(R"([{"tile": "BA/RCr", "x": 0, "y": 0, "rotation": 90}])"));
  // Who begins comes first.
  EXPECT_EQ(file["players"],
            json::parse(R"([{"name": "blue", "slot": 0}, {"name": "red", "slot": 1}])"));
  // It goes on there: no end is set.
  EXPECT_FALSE(file["gameAnnotations"].contains("endTurn"));
}

// The builder's second part is the one turn that comes out of the order of the players.
TEST(SavedGames, DoubleTurnsAndSpecialFiguresGoThroughTheFormat) {
  const std::string game =
      "set base.c1+inns.c1+traders.c1\nplayer red\nplayer blue\nstart 0\n"
      "1 red B.U 1,0 r0 large_follower 0\n2 blue B.B 0,1 r0\n3 red B.U 2,0 r0 builder 0\n"
      "4 blue T.through_wine 0,-1 r0\n5 red B.U 3,0 r0\n6 red B.E 0,-2 r2 follower 1\n";
  const auto text = WriteJcz(Typed(game + "7 blue B.B 1,1 r0\n"));
  ASSERT_TRUE(text.ok()) << text.status();
  const json file = json::parse(*text);
  EXPECT_EQ(file["setup"]["elements"], json({{"small-follower", 7},
                                             {"farmers", true},
                                             {"inn", true},
                                             {"cathedral", true},
                                             {"big-follower", 1},
                                             {"builder", 1},
                                             {"pig", 1},
                                             {"traders", true},
                                             {"pig-herd", true}}));
  std::vector<std::string> meeples;
  std::vector<int> movers;
  for (const json& move : file["replay"]) {
    if (move["type"] == "DEPLOY_MEEPLE") meeples.push_back(move["payload"]["meepleId"]);
    if (move["type"] == "PLACE_TILE") movers.push_back(move["player"]);
  }
  EXPECT_EQ(meeples, (std::vector<std::string>{"0.big.1", "0.builder.1", "0.small.1"}));
  EXPECT_EQ(movers, (std::vector<int>{0, 1, 0, 1, 0, 0, 1}));
  const auto back = ReadJcz(*text);
  ASSERT_TRUE(back.ok()) << back.status();
  const auto replayed = Replay(back->record);
  ASSERT_TRUE(replayed.ok()) << replayed.status();
  EXPECT_EQ(replayed->TokensOf(0), (engine::GoodsTokens{{engine::Goods::kWine, 1}}));
  EXPECT_EQ(WriteError(Typed(game + "7 red B.B 1,1 r0\n")),
            "turn 7 breaks the turn order, which the format implies");
  // Turn 6 by blue: there, nobody does without the second part.
  const std::size_t at = game.find("6 red");
  EXPECT_EQ(WriteError(Typed(game.substr(0, at) + "6 blue B.E 0,-2 r2 follower 1\n")),
            "turn 6 breaks the turn order, which the format implies");
}

TEST(SavedGames, FilesAreConvertedByTheirNames) {
  const std::filesystem::path folder = ::testing::TempDir();
  const auto own = ReadSavedGame(kData / "own.jcz");
  ASSERT_TRUE(own.ok()) << own.status();
  ASSERT_TRUE(WriteSavedGame(*own, folder / "own.txt").ok());
  EXPECT_EQ(ReadText(folder / "own.txt"), PrintNotation(*own));
  const auto typed = ReadSavedGame(folder / "own.txt");
  ASSERT_TRUE(typed.ok()) << typed.status();
  ASSERT_TRUE(WriteSavedGame(*typed, folder / "back.jcz").ok());
  const auto back = ReadSavedGame(folder / "back.jcz");
  ASSERT_TRUE(back.ok()) << back.status();
  EXPECT_EQ(back->turns, own->turns);
  EXPECT_EQ(back->rules, own->rules);
  EXPECT_TRUE(absl::IsNotFound(ReadSavedGame(folder / "none.jcz").status()));
  EXPECT_FALSE(WriteSavedGame(*own, folder / "no folder" / "own.txt").ok());
}

TEST(SavedGames, WhatCannotBeReadIsNamed) {
  EXPECT_EQ(ReadError("[]"), "not a saved game: no JSON object");
  EXPECT_NE(ReadError("{}").find("setup"), std::string::npos);
  const json good = json::parse(ReadText(kData / "river.jcz"));
  const auto error = [&](const char* pointer, const json& value) {
    json file = good;
    file[json::json_pointer(pointer)] = value;
    return ReadError(file.dump());
  };
  EXPECT_EQ(error("/setup/sets", {{"tower", 1}}),
            "tile set tower, 1 times, is not one that we share");
  EXPECT_EQ(error("/setup/sets", {{"basic:1", 2}}),
            "tile set basic:1, 2 times, is not one that we share");
  EXPECT_EQ(error("/setup/sets", {{"basic:1", 1}, {"winter", 1}}),
            "both base.c1 and winter are in the setup");
  EXPECT_EQ(error("/setup/sets", {{"river/1:1", 1}}), "the base game is not in the setup");
  EXPECT_EQ(error("/setup/elements/phantom", 1), "element phantom: 1 is not one that we share");
  EXPECT_EQ(error("/setup/elements/abbot", 2), "element abbot: 2 is not one that we share");
  EXPECT_EQ(error("/setup/start/0/tile", "BA/RCr"), "the start is not R.spring at (0, 0)");
  EXPECT_EQ(error("/players", json::array()), "nobody plays");
  EXPECT_EQ(error("/replay/0/type", "PLACE_TOKEN"), "PLACE_TOKEN before any tile");
  EXPECT_EQ(error("/replay/1/type", "PLACE_TOKEN"), "move PLACE_TOKEN is not one that we share");
  EXPECT_EQ(error("/replay/0/payload/tileId", "BA/RCx"),
            "tile BA/RCx is not in the set base.c2+river1.c2+river2.c2");
  EXPECT_EQ(error("/replay/0/payload/rotation", 45), "not a saved game: no rotation 45");
  EXPECT_EQ(error("/replay/0/payload/position", {1e300, 0}),
            "not a saved game: expected a whole number, not 1e+300");
  EXPECT_EQ(error("/replay/1/payload/meepleId", "0.phantom.1"),
            "meeple 0.phantom.1 is not one that we share");
  EXPECT_EQ(error("/replay/1/payload/meepleId", "small"), "meeple small is not one that we share");
  EXPECT_EQ(error("/replay/0/player", 7), "no player 7");
  EXPECT_EQ(error("/setup/elements/pig", 3), "option pigs cannot be \"3\"; it takes: 0 to 2");
  EXPECT_EQ(error("/replay/1/payload/pointer/location", "N"),
            "no Field at N of the tile R2.fork just laid");
}

TEST(SavedGames, WhatCannotBeWrittenIsNamed) {
  const std::string base = "set base.c1\nplayer red\nplayer blue\nstart 0\n";
  EXPECT_EQ(WriteError(Typed("set ark\noption ark second\nplayer red\nstart 0\n")),
            "set ark is not one that the format shares");
  EXPECT_EQ(WriteError(Typed("set base.c1\nstart 0\n")), "nobody plays");
  EXPECT_EQ(WriteError(Typed(base + "1 red B.W 1,0 r0\n2 red B.W 2,0 r0\n")),
            "turn 2 breaks the turn order, which the format implies");
  EXPECT_EQ(WriteError(Typed(base + "1 - B.W 1,0 r0\n")),
            "turn 1 breaks the turn order, which the format implies");
  EXPECT_EQ(WriteError(Typed(base + "1 red B.C 0,-1 r0\n2 blue B.C 0,-2 r0\n")),
            "turn 2: the box holds no more tiles B.C");
  EXPECT_NE(WriteError(Typed(base + "1 red B.W 0,-1 r0\n"))
                .find("turn 1 is not legal by the rules that the format has"),
            std::string::npos);
  EXPECT_EQ(
      WriteError(Typed("set base.c1+river1.c1\nplayer red\nstart 2\n1 red R.lake 1,0 r0\n")),
      "turn 1: in the format the fork is drawn first, then all of the river, the lake and the "
      "land");
  // Three curves, straights between, and the river runs towards its source.
  EXPECT_EQ(WriteError(Typed("set base.c1+river1.c1\nplayer red\nstart 2\n1 red R1.D 1,0 r0\n"
                             "2 red R1.G 2,0 r0\n3 red R1.F 2,1 r1\n4 red R1.J 2,2 r1\n"
                             "5 red R1.C 1,2 r0\n6 red R1.I 0,2 r2\n")),
            "turn 6: the river comes too close to other tiles for the format's rules");
  EXPECT_EQ(WriteError(Typed("set base.c1+traders.c1\nplayer red\nstart 0\n"
                             "1 red B.U 1,0 r0 follower 0\n2 red B.A -1,0 r2\n"
                             "3 red B.A 2,0 r0 builder 1\n")),
            "turn 3: the format's rules set no builder on what the tile completes");
  // Options that the format lacks do no harm while they change no points.
  const std::string unfinished = "player red\nstart 0\n1 red B.G 0,-1 r0 follower 0\n";
  EXPECT_TRUE(WriteJcz(Typed("set base.c1\noption final_by_segment true\n" + unfinished)).ok());
  EXPECT_EQ(WriteError(Typed("set base.c1\noption farm_scoring first\noption final_by_segment "
                             "true\noption final_incomplete false\n" +
                             unfinished)),
            "the format lacks options that changed points of this game: farm_scoring, "
            "final_by_segment, final_incomplete");
}

}  // namespace
}  // namespace tilewarden::services
