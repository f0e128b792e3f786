#include "engine/referee/memory/unexpected_figures.h"

#include "gtest/gtest.h"

namespace tilewarden::engine {
namespace {

constexpr Cell kCell = {1, 0};
const UnexpectedFigure kAbbot = {FigureKind::kAbbot, "red", 0};

TEST(UnexpectedFigures, ThreeLooksAgree) {
  UnexpectedFigures figures;
  for (int look = 0; look < 3; ++look) {
    EXPECT_TRUE(figures.Sure(FigureKind::kAbbot).empty()) << look;
    figures.Saw(kCell, kAbbot, 4);
  }
  EXPECT_EQ(figures.Sure(FigureKind::kAbbot), std::vector{kCell});
  EXPECT_TRUE(figures.Sure(FigureKind::kProphet).empty());
}

TEST(UnexpectedFigures, OrTwoLooksAfterDifferentTurns) {
  UnexpectedFigures figures;
  figures.Saw(kCell, kAbbot, 4);
  figures.Saw(kCell, kAbbot, 5);
  EXPECT_EQ(figures.Sure(FigureKind::kAbbot), std::vector{kCell});
}

TEST(UnexpectedFigures, LooksThatTellOtherwiseSpeakAgainstIt) {
  UnexpectedFigures figures;
  for (int look = 0; look < 4; ++look) {
    figures.SawOther(kCell);
    figures.Saw(kCell, kAbbot, look);
  }
  EXPECT_TRUE(figures.Sure(FigureKind::kAbbot).empty());
  EXPECT_NE(figures.On(kCell), nullptr);
}

TEST(UnexpectedFigures, AnotherFigureThereBeginsAnew) {
  UnexpectedFigures figures;
  figures.Saw(kCell, kAbbot, 4);
  figures.Saw(kCell, {FigureKind::kAbbot, "blue", 0}, 5);
  EXPECT_TRUE(figures.Sure(FigureKind::kAbbot).empty());
  figures.Gone(kCell);
  EXPECT_EQ(figures.On(kCell), nullptr);
  figures.Saw(kCell, kAbbot, 6);
  EXPECT_TRUE(figures.Sure(FigureKind::kAbbot).empty());
}

TEST(UnexpectedFigures, OneThatWentHomeIsRememberedAsWhatItWas) {
  UnexpectedFigures figures;
  figures.Saw(kCell, kAbbot, 4);
  EXPECT_NE(figures.Was(kCell), nullptr);
  figures.Gone(kCell);
  EXPECT_EQ(figures.On(kCell), nullptr);
  ASSERT_NE(figures.Was(kCell), nullptr);
  EXPECT_EQ(figures.Was(kCell)->kind, FigureKind::kAbbot);
  figures.Saw(kCell, kAbbot, 9);
  figures.SawOther(kCell);
  EXPECT_EQ(figures.Was(kCell), nullptr) << "looks disagree";
}

constexpr FigureKind kMan = FigureKind::kGingerbreadMan;

TEST(UnexpectedFigures, NobodysIsOneWhereverItStands) {
  UnexpectedFigures figures;
  figures.SawNobodys(kMan, {kCell, 1}, "black", 3);
  EXPECT_TRUE(figures.Sure(kMan).empty());
  EXPECT_EQ(figures.StandsOn(kMan), (Place{kCell, 1}));
  figures.SawNobodys(kMan, {{2, 0}, 0}, "grey", 4);
  EXPECT_EQ(figures.Sure(kMan), std::vector{(Cell{2, 0})});
  EXPECT_EQ(figures.TakenFor(kMan, kCell), "black");
  EXPECT_EQ(figures.TakenFor(kMan, {2, 0}), "grey");
  EXPECT_EQ(figures.TakenFor(kMan, {3, 0}), "");
  figures.SawPlayers(kMan, kCell, "black");
  EXPECT_EQ(figures.TakenFor(kMan, kCell), "") << "a player's that stands there still";
  figures.SawOther({2, 0});  // a player's on the same tile
  EXPECT_FALSE(figures.Sure(kMan).empty());
  figures.SawOther(kMan);
  EXPECT_TRUE(figures.Sure(kMan).empty());
  EXPECT_FALSE(figures.StandsOn(kMan));
}

TEST(UnexpectedFigures, WhereNobodysWentIsRememberedByTurn) {
  UnexpectedFigures figures;
  figures.SawNobodys(kMan, {kCell, 1}, "black", 3);
  figures.SawNobodys(kMan, {kCell, 0}, "black", 3);
  figures.SawNobodys(kMan, {{2, 0}, 0}, "black", 5);
  EXPECT_EQ(figures.PlacesOf(kMan), (std::map<int, Place>{{3, {kCell, 0}}, {5, {{2, 0}, 0}}}));
  // Turn 5 was taken back, and another came in its place.
  figures.SawNobodys(kMan, {kCell, 0}, "black", 4);
  EXPECT_EQ(figures.PlacesOf(kMan), (std::map<int, Place>{{3, {kCell, 0}}, {4, {kCell, 0}}}));
  EXPECT_TRUE(figures.PlacesOf(FigureKind::kArk).empty());
}

}  // namespace
}  // namespace tilewarden::engine
