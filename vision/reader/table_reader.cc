#include "vision/reader/table_reader.h"

#include <optional>
#include <utility>

#include "vision/board/board_by_networks.h"
#include "vision/board/board_by_pictures.h"
#include "vision/board/known_board.h"
#include "vision/board/last_view.h"
#include "vision/board/tiles_aside.h"
#include "vision/board/view_anchor.h"
#include "vision/figures/figures_beside.h"
#include "vision/picture/cell_watch.h"
#include "vision/picture/stage_clock.h"
#include "vision/reader/read_table.h"
#include "vision/reader/table_gate.h"
#include "vision/track/score_track_reader.h"

namespace tilewarden::vision {

struct TableReader::State {
  State(const Networks& networks_in, std::shared_ptr<const calibration::ReferencePack> pack_in,
        Options options_in, std::vector<std::string> types_in)
      : networks(networks_in),
        pack(std::move(pack_in)),
        options(std::move(options_in)),
        types(std::move(types_in)),
        matcher(*pack),
        beside(networks.figures(), networks.kinds()) {}

  const Networks& networks;
  const std::shared_ptr<const calibration::ReferencePack> pack;
  const Options options;
  const std::vector<std::string> types;
  const TileMatcher matcher;

  // Each answers a question and remembers what it needs for that.
  TableGate gate;                                         // is this look settled?
  ScoreTrackReader track;                                 // what stands on the score track?
  KnownBoard board{[this] { return NewBoardReader(); }};  // which tiles lie where?
  LastView view;                                          // what changed since it was read?
  TilesAside aside;                                       // which tiles lie beside it?
  FiguresBeside beside;                                   // which figures?
  ViewAnchor anchor;                                      // does the board lie elsewhere?
  cv::Size size;                                          // of the pictures
  Sighting seen;                                          // as it was last, but for:
  std::vector<SightedTile> seen_aside;
  bool read_at_rest = false;  // since the table came to rest

  std::unique_ptr<BoardReader> NewBoardReader() const;
  absl::StatusOr<Sighting> Read(const cv::Mat& frame, std::int64_t time_ms);
  Sighting Glance(const cv::Mat& frame, std::int64_t time_ms);

  // The steps of a reading.
  void Begin(const cv::Mat& frame, std::int64_t time_ms);
  Sighting NothingCanBeSeen();
  void TakeLook(const GateResult& look, cv::Size frame);
  Sighting Unsettled(const GateResult& look, const cv::Mat& frame);
  // Which cells must be read again; nothing: what is known still holds.
  std::optional<CellWatch::Change> WhatChanged(const cv::Mat& frame, const PicturePyramid& pyramid,
                                               StageClock& clock);
  absl::Status ReadBoard(const cv::Mat& frame, const PicturePyramid& pyramid,
                         const CellWatch::Change& change, const cv::Mat& hand_mask, bool at_leisure,
                         StageClock& clock);
  absl::Status LookAside(const cv::Mat& frame, const PicturePyramid& pyramid,
                         const cv::Mat& hand_mask, StageClock& clock);
  void Remember(const cv::Mat& frame, const PicturePyramid& pyramid);
  Sighting Told(const std::vector<SightedFigure>& figures_beside) const;
  Sighting Told() const { return Told(beside.figures()); }

  void ForgetBoard();
  // Carries what is known to where the board lies now that the camera was moved. False: it is not
  // found again by its art.
  bool FollowCamera(const cv::Mat& frame);
};

std::unique_ptr<BoardReader> TableReader::State::NewBoardReader() const {
  if (!pack->pictures.empty()) {
    return std::make_unique<BoardByPictures>(matcher, networks.finder(), networks.tiles(),
                                             networks.figures(), networks.kinds(),
                                             options.unexpected_tiles);
  }
  return std::make_unique<BoardByNetworks>(*pack, types, networks.finder(), networks.tiles(),
                                           networks.figures(), networks.kinds(),
                                           options.unexpected_tiles);
}

absl::StatusOr<Sighting> TableReader::State::Read(const cv::Mat& frame, std::int64_t time_ms) {
  Begin(frame, time_ms);
  if (TooSmallForATile(frame)) return NothingCanBeSeen();
  StageClock clock(seen.stage_ms);
  const absl::StatusOr<GateResult> look = gate.Look(frame, time_ms, board, view);
  if (!look.ok()) return look.status();
  clock.Done("gate");
  TakeLook(*look, frame.size());
  read_at_rest = look->settled;
  if (!look->settled) return Unsettled(*look, frame);

  const PicturePyramid pyramid(frame);
  std::optional<CellWatch::Change> change = WhatChanged(frame, pyramid, clock);
  const bool changed = change && (!change->cells.empty() || change->everywhere);
  // What was laid is told first. What takes long waits for the next look, if one follows soon.
  const bool at_leisure = !changed || (look->sparse && !look->film);
  if (!change && board.may_have_more()) change.emplace();
  seen.score_track = track.Read(frame, pyramid, time_ms, look->hand_mask, options, at_leisure);
  clock.Done("score track");
  if (change) {
    const absl::Status status =
        ReadBoard(frame, pyramid, *change, look->hand_mask, at_leisure, clock);
    if (!status.ok()) return status;
  }
  const absl::Status status = LookAside(frame, pyramid, look->hand_mask, clock);
  if (!status.ok()) return status;
  if (change) Remember(frame, pyramid);
  return Told();
}

Sighting TableReader::State::Glance(const cv::Mat& frame, std::int64_t time_ms) {
  // A sharp picture takes longer to come than a small one: it is asked for as soon as a hand has
  // left, and shows by itself that none came back.
  constexpr std::int64_t kAhead_ms = 150;
  Begin(frame, time_ms);
  if (TooSmallForATile(frame)) return NothingCanBeSeen();
  StageClock clock(seen.stage_ms);
  GateResult look = gate.LookRoughly(frame, time_ms, board, view);
  clock.Done("gate");
  const bool soon = !look.hand && !look.sparse && look.settles_in_ms <= kAhead_ms;
  const bool rests = look.settled || soon;
  if (!rests || look.camera_moved) read_at_rest = false;
  const bool is_it_a_hand = gate.AsksForSharp(look, board);
  look.settled = look.settled && read_at_rest;
  TakeLook(look, frame.size());
  Sighting told = look.settled ? Told() : Unsettled(look, frame);
  told.wants_sharp = (rests && !read_at_rest) || is_it_a_hand;
  return told;
}

void TableReader::State::Begin(const cv::Mat& frame, std::int64_t time_ms) {
  ++seen.sequence;
  seen.time_ms = time_ms;
  seen.width_px = frame.cols;
  seen.height_px = frame.rows;
  seen.stage_ms.clear();
  seen.hidden_cells.clear();
  seen.camera_moved = false;
}

Sighting TableReader::State::NothingCanBeSeen() {
  seen.tiles.clear();
  seen_aside.clear();
  beside.Forget();
  seen.figures.clear();
  seen.not_read.clear();
  seen.score_track.reset();
  seen.cloth.clear();
  return Told();
}

void TableReader::State::TakeLook(const GateResult& look, cv::Size frame) {
  seen.hand = look.hand;
  seen.settled = look.settled;
  if (size != frame) ForgetBoard();
  size = frame;
  if (!look.camera_moved) return;
  view.NoteMovedCamera();
  track.Forget();
}

// What was known stays known; nothing new is concluded, but that a figure beside the board is gone.
Sighting TableReader::State::Unsettled(const GateResult& look, const cv::Mat& frame) {
  if (view.camera_moved() || !board.known()) return Told();
  if (look.hand) seen.hidden_cells = CellsBelow(look.hand_mask, frame.size(), board);
  return Told(beside.StillThere(frame, look.hand_mask));
}

std::optional<CellWatch::Change> TableReader::State::WhatChanged(const cv::Mat& frame,
                                                                 const PicturePyramid& pyramid,
                                                                 StageClock& clock) {
  CellWatch::Change change;
  if (!board.known()) return change;
  if (view.camera_moved()) {
    change.everywhere = FollowCamera(frame);
    if (!change.everywhere) ForgetBoard();
    return change;
  }
  change = view.ChangedCells(pyramid);
  clock.Done("watch");
  const bool cells_changed = !change.cells.empty() || change.everywhere;
  const bool look_for_more = board.doubtful() && !cells_changed && view.ChangedSomewhere(frame);
  if (!cells_changed && !look_for_more) return std::nullopt;
  // Where it is not found again by its art it may lie nearly where it did.
  if (change.everywhere) FollowCamera(frame);
  return change;
}

absl::Status TableReader::State::ReadBoard(const cv::Mat& frame, const PicturePyramid& pyramid,
                                           const CellWatch::Change& change,
                                           const cv::Mat& hand_mask, bool at_leisure,
                                           StageClock& clock) {
  if (board.known()) {
    const absl::StatusOr<bool> kept = board.LookAgain(frame, pyramid, change, clock);
    if (!kept.ok()) return kept.status();
    if (!*kept) ForgetBoard();
  }
  if (board.doubtful() || (at_leisure && board.may_have_more())) {
    const bool untouched = change.cells.empty() && !change.everywhere;
    const absl::Status status = board.LookForMore(frame, pyramid, untouched, clock);
    if (!status.ok()) return status;
  }
  seen.not_read = board.not_read();
  const absl::Status status = board.reader().Describe(frame, hand_mask, options, clock, &seen);
  // Those beside the board are looked for all over the picture.
  std::erase_if(seen.figures, [](const SightedFigure& figure) { return !figure.cell; });
  return status;
}

absl::Status TableReader::State::LookAside(const cv::Mat& frame, const PicturePyramid& pyramid,
                                           const cv::Mat& hand_mask, StageClock& clock) {
  seen_aside.clear();
  if (board.known()) {
    const absl::Status status =
        aside.Look(frame, pyramid, hand_mask, board.places(), board.reader());
    if (!status.ok()) return status;
    seen_aside = aside.tiles();
  }
  clock.Done("aside");
  if (board.known()) {
    beside.Look(frame, pyramid, hand_mask, board.places(), board.reader().lattice().Plane(),
                seen.figures, options);
  } else {
    beside.Forget();
  }
  clock.Done("beside");
  return absl::OkStatus();
}

void TableReader::State::Remember(const cv::Mat& frame, const PicturePyramid& pyramid) {
  view.Remember(frame, pyramid, board.places());
  seen.camera_moved = anchor.Moved(board.places());
}

Sighting TableReader::State::Told(const std::vector<SightedFigure>& figures_beside) const {
  Sighting told = seen;
  told.tiles.insert(told.tiles.end(), seen_aside.begin(), seen_aside.end());
  told.figures.insert(told.figures.end(), figures_beside.begin(), figures_beside.end());
  // What could not be read there is not gone.
  for (const NotRead& part : told.not_read) {
    if (part.why != NotReadWhy::kOutside) told.hidden_cells.push_back(part.cell);
  }
  for (const auto& [cell, px_from_tile] : board.covered()) told.hidden_cells.push_back(cell);
  return told;
}

void TableReader::State::ForgetBoard() {
  board.Forget();
  view.Forget();
  aside.Forget();
  beside.Forget();
}

bool TableReader::State::FollowCamera(const cv::Mat& frame) {
  const std::optional<cv::Matx33d> shift = view.Shift(frame);
  if (!shift) return false;
  board.Carry(*shift);
  aside.Carry(*shift);
  return true;
}

TableReader::TableReader(const Networks& networks,
                         std::shared_ptr<const calibration::ReferencePack> pack, Options options,
                         std::vector<std::string> types)
    : state_(std::make_unique<State>(networks, std::move(pack), std::move(options),
                                     std::move(types))) {}
TableReader::TableReader(TableReader&&) noexcept = default;
TableReader& TableReader::operator=(TableReader&&) noexcept = default;
TableReader::~TableReader() = default;

absl::StatusOr<Sighting> TableReader::Read(const cv::Mat& frame, std::int64_t time_ms) {
  if (absl::Status status = CheckPicture(frame); !status.ok()) return status;
  if (absl::Status status = state_->options.Check(); !status.ok()) return status;
  return state_->Read(frame, time_ms);
}

absl::StatusOr<Sighting> TableReader::Glance(const cv::Mat& frame, std::int64_t time_ms) {
  if (absl::Status status = CheckPicture(frame); !status.ok()) return status;
  return state_->Glance(frame, time_ms);
}

}  // namespace tilewarden::vision
