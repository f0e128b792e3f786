// Names the tiles of the common editions from how such tiles look, with no
// enrolment: a small network that was trained from tile pictures (its card:
// vision/models/README.md). It answers twice: which type and turn (C1, C2, C3,
// their river, the free schematic set, our printable set), and, for tiles it
// has never seen, what lies on the tile (edges, monastery, coat of arms,
// garden, one city): good enough to propose a type.
//
// For a caller that reads a table: find a tile's corners, CutPatch, collect the
// patches of all tiles, one call of Name. With a pack at hand, name against the
// pack; without one take `readings` (say in `Looks::tiles` which types the set
// has, or decide the edition by trying). Refuse where `nothing` or doubt is
// large: the probabilities are meant as such.
#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "opencv2/core.hpp"
#include "vision/picture/models_folder.h"
#include "vision/tiles/network_patch.h"

namespace tilewarden::vision {

// One way to read a patch. Turns that the rules can not tell apart (edges and
// connections are equal) are one reading, under the smallest turn.
struct TileReading {
  std::string tile;  // as the rule documents name it: "B.A", "B.Eg", "R1.B"; see kOtherTile
  int rotation = 0;  // quarter turns clockwise of the engine's canonical orientation
  double probability = 0;
};

// A tile, but of none of the types that the network tells apart: an expansion's.
inline const std::string kOtherTile;  // empty, as in TileCandidate

// What lies on a tile, whatever its type.
struct TileStructure {
  // north, east, south, west of the patch; each city, road, field, river.
  std::array<std::array<double, 4>, 4> edges{};
  double monastery = 0, coat_of_arms = 0, garden = 0;
  // A single city that touches more than one edge.
  double one_city = 0;
};

struct TileScores {
  // Most likely first; those below 0.0005 are left out.
  std::vector<TileReading> readings;
  // That no tile lies here, or none whose corners these are: table, back, box,
  // hand, a place between tiles. With `readings` this makes one.
  double nothing = 0;
  // Of `Looks::others` alone, most likely first: how likely each is if it may lie here, too. With
  // all else that may, this makes one.
  std::vector<TileReading> unexpected;
  TileStructure structure;
};

// How carefully to look.
struct Looks {
  // Average over the patch's four turns: four times the cost, fewer errors.
  bool turns = true;
  // Average over small shifts as well: five times the cost again. For corners
  // that are only known to a few percent.
  bool shifts = false;
  // Types that may lie here, garden copies by their own code; empty: all. A tile of another box
  // may always.
  std::vector<std::string> tiles;
  // Types that are not said to lie here, and may all the same. They change nothing of `readings`
  // and `nothing`. None where `tiles` is empty.
  std::vector<std::string> others{};
};

// Thread safe.
class TileNetwork {
 public:
  // Loads tile_network.onnx and tile_network.json from the folder. NOT_FOUND:
  // not there; DATA_LOSS: torn or of another version. Blocks on reading.
  static absl::StatusOr<TileNetwork> Load(const std::filesystem::path& folder = ModelsFolder());

  TileNetwork(TileNetwork&&) noexcept;
  TileNetwork& operator=(TileNetwork&&) noexcept;
  ~TileNetwork();

  // Scores of each patch, in order. INVALID_ARGUMENT: a patch that is not as
  // described above, or a code in `looks` that the network does not know.
  // Blocks: about 1 ms for each patch and look.
  absl::StatusOr<std::vector<TileScores>> Name(const std::vector<cv::Mat>& patches,
                                               const Looks& looks = {}) const;

  // What the last layer but one makes of each patch as it lies, of length 1: like
  // tiles are near each other, whatever the light. Errors as Name; about 1 ms each.
  absl::StatusOr<std::vector<std::vector<float>>> Describe(
      const std::vector<cv::Mat>& patches) const;

  // Tells one network from another: descriptors are good for the one that made them.
  const std::string& Id() const;

  // How many turns of a type the rules can tell apart: 1, 2 or 4; 4 for a code
  // that it does not know.
  int Turns(const std::string& tile) const;

  // Codes of all types that it can name, garden copies among them.
  std::vector<std::string> Tiles() const;

 private:
  struct State;
  explicit TileNetwork(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace tilewarden::vision
