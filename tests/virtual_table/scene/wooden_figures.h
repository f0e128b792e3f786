// Shapes of the figures of all games: our own outlines, sawn from a board and a
// little rounded, in the sizes of the pieces sold.
//
// Sizes, width x height x thickness in mm. Measured with a caliper, as told at
// carcassonnecentral.com ("Carcassonne components sizing information"): follower
// 16.0 x 16.0 x 9.9, large follower 18.5 x 19.3 x 9.9, which is what the Ark's
// "extra-large followers", the prophets, are taken for. No measure was found of the
// others; these are sized by eye after the pictures in their rules: abbot 15.6 x 19.2 x 9.5 (robe,
// lower arms, mitre), Gingerbread Man 20.4 x 23.8 x 8, wooden Ark 26 x 20 x 10,
// cardboard Ark 24 x 34 x 2 in a plastic foot of 26 x 15 x 6, builder 14 x 18.8 x 9, pig
// 20 x 12 x 9.
#pragma once

#include <string_view>

#include "engine/referee/sighting.h"
#include "opencv2/core.hpp"
#include "tests/virtual_table/picture/mesh.h"

namespace tilewarden::virtual_table {

// A wooden figure: standing with the middle of its soles at the stand, or
// lying on its back with the middle of its outline there.
Shape MakeFigure(const Stand& stand, cv::Vec3f colour, bool lying,
                 engine::FigureKind kind = engine::FigureKind::kFollower);
// The Ark of cardboard, which stands in a foot of plastic.
Shape MakeArkCard(const Stand& stand);

// Name in truth files: "follower", "gingerbread-man".
std::string_view NameOf(engine::FigureKind kind);

}  // namespace tilewarden::virtual_table
