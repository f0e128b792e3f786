// The networks, read once for all tests of a program.
#pragma once

#include "vision/reader/read_table.h"

namespace tilewarden::vision {

inline const Networks& Loaded() {
  static const absl::StatusOr<Networks> networks = Networks::Load();
  return networks.value();
}

}  // namespace tilewarden::vision
