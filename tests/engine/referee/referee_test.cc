// The referee, one thing at a time, on a table without noise: how a game begins, goes on,
// is restored and corrected. Claims and mistakes have files of their own beside it.
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "engine/notation/notation.h"
#include "tests/engine/referee/referee_fixture.h"

namespace tilewarden::engine {
namespace {

TEST_F(RefereeTest, StartTileAloneStartsTheGame) {
  ASSERT_EQ(log_.size(), 2U);
  EXPECT_TRUE(std::holds_alternative<StartTileLaid>(log_[1]));
  EXPECT_TRUE(referee_.game()->players().empty());
  EXPECT_EQ(referee_.to_move(), -1);
}

TEST_F(RefereeTest, ColoursBecomePlayersAndTheCycleFillsTheRest) {
  PlayTwoRounds();
  const Game& game = *referee_.game();
  ASSERT_EQ(game.turns().size(), 7U);
  const Strings order = {"red", "blue", "green"};
  for (std::size_t i = 0; i < 7; ++i) {
    ASSERT_GE(game.turns()[i].player, 0) << "turn " << i + 1;
    EXPECT_EQ(ColourOf(game.turns()[i].player), order[i % 3]) << "turn " << i + 1;
  }
  EXPECT_EQ(ColourOf(referee_.to_move()), "blue");
  EXPECT_TRUE(Codes().empty());
}

TEST_F(RefereeTest, PointsByHandStandBesideTheTurnsWhateverBecomesOfThem) {
  PlayTwoRounds();
  const int scored = Player("red").score;
  const auto take_down = [&](std::variant<std::vector<Event>, Refusal> judged) {
    ASSERT_TRUE(std::holds_alternative<std::vector<Event>>(judged));
    const auto& events = std::get<std::vector<Event>>(judged);
    log_.insert(log_.end(), events.begin(), events.end());
  };
  take_down(referee_.ChangePoints("red", -3, "counted twice"));
  take_down(referee_.UndoTurn());
  const auto restored = Referee::Restore(tiles_, log_);
  ASSERT_TRUE(restored.ok()) << restored.status();
  const Referee& live = referee_;
  for (const Referee* referee : {&live, &*restored}) {
    ASSERT_EQ(referee->points_by_hand().size(), 1U);
    const PointsChanged& change = referee->points_by_hand().front();
    EXPECT_EQ(change.colour, "red");
    EXPECT_EQ(change.points, -3);
    EXPECT_EQ(change.reason, "counted twice");
    EXPECT_EQ(change.turn, 7);
  }
  EXPECT_EQ(Player("red").score, scored) << "the game's own points stay";
  for (const auto& [colour, points] : {std::pair("pink", 3), std::pair("red", 0)}) {
    EXPECT_TRUE(std::holds_alternative<Refusal>(referee_.ChangePoints(colour, points, "why")));
  }
}

TEST_F(RefereeTest, TellsHowTheLastSightingLiesOnTheBoard) {
  PlayTwoRounds();
  const Sighting seen = table_.Look();
  Observe(seen);
  ASSERT_TRUE(referee_.alignment().has_value());
  for (const SightedTile& tile : seen.tiles) {
    EXPECT_NE(referee_.game()->TileAt((*referee_.alignment())(tile.cell)), nullptr);
  }
  Sighting other = table_.Look();
  for (SightedTile& tile : other.tiles) tile.candidates = {{"B.C", 0, 0.99}};
  Observe(other);
  EXPECT_FALSE(referee_.alignment().has_value()) << "that is another table";
}

TEST_F(RefereeTest, StillStreamAndRepeatsAddNothing) {
  PlayTwoRounds();
  const std::size_t events = log_.size();
  for (int i = 0; i < 500; ++i) Look();
  EXPECT_EQ(log_.size(), events);
  const Sighting last = table_.Look();
  Observe(last);
  table_.tiles.pop_back();
  Sighting same_number = table_.Look();
  same_number.sequence = last.sequence;
  EXPECT_TRUE(referee_.Observe(same_number).empty());
  EXPECT_TRUE(referee_.Observe(last).empty());
  EXPECT_EQ(log_.size(), events);
}

TEST_F(RefereeTest, VisionThatStartsOverIsFollowed) {
  PlayTwoRounds();
  SimulatedTable again(tiles_, NoErrors(), 77);  // numbers from 1, another lattice
  again.tiles = table_.tiles;
  again.figures = table_.figures;
  std::swap(table_, again);
  Look();
  Play("B.B", {-1, 1}, 0, "blue", 0);
  EXPECT_EQ(referee_.game()->turns().size(), 8U);
  EXPECT_TRUE(Codes().empty());
}

TEST_F(RefereeTest, LastTileMayBeTurnedAndTakenUpAgain) {
  PlayTwoRounds();
  Hand({0, 1});
  table_.Lay("B.E", {0, -1}, 2);
  Look();
  ASSERT_EQ(referee_.game()->turns().size(), 8U);
  Hand({0, -1});
  table_.tiles.pop_back();
  Look();
  Look();
  EXPECT_EQ(referee_.game()->turns().size(), 7U);
  Play("B.E", {-1, 1}, 3);
  EXPECT_EQ(referee_.game()->turns().size(), 8U);
  EXPECT_TRUE(Codes().empty());
}

TEST_F(RefereeTest, WhoWasNotSeenYetComesBeforeWhoseTurnItIsNot) {
  Play("B.U", {1, 0}, 0);
  Play("B.B", {0, 1}, 0, "red", 0);
  Play("B.B", {1, 1}, 0, "green", 0);
  Play("B.B", {-1, 1}, 0, "blue", 0);
  Play("B.U", {-1, 0}, 0);
  Play("B.U", {2, 0}, 0, "red", 0);
  Play("B.B", {2, 1}, 0, "green", 0);
  Play("B.E", {-2, 1}, 3, "blue", 0);
  ASSERT_TRUE(Codes().empty());
  // A whole round and more since the last look, too much to try all orders.
  const auto lay = [&](const char* tile, Cell cell, int rotation, const char* colour, int segment) {
    table_.Lay(tile, cell, rotation);
    table_.Set(colour, cell, segment);
  };
  lay("B.E", {-1, 2}, 2, "red", 0);
  lay("B.E", {2, 2}, 2, "green", 0);
  lay("B.E", {3, 1}, 1, "blue", 0);
  lay("B.E", {1, 2}, 2, "yellow", 0);
  table_.Lay("B.U", {3, 0}, 0);
  table_.Lay("B.U", {-2, 0}, 0);
  Look();
  Look();
  EXPECT_EQ(Codes(), Strings{});
  ASSERT_EQ(referee_.game()->turns().size(), 14U);
  const Strings order = {"yellow", "red", "green", "blue"};
  for (std::size_t i = 0; i < 14; ++i) {
    EXPECT_EQ(ColourOf(referee_.game()->turns()[i].player), order[i % 4]) << "turn " << i + 1;
  }
}

TEST_F(RefereeTest, ALastTileThatALookMissesIsNotTheNextOneOfItsType) {
  PlayTwoRounds();  // the last one is a B.B, with red's figure
  Hand({-1, 1});
  const SimulatedTable::Tile last = table_.tiles.back();
  const SimulatedTable::Figure figure = table_.figures.back();
  table_.tiles.pop_back();
  table_.figures.pop_back();
  table_.Lay("B.B", {-1, 1}, 0);
  Look();
  table_.tiles.push_back(last);
  table_.figures.push_back(figure);
  Look();
  ASSERT_EQ(referee_.game()->turns().size(), 8U);
  EXPECT_EQ(referee_.game()->turns()[6].cell, OnBoard({2, 1}));
  EXPECT_EQ(referee_.game()->turns()[7].cell, OnBoard({-1, 1}));
  EXPECT_EQ(Codes(), Strings{});
}

// Any tile may begin, and nothing tells the one that is misread.
TEST_F(RefereeTest, WhereAnyTileMayBeginAClearLookIsWaitedFor) {
  Rules rules = *Rules::Preset("c1");
  ASSERT_TRUE(rules.Set("start_tile_mixed", "true").ok());
  Referee referee = *Referee::Create(tiles_, rules, {}, false, nullptr);
  Sighting doubtful = table_.Look();
  doubtful.tiles.front().candidates = {{"B.L", 0, 0.6}, {"B.D", 0, 0.35}};
  EXPECT_TRUE(referee.Observe(doubtful).empty());
  EXPECT_FALSE(referee.Observe(table_.Look()).empty());
  ASSERT_EQ(referee.game()->turns().size(), 1U);
  EXPECT_EQ(referee.game()->turns()[0].tile, tiles_->Find("B.D"));
}

// C.01 of CutCassonne is the start tile in other art: the same to every rule.
TEST_F(RefereeTest, AStartTileThatIsReadAsATwinOfItBegins) {
  const auto tiles = *TileSet::Load("base.c2+cutcassonne");
  SimulatedTable table(tiles, NoErrors(), 1);
  table.Lay("B.D", {0, 0}, 0);
  Sighting look = table.Look();
  for (const double sure : {0.96, 0.49}) {
    for (const int other : {0, 2}) {  // how the rest lies
      Referee referee = *Referee::Create(tiles, *Rules::Preset("c2"), {}, false, nullptr);
      look.tiles.front().candidates = {{"C.01", 0, sure}, {"B.D", other, 0.97 - sure}};
      EXPECT_EQ(referee.Observe(look).empty(), sure < 0.5 && other != 0) << sure << ", " << other;
      if (referee.game() == nullptr) continue;
      EXPECT_EQ(referee.game()->TileAt({})->tile, tiles->Find("B.D"));
    }
  }
  Referee referee = *Referee::Create(tiles, *Rules::Preset("c2"), {}, false, nullptr);
  look.tiles.front().candidates = {{"B.J", 0, 0.96}, {"B.D", 0, 0.03}};
  EXPECT_TRUE(referee.Observe(look).empty());
}

// The start tile, read as its twin ever since, beside a tile of its type: nobody changed it.
TEST_F(RefereeTest, AGameThatATwinOfTheStartTileBeganGoesOn) {
  const auto tiles = *TileSet::Load("base.c2+cutcassonne");
  SimulatedTable table(tiles, NoErrors(), 1);
  Referee referee = *Referee::Create(tiles, *Rules::Preset("c2"), {}, false, nullptr);
  table.Lay("C.01", {0, 0}, 0);
  referee.Observe(table.Look());
  ASSERT_NE(referee.game(), nullptr);
  for (int turn = 1; turn < 4; ++turn) {
    referee.Observe(table.Look(Cell{turn, 0}));
    table.Lay("B.D", {turn, 0}, 0);
    referee.Observe(table.Look());
  }
  EXPECT_EQ(referee.game()->turns().size(), 3U);
  EXPECT_TRUE(referee.findings().empty());
  EXPECT_TRUE(referee.questions().empty());
}

TEST(Referee, WhoSoldATileStaysTheSellerWhenPlayersAreSeatedOtherwise) {
  const auto record = ParseNotation(R"(tilewarden 1
set base.c1
option tile_buying true
player red
player blue
start 0
1 blue B.E 0,-1 r2 follower 0
2 red B.U 1,0 r0
3 red B.U 2,0 r0
4 red B.B 0,1 r0
5 red B.E 1,1 r2
6 red B.E 0,2 r1
7 red B.B 2,1 r0
8 red B.E 2,2 r3
9 red B.B 0,3 r0
10 red B.E 1,3 r0
11 blue B.C 1,2 r0 bought red 3
)");
  ASSERT_TRUE(record.ok()) << record.status();
  const std::shared_ptr<const TileSet> tiles = *TileSet::Load("base.c1");
  Rules rules = *Rules::Preset("c1");
  rules.tile_buying = true;
  std::vector<Event> log;
  ASSERT_TRUE(Referee::Create(tiles, rules, {}, true, &log).ok());
  log.push_back(PlayerJoined{"red", 0});
  log.push_back(PlayerJoined{"blue", 1});
  Referee referee = *Referee::Restore(tiles, log);
  for (const Turn& turn : record->turns) {
    const auto played = referee.PlayTurn(turn);
    ASSERT_TRUE(std::holds_alternative<std::vector<Event>>(played));
    const auto& events = std::get<std::vector<Event>>(played);
    log.insert(log.end(), events.begin(), events.end());
  }
  log.push_back(PlayersArranged{{"blue", "red"}});
  const auto restored = Referee::Restore(tiles, log);
  ASSERT_TRUE(restored.ok()) << restored.status();
  EXPECT_EQ(restored->game()->turns().back().purchase->seller, 1);
  EXPECT_EQ(restored->game()->players()[0].score, 4 - 3);
  EXPECT_EQ(restored->game()->players()[1].score, 3);
}

TEST_F(RefereeTest, RestoreIsTheSameAfterEveryEvent) {
  PlayTwoRounds();
  Play("B.U", {0, -1}, 1);  // left lying against the rules
  Look();
  ASSERT_EQ(Codes(), Strings{"edge-mismatch"});
  auto restored = Referee::Restore(tiles_, log_);
  ASSERT_TRUE(restored.ok()) << restored.status();
  EXPECT_EQ(restored->game()->turns(), referee_.game()->turns());
  EXPECT_EQ(restored->game()->players(), referee_.game()->players());
  EXPECT_EQ(restored->to_move(), referee_.to_move());
  ASSERT_EQ(restored->findings().size(), 1U);
  EXPECT_EQ(restored->findings()[0].id, referee_.findings()[0].id);
  EXPECT_EQ(restored->findings()[0].text, referee_.findings()[0].text);
  // The same table again: nothing new, and it clears there too.
  referee_ = *std::move(restored);
  EXPECT_TRUE(Look().empty());
  Hand({0, -1});
  table_.tiles.pop_back();
  Look();
  EXPECT_TRUE(Codes().empty());
  auto broken = log_;
  broken.erase(broken.begin() + 1);
  EXPECT_EQ(Referee::Restore(tiles_, broken).status().code(), absl::StatusCode::kDataLoss);
}

TEST_F(RefereeTest, HandsOfPeopleCorrectAndTakeBack) {
  PlayTwoRounds();
  const std::vector<Turn> before = referee_.game()->turns();
  Turn other = before[6];
  other.deployment.reset();
  const auto corrected = referee_.CorrectTurn(7, other);
  ASSERT_TRUE(std::holds_alternative<std::vector<Event>>(corrected));
  EXPECT_EQ(referee_.game()->turns()[6], other);
  other.cell = {100, 100};
  EXPECT_TRUE(std::holds_alternative<Refusal>(referee_.CorrectTurn(7, other)));
  EXPECT_EQ(referee_.UndoTurn().size(), 1U);
  EXPECT_EQ(referee_.game()->turns().size(), 6U);
  Look();
  EXPECT_EQ(referee_.game()->turns().size(), 6U) << "taken back though the tile lies there still";
  EXPECT_EQ(referee_.End().size(), 1U);
  EXPECT_TRUE(referee_.ended());
  EXPECT_TRUE(Look().empty());
}

}  // namespace
}  // namespace tilewarden::engine
