// Figures of one picture, weighed together: who plays, and who would have gone home.
#include "services/photo/figures_together.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "services/photo/reading.h"

namespace tilewarden::services {
namespace {

constexpr double kStands = 1, kLies = 0;

vision::SightedTile Seen(const std::string& code, vision::LatticeCell cell, int rotation) {
  vision::SightedTile tile;
  tile.cell = cell;
  tile.candidates = {{code, rotation, 0.99}};
  return tile;
}

vision::SightedFigure Figure(std::vector<vision::ColourProbability> colours,
                             vision::LatticeCell cell, vision::Point foot, double standing) {
  vision::SightedFigure figure;
  figure.cell = cell;
  figure.foot = foot;
  figure.foot_sigma = 0.03;
  figure.colours = std::move(colours);
  figure.standing_probability = standing;
  figure.probability = 1;
  return figure;
}

class FiguresTogether : public testing::Test {
 protected:
  // The city's tile to the north of the start tile's, which completes it, is there or not.
  static vision::Sighting Board(bool complete) {
    vision::Sighting seen;
    seen.tiles = {Seen("B.D", {0, 0}, 0), Seen("B.U", {1, 0}, 1)};
    if (complete) seen.tiles.push_back(Seen("B.E", {0, -1}, 2));
    return seen;
  }

  std::string FeatureOf(const vision::Sighting& seen, std::size_t figure) const {
    const ReadFigure read = Interpret(seen, *tiles_).figures[figure];
    for (const vision::SightedTile& tile : seen.tiles) {
      if (tile.cell != *read.figure->cell) continue;
      const int type = tiles_->Find(tile.candidates.front().tile);
      const auto& segments = tiles_->types()[static_cast<std::size_t>(type)].segments;
      return std::string(engine::ToString(segments[static_cast<std::size_t>(read.segment)].kind));
    }
    return "";
  }

  std::string ColourOf(const vision::Sighting& seen, std::size_t figure) const {
    return Interpret(seen, *tiles_).figures[figure].colour;
  }

  std::shared_ptr<const engine::TileSet> tiles_ = *engine::TileSet::Load("base.c1");
};

TEST_F(FiguresTogether, WhoseCityIsCompleteHasGoneHomeWhereHisPoseIsInDoubt) {
  for (const bool complete : {false, true}) {
    vision::Sighting seen = Board(complete);
    seen.figures = {Figure({{"red", 1}}, {0, 0}, {0.5, 0.27}, 0.5)};
    EXPECT_EQ(FeatureOf(seen, 0), complete ? "field" : "city");
  }
}

TEST_F(FiguresTogether, WhoIsClearlySeenInACompleteCityIsThere) {
  vision::Sighting seen = Board(true);
  seen.figures = {Figure({{"red", 1}}, {0, 0}, {0.5, 0.1}, kStands)};
  EXPECT_EQ(FeatureOf(seen, 0), "city");
}

TEST_F(FiguresTogether, AFieldIsNeverScoredBeforeTheEnd) {
  vision::Sighting seen = Board(true);
  seen.figures = {Figure({{"red", 1}}, {0, 0}, {0.2, 0.35}, kLies)};
  EXPECT_EQ(FeatureOf(seen, 0), "field");
}

TEST_F(FiguresTogether, OfDoubtfulPlacesTheOneThatNobodyHasIsLikelier) {
  for (const bool taken : {false, true}) {
    vision::Sighting seen = Board(false);
    seen.figures = {Figure({{"red", 1}}, {0, 0}, {0.5, 0.27}, 0.3)};
    if (taken) {
      seen.tiles.push_back(Seen("B.C", {0, -1}, 0));
      seen.figures.push_back(Figure({{"blue", 1}}, {0, -1}, {0.5, 0.5}, kStands));
    }
    EXPECT_EQ(FeatureOf(seen, 0), taken ? "field" : "city");
  }
}

TEST_F(FiguresTogether, AColourThatNobodyElseShowsNeedsToBeClear) {
  vision::Sighting seen = Board(false);
  for (const double x : {0.1, 0.3, 0.5, 0.7}) {
    seen.figures.push_back(Figure({{"red", 0.98}, {"pink", 0.02}}, {0, 0}, {x, 0.5}, kStands));
  }
  seen.figures.push_back(Figure({{"pink", 0.6}, {"red", 0.4}}, {1, 0}, {0.5, 0.5}, kStands));
  EXPECT_EQ(ColourOf(seen, 4), "red");
  seen.figures[4].colours = {{"pink", 0.97}, {"red", 0.03}};
  EXPECT_EQ(ColourOf(seen, 4), "pink");
}

TEST_F(FiguresTogether, AFigureAloneIsWhatItLooksLike) {
  vision::Sighting seen = Board(false);
  seen.figures = {Figure({{"pink", 0.6}, {"red", 0.4}}, {1, 0}, {0.5, 0.5}, kStands)};
  EXPECT_EQ(ColourOf(seen, 0), "pink");
}

TEST_F(FiguresTogether, WhatIsBesideTheBoardOrOnARefusedTileClaimsNothing) {
  vision::Sighting seen = Board(false);
  seen.tiles[1].candidates[0].probability = 0.2;
  seen.figures = {Figure({{"red", 1}}, {1, 0}, {0.5, 0.5}, kStands),
                  Figure({{"blue", 1}}, {0, 0}, {0.5, 0.5}, kStands)};
  seen.figures[1].cell.reset();
  const Reading reading = Interpret(seen, *tiles_);
  EXPECT_EQ(reading.figures[0].segment, -1);
  EXPECT_EQ(reading.figures[1].segment, -1);
}

}  // namespace
}  // namespace tilewarden::services
