// Points in words.
#include "engine/game/scoring.h"
#include "engine/tiles/text.h"

namespace tilewarden::engine {

std::string Counted(int count, std::string_view one, std::string_view many) {
  return Text(count, " ", count == 1 ? one : many);
}

std::string ReasonOfPlot(std::string_view how, SegmentKind kind, int tiles) {
  return Text(how, " ", ToString(kind), ": itself and ",
              Counted(tiles - 1, "neighbour", "neighbours"));
}

ScoreItem Scoring::Describe(const Position::Item& item) const {
  ScoreItem out;
  out.player = item.player;
  out.points = item.points;
  out.turn = item.turn;
  if (item.part == 0) DescribeBase(item, &out);
  parts_.ForEach([&](const Part& part) { part.Describe(position_, item, &out); });
  return out;
}

void Scoring::DescribeBase(const Position::Item& item, ScoreItem* out) const {
  const SegmentKind kind = position_.features().at(item.node).kind;
  const auto cause = static_cast<Cause>(item.cause);
  out->cells = position_.CellsOf(item.node);
  if (cause == Cause::kFarm) {
    out->kind = "field";
    out->reason =
        kind == SegmentKind::kCity
            ? "most farmers around a completed city"
            : Text("farm beside ", Counted(item.tiles, "completed city", "completed cities"));
    return;
  }
  out->kind = ToString(kind);
  if (cause == Cause::kIncomplete) out->kind += ".incomplete";
  const std::string_view how = cause == Cause::kIncomplete ? "unfinished" : "completed";
  if (kind == SegmentKind::kMonastery || kind == SegmentKind::kGarden) {
    out->reason = ReasonOfPlot(how, kind, item.tiles);
    return;
  }
  out->reason = Text(how, " ", ToString(kind), ": ", Counted(item.tiles, "tile", "tiles"));
  bool scrolls = false, inn = false;
  position_.features().ForEach(item.node, [&](int node) {
    scrolls |= position_.SegmentAt(node).scrolls > 0;
    inn |= position_.SegmentAt(node).inn && position_.rules().inns;
  });
  if (item.extras > 0) {
    out->reason += Text(" and ", kind == SegmentKind::kRoad ? Counted(item.extras, "oasis", "oases")
                                 : scrolls ? Counted(item.extras, "scroll", "scrolls")
                                           : Counted(item.extras, "coat of arms", "coats of arms"));
  }
  if (inn) out->reason += ", with an inn";
}

}  // namespace tilewarden::engine
