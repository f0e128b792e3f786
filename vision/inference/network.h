// A trained network, read from an ONNX file and run on the processor. It knows what ours are made
// of: convolutions, transposed ones of 2 x 2, rectifiers, sums of two layers, and at their ends
// layers that take all of a picture. Why not OpenCV's dnn: it takes twice the
// processor time. Vision-internal (cv:: types).
#pragma once

#include <filesystem>
#include <memory>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "opencv2/core.hpp"
#include "vision/inference/convolution_kernels.h"

namespace tilewarden::vision {

// May be used by several threads at once. Answers depend on the picture alone, not on the number of
// threads; between kernels they differ in the last bits.
class Network {
 public:
  // NOT_FOUND: no such file; DATA_LOSS: torn, or made of other things. Blocks on reading.
  static absl::StatusOr<Network> Load(const std::filesystem::path& file,
                                      const Kernel& kernel = Kernels().front());

  Network(Network&&) noexcept;
  Network& operator=(Network&&) noexcept;
  ~Network();

  // For each picture (CV_32F, as many channels as the network takes, all of one size) what the
  // network says of it: CV_32F, a channel for each output. None at all where the size or the
  // channels do not suit the network. `at`: the end of the name of the layer whose answer is
  // wanted; empty: the last one's. Blocks for the work, on several threads.
  std::vector<cv::Mat> Run(const std::vector<cv::Mat>& pictures, std::string_view at = {}) const;

 private:
  struct State;
  explicit Network(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace tilewarden::vision
