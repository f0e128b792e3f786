// The part of an ONNX file that our networks need: nodes in order, and the float32 values that
// they learned. Vision-internal.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewarden::vision {

struct OnnxTensor {
  std::vector<std::int64_t> sizes;
  std::vector<float> values;  // the last size runs fastest
};

struct OnnxNode {
  std::string operation;  // "Conv", "Relu"
  std::vector<std::string> inputs, outputs;
  std::map<std::string, std::vector<std::int64_t>> numbers;  // attributes that are whole numbers
};

struct OnnxGraph {
  std::vector<OnnxNode> nodes;  // each after those whose outputs it takes
  std::map<std::string, OnnxTensor> learned;
};

// Nothing: the bytes are torn, or no ONNX.
std::optional<OnnxGraph> ParseOnnx(std::string_view bytes);

}  // namespace tilewarden::vision
