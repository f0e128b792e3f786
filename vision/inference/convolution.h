// One layer of a network: a convolution over pictures whose channels lie side by side, and what
// follows it at once. Vision-internal.
#pragma once

#include <cstddef>
#include <vector>

#include "vision/inference/convolution_kernels.h"
#include "vision/inference/onnx_file.h"

namespace tilewarden::vision {

// Values of some pictures of one size, by picture, row, column and channel. Around each picture
// lies a border, which is 0. Does not own its values.
struct Layer {
  // Kernels may read so many values past the end.
  static constexpr std::size_t kSlack = 16;

  float* values = nullptr;
  int pictures = 0, height = 0, width = 0, channels = 0, border = 0;

  std::size_t RowStep() const;
  std::size_t PictureStep() const {
    return RowStep() * static_cast<std::size_t>(height + 2 * border);
  }
  std::size_t Size() const { return PictureStep() * static_cast<std::size_t>(pictures) + kSlack; }
  float* At(int picture, int y, int x) const;
  void ClearBorder() const;
};

class Convolution {
 public:
  // weight(output, input, row, column); `bias` by output.
  template <typename Weight>
  Convolution(const Kernel& kernel, int outputs, int inputs, int side, int stride, int pad,
              const std::vector<float>& bias, const Weight& weight);

  // What it answers goes to every `step`-th pixel of `out` from (x, y) on, and there to the
  // channels from `first_channel` on.
  struct Target {
    int step = 1, x = 0, y = 0, first_channel = 0;
  };
  // What becomes of the sums: see KernelTask. `added` is of the size of `out`.
  struct After {
    bool rectified = false, added_last = false;
    const Layer* added = nullptr;
  };
  // On several threads. The border of `in` is at least as wide as what is padded.
  void Run(const Layer& in, const Target& target, const After& after, const Layer& out) const;

  // How many answers there are in a row or column of so many pixels.
  int Answers(int pixels) const { return (pixels + 2 * pad_ - side_) / stride_ + 1; }
  int outputs() const { return outputs_; }
  int inputs() const { return inputs_; }
  int side() const { return side_; }
  int pad() const { return pad_; }

 private:
  // Output channels that a kernel works on at once.
  struct Part {
    int vectors = 0, first_channel = 0, channels = 0;
    std::size_t weights = 0, bias = 0;  // where they begin
  };
  void Divide();
  std::size_t Taps() const { return static_cast<std::size_t>(side_ * side_ * inputs_); }

  const Kernel* kernel_;
  int outputs_, inputs_, side_, stride_, pad_;
  std::vector<Part> parts_;
  std::vector<float> weights_, bias_;
};

template <typename Weight>
Convolution::Convolution(const Kernel& kernel, int outputs, int inputs, int side, int stride,
                         int pad, const std::vector<float>& bias, const Weight& weight)
    : kernel_(&kernel),
      outputs_(outputs),
      inputs_(inputs),
      side_(side),
      stride_(stride),
      pad_(pad) {
  Divide();
  for (const Part& part : parts_) {
    const auto lanes = static_cast<std::size_t>(part.vectors * kernel.lanes);
    for (int k = 0; k < part.channels; ++k) {
      const int output = part.first_channel + k;
      bias_[part.bias + static_cast<std::size_t>(k)] = bias[static_cast<std::size_t>(output)];
      float* to = weights_.data() + part.weights + k;
      for (int y = 0; y < side; ++y) {
        for (int x = 0; x < side; ++x) {
          for (int input = 0; input < inputs; ++input, to += lanes) {
            *to = weight(output, input, y, x);
          }
        }
      }
    }
  }
}

}  // namespace tilewarden::vision
