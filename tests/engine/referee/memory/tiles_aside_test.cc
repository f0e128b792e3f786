#include "engine/referee/memory/tiles_aside.h"

#include "gtest/gtest.h"

namespace tilewarden::engine {
namespace {

constexpr auto kNowhere = [](Cell) { return false; };

TEST(TilesAside, WhatLayThereBeforePlayBeganIsNoPartOfTheGame) {
  TilesAside aside;
  EXPECT_FALSE(aside.CameAfter({9, 9}, 0, false));
  aside.EndLook(kNowhere, kNowhere);
  EXPECT_FALSE(aside.CameAfter({9, 9}, 3, false));
}

TEST(TilesAside, ATileThatCameLaterKeepsTheTurnItCameAfter) {
  TilesAside aside;
  aside.EndLook(kNowhere, kNowhere);
  EXPECT_EQ(aside.CameAfter({9, 9}, 3, false), 3U);
  aside.EndLook(kNowhere, kNowhere);
  EXPECT_EQ(aside.CameAfter({9, 9}, 5, false), 3U);
}

TEST(TilesAside, WhatCameWhileSeveralTurnsWentUnseenIsNoPartOfTheGame) {
  TilesAside aside;
  aside.EndLook(kNowhere, kNowhere);
  EXPECT_FALSE(aside.CameAfter({9, 9}, 3, true));
  aside.EndLook(kNowhere, kNowhere);
  EXPECT_FALSE(aside.CameAfter({9, 9}, 4, false));
}

TEST(TilesAside, ACellThatIsFreeOrReachedByTheBoardIsForgotten) {
  for (const bool free : {true, false}) {
    TilesAside aside;
    aside.EndLook(kNowhere, kNowhere);
    EXPECT_EQ(aside.CameAfter({9, 9}, 3, false), 3U);
    aside.EndLook([&](Cell) { return free; }, [&](Cell) { return !free; });
    EXPECT_EQ(aside.CameAfter({9, 9}, 5, false), 5U);
  }
}

}  // namespace
}  // namespace tilewarden::engine
