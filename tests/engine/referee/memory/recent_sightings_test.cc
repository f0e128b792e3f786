#include "engine/referee/memory/recent_sightings.h"

#include "gtest/gtest.h"

namespace tilewarden::engine {
namespace {

Sighting Numbered(std::uint64_t sequence, std::int64_t time_ms) {
  Sighting sighting;
  sighting.sequence = sequence;
  sighting.time_ms = time_ms;
  return sighting;
}

TEST(RecentSightings, ASightingThatIsDeliveredTwiceIsKnown) {
  RecentSightings recent;
  EXPECT_FALSE(recent.Repeated(Numbered(1, 100)));
  EXPECT_TRUE(recent.Repeated(Numbered(1, 100)));
  EXPECT_FALSE(recent.Repeated(Numbered(2, 200)));
  EXPECT_TRUE(recent.Repeated(Numbered(1, 100)));
}

TEST(RecentSightings, ACameraThatStartsOverWithItsNumbersSendsNewOnes) {
  RecentSightings recent;
  EXPECT_FALSE(recent.Repeated(Numbered(1, 100)));
  EXPECT_FALSE(recent.Repeated(Numbered(2, 200)));
  EXPECT_FALSE(recent.Repeated(Numbered(1, 300)));
}

}  // namespace
}  // namespace tilewarden::engine
