// The wooden figures of all boxes.
#pragma once

#include <cstdint>

namespace tilewarden::engine {

enum class FigureKind : std::uint8_t { kFollower, kAbbot, kProphet, kArk, kGingerbreadMan };

}  // namespace tilewarden::engine
