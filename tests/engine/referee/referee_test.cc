// The referee, one thing at a time, on a table without noise.
#include "engine/referee/referee.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "gtest/gtest.h"
#include "tests/engine/referee/simulated_table.h"

namespace tilewarden::engine {
namespace {

class RefereeTest : public testing::Test {
 protected:
  RefereeTest()
      : tiles_(*TileSet::Load("base.c1")),
        table_(tiles_, NoErrors(), 1),
        referee_(*Referee::Create(tiles_, *Rules::Preset("c1"), {}, false, &log_)) {
    table_.tiles.push_back({{0, 0}, tiles_->start_tile(), 0});
    Look();
    turned_ = referee_.game()->TileAt({})->rotation;
  }

  std::vector<Event> Observe(const Sighting& sighting) {
    std::vector<Event> events = referee_.Observe(sighting);
    log_.insert(log_.end(), events.begin(), events.end());
    return events;
  }
  std::vector<Event> Look() { return Observe(table_.Look()); }
  void Hand(Cell cell) { Observe(table_.Look(cell)); }

  Turn Laying(const std::string& tile, Cell cell, int rotation) const {
    Turn turn;
    turn.tile = tiles_->Find(tile);
    turn.cell = cell;
    turn.rotation = rotation;
    return turn;
  }
  // On the table: a hand, the tile, maybe a figure and the hand that set it, a still look.
  void Play(const std::string& tile, Cell cell, int rotation, const std::string& colour = "",
            int segment = 0) {
    Hand(cell);
    table_.Lay(Laying(tile, cell, rotation));
    if (!colour.empty()) {
      table_.Set(colour, cell, segment);
      if (!misses_) Hand(cell);
    }
    Look();
  }
  // Three players, two rounds, no feature completed.
  void PlayTwoRounds() {
    Play("B.U", {1, 0}, 0, "red", 0);     // the road east
    Play("B.U", {-1, 0}, 0);              // the road is red's
    Play("B.V", {-2, 0}, 2, "green", 1);  // a field
    Play("B.U", {2, 0}, 0);
    Play("B.B", {0, 1}, 0, "blue", 0);
    Play("B.B", {1, 1}, 0, "green", 0);
    Play("B.B", {2, 1}, 0, "red", 0);
  }
  std::vector<std::string> Codes() const {
    std::vector<std::string> codes;
    for (const Finding& finding : referee_.findings()) codes.push_back(finding.code);
    return codes;
  }
  std::string ColourOf(int player) const {
    return referee_.game()->players()[static_cast<std::size_t>(player)].colour;
  }
  PlayerState Player(const std::string& colour) const {
    for (const PlayerState& player : referee_.game()->players()) {
      if (player.colour == colour) return player;
    }
    return {};
  }
  Cell OnBoard(Cell cell) const {
    for (int i = 0; i < turned_; ++i) cell = {-cell.y, cell.x};
    return cell;
  }
  using Strings = std::vector<std::string>;

  std::shared_ptr<const TileSet> tiles_;
  SimulatedTable table_;
  std::vector<Event> log_;
  Referee referee_;
  int turned_ = 0;
  bool misses_ = false;  // the camera misses the hands that set figures
};

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

TEST_F(RefereeTest, FigureSetAfterTheTurnAmendsIt) {
  Play("B.U", {1, 0}, 0);
  ASSERT_FALSE(referee_.game()->turns()[0].deployment.has_value());
  Hand({1, 0});
  table_.Set("red", {1, 0}, 0);
  Look();
  ASSERT_TRUE(referee_.game()->turns()[0].deployment.has_value());
  EXPECT_EQ(referee_.game()->turns()[0].player, 0);
  EXPECT_EQ(referee_.game()->players()[0].colour, "red");
}

TEST_F(RefereeTest, LastTileMayBeTurnedAndTakenUpAgain) {
  PlayTwoRounds();
  Hand({0, 1});
  table_.Lay(Laying("B.E", {0, -1}, 2));
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

TEST_F(RefereeTest, EdgeMismatchIsToldAndClears) {
  PlayTwoRounds();
  Hand({0, -1});
  table_.Lay(Laying("B.U", {0, -1}, 1));  // a road into the start tile's city
  Look();
  ASSERT_EQ(Codes(), Strings{"edge-mismatch"});
  const Finding finding = referee_.findings().front();
  EXPECT_EQ(finding.severity, Severity::kIllegal);
  EXPECT_EQ(finding.tile, "B.U");
  ASSERT_TRUE(finding.placement.has_value());
  EXPECT_EQ(finding.placement->cell, OnBoard({0, -1}));
  EXPECT_EQ(referee_.game()->turns().size(), 7U);
  const std::size_t events = log_.size();
  for (int i = 0; i < 5; ++i) Look();
  EXPECT_EQ(log_.size(), events) << "told once";
  Hand({0, -1});
  table_.tiles.pop_back();
  table_.Lay(Laying("B.U", {3, 0}, 0));
  Look();
  EXPECT_TRUE(Codes().empty());
  EXPECT_EQ(referee_.game()->turns().size(), 8U);
}

TEST_F(RefereeTest, AFigureOverTheSeamIsOnTheTileThatItWasSetOn) {
  PlayTwoRounds();
  Hand({0, -1});
  table_.Lay(Laying("B.N", {0, -1}, 1));  // its city goes on into the start tile's
  table_.Set("blue", {0, -1}, 0);
  // Its foot is just beyond the seam, on the start tile's half of the city.
  const auto over_the_seam = [&] {
    Sighting look = table_.Look();
    const auto cell_of = [&](const std::string& tile) {
      return std::find_if(
                 look.tiles.begin(), look.tiles.end(),
                 [&](const SightedTile& seen) { return seen.candidates.front().tile == tile; })
          ->cell;
    };
    const Cell from = cell_of("B.N"), to = cell_of("B.D");
    for (SightedFigure& figure : look.figures) {
      if (figure.cell != from) continue;
      figure.cell = to;
      figure.foot = {0.5 - 0.44 * (to.x - from.x), 0.5 - 0.44 * (to.y - from.y)};
    }
    return look;
  };
  Observe(over_the_seam());
  Observe(over_the_seam());
  EXPECT_TRUE(Codes().empty());
  const std::optional<Deployment> claim = referee_.game()->turns().back().deployment;
  ASSERT_TRUE(claim);
  EXPECT_EQ(claim->segment, 0);
  // One that is clearly on another tile is told.
  table_.Take("blue", {0, -1});
  table_.Set("blue", {0, 0}, 1);
  Look();
  Look();
  EXPECT_EQ(Codes(), Strings{"figure-not-on-last-tile"});
}

TEST_F(RefereeTest, OccupiedFeatureIsTold) {
  PlayTwoRounds();
  Play("B.U", {3, 0}, 0, "blue", 0);  // red's road
  EXPECT_EQ(Codes(), Strings{"feature-occupied"});
  EXPECT_FALSE(referee_.game()->turns().back().deployment.has_value());
  Hand({3, 0});
  table_.Take("blue", {3, 0});
  Look();
  EXPECT_TRUE(Codes().empty());
}

TEST_F(RefereeTest, FiguresThatScoredMustGoHome) {
  PlayTwoRounds();
  Play("B.E", {0, -1}, 2, "blue", 0);  // completes the city of two tiles, and is seen
  EXPECT_EQ(Player("blue").score, 4);
  EXPECT_TRUE(Codes().empty()) << "there is time to take it home";
  Play("B.B", {-1, 1}, 0);
  EXPECT_EQ(Codes(), Strings{"figure-not-returned"});
  Hand({0, -1});
  table_.Take("blue", {0, -1});
  Look();
  Look();
  EXPECT_TRUE(Codes().empty());
}

TEST_F(RefereeTest, ClaimUnderTheHandIsConcluded) {
  PlayTwoRounds();
  Hand({0, -1});
  table_.Lay(Laying("B.E", {0, -1}, 2));
  table_.Set("blue", {0, -1}, 0);
  Hand({0, -1});  // nothing of the figure is seen
  table_.Take("blue", {0, -1});
  const std::vector<Event> events = Look();
  ASSERT_FALSE(events.empty());
  const auto* played = std::get_if<TurnPlayed>(&events.front());
  ASSERT_NE(played, nullptr);
  EXPECT_TRUE(played->inferred);
  EXPECT_EQ(Player("blue").score, 4);
  EXPECT_EQ(Player("blue").followers(), 6);
}

TEST_F(RefereeTest, AClaimOfWhoeverItIsSurvivesARestart) {
  Hand({0, -1});
  table_.Lay(Laying("B.E", {0, -1}, 2));
  table_.Set("red", {0, -1}, 0);
  Hand({0, -1});
  table_.Take("red", {0, -1});
  Look();
  ASSERT_TRUE(std::holds_alternative<ClaimPending>(log_.back()));
  auto restored = Referee::Restore(tiles_, log_);
  ASSERT_TRUE(restored.ok()) << restored.status();
  referee_ = *std::move(restored);
  Play("B.U", {1, 0}, 0, "blue", 0);
  Play("B.U", {-1, 0}, 0);
  Play("B.V", {-2, 0}, 2, "red", 1);
  Play("B.U", {2, 0}, 0);
  Play("B.B", {0, 1}, 0, "green", 0);
  Play("B.B", {1, 1}, 0, "red", 0);
  ASSERT_EQ(referee_.game()->turns().size(), 7U);
  ASSERT_GE(referee_.to_move(), 0);
  EXPECT_EQ(ColourOf(referee_.game()->turns().front().player), "red");
  EXPECT_EQ(Player("red").score, 4);
}

TEST_F(RefereeTest, ADoubtfulClaimIsAskedAndTheAnswerApplied) {
  PlayTwoRounds();
  Hand({0, -1});
  table_.Lay(Laying("B.E", {0, -1}, 2));
  Sighting covered = table_.Look(Cell{0, -1});  // a second visit, and nothing of the tile
  std::erase_if(covered.tiles, [&](const SightedTile& tile) {
    return std::find(covered.hidden_cells.begin(), covered.hidden_cells.end(), tile.cell) !=
           covered.hidden_cells.end();
  });
  Observe(covered);
  Look();
  ASSERT_EQ(referee_.questions().size(), 1U);
  const Question question = referee_.questions().front();
  EXPECT_EQ(question.cells, std::vector<Cell>{OnBoard({0, -1})});
  ASSERT_EQ(question.answers.size(), 2U);
  EXPECT_TRUE(question.answers[0].turn.deployment.has_value());
  EXPECT_EQ(Player("blue").score, 4) << "the likelier story is told meanwhile";

  // A restarted referee asks the same.
  auto restored = Referee::Restore(tiles_, log_);
  ASSERT_TRUE(restored.ok()) << restored.status();
  ASSERT_EQ(restored->questions().size(), 1U);
  EXPECT_EQ(restored->questions().front().text, question.text);

  Play("B.B", {-1, 1}, 0);  // play goes on
  EXPECT_TRUE(std::holds_alternative<Refusal>(referee_.Answer(question.id, 2)));
  EXPECT_TRUE(std::holds_alternative<Refusal>(referee_.Answer(question.id + 1, 0)));
  const auto answered = referee_.Answer(question.id, 1);
  ASSERT_TRUE(std::holds_alternative<std::vector<Event>>(answered));
  EXPECT_TRUE(referee_.questions().empty());
  EXPECT_EQ(Player("blue").score, 0);
  EXPECT_EQ(Player("blue").followers(), 6);
  EXPECT_EQ(referee_.game()->turns().size(), 9U);
  Look();
  Look();
  EXPECT_EQ(Player("blue").score, 0) << "a person's word stands";
  EXPECT_TRUE(referee_.questions().empty());
}

TEST_F(RefereeTest, AMisreadColourIsReadAgain) {
  PlayTwoRounds();
  Hand({-1, 1});
  table_.Lay(Laying("B.B", {-1, 1}, 0));
  table_.Set("blue", {-1, 1}, 0);
  Sighting misread = table_.Look();
  for (SightedFigure& figure : misread.figures) {
    if (figure.colours.front().colour == "blue") {
      figure.colours = {{"grey", 0.95}, {"blue", 0.05}};
    }
  }
  Observe(misread);
  for (int i = 0; i < 4; ++i) Look();
  EXPECT_EQ(referee_.game()->players().size(), 3U);
  EXPECT_EQ(ColourOf(referee_.game()->turns().back().player), "blue");
  ASSERT_TRUE(referee_.game()->turns().back().deployment.has_value());
  EXPECT_TRUE(Codes().empty());
}

TEST_F(RefereeTest, TilesBeyondTheBoxAreTold) {
  PlayTwoRounds();
  Play("B.A", {3, 0}, 0);
  Play("B.A", {3, 1}, 2);
  EXPECT_TRUE(Codes().empty());
  Play("B.A", {-3, 0}, 0);  // the box has two
  Look();
  Look();
  EXPECT_EQ(Codes(), Strings{"no-copies-left"});
  Hand({-3, 0});
  table_.tiles.pop_back();
  Look();
  Look();
  Look();
  EXPECT_TRUE(Codes().empty());
}

TEST_F(RefereeTest, WithoutASecondVisitNothingIsConcluded) {
  PlayTwoRounds();
  Play("B.E", {0, -1}, 2);
  EXPECT_EQ(Player("blue").score, 0);
}

TEST_F(RefereeTest, WhereLooksAreMissedAClaimThatNoneShowedIsAskedAbout) {
  misses_ = true;
  PlayTwoRounds();
  Play("B.E", {0, -1}, 2);
  ASSERT_EQ(referee_.questions().size(), 1U);
  const Question question = referee_.questions().front();
  ASSERT_EQ(question.answers.size(), 2U);
  const int no = question.answers[0].turn.deployment ? 1 : 0;
  ASSERT_FALSE(question.answers[static_cast<std::size_t>(no)].turn.deployment.has_value());
  referee_.Answer(question.id, 1 - no);
  EXPECT_EQ(Player("blue").score, 4);
  referee_.CorrectTurn(8, question.answers[static_cast<std::size_t>(no)].turn);
  EXPECT_EQ(Player("blue").score, 0);
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
    table_.Lay(Laying(tile, cell, rotation));
    table_.Set(colour, cell, segment);
  };
  lay("B.E", {-1, 2}, 2, "red", 0);
  lay("B.E", {2, 2}, 2, "green", 0);
  lay("B.E", {3, 1}, 1, "blue", 0);
  lay("B.E", {1, 2}, 2, "yellow", 0);
  table_.Lay(Laying("B.U", {3, 0}, 0));
  table_.Lay(Laying("B.U", {-2, 0}, 0));
  Look();
  Look();
  EXPECT_EQ(Codes(), Strings{});
  ASSERT_EQ(referee_.game()->turns().size(), 14U);
  const Strings order = {"yellow", "red", "green", "blue"};
  for (std::size_t i = 0; i < 14; ++i) {
    EXPECT_EQ(ColourOf(referee_.game()->turns()[i].player), order[i % 4]) << "turn " << i + 1;
  }
}

TEST_F(RefereeTest, FigureTakenEarlyIsToldAndClears) {
  PlayTwoRounds();
  Hand({1, 0});
  table_.Take("red", {1, 0});
  Look();
  Look();
  EXPECT_EQ(Codes(), Strings{"figure-taken-early"});
  Hand({1, 0});
  table_.Set("red", {1, 0}, 0);
  Look();
  EXPECT_TRUE(Codes().empty());
}

TEST_F(RefereeTest, ATileTurnedByFingersBesideItIsToldInTwoLooks) {
  PlayTwoRounds();
  Hand({1, 2});  // over the tile south of it
  table_.tiles[1].rotation = (table_.tiles[1].rotation + 1) % 4;
  Look();
  Look();
  EXPECT_EQ(Codes(), Strings{"tile-turned"});
}

TEST_F(RefereeTest, TileMovedIsToldAndNoTurn) {
  PlayTwoRounds();
  Hand({0, 1});
  table_.Take("blue", {0, 1});
  table_.TileAt({0, 1})->cell = {3, 1};
  Look();
  Look();
  EXPECT_EQ(referee_.game()->turns().size(), 7U);
  const Strings codes = Codes();
  EXPECT_EQ(std::count(codes.begin(), codes.end(), "tile-moved"), 1);
}

TEST_F(RefereeTest, TwoLooksAtAMistakeNeedNotSeeTheSameOfIt) {
  PlayTwoRounds();
  Hand({2, 0});
  const auto found = std::find_if(table_.tiles.begin(), table_.tiles.end(), [](const auto& tile) {
    return tile.cell == Cell{2, 0};
  });
  ASSERT_NE(found, table_.tiles.end());
  SimulatedTable::Tile tile = *found;
  table_.tiles.erase(found);
  Look();  // misses the tile where it lies now
  EXPECT_EQ(Codes(), Strings{});
  tile.cell = {4, 1};
  table_.tiles.push_back(tile);
  Look();
  EXPECT_EQ(Codes(), Strings{"tile-moved"});
}

TEST_F(RefereeTest, ALastTileThatALookMissesIsNotTheNextOneOfItsType) {
  PlayTwoRounds();  // the last one is a B.B, with red's figure
  Hand({-1, 1});
  const SimulatedTable::Tile last = table_.tiles.back();
  const SimulatedTable::Figure figure = table_.figures.back();
  table_.tiles.pop_back();
  table_.figures.pop_back();
  table_.Lay(Laying("B.B", {-1, 1}, 0));
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

TEST_F(RefereeTest, ATileBesideTheBoardCountsFromItsFirstLook) {
  PlayTwoRounds();
  Hand({6, 0});
  table_.tiles.push_back({{6, 0}, tiles_->Find("B.D"), 0});
  Sighting doubtful = table_.Look();
  for (SightedTile& tile : doubtful.tiles) {
    if (tile.candidates.front().tile == "B.D" && tile.cell != doubtful.tiles.front().cell) {
      tile.candidates.front().probability = 0.6;
    }
  }
  Observe(doubtful);
  Play("B.B", {-1, 1}, 0);  // the next tile: the other one is set aside
  Look();
  EXPECT_EQ(Codes(), Strings{"tile-fits"});
}

TEST_F(RefereeTest, TwoTilesOfOnePlayerAreTold) {
  PlayTwoRounds();
  Play("B.B", {-1, 1}, 0);             // blue's turn, without a figure
  Play("B.E", {-2, 1}, 3, "blue", 0);  // and again
  // In one look of a thousand a figure is seen in another colour: whoever were
  // accused on one look would be accused falsely in one game of twenty.
  EXPECT_TRUE(Codes().empty());
  Look();
  EXPECT_EQ(Codes(), Strings{"two-tiles"}) << "told at the second look";
  Hand({-2, 1});
  table_.Take("blue", {-2, 1});
  table_.tiles.pop_back();
  Look();
  Look();
  EXPECT_TRUE(Codes().empty());
  EXPECT_EQ(referee_.game()->turns().size(), 8U);
}

TEST_F(RefereeTest, HiddenCellsConcludeNothing) {
  PlayTwoRounds();
  const std::size_t events = log_.size();
  table_.figures.clear();
  Sighting covered = table_.Look();
  covered.hidden_cells.clear();
  for (const SightedTile& tile : covered.tiles) covered.hidden_cells.push_back(tile.cell);
  for (int i = 0; i < 5; ++i) {
    covered.sequence += 1;
    Observe(covered);
  }
  EXPECT_EQ(log_.size(), events);
}

TEST_F(RefereeTest, RestoreIsTheSameAfterEveryEvent) {
  PlayTwoRounds();
  Play("B.U", {0, -1}, 1);  // left lying against the rules
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
