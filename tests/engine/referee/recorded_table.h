// A recorded table's truth as the sightings that a good reader would make of
// its frames: each in a lattice of its own (seeded origin and quarter turn),
// with noise, and with everything near the hand or under the arm hidden. So the
// referee is proven on real games without any vision.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/referee/sighting.h"
#include "engine/tiles/tile_set.h"

namespace tilewarden::engine {

struct RecordedFrame {
  bool settled = false;
  int state = 0;  // turns played
  Sighting sighting;
  struct Figure {
    Cell cell;  // y south
    std::string colour;
    SegmentKind on = SegmentKind::kField;
  };
  std::vector<Figure> figures;  // truth
};

struct RecordedMove {
  std::string colour;
  std::string tile;
  Cell cell;  // y south
  int rotation = 0;
};

struct RecordedTable {
  std::vector<RecordedFrame> frames;
  int start_rotation = 0;
  std::vector<RecordedMove> moves;
  std::vector<std::string> players;                // in the order of play
  std::vector<std::map<std::string, int>> scores;  // by turns played
};

struct RecordedNoise {
  unsigned seed = 1;
  double foot = 0.03;           // standard deviation, tile sizes
  double doubtful_tile = 0.05;  // rate of tiles read at 60 % with a wrong second
  // A new tile is seen in part while the hand sets a figure on it.
  bool glimpses = false;
};

// Folder with truth.json and scores.json.
RecordedTable ReadRecordedTable(const std::filesystem::path& folder, const TileSet& tiles,
                                const RecordedNoise& noise);

}  // namespace tilewarden::engine
