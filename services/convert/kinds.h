// What the rules, the camera and the messages each have a word of their own for, listed once.
// Whoever adds a figure or a kind of segment adds a line to a table in kinds.cc. Pure functions.
#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "engine/game/figure_kind.h"
#include "engine/tiles/tile_set.h"
#include "tilewarden/v1/game.pb.h"
#include "vision/sighting.h"

namespace tilewarden::services {

// Figures.
v1::FigureKind ToProto(engine::FigureKind kind);
v1::FigureKind ToProto(vision::FigureKind kind);
// INVALID_ARGUMENT: it is none.
absl::StatusOr<engine::FigureKind> FromProto(v1::FigureKind kind);
// What the camera saw, as the rules call it.
engine::FigureKind ToEngine(vision::FigureKind kind);
// Whether a player sets it, rather than the rules moving it about.
bool IsAPlayers(vision::FigureKind kind);
// The camera's kinds besides followers, in the order of the table; kinds that this camera does
// not know are left out.
std::vector<vision::FigureKind> SpecialFiguresFromProto(
    const google::protobuf::RepeatedField<int>& kinds);

// Segments.
v1::SegmentKind ToProto(engine::SegmentKind kind);
// INVALID_ARGUMENT: it is none.
absl::StatusOr<engine::SegmentKind> FromProto(v1::SegmentKind kind);

}  // namespace tilewarden::services
