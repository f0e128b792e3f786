#include "engine/referee/memory/lattice.h"

#include "gtest/gtest.h"

namespace tilewarden::engine {
namespace {

TEST(Lattice, LiesAsItLayLastUntilASightingTellsOtherwise) {
  Lattice lattice;
  EXPECT_FALSE(lattice.now());
  const BoardFromLattice place{1, {2, 3}};
  lattice.Found(place);
  lattice.Lay(place);
  EXPECT_EQ(lattice.now(), place);
  lattice.Next();
  EXPECT_FALSE(lattice.now());
  EXPECT_EQ(lattice.last(), place);
}

TEST(Lattice, SightingsWaitInTheirOrderAndTheOldestGiveWay) {
  Lattice lattice;
  EXPECT_FALSE(lattice.SomeWait());
  for (std::uint64_t number = 1; number <= 10; ++number) lattice.Wait(number, {});
  EXPECT_TRUE(lattice.SomeWait());
  const auto waiting = lattice.TakeWaiting();
  ASSERT_EQ(waiting.size(), 8U);
  EXPECT_EQ(waiting.front().first, 3U);
  EXPECT_EQ(waiting.back().first, 10U);
  EXPECT_FALSE(lattice.SomeWait());
}

}  // namespace
}  // namespace tilewarden::engine
