// An index into a vector, where the rules count with int. Never negative.
#pragma once

#include <cstddef>

namespace tilewarden::engine {

constexpr std::size_t At(int i) { return static_cast<std::size_t>(i); }

}  // namespace tilewarden::engine
