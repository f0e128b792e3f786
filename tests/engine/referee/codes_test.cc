#include "engine/referee/codes.h"

#include <string_view>

#include "gtest/gtest.h"

namespace tilewarden::engine {
namespace {

TEST(Codes, WhatIsWrongWithOneTileIsOneMatterToldMoreOrLessPlainly) {
  for (const char* code : {"tile-taken", "tile-changed", "tile-turned", "tile-moved"}) {
    EXPECT_EQ(FamilyOf(code).matter, Matter::kTile) << code;
  }
  EXPECT_LT(FamilyOf("tile-taken").plain, FamilyOf("tile-moved").plain);
  EXPECT_EQ(FamilyOf("tile-fits").matter, Matter::kNone);
}

TEST(Codes, WhatIsWrongWithOneFigureIsAnother) {
  for (const char* code : {"figure-taken-early", "figure-pose", "figure-moved"}) {
    EXPECT_EQ(FamilyOf(code).matter, Matter::kFigure) << code;
  }
  EXPECT_LT(FamilyOf("figure-taken-early").plain, FamilyOf("figure-moved").plain);
}

TEST(Codes, AFigureThatIsNoLongerSeenMayHaveBeenMissed) {
  for (const char* code :
       {"figure-not-returned", "figure-not-on-last-tile", "two-figures", "feature-occupied"}) {
    EXPECT_TRUE(FamilyOf(code).clears_by_absence) << code;
  }
  EXPECT_FALSE(FamilyOf("tile-moved").clears_by_absence);
}

TEST(Codes, TheLettersOfACodeTellNothing) {
  const CodeFamily unknown = FamilyOf("figure-not-known-to-anybody");
  EXPECT_EQ(unknown.code, "figure-not-known-to-anybody");
  EXPECT_EQ(unknown.matter, Matter::kNone);
  EXPECT_FALSE(unknown.order || unknown.figure_where_none_may || unknown.clears_by_absence ||
               unknown.neutral_figure);
}

}  // namespace
}  // namespace tilewarden::engine
