// A whole game as single looks at a table, as a camera that looks a few times a turn has
// them: settled ones, and ones with a hand; with mistakes, a camera that is bumped, a lamp
// that is switched and a board that is pushed. With its truth.
#pragma once

#include "nlohmann/json.hpp"
#include "tests/virtual_table/story/recording.h"
#include "tests/virtual_table/story/story.h"

namespace tilewarden::virtual_table {

struct WholeGamePlan {
  StoryPlan story;
  Level level = Level::kMedium;
  cv::Size size_px{1280, 720};
  std::optional<TableKind> table;
  // Each once, in the middle half of the game.
  bool bump = false, lamp = false, push = false;
  // Tops in players' colours and bold stripes, other cameras, skins and sleeves, figures half over
  // edges, hands that linger.
  bool hostile = false;
};

// Plays and renders; returns the truth (`tilewarden.game/1` in README.md beside this file).
nlohmann::json PictureGame(const WholeGamePlan& plan, TileBox* box, const FrameSink& sink);

}  // namespace tilewarden::virtual_table
