// One test for each row of the comparison of rules (RULES.md beside the
// checkout), named after it. Games are written in our notation.
#include <map>
#include <stdexcept>

#include "engine/notation.h"
#include "engine/stack.h"
#include "gtest/gtest.h"
#include "tests/engine/random_game.h"

namespace tilewarden::engine {
namespace {

using Lines = std::vector<std::string>;

// A game of red, blue and green in this box, with options "name value" and
// turns without their numbers.
GameRecord Record(const std::string& set, const Lines& options, const Lines& turns) {
  std::string text = "tilewarden 1\nset " + set + "\n";
  for (const std::string& option : options) text += "option " + option + "\n";
  text += "player red\nplayer blue\nplayer green\nstart 0\n";
  int number = 0;
  for (const std::string& turn : turns) text += std::to_string(++number) + " " + turn + "\n";
  const auto record = ParseNotation(text);
  if (!record.ok()) throw std::runtime_error(std::string(record.status().message()));
  return *record;
}

Game Played(const std::string& set, const Lines& options, const Lines& turns) {
  const auto game = Replay(Record(set, options, turns));
  if (!game.ok()) throw std::runtime_error(std::string(game.status().message()));
  return *game;
}

// Why the last turn is refused; empty: it is legal.
std::string Refused(const std::string& set, const Lines& options, const Lines& turns) {
  GameRecord record = Record(set, options, turns);
  const Turn last = record.turns.back();
  record.turns.pop_back();
  const auto game = Replay(record);
  if (!game.ok()) throw std::runtime_error(std::string(game.status().message()));
  const auto why = game->Check(last);
  return why ? why->code : "";
}

std::vector<int> Scores(const Game& game) {
  std::vector<int> scores;
  for (const PlayerState& player : game.players()) scores.push_back(player.score);
  return scores;
}

std::vector<int> FinalScores(const Game& game) {
  std::vector<int> scores = Scores(game);
  for (const ScoreItem& item : game.ScoreIfEndedNow()) {
    scores[static_cast<std::size_t>(item.player)] += item.points;
  }
  return scores;
}

using Points = std::vector<int>;
const std::string kBase = "base.c1";

TEST(RuleRow, R01_AnyPlayerMayTakeTheFirstTurn) {
  EXPECT_EQ(Refused(kBase, {}, {"green B.U 1,0 r0"}), "");
}

TEST(RuleRow, R02_ATileThatFitsNowhereIsSetAside) {
  const Lines closed = {"red B.E 0,-1 r2"};
  Lines turns = closed;
  turns.push_back("blue B.C aside");
  const int tile = Played(kBase, {}, {}).tile_set().Find("B.C");
  EXPECT_EQ(Played(kBase, {}, turns).TilesLeft(tile), 0);
  EXPECT_EQ(Played(kBase, {"unplaceable_returns true"}, turns).TilesLeft(tile), 1);
  EXPECT_EQ(Refused(kBase, {}, {"red B.C aside"}), "tile-fits");
}

TEST(RuleRow, R03_CityOfTwoTiles) {
  const Lines turns = {"red B.E 0,-1 r2 follower 0"};
  EXPECT_EQ(Scores(Played(kBase, {}, turns)), (Points{4, 0, 0}));
  EXPECT_EQ(Scores(Played(kBase, {"two_tile_city_points 2"}, turns)), (Points{2, 0, 0}));
}

TEST(RuleRow, R04_FarmsOfThreeEditions) {
  // Red has two farms at one city.
  const Lines turns = {"red B.U 1,0 r0 follower 1", "red B.E 0,-1 r2 follower 1"};
  EXPECT_EQ(FinalScores(Played(kBase, {}, turns)), (Points{6, 0, 0}));
  EXPECT_EQ(FinalScores(Played(kBase, {"farm_scoring second"}, turns)), (Points{3, 0, 0}));
  EXPECT_EQ(FinalScores(Played(kBase, {"farm_scoring first"}, turns)), (Points{4, 0, 0}));
  // Blue has one of them: the first edition counts farmers around the city.
  const Lines shared = {"red B.U 1,0 r0 follower 1", "blue B.E 0,-1 r2 follower 1"};
  EXPECT_EQ(FinalScores(Played(kBase, {}, shared)), (Points{3, 3, 0}));
  EXPECT_EQ(FinalScores(Played(kBase, {"farm_scoring first"}, shared)), (Points{4, 4, 0}));
}

TEST(RuleRow, R05_UnfinishedFeaturesAtTheEnd) {
  // Four tiles, of which one belongs to the city with two of its segments.
  const Lines turns = {"blue G.2 0,-1 r0", "red B.N -1,-1 r0 follower 0", "blue B.N -1,-2 r1",
                       "blue B.R 0,-2 r2"};
  const std::string set = "winter+gingerbread";
  EXPECT_EQ(FinalScores(Played(set, {}, turns)), (Points{4, 0, 0}));
  EXPECT_EQ(FinalScores(Played(set, {"final_by_segment true"}, turns)), (Points{5, 0, 0}));
  EXPECT_EQ(FinalScores(Played(set, {"final_incomplete false"}, turns)), (Points{0, 0, 0}));
  EXPECT_TRUE(Rules::Preset("c1")->final_by_segment);
  EXPECT_TRUE(Rules::Preset("ark-1")->final_by_segment);
  EXPECT_FALSE(Rules::Preset("c2")->final_by_segment);
  EXPECT_FALSE(Rules::Preset("ark-2")->final_by_segment);
}

TEST(RuleRow, R06_ACityAroundAnEmptyCell) {
  Lines turns = {"red B.G 0,1 r1 follower 0", "blue B.N -1,1 r1", "blue B.N 1,1 r2",
                 "blue B.G -1,2 r0",          "blue B.G 1,2 r0",  "blue B.N -1,3 r0",
                 "blue B.N 1,3 r3",           "blue B.G 0,3 r1"};
  EXPECT_EQ(Scores(Played(kBase, {}, turns)), (Points{16, 0, 0}));
  EXPECT_EQ(Scores(Played(kBase, {"cities_must_be_filled true"}, turns)), (Points{0, 0, 0}));
  turns.push_back("blue B.B 0,2 r0");
  EXPECT_EQ(Scores(Played(kBase, {"cities_must_be_filled true"}, turns)), (Points{16, 0, 0}));
}

TEST(RuleRow, R07_FarmersAndMeeples) {
  EXPECT_EQ(Refused(kBase, {}, {"red B.U 1,0 r0 follower 1"}), "");
  EXPECT_EQ(Refused(kBase, {"farmers false"}, {"red B.U 1,0 r0 follower 1"}), "farmers-off");
  EXPECT_EQ(Played(kBase, {}, {}).players()[0].followers, 7);
  EXPECT_EQ(
      Refused(kBase, {"followers 1"}, {"red B.U 1,0 r0 follower 1", "red B.U 2,0 r0 follower 2"}),
      "none-in-supply");
  Game game = Played(kBase, {}, {});
  for (const char* colour : {"yellow", "black", "pink"}) {
    EXPECT_TRUE(game.AddPlayer(colour, 0).ok());
  }
  EXPECT_FALSE(game.AddPlayer("white", 0).ok());
}

TEST(RuleRow, R08_TheGameEndsWithTheLastTile) {
  Game game = Played(kBase, {"enforce_counts true"}, {});
  RandomPlayer player(game, 4);
  std::vector<int> unplaceable;
  while (const auto turn = player.NextTurn(game, &unplaceable)) ASSERT_TRUE(game.Apply(*turn));
  EXPECT_EQ(game.turns().size() + unplaceable.size(), 71U);
  for (int tile = 0; tile < 24; ++tile) EXPECT_TRUE(game.LegalPlacements(tile).empty());
}

TEST(RuleRow, R09_WhereRoadsEnd) {
  // Village and monastery.
  EXPECT_EQ(Scores(Played(kBase, {}, {"red B.W 1,0 r0 follower 2", "blue B.A -1,0 r2"})),
            (Points{3, 0, 0}));
  // City.
  EXPECT_EQ(Scores(Played(kBase, {}, {"red B.W 1,0 r0 follower 2", "blue B.S -1,0 r2"})),
            (Points{3, 0, 0}));
  // A loop.
  EXPECT_EQ(Scores(Played(kBase, {},
                          {"red B.V 0,1 r3 follower 0", "blue B.V 1,1 r0", "blue B.V 1,2 r1",
                           "blue B.V 0,2 r2"})),
            (Points{4, 0, 0}));
}

TEST(RuleRow, R10_TheTablesEdge) {
  const std::string area = "area -5,0,5,1";
  EXPECT_EQ(Refused(kBase, {area}, {"red B.E 0,-1 r2"}), "out-of-area");
  EXPECT_EQ(Refused(kBase, {}, {"red B.E 0,-1 r2"}), "");
  EXPECT_TRUE(Played(kBase, {area}, {}).LegalPlacements(2).empty());
  const Lines turns = {"red B.E 0,1 r2 follower 0"};
  EXPECT_EQ(Scores(Played(kBase, {area}, turns)), (Points{0, 0, 0}));
  Game game = Played(kBase, {area, "table_edge_completes true"}, turns);
  EXPECT_EQ(Scores(game), (Points{2, 0, 0}));
  EXPECT_TRUE(game.Undo());
  EXPECT_EQ(Scores(game), (Points{0, 0, 0}));
  // A monastery at the edge has fewer neighbours to wait for.
  EXPECT_EQ(Scores(Played(kBase, {"area 0,0,1,1", "table_edge_completes true"},
                          {"red B.B 0,1 r0 follower 0", "blue B.U 1,0 r0", "blue B.E 1,1 r1"})),
            (Points{9, 0, 0}));
}

TEST(RuleRow, R11_HouseRules) {
  Game game = Played(kBase, {"hole_extra_turn true"},
                     {"red B.U 1,0 r0", "red B.B 0,1 r0", "red B.B 0,2 r0", "red B.B 1,2 r0",
                      "red B.B 2,2 r0", "red B.B 2,1 r0"});
  Turn hole;
  hole.tile = game.tile_set().Find("B.B");
  hole.cell = {1, 1};
  const auto outcome = game.Apply(hole);
  ASSERT_TRUE(outcome.has_value());
  EXPECT_TRUE(outcome->extra_turn);
  Rules in_the_bag;
  in_the_bag.start_tile_mixed = true;
  const auto tiles = TileSet::Load("base.c2+river1.c2");
  EXPECT_EQ(DrawPiles(**tiles, in_the_bag)[0].size(), DrawPiles(**tiles, Rules{})[0].size() + 1);
}

TEST(RuleRow, R12_TiesShareAndMeeplesDoNotDouble) {
  // Two roads with a meeple each become one.
  EXPECT_EQ(Refused(kBase, {}, {"red B.W 1,0 r0 follower 2", "blue B.U -1,0 r0 follower 0"}),
            "feature-occupied");
  const Lines joined = {"red B.U 1,0 r0 follower 0", "blue B.B 0,1 r0",
                        "blue B.B 1,1 r0",           "blue B.B 2,1 r0",
                        "blue B.B 3,1 r0",           "blue B.A 3,0 r0 follower 1",
                        "blue B.U 2,0 r0",           "blue B.A -1,0 r2"};
  EXPECT_EQ(Scores(Played(kBase, {}, joined)), (Points{5, 5, 0}));
}

TEST(RuleRow, R13_RecallingTheAbbot) {
  const std::string set = "base.c2";
  const Lines turns = {"red B.B 0,1 r0 abbot 0", "red B.U 1,0 r0 follower 0"};
  Game game = Played(set, {"abbot true", "followers 1"}, turns);
  Turn recall;
  recall.tile = game.tile_set().Find("B.U");
  recall.cell = {2, 0};
  recall.recall = Cell{0, 1};
  EXPECT_FALSE(game.Check(recall).has_value());
  recall.deployment = {FigureKind::kFollower, 1};
  EXPECT_EQ(game.Check(recall)->code, "one-action");
  Lines last = turns;
  last.push_back("red B.U 2,0 r0 recall 0,1");
  EXPECT_EQ(Refused(set, {"abbot true", "followers 1", "recall_needs_meeple true"}, last),
            "none-in-supply");
  EXPECT_EQ(Refused(set, {"abbot true", "followers 2", "recall_needs_meeple true"}, last), "");
}

TEST(RuleRow, R14_ARecallScoresAtOnceAndNotACompletedFeature) {
  const Lines around = {"red B.B 0,1 r0 abbot 0", "blue B.U 1,0 r0",  "blue B.U -1,0 r0",
                        "blue B.E 1,1 r1",        "blue B.E -1,1 r3", "blue B.B 0,2 r0",
                        "blue B.E 1,2 r1"};
  Lines recall = around;
  recall.push_back("red B.E -1,2 r3 recall 0,1");
  EXPECT_EQ(Refused("base.c2", {"abbot true"}, recall), "recall-completed");
  recall.back() = "red B.U 2,0 r0 recall 0,1";
  EXPECT_EQ(Scores(Played("base.c2", {"abbot true"}, recall)), (Points{8, 0, 0}));
}

TEST(RuleRow, R15_OnlyAnAbbotStandsOnAGarden) {
  const Lines options = {"abbot true"};
  EXPECT_EQ(Refused("base.c2", options, {"red B.Ug 1,0 r0 follower 3"}), "garden-needs-abbot");
  EXPECT_EQ(Refused("base.c2", options, {"red B.Ug 1,0 r0 abbot 3"}), "");
  EXPECT_EQ(Refused("base.c2", options, {"red B.Ug 1,0 r0 abbot 0"}), "abbot-wrong-feature");
  EXPECT_EQ(Refused("base.c2", {}, {"red B.Ug 1,0 r0 abbot 3"}), "none-in-supply");
  const Game game =
      Played("base.c2", options,
             {"red B.Ug 1,0 r0 abbot 3", "blue B.E 0,-1 r2", "blue B.B 1,-1 r0", "blue B.B 2,-1 r0",
              "blue B.U 2,0 r0", "blue B.B 0,1 r0", "blue B.B 1,1 r0", "blue B.B 2,1 r0"});
  EXPECT_EQ(Scores(game), (Points{9, 0, 0}));
  EXPECT_EQ(game.score_items()[0].kind, "garden");
}

const std::string kRiver1 = "base.c2+river1.c2";
const std::string kRiver2 = "base.c2+river2.c2";

TEST(RuleRow, R16_TheRiverReplacesTheStartTile) {
  const Game game = Played(kRiver1, {}, {});
  EXPECT_EQ(game.tile_set().types()[static_cast<std::size_t>(game.PlacedTiles()[0].tile)].id,
            "R.spring");
  EXPECT_EQ(game.TilesLeft(game.tile_set().Find("B.D")), 3);
}

TEST(RuleRow, R17_TurnsOfTheRiver) {
  const Lines immediate = {"red R1.G -1,0 r3", "red R1.Jg -1,1 r2"};
  EXPECT_EQ(Refused(kRiver1, {}, immediate), "river-uturn");
  EXPECT_EQ(Refused(kRiver1, {"river free"}, immediate), "");
  const Lines between = {"red R1.G -1,0 r3", "red R1.D -1,1 r1", "red R1.Jg -1,2 r2"};
  EXPECT_EQ(Refused(kRiver1, {}, between), "");
  EXPECT_EQ(Refused(kRiver1, {"river three"}, between), "");
  EXPECT_EQ(Refused(kRiver1, {"river strict"}, between), "river-uturn");
  const Lines three = {"red R1.D -1,0 r0",  "red R1.G -2,0 r3", "red R1.D -2,1 r1",
                       "red R1.Jg -2,2 r2", "red R1.F -1,2 r0", "red R1.I 0,2 r1"};
  EXPECT_EQ(Refused(kRiver1, {}, three), "");
  EXPECT_EQ(Refused(kRiver1, {"river three"}, three), "river-uturn");
  EXPECT_EQ(Refused(kRiver1, {"river away"}, three), "river-uturn");
}

TEST(RuleRow, R18_AnUnfinishedRiverIsLegal) {
  EXPECT_EQ(Refused(kRiver1, {}, {"red R1.D -1,0 r0", "blue B.B -1,1 r0"}), "");
  EXPECT_EQ(Refused(kRiver1, {}, {"red R1.D -1,0 r0", "blue R1.F -1,1 r0"}), "river-must-continue");
  EXPECT_EQ(Refused(kRiver1, {}, {"red R.lake -1,0 r2", "blue R1.F aside"}), "");
}

TEST(RuleRow, R19_ForkFirstAndOneSource) {
  const auto two = TileSet::Load(kRiver2);
  EXPECT_EQ(DrawPiles(**two, Rules{})[0], std::vector<int>{(*two)->Find("R2.fork")});
  const Game big = Played("base.c2+river.20ae", {}, {});
  EXPECT_EQ(big.PlacedTiles().size(), 2U);
  EXPECT_EQ(big.LegalPlacements(big.tile_set().Find("R1.D")).size(), 4U);
  // The double-sized source counts as two tiles.
  const Game::Feature field = big.FeatureAt({0, 0}, 1);
  EXPECT_EQ(field.cells.size(), 2U);
  const auto piles = DrawPiles(big.tile_set(), Rules{});
  EXPECT_EQ(piles[piles.size() - 2].size(), 2U);  // both lakes, in any order
}

TEST(RuleRow, R20_VolcanoLakeAndBranches) {
  EXPECT_EQ(Refused(kRiver2, {}, {"red R2.volcano -1,0 r2 follower 1"}), "no-meeples-on-river");
  EXPECT_EQ(Refused(kRiver2, {"volcano_lake false"}, {"red R2.volcano -1,0 r2 follower 1"}), "");
  Game game = Played(kRiver2, {}, {});
  const Turn lake = Record(kRiver2, {}, {"red R2.volcano -1,0 r2"}).turns[0];
  EXPECT_TRUE(game.Apply(lake)->extra_turn);
  Game ordinary = Played(kRiver2, {"volcano_lake false"}, {});
  EXPECT_FALSE(ordinary.Apply(lake)->extra_turn);
  // The two branches meet around a corner.
  EXPECT_EQ(Refused(kRiver2, {"river free"},
                    {"red R2.fork -1,0 r0", "red R2.pig -1,1 r1", "red R2.bendg -2,1 r2",
                     "red R2.citybend -2,0 r3"}),
            "river-branches-joined");
}

TEST(RuleRow, R21_WhatSplitsTheField) {
  // Around the source the banks are one field; the river parts them elsewhere.
  EXPECT_EQ(Refused(kRiver1, {}, {"red R1.D -1,0 r0 follower 1", "blue R1.F -2,0 r0 follower 2"}),
            "feature-occupied");
  const Game bridge = Played(kRiver1, {}, {"red R1.K -1,0 r0"});
  int fields = 0;
  for (const Segment& s : bridge.tile_set()
                              .types()[static_cast<std::size_t>(bridge.tile_set().Find("R1.K"))]
                              .segments) {
    fields += s.kind == SegmentKind::kField ? 1 : 0;
  }
  EXPECT_EQ(fields, 4);  // a small bridge lets no field through
  const auto two = TileSet::Load(kRiver2);
  int under = 0;
  for (const Segment& s :
       (*two)->types()[static_cast<std::size_t>((*two)->Find("R2.E"))].segments) {
    under += s.kind == SegmentKind::kField ? 1 : 0;
  }
  EXPECT_EQ(under, 2);  // the large one does
}

TEST(RuleRow, R22_InnVolcanoAndPigHerdAreOffUnlessEnabled) {
  const Lines inn = {"red R2.D -1,0 r0 follower 0", "blue B.A -1,-1 r3"};
  EXPECT_EQ(FinalScores(Played(kRiver2, {}, inn)), (Points{2, 0, 0}));
  EXPECT_EQ(FinalScores(Played(kRiver2, {"inns true"}, inn)), (Points{0, 0, 0}));
  Lines finished = inn;
  finished.push_back("blue B.A -1,1 r1");
  EXPECT_EQ(Scores(Played(kRiver2, {}, finished)), (Points{3, 0, 0}));
  EXPECT_EQ(Scores(Played(kRiver2, {"inns true"}, finished)), (Points{6, 0, 0}));
  const Lines herd = {"red R2.pig -1,0 r3 follower 1", "blue B.E 0,-1 r0", "blue B.E 0,-2 r2"};
  EXPECT_EQ(FinalScores(Played(kRiver2, {}, herd)), (Points{3, 0, 0}));
  EXPECT_EQ(FinalScores(Played(kRiver2, {"pig_herd true"}, herd)), (Points{4, 0, 0}));
}

TEST(RuleRow, R23_HouseRulesOfTheRiver) {
  const Lines options = {"river_meeples false"};
  EXPECT_EQ(Refused(kRiver1, options, {"red R1.H -1,0 r0 follower 0"}), "no-meeples-on-river");
  EXPECT_EQ(Refused(kRiver1, options, {"red R.lake -1,0 r2 follower 1"}), "");
  Rules shuffled;
  shuffled.river_shuffled = true;
  const auto two = TileSet::Load(kRiver2);
  EXPECT_EQ(DrawPiles(**two, shuffled).size(), 2U);
}

TEST(RuleRow, R24_AnInnOnAnAnimalTileIsIgnored) {
  const Lines turns = {"red W.5 1,0 r0 follower 1", "blue B.A -1,0 r2"};
  EXPECT_EQ(Scores(Played("winter", {}, turns)), (Points{3, 0, 0}));
}

const std::string kGinger = "winter+gingerbread";

TEST(RuleRow, R25_TheGingerbreadManPaysEveryKnightWhenHeLeaves) {
  const Lines turns = {"red B.G 0,-1 r0 follower 0", "blue B.M 0,-2 r2",
                       "blue G.5 1,0 r0 gingerbread 1,0.0"};
  const Game game = Played(kGinger, {"gingerbread true"}, turns);
  // Three tiles with a coat of arms, which counts nothing.
  EXPECT_EQ(Scores(game), (Points{3, 0, 0}));
  EXPECT_EQ(game.gingerbread_man(), (Place{{1, 0}, 0}));
}

TEST(RuleRow, R26_HePaysBeforeTheCityScoresAndMovesAfter) {
  const Game game = Played(kGinger, {"gingerbread true"},
                           {"blue B.E 0,1 r2", "red B.E 0,-1 r2 follower 0 gingerbread 0,1.0"});
  const std::vector<ScoreItem> items = game.score_items();
  ASSERT_EQ(items.size(), 2U);
  EXPECT_EQ(items[0].kind, "gingerbread");
  EXPECT_EQ(items[0].points, 2);
  EXPECT_EQ(items[1].kind, "city");
  EXPECT_EQ(game.gingerbread_man(), (Place{{0, 1}, 0}));
}

TEST(RuleRow, R27_ASymbolTileThatCompletesHisCity) {
  // The tile's other city and one beside it are open.
  const Lines turns = {"blue B.L 1,0 r0", "red G.5 0,-1 r1 gingerbread 1,0.0"};
  EXPECT_EQ(Refused(kGinger, {"gingerbread true"}, turns), "");
  EXPECT_EQ(Refused(kGinger, {"gingerbread true", "gingerbread_moves_twice true"}, turns),
            "gingerbread-must-move");
  const Lines twice = {"blue B.L 1,0 r0", "red G.5 0,-1 r1 gingerbread 1,0.0 0,-1.0"};
  EXPECT_EQ(Refused(kGinger, {"gingerbread true"}, twice), "gingerbread-bad-target");
  EXPECT_EQ(Refused(kGinger, {"gingerbread true", "gingerbread_moves_twice true"}, twice), "");
}

TEST(RuleRow, R28_WithoutAnotherOpenCityHeWaitsBesideTheBoard) {
  const Lines closed = {"red B.E 0,-1 r2 follower 0"};
  EXPECT_FALSE(Played(kGinger, {"gingerbread true"}, closed).gingerbread_man().has_value());
  Lines open = closed;
  open.push_back("blue B.L 1,0 r0");
  EXPECT_EQ(Refused(kGinger, {"gingerbread true"}, open), "");
  const Lines next = {"gingerbread true", "gingerbread_next_city true"};
  EXPECT_EQ(Refused(kGinger, next, open), "gingerbread-must-move");
  open.back() += " gingerbread 1,0.0";
  EXPECT_EQ(Refused(kGinger, next, open), "");
  // A city on the tile just laid may be his target, or not.
  const Lines onto = {"red G.5 1,0 r0 gingerbread 1,0.0"};
  EXPECT_EQ(Refused(kGinger, {"gingerbread true"}, onto), "");
  EXPECT_EQ(Refused(kGinger, {"gingerbread true", "gingerbread_to_new_tile false"}, onto),
            "gingerbread-bad-target");
}

const std::string kArk = "ark";
const Lines kSecond = {"ark second"};
// The first city is complete and the Ark on the start tile.
const Lines kArkEnters = {"red A.cfff.1 0,-1 r2 lands 0,0"};

Lines After(Lines turns, const Lines& more) {
  turns.insert(turns.end(), more.begin(), more.end());
  return turns;
}

TEST(RuleRow, R29_OneActionATurn) {
  Game game = Played(kArk, kSecond, kArkEnters);
  Turn both = Record(kArk, kSecond, {"red A.frfr.1 1,0 r0 follower 0"}).turns[0];
  EXPECT_FALSE(game.Check(both).has_value());
  both.ark_path = {{1, 0}};
  EXPECT_EQ(game.Check(both)->code, "one-action");
}

TEST(RuleRow, R30_TheArkEntersWithTheFirstCity) {
  EXPECT_EQ(Refused(kArk, kSecond, {"red A.cfff.1 0,-1 r2"}), "ark-must-be-placed");
  EXPECT_EQ(Refused(kArk, kSecond, {"red A.cfff.1 0,-1 r2 lands 1,0"}), "ark-bad-placement");
  const Game game = Played(kArk, kSecond, {"red A.cfff.1 0,-1 r2 follower 0 lands 0,-1"});
  EXPECT_EQ(Scores(game), (Points{4, 0, 0}));
  EXPECT_EQ(game.ark(), (Cell{0, -1}));
  EXPECT_EQ(Refused(kArk, kSecond, {"red A.frfr.1 1,0 r0 ark 0,0"}), "ark-not-placed");
}

TEST(RuleRow, R31_HowTheArkMoves) {
  const Lines board = After(kArkEnters, {"red A.frfr.1 1,0 r0 follower 0", "blue A.cfff.1 0,1 r2",
                                         "blue A.cfff.1 1,1 r2 follower 1"});
  const auto move = [&](const std::string& path) {
    return After(board, {"green A.frfr.1 2,0 r0 ark " + path});
  };
  EXPECT_EQ(Scores(Played(kArk, kSecond, move("1,0 1,1 0,1"))), (Points{1, 1, 0}));
  EXPECT_EQ(Refused(kArk, kSecond, move("1,1")), "ark-not-orthogonal");
  EXPECT_EQ(Refused(kArk, kSecond, move("-1,0")), "ark-off-board");
  EXPECT_EQ(Refused(kArk, kSecond, move("1,0 0,0")), "ark-backtrack");
  EXPECT_EQ(Refused(kArk, kSecond, move("1,0 1,1 0,1 0,0 0,-1 0,0")), "ark-distance");
  EXPECT_EQ(Refused(kArk, kSecond, move("1,0 1,1 0,1 0,0")), "ark-ends-on-start");
  // The first edition is silent about it.
  EXPECT_EQ(Refused(kArk, {"ark first"}, move("1,0 1,1 0,1 0,0")), "");
}

TEST(RuleRow, R32_TheProphetDoublesACityAndLeaves) {
  const Game game = Played(kArk, kSecond, {"red A.cfff.1 0,-1 r2 prophet 0 lands 0,0"});
  EXPECT_EQ(Scores(game), (Points{8, 0, 0}));
  EXPECT_EQ(game.players()[0].prophets, 0);
  EXPECT_TRUE(game.Figures().empty());
  EXPECT_EQ(Refused(kArk, kSecond, {"red A.frfr.1 1,0 r0 prophet 0"}), "prophet-only-in-city");
}

TEST(RuleRow, R33_Temples) {
  const std::string temple = "red A.frfr.5 1,0 r0 follower 3";
  EXPECT_EQ(Refused(kArk, kSecond, {"red A.frfr.5 1,0 r0 follower 0"}), "no-follower-on-temple");
  EXPECT_EQ(FinalScores(Played(kArk, kSecond, {temple})), (Points{3, 0, 0}));
  // The follower beside it counts as much as the one on the temple's tile.
  EXPECT_EQ(Scores(Played(kArk, kSecond,
                          {temple, "blue A.cfff.1 1,-1 r0", "blue A.cfff.1 1,1 r2",
                           "blue A.crfr.1 2,0 r0 follower 0"})),
            (Points{7, 7, 0}));
  // The tile that surrounds the temple completes a city beside it: its knight
  // goes home before the temple counts, or after.
  const Lines knight = {temple, "blue A.cfff.1 1,-1 r0", "blue A.cfff.1 1,1 r2",
                        "blue A.cfff.1 2,-1 r2", "blue A.crfr.1 2,0 r0 follower 0 lands 2,0"};
  EXPECT_EQ(Scores(Played(kArk, {"ark second"}, knight)), (Points{7, 4, 0}));
  EXPECT_EQ(Scores(Played(kArk, {"ark first"}, knight)), (Points{7, 11, 0}));
  EXPECT_FALSE(Rules::Preset("ark-1")->temples_after_cities);
  EXPECT_TRUE(Rules::Preset("ark-2")->temples_after_cities);
}

TEST(RuleRow, R34_TheGermanEdition) {
  const Lines german = {"ark german"};
  const Lines enters = {"red A.cfff.1 0,-1 r2 lands 0,0"};
  EXPECT_EQ(Scores(Played(kArk, german, enters)), (Points{2, 0, 0}));
  EXPECT_EQ(Refused(kArk, german, After(enters, {"blue A.frfr.1 1,0 r0 ark 1,0"})),
            "ark-needs-temple");
  // A follower on the temple, the Ark straight to it.
  const Lines temple = After(enters, {"blue A.frfr.5 1,0 r0 follower 0"});
  const Lines reaches = After(temple, {"green A.cfff.1 1,1 r2 ark 1,0"});
  EXPECT_EQ(Scores(Played(kArk, german, reaches)), (Points{2, 1, 3}));
  EXPECT_EQ(Refused(kArk, german, After(temple, {"green A.cfff.1 1,1 r2 ark 0,-1"})),
            "ark-needs-temple");
  // Completed with the Ark on it, the temple counts double.
  const Lines complete = After(reaches, {"red A.cfff.1 1,-1 r0", "red A.crfr.1 2,0 r0"});
  EXPECT_EQ(Scores(Played(kArk, german, complete)), (Points{2, 15, 3}));
}

TEST(RuleRow, R35_OasesScrollsSheepAndWolves) {
  EXPECT_EQ(FinalScores(Played(kArk, kSecond, {"red A.frfr.2 1,0 r0 follower 0"})),
            (Points{3, 0, 0}));
  EXPECT_EQ(Scores(Played(kArk, kSecond,
                          {"red A.cfcf.2 0,-1 r0 follower 0", "blue A.cfff.1 0,-2 r2 lands 0,0"})),
            (Points{8, 0, 0}));
  // Three sheep, then a wolf beside them.
  const Lines sheep = {"red A.cfff.3 0,1 r2 follower 1"};
  EXPECT_EQ(FinalScores(Played(kArk, kSecond, sheep)), (Points{6, 0, 0}));
  EXPECT_EQ(FinalScores(Played(kArk, kSecond, After(sheep, {"blue A.cfff.4 1,1 r2"}))),
            (Points{4, 0, 0}));
  // Never below nothing.
  EXPECT_EQ(FinalScores(Played(kArk, kSecond, {"red A.cfff.4 0,1 r2 follower 1"})),
            (Points{0, 0, 0}));
}

}  // namespace
}  // namespace tilewarden::engine
