// Abbots and the Gingerbread Man, where looks take them for others or do not show them at all, and
// what hands did before the board was read for the first time.
#include <string>
#include <variant>
#include <vector>

#include "gmock/gmock.h"
#include "tests/engine/referee/referee_fixture.h"

namespace tilewarden::engine {
namespace {

Rules WithAbbots() {
  Rules rules = *Rules::Preset("c2");
  rules.abbot = true;
  return rules;
}

Rules OneFollowerAndAnAbbot() {
  Rules rules = WithAbbots();
  rules.followers = 1;
  return rules;
}

Rules WithGingerbreadMan() {
  Rules rules = *Rules::Preset("winter");
  rules.gingerbread = true;
  return rules;
}

class AbbotTest : public RefereeTest {
 protected:
  AbbotTest() : RefereeTest("base.c2", WithAbbots()) {}
  void LooksLike(FigureKind kind) {
    for (SimulatedTable::Figure& figure : table_.figures) figure.kind = kind;
  }
  FigureKind KindInGame() const { return referee_.game()->Figures().front().kind; }
  // Looks find the only figure an abbot with this probability.
  void LooksLikeAnAbbotBy(double probability) {
    for (SimulatedTable::Figure& figure : table_.figures) {
      figure.kinds = {{FigureKind::kFollower, 1 - probability}, {FigureKind::kAbbot, probability}};
    }
  }
  // Red's abbot is lost beside blue's tile, and nobody was over him alone.
  void PlayAnAbbotWhomLooksMiss() {
    Hand({0, 1});
    table_.Lay("B.B", {0, 1}, 0);
    table_.Set("red", {0, 1}, 0, FigureKind::kAbbot);
    Hand({0, 1});
    Look();
    ASSERT_EQ(KindInGame(), FigureKind::kAbbot);
    Play("B.U", {1, 0}, 0, "blue", 0);
    Play("B.U", {-1, 0}, 0, "red", 1);
    Unsee("red", {0, 1});
    Play("B.B", {1, 1}, 0);
    Look();
  }
};

class OneFollowerTest : public RefereeTest {
 protected:
  OneFollowerTest() : RefereeTest("base.c2", OneFollowerAndAnAbbot()) {}
};

class GingerbreadTest : public RefereeTest {
 protected:
  GingerbreadTest() : RefereeTest("winter+gingerbread", WithGingerbreadMan()) {}
};

class ArkTest : public RefereeTest {
 protected:
  ArkTest() : RefereeTest("ark", *Rules::Preset("ark-de")) {}
  // The figure on this cell is seen as one of this kind.
  void LooksLike(Cell cell, FigureKind kind) {
    for (SimulatedTable::Figure& figure : table_.figures) {
      if (figure.cell == cell) figure.kind = kind;
    }
  }
};

class SecondArkTest : public RefereeTest {
 protected:
  SecondArkTest() : RefereeTest("ark", *Rules::Preset("ark-2")) {}
  // Hidden: no look shows it there.
  void MoveArk(Cell cell, bool hidden = false) {
    table_.MoveNeutral(FigureKind::kArk, Place{cell, 0});
    for (SimulatedTable::Figure& figure : table_.figures) {
      if (figure.kind == FigureKind::kArk) figure.unseen = hidden;
    }
  }
  // On the start tile, whose city the first turn completes.
  void EnterArk() {
    Hand({0, -1});
    table_.Lay("A.cfff.1", {0, -1}, 2);
    MoveArk({0, 0});
    Look();
  }
  void LayAndMoveArk(const std::string& tile, Cell cell, Cell to) {
    Hand(cell);
    table_.Lay(tile, cell, 0);
    MoveArk(to);
    Look();
  }
  const Strings kStraightRoads = {"A.frfr.1", "A.frfr.2", "A.frfr.3", "A.frfr.4", "A.frfr.5"};
};

Rules WithBuilders() {
  Rules rules = *Rules::Preset("c1");
  rules.builders = rules.pigs = 1;
  return rules;
}

Rules WithLargeFollowers() {
  Rules rules = *Rules::Preset("c1");
  rules.large_followers = 1;
  return rules;
}

class BuilderTest : public RefereeTest {
 protected:
  BuilderTest() : RefereeTest("base.c1+traders.c1", WithBuilders()) {}
};

class LargeFollowerTest : public RefereeTest {
 protected:
  LargeFollowerTest() : RefereeTest("base.c1+inns.c1", WithLargeFollowers()) {}
  // Before the next look.
  void SetLarge(Cell cell, bool looks_large) {
    for (SimulatedTable::Figure& figure : table_.figures) {
      if (figure.cell != cell) continue;
      figure.kind = looks_large ? FigureKind::kLargeFollower : FigureKind::kFollower;
    }
  }
};

// The camera takes builders and pigs for followers.
TEST_F(BuilderTest, AFigureOnItsOwnersRoadIsTheBuilderAndBringsASecondTurn) {
  Play("B.U", {1, 0}, 0, "red", 0);
  Play("B.V", {-1, 0}, 2, "blue", 1);
  Play("B.U", {2, 0}, 0, "red", 0);
  ASSERT_TRUE(TurnOn({2, 0}).deployment);
  EXPECT_EQ(TurnOn({2, 0}).deployment->kind, FigureKind::kBuilder);
  Looks(6);
  EXPECT_EQ(TurnOn({2, 0}).deployment->kind, FigureKind::kBuilder);
  Play("B.B", {0, 1}, 0, "blue", 0);
  Play("B.U", {3, 0}, 0);            // red's builder's road grows
  Play("B.B", {1, 1}, 0, "red", 0);  // so it is red's turn once more
  Play("B.B", {2, 1}, 0, "blue", 0);
  Looks(3);
  EXPECT_EQ(ColourOf(TurnOn({3, 0}).player), "red");
  EXPECT_EQ(Codes(), Strings{});
  EXPECT_TRUE(referee_.questions().empty());
}

TEST_F(BuilderTest, AFigureSeenLaterMakesOneThatWasSetSinceTheBuilder) {
  Play("B.V", {-1, 0}, 2, "blue", 1);
  Play("B.B", {0, 1}, 0, "red", 0);
  Play("B.B", {0, 2}, 0, "blue", 0);
  PlayUnseen("B.U", {1, 0}, 0);  // red's follower on the road
  Play("B.B", {0, 3}, 0);
  Play("B.U", {2, 0}, 0, "red", 0);
  ASSERT_EQ(TurnOn({2, 0}).deployment->kind, FigureKind::kFollower);
  table_.Set("red", {1, 0}, 0);  // it stood there all along
  Looks(2);
  EXPECT_EQ(Codes(), Strings{});
  EXPECT_TRUE(TurnOn({1, 0}).deployment);
  EXPECT_EQ(TurnOn({2, 0}).deployment->kind, FigureKind::kBuilder);
}

TEST_F(BuilderTest, AFigureOnItsOwnersFieldIsThePig) {
  Play("B.U", {1, 0}, 0, "red", 1);
  Play("B.V", {-1, 0}, 2, "blue", 0);
  Play("B.U", {2, 0}, 0, "red", 1);
  ASSERT_TRUE(TurnOn({2, 0}).deployment);
  EXPECT_EQ(TurnOn({2, 0}).deployment->kind, FigureKind::kPig);
  Looks(4);
  EXPECT_EQ(Codes(), Strings{});
}

TEST_F(BuilderTest, AFigureOnAnothersRoadIsFlagged) {
  Play("B.U", {1, 0}, 0, "red", 0);
  Play("B.U", {2, 0}, 0, "blue", 0);
  Looks(2);
  EXPECT_EQ(Codes(), Strings{"feature-occupied"});
}

TEST_F(BuilderTest, ASecondBuilderIsFlagged) {
  Play("B.U", {1, 0}, 0, "red", 0);
  Play("B.V", {-1, 0}, 2, "blue", 1);
  Play("B.U", {2, 0}, 0, "red", 0);
  Play("B.B", {0, 1}, 0, "blue", 0);
  Play("B.U", {3, 0}, 0, "red", 0);
  Looks(2);
  EXPECT_EQ(Codes(), Strings{"feature-occupied"});
}

TEST_F(LargeFollowerTest, WhatLooksLikeASecondOneIsAFollower) {
  for (const Cell cell : {Cell{1, 0}, Cell{0, 1}}) {
    Hand(cell);
    table_.Lay(cell.x == 1 ? "B.U" : "B.B", cell, 0);
    table_.Set("red", cell, 0, FigureKind::kLargeFollower);
    Hand(cell);
    Look();
    if (cell.x == 1) Play("B.V", {-1, 0}, 2, "blue", 1);
  }
  EXPECT_EQ(TurnOn({1, 0}).deployment->kind, FigureKind::kLargeFollower);
  EXPECT_EQ(TurnOn({0, 1}).deployment->kind, FigureKind::kFollower);
  EXPECT_EQ(Codes(), Strings{});
  // More looks tell which one it was.
  SetLarge({1, 0}, false);
  Looks(6);
  EXPECT_EQ(TurnOn({1, 0}).deployment->kind, FigureKind::kFollower);
  EXPECT_EQ(TurnOn({0, 1}).deployment->kind, FigureKind::kLargeFollower);
  EXPECT_EQ(Codes(), Strings{});
}

TEST_F(AbbotTest, AFigureIsOfTheKindThatMostLooksTookItFor) {
  Play("B.B", {0, 1}, 0, "red", 0);
  ASSERT_EQ(KindInGame(), FigureKind::kFollower);
  LooksLike(FigureKind::kAbbot);
  Look();
  EXPECT_EQ(KindInGame(), FigureKind::kFollower);  // one look against another
  Looks(3);
  EXPECT_EQ(KindInGame(), FigureKind::kAbbot);
  EXPECT_EQ(Reasons().back(), "the figure's kind was read better");
  EXPECT_EQ(Codes(), Strings{});
}

TEST_F(AbbotTest, WhetherHeIsAnAbbotIsNotAskedOnAMonasteryButToldByHisLeaving) {
  Play("B.B", {0, 1}, 0, "red", 0);
  LooksLikeAnAbbotBy(0.45);
  Looks(5);
  EXPECT_EQ(KindInGame(), FigureKind::kFollower);
  Play("B.U", {1, 0}, 0, "blue", 0);
  Play("B.U", {-1, 0}, 0);  // red
  Hand({0, 1});
  std::erase_if(table_.figures, [](const auto& figure) { return figure.colour == "red"; });
  Looks(3);
  EXPECT_EQ(TurnOn({0, 1}).deployment->kind, FigureKind::kAbbot);
  EXPECT_EQ(TurnOn({-1, 0}).recall, OnBoard({0, 1}));
  EXPECT_TRUE(referee_.questions().empty());
  EXPECT_EQ(Codes(), Strings{});
}

TEST_F(AbbotTest, BeforeTheOrderIsKnownHeIsCalledHomeInTheTurnInWhichHeLeft) {
  Play("B.B", {0, 1}, 0, "red", 0);
  LooksLikeAnAbbotBy(0.45);
  Play("B.U", {1, 0}, 0, "blue", 0);
  Play("B.U", {-1, 0}, 0);  // a third player's, whom nobody has seen
  Hand({-2, 0});
  table_.Lay("B.U", {-2, 0}, 0);  // red, in the very look in which he is gone
  Hand({0, 1});
  std::erase_if(table_.figures, [](const auto& figure) { return figure.colour == "red"; });
  Looks(3);
  EXPECT_EQ(TurnOn({-2, 0}).recall, OnBoard({0, 1}));
  EXPECT_FALSE(TurnOn({-1, 0}).recall);
  EXPECT_EQ(Codes(), Strings{});
}

TEST_F(AbbotTest, OfTwoOnMonasteriesTheOneThatLooksMoreLikeItIsTheAbbot) {
  Play("B.B", {0, 1}, 0, "red", 0);
  LooksLikeAnAbbotBy(0.8);
  Looks(3);
  ASSERT_EQ(KindInGame(), FigureKind::kAbbot);
  Play("B.U", {1, 0}, 0, "blue", 0);
  Play("B.U", {-1, 0}, 0, "red", 1);
  Play("B.V", {-2, 0}, 2, "blue", 1);
  Hand({1, 1});
  table_.Lay("B.B", {1, 1}, 0);
  table_.Set("red", {1, 1}, 0, FigureKind::kAbbot);
  Looks(4);
  EXPECT_EQ(TurnOn({1, 1}).deployment->kind, FigureKind::kAbbot);
  EXPECT_EQ(TurnOn({0, 1}).deployment->kind, FigureKind::kFollower);
  EXPECT_TRUE(referee_.questions().empty());
  EXPECT_EQ(Codes(), Strings{});
}

TEST_F(AbbotTest, WhereAnAbbotMayNotStandLooksThatLeaveItOpenAreOfAFollower) {
  Play("B.U", {1, 0}, 0, "red", 0);
  LooksLikeAnAbbotBy(0.8);
  Looks(5);
  EXPECT_TRUE(referee_.questions().empty());
  EXPECT_EQ(KindInGame(), FigureKind::kFollower);
  EXPECT_EQ(Codes(), Strings{});
}

TEST_F(AbbotTest, AKindThatMayNotStandThereIsNotTakenForItButAskedAbout) {
  Play("B.U", {1, 0}, 0, "red", 0);
  LooksLike(FigureKind::kAbbot);
  Looks(4);
  EXPECT_EQ(KindInGame(), FigureKind::kFollower);
  ASSERT_EQ(referee_.questions().size(), 1U);
  EXPECT_EQ(referee_.questions().front().answers.front().text, "A follower");
  EXPECT_EQ(Codes(), Strings{});
}

TEST_F(AbbotTest, WhileItsKindIsAskedAboutAFigureThatIsSetElsewhereIsNotAccused) {
  Play("B.U", {1, 0}, 0, "red", 0);
  LooksLike(FigureKind::kAbbot);
  Looks(4);
  ASSERT_EQ(referee_.questions().size(), 1U);
  Hand({1, 0});
  ASSERT_TRUE(table_.Take("red", {1, 0}));
  table_.Set("red", {1, 0}, 1, FigureKind::kAbbot);
  Looks(3);
  EXPECT_EQ(TurnOn({1, 0}).deployment->segment, 1);
  EXPECT_EQ(KindInGame(), FigureKind::kFollower);
  EXPECT_EQ(Codes(), Strings{});
}

TEST_F(AbbotTest, AnAbbotWhomLooksMissedBeforeIsNotCalledHomeByAHandElsewhere) {
  PlayAnAbbotWhomLooksMiss();
  Play("B.U", {-2, 0}, 0);  // red
  Looks(2);
  EXPECT_FALSE(TurnOn({-2, 0}).recall.has_value());
  EXPECT_TRUE(referee_.questions().empty());
  EXPECT_EQ(Codes(), Strings{});
}

TEST_F(AbbotTest, AnAbbotWhomLooksMissedIsCalledHomeUnaskedWhereHisSupplyShowsIt) {
  table_.supplies = {{"red", 8}, {"blue", 8}};
  PlayAnAbbotWhomLooksMiss();
  Hand({-2, 0});  // red
  table_.Lay("B.U", {-2, 0}, 0);
  Hand({0, 1});
  std::erase_if(table_.figures, [](const SimulatedTable::Figure& f) { return f.unseen; });
  Looks(2);
  EXPECT_TRUE(referee_.questions().empty());
  EXPECT_EQ(TurnOn({-2, 0}).recall, OnBoard({0, 1}));
  EXPECT_EQ(Codes(), Strings{});
}

TEST_F(AbbotTest, AnAbbotWhomLooksMissStaysWhereHisSupplyShowsThatHeIsNotHome) {
  table_.supplies = {{"red", 8}, {"blue", 8}};
  PlayAnAbbotWhomLooksMiss();
  Hand({-2, 0});  // red
  table_.Lay("B.U", {-2, 0}, 0);
  Hand({0, 1});
  Looks(2);
  EXPECT_TRUE(referee_.questions().empty());
  EXPECT_FALSE(TurnOn({-2, 0}).recall);
  EXPECT_EQ(Codes(), Strings{});
}

TEST_F(AbbotTest, AnAbbotBesideWhomHisPlayerLaidATileIsCalledHomeWhereTheSupplyShowsIt) {
  table_.supplies = {{"red", 8}, {"blue", 8}};
  Play("B.U", {1, 0}, 0, "blue", 0);
  Play("B.B", {0, 1}, 0, "red", 0);
  Hand({0, 1});
  for (SimulatedTable::Figure& f : table_.figures) {
    if (f.colour == "red") f.kind = FigureKind::kAbbot;
  }
  Looks(4);
  Play("B.U", {2, 0}, 0, "blue", 0);
  Looks(2);
  Hand({0, 1});
  table_.Lay("B.U", {-1, 0}, 0);  // red's, in the very look in which he is gone
  std::erase_if(table_.figures, [](const auto& f) { return f.colour == "red"; });
  Look();
  EXPECT_EQ(TurnOn({-1, 0}).recall, OnBoard({0, 1}));
}

TEST_F(AbbotTest, AnAbbotWhomLooksMissedBeforeAHandWasOverHimIsAskedAbout) {
  PlayAnAbbotWhomLooksMiss();
  Hand({-2, 0});  // red
  table_.Lay("B.U", {-2, 0}, 0);
  Hand({0, 1});
  Looks(2);
  EXPECT_EQ(Codes(), Strings{});
  EXPECT_FALSE(TurnOn({-2, 0}).recall.has_value()) << "nothing is concluded until somebody answers";
  ASSERT_EQ(referee_.questions().size(), 1U);
  const Question question = referee_.questions().front();
  EXPECT_TRUE(question.text.starts_with("Did red call the abbot ")) << question.text;
  ASSERT_EQ(question.answers[0].text, "Yes");
  ASSERT_TRUE(std::holds_alternative<std::vector<Event>>(referee_.Answer(question.id, 0)));
  EXPECT_EQ(TurnOn({-2, 0}).recall, OnBoard({0, 1}));
}

TEST_F(AbbotTest, AnAbbotWhomEveryLookTookForAFollowerIsAskedAboutWhenHeIsCalledHome) {
  Play("B.B", {0, 1}, 0, "red", 0);
  Play("B.U", {1, 0}, 0, "blue", 0);
  ASSERT_EQ(referee_.game()->Figures().front().kind, FigureKind::kFollower);
  Hand({-1, 0});
  table_.Lay("B.U", {-1, 0}, 0);  // red
  Hand({0, 1});
  std::erase_if(table_.figures, [](const auto& figure) { return figure.colour == "red"; });
  Looks(2);
  ASSERT_EQ(referee_.questions().size(), 1U);
  const Question question = referee_.questions().front();
  EXPECT_TRUE(question.text.starts_with("Did red call the abbot ")) << question.text;
  EXPECT_FALSE(TurnOn({-1, 0}).recall) << "nothing is concluded until somebody answers";
  Play("B.V", {-2, 0}, 2, "blue", 1);
  Hand({1, 1});
  table_.Lay("B.B", {1, 1}, 0);  // red
  Hand({0, 1});
  Looks(2);
  EXPECT_EQ(Codes(), Strings{});
  ASSERT_EQ(referee_.questions().size(), 1U) << "a hand over the empty place asks nothing more";
  ASSERT_TRUE(std::holds_alternative<std::vector<Event>>(referee_.Answer(question.id, 0)));
  EXPECT_EQ(TurnOn({-1, 0}).recall, OnBoard({0, 1}));
  EXPECT_EQ(Player("red").score, 4);
}

TEST_F(AbbotTest, WhatLooksLikeAFollowerInAGardenIsAskedAboutAndNotAccused) {
  Play("B.Ug", {1, 0}, 0, "red", 3);
  EXPECT_EQ(KindInGame(), FigureKind::kAbbot);
  Looks(4);
  ASSERT_EQ(referee_.questions().size(), 1U);
  const Question question = referee_.questions().front();
  EXPECT_TRUE(question.text.starts_with("Is the red figure ")) << question.text;
  ASSERT_TRUE(std::holds_alternative<std::vector<Event>>(referee_.Answer(question.id, 0)));
  Looks(4);
  EXPECT_EQ(KindInGame(), FigureKind::kAbbot);
  EXPECT_TRUE(referee_.questions().empty());
  EXPECT_EQ(Codes(), Strings{});
}

TEST_F(AbbotTest, AFollowerThatPeopleOwnToInAGardenMustLeaveIt) {
  Play("B.Ug", {1, 0}, 0, "red", 3);
  Looks(2);
  ASSERT_EQ(referee_.questions().size(), 1U);
  const std::uint32_t question = referee_.questions().front().id;
  ASSERT_TRUE(std::holds_alternative<std::vector<Event>>(referee_.Answer(question, 1)));
  EXPECT_TRUE(referee_.game()->Figures().empty());
  Looks(3);
  EXPECT_EQ(Codes(), Strings{"garden-needs-abbot"});
  EXPECT_TRUE(referee_.questions().empty());
}

TEST_F(AbbotTest, ASecondAbbotTellsThatTheOneInTheGardenIsAFollower) {
  Play("B.Ug", {1, 0}, 0, "red", 3);
  Looks(2);
  Play("B.B", {0, 1}, 0, "blue", 0);
  Hand({1, 1});
  table_.Lay("B.B", {1, 1}, 0);
  table_.Set("red", {1, 1}, 0, FigureKind::kAbbot);
  Looks(3);
  const Strings codes = Codes();
  EXPECT_EQ(std::count(codes.begin(), codes.end(), "none-in-supply"), 0);
  EXPECT_EQ(TurnOn({1, 1}).deployment->kind, FigureKind::kAbbot);
  EXPECT_FALSE(TurnOn({1, 0}).deployment);
}

TEST_F(AbbotTest, AFigureInAGardenShowsThatItsPlayersAbbotWentHome) {
  PlayAnAbbotWhomLooksMiss();
  Play("B.U", {-2, 0}, 0);  // red's: in truth he called the abbot home
  std::erase_if(table_.figures, [](const SimulatedTable::Figure& f) { return f.unseen; });
  Play("B.V", {-3, 0}, 2, "blue", 1);
  Play("B.Ug", {2, 0}, 0, "red", 3);
  Looks(2);
  EXPECT_EQ(TurnOn({2, 0}).deployment->kind, FigureKind::kAbbot);
  EXPECT_TRUE(TurnOn({-2, 0}).recall);
  EXPECT_EQ(Codes(), Strings{});
}

TEST_F(OneFollowerTest, AFollowerTooManyShowsThatOneIsTheAbbot) {
  Play("B.B", {0, 1}, 0, "red", 0);
  table_.figures.front().kinds = {{FigureKind::kFollower, 0.9}, {FigureKind::kAbbot, 0.1}};
  Looks(3);
  Play("B.U", {1, 0}, 0, "blue", 0);
  Play("B.U", {-1, 0}, 0);
  Play("B.V", {-2, 0}, 2);
  Play("B.B", {1, 1}, 0);
  Play("B.B", {2, 1}, 0);
  ASSERT_EQ(TurnOn({0, 1}).deployment->kind, FigureKind::kFollower);
  Play("B.E", {0, -1}, 2, "red", 0);
  Looks(3);
  EXPECT_EQ(TurnOn({0, 1}).deployment->kind, FigureKind::kAbbot);
  EXPECT_EQ(Codes(), Strings{});
}

TEST_F(AbbotTest, OneWhoMayBeAnAbbotIsNotCalledTaken) {
  Play("B.B", {0, 1}, 0, "red", 0);
  for (SimulatedTable::Figure& figure : table_.figures) {
    figure.kinds = {{FigureKind::kFollower, 0.8}, {FigureKind::kAbbot, 0.2}};
  }
  Looks(2);
  ASSERT_EQ(KindInGame(), FigureKind::kFollower);
  Play("B.U", {1, 0}, 0, "blue", 0);
  Play("B.U", {-1, 0}, 0);  // red
  Look();
  Hand({0, 1});
  std::erase_if(table_.figures, [](const auto& figure) { return figure.colour == "red"; });
  Looks(4);
  EXPECT_EQ(Codes(), Strings{});
}

TEST_F(ArkTest, AFigureMayCoverTheScrollByWhichATileDiffersOfWhichNoCopyIsLeft) {
  Play("A.cccr.1", {0, -1}, 0);              // the only one of the box
  Play("A.cccr.1", {0, -2}, 0, "green", 0);  // in truth an A.cccr.2, its scroll under the follower
  Looks(2);
  EXPECT_EQ(Codes(), Strings{});
  EXPECT_EQ(TypeOn({0, -2}), "A.cccr.2");
}

TEST_F(ArkTest, WhereLooksLeaveOpenWhetherHeIsAProphetPeopleAreAsked) {
  Play("A.cccf.1", {0, -1}, 1, "red", 0);
  for (SimulatedTable::Figure& figure : table_.figures) {
    if (figure.cell != Cell{0, -1}) continue;
    figure.kinds = {{FigureKind::kProphet, 0.6}, {FigureKind::kFollower, 0.4}};
  }
  EXPECT_TRUE(referee_.questions().empty());
  Looks(5);
  ASSERT_EQ(referee_.questions().size(), 1U);
  const Question question = referee_.questions().front();
  EXPECT_THAT(question.text, ::testing::EndsWith(" a prophet or a follower?"));
  ASSERT_EQ(question.answers.size(), 2U);
  EXPECT_EQ(question.answers[0].text, "A follower");
  EXPECT_EQ(question.answers[1].text, "A prophet");
  ASSERT_TRUE(std::holds_alternative<std::vector<Event>>(referee_.Answer(question.id, 1)));
  EXPECT_EQ(TurnOn({0, -1}).deployment->kind, FigureKind::kProphet);
  Looks(5);
  EXPECT_TRUE(referee_.questions().empty());
  EXPECT_EQ(TurnOn({0, -1}).deployment->kind, FigureKind::kProphet);
}

TEST_F(ArkTest, AFollowerOnARoadWhomOneLookTakesForAProphetIsNotAccused) {
  Hand({1, 0});
  table_.Lay("A.frfr.1", {1, 0}, 0);
  table_.Set("red", {1, 0}, 0, FigureKind::kProphet);
  Look();
  EXPECT_EQ(Codes(), Strings{});
  LooksLike({1, 0}, FigureKind::kFollower);
  Looks(3);
  EXPECT_EQ(Codes(), Strings{});
  EXPECT_EQ(TurnOn({1, 0}).deployment->kind, FigureKind::kFollower);
}

TEST_F(ArkTest, AProphetOnARoadIsFlaggedByTheSecondLook) {
  Hand({1, 0});
  table_.Lay("A.frfr.1", {1, 0}, 0);
  table_.Set("red", {1, 0}, 0, FigureKind::kProphet);
  Looks(2);
  EXPECT_EQ(Codes(), Strings{"prophet-only-in-city"});
}

TEST_F(ArkTest, AProphetOnARoadIsFlaggedThoughTheNextTileWasLaidAfterOneLook) {
  Hand({1, 0});
  table_.Lay("A.frfr.1", {1, 0}, 0);
  table_.Set("red", {1, 0}, 0, FigureKind::kProphet);
  Look();
  EXPECT_EQ(Codes(), Strings{});
  Play("A.frfr.3", {-1, 0}, 0);
  Look();
  EXPECT_EQ(Codes(), Strings{"prophet-only-in-city"});
}

TEST_F(ArkTest, AProphetOnARoadIsFlaggedThoughOneLookTookHimForAFollower) {
  Play("A.frfr.1", {1, 0}, 0, "red", 0);
  EXPECT_EQ(TurnOn({1, 0}).deployment->kind, FigureKind::kFollower);
  LooksLike({1, 0}, FigureKind::kProphet);
  Looks(5);
  EXPECT_EQ(Codes(), Strings{"prophet-only-in-city"});
}

TEST_F(ArkTest, AFollowerWhomOnlyTheFirstLookTookForAProphetWasSetInItsTurn) {
  Hand({1, 0});
  table_.Lay("A.frfr.1", {1, 0}, 0);
  table_.Set("red", {1, 0}, 0, FigureKind::kProphet);
  Look();
  LooksLike({1, 0}, FigureKind::kFollower);
  Play("A.frfr.3", {-1, 0}, 0);
  Looks(2);
  EXPECT_EQ(Codes(), Strings{});
  ASSERT_TRUE(TurnOn({1, 0}).deployment);
  EXPECT_EQ(TurnOn({1, 0}).deployment->kind, FigureKind::kFollower);
}

TEST_F(ArkTest, OfTwoProphetsOfOnePlayerTheLaterIsAFollower) {
  Hand({0, -1});
  table_.Lay("A.cccf.1", {0, -1}, 1);
  table_.Set("red", {0, -1}, 0, FigureKind::kProphet);
  Look();
  Play("A.frfr.1", {1, 0}, 0, "blue", 0);
  Hand({-1, 0});
  table_.Lay("A.cfrr.1", {-1, 0}, 2);
  table_.Set("red", {-1, 0}, 0, FigureKind::kProphet);
  Looks(3);
  EXPECT_EQ(Codes(), Strings{});
  ASSERT_TRUE(TurnOn({-1, 0}).deployment);
  EXPECT_EQ(TurnOn({-1, 0}).deployment->kind, FigureKind::kFollower);
}

TEST_F(ArkTest, TheArkOverASeamWasNotMoved) {
  Hand({0, -1});
  table_.Lay("A.cfff.1", {0, -1}, 2);
  table_.MoveNeutral(FigureKind::kArk, Place{{0, 0}, 0});
  Look();
  Play("A.frfr.1", {1, 0}, 0, "red", 0);
  Play("A.ffrr.1", {-1, 0}, 2);
  const auto seen_on = [&](Cell cell, Point foot) {
    for (SimulatedTable::Figure& figure : table_.figures) {
      if (figure.kind == FigureKind::kArk) figure.cell = cell, figure.foot = foot;
    }
    Hand({0, 0});
    Looks(3);
    return Codes();
  };
  EXPECT_EQ(seen_on({0, 1}, {0.5, 0.05}), Strings{}) << "just beyond the start tile";
  EXPECT_EQ(seen_on({1, 0}, {0.5, 0.5}), Strings{"ark-moved"});
}

TEST_F(SecondArkTest, WhereNoLookShowedItForTurnsItMayHaveGoneFurtherThanOneTurnTakesIt) {
  EnterArk();
  for (int x = 1; x < 5; ++x) Play(kStraightRoads[x - 1], {x, 0}, 0);
  ASSERT_EQ(referee_.game()->ark(), OnBoard({0, 0}));
  MoveArk({3, 0}, true);
  Play(kStraightRoads[4], {5, 0}, 0);
  LayAndMoveArk("A.frrr.1", {6, 0}, {6, 0});
  Looks(2);
  EXPECT_EQ(Codes(), Strings{});
  EXPECT_EQ(referee_.game()->ark(), OnBoard({6, 0}));
  EXPECT_EQ(Reasons(), Strings(2, "the Ark was moved"));
}

TEST_F(SecondArkTest, WhichWayItWentIsAskedWhereNoLookShowedItForTurns) {
  EnterArk();
  Play(kStraightRoads[0], {1, 0}, 0, "red", 0);
  Play(kStraightRoads[1], {2, 0}, 0);
  Play(kStraightRoads[2], {0, 1}, 0);
  Play(kStraightRoads[3], {1, 1}, 0);
  MoveArk({0, 0}, true);
  Play(kStraightRoads[4], {2, 1}, 0);
  ASSERT_TRUE(referee_.questions().empty());
  LayAndMoveArk("A.frrr.1", {3, 0}, {2, 0});
  EXPECT_EQ(referee_.game()->ark(), OnBoard({2, 0}));
  ASSERT_EQ(referee_.questions().size(), 1U);
  const Question& question = referee_.questions().front();
  EXPECT_EQ(question.text, "Which way did the Ark go?");
  EXPECT_EQ(question.answers.size(), 2U) << "past red, or past nobody";
}

TEST_F(SecondArkTest, WhereEveryLookShowsItAMoveTooFarIsFlagged) {
  EnterArk();
  for (int x = 1; x < 6; ++x) Play(kStraightRoads[x - 1], {x, 0}, 0);
  LayAndMoveArk("A.frrr.1", {6, 0}, {6, 0});
  Look();
  EXPECT_EQ(Codes(), Strings{"ark-moved"});
  Play("A.ffrr.1", {-1, 0}, 2);
  Look();
  EXPECT_EQ(Codes(), Strings{"ark-moved"}) << "it stands there still, and nobody put it back";
}

TEST_F(ArkTest, AClaimBesideTheArkThatEntersIsConcludedHoweverManyLooksShowHands) {
  Play("A.cfff.1", {0, -1}, 2);  // read before red's prophet claims its city
  for (const Cell hand : {Cell{0, -1}, {0, -1}, {0, 0}, {0, -1}, {0, -1}}) Hand(hand);
  table_.MoveNeutral(FigureKind::kArk, Place{{0, 0}, 0});
  Look();
  Play("A.cfff.1", {0, -2}, 3, "blue", 0);
  Play("A.ffrr.1", {-1, 0}, 2, "green", 0);
  Play("A.ccrr.1", {1, 0}, 1, "red", 0);
  Play("A.frfr.5", {-1, -1}, 3, "blue", 1);
  EXPECT_EQ(Player("red").score, 10) << "8 for the city, with the prophet, and 2 for the Ark";
  // Who had claimed it was told by the order of play; with which figure, nothing tells.
  ASSERT_EQ(referee_.questions().size(), 1U);
  const Question question = referee_.questions().front();
  ASSERT_EQ(question.answers.size(), 3U);
  EXPECT_EQ(question.answers[1].text, "Yes, the city");
  ASSERT_TRUE(std::holds_alternative<std::vector<Event>>(referee_.Answer(question.id, 1)));
  EXPECT_EQ(Player("red").score, 6);
}

TEST_F(GingerbreadTest, WhereHeWentUnseenIsAskedOncePointsHangOnIt) {
  Play("G.4", {1, 0}, 0, "red", 0);  // into red's city, or the other one?
  Play("B.U", {-1, 0}, 0, "blue", 0);
  EXPECT_TRUE(referee_.questions().empty());
  Hand({1, -1});
  table_.Lay("G.1", {1, -1}, 0);
  table_.MoveNeutral(FigureKind::kGingerbreadMan, Place{{1, -1}, 0});
  Look();
  ASSERT_EQ(referee_.questions().size(), 1U);
  const Question question = referee_.questions().front();
  EXPECT_EQ(question.text, "Where did the Gingerbread Man go in turn 1?");
  EXPECT_GT(question.points_at_stake, 0);
  const int red = Player("red").score;
  ASSERT_TRUE(std::holds_alternative<std::vector<Event>>(referee_.Answer(question.id, 1)));
  EXPECT_NE(Player("red").score, red);
}

TEST_F(GingerbreadTest, TheNextLookThatShowsHimTellsWhereHeWent) {
  Play("G.4", {1, 0}, 0, "red", 0);
  Play("B.U", {-1, 0}, 0, "blue", 0);
  const auto in_reds = [&] {
    const Place his = *referee_.game()->gingerbread_man();
    return his.cell == OnBoard({1, 0}) && his.segment == 0;
  };
  const bool guessed = in_reds();
  table_.MoveNeutral(FigureKind::kGingerbreadMan, Place{{1, 0}, guessed ? 1 : 0});
  Looks(2);
  EXPECT_NE(in_reds(), guessed);
  EXPECT_TRUE(referee_.questions().empty());
  EXPECT_EQ(Codes(), Strings{});
}

TEST_F(GingerbreadTest, WhereHeMovedTwiceALaterLookTellsTheWholeWay) {
  table_.MoveNeutral(FigureKind::kGingerbreadMan, Place{{0, 0}, 0});
  Look();
  Hand({0, -1});
  table_.Lay("G.2", {0, -1}, 0);  // completes his city, and shows his symbol
  Look();                         // he has not been moved yet
  const std::vector<Place> guessed = TurnOn({0, -1}).gingerbread;
  ASSERT_EQ(guessed.size(), 2U);
  // He went to the other one last.
  table_.MoveNeutral(FigureKind::kGingerbreadMan, Place{{0, -1}, guessed.front().segment});
  Looks(4);
  EXPECT_EQ(referee_.game()->gingerbread_man(), guessed.front());
  EXPECT_EQ(Codes(), Strings{});
}

// No look is still before the first tile lies.
class UnwatchedTest : public RefereeTest {
 protected:
  UnwatchedTest() {
    log_.clear();
    referee_ = *Referee::Create(tiles_, *Rules::Preset("c1"), {}, false, &log_);
  }
};

TEST_F(UnwatchedTest, WhatTheFirstTurnCompletedIsAskedOnceItsPlayerIsKnown) {
  table_.Lay("B.E", {0, -1}, 2);  // the city is complete
  Look();
  turned_ = referee_.game()->TileAt({})->rotation;
  EXPECT_TRUE(referee_.questions().empty());
  Play("B.U", {1, 0}, 0, "blue", 0);
  Play("B.U", {-1, 0}, 0);
  Play("B.V", {-2, 0}, 2, "red", 1);
  Play("B.B", {0, 1}, 0, "blue", 0);
  Play("B.B", {1, 1}, 0, "green", 0);
  Play("B.B", {2, 1}, 0, "red", 0);
  ASSERT_EQ(referee_.questions().size(), 1U);
  EXPECT_EQ(referee_.questions().front().cells, std::vector<Cell>{OnBoard({0, -1})});
  EXPECT_EQ(referee_.questions().front().points_at_stake, 4);
}

}  // namespace
}  // namespace tilewarden::engine
