// The innermost loops of a convolution, for each instruction set that a processor may have. All
// sum in the same order; those that round a product before they add it differ in the last bits.
// Vision-internal.
#pragma once

#include <cstddef>
#include <vector>

namespace tilewarden::vision {

// Some pixels of one layer, and some of its output channels: as many as fit into a few vectors.
struct KernelTask {
  // Of each pixel: where its window begins, where its first of these channels goes, and what is
  // added to it (none: nullptr).
  const float* const* in = nullptr;
  float* const* out = nullptr;
  const float* const* added = nullptr;
  int pixels = 0;
  // The window: so many rows of so many values that lie side by side, and how far apart rows are.
  int rows = 0, run = 0;
  std::size_t row_step = 0;
  // By row and value, one for each lane of the vectors. What stands past `channels` is not stored.
  const float* weights = nullptr;
  const float* bias = nullptr;
  int vectors = 0, channels = 0;
  // What is below 0 becomes 0, before or after something is added.
  bool rectified = false, added_last = false;
};

struct Kernel {
  const char* name;
  int lanes;         // floats in one vector
  int most_vectors;  // that a task may have
  void (*run)(const KernelTask& task);
};

// Those that this processor has, the fastest first; the last one runs on every processor.
const std::vector<Kernel>& Kernels();

}  // namespace tilewarden::vision
