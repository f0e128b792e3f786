// One board of the search without pictures of its tiles, from its first tiles on: where its lattice
// says, the naming network is asked. Vision-internal (cv:: types).
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "opencv2/core.hpp"
#include "vision/board/unaided_board.h"
#include "vision/picture/tile_patch.h"
#include "vision/tiles/tile_network.h"

namespace tilewarden::vision {

// A place from this probability on is a clear tile.
inline constexpr double kClear = 0.9;
// A tile beside others is one if it is likely: of 197 places beside boards the network takes one
// for a tile.
inline constexpr double kLikely = 0.6;

// That one of the types lies there that the game is not said to have; 0 where that is not clear.
double UnexpectedProbability(const TileScores& scores);
// That a tile lies there, and which, as one number to compare places by.
double Clearness(const TileScores& scores);
double TileProbability(const TileScores& scores);

// Whether the middles of two places are nearer than this share of the larger one's side.
bool InOnePlace(const cv::Matx33f& a, const cv::Matx33f& b, double near);
// Whether one of the board's tiles lies in this place.
bool CoversPlace(const UnaidedBoard& board, const cv::Matx33f& px_from_tile);

// How good a board is in a picture of this size. Clear tiles make the better one, and doubtful ones
// speak against it; of single ones the nearest to the middle, because what lies beside the board
// lies at the picture's border. 0 for what is none.
double Worth(const UnaidedBoard& board, cv::Size size);

// Not thread safe, as the network.
class UnaidedGrowth {
 public:
  // All outlive this. `types`: that may lie there; empty: all that the network knows. `others`: as
  // Looks::others.
  UnaidedGrowth(const cv::Mat& picture, const PicturePyramid& pyramid, TileNetwork& network,
                const std::vector<std::string>& types, const std::vector<std::string>& others = {});

  struct Place {
    LatticeCell cell;
    cv::Matx33f px_from_tile;
  };
  // What the network says of these places at a glance, in order. The methods give its errors.
  absl::StatusOr<std::vector<TileScores>> Glance(const std::vector<Place>& places) const;

  // Looks beside the board's tiles, and on from those that it finds; takes in those of `tiles` that
  // lie on its lattice across a gap, and goes on.
  absl::Status Complete(const std::vector<UnaidedTile>& tiles, UnaidedBoard& board) const;
  // The same for tiles that lie off from where its lattice goes on.
  absl::Status CompleteOffTheLattice(UnaidedBoard& board) const;
  // Once more with care, now that it is known where to look.
  absl::Status Settle(UnaidedBoard& board) const;
  // UpdateUnaidedBoard.
  absl::StatusOr<std::size_t> ReadAgain(const std::set<LatticeCell>& cells, bool moved,
                                        UnaidedBoard& board) const;

 private:
  absl::StatusOr<std::vector<TileScores>> Ask(const std::vector<Place>& places,
                                              const Looks& looks) const;
  absl::Status Grow(UnaidedBoard& board) const;
  // Clear tiles beside the board that lie off from where its lattice goes on; whether it found
  // some.
  absl::StatusOr<bool> FindOffTheLattice(std::map<LatticeCell, cv::Matx33f>& looked,
                                         UnaidedBoard& board) const;
  // Takes out, one by one, what lies elsewhere than all others say.
  void DropAstray(UnaidedBoard& board) const;
  // A lone tile's neighbours are looked for where its outline says. One corner of it may have been
  // taken from something printed: it is put where the other three say.
  absl::Status GrowOtherwise(UnaidedBoard& lone) const;

  const cv::Mat& picture_;
  const PicturePyramid& pyramid_;
  TileNetwork& network_;
  Looks once_, careful_;
};

}  // namespace tilewarden::vision
