#include "vision/inference/network_plan.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace tilewarden::vision {
namespace {

constexpr int kNone = NetworkPlan::kNone;
using Value = NetworkPlan::Value;
using Step = NetworkPlan::Step;

std::int64_t NumberOf(const OnnxNode& node, const char* name, std::int64_t otherwise) {
  const auto found = node.numbers.find(name);
  return found == node.numbers.end() ? otherwise : found->second.front();
}

// Whether all of these are the same.
bool Same(const OnnxNode& node, const char* name, std::int64_t value) {
  const auto found = node.numbers.find(name);
  return found == node.numbers.end() ||
         std::all_of(found->second.begin(), found->second.end(),
                     [&](std::int64_t number) { return number == value; });
}

class Planner {
 public:
  Planner(const OnnxGraph& graph, const Kernel& kernel) : graph_(graph), kernel_(kernel) {}

  std::optional<NetworkPlan> Make() {
    if (graph_.nodes.front().inputs.empty()) return std::nullopt;
    values_.push_back({graph_.nodes.front().inputs.front()});
    for (const OnnxNode& node : graph_.nodes) {
      if (node.outputs.size() != 1 || node.inputs.empty() || !Add(node)) return std::nullopt;
    }
    if (steps_.empty() || values_.front().channels == 0) return std::nullopt;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      const Step& step = steps_[i];
      const auto index = static_cast<int>(i);
      values_[static_cast<std::size_t>(step.in)].last_used = index;
      if (step.added != kNone) values_[static_cast<std::size_t>(step.added)].last_used = index;
    }
    return NetworkPlan{std::move(values_), std::move(steps_)};
  }

 private:
  bool Add(const OnnxNode& node) {
    if (node.operation == "Conv") return AddConvolution(node);
    if (node.operation == "ConvTranspose") return AddTransposed(node);
    if (node.operation == "Gemm") return AddWhole(node);
    if (node.operation == "Relu") return AddRectifier(node);
    if (node.operation == "Add") return AddSum(node);
    if (node.operation == "Flatten") return Rename(Find(node.inputs.front()), node.outputs.front());
    return node.operation == "Concat" && AddJoined(node);
  }

  int Find(const std::string& name) const {
    for (std::size_t i = 0; i < values_.size(); ++i) {
      if (values_[i].name == name) return static_cast<int>(i);
    }
    return kNone;
  }

  // The value goes on under a new name. Who asks for the old one later finds nothing: then this is
  // none of our networks.
  bool Rename(int value, const std::string& now) {
    if (value == kNone) return false;
    values_[static_cast<std::size_t>(value)].name = now;
    return true;
  }

  // The step that makes a value which nothing has taken yet.
  Step* MakerOf(int value) {
    Step* maker = nullptr;
    for (Step& step : steps_) {
      if (step.in == value || step.added == value) return nullptr;
      if (step.out == value) maker = &step;
    }
    return maker;
  }

  const OnnxTensor* Learned(const OnnxNode& node, std::size_t input) const {
    if (input >= node.inputs.size()) return nullptr;
    const auto found = graph_.learned.find(node.inputs[input]);
    return found == graph_.learned.end() ? nullptr : &found->second;
  }

  // A step that takes the node's first input, which has so many channels.
  Step* NewStep(const OnnxNode& node, std::int64_t inputs, std::int64_t outputs, int pad) {
    const int in = Find(node.inputs.front());
    const OnnxTensor* bias = Learned(node, 2);
    if (in == kNone || bias == nullptr) return nullptr;
    if (bias->values.size() != static_cast<std::size_t>(outputs)) return nullptr;
    Value& value = values_[static_cast<std::size_t>(in)];
    if (value.channels == 0 && in == 0) value.channels = static_cast<int>(inputs);
    if (value.channels != inputs) return nullptr;
    value.border = std::max(value.border, pad);
    Step& step = steps_.emplace_back();
    step.in = in;
    step.out = static_cast<int>(values_.size());
    values_.push_back({node.outputs.front(), static_cast<int>(outputs)});
    return &step;
  }

  bool AddConvolution(const OnnxNode& node) {
    const OnnxTensor* weights = Learned(node, 1);
    if (weights == nullptr || weights->sizes.size() != 4) return false;
    const auto& size = weights->sizes;
    const std::int64_t side = size[2], stride = NumberOf(node, "strides", 1);
    const std::int64_t pad = NumberOf(node, "pads", 0);
    if (size[3] != side || stride < 1 || pad < 0 || pad >= side) return false;
    if (!Same(node, "strides", stride) || !Same(node, "pads", pad) || !Same(node, "group", 1) ||
        !Same(node, "dilations", 1)) {
      return false;
    }
    Step* step = NewStep(node, size[1], size[0], static_cast<int>(pad));
    if (step == nullptr) return false;
    const auto inputs = static_cast<int>(size[1]), across = static_cast<int>(side);
    step->convolutions.emplace_back(
        kernel_, static_cast<int>(size[0]), inputs, across, static_cast<int>(stride),
        static_cast<int>(pad), Learned(node, 2)->values, [&](int o, int i, int y, int x) {
          return weights
              ->values[static_cast<std::size_t>(((o * inputs + i) * across + y) * across + x)];
        });
    return true;
  }

  bool AddTransposed(const OnnxNode& node) {
    constexpr int kSide = 2;
    const OnnxTensor* weights = Learned(node, 1);
    if (weights == nullptr || weights->sizes.size() != 4) return false;
    const auto& size = weights->sizes;  // input channels first
    if (size[2] != kSide || size[3] != kSide || !Same(node, "strides", kSide) ||
        NumberOf(node, "strides", 1) != kSide || !Same(node, "pads", 0) ||
        !Same(node, "group", 1) || !Same(node, "dilations", 1) ||
        !Same(node, "output_padding", 0)) {
      return false;
    }
    Step* step = NewStep(node, size[0], size[1], 0);
    if (step == nullptr) return false;
    const auto outputs = static_cast<int>(size[1]);
    for (int at = 0; at < kSide * kSide; ++at) {
      step->convolutions.emplace_back(
          kernel_, outputs, static_cast<int>(size[0]), 1, 1, 0, Learned(node, 2)->values,
          [&](int o, int i, int, int) {
            return weights
                ->values[static_cast<std::size_t>((i * outputs + o) * kSide * kSide + at)];
          });
    }
    return true;
  }

  // All of a picture at once: a convolution as large as that, which is square.
  bool AddWhole(const OnnxNode& node) {
    const OnnxTensor* weights = Learned(node, 1);
    if (weights == nullptr || weights->sizes.size() != 2) return false;
    if (NumberOf(node, "transB", 0) != 1 || NumberOf(node, "transA", 0) != 0) return false;
    const int in = Find(node.inputs.front());
    if (in == kNone) return false;
    const int inputs = values_[static_cast<std::size_t>(in)].channels;
    const std::int64_t all = weights->sizes[1];
    if (inputs < 1 || all % inputs != 0) return false;
    const auto side = static_cast<int>(std::lround(std::sqrt(static_cast<double>(all / inputs))));
    if (std::int64_t{side} * side * inputs != all) return false;
    Step* step = NewStep(node, inputs, weights->sizes[0], 0);
    if (step == nullptr) return false;
    step->convolutions.emplace_back(
        kernel_, static_cast<int>(weights->sizes[0]), inputs, side, 1, 0, Learned(node, 2)->values,
        [&](int o, int i, int y, int x) {
          return weights
              ->values[static_cast<std::size_t>(((o * inputs + i) * side + y) * side + x)];
        });
    return true;
  }

  bool AddRectifier(const OnnxNode& node) {
    const int value = Find(node.inputs.front());
    Step* maker = MakerOf(value);
    if (maker == nullptr || maker->rectified) return false;
    maker->rectified = true;
    return Rename(value, node.outputs.front());
  }

  // Becomes part of the step that makes the later one of the two.
  bool AddSum(const OnnxNode& node) {
    if (node.inputs.size() != 2) return false;
    int later = Find(node.inputs[0]), earlier = Find(node.inputs[1]);
    if (later == kNone || earlier == kNone || later == earlier) return false;
    if (later < earlier) std::swap(later, earlier);
    Step* maker = MakerOf(later);
    const auto channels = [&](int value) {
      return values_[static_cast<std::size_t>(value)].channels;
    };
    if (maker == nullptr || maker->added != kNone || channels(later) != channels(earlier)) {
      return false;
    }
    maker->added = earlier;
    maker->added_last = maker->rectified;
    return Rename(later, node.outputs.front());
  }

  // The last answers side by side: the steps that make them write to one place.
  bool AddJoined(const OnnxNode& node) {
    if (NumberOf(node, "axis", 0) != 1) return false;
    Value joined{node.outputs.front()};
    const auto index = static_cast<int>(values_.size());
    for (const std::string& input : node.inputs) {
      const int value = Find(input);
      Step* maker = MakerOf(value);
      if (maker == nullptr || maker->added != kNone) return false;
      maker->out = index;
      maker->first_channel = joined.channels;
      joined.channels += values_[static_cast<std::size_t>(value)].channels;
    }
    values_.push_back(std::move(joined));
    return true;
  }

  const OnnxGraph& graph_;
  const Kernel& kernel_;
  std::vector<Value> values_;  // the first is the picture
  std::vector<Step> steps_;
};

}  // namespace

std::optional<NetworkPlan> PlanOf(const OnnxGraph& graph, const Kernel& kernel) {
  return Planner(graph, kernel).Make();
}

}  // namespace tilewarden::vision
