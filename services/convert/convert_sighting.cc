#include <cmath>
#include <set>

#include "absl/strings/str_cat.h"
#include "services/convert/convert.h"

namespace tilewarden::services {
namespace {

// No board is larger: every cell of a box of tiles in one row, and some.
constexpr int kLargestCell = 1000;
// More of anything in one sighting is a mistake or an attack.
constexpr int kMostSeen = 2000;
constexpr std::size_t kLargestTopView = 512 * 1024;
constexpr std::uint32_t kMostCells = 200;
constexpr int kTrackFields = 50;
constexpr int kMostColours = 50;

v1::Cell CellToProto(const vision::LatticeCell& cell) {
  v1::Cell out;
  out.set_x(cell.x);
  out.set_y(cell.y);
  return out;
}

v1::Point PointToProto(const vision::Point& point) {
  v1::Point out;
  out.set_x(point.x);
  out.set_y(point.y);
  return out;
}

// Collects the first thing that is wrong with a message.
class Checker {
 public:
  void Expect(bool right, const char* what) {
    if (!right && status_.ok()) status_ = absl::InvalidArgumentError(what);
  }
  void Probability(double value, const char* what) { Expect(value >= 0 && value <= 1, what); }
  void Finite(double value, const char* what) { Expect(std::isfinite(value), what); }
  void InReach(const v1::Cell& cell, const char* what) {
    const auto in = [](int at) { return at >= -kLargestCell && at <= kLargestCell; };
    Expect(in(cell.x()) && in(cell.y()), what);
  }
  const absl::Status& status() const { return status_; }

 private:
  absl::Status status_;
};

engine::SightedTile TileFromProto(const v1::SightedTile& tile, Checker* check) {
  engine::SightedTile out;
  check->InReach(tile.cell(), "sighting.tiles.cell: it lies too far away to be on a table");
  out.cell = FromProto(tile.cell());
  double sum = 0;
  for (const v1::TileCandidate& candidate : tile.candidates()) {
    check->Expect(candidate.rotation() < 4,
                  "sighting.tiles.candidates.rotation: quarter turns go from 0 to 3");
    check->Probability(candidate.probability(),
                       "sighting.tiles.candidates.probability: it goes from 0 to 1");
    sum += candidate.probability();
    out.candidates.push_back(
        {candidate.tile(), static_cast<int>(candidate.rotation() & 3), candidate.probability()});
  }
  check->Expect(sum <= 1.001, "sighting.tiles.candidates: the probabilities sum to more than 1");
  check->Finite(tile.offset().x() + tile.offset().y() + tile.yaw_rad(),
                "sighting.tiles.offset, yaw_rad: they must be numbers");
  check->Probability(tile.hidden(), "sighting.tiles.hidden: it goes from 0 to 1");
  double unexpected = 0;
  for (const v1::TileCandidate& candidate : tile.unexpected()) {
    check->Expect(candidate.rotation() < 4,
                  "sighting.tiles.unexpected.rotation: quarter turns go from 0 to 3");
    check->Probability(candidate.probability(),
                       "sighting.tiles.unexpected.probability: it goes from 0 to 1");
    unexpected += candidate.probability();
    out.unexpected.push_back(
        {candidate.tile(), static_cast<int>(candidate.rotation() & 3), candidate.probability()});
  }
  check->Expect(unexpected <= 1.001,
                "sighting.tiles.unexpected: the probabilities sum to more than 1");
  out.offset = {tile.offset().x(), tile.offset().y()};
  out.yaw_rad = tile.yaw_rad();
  out.hidden = tile.hidden();
  return out;
}

void CandidatesToProto(const std::vector<vision::TileCandidate>& candidates,
                       google::protobuf::RepeatedPtrField<v1::TileCandidate>* out) {
  for (const vision::TileCandidate& candidate : candidates) {
    v1::TileCandidate* c = out->Add();
    c->set_tile(candidate.tile);
    c->set_rotation(static_cast<std::uint32_t>(candidate.rotation & 3));
    c->set_probability(candidate.probability);
  }
}

using Colours = google::protobuf::RepeatedPtrField<v1::ColourProbability>;

std::vector<engine::ColourProbability> ColoursFromProto(const Colours& colours, Checker* check) {
  std::vector<engine::ColourProbability> out;
  double sum = 0;
  for (const v1::ColourProbability& colour : colours) {
    check->Probability(colour.probability(),
                       "sighting: the probability of a figure's colour goes from 0 to 1");
    sum += colour.probability();
    out.push_back({colour.colour(), colour.probability()});
  }
  check->Expect(sum <= 1.001,
                "sighting: the probabilities of a figure's colours sum to more than 1");
  return out;
}

void ColoursToProto(const std::vector<vision::ColourProbability>& colours, Colours* out) {
  for (const vision::ColourProbability& colour : colours) {
    v1::ColourProbability* c = out->Add();
    c->set_colour(colour.colour);
    c->set_probability(colour.probability);
  }
}

engine::SightedFigure FigureFromProto(const v1::SightedFigure& figure, Checker* check) {
  engine::SightedFigure out;
  if (figure.has_cell()) {
    check->InReach(figure.cell(), "sighting.figures.cell: it lies too far away to be on a table");
    out.cell = FromProto(figure.cell());
  }
  check->Finite(figure.foot().x() + figure.foot().y(), "sighting.figures.foot: it must be numbers");
  check->Expect(figure.foot_sigma() >= 0 && std::isfinite(figure.foot_sigma()),
                "sighting.figures.foot_sigma: it must be 0 or more");
  out.foot = {figure.foot().x(), figure.foot().y()};
  out.foot_sigma = figure.foot_sigma();
  const auto kind = FromProto(figure.kind());
  check->Expect(kind.ok(), "sighting.figures.kind: say which kind of figure it is");
  if (kind.ok()) out.kind = *kind;
  check->Expect(figure.kinds_size() <= v1::FigureKind_ARRAYSIZE,
                "sighting.figures.kinds: there are more than there are kinds");
  for (const v1::KindProbability& likely : figure.kinds()) {
    check->Probability(likely.probability(),
                       "sighting.figures.kinds.probability: it goes from 0 to 1");
    // A newer camera may know more kinds.
    const auto known = FromProto(likely.kind());
    if (known.ok()) out.kinds.push_back({*known, likely.probability()});
  }
  out.colours = ColoursFromProto(figure.colours(), check);
  check->Probability(figure.standing_probability(),
                     "sighting.figures.standing_probability: it goes from 0 to 1");
  check->Probability(figure.probability(), "sighting.figures.probability: it goes from 0 to 1");
  out.standing_probability = figure.standing_probability();
  out.probability = figure.probability();
  check->Probability(figure.unexpected().probability(),
                     "sighting.figures.unexpected.probability: it goes from 0 to 1");
  // A newer camera may know more kinds.
  const auto unexpected = FromProto(figure.unexpected().kind());
  if (unexpected.ok()) out.unexpected = {*unexpected, figure.unexpected().probability()};
  return out;
}

int FieldFromProto(std::uint32_t field, Checker* check) {
  check->Expect(field < kTrackFields, "sighting.score_track: its fields go from 0 to 49");
  return static_cast<int>(field % kTrackFields);
}

engine::SightedScoreTrack TrackFromProto(const v1::SightedScoreTrack& track, Checker* check) {
  engine::SightedScoreTrack out;
  check->Expect(track.hidden_fields_size() <= kTrackFields && track.markers_size() <= kMostSeen,
                "sighting.score_track: it holds more than any track can");
  if (!check->status().ok()) return out;
  for (const std::uint32_t field : track.hidden_fields()) {
    out.hidden_fields.push_back(FieldFromProto(field, check));
  }
  for (const v1::SightedMarker& marker : track.markers()) {
    engine::SightedMarker& seen = out.markers.emplace_back();
    double sum = 0;
    for (const v1::FieldProbability& field : marker.fields()) {
      check->Probability(field.probability(),
                         "sighting.score_track.markers.fields.probability: it goes from 0 to 1");
      sum += field.probability();
      seen.fields.push_back({FieldFromProto(field.field(), check), field.probability()});
    }
    check->Expect(sum <= 1.001,
                  "sighting.score_track.markers.fields: the probabilities sum to more than 1");
    seen.colours = ColoursFromProto(marker.colours(), check);
    check->Probability(marker.standing_probability(),
                       "sighting.score_track.markers.standing_probability: it goes from 0 to 1");
    check->Probability(marker.probability(),
                       "sighting.score_track.markers.probability: it goes from 0 to 1");
    seen.standing_probability = marker.standing_probability();
    seen.probability = marker.probability();
  }
  return out;
}

v1::SightedScoreTrack TrackToProto(const vision::SightedScoreTrack& track) {
  v1::SightedScoreTrack out;
  for (const vision::Point& corner : track.corners_px) *out.add_corners_px() = PointToProto(corner);
  for (const int field : track.hidden_fields) {
    out.add_hidden_fields(static_cast<std::uint32_t>(field));
  }
  for (const vision::SightedMarker& marker : track.markers) {
    v1::SightedMarker* seen = out.add_markers();
    for (const vision::FieldProbability& field : marker.fields) {
      v1::FieldProbability* f = seen->add_fields();
      f->set_field(static_cast<std::uint32_t>(field.field));
      f->set_probability(field.probability);
    }
    ColoursToProto(marker.colours, seen->mutable_colours());
    seen->set_standing_probability(marker.standing_probability);
    seen->set_probability(marker.probability);
    *seen->mutable_foot_px() = PointToProto(marker.foot_px);
  }
  return out;
}

}  // namespace

v1::TopView ToProto(const vision::TopView& view) {
  v1::TopView out;
  out.set_jpeg(view.jpeg.data(), view.jpeg.size());
  *out.mutable_corner() = CellToProto(view.corner);
  out.set_columns(static_cast<std::uint32_t>(view.columns));
  out.set_rows(static_cast<std::uint32_t>(view.rows));
  return out;
}

v1::NotReadWhy ToProto(vision::NotReadWhy why) {
  switch (why) {
    case vision::NotReadWhy::kCutByBorder:
      return v1::NOT_READ_WHY_CUT_BY_BORDER;
    case vision::NotReadWhy::kUnreadable:
      return v1::NOT_READ_WHY_UNREADABLE;
    case vision::NotReadWhy::kOutside:
      return v1::NOT_READ_WHY_OUTSIDE;
  }
  return v1::NOT_READ_WHY_UNSPECIFIED;
}

v1::Sighting ToProto(const vision::Sighting& sighting) {
  v1::Sighting out;
  out.set_sequence(sighting.sequence);
  out.set_time_ms(sighting.time_ms);
  out.set_settled(sighting.settled);
  out.set_hand(sighting.hand);
  out.set_camera_moved(sighting.camera_moved);
  for (const vision::LatticeCell& cell : sighting.hidden_cells) {
    *out.add_hidden_cells() = CellToProto(cell);
  }
  for (const vision::SightedTile& tile : sighting.tiles) {
    v1::SightedTile* seen = out.add_tiles();
    *seen->mutable_cell() = CellToProto(tile.cell);
    CandidatesToProto(tile.candidates, seen->mutable_candidates());
    CandidatesToProto(tile.unexpected, seen->mutable_unexpected());
    *seen->mutable_offset() = PointToProto(tile.offset);
    seen->set_yaw_rad(tile.yaw_rad);
    for (const vision::Point& corner : tile.corners_px) {
      *seen->add_corners_px() = PointToProto(corner);
    }
    seen->set_hidden(tile.hidden);
  }
  for (const vision::SightedFigure& figure : sighting.figures) {
    v1::SightedFigure* seen = out.add_figures();
    if (figure.cell) *seen->mutable_cell() = CellToProto(*figure.cell);
    *seen->mutable_foot() = PointToProto(figure.foot);
    seen->set_foot_sigma(figure.foot_sigma);
    *seen->mutable_foot_px() = PointToProto(figure.foot_px);
    seen->set_kind(ToProto(figure.kind));
    for (const vision::KindProbability& likely : figure.kinds) {
      v1::KindProbability* told = seen->add_kinds();
      told->set_kind(ToProto(likely.kind));
      told->set_probability(likely.probability);
    }
    ColoursToProto(figure.colours, seen->mutable_colours());
    seen->set_standing_probability(figure.standing_probability);
    seen->set_probability(figure.probability);
    if (figure.unexpected) {
      seen->mutable_unexpected()->set_kind(ToProto(figure.unexpected->kind));
      seen->mutable_unexpected()->set_probability(figure.unexpected->probability);
    }
  }
  for (const vision::NotRead& part : sighting.not_read) {
    v1::NotRead* told = out.add_not_read();
    told->set_why(ToProto(part.why));
    *told->mutable_cell() = CellToProto(part.cell);
    for (const vision::Point& corner : part.corners_px) {
      *told->add_corners_px() = PointToProto(corner);
    }
  }
  if (sighting.score_track) *out.mutable_score_track() = TrackToProto(*sighting.score_track);
  for (const vision::ClothColour& like : sighting.cloth) {
    v1::ClothColour* told = out.add_cloth();
    told->set_colour(like.colour);
    told->set_share(like.share);
  }
  return out;
}

absl::StatusOr<engine::Sighting> FromProto(const v1::Sighting& sighting) {
  Checker check;
  check.Expect(sighting.sequence() > 0, "sighting.sequence: it counts from 1");
  check.Expect(!(sighting.settled() && sighting.hand()),
               "sighting.settled: a table with a hand over it is not settled");
  check.Expect(sighting.tiles_size() <= kMostSeen && sighting.figures_size() <= kMostSeen &&
                   sighting.hidden_cells_size() <= kMostSeen * 10 &&
                   sighting.not_read_size() <= kMostSeen && sighting.cloth_size() <= kMostColours,
               "sighting: it holds more than any table can");
  if (sighting.has_top_view()) {
    const v1::TopView& view = sighting.top_view();
    check.Expect(view.jpeg().size() <= kLargestTopView, "sighting.top_view.jpeg: at most 512 KiB");
    check.InReach(view.corner(), "sighting.top_view.corner: it lies too far away");
    check.Expect(view.columns() >= 1 && view.columns() <= kMostCells && view.rows() >= 1 &&
                     view.rows() <= kMostCells,
                 "sighting.top_view.columns, rows: 1 to 200 cells");
  }
  if (!check.status().ok()) return check.status();

  engine::Sighting out;
  out.sequence = sighting.sequence();
  out.time_ms = sighting.time_ms();
  out.settled = sighting.settled();
  out.hand = sighting.hand();
  for (const v1::Cell& cell : sighting.hidden_cells()) {
    check.InReach(cell, "sighting.hidden_cells: a cell lies too far away to be on a table");
    out.hidden_cells.push_back(FromProto(cell));
  }
  for (const v1::NotRead& part : sighting.not_read()) {
    check.InReach(part.cell(), "sighting.not_read.cell: it lies too far away to be on a table");
  }
  std::set<engine::Cell> taken;
  for (const v1::SightedTile& tile : sighting.tiles()) {
    out.tiles.push_back(TileFromProto(tile, &check));
    check.Expect(taken.insert(out.tiles.back().cell).second,
                 "sighting.tiles.cell: two tiles lie in the same cell");
  }
  for (const v1::SightedFigure& figure : sighting.figures()) {
    out.figures.push_back(FigureFromProto(figure, &check));
  }
  if (sighting.has_score_track()) out.score_track = TrackFromProto(sighting.score_track(), &check);
  for (const v1::ClothColour& like : sighting.cloth()) {
    check.Probability(like.share(), "sighting.cloth.share: it goes from 0 to 1");
    out.cloth.push_back({like.colour(), like.share()});
  }
  if (!check.status().ok()) return check.status();
  return out;
}

}  // namespace tilewarden::services
