#include "services/convert/convert.h"

namespace tilewarden::services {

v1::FigureKind ToProto(engine::FigureKind kind) {
  switch (kind) {
    case engine::FigureKind::kFollower:
      return v1::FIGURE_KIND_FOLLOWER;
    case engine::FigureKind::kAbbot:
      return v1::FIGURE_KIND_ABBOT;
    case engine::FigureKind::kProphet:
      return v1::FIGURE_KIND_PROPHET;
    case engine::FigureKind::kArk:
      return v1::FIGURE_KIND_ARK;
    case engine::FigureKind::kGingerbreadMan:
      return v1::FIGURE_KIND_GINGERBREAD_MAN;
  }
  return v1::FIGURE_KIND_UNSPECIFIED;
}

v1::FigureKind ToProto(vision::FigureKind kind) {
  switch (kind) {
    case vision::FigureKind::kFollower:
      return v1::FIGURE_KIND_FOLLOWER;
    case vision::FigureKind::kAbbot:
      return v1::FIGURE_KIND_ABBOT;
    case vision::FigureKind::kProphet:
      return v1::FIGURE_KIND_PROPHET;
    case vision::FigureKind::kArk:
      return v1::FIGURE_KIND_ARK;
    case vision::FigureKind::kGingerbreadMan:
      return v1::FIGURE_KIND_GINGERBREAD_MAN;
  }
  return v1::FIGURE_KIND_UNSPECIFIED;
}

v1::SegmentKind ToProto(engine::SegmentKind kind) {
  switch (kind) {
    case engine::SegmentKind::kCity:
      return v1::SEGMENT_KIND_CITY;
    case engine::SegmentKind::kRoad:
      return v1::SEGMENT_KIND_ROAD;
    case engine::SegmentKind::kField:
      return v1::SEGMENT_KIND_FIELD;
    case engine::SegmentKind::kRiver:
      return v1::SEGMENT_KIND_RIVER;
    case engine::SegmentKind::kMonastery:
      return v1::SEGMENT_KIND_MONASTERY;
    case engine::SegmentKind::kGarden:
      return v1::SEGMENT_KIND_GARDEN;
    case engine::SegmentKind::kTemple:
      return v1::SEGMENT_KIND_TEMPLE;
  }
  return v1::SEGMENT_KIND_UNSPECIFIED;
}

v1::Severity ToProto(engine::Severity severity) {
  switch (severity) {
    case engine::Severity::kNote:
      return v1::SEVERITY_NOTE;
    case engine::Severity::kWarning:
      return v1::SEVERITY_WARNING;
    case engine::Severity::kIllegal:
      return v1::SEVERITY_ILLEGAL;
  }
  return v1::SEVERITY_UNSPECIFIED;
}

v1::Cell ToProto(engine::Cell cell) {
  v1::Cell out;
  out.set_x(cell.x);
  out.set_y(cell.y);
  return out;
}

v1::Point ToProto(engine::Point point) {
  v1::Point out;
  out.set_x(point.x);
  out.set_y(point.y);
  return out;
}

absl::StatusOr<engine::FigureKind> FromProto(v1::FigureKind kind) {
  switch (kind) {
    case v1::FIGURE_KIND_FOLLOWER:
      return engine::FigureKind::kFollower;
    case v1::FIGURE_KIND_ABBOT:
      return engine::FigureKind::kAbbot;
    case v1::FIGURE_KIND_PROPHET:
      return engine::FigureKind::kProphet;
    case v1::FIGURE_KIND_ARK:
      return engine::FigureKind::kArk;
    case v1::FIGURE_KIND_GINGERBREAD_MAN:
      return engine::FigureKind::kGingerbreadMan;
    default:
      return absl::InvalidArgumentError("kind: say which kind of figure it is");
  }
}

std::vector<vision::FigureKind> SpecialFiguresFromProto(
    const google::protobuf::RepeatedField<int>& kinds) {
  std::vector<vision::FigureKind> known;
  for (const vision::FigureKind kind :
       {vision::FigureKind::kAbbot, vision::FigureKind::kProphet, vision::FigureKind::kArk,
        vision::FigureKind::kGingerbreadMan}) {
    if (std::find(kinds.begin(), kinds.end(), ToProto(kind)) != kinds.end()) known.push_back(kind);
  }
  return known;
}

absl::StatusOr<engine::Severity> FromProto(v1::Severity severity) {
  switch (severity) {
    case v1::SEVERITY_NOTE:
      return engine::Severity::kNote;
    case v1::SEVERITY_WARNING:
      return engine::Severity::kWarning;
    case v1::SEVERITY_ILLEGAL:
      return engine::Severity::kIllegal;
    default:
      return absl::InvalidArgumentError("severity: it is missing");
  }
}

engine::Cell FromProto(const v1::Cell& cell) { return {cell.x(), cell.y()}; }

v1::PlayingArea ToProto(const engine::PlayingArea& area) {
  v1::PlayingArea out;
  out.set_west(area.west);
  out.set_north(area.north);
  out.set_east(area.east);
  out.set_south(area.south);
  return out;
}

engine::PlayingArea FromProto(const v1::PlayingArea& area) {
  return {area.west(), area.north(), area.east(), area.south()};
}

}  // namespace tilewarden::services
