// Compares tiles that were found in a picture of the virtual table with its truth.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "calibration/common/quad_finder.h"
#include "engine/tiles/tile_set.h"
#include "nlohmann/json.hpp"
#include "opencv2/core.hpp"

namespace tilewarden::services {

class LaidTruth {
 public:
  LaidTruth(const nlohmann::json& truth, std::shared_ptr<const engine::TileSet> tiles)
      : tiles_(std::move(tiles)) {
    for (const auto& tile : truth["tiles"]) {
      Tile lying;
      lying.code = tile["tile"];
      for (std::size_t i = 0; i < 4; ++i) {
        const auto& corner = tile["canonical_corners_px"][i];
        lying.corners_px[i] = {corner[0].get<float>(), corner[1].get<float>()};
      }
      tiles_lying_.push_back(lying);
    }
  }

  struct Tile {
    std::string code;
    std::array<cv::Point2f, 4> corners_px;  // of the canonical picture
  };
  const std::vector<Tile>& tiles() const { return tiles_lying_; }

  // Index of the tile that lies where these corners are; none: no tile, or not where
  // it lies, by more than a seventh of its side.
  std::optional<std::size_t> At(const std::array<cv::Point2f, 4>& corners_px) const {
    for (std::size_t i = 0; i < tiles_lying_.size(); ++i) {
      const auto& truth = tiles_lying_[i].corners_px;
      const double side = calibration::SideOf(truth);
      if (cv::norm(calibration::CentreOf(truth) - calibration::CentreOf(corners_px)) < side / 7 &&
          std::abs(calibration::SideOf(corners_px) / side - 1) < 1.0 / 7) {
        return i;
      }
    }
    return std::nullopt;
  }

  // Quarter turns clockwise from canonical, as seen from the first of these corners.
  int TurnsOf(std::size_t tile, const std::array<cv::Point2f, 4>& corners_px) const {
    int nearest = 0;
    const auto off = [&](int i) {
      return cv::norm(corners_px[static_cast<std::size_t>(i)] - tiles_lying_[tile].corners_px[0]);
    };
    for (int i = 1; i < 4; ++i) nearest = off(i) < off(nearest) ? i : nearest;
    return nearest;
  }

  // How far the worst corner is from where it is, in sides of the tile.
  double CornersOff(std::size_t tile, const std::array<cv::Point2f, 4>& corners_px) const {
    const auto& truth = tiles_lying_[tile].corners_px;
    const auto turns = static_cast<std::size_t>(TurnsOf(tile, corners_px));
    double worst = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      worst = std::max(worst, cv::norm(corners_px[(i + turns) % 4] - truth[i]));
    }
    return worst / calibration::SideOf(truth);
  }

  // Whether this name and turn show what lies there: turns with the same edges are one.
  bool IsRight(std::size_t tile, const std::array<cv::Point2f, 4>& corners_px,
               const std::string& code, int turns) const {
    if (code != tiles_lying_[tile].code) return false;
    const auto& edges = tiles_->types()[static_cast<std::size_t>(tiles_->Find(code))].edges;
    const int right = TurnsOf(tile, corners_px);
    for (std::size_t side = 0; side < 4; ++side) {
      if (edges[(side + 4 - static_cast<std::size_t>(turns)) % 4] !=
          edges[(side + 4 - static_cast<std::size_t>(right)) % 4]) {
        return false;
      }
    }
    return true;
  }

 private:
  std::shared_ptr<const engine::TileSet> tiles_;
  std::vector<Tile> tiles_lying_;
};

}  // namespace tilewarden::services
