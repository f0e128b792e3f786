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
#include "vision/inference/network.h"
#include "vision/picture/models_folder.h"

namespace tilewarden::vision {

struct FoundTile {
  // To a few hundredths of a side, without perspective. Any of its corners may be the first.
  cv::Matx33f px_from_tile;
  // The share of its area that says so, 0 to 1.
  double evidence = 0;
};

// Whether a tile lies there, place by place, whichever tile it is. Told for all of the picture,
// also where the border cuts a tile, or two lie so that they do not agree on one.
struct TileCover {
  cv::Mat probability;  // CV_32F, a place for each few pixels; empty: nothing is known
  cv::Matx33d place_from_px = cv::Matx33d::eye();

  // Of a tile that lies here, but for its rim: the share that lies in a picture of this size, and
  // the mean over that share.
  struct Share {
    double in_picture = 0, covered = 0;
  };
  Share Of(const cv::Matx33f& px_from_tile, cv::Size picture) const;
};

struct FoundTiles {
  std::vector<FoundTile> tiles;  // the clearest first, each once
  TileCover cover;
};

// Thread safe.
class TileFinder {
 public:
  // Loads finder_network.onnx from the folder. NOT_FOUND: not there; DATA_LOSS: torn or of another
  // version. Blocks on reading.
  static absl::StatusOr<TileFinder> Load(const std::filesystem::path& folder = ModelsFolder());

  // The tiles in a picture (8-bit BGR). Sides between a fiftieth and a third of the picture's
  // longer side. Blocks: 30 to 200 ms.
  FoundTiles Find(const cv::Mat& picture) const;

 private:
  explicit TileFinder(Network network) : network_(std::move(network)) {}
  // Of the picture at one size.
  FoundTiles FindAt(const cv::Mat& picture, int side_px) const;

  Network network_;
};

}  // namespace tilewarden::vision
