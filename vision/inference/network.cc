#include "vision/inference/network.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "vision/inference/convolution.h"
#include "vision/inference/network_plan.h"
#include "vision/inference/onnx_file.h"

namespace tilewarden::vision {
namespace {

constexpr int kNone = NetworkPlan::kNone;

// Memory of layers, kept for the next run.
class Memory {
 public:
  using Block = std::vector<float>;

  Block Take(std::size_t size) {
    const std::lock_guard lock(mutex_);
    auto best = spare_.end();
    for (auto block = spare_.begin(); block != spare_.end(); ++block) {
      if (block->size() >= size && (best == spare_.end() || block->size() < best->size())) {
        best = block;
      }
    }
    if (best == spare_.end()) return Block(size);
    Block taken = std::move(*best);
    spare_.erase(best);
    kept_ -= taken.size();
    return taken;
  }

  void Give(Block block) {
    constexpr std::size_t kMost = std::size_t{8} << 20;  // floats: 32 MiB
    const std::lock_guard lock(mutex_);
    if (kept_ + block.size() > kMost) return;
    kept_ += block.size();
    spare_.push_back(std::move(block));
  }

 private:
  std::mutex mutex_;
  std::vector<Block> spare_;
  std::size_t kept_ = 0;
};

// Layers while they are needed.
class Layers {
 public:
  Layers(Memory& memory, const std::vector<NetworkPlan::Value>& values)
      : memory_(memory), values_(values), layers_(values.size()), blocks_(values.size()) {}
  Layers(const Layers&) = delete;
  Layers& operator=(const Layers&) = delete;
  ~Layers() {
    for (std::size_t i = 0; i < blocks_.size(); ++i) Drop(static_cast<int>(i));
  }

  const Layer& operator[](int value) const { return layers_[static_cast<std::size_t>(value)]; }

  const Layer& Make(int value, int pictures, int height, int width) {
    const auto i = static_cast<std::size_t>(value);
    Layer& layer = layers_[i];
    if (layer.values != nullptr) return layer;  // another step made a part of it
    layer = {nullptr, pictures, height, width, values_[i].channels, values_[i].border};
    blocks_[i] = memory_.Take(layer.Size());
    layer.values = blocks_[i].data();
    layer.ClearBorder();
    return layer;
  }

  void Drop(int value) {
    const auto i = static_cast<std::size_t>(value);
    if (layers_[i].values == nullptr) return;
    layers_[i].values = nullptr;
    memory_.Give(std::move(blocks_[i]));
  }

 private:
  Memory& memory_;
  const std::vector<NetworkPlan::Value>& values_;
  std::vector<Layer> layers_;
  std::vector<Memory::Block> blocks_;
};

std::vector<cv::Mat> Copied(const Layer& layer) {
  std::vector<cv::Mat> copies;
  for (int n = 0; n < layer.pictures; ++n) {
    cv::Mat& copy = copies.emplace_back(layer.height, layer.width, CV_32FC(layer.channels));
    for (int y = 0; y < layer.height; ++y) {
      std::memcpy(copy.ptr(y), layer.At(n, y, 0),
                  copy.elemSize() * static_cast<std::size_t>(copy.cols));
    }
  }
  return copies;
}

}  // namespace

struct Network::State {
  NetworkPlan plan;
  mutable Memory memory;
};

Network::Network(std::unique_ptr<State> state) : state_(std::move(state)) {}
Network::Network(Network&&) noexcept = default;
Network& Network::operator=(Network&&) noexcept = default;
Network::~Network() = default;

absl::StatusOr<Network> Network::Load(const std::filesystem::path& file, const Kernel& kernel) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return absl::NotFoundError(absl::StrCat(file.string(), " cannot be read"));
  const std::string bytes((std::istreambuf_iterator<char>(stream)), {});
  const std::optional<OnnxGraph> graph = ParseOnnx(bytes);
  std::optional<NetworkPlan> plan;
  if (graph) plan = PlanOf(*graph, kernel);
  if (!plan) {
    return absl::DataLossError(absl::StrCat(file.string(), " is damaged or of another version"));
  }
  auto state = std::make_unique<State>();
  state->plan = *std::move(plan);
  return Network(std::move(state));
}

std::vector<cv::Mat> Network::Run(const std::vector<cv::Mat>& pictures, std::string_view at) const {
  if (pictures.empty()) return {};
  const NetworkPlan& plan = state_->plan;
  const auto count = static_cast<int>(pictures.size());
  const cv::Size size = pictures.front().size();
  const int channels = plan.values.front().channels;
  for (const cv::Mat& picture : pictures) {
    if (picture.type() != CV_32FC(channels) || picture.size() != size) return {};
  }
  Layers layers(state_->memory, plan.values);
  const Layer& first = layers.Make(0, count, size.height, size.width);
  for (int n = 0; n < count; ++n) {
    const cv::Mat& picture = pictures[static_cast<std::size_t>(n)];
    for (int y = 0; y < size.height; ++y) {
      std::memcpy(first.At(n, y, 0), picture.ptr(y),
                  picture.elemSize() * static_cast<std::size_t>(size.width));
    }
  }
  int last = kNone;
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    const NetworkPlan::Step& step = plan.steps[i];
    const Layer& in = layers[step.in];
    const int stretch = step.Stretch();
    const int height = step.convolutions.front().Answers(in.height) * stretch;
    const int width = step.convolutions.front().Answers(in.width) * stretch;
    const bool too_small = std::min(in.height, in.width) + 2 * step.convolutions.front().pad() <
                           step.convolutions.front().side();
    if (too_small) return {};
    const Layer& out = layers.Make(step.out, count, height, width);
    Convolution::After after{step.rectified, step.added_last, nullptr};
    if (step.added != kNone) after.added = &layers[step.added];
    if (out.height != height || out.width != width) return {};
    if (after.added != nullptr && (after.added->height != height || after.added->width != width)) {
      return {};
    }
    for (std::size_t part = 0; part < step.convolutions.size(); ++part) {
      const auto offset = static_cast<int>(part);
      step.convolutions[part].Run(
          in, {stretch, offset % stretch, offset / stretch, step.first_channel}, after, out);
    }
    last = step.out;
    const std::string& name = plan.values[static_cast<std::size_t>(last)].name;
    if (!at.empty() && std::string_view(name).ends_with(at)) return Copied(out);
    for (const int used : {step.in, step.added}) {
      if (used != kNone &&
          plan.values[static_cast<std::size_t>(used)].last_used == static_cast<int>(i)) {
        layers.Drop(used);
      }
    }
  }
  if (!at.empty()) return {};
  return Copied(layers[last]);
}

}  // namespace tilewarden::vision
