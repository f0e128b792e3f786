// The published editions, which the naming network knows with no enrolment: which of
// them is on the table when nobody said so, and how to read it. Pure functions.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "calibration/box/reference_pack.h"
#include "engine/tiles/tile_set.h"
#include "opencv2/core.hpp"
#include "vision/sighting.h"

namespace tilewarden::services {

// Id of the tile set that these tiles are of, a river joined by a plus: with
// gardens the second and third editions, else the first.
std::string EditionOf(const vision::Sighting& sighting);

// The same sighting in the words of this set: a garden copy that the set does
// not have is the plain type, and names of other types are left out. That a tile is
// of another box stays.
vision::Sighting InWordsOf(const engine::TileSet& tiles, vision::Sighting sighting);

// A pack of nothing but the set's name: its tiles are read by how such tiles look.
// FAILED_PRECONDITION: the network does not know all of the set's tiles; errors as
// TileNetwork::Load. Blocks on reading the network.
absl::StatusOr<calibration::ReferencePack> PublishedPack(const engine::TileSet& tiles);

// What may lie there for a reader with this pack, whose set this is; empty: the pack tells.
std::vector<std::string> TypesToRead(const calibration::ReferencePack& pack,
                                     const engine::TileSet& tiles);

// What may lie beside these tiles where people said that they play without: the rivers' that a
// network with these types knows. Blocks on reading tile sets.
std::vector<std::string> RiverTypesBeside(const engine::TileSet& tiles,
                                          const std::vector<std::string>& known);

// The special figures of a game by its rules, option name to value: what a camera may see.
std::vector<vision::FigureKind> SpecialFiguresOf(const std::map<std::string, std::string>& rules);

// Whether the clearest tiles show the project's own printed box.
bool IsPrintableSet(const cv::Mat& picture, const vision::Sighting& sighting,
                    const engine::TileSet& tiles);

}  // namespace tilewarden::services
