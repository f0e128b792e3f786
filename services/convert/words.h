// What people call things.
#pragma once

#include <string>

#include "tilewarden/v1/game.pb.h"

namespace tilewarden::services {

// What people call what a figure stands on: "city", "road" and so on; "tile" where that is not
// known.
std::string FeatureWord(v1::SegmentKind kind);

}  // namespace tilewarden::services
