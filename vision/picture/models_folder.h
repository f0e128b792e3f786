// Where the trained networks lie (their cards: vision/models/README.md).
#pragma once

#include <filesystem>

namespace tilewarden::vision {

// $TILEWARDEN_MODELS, else beside the installed program, else in the source
// tree it was built from.
std::filesystem::path ModelsFolder();

}  // namespace tilewarden::vision
