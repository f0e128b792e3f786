// A river's tile on the table of a game without a river: people are asked once whether they play
// with one.
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "engine/referee/referee.h"
#include "gtest/gtest.h"
#include "tests/engine/referee/simulated_table.h"

namespace tilewarden::engine {
namespace {

using Strings = std::vector<std::string>;

class PlayedWithRiverTest : public testing::Test {
 protected:
  // What lies on the table, and what the game is said to be played with.
  explicit PlayedWithRiverTest(const std::string& lies = "base.c1+river1.c1",
                               const std::string& told = "base.c1",
                               const std::string& preset = "c1")
      : told_(*TileSet::Load(told)),
        table_(*TileSet::Load(lies), NoErrors(), 1),
        referee_(*Referee::Create(told_, *Rules::Preset(preset), {}, false, &log_)) {}

  void Take(std::vector<Event> events) { log_.insert(log_.end(), events.begin(), events.end()); }
  // What the camera was told to expect it names; of other tiles it says besides what they are.
  Sighting Seen(Sighting sighting) const {
    for (SightedTile& tile : sighting.tiles) {
      std::vector<TileCandidate> named;
      for (const TileCandidate& candidate : std::exchange(tile.candidates, {})) {
        const bool expected = packed_ || referee_.tile_set()->Find(candidate.tile) >= 0;
        (expected ? named : tile.unexpected).push_back(candidate);
      }
      for (TileCandidate& candidate : tile.unexpected) candidate.probability *= sure_;
      tile.candidates = std::move(named);
    }
    return sighting;
  }
  void Look() { Take(referee_.Observe(Seen(table_.Look()))); }
  void Looks(int n) {
    for (int i = 0; i < n; ++i) Look();
  }
  void Play(const std::string& tile, Cell cell, int rotation) {
    Take(referee_.Observe(Seen(table_.Look(cell))));
    table_.Lay(tile, cell, rotation);
    Look();
  }
  Strings Answers() const {
    Strings texts;
    for (const Question& question : referee_.questions()) {
      for (const Question::Answer& answer : question.answers) texts.push_back(answer.text);
    }
    return texts;
  }
  void Answer(const std::string& text) {
    ASSERT_EQ(referee_.questions().size(), 1U);
    const Question question = referee_.questions().front();
    const auto found = std::find_if(question.answers.begin(), question.answers.end(),
                                    [&](const Question::Answer& a) { return a.text == text; });
    ASSERT_NE(found, question.answers.end());
    auto judged = referee_.Answer(question.id, static_cast<int>(found - question.answers.begin()));
    ASSERT_TRUE(std::holds_alternative<std::vector<Event>>(judged));
    Take(std::get<std::vector<Event>>(std::move(judged)));
  }
  void Undo() { Take(referee_.UndoTurn()); }
  std::string TypeOn(Cell cell) const {
    const PlacedTile* laid = referee_.game() ? referee_.game()->TileAt(cell) : nullptr;
    if (laid == nullptr) return "none";
    return referee_.tile_set()->types()[static_cast<std::size_t>(laid->tile)].id;
  }
  Strings Codes() const {
    Strings codes;
    for (const Finding& finding : referee_.findings()) codes.push_back(finding.code);
    return codes;
  }
  // A restarted referee agrees, and goes on.
  void Restart() {
    auto again = Referee::Restore(told_, log_);
    ASSERT_TRUE(again.ok()) << again.status();
    EXPECT_EQ(again->tile_set()->id(), referee_.tile_set()->id());
    EXPECT_EQ(again->undo_river(), referee_.undo_river());
    EXPECT_EQ(again->questions().size(), referee_.questions().size());
    ASSERT_EQ(again->game() != nullptr, referee_.game() != nullptr);
    if (again->game() != nullptr) {
      EXPECT_EQ(again->game()->turns(), referee_.game()->turns());
    }
    referee_ = *std::move(again);
  }
  void TheSpringLiesThere() {
    table_.Lay("R.spring", {0, 0}, 0);
    Looks(3);
  }
  // Each where it may go on from the spring.
  void LayRiver(const Strings& tiles) {
    Game laid(*TileSet::Load("base.c1+river1.c1"), *Rules::Preset("c1"), {"red"}, 0);
    for (const std::string& tile : tiles) {
      Turn turn;
      turn.player = 0;
      turn.tile = laid.tile_set().Find(tile);
      const std::vector<Placement> places = laid.LegalPlacements(turn.tile);
      ASSERT_FALSE(places.empty()) << tile;
      turn.cell = places.front().cell;
      turn.rotation = places.front().rotation;
      ASSERT_TRUE(laid.Apply(turn).has_value()) << tile;
      Play(tile, turn.cell, turn.rotation);
    }
  }
  static constexpr auto kRiver = "Yes: The River";

  std::shared_ptr<const TileSet> told_;
  SimulatedTable table_;
  std::vector<Event> log_;
  Referee referee_;
  bool packed_ = false;  // the camera's pack holds the river
  double sure_ = 1;
};

TEST_F(PlayedWithRiverTest, ASpringInAGameWithoutARiverIsAskedAboutOnce) {
  table_.Lay("R.spring", {0, 0}, 0);
  Looks(2);
  EXPECT_TRUE(referee_.questions().empty()) << "two looks are few";
  Look();
  ASSERT_EQ(referee_.questions().size(), 1U);
  EXPECT_EQ(referee_.questions().front().text, "I see a river tile. Are you playing with a river?");
  EXPECT_EQ(Answers(), (Strings{"Yes: The River", "Yes: The River II",
                                "Yes: The River and The River II", "No"}));
  EXPECT_TRUE(referee_.questions().front().OfARiver());
  EXPECT_FALSE(referee_.questions().front().OfATurn());
  Looks(5);
  EXPECT_EQ(referee_.questions().size(), 1U);
  EXPECT_EQ(referee_.game(), nullptr);
  Restart();
  Looks(5);
  EXPECT_EQ(referee_.questions().size(), 1U);
}

TEST_F(PlayedWithRiverTest, APackThatHoldsTheRiverNamesItAtOnce) {
  packed_ = true;
  TheSpringLiesThere();
  EXPECT_EQ(referee_.questions().size(), 1U);
}

TEST_F(PlayedWithRiverTest, OnlyRiversThatHaveWhatWasSeenAreOffered) {
  table_.Lay("R.spring", {0, 0}, 0);
  table_.Lay("R1.B", {0, 1}, 0);
  Looks(3);
  EXPECT_EQ(Answers(), (Strings{"Yes: The River", "Yes: The River and The River II", "No"}));
}

TEST_F(PlayedWithRiverTest, WhatIsNotClearlyARiverIsNotAskedAbout) {
  sure_ = 0.9;
  TheSpringLiesThere();
  Looks(5);
  EXPECT_TRUE(referee_.questions().empty()) << "no look was sure";
  sure_ = 1;
  Looks(2);
  sure_ = 0.9;
  Look();
  sure_ = 1;
  Looks(2);
  EXPECT_TRUE(referee_.questions().empty()) << "the looks disagree";
}

TEST_F(PlayedWithRiverTest, YesChangesTheTilesAndTheGameBeginsWithTheSpring) {
  TheSpringLiesThere();
  Answer(kRiver);
  EXPECT_EQ(referee_.tile_set()->id(), "base.c1+river1.c1");
  EXPECT_TRUE(referee_.questions().empty());
  EXPECT_TRUE(referee_.undo_river());
  Restart();
  Look();
  EXPECT_EQ(TypeOn({0, 0}), "R.spring");
  Restart();
  LayRiver({"R1.D", "R1.E"});
  EXPECT_EQ(referee_.game()->turns().size(), 2U);
  EXPECT_FALSE(referee_.undo_river()) << "first the turns since";
  EXPECT_EQ(Codes(), Strings{});
  Restart();
}

TEST_F(PlayedWithRiverTest, AWholeRiverThatWasLaidBeforeTheAnswerIsTakenDown) {
  TheSpringLiesThere();
  LayRiver({"R1.B", "R1.C", "R1.D", "R1.E", "R1.F", "R1.G", "R1.H", "R1.I", "R1.J", "R1.K"});
  ASSERT_EQ(referee_.game(), nullptr);
  Answer("Yes: The River");
  Looks(9);
  ASSERT_NE(referee_.game(), nullptr);
  EXPECT_EQ(referee_.game()->turns().size(), 10U);
  Restart();
}

TEST_F(PlayedWithRiverTest, TheAnswerIsTakenBackAndAskedAgain) {
  TheSpringLiesThere();
  Answer(kRiver);
  Look();
  ASSERT_EQ(TypeOn({0, 0}), "R.spring");
  Undo();
  EXPECT_EQ(referee_.tile_set()->id(), "base.c1");
  EXPECT_EQ(referee_.game(), nullptr);
  ASSERT_EQ(referee_.questions().size(), 1U);
  EXPECT_FALSE(referee_.undo_river());
  Restart();
  Answer("Yes: The River II");
  EXPECT_EQ(referee_.tile_set()->id(), "base.c1+river2.c1");
  Restart();
  Undo();
  Answer("No");
  EXPECT_EQ(referee_.tile_set()->id(), "base.c1");
  Restart();
}

TEST_F(PlayedWithRiverTest, NoIsRememberedAndTheGameBeginsWithItsOwnStartTile) {
  TheSpringLiesThere();
  Answer("No");
  EXPECT_FALSE(referee_.undo_river());
  Looks(5);
  EXPECT_TRUE(referee_.questions().empty());
  table_.Lay("B.D", {5, 5}, 0);
  Look();
  EXPECT_EQ(TypeOn({0, 0}), "B.D");
  Restart();
  Play("B.U", {6, 5}, 0);
  Looks(5);
  EXPECT_TRUE(referee_.questions().empty());
  EXPECT_EQ(referee_.game()->turns().size(), 1U);
  EXPECT_EQ(Codes(), Strings{}) << "they know that it lies there";
}

TEST_F(PlayedWithRiverTest, AStartTileThatWasSeenFirstIsNoHindrance) {
  table_.Lay("B.D", {0, 0}, 0);
  Look();
  ASSERT_EQ(TypeOn({0, 0}), "B.D");
  table_.tiles.clear();
  TheSpringLiesThere();
  Answer(kRiver);
  EXPECT_EQ(referee_.game(), nullptr);
  Restart();
  Look();
  EXPECT_EQ(TypeOn({0, 0}), "R.spring");
}

TEST_F(PlayedWithRiverTest, OnceTurnsWerePlayedANoteSaysWhatToDo) {
  table_.Lay("B.D", {0, 0}, 0);
  Look();
  Play("B.U", {1, 0}, 0);
  table_.Lay("R1.D", {4, 4}, 0);
  Looks(4);
  EXPECT_TRUE(referee_.questions().empty());
  EXPECT_EQ(Codes(), Strings{"river-not-played"});
  EXPECT_EQ(referee_.findings().front().severity, Severity::kNote);
  table_.tiles.pop_back();
  Looks(4);
  EXPECT_EQ(Codes(), Strings{});
}

class PlayedWithRiverOfC3Test : public PlayedWithRiverTest {
 protected:
  PlayedWithRiverOfC3Test() : PlayedWithRiverTest("base.c2+river1.c3", "base.c2", "c3") {}
};

TEST_F(PlayedWithRiverOfC3Test, ItsSpringTellsWhichRiverItIs) {
  table_.Lay("R1c3.A", {0, 0}, 0);
  Looks(3);
  EXPECT_EQ(Answers(), (Strings{"Yes: The River (third edition)", "No"}));
}

class PlayedWithItsRiverTest : public PlayedWithRiverTest {
 protected:
  PlayedWithItsRiverTest() : PlayedWithRiverTest("base.c1+river1.c1", "base.c1+river1.c1") {}
};

TEST_F(PlayedWithItsRiverTest, AGameWithARiverAsksNothing) {
  TheSpringLiesThere();
  Looks(5);
  EXPECT_TRUE(referee_.questions().empty());
  EXPECT_EQ(TypeOn({0, 0}), "R.spring");
}

}  // namespace
}  // namespace tilewarden::engine
