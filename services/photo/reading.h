// A reading of one picture: what vision saw, in the words of a tile set.
// Turns that show the same edges become one, doubtful tiles are weighed with
// their neighbours and the box (engine/referee/board_reading.h), a figure gets the feature
// that it stands on, and placements that cannot be are named. Pure functions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/referee/sighting.h"
#include "engine/tiles/tile_set.h"
#include "nlohmann/json.hpp"
#include "vision/sighting.h"

namespace tilewarden::services {

// Below this a tile is refused rather than named.
inline constexpr double kNamed = 0.5;
// And below this it is named with doubt: of tiles with a figure on them, whether a coat of arms
// lies under it is often no more than likely.
inline constexpr double kSurelyNamed = 0.9;

struct ReadTile {
  vision::LatticeCell cell;
  // Index in the set's types, or -1: refused.
  int type = -1;
  int rotation = 0;
  double probability = 0;
  std::vector<engine::TileCandidate> alternatives;  // most likely first
  std::array<vision::Point, 4> corners_px;          // canonical NW, NE, SE, SW

  bool doubted() const { return type >= 0 && probability < kSurelyNamed; }
  // A tile, but none of this set: an expansion's.
  bool of_another_box() const {
    return type < 0 && probability >= kNamed && alternatives.front().tile.empty();
  }
};

struct ReadFigure {
  const vision::SightedFigure* figure = nullptr;
  std::string colour;
  bool standing = true;
  // On the tile's type; -1: beside the board or on a refused tile.
  int segment = -1;
};

struct Mismatch {
  vision::LatticeCell first, second;
  std::string text;
};

struct Reading {
  std::vector<ReadTile> tiles;
  std::vector<ReadFigure> figures;  // point into the sighting
  std::vector<Mismatch> mismatches;
};

Reading Interpret(const vision::Sighting& sighting, const engine::TileSet& tiles);

struct ColourWorth;  // services/photo/board_worth.h

// Schema tilewarden.reading/1.
nlohmann::json ToJson(const Reading& reading, const std::vector<ColourWorth>& worth,
                      const vision::Sighting& sighting, const engine::TileSet& tiles,
                      const std::string& picture);
// For a terminal: a line for each tile and figure, and what the board is worth.
std::string ToText(const Reading& reading, const std::vector<ColourWorth>& worth,
                   const vision::Sighting& sighting, const engine::TileSet& tiles,
                   const std::string& picture);

}  // namespace tilewarden::services
