#include "vision/tiles/tile_descriptors.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <numeric>
#include <utility>

#include "calibration/box/enrolment.h"
#include "calibration/box/laid_tiles.h"

namespace tilewarden::vision {
namespace {

// How much one more unit of likeness (a cosine) tells, as a logarithm, and what
// the network leaves to names that it does not mention.
constexpr double kTells = 20, kLeast = 3e-4;

}  // namespace

cv::Mat FacePatch(const cv::Mat& face) {
  const float last = static_cast<float>(face.cols) - 0.5F;
  return CutPatch(face, {cv::Point2f(-0.5F, -0.5F), {last, -0.5F}, {last, last}, {-0.5F, last}});
}

absl::Status DescribeInsteadOfShow(TileNetwork& network, calibration::ReferencePack* pack) {
  std::vector<cv::Mat> patches;
  for (const calibration::ReferencePicture& picture : pack->pictures) {
    patches.push_back(FacePatch(picture.picture));
  }
  auto values = network.Describe(patches);
  if (!values.ok()) return values.status();
  for (std::size_t i = 0; i < patches.size(); ++i) {
    pack->descriptors.push_back({pack->pictures[i].tile, std::move((*values)[i])});
  }
  pack->descriptor_network = network.Id();
  pack->pictures.clear();
  return absl::OkStatus();
}

absl::Status WeighByDescriptors(const cv::Mat& picture,
                                const std::array<cv::Point2f, 4>& corners_px,
                                const calibration::ReferencePack& pack, TileNetwork& network,
                                TileScores* scores) {
  if (pack.descriptor_network != network.Id()) {
    return absl::FailedPreconditionError(
        "the pack was made for another naming network than this program's; enrol the tiles again");
  }
  const cv::Mat face = calibration::CutOut(picture, corners_px);
  std::vector<cv::Mat> patches;
  for (int turn = 0; turn < 4; ++turn) {
    patches.push_back(FacePatch(calibration::Turned(face, -turn)));
  }
  const auto seen = network.Describe(patches);
  if (!seen.ok()) return seen.status();
  // By type and turn the most alike; turns that show the same are one.
  std::map<std::pair<std::string, int>, double> likeness;
  for (const calibration::ReferenceDescriptor& known : pack.descriptors) {
    for (int turn = 0; turn < 4; ++turn) {
      const std::vector<float>& values = (*seen)[static_cast<std::size_t>(turn)];
      if (values.size() != known.values.size()) {
        return absl::FailedPreconditionError("the pack's descriptors have another length");
      }
      const double cosine =
          std::inner_product(values.begin(), values.end(), known.values.begin(), 0.0);
      auto [best, added] =
          likeness.try_emplace({known.tile, turn % network.Turns(known.tile)}, cosine);
      if (!added) best->second = std::max(best->second, cosine);
    }
  }
  std::vector<TileReading> readings;
  double sum = 0;
  for (const auto& [name, cosine] : likeness) {
    double p = kLeast;
    for (const TileReading& reading : scores->readings) {
      if (reading.tile == name.first && reading.rotation == name.second) p += reading.probability;
    }
    readings.push_back({name.first, name.second, p * std::exp(kTells * (cosine - 1))});
    sum += readings.back().probability;
  }
  for (TileReading& reading : readings) reading.probability *= (1 - scores->nothing) / sum;
  std::erase_if(readings, [](const TileReading& r) { return r.probability < 5e-4; });
  std::stable_sort(readings.begin(), readings.end(),
                   [](const auto& a, const auto& b) { return a.probability > b.probability; });
  scores->readings = std::move(readings);
  return absl::OkStatus();
}

}  // namespace tilewarden::vision
