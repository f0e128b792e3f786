// A recorded game: people play, frame by frame, with hands that bring tiles
// and figures and take figures home, and now and then lay a tile wrongly and
// put it right. With the truth about every look between two moves of a hand.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "nlohmann/json.hpp"
#include "opencv2/core.hpp"
#include "tests/virtual_table/scene/scene.h"
#include "tests/virtual_table/scene/setting.h"
#include "tests/virtual_table/story/player.h"

namespace tilewarden::virtual_table {

struct RecordingPlan {
  GamePlan game;
  Level level = Level::kEasy;
  cv::Size size_px{1280, 720};
  std::optional<TableKind> table;
  double fps = 10;
  // Frames of a look between hands, and of a hand's way in or out.
  int look_frames = 9, way_frames = 4;
  // Turns (from 1) before which the tile is first laid where its edges do not
  // fit, and turns whose figure is set only after a look at the tile.
  std::vector<int> mistakes, late_figures;
  // The printed score track lies beside the board: markers are moved after each turn
  // that scores, but after these (from 1) the players forget to.
  bool score_track = false;
  std::vector<int> forgotten;
  // Of a long game only the end is wanted: what comes before this look is not drawn, and its frames
  // are empty.
  int first_look = 0;
};

struct FrameNote {
  int number = 0;  // from 0
  bool settled = false;
  int look = 0;      // of settled frames: index in the truth's looks
  std::string what;  // "look", "hand brings the tile", ...
  // Of whole games: the figures on the board that are no followers, by name.
  std::vector<std::pair<std::string, engine::Cell>> special = {};
};

using FrameSink = std::function<void(const cv::Mat& frame, const FrameNote& note)>;

// Plays and renders; returns the truth (format in README.md beside this file).
nlohmann::json Record(const RecordingPlan& plan, TileBox* box, const FrameSink& sink);

}  // namespace tilewarden::virtual_table
