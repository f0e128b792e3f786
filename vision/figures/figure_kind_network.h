// Tells kinds of figures, whether they stand, and things that are not figures by how they look: a
// small network that was trained on the virtual table (its card: vision/models/README.md). What the
// outline alone does not tell, a mitre from above, the pips of a die, this does. Vision-internal
// (cv:: types).
#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "opencv2/core.hpp"
#include "vision/figures/figure_kinds.h"
#include "vision/inference/network.h"
#include "vision/picture/camera_pose.h"
#include "vision/picture/models_folder.h"
#include "vision/sighting.h"

namespace tilewarden::vision {

// What is seen around a figure, always from the same side: what stands leans upwards in it.
struct FigureLook {
  static constexpr int kSide_px = 80;
  static constexpr double kPx_per_tile = 96;

  cv::Mat picture;  // CV_8UC3 of kSide_px; as much light everywhere as falls on white there
  float lean = 0;   // how far the top of something stands out, in its heights
};

// foot: on the table, in the lattice. white: what a white surface shows there.
FigureLook LookAt(const cv::Mat& frame, const cv::Matx33d& px_from_lattice, const CameraPose& pose,
                  cv::Point2d foot, const cv::Vec3f& white);

struct FigureKindAnswer {
  // Probabilities that sum to 1.
  std::array<double, kToldKinds> kinds{};  // by FigureKindFacts::told_by
  double none = 0;                         // that it is not a figure
  double standing_logit = 0;               // that it stands and does not lie, if it is one

  double Of(FigureKind kind) const { return kinds[FactsOf(kind).told_by]; }
};

// The special kind that something clearly is by its look, where it is not among those that are
// expected; nothing: it is of one of those, a follower, or not clear.
std::optional<KindProbability> UnexpectedKind(const FigureKindAnswer& look,
                                              const std::vector<FigureKind>& expected);

// Thread safe.
class FigureKindNetwork {
 public:
  // Loads figure_kind_network.onnx from the folder. NOT_FOUND: not there; DATA_LOSS:
  // torn or of another version. Blocks on reading.
  static absl::StatusOr<FigureKindNetwork> Load(
      const std::filesystem::path& folder = ModelsFolder());

  // Blocks: about a millisecond.
  FigureKindAnswer Tell(const FigureLook& look) const;

 private:
  explicit FigureKindNetwork(Network network) : network_(std::move(network)) {}
  Network network_;
};

}  // namespace tilewarden::vision
