// What one figure on one tile is: whose, of which kind, on which segment.
#include <algorithm>
#include <cmath>
#include <cstddef>

#include "engine/referee/model.h"
#include "engine/referee/state.h"
#include "engine/tiles/figure_segments.h"
#include "engine/tiles/text.h"

namespace tilewarden::engine {
namespace {

std::size_t At(int i) { return static_cast<std::size_t>(i); }

}  // namespace

double ProbabilityOfColour(const SightedFigure& figure, const std::string& colour) {
  for (const ColourProbability& c : figure.colours) {
    if (c.colour == colour) return c.probability;
  }
  return 0;
}

double ColourLikelihood(double probability) { return std::pow(probability, kColourTrust); }

const TileFace& Referee::State::FaceOf(int tile) const {
  const auto found = face_cache.find(tile);
  if (found != face_cache.end()) return found->second;
  return face_cache.emplace(tile, engine::FaceOf(tiles().types()[At(tile)])).first->second;
}

std::vector<double> Referee::State::SegmentLikelihoods(const FigureView& figure, int tile,
                                                       int rotation) const {
  return engine::SegmentLikelihoods(tiles().types()[At(tile)], FaceOf(tile),
                                    {RotatedPoint(figure.foot, 4 - rotation),
                                     figure.seen.foot_sigma, figure.seen.standing_probability});
}

std::optional<FigureChoice> Referee::State::ReadFigure(const FigureView& figure, const Game& before,
                                                       const Turn& turn, int expected) const {
  std::vector<double> shares = SegmentLikelihoods(figure, turn.tile, turn.rotation);
  // Looks before this one, since a hand was there.
  const auto earlier = unplaced.find(turn.cell);
  const auto touched = memory.find(turn.cell);
  if (earlier != unplaced.end() && earlier->second.last_seen < sightings &&
      earlier->second.log_segment.size() == shares.size() &&
      (touched == memory.end() || touched->second.last_covered < earlier->second.last_seen)) {
    for (std::size_t s = 0; s < shares.size(); ++s) {
      shares[s] *= std::exp(kRepeatedLook * earlier->second.log_segment[s]);
    }
  }
  const TurnOrder& order = ledger.order();
  const bool seat_free =
      order.players == 0 || std::count(order.cycle.begin(), order.cycle.end(), -1) > 0;
  std::optional<FigureChoice> best;
  double best_weight = 0, total = 0;
  for (const ColourProbability& colour : figure.seen.colours) {
    if (colour.probability <= 0) continue;
    const auto& players = before.players();
    const auto found = std::find_if(players.begin(), players.end(), [&](const PlayerState& p) {
      return p.colour == colour.colour;
    });
    const bool joins = found == players.end();
    const int player = joins ? -1 : static_cast<int>(found - players.begin());
    double prior = 1;
    if (joins) {
      if (ledger.players_given() || static_cast<int>(players.size()) >= Game::kMaxPlayers) continue;
      if (!seat_free) prior = kForeignColour;
      if (expected >= 0) prior = std::min(prior, kOutOfTurnRate);
    } else if (expected >= 0 || order.players > 0) {
      prior = player == expected ? 1 - kOutOfTurnRate : kOutOfTurnRate;
    }
    Game scratch = before;
    Turn whole = turn;
    whole.player = player;
    if (joins) {
      whole.player = static_cast<int>(players.size());
      if (!scratch.AddPlayer(colour.colour, whole.player).ok()) continue;
    }
    for (std::size_t s = 0; s < shares.size(); ++s) {
      if (shares[s] < 1e-6) continue;
      whole.deployment = Deployment{figure.seen.kind, static_cast<int>(s)};
      std::optional<Refusal> refusal = scratch.Check(whole);
      const double weight = ColourLikelihood(colour.probability) * prior * shares[s] *
                            (refusal ? kIllegalFigureRate : 1 - kIllegalFigureRate);
      total += weight;
      if (weight <= best_weight) continue;
      best_weight = weight;
      best = FigureChoice{colour.colour, player, *whole.deployment, std::move(refusal), weight};
    }
  }
  if (best) best->probability /= total;
  return best;
}

bool Referee::State::MayBelongTo(Cell cell, const FigureView& figure, const Look& look,
                                 int amendable_from) const {
  const PlacedTile* laid = game().TileAt(cell);
  const CellView& view = look.At(cell);
  if (laid == nullptr || view.hidden || !view.tile) return false;
  const bool seen_there = std::any_of(
      view.figures.begin(), view.figures.end(),
      [&](const FigureView& other) { return other.seen.probability >= options.figure_certainty; });
  if (seen_there) return false;
  // It has scored with the tile that was laid there just now, and is yet to be taken home.
  for (const SentHome& home : ledger.sent_home()) {
    if (home.cell == cell && !seen_gone.contains({cell, home.turn}) &&
        ProbabilityOfColour(figure.seen, home.colour) >= kColourPossible) {
      return true;
    }
  }
  bool claimed = false;
  for (const PlacedFigure& known : game().Figures()) {
    if (known.cell != cell) continue;
    claimed = true;
    if (IsColourOf(known, figure)) return true;
  }
  return !claimed && laid->turn >= std::max(1, amendable_from);
}

bool Referee::State::IsColourOf(const PlacedFigure& known, const FigureView& figure) const {
  const std::string& colour = game().players()[At(known.player)].colour;
  return ProbabilityOfColour(figure.seen, colour) >= kColourPossible;
}

Look Referee::State::FiguresOverSeams(const Look& look, int amendable_from) const {
  Look put = look;
  const std::vector<PlacedFigure> known = game().Figures();
  for (const auto& [cell, view] : look.cells) {
    if (view.hidden || game().TileAt(cell) == nullptr) continue;
    for (const FigureView& figure : view.figures) {
      const bool here = std::any_of(known.begin(), known.end(), [&](const PlacedFigure& other) {
        return other.cell == cell && IsColourOf(other, figure);
      });
      const auto& homes = ledger.sent_home();
      const bool stayed = std::any_of(homes.begin(), homes.end(), [&](const SentHome& home) {
        return home.cell == cell &&
               ProbabilityOfColour(figure.seen, home.colour) >= kColourPossible;
      });
      if (here || stayed || figure.seen.probability < options.figure_certainty) continue;
      for (const Side side : kSides) {
        const Cell next = Neighbour(cell, side);
        const Point foot = {figure.foot.x - (next.x - cell.x), figure.foot.y - (next.y - cell.y)};
        const Point on_next = {std::clamp(foot.x, 0.0, 1.0), std::clamp(foot.y, 0.0, 1.0)};
        if (std::hypot(foot.x - on_next.x, foot.y - on_next.y) > kOverSeam ||
            !MayBelongTo(next, figure, put, amendable_from)) {
          continue;
        }
        FigureView moved = figure;
        moved.foot = on_next;
        put.cells[next].figures.push_back(std::move(moved));
        std::erase_if(put.cells[cell].figures, [&](const FigureView& other) {
          return other.foot.x == figure.foot.x && other.foot.y == figure.foot.y;
        });
        break;
      }
    }
  }
  return put;
}

}  // namespace tilewarden::engine
