// What `tilewarden read` makes of what was seen: names, features and their worth.
#include "services/photo/reading.h"

#include <memory>
#include <string>
#include <vector>

#include "engine/game/rules.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "services/photo/board_worth.h"

namespace tilewarden::services {
namespace {

vision::SightedTile Tile(const std::string& code, vision::LatticeCell cell, int rotation,
                         double probability = 0.99) {
  vision::SightedTile tile;
  tile.cell = cell;
  tile.candidates = {{code, rotation, probability}};
  return tile;
}

vision::SightedFigure Figure(const std::string& colour, vision::LatticeCell cell,
                             vision::Point foot, double standing = 1) {
  vision::SightedFigure figure;
  figure.cell = cell;
  figure.foot = foot;
  figure.foot_sigma = 0.03;
  figure.colours = {{colour, 1}};
  figure.standing_probability = standing;
  figure.probability = 1;
  return figure;
}

// A city of two tiles, complete, and a road that leaves it to the east.
vision::Sighting Board() {
  vision::Sighting seen;
  seen.tiles = {Tile("B.D", {0, 0}, 0), Tile("B.E", {0, -1}, 2), Tile("B.U", {1, 0}, 0)};
  return seen;
}

class BoardWorth : public testing::Test {
 protected:
  std::vector<std::string> Lines(const vision::Sighting& seen, const engine::Rules& rules = {}) {
    std::vector<std::string> lines;
    for (const ColourWorth& of : WorthNow(Interpret(seen, *tiles_), tiles_, rules)) {
      for (const engine::ScoreItem& item : of.items) {
        lines.push_back(of.colour + " " + std::to_string(item.points) + " " + item.reason);
      }
      lines.push_back(of.colour + " " + std::to_string(of.points));
    }
    return lines;
  }

  std::shared_ptr<const engine::TileSet> tiles_ = *engine::TileSet::Load("base.c1");
};

TEST_F(BoardWorth, EachFeatureGoesToWhoeverHoldsIt) {
  vision::Sighting seen = Board();
  seen.figures = {Figure("red", {0, -1}, {0.5, 0.9}), Figure("blue", {1, 0}, {0.5, 0.5}),
                  Figure("blue", {0, 0}, {0.1, 0.35}, 0)};
  EXPECT_THAT(Lines(seen), testing::ElementsAre("blue 3 farm beside 1 completed city",
                                                "blue 2 unfinished road: 2 tiles", "blue 5",
                                                "red 4 completed city: 2 tiles", "red 4"));
}

TEST_F(BoardWorth, IsThatOfTheRulesPlayed) {
  vision::Sighting seen = Board();
  seen.figures = {Figure("red", {0, -1}, {0.5, 0.9}), Figure("blue", {0, 0}, {0.1, 0.35}, 0)};
  engine::Rules first;
  first.farm_scoring = engine::FarmScoring::kFirst;
  first.two_tile_city_points = 2;
  EXPECT_THAT(Lines(seen, first),
              testing::ElementsAre("blue 4 most farmers around a completed city", "blue 4",
                                   "red 2 completed city: 2 tiles", "red 2"));
}

TEST_F(BoardWorth, WhatIsRefusedOrBesideTheBoardCountsForNothing) {
  vision::Sighting seen = Board();
  seen.tiles[2].candidates[0].probability = 0.2;
  seen.figures = {Figure("blue", {1, 0}, {0.5, 0.5}), Figure("red", {0, 0}, {0.5, 0.5})};
  seen.figures[1].cell.reset();
  EXPECT_THAT(Lines(seen), testing::IsEmpty());
}

TEST_F(BoardWorth, DoubtIsSaidWithWhatElseItMayBe) {
  vision::Sighting seen = Board();
  seen.tiles[1].candidates[0].probability = 0.7;
  seen.tiles[1].candidates.push_back({"B.H", 0, 0.25});
  const Reading reading = Interpret(seen, *tiles_);
  EXPECT_FALSE(reading.tiles[0].doubted());
  EXPECT_TRUE(reading.tiles[1].doubted());
  EXPECT_TRUE(ToJson(reading, {}, seen, *tiles_, "a.jpg")["tiles"][1]["doubted"]);
  EXPECT_THAT(ToText(reading, {}, seen, *tiles_, "a.jpg"), testing::HasSubstr(" %  or B.H?\n"));
}

TEST_F(BoardWorth, WhatOfTheBoardWasNotReadIsSaid) {
  vision::Sighting seen = Board();
  seen.width_px = 900;
  seen.height_px = 600;
  EXPECT_THAT(ToText(Interpret(seen, *tiles_), {}, seen, *tiles_, "a.jpg"),
              testing::Not(testing::HasSubstr("not the whole board")));
  vision::NotRead cut;
  cut.why = vision::NotReadWhy::kCutByBorder;
  cut.cell = {-1, 0};
  cut.corners_px = {{{-50, 250}, {50, 250}, {50, 350}, {-50, 350}}};
  seen.not_read = {cut};
  const Reading reading = Interpret(seen, *tiles_);
  EXPECT_THAT(
      ToText(reading, {}, seen, *tiles_, "a.jpg"),
      testing::HasSubstr("  ! not the whole board (left): the picture's border cuts off tiles "
                         "of the board: take in more of the table\n"));
  const nlohmann::json json = ToJson(reading, {}, seen, *tiles_, "a.jpg")["incomplete"];
  EXPECT_EQ(json, nlohmann::json::parse(R"([{"why": "cut-by-border", "cell": [-1, 0],
    "corners_px": [[-50.0, 250.0], [50.0, 250.0], [50.0, 350.0], [-50.0, 350.0]]}])"));
}

TEST_F(BoardWorth, IsSaidInTextAndInJson) {
  vision::Sighting seen = Board();
  seen.figures = {Figure("red", {0, -1}, {0.5, 0.9})};
  const Reading reading = Interpret(seen, *tiles_);
  const std::vector<ColourWorth> worth = WorthNow(reading, tiles_, {});
  EXPECT_THAT(ToText(reading, worth, seen, *tiles_, "a.jpg"),
              testing::HasSubstr("  worth now, on top of what was scored before:\n"
                                 "    red        4\n"
                                 "        4  completed city: 2 tiles, at (0, -1)\n"));
  const nlohmann::json json = ToJson(reading, worth, seen, *tiles_, "a.jpg")["worth_now"];
  EXPECT_EQ(json, nlohmann::json::parse(R"([{"colour": "red", "points": 4, "features": [
    {"kind": "city", "points": 4, "reason": "completed city: 2 tiles",
     "cells": [[0, -1], [0, 0]]}]}])"));
}

}  // namespace
}  // namespace tilewarden::services
