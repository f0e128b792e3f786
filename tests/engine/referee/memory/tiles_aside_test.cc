#include "engine/referee/memory/tiles_aside.h"

#include "gtest/gtest.h"

namespace tilewarden::engine {
namespace {

constexpr auto kNowhere = [](Cell) { return false; };

TEST(TilesAside, WhatLayThereBeforePlayBeganIsNoPartOfTheGame) {
  TilesAside aside;
  EXPECT_FALSE(aside.CameAfter({9, 9}, 0, false, kNowhere));
  aside.EndLook(kNowhere, kNowhere);
  EXPECT_FALSE(aside.CameAfter({9, 9}, 3, false, kNowhere));
}

TEST(TilesAside, ATileThatCameLaterKeepsTheTurnItCameAfter) {
  TilesAside aside;
  aside.EndLook(kNowhere, kNowhere);
  EXPECT_EQ(aside.CameAfter({9, 9}, 3, false, kNowhere), 3U);
  aside.EndLook(kNowhere, kNowhere);
  EXPECT_EQ(aside.CameAfter({9, 9}, 5, false, kNowhere), 3U);
}

TEST(TilesAside, WhatCameWhileSeveralTurnsWentUnseenIsNoPartOfTheGame) {
  TilesAside aside;
  aside.EndLook(kNowhere, kNowhere);
  EXPECT_FALSE(aside.CameAfter({9, 9}, 3, true, kNowhere));
  aside.EndLook(kNowhere, kNowhere);
  EXPECT_FALSE(aside.CameAfter({9, 9}, 4, false, kNowhere));
}

TEST(TilesAside, ACellThatIsFreeOrReachedByTheBoardIsForgotten) {
  for (const bool free : {true, false}) {
    TilesAside aside;
    aside.EndLook(kNowhere, kNowhere);
    EXPECT_EQ(aside.CameAfter({9, 9}, 3, false, kNowhere), 3U);
    aside.EndLook([&](Cell) { return free; }, [&](Cell) { return !free; });
    EXPECT_EQ(aside.CameAfter({9, 9}, 5, false, kNowhere), 5U);
  }
}

TEST(TilesAside, FarOffOneIsTheSameInTheCellBesideIt) {
  const auto before = [](Cell cell) { return cell == Cell{9, 9}; };
  TilesAside furniture;
  EXPECT_FALSE(furniture.CameAfter({9, 9}, 0, false, kNowhere));
  furniture.EndLook(kNowhere, kNowhere);
  EXPECT_FALSE(furniture.CameAfter({9, 8}, 3, false, before));
  furniture.EndLook(before, kNowhere);
  EXPECT_EQ(furniture.CameAfter({9, 9}, 3, false, kNowhere), 3U) << "a second one came beside it";

  TilesAside aside;
  aside.EndLook(kNowhere, kNowhere);
  EXPECT_EQ(aside.CameAfter({9, 9}, 3, false, kNowhere), 3U);
  aside.EndLook(kNowhere, kNowhere);
  EXPECT_EQ(aside.CameAfter({8, 9}, 5, false, before), 3U);
}

}  // namespace
}  // namespace tilewarden::engine
