// Enrols a box from pictures in which its tiles lie face up in any order: each
// tile found, its type proposed, shown to a person, cut out.
//
//   pictures -> FindTiles -> ProposeTypes -> RecordOf -> (a person) -> PackOf
//                         -> PackInOrderOfSet, where they lie so
//
// Results are values. Calls block: two to five seconds for each picture.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "calibration/box/reference_pack.h"
#include "engine/tiles/tile_set.h"
#include "opencv2/core.hpp"
#include "services/boxes/enrolment_proposal.h"
#include "services/boxes/enrolment_record.h"
#include "vision/tiles/laid_rows.h"
#include "vision/tiles/loose_tiles.h"

namespace tilewarden::services {

// Every type of the set as it lies upright, in the set's order.
std::vector<calibration::TypeToEnrol> InOrderOfSet(const engine::TileSet& tiles);

struct EnrolmentLook {
  std::string file;
  std::string checksum;
  cv::Mat picture;
  std::vector<vision::LooseTile> tiles;
};

// INVALID_ARGUMENT: more pictures than kMostLooks, or one without any tile; errors
// name the picture and say what to do. Others as LoadPicture and TileNetwork::Name.
inline constexpr std::size_t kMostLooks = 5;
absl::StatusOr<std::vector<EnrolmentLook>> FindTiles(const std::vector<std::string>& files,
                                                     const engine::TileSet& tiles,
                                                     vision::TileNetwork& network);

// The pack of a look in which each type of the set lies once, upright, in rows and
// in the set's order, if the network knows enough of them there to tell; else
// nothing. It names every type for sure, even of art that the network has never seen.
std::optional<calibration::ReferencePack> PackInOrderOfSet(const EnrolmentLook& look,
                                                           const engine::TileSet& tiles,
                                                           const vision::TileNetwork& network);

// INVALID_ARGUMENT: most of what was found is of another set than `tiles`; the
// message names the one that it looks like.
absl::Status CheckSet(const std::vector<EnrolmentLook>& looks, const engine::TileSet& tiles,
                      const vision::TileNetwork& network);

std::vector<std::vector<TileProposal>> ProposeTypes(const std::vector<EnrolmentLook>& looks,
                                                    const engine::TileSet& tiles);

// What a person gets to see: numbers, names, and what is doubtful about them. A
// proposal without a type is not a tile of the set.
EnrolmentRecord RecordOf(const std::vector<EnrolmentLook>& looks,
                         const std::vector<std::vector<TileProposal>>& proposals,
                         const engine::TileSet& tiles);

// One look with each tile's number, name and edges; doubtful ones stand out.
cv::Mat Drawn(const EnrolmentLook& look, const EnrolmentRecord::Look& record,
              const std::vector<TileProposal>& proposals, const engine::TileSet& tiles);

// How many tiles of each type, by index, a record names.
std::vector<int> FoundByType(const EnrolmentRecord& record, const engine::TileSet& tiles);

// What of the box is not among the tiles of a record, as people read it.
struct Missing {
  int types = 0;
  std::string list;         // types of which there is none: "B.C, B.X"
  std::string copies_list;  // of others: "B.V (3 of 9)"
};
Missing MissingFrom(const EnrolmentRecord& record, const engine::TileSet& tiles);

// Cuts the tiles of a record out of its pictures, turns them to canonical and
// keeps those that differ. INVALID_ARGUMENT: the record is of another set, names
// a tile that the set does not have or none at all; the message names it.
// FAILED_PRECONDITION: a picture is no longer the one that the record is about.
// Others as LoadPicture and TileNetwork::Name.
absl::StatusOr<calibration::ReferencePack> PackOf(const EnrolmentRecord& record,
                                                  const engine::TileSet& tiles,
                                                  vision::TileNetwork& network);

}  // namespace tilewarden::services
