// Games that others have begun, on a table without noise.
#include <algorithm>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "engine/notation/notation.h"
#include "engine/referee/referee.h"
#include "gtest/gtest.h"
#include "tests/engine/referee/simulated_table.h"

namespace tilewarden::engine {
namespace {

// A road through the start tile with red on it, blue in a monastery.
class RefereeJoinTest : public testing::Test {
 protected:
  RefereeJoinTest() : tiles_(*TileSet::Load("base.c1")), table_(tiles_, NoErrors(), 1) {
    table_.tiles.push_back({{0, 0}, tiles_->start_tile(), 0});
    table_.Lay("B.U", {1, 0}, 0);
    table_.Lay("B.U", {-1, 0}, 0);
    table_.Lay("B.B", {0, 1}, 0);
    table_.Set("red", {1, 0}, 0);
    table_.Set("blue", {0, 1}, 0);
  }

  void Join(std::vector<std::string> colours = {}, const Rules& rules = *Rules::Preset("c1")) {
    referee_.emplace(*Referee::Join(tiles_, rules, std::move(colours), &log_));
    Look();
  }
  void Note(const std::vector<Event>& events) {
    log_.insert(log_.end(), events.begin(), events.end());
  }
  void Look() { Note(referee_->Observe(table_.Look())); }
  void Hand(Cell cell) { Note(referee_->Observe(table_.Look(cell))); }
  void Play(const std::string& tile, Cell cell, int rotation, const std::string& colour = "",
            int segment = 0) {
    Hand(cell);
    table_.Lay(tile, cell, rotation);
    if (!colour.empty()) table_.Set(colour, cell, segment);
    Look();
  }
  const Game& game() const { return *referee_->game(); }
  // The board lies as the camera saw it first.
  Cell OnBoard(Cell cell) const {
    for (int i = 0; i < game().TileAt({})->rotation; ++i) cell = {-cell.y, cell.x};
    return cell;
  }
  std::vector<std::string> Codes() const {
    std::vector<std::string> codes;
    for (const Finding& finding : referee_->findings()) codes.push_back(finding.code);
    return codes;
  }
  int PlayerOf(const std::string& colour) const {
    for (std::size_t i = 0; i < game().players().size(); ++i) {
      if (game().players()[i].colour == colour) return static_cast<int>(i);
    }
    return -1;
  }
  int ScoreOf(const std::string& colour) const {
    return game().players()[static_cast<std::size_t>(PlayerOf(colour))].score;
  }
  std::string Standing(Cell cell) const {
    for (const PlacedFigure& figure : game().Figures()) {
      if (figure.cell != OnBoard(cell)) continue;
      return game().players()[static_cast<std::size_t>(figure.player)].colour;
    }
    return "";
  }
  using Strings = std::vector<std::string>;

  std::shared_ptr<const TileSet> tiles_;
  SimulatedTable table_;
  std::vector<Event> log_;
  std::optional<Referee> referee_;
};

TEST_F(RefereeJoinTest, TheBoardIsTakenAsItLiesOnceTwoLooksAgree) {
  Join();
  EXPECT_EQ(referee_->game(), nullptr) << "one look is not enough";
  Look();
  ASSERT_NE(referee_->game(), nullptr);
  EXPECT_EQ(game().PlacedTiles().size(), 4U);
  EXPECT_TRUE(game().turns().empty());
  EXPECT_EQ(game().players().size(), 2U);
  EXPECT_EQ(Standing({1, 0}), "red");
  EXPECT_EQ(Standing({0, 1}), "blue");
  EXPECT_EQ(referee_->to_move(), -1) << "nobody saw who laid the last tile";
  EXPECT_TRUE(Codes().empty());
}

TEST_F(RefereeJoinTest, AHandThatComesFirstGoesOnFromWhatWasSeen) {
  Join();
  Play("B.A", {2, 0}, 0);
  ASSERT_NE(referee_->game(), nullptr);
  EXPECT_EQ(game().Found().size(), 4U);
  EXPECT_EQ(game().turns().size(), 1U);
}

TEST_F(RefereeJoinTest, PointsSoFarAreAskedAndStandBesideTheTurns) {
  Join();
  Look();
  ASSERT_EQ(referee_->questions().size(), 1U);
  const Question question = referee_->questions().front();
  EXPECT_TRUE(question.points_so_far);
  Note(std::get<std::vector<Event>>(referee_->ChangePoints("red", 14, "so far")));
  Look();
  EXPECT_EQ(referee_->questions().size(), 1U) << "blue's are missing still";
  Note(std::get<std::vector<Event>>(referee_->Answer(question.id, 0)));
  EXPECT_TRUE(referee_->questions().empty());
  ASSERT_EQ(referee_->points_by_hand().size(), 1U);
  EXPECT_EQ(referee_->points_by_hand()[0].turn, 0);
}

TEST_F(RefereeJoinTest, PlayGoesOnWithTheFiguresThatWereFound) {
  Join();
  Look();
  Play("B.A", {2, 0}, 0);
  Play("B.A", {-2, 0}, 2, "green", 0);
  EXPECT_EQ(ScoreOf("red"), 5) << "the road is complete";
  table_.Take("red", {1, 0});
  Hand({1, 0});
  Look();
  EXPECT_EQ(Standing({1, 0}), "");
  EXPECT_NE(PlayerOf("green"), -1) << "who had no figure on the board joins with the first one";
  EXPECT_TRUE(Codes().empty());
}

// It stood there before any turn that the game knows.
TEST_F(RefereeJoinTest, WhoLeavesAMonasteryInWhichHeWasFoundIsNotTakenForAnAbbot) {
  Rules rules = *Rules::Preset("c1");
  rules.abbot = true;
  Join({}, rules);
  Look();
  Hand({2, 0});
  table_.Lay("B.U", {2, 0}, 0);
  Hand({0, 1});
  std::erase_if(table_.figures, [](const auto& figure) { return figure.colour == "blue"; });
  for (int i = 0; i < 3; ++i) Look();
  EXPECT_EQ(game().TileAt(OnBoard({0, 1}))->turn, 0);
  for (const Question& question : referee_->questions()) {
    EXPECT_FALSE(question.text.starts_with("Did blue call")) << question.text;
  }
}

TEST_F(RefereeJoinTest, AScoredFigureThatStandsThereStillIsTold) {
  table_.Lay("B.E", {0, -1}, 2);
  table_.Set("red", {0, -1}, 0);
  Join();
  Look();
  Look();
  EXPECT_EQ(Standing({0, -1}), "") << "its city was complete before";
  EXPECT_EQ(Codes(), Strings{"figure-not-returned"});
  table_.Take("red", {0, -1});
  Hand({0, -1});
  Look();
  Look();
  EXPECT_TRUE(Codes().empty());
}

TEST_F(RefereeJoinTest, OfPlayersWhoWereToldTheFirstFigureTellsWhoIsNext) {
  Join({"blue", "green", "red"});
  Look();
  EXPECT_EQ(referee_->to_move(), -1);
  Play("B.V", {-2, 0}, 2, "green", 1);
  EXPECT_EQ(referee_->to_move(), PlayerOf("red"));
}

TEST_F(RefereeJoinTest, WhatWasFoundCanBePutRight) {
  Join();
  Look();
  Turn tile = game().Found()[0];
  for (const Turn& found : game().Found()) {
    if (found.cell == OnBoard({0, 1})) tile = found;
  }
  tile.player = PlayerOf("red");
  Note(std::get<std::vector<Event>>(referee_->CorrectTurn(0, tile)));
  EXPECT_EQ(Standing({0, 1}), "red");
  Look();
  Look();
  EXPECT_EQ(Standing({0, 1}), "red") << "the camera does not contradict a person";
  EXPECT_TRUE(Codes().empty());
  tile.cell = {7, 7};
  EXPECT_TRUE(std::holds_alternative<Refusal>(referee_->CorrectTurn(0, tile)));
}

TEST_F(RefereeJoinTest, TheLogAndTheNotationTellTheSameGame) {
  Join();
  Look();
  Play("B.A", {2, 0}, 0);
  Play("B.A", {-2, 0}, 2, "green", 0);
  const auto restored = Referee::Restore(tiles_, log_);
  ASSERT_TRUE(restored.ok()) << restored.status();
  EXPECT_EQ(restored->game()->Found(), game().Found());
  EXPECT_EQ(restored->game()->Figures(), game().Figures());
  EXPECT_EQ(restored->game()->players(), game().players());

  const std::string text = PrintNotation(RecordOf(game()));
  EXPECT_NE(text.find("found B.U "), std::string::npos) << text;
  const auto record = ParseNotation(text);
  ASSERT_TRUE(record.ok()) << record.status();
  EXPECT_EQ(PrintNotation(*record), text);
  const auto replayed = Replay(*record);
  ASSERT_TRUE(replayed.ok()) << replayed.status();
  EXPECT_EQ(replayed->players(), game().players());
}

TEST_F(RefereeJoinTest, ABoardThatCannotBeIsRefused) {
  Join();
  Look();
  BoardFound board{{"red", "blue"}, game().Found(), "", std::nullopt};
  board.tiles[1].cell = board.tiles[0].cell;
  EXPECT_FALSE(referee_->Fold(board).ok()) << "two tiles on one cell";
  board = {{"blue"}, game().Found(), "", std::nullopt};
  EXPECT_FALSE(referee_->Fold(board).ok()) << "a player is gone";
  EXPECT_EQ(game().PlacedTiles().size(), 4U);
}

TEST(RefereeJoin, NotWithFiguresWhoseWaysNobodySaw) {
  const auto tiles = *TileSet::Load("ark");
  std::vector<Event> log;
  const auto ark = Referee::Join(tiles, *Rules::Preset("ark-1"), {}, &log);
  EXPECT_EQ(ark.status().code(), absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace tilewarden::engine
