#include "vision/reader/table_reader.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>

#include "calibration/common/quad_finder.h"
#include "opencv2/imgproc.hpp"
#include "vision/board/board_by_networks.h"
#include "vision/board/board_by_pictures.h"
#include "vision/board/tiles_aside.h"
#include "vision/board/view_anchor.h"
#include "vision/board/view_shift.h"
#include "vision/figures/figure_network.h"
#include "vision/gate/gate.h"
#include "vision/picture/cell_watch.h"
#include "vision/picture/stage_clock.h"
#include "vision/reader/read_table.h"
#include "vision/tiles/tile_network.h"
#include "vision/track/score_track_reader.h"

namespace tilewarden::vision {

struct TableReader::State {
  State(std::shared_ptr<const calibration::ReferencePack> pack_in, Options options_in,
        std::vector<std::string> types_in)
      : pack(std::move(pack_in)),
        options(std::move(options_in)),
        types(std::move(types_in)),
        matcher(*pack) {}

  std::shared_ptr<const calibration::ReferencePack> pack;
  Options options;
  std::vector<std::string> types;
  TileMatcher matcher;
  std::optional<TileNetwork> network;
  std::optional<FigureNetwork> figure_network;  // without pictures alone
  std::optional<FigureKindNetwork> kinds;
  Gate gate;
  std::unique_ptr<BoardReader> board;  // null: nothing is known of it
  BoardPlaces places;                  // of that board
  CellWatch watch;
  TilesAside aside;
  std::size_t board_tiles = 0;  // of the tiles in `last`; the others lie aside
  ViewAnchor anchor;
  ScoreTrackReader track;
  bool track_moved = false;  // in the picture, since it was read
  cv::Mat seen;              // the picture that the board was read in last, grey
  bool view_moved = false;   // since then
  int looks_in_rest = 0;     // at what seems a hand
  Sighting last;
  cv::Size size;

  absl::Status LoadNetworks();
  std::unique_ptr<BoardReader> NewBoard();
  void Forget();
  // How the board moved in the picture since it was read, by its art.
  std::optional<cv::Matx33d> Shift(const cv::Mat& frame) const;
  // The same where what seems a hand in a single look may be a camera that was moved.
  std::optional<cv::Matx33d> ShiftUnderHand(const cv::Mat& frame, const GateResult& gate_now) const;
  // Where the board lies now that the camera was moved. False: it must be found anew.
  bool Follow(const cv::Mat& frame);
  // Reads again what changed, or the whole board where it must be found anew.
  absl::Status Read(const cv::Mat& frame, const PicturePyramid& pyramid,
                    const CellWatch::Change& change, StageClock& clock);
  // A hand seems to rest there, but the tiles beside it changed as well, or those
  // below it are seen: what is taken for one are edges that lie elsewhere.
  absl::StatusOr<bool> LiesElsewhere(const cv::Mat& frame, const GateResult& gate_now);
  // Since the board was read last, the picture changed in as much as a tile covers.
  bool PictureChanged(const cv::Mat& frame) const;
  // Where a hand may hide something.
  std::vector<LatticeCell> Hidden(const GateResult& gate_now, cv::Size frame) const;
  bool CameraMoved();
  // The tiles that lie away from the board, besides those of the board that the last sighting has.
  absl::Status LookAside(const cv::Mat& frame, const PicturePyramid& pyramid,
                         const cv::Mat& hand_mask, StageClock& clock);
};

absl::Status TableReader::State::LoadNetworks() {
  if (!network) {
    absl::StatusOr<TileNetwork> loaded = TileNetwork::Load();
    if (!loaded.ok()) return loaded.status();
    network.emplace(*std::move(loaded));
  }
  if (!kinds) {
    absl::StatusOr<FigureKindNetwork> loaded = FigureKindNetwork::Load();
    if (!loaded.ok()) return loaded.status();
    kinds.emplace(*std::move(loaded));
  }
  if (pack->pictures.empty() && !figure_network) {
    absl::StatusOr<FigureNetwork> loaded = FigureNetwork::Load();
    if (!loaded.ok()) return loaded.status();
    figure_network.emplace(*std::move(loaded));
  }
  return absl::OkStatus();
}

std::unique_ptr<BoardReader> TableReader::State::NewBoard() {
  if (!pack->pictures.empty())
    return std::make_unique<BoardByPictures>(matcher, &*network, &*kinds);
  return std::make_unique<BoardByNetworks>(*pack, types, *network, *figure_network, *kinds);
}

void TableReader::State::Forget() {
  board.reset();
  places = {};
  aside.Forget();
  view_moved = false;
}

std::optional<cv::Matx33d> TableReader::State::Shift(const cv::Mat& frame) const {
  cv::Mat lay(seen.size(), CV_8U, cv::Scalar(0)), now;
  for (const auto& [cell, tile] : places.tiles) {
    std::vector<cv::Point> outline;
    for (const cv::Point2f& corner : CornersOf(tile.px_from_tile)) outline.emplace_back(corner);
    cv::fillConvexPoly(lay, outline, cv::Scalar(255));
  }
  cv::cvtColor(frame, now, cv::COLOR_BGR2GRAY);
  return ShiftOfView(seen, lay, now);
}

std::optional<cv::Matx33d> TableReader::State::ShiftUnderHand(const cv::Mat& frame,
                                                              const GateResult& gate_now) const {
  // Tiles that a hand pushed move less; a camera that was bumped moves all of them.
  constexpr double kLeast = 0.1;  // tile sizes
  if (!gate_now.sparse || !gate_now.hand || view_moved || places.tiles.size() < kFewTiles) {
    return std::nullopt;
  }
  const std::optional<cv::Matx33d> shift = Shift(frame);
  if (!shift) return std::nullopt;
  for (const auto& [cell, tile] : places.tiles) {
    const std::array<cv::Point2f, 4> corners = CornersOf(tile.px_from_tile);
    const std::array<cv::Point2f, 4> now = CornersOf(Carried(*shift, tile.px_from_tile));
    if (cv::norm(now[0] - corners[0]) < kLeast * calibration::SideOf(corners)) return std::nullopt;
  }
  return shift;
}

bool TableReader::State::Follow(const cv::Mat& frame) {
  view_moved = false;
  const std::optional<cv::Matx33d> shift = Shift(frame);
  if (!shift) return false;
  board->Carry(*shift);
  aside.Carry(*shift);
  places = board->Places();
  return true;
}

bool TableReader::State::CameraMoved() {
  std::vector<ViewAnchor::Tile> tiles;
  for (const auto& [cell, tile] : places.tiles) tiles.push_back({tile.name, tile.px_from_tile});
  return anchor.Moved(tiles);
}

std::vector<LatticeCell> TableReader::State::Hidden(const GateResult& gate_now,
                                                    cv::Size frame) const {
  const std::set<LatticeCell> cells = CellsOf(places);
  return HiddenCells(gate_now.hand_mask, frame, board->lattice().Plane(),
                     {cells.begin(), cells.end()});
}

absl::StatusOr<bool> TableReader::State::LiesElsewhere(const cv::Mat& frame,
                                                       const GateResult& gate_now) {
  // Looked at twice in a rest, because the second is slow.
  constexpr std::int64_t kSoon_ms = 300, kLater_ms = 1000;
  constexpr double kMost = 0.6;
  const int look = gate_now.quiet_ms >= kLater_ms ? 2 : gate_now.quiet_ms >= kSoon_ms ? 1 : 0;
  const bool due = look > looks_in_rest;
  looks_in_rest = look;
  if (!due || !gate_now.hand || view_moved || places.tiles.size() < kFewTiles) return false;
  const PicturePyramid pyramid(frame);
  const std::vector<LatticeCell> cells = Hidden(gate_now, frame.size());
  const std::set<LatticeCell> hidden(cells.begin(), cells.end());
  if (watch.Changed(pyramid, hidden).everywhere) return true;
  const auto tiles_hidden = std::count_if(places.tiles.begin(), places.tiles.end(),
                                          [&](const auto& t) { return hidden.contains(t.first); });
  const double most = kMost * static_cast<double>(places.tiles.size());
  if (look != 2 || static_cast<double>(tiles_hidden) <= most) return false;
  const std::unique_ptr<BoardReader> anew = NewBoard();
  std::map<std::string, double> untold_ms;
  StageClock clock(untold_ms);
  if (absl::Status status = anew->Find(frame, pyramid, clock); !status.ok()) return status;
  return static_cast<double>(anew->Places().tiles.size()) > most;
}

bool TableReader::State::PictureChanged(const cv::Mat& frame) const {
  constexpr int kWidth_px = 240;
  constexpr double kChange = 16;  // levels
  constexpr int kLeast_px = 20;   // a tile of 1/40 of the picture's width covers 36
  const cv::Size small(kWidth_px, std::max(1, frame.rows * kWidth_px / frame.cols));
  cv::Mat grey, now, before, difference;
  cv::cvtColor(frame, grey, cv::COLOR_BGR2GRAY);
  cv::resize(grey, now, small, 0, 0, cv::INTER_AREA);
  cv::resize(seen, before, small, 0, 0, cv::INTER_AREA);
  cv::absdiff(before, now, difference);
  return cv::countNonZero(difference > kChange + cv::mean(difference)[0]) >= kLeast_px;
}

absl::Status TableReader::State::Read(const cv::Mat& frame, const PicturePyramid& pyramid,
                                      const CellWatch::Change& change, StageClock& clock) {
  if (!places.tiles.empty()) {
    const absl::StatusOr<bool> kept = board->Update(frame, pyramid, change, clock);
    if (!kept.ok()) return kept.status();
    if (*kept) places = board->Places();
    if (!*kept) Forget();
  }
  if (places.tiles.size() > kFewTiles) return absl::OkStatus();
  std::unique_ptr<BoardReader> anew = NewBoard();
  if (absl::Status status = anew->Find(frame, pyramid, clock); !status.ok()) return status;
  // A picture that is coarser than others may not be enough to find the first
  // tiles by, but it is to see that they still lie there. Where nothing happened to
  // them, it takes more tiles to be believed rather than they.
  const bool untouched = !places.tiles.empty() && change.cells.empty() && !change.everywhere;
  const BoardPlaces found = anew->Places();
  if (found.tiles.size() > places.tiles.size() ||
      (!untouched && found.tiles.size() == places.tiles.size())) {
    board = std::move(anew);
    places = found;
  }
  return absl::OkStatus();
}

absl::Status TableReader::State::LookAside(const cv::Mat& frame, const PicturePyramid& pyramid,
                                           const cv::Mat& hand_mask, StageClock& clock) {
  last.tiles.resize(board_tiles);
  if (!places.tiles.empty()) {
    const absl::Status status = aside.Look(frame, pyramid, hand_mask, places, *board);
    if (!status.ok()) return status;
    last.tiles.insert(last.tiles.end(), aside.tiles().begin(), aside.tiles().end());
  }
  clock.Done("aside");
  return absl::OkStatus();
}

TableReader::TableReader(std::shared_ptr<const calibration::ReferencePack> pack, Options options,
                         std::vector<std::string> types)
    : state_(std::make_unique<State>(std::move(pack), std::move(options), std::move(types))) {}
TableReader::TableReader(TableReader&&) noexcept = default;
TableReader& TableReader::operator=(TableReader&&) noexcept = default;
TableReader::~TableReader() = default;

absl::StatusOr<Sighting> TableReader::Read(const cv::Mat& frame, std::int64_t time_ms) {
  if (absl::Status status = CheckPicture(frame); !status.ok()) return status;
  if (absl::Status status = state_->options.Check(); !status.ok()) return status;
  State& state = *state_;
  if (absl::Status status = state.LoadNetworks(); !status.ok()) return status;
  Sighting& sighting = state.last;
  ++sighting.sequence;
  sighting.time_ms = time_ms;
  sighting.width_px = frame.cols;
  sighting.height_px = frame.rows;
  sighting.stage_ms.clear();
  sighting.hidden_cells.clear();
  sighting.camera_moved = false;
  if (TooSmallForATile(frame)) {
    sighting.tiles.clear();
    state.board_tiles = 0;
    sighting.figures.clear();
    sighting.score_track.reset();
    return sighting;
  }
  StageClock clock(sighting.stage_ms);
  GateResult gate = state.gate.Look(frame, time_ms);
  if (const std::optional<cv::Matx33d> shift = state.ShiftUnderHand(frame, gate)) {
    gate = state.gate.LookAgain(*shift, frame.size()).value_or(gate);
  }
  const absl::StatusOr<bool> elsewhere = state.LiesElsewhere(frame, gate);
  if (!elsewhere.ok()) return elsewhere.status();
  if (*elsewhere) {
    state.gate = {};
    gate = state.gate.Look(frame, time_ms);
    gate.camera_moved = true;
  }
  sighting.hand = gate.hand;
  sighting.settled = gate.settled;
  clock.Done("gate");
  if (state.size != frame.size()) state.Forget();
  state.view_moved |= gate.camera_moved && !state.places.tiles.empty();
  state.track_moved |= gate.camera_moved;
  state.size = frame.size();
  if (!gate.settled) {
    // What was known stays known; nothing new is concluded.
    if (gate.hand && !state.view_moved && !state.places.tiles.empty()) {
      sighting.hidden_cells = state.Hidden(gate, frame.size());
    }
    return sighting;
  }
  const PicturePyramid pyramid(frame);
  sighting.score_track =
      state.track.Read(frame, pyramid, time_ms, state.track_moved, gate.hand_mask, state.options);
  state.track_moved = false;
  clock.Done("score track");
  CellWatch::Change change;
  if (state.view_moved) {
    change.everywhere = state.Follow(frame);
    if (!change.everywhere) state.Forget();
  } else if (!state.places.tiles.empty()) {
    change = state.watch.Changed(pyramid);
    clock.Done("watch");
    const bool few = state.places.tiles.size() <= kFewTiles;
    if (change.cells.empty() && !change.everywhere && !(few && state.PictureChanged(frame))) {
      const absl::Status status = state.LookAside(frame, pyramid, gate.hand_mask, clock);
      if (!status.ok()) return status;
      return sighting;
    }
    // Where it is not found again by its art it may lie nearly where it did.
    if (change.everywhere) state.Follow(frame);
  }
  if (absl::Status status = state.Read(frame, pyramid, change, clock); !status.ok()) return status;
  if (absl::Status status =
          state.board->Describe(frame, gate.hand_mask, state.options, clock, &sighting);
      !status.ok()) {
    return status;
  }
  state.board_tiles = sighting.tiles.size();
  if (absl::Status status = state.LookAside(frame, pyramid, gate.hand_mask, clock); !status.ok()) {
    return status;
  }
  state.watch.Remember(pyramid, state.places);
  cv::cvtColor(frame, state.seen, cv::COLOR_BGR2GRAY);
  sighting.camera_moved = state.CameraMoved();
  return sighting;
}

}  // namespace tilewarden::vision
