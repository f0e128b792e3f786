// A straightened picture as it lies on the board.
#pragma once

#include "engine/referee/sighting.h"
#include "tilewarden/v1/query.pb.h"
#include "tilewarden/v1/vision.pb.h"

namespace tilewarden::services {

// `lies`: how the lattice of its sighting lies. Without its age. Pure.
v1::BoardPicture OnBoard(const v1::TopView& view, const engine::BoardFromLattice& lies);

}  // namespace tilewarden::services
