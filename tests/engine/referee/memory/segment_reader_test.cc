#include "engine/referee/memory/segment_reader.h"

#include <algorithm>

#include "gtest/gtest.h"

namespace tilewarden::engine {
namespace {

TEST(SegmentReader, AFootSpeaksForTheSegmentThatItIsOnAndThePoseForAField) {
  const auto tiles = *TileSet::Load("base.c1");
  const SegmentReader reader(tiles);
  const int tile = tiles->Find("B.B");
  const auto& segments = tiles->types()[static_cast<std::size_t>(tile)].segments;
  FigureView figure;
  figure.foot = {0.5, 0.5};
  figure.seen.standing_probability = 0.95;
  std::vector<double> likelihoods = reader.Likelihoods(figure, tile, 0);
  ASSERT_EQ(likelihoods.size(), segments.size());
  const auto best = [&] {
    const auto at = std::max_element(likelihoods.begin(), likelihoods.end()) - likelihoods.begin();
    return segments[static_cast<std::size_t>(at)].kind;
  };
  EXPECT_EQ(best(), SegmentKind::kMonastery);
  figure.foot = {0.08, 0.08};
  figure.seen.standing_probability = 0.05;
  likelihoods = reader.Likelihoods(figure, tile, 0);
  EXPECT_EQ(best(), SegmentKind::kField);
}

}  // namespace
}  // namespace tilewarden::engine
