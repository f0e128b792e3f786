// Shows a story's moments, frame by frame: hands that bring tiles and set figures, and what
// happens to the table as a whole.
#pragma once

#include "nlohmann/json.hpp"
#include "tests/virtual_table/scene/laid_table.h"
#include "tests/virtual_table/scene/scene.h"
#include "tests/virtual_table/story/recording.h"
#include "tests/virtual_table/story/story.h"
#include "tests/virtual_table/story/whole_game.h"

namespace tilewarden::virtual_table {

// nudge: of the camera when it is bumped. other_light: once the lamp is switched. Returns the
// mistakes, the events and the number of frames of the truth.
nlohmann::json ShowGame(const WholeGamePlan& plan, const Story& story, Scene scene, LaidTable table,
                        TileBox* box, const FrameSink& sink, const Nudge& nudge,
                        const Lights& other_light);

}  // namespace tilewarden::virtual_table
