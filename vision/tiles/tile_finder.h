// Where tiles lie in a picture, by one look at all of it: a small fully convolutional network that
// was trained on made-up tables (its card: vision/models/README.md). Every place says whether a
// tile lies there, where its middle is and how it lies; what agrees is one tile. It needs no
// picture of the tiles, and knows nothing of boards. Vision-internal (cv:: types).
#pragma once

#include <filesystem>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "opencv2/core.hpp"
#include "opencv2/dnn.hpp"
#include "vision/picture/models_folder.h"

namespace tilewarden::vision {

struct FoundTile {
  // To a few hundredths of a side, without perspective. Any of its corners may be the first.
  cv::Matx33f px_from_tile;
  // The share of its area that says so, 0 to 1.
  double evidence = 0;
};

// Not thread safe, as the network keeps its layers' results: one per thread.
class TileFinder {
 public:
  // Loads finder_network.onnx from the folder. NOT_FOUND: not there; DATA_LOSS: torn or of another
  // version. Blocks on reading.
  static absl::StatusOr<TileFinder> Load(const std::filesystem::path& folder = ModelsFolder());

  // The tiles in a picture (8-bit BGR), the clearest first; each once. Sides between a fiftieth and
  // a third of the picture's longer side. Blocks: some tenths of a second.
  std::vector<FoundTile> Find(const cv::Mat& picture);

 private:
  explicit TileFinder(cv::dnn::Net net) : net_(std::move(net)) {}
  // Of the picture at one size.
  std::vector<FoundTile> FindAt(const cv::Mat& picture, int side_px);

  cv::dnn::Net net_;
};

}  // namespace tilewarden::vision
