// What one figure on one tile is: whose, of which kind, on which segment.
#include <algorithm>
#include <cmath>
#include <cstddef>

#include "engine/referee/judging/judging.h"
#include "engine/referee/model.h"
#include "engine/tiles/figure_segments.h"
#include "engine/tiles/index.h"
#include "engine/tiles/text.h"

namespace tilewarden::engine {
namespace {

// Segments below this likelihood are not considered: any floor far below kIllegalFigureRate spares
// the checks that cannot change the choice.
constexpr double kLeastShare = 1e-6;

// What this look and those before it, since a hand was there, tell of the segment.
std::vector<double> SharesWithEarlierLooks(const Mind& mind, const FigureView& figure,
                                           const Turn& turn) {
  std::vector<double> shares = mind.segments.Likelihoods(figure, turn.tile, turn.rotation);
  const FigureTrack* earlier = mind.figures.FindUnplaced(turn.cell);
  if (earlier == nullptr || earlier->last_seen() >= mind.sightings ||
      earlier->log_segments().size() != shares.size() ||
      mind.cells.LastCovered(turn.cell) >= earlier->last_seen()) {
    return shares;
  }
  for (std::size_t s = 0; s < shares.size(); ++s) {
    shares[s] *= std::exp(kRepeatedLook * earlier->log_segments()[s]);
  }
  return shares;
}

bool IsColourOf(const Game& game, const PlacedFigure& known, const FigureView& figure) {
  const std::string& colour = game.players()[static_cast<std::size_t>(known.player)].colour;
  return ProbabilityOfColour(figure.seen, colour) >= kColourPossible;
}

// It was rather set on this tile, in its turn, and missed so far: a hand came back to it then.
bool RatherMissedHere(const Mind& mind, Cell cell, const FigureView& figure) {
  if (!mind.claims.MayHaveSet(cell)) return false;
  const int number = mind.game().TileAt(cell)->turn;
  if (number < 1) return false;
  const Turn& turn = mind.game().turns()[At(number - 1)];
  if (turn.deployment && !mind.ledger.Concluded(cell)) return false;
  return turn.player < 0 ||
         ProbabilityOfColour(figure.seen, mind.game().players()[At(turn.player)].colour) >=
             kColourPossible;
}

// None is seen on this tile, but the figure may be the one that was set there.
bool MayBelongTo(const Mind& mind, Cell cell, const FigureView& figure, const Look& look,
                 int amendable_from) {
  const PlacedTile* laid = mind.game().TileAt(cell);
  const CellView& view = look.At(cell);
  if (laid == nullptr || view.hidden || !view.tile) return false;
  const bool seen_there =
      std::any_of(view.figures.begin(), view.figures.end(), [&](const FigureView& other) {
        return other.seen.probability >= mind.options.figure_certainty;
      });
  if (seen_there) return false;
  // It has scored with the tile that was laid there just now, and is yet to be taken home.
  for (const SentHome& home : mind.ledger.sent_home()) {
    if (home.cell == cell && mind.figures.LooksGone(cell, home.turn) == 0 &&
        ProbabilityOfColour(figure.seen, home.colour) >= kColourPossible) {
      return true;
    }
  }
  bool claimed = false;
  for (const PlacedFigure& known : mind.game().Figures()) {
    if (known.cell != cell) continue;
    claimed = true;
    if (IsColourOf(mind.game(), known, figure)) return true;
  }
  if (claimed || laid->turn < std::max(1, amendable_from)) return false;
  // Of whoever laid the tile, where that is known: else it was rather missed on its own tile so
  // far.
  const int mover = mind.game().turns()[At(laid->turn - 1)].player;
  return mover < 0 || ProbabilityOfColour(figure.seen, mind.game().players()[At(mover)].colour) >=
                          kColourPossible;
}

}  // namespace

bool TakenForAnother(const Game& game, Turn* turn) {
  const FigureKind seen = turn->deployment->kind;
  if (seen != FigureKind::kFollower && seen != FigureKind::kLargeFollower) return false;
  for (const FigureKind other : {FigureKind::kFollower, FigureKind::kLargeFollower,
                                 FigureKind::kBuilder, FigureKind::kPig}) {
    if (other == seen) continue;
    turn->deployment->kind = other;
    if (!game.Check(*turn)) return true;
  }
  turn->deployment->kind = seen;
  return false;
}

std::optional<FigureChoice> ReadFigure(const Mind& mind, const FigureView& figure,
                                       const Game& before, const Turn& turn, int expected) {
  const std::vector<double> shares = SharesWithEarlierLooks(mind, figure, turn);
  const TurnOrder& order = mind.ledger.order();
  const bool seat_free =
      order.players == 0 || std::count(order.cycle.begin(), order.cycle.end(), -1) > 0;
  std::optional<FigureChoice> best;
  double best_weight = 0, total = 0;
  for (const ColourProbability& colour : figure.seen.colours) {
    if (colour.probability <= 0) continue;
    const auto& players = before.players();
    const int player = PlayerOf(before, colour.colour);
    const bool joins = player < 0;
    double prior = 1;
    if (joins) {
      if (mind.ledger.players_given() || static_cast<int>(players.size()) >= Game::kMaxPlayers)
        continue;
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
      if (shares[s] < kLeastShare) continue;
      whole.deployment = Deployment{figure.seen.kind, static_cast<int>(s)};
      std::optional<Refusal> refusal = scratch.Check(whole);
      const bool alike = refusal && TakenForAnother(scratch, &whole);
      if (alike) refusal.reset();
      const double weight = ColourLikelihood(colour.probability) * prior * shares[s] *
                            (refusal ? kIllegalFigureRate : 1 - kIllegalFigureRate) *
                            (alike ? kOtherKindRate : 1);
      total += weight;
      if (weight <= best_weight) continue;
      best_weight = weight;
      best = FigureChoice{colour.colour, player, *whole.deployment, std::move(refusal), weight};
    }
  }
  if (best) best->probability /= total;
  return best;
}

OpenSides SidesOpen(const Game& game, Cell cell) {
  OpenSides open{};
  for (const Side side : kSides) {
    open[static_cast<std::size_t>(side)] = game.TileAt(Neighbour(cell, side)) == nullptr;
  }
  return open;
}

bool IsNear(const Mind& mind, const Turn& turn, Side side) {
  const Point foot = mind.segments.SpotOf(turn.tile, turn.rotation, turn.deployment->segment);
  const Cell next = Neighbour(turn.cell, side);
  const double to_edge =
      0.5 - (next.x - turn.cell.x) * (foot.x - 0.5) - (next.y - turn.cell.y) * (foot.y - 0.5);
  return to_edge <= kNearCloth;
}

Backdrop BackdropOf(const Mind& mind, const Turn& turn, const std::string& colour) {
  for (const Side side : kSides) {
    if (IsNear(mind, turn, side) && mind.game().TileAt(Neighbour(turn.cell, side)) == nullptr) {
      return mind.habits.IsOfTheCloth(colour) ? Backdrop::kOwnCloth : Backdrop::kEdge;
    }
  }
  const Segment& segment =
      mind.tiles().types()[At(turn.tile)].segments[At(turn.deployment->segment)];
  return segment.kind == SegmentKind::kCity ? Backdrop::kRoof : Backdrop::kPlain;
}

Look FiguresOverSeams(const Mind& mind, const Look& look, int amendable_from) {
  Look put = look;
  const std::vector<PlacedFigure> known = mind.game().Figures();
  for (const auto& [cell, view] : look.cells) {
    if (view.hidden || mind.game().TileAt(cell) == nullptr) continue;
    for (const FigureView& figure : view.figures) {
      const bool here = std::any_of(known.begin(), known.end(), [&](const PlacedFigure& other) {
        return other.cell == cell && IsColourOf(mind.game(), other, figure);
      });
      const auto& homes = mind.ledger.sent_home();
      const bool stayed = std::any_of(homes.begin(), homes.end(), [&](const SentHome& home) {
        return home.cell == cell &&
               ProbabilityOfColour(figure.seen, home.colour) >= kColourPossible;
      });
      if (here || stayed || RatherMissedHere(mind, cell, figure) ||
          figure.seen.probability < mind.options.figure_certainty)
        continue;
      for (const Side side : kSides) {
        const Cell next = Neighbour(cell, side);
        const Point foot = {figure.foot.x - (next.x - cell.x), figure.foot.y - (next.y - cell.y)};
        const Point on_next = {std::clamp(foot.x, 0.0, 1.0), std::clamp(foot.y, 0.0, 1.0)};
        if (std::hypot(foot.x - on_next.x, foot.y - on_next.y) > kOverSeam ||
            !MayBelongTo(mind, next, figure, put, amendable_from)) {
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
