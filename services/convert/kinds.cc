#include "services/convert/kinds.h"

#include <algorithm>
#include <array>
#include <optional>

namespace tilewarden::services {
namespace {

struct FigureRow {
  engine::FigureKind rules;
  // None: it takes them for followers, and the referee tells them by where they stand.
  std::optional<vision::FigureKind> camera;
  v1::FigureKind message;
};
constexpr std::array<FigureRow, 8> kFigures = {{
    {engine::FigureKind::kFollower, vision::FigureKind::kFollower, v1::FIGURE_KIND_FOLLOWER},
    {engine::FigureKind::kAbbot, vision::FigureKind::kAbbot, v1::FIGURE_KIND_ABBOT},
    {engine::FigureKind::kProphet, vision::FigureKind::kProphet, v1::FIGURE_KIND_PROPHET},
    {engine::FigureKind::kArk, vision::FigureKind::kArk, v1::FIGURE_KIND_ARK},
    {engine::FigureKind::kGingerbreadMan, vision::FigureKind::kGingerbreadMan,
     v1::FIGURE_KIND_GINGERBREAD_MAN},
    {engine::FigureKind::kLargeFollower, vision::FigureKind::kLargeFollower,
     v1::FIGURE_KIND_LARGE_FOLLOWER},
    {engine::FigureKind::kBuilder, std::nullopt, v1::FIGURE_KIND_BUILDER},
    {engine::FigureKind::kPig, std::nullopt, v1::FIGURE_KIND_PIG},
}};
static_assert(kFigures.size() + 1 == v1::FigureKind_ARRAYSIZE, "a kind of figure is missing");

struct SegmentRow {
  engine::SegmentKind rules;
  v1::SegmentKind message;
};
constexpr std::array<SegmentRow, 7> kSegments = {{
    {engine::SegmentKind::kCity, v1::SEGMENT_KIND_CITY},
    {engine::SegmentKind::kRoad, v1::SEGMENT_KIND_ROAD},
    {engine::SegmentKind::kField, v1::SEGMENT_KIND_FIELD},
    {engine::SegmentKind::kRiver, v1::SEGMENT_KIND_RIVER},
    {engine::SegmentKind::kMonastery, v1::SEGMENT_KIND_MONASTERY},
    {engine::SegmentKind::kGarden, v1::SEGMENT_KIND_GARDEN},
    {engine::SegmentKind::kTemple, v1::SEGMENT_KIND_TEMPLE},
}};
static_assert(kSegments.size() + 1 == v1::SegmentKind_ARRAYSIZE, "a kind of segment is missing");

// The line of a table whose `column` is this; null: none is.
template <typename Table, typename Row, typename Column, typename Value>
const Row* Find(const Table& table, Column Row::*column, Value value) {
  const auto found = std::find_if(table.begin(), table.end(),
                                  [&](const Row& row) { return row.*column == value; });
  return found == table.end() ? nullptr : &*found;
}

}  // namespace

v1::FigureKind ToProto(engine::FigureKind kind) {
  return Find(kFigures, &FigureRow::rules, kind)->message;
}

v1::FigureKind ToProto(vision::FigureKind kind) {
  return Find(kFigures, &FigureRow::camera, kind)->message;
}

absl::StatusOr<engine::FigureKind> FromProto(v1::FigureKind kind) {
  const FigureRow* row = Find(kFigures, &FigureRow::message, kind);
  if (row == nullptr) return absl::InvalidArgumentError("kind: say which kind of figure it is");
  return row->rules;
}

engine::FigureKind ToEngine(vision::FigureKind kind) {
  return Find(kFigures, &FigureRow::camera, kind)->rules;
}

bool IsAPlayers(vision::FigureKind kind) {
  const engine::FigureKind rules = ToEngine(kind);
  const auto all = engine::AllFigureKinds();
  return std::none_of(all.begin(), all.end(), [&](const engine::FigureKindEntry& entry) {
    return entry.kind == rules && entry.neutral;
  });
}

std::vector<vision::FigureKind> SpecialFiguresFromProto(
    const google::protobuf::RepeatedField<int>& kinds) {
  std::vector<vision::FigureKind> known;
  for (const FigureRow& row : kFigures) {
    if (!row.camera || row.camera == vision::FigureKind::kFollower) continue;
    if (std::find(kinds.begin(), kinds.end(), row.message) != kinds.end()) {
      known.push_back(*row.camera);
    }
  }
  return known;
}

v1::SegmentKind ToProto(engine::SegmentKind kind) {
  return Find(kSegments, &SegmentRow::rules, kind)->message;
}

absl::StatusOr<engine::SegmentKind> FromProto(v1::SegmentKind kind) {
  const SegmentRow* row = Find(kSegments, &SegmentRow::message, kind);
  if (row == nullptr) return absl::InvalidArgumentError("segments.kind: say what it is");
  return row->rules;
}

}  // namespace tilewarden::services
