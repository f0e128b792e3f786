// Every tunable of the vision folder: default, unit, and what raising it costs.
#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"

namespace tilewarden::vision {

struct Options {
  // Colours that play, when known; empty: any of the usual ones.
  std::vector<std::string> colours;
  // Folder for a picture of every stage; empty: none. Costs disk and time.
  std::string debug_folder;

  // INVALID_ARGUMENT: a value outside its range; the message names it.
  absl::Status Check() const;
};

}  // namespace tilewarden::vision
