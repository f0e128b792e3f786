#include "engine/referee/memory/figure_memory.h"

#include "gtest/gtest.h"

namespace tilewarden::engine {
namespace {

constexpr Cell kCell = {2, 1};

TEST(FigureMemory, AFigureThatTheGameTakesBringsItsLooksAlong) {
  FigureMemory figures;
  figures.Unplaced(kCell).Saw({}, 7);
  figures.Place(kCell);
  ASSERT_NE(figures.FindTrack(kCell), nullptr);
  EXPECT_EQ(figures.FindTrack(kCell)->last_seen(), 7U);
}

TEST(FigureMemory, AFigureThatIsSetElsewhereBeginsAnewInTheGame) {
  FigureMemory figures;
  FigureTrack known;
  known.Saw({}, 7);
  figures.Track(kCell).Saw({}, 8);
  figures.Unplace(kCell, known);
  EXPECT_EQ(figures.FindTrack(kCell)->looks(), 0);
  EXPECT_EQ(figures.FindUnplaced(kCell)->last_seen(), 7U);
}

TEST(FigureMemory, AFigureLingersSinceItsFirstLook) {
  FigureMemory figures;
  EXPECT_EQ(figures.Linger(kCell, "red", 1000, false), 1000);
  EXPECT_EQ(figures.Linger(kCell, "red", 5000, false), 1000);
  EXPECT_EQ(figures.Linger(kCell, "red", 6000, true), 6000) << "a hand is still at the table";
  figures.EndLook(Look(), {});  // nobody stands there
  EXPECT_EQ(figures.Linger(kCell, "red", 9000, false), 9000);
}

TEST(FigureMemory, AFigureThatIsInTheGameAgainHasNotLingered) {
  FigureMemory figures;
  figures.Linger(kCell, "red", 1000, false);
  Look look;
  look.cells[kCell].figures.emplace_back();
  figures.EndLook(look, {});
  EXPECT_EQ(figures.Linger(kCell, "red", 5000, false), 1000);
  figures.EndLook(look, {kCell});  // the tile that completed its feature was taken up again
  EXPECT_EQ(figures.Linger(kCell, "red", 9000, false), 9000);
}

TEST(FigureMemory, CountsLooksWithoutAFigureThatATurnSentHome) {
  FigureMemory figures;
  figures.SawGone(kCell, 4);
  figures.SawGone(kCell, 4);
  EXPECT_EQ(figures.LooksGone(kCell, 4), 2);
  EXPECT_EQ(figures.LooksGone(kCell, 5), 0);
}

TEST(FigureMemory, WhatIsNotInTheGameIsForgottenOnceItsCellIsSeenFree) {
  FigureMemory figures;
  figures.Track(kCell).Saw({}, 1);
  figures.Unplaced({0, 0}).Saw({}, 1);
  Look hidden;
  hidden.cells[{0, 0}].hidden = true;
  figures.EndLook(hidden, {kCell});
  EXPECT_NE(figures.FindTrack(kCell), nullptr);
  EXPECT_NE(figures.FindUnplaced({0, 0}), nullptr);
  figures.EndLook(Look(), {});
  EXPECT_EQ(figures.FindTrack(kCell), nullptr);
  EXPECT_EQ(figures.FindUnplaced({0, 0}), nullptr);
}

}  // namespace
}  // namespace tilewarden::engine
