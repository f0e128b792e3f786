// What a look shows of the board, and yet was not read: where the picture's border cuts a tile,
// where a tile seems to lie that could not be read, and tiles that belong to no cell of it.
// Vision-internal (cv:: types).
#pragma once

#include <functional>
#include <vector>

#include "absl/status/statusor.h"
#include "opencv2/core.hpp"
#include "vision/board/table_views.h"
#include "vision/picture/cell_watch.h"
#include "vision/picture/lattice.h"
#include "vision/sighting.h"

namespace tilewarden::vision {

// Whether a tile that can be named lies here.
using IsTile = std::function<absl::StatusOr<bool>(const cv::Matx33f& px_from_tile)>;

// Of the board that was read in a picture of this size: where its tiles lie (`places`, not empty)
// and what the finder saw (`view`). `is_tile` is asked about what lies outside its lattice: a cup
// beside the board, or a tile that was set aside, is none of it. Errors are `is_tile`'s.
absl::StatusOr<std::vector<NotRead>> FindNotRead(const TableView& view, const BoardPlaces& places,
                                                 const Lattice& lattice, cv::Size picture,
                                                 const IsTile& is_tile);

// Whether one of the board's tiles lies there.
bool IsRead(const NotRead& part, const BoardPlaces& places);

}  // namespace tilewarden::vision
