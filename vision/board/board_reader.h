// One board, read from nothing and then kept up to date look by look: by the
// pictures of a pack (board_by_pictures.h) or by the networks alone
// (board_by_networks.h). Vision-internal (cv:: types).
#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "opencv2/core.hpp"
#include "vision/board/table_views.h"
#include "vision/options.h"
#include "vision/picture/cell_watch.h"
#include "vision/picture/lattice.h"
#include "vision/picture/stage_clock.h"
#include "vision/picture/tile_patch.h"
#include "vision/sighting.h"
#include "vision/tiles/tile_network.h"

namespace tilewarden::vision {

// Boards of so few tiles are looked for anew: a tile beside the board may have
// been taken for it.
inline constexpr std::size_t kFewTiles = 3;

// A tile that lies by itself.
struct LooseReading {
  cv::Matx33f px_from_tile;
  std::vector<TileCandidate> names;  // most likely first
};

// Not thread safe.
class BoardReader {
 public:
  virtual ~BoardReader() = default;

  // The best board in the picture (8-bit BGR), whatever was known; without tiles
  // where there is none. Errors are the networks'.
  virtual absl::Status Find(const cv::Mat& picture, const PicturePyramid& pyramid,
                            StageClock& clock) = 0;
  // Looks again at the cells that changed, and on from there. False where so much is lost
  // that the board must be found anew. Errors as Find.
  virtual absl::StatusOr<bool> Update(const cv::Mat& picture, const PicturePyramid& pyramid,
                                      const CellWatch::Change& change, StageClock& clock) = 0;
  // The whole board lies elsewhere in the picture; what its tiles are stays known.
  virtual void Carry(const cv::Matx33d& px_now_from_px_before) = 0;
  // What the finder saw when the board was found.
  virtual const TableView& View() const = 0;
  // What was seen then of the board and is not among its tiles. Errors as Find.
  absl::StatusOr<std::vector<NotRead>> WhatIsNotRead(const cv::Mat& picture,
                                                     const PicturePyramid& pyramid);
  // Where the board's tiles lie, and the cells beside them where none does.
  virtual BoardPlaces Places() const = 0;
  virtual const Lattice& lattice() const = 0;  // fitted while there are tiles
  // The tiles as they are known, and the figures in this picture. `hand_mask` as
  // FigureFinder takes it.
  virtual absl::Status Describe(const cv::Mat& picture, const cv::Mat& hand_mask,
                                const Options& options, StageClock& clock, Sighting* sighting) = 0;
  // The tile away from the board whose corners these seem to be, north-west in the lattice first;
  // nothing where there is none. Errors as Find.
  virtual absl::StatusOr<std::optional<LooseReading>> ReadLoose(
      const cv::Mat& picture, const PicturePyramid& pyramid,
      const std::array<cv::Point2f, 4>& corners_px) = 0;
};

std::vector<TileCandidate> NamesOf(const std::vector<TileReading>& readings);

// A tile as it leaves this folder.
SightedTile ToSightedTile(const Lattice& lattice, LatticeCell cell, const cv::Matx33f& px_from_tile,
                          std::vector<TileCandidate> names);

// The same transform, as tiles hold theirs.
cv::Matx33f Carried(const cv::Matx33d& px_now_from_px_before, const cv::Matx33f& px_from_tile);

std::set<LatticeCell> CellsOf(const BoardPlaces& places);

// Whether a board that had `before` tiles before `lost` of them were gone must be found anew.
bool TooMuchLost(std::size_t before, std::size_t lost, std::size_t now);

}  // namespace tilewarden::vision
