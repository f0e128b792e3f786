#include "vision/table_reader.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include "vision/board_finder.h"
#include "vision/cell_watch.h"
#include "vision/figure_finder.h"
#include "vision/gate.h"
#include "vision/named_tile.h"
#include "vision/tile_evidence.h"

namespace tilewarden::vision {
namespace {

// Below this a picture holds no tile that could be read.
constexpr int kSmallestPicture_px = 48;
// Boards of so few tiles are looked for anew: a tile beside the board may have
// been taken for it.
constexpr std::size_t kFewTiles = 3;

class StageClock {
 public:
  explicit StageClock(std::map<std::string, double>& stage_ms) : stage_ms_(stage_ms) {}
  void Done(const char* stage) {
    const auto now = std::chrono::steady_clock::now();
    stage_ms_[stage] += std::chrono::duration<double, std::milli>(now - last_).count();
    last_ = now;
  }

 private:
  std::map<std::string, double>& stage_ms_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

absl::Status CheckPicture(const cv::Mat& picture) {
  if (picture.empty()) return absl::InvalidArgumentError("the picture is empty");
  if (picture.type() != CV_8UC3) {
    return absl::InvalidArgumentError("the picture is not 8-bit colour (BGR)");
  }
  return absl::OkStatus();
}

NamedTile ToNamedTile(const TileMatcher& matcher, LatticeCell cell, const ReadCell& read,
                      const std::vector<TileCandidate>& names) {
  NamedTile tile;
  const TileMatcher::Match& match = read.candidates.front();
  tile.cell = cell;
  tile.corners_px = CornersOf(match.px_from_tile);
  tile.tile = names.front().tile;
  tile.rotation = names.front().rotation;
  tile.probability = names.front().probability;
  tile.expected = matcher.references()[static_cast<std::size_t>(match.reference)].expected;
  return tile;
}

SightedTile ToSightedTile(const Board& board, LatticeCell cell, const ReadCell& read,
                          std::vector<TileCandidate> names) {
  SightedTile tile;
  const TileMatcher::Match& match = read.candidates.front();
  const std::array<cv::Point2f, 4> corners = CornersOf(match.px_from_tile);
  tile.cell = cell;
  tile.candidates = std::move(names);
  tile.hidden = match.hidden;
  for (std::size_t i = 0; i < 4; ++i) tile.corners_px[i] = {corners[i].x, corners[i].y};
  // Where it lies in its cell, by the lattice that its neighbours make.
  const cv::Matx33f cell_from_tile = board.lattice.Predict(cell).inv() * match.px_from_tile;
  const auto at = [&](float x, float y) {
    const cv::Vec3f p = cell_from_tile * cv::Vec3f(x, y, 1);
    return cv::Point2f(p[0] / p[2], p[1] / p[2]);
  };
  const cv::Point2f middle = at(0.5F, 0.5F), along = at(1, 0.5F) - at(0, 0.5F);
  tile.offset = {middle.x - 0.5, middle.y - 0.5};
  tile.yaw_rad = std::atan2(along.y, along.x);
  return tile;
}

// Whether a tile that was seen better before may be what lies there now: then
// something was set on it, and what it is was clearer before that.
bool StillThere(const TileMatcher& matcher, const ReadCell& before, const ReadCell& now) {
  constexpr float kAsGood = 0.04F;
  const auto of = [&](const TileMatcher::Match& match) -> const TileMatcher::Reference& {
    return matcher.references()[static_cast<std::size_t>(match.reference)];
  };
  const TileMatcher::Match& best = before.candidates.front();
  if (best.cost > now.candidates.front().cost) return false;
  return std::any_of(
      now.candidates.begin(), now.candidates.end(), [&](const TileMatcher::Match& match) {
        return of(match).tile == of(best).tile && of(match).rotation == of(best).rotation &&
               match.cost < now.candidates.front().cost + kAsGood;
      });
}

void Describe(const cv::Mat& picture, const TileMatcher& matcher, const Board& board,
              const cv::Mat& hand_mask, const Options& options, Sighting& sighting) {
  StageClock clock(sighting.stage_ms);
  std::vector<NamedTile> named;
  sighting.tiles.clear();
  sighting.figures.clear();
  for (const auto& [cell, read] : board.tiles) {
    std::vector<TileCandidate> names = NamesOf(matcher, read.candidates, read.tile_probability);
    named.push_back(ToNamedTile(matcher, cell, read, names));
    sighting.tiles.push_back(ToSightedTile(board, cell, read, std::move(names)));
  }
  clock.Done("classify");
  if (!named.empty()) {
    sighting.figures = FindFigures(picture, named, board.lattice.Plane(), hand_mask, options);
  }
  clock.Done("figures");
}

}  // namespace

absl::StatusOr<Sighting> ReadTable(const cv::Mat& picture, const calibration::ReferencePack& pack,
                                   const Options& options) {
  if (absl::Status status = CheckPicture(picture); !status.ok()) return status;
  if (absl::Status status = options.Check(); !status.ok()) return status;
  Sighting sighting;
  sighting.width_px = picture.cols;
  sighting.height_px = picture.rows;
  sighting.settled = true;
  if (std::min(picture.cols, picture.rows) < kSmallestPicture_px) return sighting;
  StageClock clock(sighting.stage_ms);
  const TileMatcher matcher(pack);
  const PicturePyramid pyramid(picture);
  clock.Done("prepare");
  const Board board = FindBoard(picture, pyramid, matcher);
  clock.Done("find");
  Describe(picture, matcher, board, {}, options, sighting);
  return sighting;
}

struct TableReader::State {
  State(std::shared_ptr<const calibration::ReferencePack> pack_in, Options options_in)
      : pack(std::move(pack_in)), options(std::move(options_in)), matcher(*pack) {}

  std::shared_ptr<const calibration::ReferencePack> pack;
  Options options;
  TileMatcher matcher;
  Gate gate;
  Board board;
  CellWatch watch;
  Sighting last;
  cv::Size size;

  void Find(const cv::Mat& frame, const PicturePyramid& pyramid);
  // Reads again what changed. False where so much is lost that the board must
  // be found anew.
  bool Update(const PicturePyramid& pyramid, const std::set<LatticeCell>& changed);
  std::vector<LatticeCell> Cells() const;
};

std::vector<LatticeCell> TableReader::State::Cells() const {
  std::vector<LatticeCell> cells;
  for (const auto& [cell, read] : board.tiles) cells.push_back(cell);
  for (const auto& [cell, read] : board.others) cells.push_back(cell);
  return cells;
}

void TableReader::State::Find(const cv::Mat& frame, const PicturePyramid& pyramid) {
  board = FindBoard(frame, pyramid, matcher);
}

bool TableReader::State::Update(const PicturePyramid& pyramid,
                                const std::set<LatticeCell>& changed) {
  const std::size_t before = board.tiles.size();
  std::size_t lost = 0;
  for (const LatticeCell& cell : changed) {
    const auto tile = board.tiles.find(cell);
    if (tile == board.tiles.end()) continue;
    ReadCell read = ReadOneCell(pyramid, matcher, board, cell);
    if (read.tile_probability >= kTileLies) {
      if (!StillThere(matcher, tile->second, read)) tile->second = std::move(read);
    } else {
      board.tiles.erase(tile);
      ++lost;
    }
  }
  if (board.tiles.size() <= kFewTiles || 3 * lost > before) return false;
  std::erase_if(board.others, [&](const auto& other) { return changed.contains(other.first); });
  GrowBoard(pyramid, matcher, board);
  // What was read with doubt may be clear now that more of the light is known.
  SettleBoard(pyramid, matcher, board);
  return true;
}

TableReader::TableReader(std::shared_ptr<const calibration::ReferencePack> pack, Options options)
    : state_(std::make_unique<State>(std::move(pack), std::move(options))) {}
TableReader::TableReader(TableReader&&) noexcept = default;
TableReader& TableReader::operator=(TableReader&&) noexcept = default;
TableReader::~TableReader() = default;

absl::StatusOr<Sighting> TableReader::Read(const cv::Mat& frame, std::int64_t time_ms) {
  if (absl::Status status = CheckPicture(frame); !status.ok()) return status;
  if (absl::Status status = state_->options.Check(); !status.ok()) return status;
  State& state = *state_;
  Sighting& sighting = state.last;
  ++sighting.sequence;
  sighting.time_ms = time_ms;
  sighting.width_px = frame.cols;
  sighting.height_px = frame.rows;
  sighting.stage_ms.clear();
  sighting.hidden_cells.clear();
  if (std::min(frame.cols, frame.rows) < kSmallestPicture_px) {
    sighting.tiles.clear();
    sighting.figures.clear();
    return sighting;
  }
  StageClock clock(sighting.stage_ms);
  const GateResult gate = state.gate.Look(frame, time_ms);
  sighting.hand = gate.hand;
  sighting.settled = gate.settled;
  clock.Done("gate");
  if (gate.camera_moved || state.size != frame.size()) state.board = {};
  state.size = frame.size();
  if (!gate.settled) {
    // What was known stays known; nothing new is concluded.
    if (gate.hand && !state.board.tiles.empty()) {
      sighting.hidden_cells =
          HiddenCells(gate.hand_mask, frame.size(), state.board.lattice.Plane(), state.Cells());
    }
    return sighting;
  }
  const PicturePyramid pyramid(frame);
  std::set<LatticeCell> changed;
  if (!state.board.tiles.empty()) {
    changed = state.watch.Changed(pyramid);
    clock.Done("watch");
    if (changed.empty()) return sighting;
  }
  if (state.board.tiles.size() <= kFewTiles || !state.Update(pyramid, changed)) {
    state.Find(frame, pyramid);
  }
  clock.Done("find");
  Describe(frame, state.matcher, state.board, gate.hand_mask, state.options, sighting);
  state.watch.Remember(pyramid, state.board);
  return sighting;
}

}  // namespace tilewarden::vision
