// An owner's tile file on top of the boxes' files, as TileSetFolder::Read joins them, for
// callers that have read those before. Pure.
#pragma once

#include "absl/status/statusor.h"
#include "engine/tiles/tile_set_file.h"
#include "engine/tiles/tile_set_folder.h"

namespace tilewarden::engine {

// INVALID_ARGUMENT: they define the same tile and `own` is not a correction; the message
// names files and tile.
absl::StatusOr<TileSetFolder> Overlaid(const TileSetFolder& boxes, const TileSetFile& own);

}  // namespace tilewarden::engine
