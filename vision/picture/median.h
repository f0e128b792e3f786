// The value in the middle. Vision-internal.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace tilewarden::vision {

// Of an even number the upper of the two. values: not empty; by value, as they are put in order.
template <typename T>
T Median(std::vector<T> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace tilewarden::vision
