// How large anything in a request may be.
#include "services/access/bounds.h"

#include <limits>
#include <string>

#include "absl/strings/match.h"
#include "gtest/gtest.h"
#include "services/base/request_key.h"
#include "tilewarden/v1/access.pb.h"
#include "tilewarden/v1/query.pb.h"
#include "tilewarden/v1/vision.pb.h"

namespace tilewarden::services {
namespace {

TEST(Bounds, WhatPeopleAndCamerasSendIsTaken) {
  v1::CreateGameRequest game;
  game.set_request_id("id");
  game.set_name("Küchentisch, Freitag");
  game.add_players()->set_colour("red");
  EXPECT_TRUE(CheckBounds(game).ok());
  v1::ReportSightingsRequest report;
  for (int i = 0; i < 2000; ++i) {
    auto* tile = report.mutable_sighting()->add_tiles();
    tile->mutable_cell()->set_x(i % 50);
    tile->add_candidates()->set_tile("D");
  }
  EXPECT_TRUE(CheckBounds(report).ok());
}

// Issue: colours of 1 MB and names of sets of 800 kB were taken.
TEST(Bounds, LongTextsAndLongListsAreNot) {
  v1::CreateGameRequest game;
  game.add_players()->set_colour(std::string(1 << 20, 'x'));
  const auto colour = CheckBounds(game);
  EXPECT_TRUE(absl::IsInvalidArgument(colour));
  EXPECT_TRUE(absl::StrContains(colour.message(), "colour")) << colour;
  game.Clear();
  game.set_tile_set(std::string(800'000, 'x'));
  EXPECT_FALSE(CheckBounds(game).ok());
  v1::ReportSightingsRequest report;
  for (int i = 0; i < 2001; ++i) report.mutable_sighting()->add_figures();
  EXPECT_FALSE(CheckBounds(report).ok());
  report.Clear();
  for (int i = 0; i < 1000; ++i) {
    auto* tile = report.mutable_sighting()->add_tiles();
    for (int c = 0; c < 100; ++c) tile->add_candidates();
  }
  EXPECT_FALSE(CheckBounds(report).ok()) << "too much of everything";
}

// Issue: two points of INT_MIN overflowed a score, and a cell there a board.
TEST(Bounds, CellsFarAwayAreNot) {
  v1::PreviewChangeRequest preview;
  for (const int far : {std::numeric_limits<int>::min(), std::numeric_limits<int>::max(), -1001}) {
    preview.mutable_play()->mutable_cell()->set_x(far);
    EXPECT_TRUE(absl::IsInvalidArgument(CheckBounds(preview))) << far;
  }
  preview.mutable_play()->mutable_cell()->set_x(-1000);
  EXPECT_TRUE(CheckBounds(preview).ok());
}

// Issue: names with escapes forged rows of the list of devices.
TEST(Bounds, ControlCharactersAreNot) {
  v1::PairRequest pair;
  pair.set_device("tablet\x1b[2J\r\nADMIN0000  admin");
  EXPECT_TRUE(absl::IsInvalidArgument(CheckBounds(pair)));
}

// Issue: 40 refused requests of 3.6 MB grew the files by 141 MB.
TEST(RequestKey, IsAsShortForALargeRequest) {
  v1::CreateGameRequest small, large;
  small.set_request_id("id");
  large.set_request_id("id");
  large.set_name(std::string(3'600'000, 'x'));
  const auto a = KeyOf(small), b = KeyOf(large);
  ASSERT_TRUE(a.ok() && b.ok());
  EXPECT_EQ(a->request.size(), b->request.size());
  EXPECT_LT(b->request.size(), 100u);
  EXPECT_NE(a->request, b->request);
  EXPECT_EQ(KeyOf(large)->request, b->request);
}

}  // namespace
}  // namespace tilewarden::services
