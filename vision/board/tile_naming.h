// Names the tiles of a board by two witnesses, the pictures of the pack and the
// naming network, and lets the network find tiles that the pictures alone left
// in doubt. Vision-internal (cv:: types).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "opencv2/core.hpp"
#include "vision/board/board.h"
#include "vision/sighting.h"
#include "vision/tiles/tile_matcher.h"
#include "vision/tiles/tile_network.h"

namespace tilewarden::vision {

// Not thread safe, as the network.
class TileNaming {
 public:
  // Both outlive this. Where the network does not know most types of the pack, the pictures alone
  // decide.
  TileNaming(const TileMatcher& matcher, TileNetwork& network);

  // Asks the network about the cells that it was not asked about since they were
  // looked at, adds the tiles that it finds and what they lead to, and puts each
  // cell's candidates in the order of both witnesses.
  void Name(const cv::Mat& picture, const PicturePyramid& pyramid, Board& board) const;

  // By cell of `board.tiles`, most likely first; those below 1e-4 are left out.
  // Turns of a type that the network knows to show the same are one name.
  std::map<LatticeCell, std::vector<TileCandidate>> NamesOfBoard(const Board& board) const;

  // The network, and the types of the pack that it knows; null where the pictures alone decide.
  TileNetwork* network() const { return network_; }
  const std::vector<std::string>& known_types() const { return looks_.tiles; }

 private:
  void Ask(const cv::Mat& picture, const PicturePyramid& pyramid, Board& board) const;
  // The same about places that no picture of the pack is like, in glare or where the copies
  // differ: those that the network clearly takes for a tile become likely ones.
  void AskAboutUnlike(const cv::Mat& picture, const PicturePyramid& pyramid, Board& board) const;
  // What the network says of each name.
  void TellNetwork(const TileScores& scores, ReadCell& read) const;

  // Its type is one that the network does not know.
  bool IsUnknown(const TileMatcher::Match& match) const;

  const TileMatcher& matcher_;
  TileNetwork* network_ = nullptr;    // where it is asked
  Looks looks_;                       // with the types of the pack that it knows,
  std::vector<std::string> unknown_;  // and without these
};

}  // namespace tilewarden::vision
