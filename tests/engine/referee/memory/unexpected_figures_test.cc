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

}  // namespace
}  // namespace tilewarden::engine
