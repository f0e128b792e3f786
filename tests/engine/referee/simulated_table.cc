#include "tests/engine/referee/simulated_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "engine/tiles/index.h"

namespace tilewarden::engine {
CameraErrors CameraErrors::Times(double factor) const {
  CameraErrors errors = *this;
  errors.doubtful_tile *= factor;
  errors.misread_tile *= factor;
  errors.missed_tile *= factor;
  errors.missed_figure *= factor;
  errors.wrong_colour *= factor;
  errors.supply.wavering = std::min(1.0, supply.wavering * factor);
  errors.supply.wrong *= factor;
  if (factor == 0) errors.supply.out_of_view = 0;
  errors.held = held.Times(factor);
  return errors;
}

SimulatedTable::SimulatedTable(std::shared_ptr<const TileSet> set, CameraErrors errors,
                               unsigned seed)
    : set_(std::move(set)), faces_(*set_), errors_(errors), random_(seed) {
  for (const TileType& type : set_->types()) layouts_.push_back(LayOut(type));
}

void SimulatedTable::Lay(const std::string& tile, Cell cell, int rotation) {
  tiles.push_back({cell, set_->Find(tile), rotation});
}

void SimulatedTable::Lay(const Turn& turn) {
  tiles.push_back({turn.cell, turn.tile, turn.rotation});
}

Point SimulatedTable::SpotOf(int tile, int segment) const {
  return layouts_[At(tile)].segments[At(segment)].spot;
}

void SimulatedTable::Set(const std::string& colour, Cell cell, int segment, FigureKind kind) {
  const Tile* tile = TileAt(cell);
  std::normal_distribution<double> off(0, 0.02);
  Point spot = SpotOf(tile->tile, segment);
  spot = {std::clamp(spot.x + off(random_), 0.01, 0.99),
          std::clamp(spot.y + off(random_), 0.01, 0.99)};
  const bool field =
      set_->types()[At(tile->tile)].segments[At(segment)].kind == SegmentKind::kField;
  figures.push_back({cell, segment, colour, RotatedPoint(spot, tile->rotation), field, kind});
}

void SimulatedTable::MoveNeutral(FigureKind kind, std::optional<Place> to) {
  std::erase_if(figures, [&](const Figure& figure) { return figure.kind == kind; });
  if (to) Set("", to->cell, to->segment, kind);
}

bool SimulatedTable::Take(const std::string& colour, Cell cell) {
  const auto found = std::find_if(figures.begin(), figures.end(), [&](const Figure& f) {
    return f.colour == colour && f.cell == cell;
  });
  if (found == figures.end()) return false;
  figures.erase(found);
  return true;
}

SimulatedTable::Tile* SimulatedTable::TileAt(Cell cell) {
  const auto found =
      std::find_if(tiles.begin(), tiles.end(), [&](const Tile& t) { return t.cell == cell; });
  return found == tiles.end() ? nullptr : &*found;
}

Cell SimulatedTable::InLattice(Cell cell) const {
  for (int i = 0; i < turn_; ++i) cell = {-cell.y, cell.x};
  return {cell.x + shift_.x, cell.y + shift_.y};
}

SightedTile SimulatedTable::See(const Tile& tile, bool under_hand) {
  SightedTile seen;
  seen.cell = InLattice(tile.cell);
  seen.offset = {0.1 * (Chance() - 0.5), 0.1 * (Chance() - 0.5)};
  seen.yaw_rad = 0.1 * (Chance() - 0.5);
  const int rotation = (tile.rotation + turn_) & 3;
  const TileCandidate wrong = {set_->types()[At(Pick(static_cast<int>(set_->types().size())))].id,
                               Pick(4), 0};
  const int held = HeldType(tile);
  TileCandidate right = {set_->types()[At(held)].id, rotation,
                         errors_.clear_tile + (1 - errors_.clear_tile) * Chance()};
  TileCandidate other = wrong;
  if (held != tile.tile) other = {set_->types()[At(tile.tile)].id, rotation, 0};
  if (under_hand) {
    right.probability = 0.4;
    seen.hidden = 0.7;
  } else if (Chance() < errors_.doubtful_tile) {
    right.probability = 0.55 + 0.3 * Chance();
  } else if (Chance() < errors_.misread_tile) {
    right.probability = 0.2 + 0.2 * Chance();
  }
  other.probability = 0.95 * (1 - right.probability);
  seen.candidates = {right, other};
  if (other.probability > right.probability) std::swap(seen.candidates[0], seen.candidates[1]);
  return seen;
}

std::optional<SightedFigure> SimulatedTable::See(const Figure& figure) {
  if (figure.unseen || HeldMissed(figure) || Chance() < errors_.missed_figure) return std::nullopt;
  SightedFigure seen;
  seen.cell = InLattice(figure.cell);
  const Point foot = RotatedPoint(figure.foot, turn_);
  seen.foot = {foot.x + foot_error_(random_), foot.y + foot_error_(random_)};
  seen.foot_sigma = std::max(errors_.foot, 0.01);
  seen.standing_probability = figure.lying ? 0.15 * Chance() : 1 - 0.15 * Chance();
  seen.probability = 0.7 + 0.3 * Chance();
  // What claims nothing looks like a follower to the camera.
  seen.kind =
      StrengthOf(figure.kind) == 0 && !figure.colour.empty() ? FigureKind::kFollower : figure.kind;
  seen.kinds = figure.kinds;
  if (const auto not_told = unexpected.find(figure.kind); not_told != unexpected.end()) {
    seen.kind = FigureKind::kFollower;
    seen.unexpected = KindProbability{not_told->first, not_told->second};
  }
  const double sure = 0.85 + 0.15 * Chance();
  if (figure.colour.empty()) {
    seen.standing_probability = 1 - 0.15 * Chance();
    // Dark wood, to a camera that looks for players' colours.
    if (seen.unexpected) seen.colours = {{"black", sure}, {"grey", 1 - sure}};
  } else {
    constexpr std::array<const char*, 7> kColours = {"red",   "blue", "green", "yellow",
                                                     "black", "pink", "grey"};
    std::string other = kColours[At(Pick(7))];
    if (other == figure.colour) other = figure.colour == "grey" ? "black" : "grey";
    seen.colours = {{figure.colour, sure}, {other, 1 - sure}};
    if (Chance() < errors_.wrong_colour) {
      std::swap(seen.colours[0].probability, seen.colours[1].probability);
      std::swap(seen.colours[0], seen.colours[1]);
    }
  }
  return seen;
}

void SimulatedTable::SeeSupply(const std::string& colour, int all, Sighting* s) {
  const SupplyErrors& errors = errors_.supply;
  const auto [found, first] = seen_supplies_.try_emplace(colour);
  SeenSupply& supply = found->second;
  if (first) {
    supply.in_view = Chance() >= errors.out_of_view;
    supply.wavering = Chance() < errors.wavering;
  }
  if (!supply.in_view) return;
  if (supply.wavering && Chance() < errors.wavers) supply.off = Pick(3) - 1;
  const auto on_board = std::count_if(figures.begin(), figures.end(), [&](const Figure& figure) {
    return figure.colour == colour;
  });
  const int once = Chance() < errors.wrong ? Pick(2) * 2 - 1 : 0;
  for (auto i = on_board; i < all + supply.off + once; ++i) {
    SightedFigure seen;
    seen.colours = {{colour, 0.9}};
    seen.probability = 0.9;
    s->figures.push_back(std::move(seen));
  }
}

Sighting SimulatedTable::Look(std::optional<Cell> hand) {
  Sighting s;
  s.sequence = ++sequence_;
  s.time_ms = time_ms_ += 700;
  s.settled = !hand;
  s.hand = hand.has_value();
  if (!cloth.empty()) s.cloth = {{cloth, 1}};
  if (sequence_ == 1 || Chance() < errors_.new_lattice) {
    const int turn = Pick(4);
    turn_ = sequence_ == 1 && level ? 0 : turn;
    shift_ = {Pick(20) - 10, Pick(20) - 10};
    held_figures_.clear();
    held_types_.clear();
  }

  std::set<Cell> hidden;
  if (hand) {
    const int arm = Pick(2) * 2 - 1;  // the arm comes from the left or the right, from below
    for (int i = 0; i <= 12; ++i) {
      for (int dx = -1; dx <= 1; ++dx) {
        hidden.insert({hand->x + dx + arm * i / 2, hand->y + i});
        if (i <= 1) hidden.insert({hand->x + dx, hand->y - i});
      }
    }
  }
  const bool glimpsed = hand && Chance() < errors_.glimpse;
  for (const Cell cell : hidden) s.hidden_cells.push_back(InLattice(cell));
  for (const Tile& tile : tiles) {
    const bool under_hand = glimpsed && tile.cell == *hand;
    if (hidden.contains(tile.cell) && !under_hand) continue;
    if (!under_hand && Chance() < errors_.missed_tile) continue;
    s.tiles.push_back(See(tile, under_hand));
  }
  foot_error_ = std::normal_distribution<double>(0, errors_.foot);
  for (const Figure& figure : figures) {
    if (hidden.contains(figure.cell)) continue;
    if (auto seen = See(figure)) s.figures.push_back(*std::move(seen));
  }
  for (const auto& [colour, all] : supplies) SeeSupply(colour, all, &s);
  return s;
}

}  // namespace tilewarden::engine
