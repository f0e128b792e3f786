// What a network does, step by step: made from the nodes of its file, where what follows a
// convolution at once has become part of it. Vision-internal.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vision/inference/convolution.h"
#include "vision/inference/onnx_file.h"

namespace tilewarden::vision {

struct NetworkPlan {
  static constexpr int kNone = -1;

  // Something that a step makes or takes.
  struct Value {
    std::string name;  // of the last operation that made it so
    int channels = 0;
    int border = 0;         // as the steps that take it want
    int last_used = kNone;  // by which step
  };

  struct Step {
    // One; of a transposed convolution one for each pixel that a pixel becomes, row by row.
    std::vector<Convolution> convolutions;
    int in = kNone, out = kNone, added = kNone;  // values
    int first_channel = 0;
    bool rectified = false, added_last = false;  // as in KernelTask

    int Stretch() const { return convolutions.size() == 1 ? 1 : 2; }
  };

  std::vector<Value> values;  // the first is the picture
  std::vector<Step> steps;    // each after those that make what it takes
};

// Nothing: the graph is made of other things than our networks. `kernel` outlives the plan.
std::optional<NetworkPlan> PlanOf(const OnnxGraph& graph, const Kernel& kernel);

}  // namespace tilewarden::vision
