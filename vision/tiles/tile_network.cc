#include "vision/tiles/tile_network.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "calibration/box/enrolment.h"
#include "calibration/common/checksum.h"
#include "nlohmann/json.hpp"
#include "vision/inference/network.h"
#include "vision/picture/in_parallel.h"
#include "vision/tiles/network_patch.h"

namespace tilewarden::vision {
namespace {

// Four sides by four kinds of edge; monastery, coat of arms, garden, one city.
constexpr std::size_t kEdgeOutputs = 16, kFlagOutputs = 4;
// So many at once on one thread: their layers stay near the processor, and the weights are fetched
// once for all of them.
constexpr std::size_t kBatch = 8;
// The layer that describes a patch.
constexpr std::string_view kDescriptor = "/mix/mix.2/Relu_output_0";
// Readings that are less likely are left out: there are some 300.
constexpr double kLeast = 0.0005;

using Outputs = std::vector<double>;

double Sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

// From raw values to probabilities, in place.
void Softmax(Outputs* values) {
  const double top = *std::max_element(values->begin(), values->end());
  double sum = 0;
  for (double& v : *values) sum += v = std::exp(v - top);
  for (double& v : *values) v /= sum;
}

}  // namespace

struct TileNetwork::State {
  struct Class {
    std::string tile;
    int rotation = 0;
    int period = 4;
    std::string garden;  // code of the garden copy, or none
  };

  std::optional<Network> network;
  std::vector<Class> classes;
  std::map<std::pair<std::string, int>, std::size_t> index;
  // What the raw values are divided by: one look, or the average of several.
  double temperature = 1, turns_temperature = 1;
  std::string id;

  std::size_t outputs() const { return classes.size() + 1 + kEdgeOutputs + kFlagOutputs; }

  std::vector<Outputs> Forward(const std::vector<cv::Mat>& inputs, std::string_view at) const;
  void Add(const Outputs& raw, int turns, Outputs* sum) const;
  TileScores Conclude(const Outputs& mean, const Looks& looks) const;
};

// What the network says of each patch, or one of its layers.
std::vector<Outputs> TileNetwork::State::Forward(const std::vector<cv::Mat>& inputs,
                                                 std::string_view at) const {
  std::vector<Outputs> results(inputs.size());
  const auto some = [&](std::size_t batch) {
    const std::size_t from = batch * kBatch, to = std::min(inputs.size(), from + kBatch);
    std::vector<cv::Mat> seen;
    for (std::size_t i = from; i < to; ++i) seen.push_back(Normalised(inputs[i]));
    const std::vector<cv::Mat> said = network->Run(seen, at);
    for (std::size_t i = from; i < to; ++i) {
      const cv::Mat& one = said.at(i - from);
      results[i].assign(one.ptr<float>(), one.ptr<float>() + one.channels());
    }
  };
  const std::size_t batches = (inputs.size() + kBatch - 1) / kBatch;
  if (batches == 1) {
    some(0);  // on several threads within
  } else {
    InParallel(batches, some);
  }
  return results;
}

// Adds what a patch that was turned `turns` clockwise says, turned back. Class
// scores are added as logarithms of probabilities.
void TileNetwork::State::Add(const Outputs& raw, int turns, Outputs* sum) const {
  const std::size_t n = classes.size() + 1;
  const double top = *std::max_element(raw.begin(), raw.begin() + static_cast<std::ptrdiff_t>(n));
  double all = 0;
  for (std::size_t i = 0; i < n; ++i) all += std::exp(raw[i] - top);
  const double norm = top + std::log(all);
  for (std::size_t i = 0; i + 1 < n; ++i) {
    const Class& seen = classes[i];
    const int rotation = (seen.rotation + 4 - turns) % seen.period;
    (*sum)[index.at({seen.tile, rotation})] += raw[i] - norm;
  }
  (*sum)[n - 1] += raw[n - 1] - norm;
  for (std::size_t edge = 0; edge < 4; ++edge) {
    // North of the turned patch was `turns` sides further anticlockwise.
    const std::size_t was = (edge + 4 - static_cast<std::size_t>(turns)) % 4;
    for (std::size_t kind = 0; kind < 4; ++kind)
      (*sum)[n + 4 * was + kind] += raw[n + 4 * edge + kind];
  }
  for (std::size_t flag = 0; flag < kFlagOutputs; ++flag) {
    (*sum)[n + kEdgeOutputs + flag] += raw[n + kEdgeOutputs + flag];
  }
}

TileScores TileNetwork::State::Conclude(const Outputs& mean, const Looks& looks) const {
  const double heat = looks.turns ? turns_temperature : temperature;
  const std::size_t n = classes.size() + 1;
  TileScores scores;
  for (std::size_t edge = 0; edge < 4; ++edge) {
    Outputs kinds(4);
    for (std::size_t kind = 0; kind < 4; ++kind) kinds[kind] = mean[n + 4 * edge + kind] / heat;
    Softmax(&kinds);
    std::copy(kinds.begin(), kinds.end(), scores.structure.edges[edge].begin());
  }
  const auto flag = [&](std::size_t i) { return Sigmoid(mean[n + kEdgeOutputs + i] / heat); };
  scores.structure.monastery = flag(0);
  scores.structure.coat_of_arms = flag(1);
  scores.structure.garden = flag(2);
  scores.structure.one_city = flag(3);

  Outputs p(mean.begin(), mean.begin() + static_cast<std::ptrdiff_t>(n));
  for (double& v : p) v /= heat;
  Softmax(&p);
  const auto is_of = [](const std::vector<std::string>& tiles, const std::string& tile) {
    return std::find(tiles.begin(), tiles.end(), tile) != tiles.end();
  };
  const auto allowed = [&](const std::string& tile) {
    return looks.tiles.empty() || tile == kOtherTile || is_of(looks.tiles, tile);
  };
  double sum = scores.nothing = p.back();
  for (std::size_t i = 0; i + 1 < n; ++i) {
    const Class& c = classes[i];
    const bool plain = allowed(c.tile), garden = !c.garden.empty() && allowed(c.garden);
    // With only one of the two in the set, the garden has been decided.
    const double in_garden = plain && garden ? scores.structure.garden : garden ? 1.0 : 0.0;
    if (plain) scores.readings.push_back({c.tile, c.rotation, p[i] * (1 - in_garden)});
    if (garden) scores.readings.push_back({c.garden, c.rotation, p[i] * in_garden});
    if (plain || garden) sum += p[i];
  }
  double with_others = sum;
  for (std::size_t i = 0; i + 1 < n && !looks.tiles.empty() && !looks.others.empty(); ++i) {
    const Class& c = classes[i];
    const bool plain = is_of(looks.others, c.tile);
    if (!plain && (c.garden.empty() || !is_of(looks.others, c.garden))) continue;
    scores.unexpected.push_back({plain ? c.tile : c.garden, c.rotation, p[i]});
    with_others += p[i];
  }
  scores.nothing /= sum;
  const auto tell = [](std::vector<TileReading>& readings, double all) {
    for (TileReading& reading : readings) reading.probability /= all;
    std::erase_if(readings, [](const TileReading& r) { return !(r.probability >= kLeast); });
    std::stable_sort(
        readings.begin(), readings.end(),
        [](const TileReading& a, const TileReading& b) { return a.probability > b.probability; });
  };
  tell(scores.readings, sum);
  tell(scores.unexpected, with_others);
  return scores;
}

TileNetwork::TileNetwork(std::unique_ptr<State> state) : state_(std::move(state)) {}
TileNetwork::TileNetwork(TileNetwork&&) noexcept = default;
TileNetwork& TileNetwork::operator=(TileNetwork&&) noexcept = default;
TileNetwork::~TileNetwork() = default;

absl::StatusOr<TileNetwork> TileNetwork::Load(const std::filesystem::path& folder) {
  const auto card_path = folder / "tile_network.json", net_path = folder / "tile_network.onnx";
  std::ifstream file(card_path);
  std::error_code error;
  if (!file || !std::filesystem::is_regular_file(net_path, error)) {
    return absl::NotFoundError(absl::StrCat(
        "no naming network in ", folder.string(),
        ": tile_network.onnx and tile_network.json belong there (or set TILEWARDEN_MODELS)"));
  }
  const auto damaged = [&](std::string_view why) {
    return absl::DataLossError(absl::StrCat("the naming network in ", folder.string(),
                                            " is damaged or of another version (", std::string(why),
                                            "): fetch it again"));
  };
  auto state = std::make_unique<State>();
  try {
    const nlohmann::json card = nlohmann::json::parse(file);
    if (card.at("format") != "tilewarden.tile-network/1" || card.at("patch_px") != kPatch_px ||
        card.at("margin") != kPatchMargin) {
      return damaged("its card is of another format");
    }
    state->temperature = card.at("temperature");
    state->turns_temperature = card.at("turns_temperature");
    if (!(state->temperature > 0) || !(state->turns_temperature > 0)) return damaged("temperature");
    for (const nlohmann::json& name : card.at("classes")) {
      State::Class c{name.at(0), name.at(1), card.at("periods").at(std::string(name.at(0))),
                     card.at("gardens").value(std::string(name.at(0)), "")};
      state->index[{c.tile, c.rotation}] = state->classes.size();
      state->classes.push_back(std::move(c));
    }
    for (const State::Class& c : state->classes) {
      if (c.period < 1 || c.period > 4) return damaged("classes");
      for (int r = 0; r < c.period; ++r) {
        if (!state->index.contains({c.tile, r})) return damaged("classes");
      }
    }
    std::ifstream weights(net_path, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(weights)), {});
    state->id = absl::StrFormat("%016x", calibration::Checksum(bytes));
    absl::StatusOr<Network> network = Network::Load(net_path);
    if (!network.ok()) return damaged("it cannot be read");
    state->network = *std::move(network);
    // A first pass shows whether the two files belong together.
    const std::vector<cv::Mat> dark = {cv::Mat::zeros(kPatch_px, kPatch_px, CV_32FC3)};
    if (state->network->Run(dark, kDescriptor).empty())
      return damaged("its layers have other names");
    const std::vector<cv::Mat> said = state->network->Run(dark);
    if (said.empty() || said.front().total() != 1 ||
        said.front().channels() != static_cast<int>(state->outputs())) {
      return damaged("its parts do not fit");
    }
  } catch (const nlohmann::json::exception& e) {
    return damaged(e.what());
  }
  return TileNetwork(std::move(state));
}

int TileNetwork::Turns(const std::string& tile) const {
  const auto& classes = state_->classes;
  const auto found = std::find_if(classes.begin(), classes.end(), [&](const State::Class& c) {
    return c.tile == tile || c.garden == tile;
  });
  return found == classes.end() ? 4 : found->period;
}

std::vector<std::string> TileNetwork::Tiles() const {
  std::vector<std::string> tiles;
  for (const State::Class& c : state_->classes) {
    if (c.rotation != 0 || c.tile == kOtherTile) continue;
    tiles.push_back(c.tile);
    if (!c.garden.empty()) tiles.push_back(c.garden);
  }
  return tiles;
}

const std::string& TileNetwork::Id() const { return state_->id; }

absl::StatusOr<std::vector<std::vector<float>>> TileNetwork::Describe(
    const std::vector<cv::Mat>& patches) const {
  std::vector<cv::Mat> inputs;
  for (const cv::Mat& given : patches) {
    absl::StatusOr<cv::Mat> patch = OfSize(given);
    if (!patch.ok()) return patch.status();
    inputs.push_back(*std::move(patch));
  }
  std::vector<std::vector<float>> descriptors;
  for (const Outputs& said : state_->Forward(inputs, kDescriptor)) {
    std::vector<float> values(said.begin(), said.end());
    const auto length = static_cast<float>(cv::norm(values));
    for (float& value : values) value /= std::max(length, 1e-6F);
    descriptors.push_back(std::move(values));
  }
  return descriptors;
}

absl::StatusOr<std::vector<TileScores>> TileNetwork::Name(const std::vector<cv::Mat>& patches,
                                                          const Looks& looks) const {
  const std::vector<std::string> known = Tiles();
  for (const auto* tiles : {&looks.tiles, &looks.others}) {
    for (const std::string& tile : *tiles) {
      if (std::find(known.begin(), known.end(), tile) != known.end()) continue;
      return absl::InvalidArgumentError(absl::StrCat("the naming network knows no tile ", tile));
    }
  }
  std::vector<cv::Point> shifts = {{0, 0}};
  if (looks.shifts) {
    for (const int s : {-kPatchShift_px, kPatchShift_px})
      shifts.insert(shifts.end(), {{s, 0}, {0, s}});
  }
  const int turns = looks.turns ? 4 : 1;
  // All at once: the network takes many faster than one after the other.
  std::vector<cv::Mat> inputs;
  for (const cv::Mat& given : patches) {
    const absl::StatusOr<cv::Mat> patch = OfSize(given);
    if (!patch.ok()) return patch.status();
    for (const cv::Point& by : shifts) {
      for (int t = 0; t < turns; ++t) inputs.push_back(calibration::Turned(Shifted(*patch, by), t));
    }
  }
  const std::vector<Outputs> raw = state_->Forward(inputs, {});
  const std::size_t each = shifts.size() * static_cast<std::size_t>(turns);
  std::vector<TileScores> all;
  all.reserve(patches.size());
  for (std::size_t first = 0; first < raw.size(); first += each) {
    Outputs mean(state_->outputs(), 0);
    for (std::size_t i = 0; i < each; ++i) {
      state_->Add(raw[first + i], static_cast<int>(i) % turns, &mean);
    }
    for (double& v : mean) v /= static_cast<double>(each);
    all.push_back(state_->Conclude(mean, looks));
  }
  return all;
}

}  // namespace tilewarden::vision
