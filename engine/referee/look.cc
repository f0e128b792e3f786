#include "engine/referee/look.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <tuple>
#include <unordered_map>

#include "engine/tiles/index.h"

namespace tilewarden::engine {
namespace {

// A tile covered this much is no evidence of what it is.
constexpr double kHiddenShare = 0.5;
// Covered more than a figure would: a hand is over it.
constexpr double kCoveredShare = 0.15;
// A tile further off its cell's centre (tile sizes) or turned more is not laid:
// somebody is still putting it down, or it lies beside the board. Hand-laid
// tiles drift by a tenth of a tile over a large board.
constexpr double kLaidOffset = 0.35;
constexpr double kLaidYaw_rad = 0.3;

// Alignment scores are log likelihood ratios of "this is how the lattice lies"
// to "some other way". A board tile that is read right in 97 of 100 looks and
// would be met by chance in one of 20 gains 3; a contradiction costs 2.3.
constexpr double kRightReading = 0.97;
constexpr double kChance = 0.05;
constexpr double kWrongReading = 0.005;
constexpr double kMissingTile = -1.5;
// Tiles laid since the last look are natural, several at once too; tiles that
// hang on nothing known are odd.
constexpr double kExtraBesideBoard = -0.5;
constexpr double kExtraElsewhere = -0.6;
constexpr double kMostForExtras = -2.0;
constexpr double kFigureInPlace = 1.0;
constexpr double kFigureOutOfPlace = -1.0;
constexpr double kNewTileFits = 0.5;
constexpr double kSameAsBefore = 1.5;
// Candidates below this do not vote.
constexpr double kLeastVote = 0.02;
// Hypotheses scored whole.
constexpr std::size_t kScoredWhole = 8;

std::uint8_t RotatedSides(std::uint8_t sides, int turns) {
  return static_cast<std::uint8_t>(((sides << turns) | (sides >> (4 - turns))) & 0xF);
}
std::uint8_t RotatedHalfEdges(std::uint8_t halves, int turns) {
  return static_cast<std::uint8_t>((halves << (2 * turns)) | (halves >> (8 - 2 * turns)));
}

// The facts of a tile in an order that does not depend on its rotation.
std::multiset<std::tuple<int, int, int, int, int, std::set<int>>> Facts(const TileType& type,
                                                                        int turns) {
  std::multiset<std::tuple<int, int, int, int, int, std::set<int>>> facts;
  for (const Segment& s : type.segments) {
    std::set<int> cities;
    for (std::size_t i = 0; i < type.segments.size(); ++i) {
      if (s.cities >> i & 1) cities.insert(RotatedSides(type.segments[i].sides, turns));
    }
    const int marks = s.coats_of_arms + 8 * s.oases + 64 * s.scrolls + 512 * s.sheep +
                      4096 * s.wolves + (s.inn ? 1 << 16 : 0) + (s.volcano ? 1 << 17 : 0) +
                      (s.pig_herd ? 1 << 18 : 0) + (s.cathedral ? 1 << 19 : 0) +
                      (static_cast<int>(s.goods) << 20);
    facts.insert({static_cast<int>(s.kind), RotatedSides(s.sides, turns),
                  RotatedHalfEdges(s.half_edges, turns), marks, static_cast<int>(s.road_end),
                  std::move(cities)});
  }
  return facts;
}

// The same without what a figure can cover.
std::multiset<std::tuple<int, int, int>> ShapeOf(const TileType& type, int turns) {
  std::multiset<std::tuple<int, int, int>> shape;
  for (const Segment& s : type.segments) {
    if (s.kind == SegmentKind::kGarden) continue;
    shape.insert({static_cast<int>(s.kind), RotatedSides(s.sides, turns),
                  RotatedHalfEdges(s.half_edges, turns)});
  }
  return shape;
}

bool BesideOrOn(const std::map<Cell, const KnownTile*>& board, Cell cell) {
  for (const Side side : kSides) {
    if (board.contains(Neighbour(cell, side))) return true;
  }
  return false;
}

Cell Turned(Cell c, int turns) {
  switch (turns & 3) {
    case 1:
      return {-c.y, c.x};
    case 2:
      return {-c.x, -c.y};
    case 3:
      return {c.y, -c.x};
    default:
      return c;
  }
}

const std::string& LikelyColour(const SightedFigure& figure) {
  static const std::string kNone;
  return figure.colours.empty() ? kNone : figure.colours.front().colour;
}

// How well the whole sighting fits the board in this place.
double Score(const Look& look, const std::map<Cell, const KnownTile*>& board,
             const std::map<Cell, std::string>& figures, const Game& game, const TileFaces& faces) {
  double score = 0, extras = 0;
  for (const auto& [cell, view] : look.cells) {
    if (!view.tile || view.readings.empty()) continue;
    const auto known = board.find(cell);
    if (known != board.end()) {
      const double p = view.ProbabilityOf(faces, known->second->tile, known->second->rotation);
      score += std::log((p * kRightReading + kWrongReading) / kChance);
    } else if (BesideOrOn(board, cell)) {
      const TileReading& reading = view.readings.front();
      extras += kExtraBesideBoard;
      Turn turn;
      turn.player = -1;
      turn.tile = reading.tile;
      turn.cell = cell;
      turn.rotation = reading.rotation;
      if (!game.Check(turn)) extras += kNewTileFits;
    } else {
      extras += kExtraElsewhere;
    }
    for (const FigureView& figure : view.figures) {
      if (known == board.end() || figure.seen.probability < 0.5) continue;
      const auto there = figures.find(cell);
      score += there != figures.end() && there->second == LikelyColour(figure.seen)
                   ? kFigureInPlace
                   : kFigureOutOfPlace;
    }
  }
  for (const auto& [cell, tile] : board) {
    const CellView& view = look.At(cell);
    if (!view.tile && !view.hidden) score += kMissingTile;
  }
  return score + std::max(extras, kMostForExtras);
}

}  // namespace

TileFaces::TileFaces(const TileSet& tiles) {
  std::map<std::multiset<std::tuple<int, int, int>>, int> shapes;
  for (const TileType& type : tiles.types()) {
    std::array<int, 4>& shape = shapes_.emplace_back();
    for (int turns = 0; turns < 4; ++turns) {
      shape[At(turns)] =
          shapes.try_emplace(ShapeOf(type, turns), static_cast<int>(shapes.size())).first->second;
    }
    int period = 4;
    if (Facts(type, 2) == Facts(type, 0)) period = 2;
    if (Facts(type, 1) == Facts(type, 0)) period = 1;
    periods_.push_back(period);
    const auto facts = Facts(type, 0);
    const auto twin = std::find_if(
        tiles.types().begin(), tiles.types().begin() + static_cast<std::ptrdiff_t>(twins_.size()),
        [&](const TileType& other) {
          return Facts(other, 0) == facts && other.gingerbread == type.gingerbread &&
                 std::equal(other.segments.begin(), other.segments.end(), type.segments.begin(),
                            type.segments.end(), [](const Segment& a, const Segment& b) {
                              return a.river_role == b.river_role;
                            });
        });
    twins_.push_back(static_cast<int>(twin - tiles.types().begin()));
  }
}

Cell BoardFromLattice::operator()(Cell in_lattice) const {
  const Cell turned = Turned(in_lattice, turn);
  return {turned.x + shift.x, turned.y + shift.y};
}

double CellView::ProbabilityOf(const TileFaces& faces, int type, int rotation) const {
  double sum = 0;
  for (const TileReading& reading : readings) {
    if (faces.Twins(reading.tile, type) && faces.Same(type, reading.rotation, rotation)) {
      sum += reading.probability;
    }
  }
  return sum;
}

double CellView::ProbabilityOfType(const TileFaces& faces, int type, int rotation) const {
  double sum = 0;
  for (const TileReading& reading : readings) {
    if (reading.tile == type && faces.Same(type, reading.rotation, rotation)) {
      sum += reading.probability;
    }
  }
  return sum;
}

const CellView& Look::At(Cell cell) const {
  static const CellView kEmpty;
  const auto found = cells.find(cell);
  return found == cells.end() ? kEmpty : found->second;
}

Look Project(const Sighting& sighting, const BoardFromLattice& board_from_lattice,
             const TileSet& tiles, const TileFaces& faces) {
  Look look;
  look.settled = sighting.settled;
  look.hand = sighting.hand;
  look.time_ms = sighting.time_ms;
  for (const Cell cell : sighting.hidden_cells) {
    CellView& view = look.cells[board_from_lattice(cell)];
    view.hidden = true;
    view.covered = true;
  }
  for (const SightedTile& tile : sighting.tiles) {
    CellView& view = look.cells[board_from_lattice(tile.cell)];
    view.tile = true;
    view.hidden = view.hidden || tile.hidden >= kHiddenShare;
    view.covered = view.covered || tile.hidden >= kCoveredShare;
    view.straight = std::abs(tile.offset.x) <= kLaidOffset &&
                    std::abs(tile.offset.y) <= kLaidOffset &&
                    std::abs(tile.yaw_rad) <= kLaidYaw_rad;
    for (const TileCandidate& candidate : tile.candidates) {
      const int type = candidate.tile.empty() ? -1 : tiles.Find(candidate.tile);
      if (type < 0 || !(candidate.probability > 0)) continue;
      const int rotation = (candidate.rotation + board_from_lattice.turn) & 3;
      const auto same =
          std::find_if(view.readings.begin(), view.readings.end(), [&](const TileReading& reading) {
            return reading.tile == type && faces.Same(type, reading.rotation, rotation);
          });
      if (same != view.readings.end()) {
        same->probability += candidate.probability;
      } else {
        view.readings.push_back({type, rotation, candidate.probability});
      }
    }
    std::stable_sort(
        view.readings.begin(), view.readings.end(),
        [](const TileReading& a, const TileReading& b) { return a.probability > b.probability; });
    // Named as nothing of this set: a box, a phone, the back of a tile.
    if (!tile.candidates.empty() && view.readings.empty()) view.tile = false;
  }
  for (const SightedFigure& figure : sighting.figures) {
    if (!figure.cell) {
      look.beside.push_back(figure);
      continue;
    }
    if (figure.kind == FigureKind::kArk || figure.kind == FigureKind::kGingerbreadMan) {
      look.neutral.push_back({board_from_lattice(*figure.cell),
                              {figure, RotatedPoint(figure.foot, board_from_lattice.turn)}});
      continue;
    }
    look.cells[board_from_lattice(*figure.cell)].figures.push_back(
        {figure, RotatedPoint(figure.foot, board_from_lattice.turn)});
  }
  return look;
}

bool Look::FigureOn(Cell cell) const {
  return !At(cell).figures.empty() ||
         std::any_of(neutral.begin(), neutral.end(),
                     [&](const auto& figure) { return figure.first == cell; });
}

std::optional<BoardFromLattice> Align(const Sighting& sighting, const KnownBoard& board,
                                      const Game& game, const TileFaces& faces,
                                      const std::optional<BoardFromLattice>& before) {
  const TileSet& tiles = game.tile_set();
  std::vector<std::vector<const KnownTile*>> by_type(tiles.types().size());
  std::map<Cell, const KnownTile*> by_cell;
  std::map<Cell, std::string> figures;
  for (const KnownTile& tile : board.tiles) {
    by_type[At(tile.tile)].push_back(&tile);
    by_cell[tile.cell] = &tile;
  }
  for (const KnownFigure& figure : board.figures) figures[figure.cell] = figure.colour;

  using Key = std::tuple<int, int, int>;  // turn, shift
  std::map<Key, double> votes;
  for (const SightedTile& seen : sighting.tiles) {
    if (seen.hidden >= kHiddenShare) continue;
    for (const TileCandidate& candidate : seen.candidates) {
      const int type = candidate.tile.empty() ? -1 : tiles.Find(candidate.tile);
      if (type < 0 || candidate.probability < kLeastVote) continue;
      const auto& same = by_type[At(type)];
      for (const KnownTile* known : same) {
        for (int turn = 0; turn < 4; ++turn) {
          if (!faces.Same(type, candidate.rotation + turn, known->rotation)) continue;
          const Cell turned = Turned(seen.cell, turn);
          votes[{turn, known->cell.x - turned.x, known->cell.y - turned.y}] +=
              candidate.probability / static_cast<double>(same.size());
        }
      }
    }
  }
  std::vector<std::pair<double, BoardFromLattice>> hypotheses;
  for (const auto& [key, weight] : votes) {
    const auto [turn, x, y] = key;
    hypotheses.push_back({weight, {turn, {x, y}}});
  }
  std::stable_sort(hypotheses.begin(), hypotheses.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  if (hypotheses.size() > kScoredWhole) hypotheses.resize(kScoredWhole);
  if (before && std::none_of(hypotheses.begin(), hypotheses.end(),
                             [&](const auto& h) { return h.second == *before; })) {
    hypotheses.push_back({0, *before});
  }

  std::optional<BoardFromLattice> best;
  double best_score = 0;
  for (const auto& [weight, hypothesis] : hypotheses) {
    double score =
        Score(Project(sighting, hypothesis, tiles, faces), by_cell, figures, game, faces);
    // A sighting of the table with nothing left on it says nothing about where
    // the lattice lies: the bonus cannot carry a hypothesis by itself.
    if (score > 0 && before && hypothesis == *before) score += kSameAsBefore;
    if (score > best_score) {
      best = hypothesis;
      best_score = score;
    }
  }
  return best;
}

}  // namespace tilewarden::engine
