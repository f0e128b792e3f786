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
#include "vision/figure_network.h"
#include "vision/gate.h"
#include "vision/named_tile.h"
#include "vision/tile_descriptors.h"
#include "vision/tile_naming.h"
#include "vision/tile_network.h"
#include "vision/unaided_board.h"
#include "vision/view_anchor.h"

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

SightedTile ToSightedTile(const Lattice& lattice, LatticeCell cell, const cv::Matx33f& px_from_tile,
                          std::vector<TileCandidate> names) {
  SightedTile tile;
  const std::array<cv::Point2f, 4> corners = CornersOf(px_from_tile);
  tile.cell = cell;
  tile.candidates = std::move(names);
  for (std::size_t i = 0; i < 4; ++i) tile.corners_px[i] = {corners[i].x, corners[i].y};
  // Where it lies in its cell, by the lattice that its neighbours make.
  const cv::Matx33f cell_from_tile = lattice.Predict(cell).inv() * px_from_tile;
  const auto at = [&](float x, float y) {
    const cv::Vec3f p = cell_from_tile * cv::Vec3f(x, y, 1);
    return cv::Point2f(p[0] / p[2], p[1] / p[2]);
  };
  const cv::Point2f middle = at(0.5F, 0.5F), along = at(1, 0.5F) - at(0, 0.5F);
  tile.offset = {middle.x - 0.5, middle.y - 0.5};
  tile.yaw_rad = std::atan2(along.y, along.x);
  return tile;
}

// What lies there now, if it may be the tile that was seen better before: then
// something was set on it, and what it is was clearer before that. Else null.
const TileMatcher::Match* StillThere(const TileMatcher& matcher, const ReadCell& before,
                                     const ReadCell& now) {
  constexpr float kAsGood = 0.04F;
  const auto of = [&](const TileMatcher::Match& match) -> const TileMatcher::Reference& {
    return matcher.references()[static_cast<std::size_t>(match.reference)];
  };
  const TileMatcher::Match& best = before.candidates.front();
  if (best.cost > now.candidates.front().cost) return nullptr;
  const auto same = std::find_if(
      now.candidates.begin(), now.candidates.end(), [&](const TileMatcher::Match& match) {
        return of(match).tile == of(best).tile && of(match).rotation == of(best).rotation &&
               match.cost < now.candidates.front().cost + kAsGood;
      });
  return same == now.candidates.end() ? nullptr : &*same;
}

// Loaded once for each thread that reads pictures.
template <typename Network>
absl::StatusOr<Network*> OfThisThread() {
  thread_local std::optional<Network> loaded;
  if (!loaded) {
    absl::StatusOr<Network> network = Network::Load();
    if (!network.ok()) return network.status();
    loaded.emplace(*std::move(network));
  }
  return &*loaded;
}

void Describe(const cv::Mat& picture, const TileMatcher& matcher, const TileNaming& naming,
              const Board& board, const cv::Mat& hand_mask, const Options& options,
              Sighting& sighting) {
  StageClock clock(sighting.stage_ms);
  std::vector<NamedTile> named;
  sighting.tiles.clear();
  sighting.figures.clear();
  for (auto& [cell, names] : naming.NamesOfBoard(board)) {
    const ReadCell& read = board.tiles.at(cell);
    named.push_back(ToNamedTile(matcher, cell, read, names));
    const TileMatcher::Match& match = read.candidates.front();
    sighting.tiles.push_back(
        ToSightedTile(board.lattice, cell, match.px_from_tile, std::move(names)));
    sighting.tiles.back().hidden = match.hidden;
  }
  if (!named.empty()) {
    sighting.figures = FindFigures(picture, named, board.lattice.Plane(), hand_mask, options);
  }
  clock.Done("figures");
}

Sighting NothingSeen(const cv::Mat& picture) {
  Sighting sighting;
  sighting.width_px = picture.cols;
  sighting.height_px = picture.rows;
  sighting.settled = true;
  return sighting;
}

bool TooSmallForATile(const cv::Mat& picture) {
  return std::min(picture.cols, picture.rows) < kSmallestPicture_px;
}

// The types of a pack of descriptors, so far as they help: none where the network
// does not know them all.
std::vector<std::string> TypesOf(const calibration::ReferencePack& pack,
                                 const TileNetwork& network) {
  std::set<std::string> types;
  for (const auto& descriptor : pack.descriptors) types.insert(descriptor.tile);
  const std::vector<std::string> known = network.Tiles();
  for (const std::string& type : types) {
    if (std::find(known.begin(), known.end(), type) == known.end()) return {};
  }
  return {types.begin(), types.end()};
}

// Without any pictures of the tiles. `pack`: its descriptors help; may be null.
absl::StatusOr<Sighting> ReadByNetworks(const cv::Mat& picture, TileNetwork& network,
                                        const std::vector<std::string>& types,
                                        const calibration::ReferencePack* pack,
                                        const Options& options) {
  const absl::StatusOr<FigureNetwork*> figure_network = OfThisThread<FigureNetwork>();
  if (!figure_network.ok()) return figure_network.status();
  Sighting sighting = NothingSeen(picture);
  StageClock clock(sighting.stage_ms);
  absl::StatusOr<UnaidedBoard> board = FindUnaidedBoard(picture, network, types);
  if (!board.ok()) return board.status();
  clock.Done("find");
  std::vector<NamedTile> named;
  for (auto& [cell, tile] : board->tiles) {
    if (pack != nullptr) {
      const absl::Status status =
          WeighByDescriptors(picture, CornersOf(tile.px_from_tile), *pack, network, &tile.scores);
      if (!status.ok()) return status;
    }
    std::vector<TileCandidate> names;
    for (const TileReading& reading : tile.scores.readings) {
      names.push_back({reading.tile, reading.rotation, reading.probability});
    }
    sighting.tiles.push_back(
        ToSightedTile(board->lattice, cell, tile.px_from_tile, std::move(names)));
    NamedTile& laid = named.emplace_back();
    laid.cell = cell;
    laid.corners_px = CornersOf(tile.px_from_tile);
  }
  clock.Done("classify");
  if (!named.empty()) {
    sighting.figures =
        FindFiguresByLook(picture, named, board->lattice.Plane(), {}, options, **figure_network);
  }
  clock.Done("figures");
  return sighting;
}

}  // namespace

absl::StatusOr<Sighting> ReadTable(const cv::Mat& picture, const calibration::ReferencePack& pack,
                                   const Options& options) {
  if (absl::Status status = CheckPicture(picture); !status.ok()) return status;
  if (absl::Status status = options.Check(); !status.ok()) return status;
  const absl::StatusOr<TileNetwork*> network = OfThisThread<TileNetwork>();
  if (!network.ok()) return network.status();
  Sighting sighting = NothingSeen(picture);
  if (TooSmallForATile(picture)) return sighting;
  if (pack.pictures.empty()) {
    return ReadByNetworks(picture, **network, TypesOf(pack, **network), &pack, options);
  }
  StageClock clock(sighting.stage_ms);
  const TileMatcher matcher(pack);
  const PicturePyramid pyramid(picture);
  clock.Done("prepare");
  Board board = FindBoard(picture, pyramid, matcher);
  clock.Done("find");
  const TileNaming naming(matcher, *network);
  naming.Name(picture, pyramid, board);
  clock.Done("classify");
  Describe(picture, matcher, naming, board, {}, options, sighting);
  return sighting;
}

absl::StatusOr<Sighting> ReadTableWithoutPack(const cv::Mat& picture,
                                              const std::vector<std::string>& types,
                                              const Options& options) {
  if (absl::Status status = CheckPicture(picture); !status.ok()) return status;
  if (absl::Status status = options.Check(); !status.ok()) return status;
  const absl::StatusOr<TileNetwork*> network = OfThisThread<TileNetwork>();
  if (!network.ok()) return network.status();
  if (TooSmallForATile(picture)) return NothingSeen(picture);
  return ReadByNetworks(picture, **network, types, nullptr, options);
}

double HowUnlike(const cv::Mat& picture, const Sighting& sighting,
                 const calibration::ReferencePack& pack) {
  const TileMatcher matcher(pack);
  const PicturePyramid pyramid(picture);
  std::vector<double> unlike;
  for (const SightedTile& tile : sighting.tiles) {
    if (tile.candidates.empty()) continue;
    const TileCandidate& name = tile.candidates.front();
    std::array<cv::Point2f, 4> corners;
    for (std::size_t i = 0; i < 4; ++i) {
      corners[i] = {static_cast<float>(tile.corners_px[i].x),
                    static_cast<float>(tile.corners_px[i].y)};
    }
    // In whichever turn: those that show the same to the rules are painted apart.
    double least = 1;
    for (std::size_t i = 0; i < matcher.references().size(); ++i) {
      if (matcher.references()[i].tile != name.tile) continue;
      TileMatcher::Match match;
      match.reference = static_cast<int>(i);
      match.px_from_tile = PxFromTile(corners);
      least = std::min<double>(least, matcher.AlignInAnyLight(pyramid, match).cost);
    }
    unlike.push_back(least);
  }
  if (unlike.empty()) return 1;
  const auto third = unlike.begin() + static_cast<std::ptrdiff_t>(unlike.size() / 3);
  std::nth_element(unlike.begin(), third, unlike.end());
  return *third;
}

struct TableReader::State {
  State(std::shared_ptr<const calibration::ReferencePack> pack_in, Options options_in)
      : pack(std::move(pack_in)), options(std::move(options_in)), matcher(*pack) {}

  std::shared_ptr<const calibration::ReferencePack> pack;
  Options options;
  TileMatcher matcher;
  std::optional<TileNetwork> network;
  std::optional<TileNaming> naming;
  Gate gate;
  Board board;
  CellWatch watch;
  ViewAnchor anchor;
  int looks_in_rest = 0;  // at what seems a hand
  Sighting last;
  cv::Size size;

  void Find(const cv::Mat& frame, const PicturePyramid& pyramid);
  // Reads again what changed. False where so much is lost that the board must
  // be found anew.
  bool Update(const PicturePyramid& pyramid, const CellWatch::Change& change);
  // A hand seems to rest there, but the tiles beside it changed as well, or those
  // below it are seen: what is taken for one are edges that lie elsewhere.
  bool LiesElsewhere(const cv::Mat& frame, const GateResult& gate_now);
  std::vector<LatticeCell> Cells() const;
  std::set<LatticeCell> Everything() const;
  bool CameraMoved();
};

bool TableReader::State::CameraMoved() {
  std::vector<ViewAnchor::Tile> tiles;
  for (const auto& [cell, read] : board.tiles) {
    const TileMatcher::Match& match = read.candidates.front();
    tiles.push_back(
        {matcher.references()[static_cast<std::size_t>(match.reference)].tile, match.px_from_tile});
  }
  return anchor.Moved(tiles);
}

std::vector<LatticeCell> TableReader::State::Cells() const {
  std::vector<LatticeCell> cells;
  for (const auto& [cell, read] : board.tiles) cells.push_back(cell);
  for (const auto& [cell, read] : board.others) cells.push_back(cell);
  return cells;
}

std::set<LatticeCell> TableReader::State::Everything() const {
  const std::vector<LatticeCell> cells = Cells();
  return {cells.begin(), cells.end()};
}

bool TableReader::State::LiesElsewhere(const cv::Mat& frame, const GateResult& gate_now) {
  // Looked at twice in a rest, because the second is slow.
  constexpr std::int64_t kSoon_ms = 300, kLater_ms = 1000;
  constexpr double kMost = 0.6;
  const int look = gate_now.quiet_ms >= kLater_ms ? 2 : gate_now.quiet_ms >= kSoon_ms ? 1 : 0;
  const bool due = look > looks_in_rest;
  looks_in_rest = look;
  if (!due || !gate_now.hand || board.tiles.size() < kFewTiles) return false;
  const PicturePyramid pyramid(frame);
  const std::vector<LatticeCell> cells =
      HiddenCells(gate_now.hand_mask, frame.size(), board.lattice.Plane(), Cells());
  const std::set<LatticeCell> hidden(cells.begin(), cells.end());
  if (watch.Changed(pyramid, hidden).everywhere) return true;
  const auto tiles_hidden = std::count_if(board.tiles.begin(), board.tiles.end(),
                                          [&](const auto& t) { return hidden.contains(t.first); });
  const double most = kMost * static_cast<double>(board.tiles.size());
  return look == 2 && static_cast<double>(tiles_hidden) > most &&
         static_cast<double>(FindBoard(frame, pyramid, matcher).tiles.size()) > most;
}

void TableReader::State::Find(const cv::Mat& frame, const PicturePyramid& pyramid) {
  board = FindBoard(frame, pyramid, matcher);
}

bool TableReader::State::Update(const PicturePyramid& pyramid, const CellWatch::Change& change) {
  const std::set<LatticeCell> changed = change.everywhere ? Everything() : change.cells;
  const std::size_t before = board.tiles.size();
  std::size_t lost = 0;
  for (const LatticeCell& cell : changed) {
    const auto tile = board.tiles.find(cell);
    if (tile == board.tiles.end()) continue;
    ReadCell read = ReadOneCell(pyramid, matcher, board, cell);
    if (read.tile_probability >= kTileLies) {
      const TileMatcher::Match* same = StillThere(matcher, tile->second, read);
      if (same == nullptr) {
        tile->second = std::move(read);
      } else if (change.everywhere) {
        for (TileMatcher::Match& match : tile->second.candidates) {
          match.px_from_tile = same->px_from_tile;
        }
      }
    } else {
      board.tiles.erase(tile);
      ++lost;
    }
  }
  const bool few_left = before > kFewTiles && board.tiles.size() <= kFewTiles;
  if (board.tiles.empty() || few_left || 3 * lost > before) return false;
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
  if (!state.naming) {
    absl::StatusOr<TileNetwork> network = TileNetwork::Load();
    if (!network.ok()) return network.status();
    state.network.emplace(*std::move(network));
    state.naming.emplace(state.matcher, &*state.network);
  }
  Sighting& sighting = state.last;
  ++sighting.sequence;
  sighting.time_ms = time_ms;
  sighting.width_px = frame.cols;
  sighting.height_px = frame.rows;
  sighting.stage_ms.clear();
  sighting.hidden_cells.clear();
  sighting.camera_moved = false;
  if (std::min(frame.cols, frame.rows) < kSmallestPicture_px) {
    sighting.tiles.clear();
    sighting.figures.clear();
    return sighting;
  }
  StageClock clock(sighting.stage_ms);
  GateResult gate = state.gate.Look(frame, time_ms);
  if (state.LiesElsewhere(frame, gate)) {
    state.gate = {};
    gate = state.gate.Look(frame, time_ms);
    gate.camera_moved = true;
  }
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
  CellWatch::Change change;
  if (!state.board.tiles.empty()) {
    change = state.watch.Changed(pyramid);
    clock.Done("watch");
    if (change.cells.empty() && !change.everywhere) return sighting;
  }
  if (state.board.tiles.empty() || !state.Update(pyramid, change)) {
    state.Find(frame, pyramid);
  } else if (state.board.tiles.size() <= kFewTiles) {
    Board known = std::move(state.board);
    state.Find(frame, pyramid);
    // A picture that is coarser than others may not be enough to find the first
    // tiles by, but it is to see that they still lie there.
    if (state.board.tiles.size() < known.tiles.size()) state.board = std::move(known);
  }
  clock.Done("find");
  state.naming->Name(frame, pyramid, state.board);
  clock.Done("classify");
  Describe(frame, state.matcher, *state.naming, state.board, gate.hand_mask, state.options,
           sighting);
  state.watch.Remember(pyramid, state.board);
  sighting.camera_moved = state.CameraMoved();
  return sighting;
}

}  // namespace tilewarden::vision
