// Two witnesses of a tile's name: the pictures of the pack and the network.
#include "vision/tiles/tile_evidence.h"

#include <cmath>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "opencv2/core.hpp"

namespace tilewarden::vision {
namespace {

// A pack of two plain tiles; references 0 to 3 are the turns of the first.
TileMatcher TwoTiles() {
  calibration::ReferencePack pack;
  pack.pictures.push_back({"B.Q", cv::Mat(128, 128, CV_8UC3, cv::Scalar(40, 60, 90))});
  pack.pictures.push_back({"B.R", cv::Mat(128, 128, CV_8UC3, cv::Scalar(90, 60, 40))});
  return TileMatcher(pack);
}

// Costs of the first and second tile, and what the network says of the first.
std::vector<TileMatcher::Match> Looked(float first, float second, double network) {
  TileMatcher::Match a, b;
  a.reference = 0;
  a.naming_cost = first;
  a.network = static_cast<float>(std::log(network));
  b.reference = 4;
  b.naming_cost = second;
  b.network = static_cast<float>(std::log(1 - network));
  return {a, b};
}

// A place that stands out from the table on all sides and from no tile.
constexpr Surroundings kOutlined{.to_table = 0.5, .to_tiles = 0.02, .free = 3, .tiles = 1};

TEST(TileEvidence, AnOutlineMakesATileOfWhatIsAlikeButForAFigureOnIt) {
  TileMatcher::Match best;
  best.cost = best.detail_cost = best.typical_cost = 0.65F;
  best.plain_cost = 0.36F;
  best.naming_cost = 0.4F;
  EXPECT_GT(TileProbability(best, kOutlined), 0.9);
  best.naming_cost = 0.6F;
  EXPECT_LT(TileProbability(best, kOutlined), 0.05) << "the stripes of a cloth";
}

TEST(TileEvidence, BothWitnessesCount) {
  const TileMatcher matcher = TwoTiles();
  const auto alone = NamesOf(matcher, Looked(0.10F, 0.11F, 0.5), {}, 1);
  EXPECT_EQ(alone[0].tile, "B.Q");
  EXPECT_EQ(alone[1].tile, "B.R");
  EXPECT_GT(alone[0].probability, 0.6);
  EXPECT_NEAR(alone[0].probability + alone[1].probability, 1, 1e-9);
  const auto agreed = NamesOf(matcher, Looked(0.10F, 0.11F, 0.9), {}, 1);
  EXPECT_GT(agreed[0].probability, alone[0].probability);
  const auto opposed = NamesOf(matcher, Looked(0.10F, 0.11F, 0.01), {}, 1);
  EXPECT_LT(opposed[0].probability, 0.5);
  const auto doubtful = NamesOf(matcher, Looked(0.10F, 0.11F, 0.9), {}, 0.4);
  EXPECT_NEAR(doubtful[0].probability + doubtful[1].probability, 0.4, 1e-9);
}

TEST(TileEvidence, UnderFiguresTheNetworkSaysLess) {
  const TileMatcher matcher = TwoTiles();
  auto free = Looked(0.10F, 0.10F, 0.95), covered = free;
  for (TileMatcher::Match& match : covered) match.hidden = 0.2F;
  const double on_free = NamesOf(matcher, free, {}, 1)[0].probability;
  const double on_covered = NamesOf(matcher, covered, {}, 1)[0].probability;
  EXPECT_LT(on_covered, on_free);
  EXPECT_GT(on_covered, 0.5);
}

TEST(TileEvidence, TheWitnessThatStandsAloneIsTrustedLess) {
  // The network is sure of other names than the pictures, again and again, and
  // the pictures are sure as well.
  std::vector<std::vector<TileMatcher::Match>> tiles(12, Looked(0.05F, 0.30F, 0.001));
  std::vector<const std::vector<TileMatcher::Match>*> board;
  for (const auto& tile : tiles) board.push_back(&tile);
  const Trust opposed = FitTrust(board);
  EXPECT_LT(opposed.network, 0.5);
  for (auto& tile : tiles) tile = Looked(0.05F, 0.30F, 0.999);
  const Trust agreed = FitTrust(board);
  EXPECT_GE(agreed.network, 0.8);
  EXPECT_GE(agreed.matching, 0.8);
  // Nothing is known of either: as they are.
  const Trust none = FitTrust({});
  EXPECT_EQ(none.matching, 1);
  EXPECT_EQ(none.network, 1);
}

TEST(TileEvidence, TheNetworkTellsTilesFromTables) {
  EXPECT_GT(WithNetwork(0.3, 0.001), 0.9);
  EXPECT_LT(WithNetwork(0.3, 0.95), 0.05);
  EXPECT_NEAR(WithNetwork(0.3, 0.5), 0.3, 1e-9);
  // A place that looks like none at all is not believed to be a tile.
  EXPECT_LT(WithNetwork(0.001, 0.001), 0.5);
}

}  // namespace
}  // namespace tilewarden::vision
