#include "vision/inference/convolution.h"

#include <algorithm>

#include "opencv2/core/utility.hpp"

namespace tilewarden::vision {
namespace {

// So many pixels at once: their values and the weights stay near the processor.
constexpr int kPixelsAtOnce = 256;
// Multiplications that are worth a thread of their own.
constexpr double kWorthAThread = 1e6;

}  // namespace

std::size_t Layer::RowStep() const {
  return static_cast<std::size_t>(width + 2 * border) * static_cast<std::size_t>(channels);
}

float* Layer::At(int picture, int y, int x) const {
  return values + static_cast<std::size_t>(picture) * PictureStep() +
         static_cast<std::size_t>(y + border) * RowStep() +
         static_cast<std::size_t>(x + border) * static_cast<std::size_t>(channels);
}

void Layer::ClearBorder() const {
  if (border == 0) return;
  const std::size_t row = RowStep(), high = row * static_cast<std::size_t>(border);
  const auto wide = static_cast<std::size_t>(border * channels);
  for (int n = 0; n < pictures; ++n) {
    float* first = At(n, -border, -border);
    std::fill_n(first, high, 0.F);
    std::fill_n(At(n, height, -border), high, 0.F);
    for (int y = 0; y < height; ++y) {
      std::fill_n(At(n, y, -border), wide, 0.F);
      std::fill_n(At(n, y, width), wide, 0.F);
    }
  }
}

void Convolution::Divide() {
  const int vectors = (outputs_ + kernel_->lanes - 1) / kernel_->lanes;
  const int count = (vectors + kernel_->most_vectors - 1) / kernel_->most_vectors;
  int done = 0;
  for (int i = 0; i < count; ++i) {
    Part part;
    part.vectors = (vectors - done) / (count - i);
    part.first_channel = done * kernel_->lanes;
    part.channels = std::min(outputs_ - part.first_channel, part.vectors * kernel_->lanes);
    part.weights = static_cast<std::size_t>(part.first_channel) * Taps();
    part.bias = static_cast<std::size_t>(part.first_channel);
    done += part.vectors;
    parts_.push_back(part);
  }
  bias_.assign(static_cast<std::size_t>(vectors * kernel_->lanes), 0.F);
  weights_.assign(bias_.size() * Taps(), 0.F);
}

void Convolution::Run(const Layer& in, const Target& target, const After& after,
                      const Layer& out) const {
  const int height = Answers(in.height), width = Answers(in.width);
  const auto some_rows = [&](int from, int to) {
    const auto count = static_cast<std::size_t>((to - from) * width);
    std::vector<const float*> windows, added;
    std::vector<float*> answers;
    windows.reserve(count);
    answers.reserve(count);
    for (int row = from; row < to; ++row) {
      const int n = row / height, y = row % height;
      for (int x = 0; x < width; ++x) {
        windows.push_back(in.At(n, y * stride_ - pad_, x * stride_ - pad_));
        const int to_y = y * target.step + target.y, to_x = x * target.step + target.x;
        answers.push_back(out.At(n, to_y, to_x) + target.first_channel);
        if (after.added != nullptr) {
          added.push_back(after.added->At(n, to_y, to_x) + target.first_channel);
        }
      }
    }
    KernelTask task;
    task.in = windows.data();
    task.pixels = static_cast<int>(count);
    task.rows = side_;
    task.run = side_ * inputs_;
    task.row_step = in.RowStep();
    task.rectified = after.rectified;
    task.added_last = after.added_last;
    for (const Part& part : parts_) {
      task.out = answers.data();
      task.added = after.added == nullptr ? nullptr : added.data();
      task.weights = weights_.data() + part.weights;
      task.bias = bias_.data() + part.bias;
      task.vectors = part.vectors;
      task.channels = part.channels;
      kernel_->run(task);
      for (float*& answer : answers) answer += part.channels;
      for (const float*& other : added) other += part.channels;
    }
  };
  const int rows = in.pictures * height, at_once = std::max(1, kPixelsAtOnce / std::max(1, width));
  const double work = static_cast<double>(rows) * width * outputs_ * static_cast<double>(Taps());
  cv::parallel_for_(
      cv::Range(0, rows),
      [&](const cv::Range& range) {
        for (int row = range.start; row < range.end; row += at_once) {
          some_rows(row, std::min(range.end, row + at_once));
        }
      },
      std::clamp(work / kWorthAThread, 1.0, 16.0));
}

}  // namespace tilewarden::vision
