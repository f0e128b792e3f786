// Work on many things at once. Vision-internal.
#pragma once

#include <cstddef>

#include "opencv2/core/utility.hpp"

namespace tilewarden::vision {

// Calls work(i) for each i from `first` up to `last`, which is not among them, on several threads
// and in any order.
template <typename Work>
void InParallel(std::size_t first, std::size_t last, const Work& work) {
  cv::parallel_for_(cv::Range(static_cast<int>(first), static_cast<int>(last)),
                    [&](const cv::Range& range) {
                      for (int i = range.start; i < range.end; ++i) {
                        work(static_cast<std::size_t>(i));
                      }
                    });
}
template <typename Work>
void InParallel(std::size_t count, const Work& work) {
  InParallel(0, count, work);
}

}  // namespace tilewarden::vision
