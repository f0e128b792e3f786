#include "services/convert/convert.h"

namespace tilewarden::services {

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
