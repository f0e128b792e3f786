// What the figures on the table tell: what came home and what did not, figures
// that were moved or set against the rules.
#include <algorithm>
#include <cmath>
#include <cstddef>

#include "engine/referee/codes.h"
#include "engine/referee/model.h"
#include "engine/referee/state.h"
#include "engine/tiles/text.h"

namespace tilewarden::engine {
namespace {

std::size_t At(int i) { return static_cast<std::size_t>(i); }

}  // namespace

void Referee::State::ReviewFigures(const Look& look, int amendable_from) {
  const std::vector<PlacedTile> placed = game().PlacedTiles();
  for (const PlacedTile& laid : placed) {
    const CellView& view = look.At(laid.cell);
    if (!view.hidden && view.tile) ReviewCellFigures(laid, view, look, amendable_from);
  }
  if (amendable_from >= 1) AmendFromMemory(look, amendable_from);
  for (const SentHome& home : ledger.sent_home()) {
    const CellView& view = look.At(home.cell);
    if (!view.hidden && view.tile && view.figures.empty()) ++seen_gone[{home.cell, home.turn}];
  }

  // Nothing is remembered of figures that are gone for good.
  std::set<Cell> present;
  for (const PlacedFigure& figure : game().Figures()) present.insert(figure.cell);
  std::erase_if(tracks, [&](const auto& entry) { return !present.contains(entry.first); });
  std::erase_if(unplaced, [&](const auto& entry) {
    const CellView& view = look.At(entry.first);
    return present.contains(entry.first) || (!view.hidden && view.figures.empty());
  });
  std::erase_if(lingering, [&](const auto& entry) {
    const CellView& view = look.At(entry.first.first);
    return !view.hidden && view.figures.empty();
  });
}

void Referee::State::ReviewCellFigures(const PlacedTile& laid, const CellView& view,
                                       const Look& look, int amendable_from) {
  std::vector<PlacedFigure> known;
  for (const PlacedFigure& figure : game().Figures()) {
    if (figure.cell == laid.cell) known.push_back(figure);
  }
  std::vector<const FigureView*> unexplained;
  for (const FigureView& figure : view.figures) {
    if (figure.seen.probability >= options.figure_certainty) unexplained.push_back(&figure);
  }
  bool missing = false;
  for (const PlacedFigure& figure : known) {
    const std::string& colour = game().players()[At(figure.player)].colour;
    auto match = unexplained.end();
    double best = 0;
    for (auto it = unexplained.begin(); it != unexplained.end(); ++it) {
      const double p = ProbabilityOfColour((*it)->seen, colour);
      const std::vector<double> shares = SegmentLikelihoods(**it, laid.tile, laid.rotation);
      double total = 1e-9;
      for (const double share : shares) total += share;
      const double share = shares[At(figure.segment)] / total;
      // In another colour, but just where it stood: its colour is misread.
      if (p < kColourPossible && share < kSamePlace) continue;
      const double fit = (p + kColourFloor) * (share + kSegmentFloor);
      if (fit > best) {
        best = fit;
        match = it;
      }
    }
    if (match != unexplained.end()) {
      const FigureView* seen = *match;
      unexplained.erase(match);
      Follow(figure, *seen, laid.turn, amendable_from);
      continue;
    }
    const bool weakly =
        std::any_of(view.figures.begin(), view.figures.end(), [&](const FigureView& f) {
          return f.seen.probability >= kWeakFigure &&
                 f.seen.probability < options.figure_certainty &&
                 ProbabilityOfColour(f.seen, colour) >= kColourPossible;
        });
    if (weakly) continue;
    missing = true;
    if (!Recalled(figure, amendable_from)) Miss(figure);
  }
  for (const FigureView* figure : unexplained) {
    const bool sent_home = std::any_of(
        ledger.sent_home().begin(), ledger.sent_home().end(), [&](const SentHome& home) {
          return home.cell == laid.cell &&
                 ProbabilityOfColour(figure->seen, home.colour) >= kColourPossible;
        });
    const bool last = laid.turn >= 1 && laid.turn >= amendable_from;
    if (last && !sent_home && (known.empty() || missing)) {
      AmendTurn(laid.turn, *figure);
    } else if (last && !sent_home) {
      Assert("two-figures", Severity::kIllegal, {laid.cell},
             Text("Two figures were set in one turn ", Where(laid.cell), ": take one back."),
             kHalf);
    } else {
      ReviewStray(laid.cell, *figure, look);
    }
  }
}

void Referee::State::AddLook(FigureTrack* track, const FigureView& figure) const {
  ++track->looks;
  track->misses += track->missed_now;
  track->missed_now = 0;
  track->last_seen = sightings;
  const double weight = track->looks == 1 ? 1 : kRepeatedLook;
  // Colours not listed before were not seen in any earlier look.
  const double never =
      track->looks == 1 ? 0 : std::log(kColourFloor) * (1 + kRepeatedLook * (track->looks - 2));
  for (const ColourProbability& c : figure.seen.colours) {
    track->log_colour.try_emplace(c.colour, never);
  }
  for (auto& [name, log_likelihood] : track->log_colour) {
    const double likelihood = ColourLikelihood(ProbabilityOfColour(figure.seen, name));
    log_likelihood = std::max(log_likelihood + weight * std::log(likelihood + kColourFloor),
                              kLeastLogLikelihood);
  }
}

void Referee::State::AddSegments(FigureTrack* track, const std::vector<double>& shares) {
  // A figure's first look weighs whole, also where the track itself is older.
  const double weight = track->log_segment.empty() ? 1 : kRepeatedLook;
  track->log_segment.resize(shares.size(), 0);
  for (std::size_t s = 0; s < shares.size(); ++s) {
    double& log_likelihood = track->log_segment[s];
    log_likelihood = std::max(log_likelihood + weight * std::log(shares[s] + kSegmentFloor),
                              kLeastLogLikelihood);
  }
}

void Referee::State::Follow(const PlacedFigure& known, const FigureView& figure, int turn,
                            int amendable_from) {
  const std::string colour = game().players()[At(known.player)].colour;
  FigureTrack& track = tracks[known.cell];
  if (track.looks == 0 && turn <= amendable_from) {
    // In the game since before this look: that counts as one.
    track.looks = 1;
    track.log_colour[colour] = 0;
  }
  const FigureTrack before = track;
  AddLook(&track, figure);
  if (RereadColour(known, track, turn)) return;

  const PlacedTile* laid = game().TileAt(known.cell);
  std::vector<double> shares = SegmentLikelihoods(figure, laid->tile, laid->rotation);
  double total = 0;
  for (const double share : shares) total += share;
  if (total <= 0) return;
  for (double& share : shares) share /= total;
  AddSegments(&track, shares);
  const auto best = static_cast<std::size_t>(
      std::max_element(track.log_segment.begin(), track.log_segment.end()) -
      track.log_segment.begin());
  const double here = shares[At(known.segment)];
  // Whether it stands or lies as it should, told where its foot leaves no doubt.
  const bool field =
      tiles().types()[At(laid->tile)].segments[At(known.segment)].kind == SegmentKind::kField;
  const double right_pose =
      field ? 1 - figure.seen.standing_probability : figure.seen.standing_probability;
  if (right_pose >= kClearPose) ++track.right_pose;
  FigureView poseless = figure;
  poseless.seen.standing_probability = 0.5;
  if (right_pose <= kWrongPose && track.right_pose > 0) {
    const std::vector<double> feet = SegmentLikelihoods(poseless, laid->tile, laid->rotation);
    double all = 0;
    for (const double foot : feet) all += foot;
    if (feet[At(known.segment)] >= kSamePlace * all) {
      Assert("figure-pose", Severity::kWarning, {known.cell},
             Text("The ", colour, " figure ", Where(known.cell),
                  field ? " stands on a field: lay it down." : " lies: stand it up."),
             kHalf);
      return;
    }
  }
  const double clearest = track.clearest;
  track.clearest = std::max(track.clearest, here);
  const auto now =
      static_cast<int>(std::max_element(shares.begin(), shares.end()) - shares.begin());
  const bool amendable = turn >= 1 && turn >= amendable_from;
  if (now == known.segment || here >= (amendable ? kNotThere : kHardlyThere)) {
    // Long doubtful, and by now told apart: it stood on the other one all along.
    if (clearest >= kClearSegment ||
        track.log_segment[best] < track.log_segment[At(known.segment)] + kRevisingLead) {
      return;
    }
    Turn better = TurnAt(known.cell);
    better.deployment->segment = static_cast<int>(best);
    SetTurn(turn, better, "the figure was read better");
    return;
  }
  if (amendable) {
    // Set elsewhere on the tile before the next one is laid, or read wrongly so far.
    track = FigureTrack();
    unplaced[known.cell] = before;
    AmendTurn(turn, figure);
    return;
  }
  Assert("figure-moved", Severity::kIllegal, {known.cell},
         Text("The ", colour, " figure ", Where(known.cell), " was moved: put it back on its ",
              ToString(tiles().types()[At(laid->tile)].segments[At(known.segment)].kind), "."),
         std::min(kMostOfOneLook, kHalf * std::log(std::max(here, 1e-3)) / std::log(kNotThere)));
}

void Referee::State::Miss(const PlacedFigure& known) {
  const std::string& colour = game().players()[At(known.player)].colour;
  FigureTrack& track = tracks[known.cell];
  if (track.looks == 0 && ledger.FigureByHand(known.cell)) return;
  ++track.missed_now;
  const double rate =
      (kMissRate * kMissPriorLooks + track.misses) / (kMissPriorLooks + track.looks + track.misses);
  const double weight =
      std::min(kMostOfOneLook, -std::log(rate) / kGone) * Touched(known.cell, track.last_seen);
  const PlacedTile* laid = game().TileAt(known.cell);
  Assert("figure-taken-early", Severity::kIllegal, {known.cell},
         Text("The ", colour, " figure ", Where(known.cell), " was taken home though its ",
              ToString(tiles().types()[At(laid->tile)].segments[At(known.segment)].kind),
              " is not complete: put it back."),
         weight);
}

bool Referee::State::StoodElsewhere(const SentHome& home, const FigureView& figure) {
  const std::vector<Turn>& turns = game().turns();
  const auto found = std::find_if(turns.begin(), turns.end(), [&](const Turn& turn) {
    return turn.cell == home.cell && turn.deployment && turn.deployment->segment == home.segment;
  });
  if (found == turns.end() || ledger.FigureByHand(home.cell)) return false;
  const std::vector<double> shares = SegmentLikelihoods(figure, found->tile, found->rotation);
  // More often than figures are left standing, or not at all.
  double best = shares[At(home.segment)] * kForgottenFigureRate;
  std::optional<Turn> better;
  for (std::size_t s = 0; s < shares.size(); ++s) {
    Turn other = *found;
    other.deployment->segment = static_cast<int>(s);
    if (shares[s] <= best || other == *found) continue;
    std::vector<Turn> instead = turns;
    instead[static_cast<std::size_t>(found - turns.begin())] = other;
    const std::optional<Game> story = ledger.Replay(instead);
    if (!story) continue;
    const auto figures = story->Figures();
    if (std::none_of(figures.begin(), figures.end(),
                     [&](const PlacedFigure& f) { return f.cell == home.cell; })) {
      continue;
    }
    best = shares[s];
    better = other;
  }
  return better && SetTurn(static_cast<int>(found - turns.begin()) + 1, *better,
                           "the figure stands there still");
}

void Referee::State::ReviewStray(Cell cell, const FigureView& figure, const Look& look) {
  if (NotRecalled(cell, figure)) return;
  const SentHome* home = nullptr;
  for (const SentHome& sent : ledger.sent_home()) {
    const auto gone = seen_gone.find({cell, sent.turn});
    if (gone != seen_gone.end() && gone->second >= kSurelyGone) continue;  // this one came since
    if (sent.cell == cell && ProbabilityOfColour(figure.seen, sent.colour) >= kColourPossible) {
      home = &sent;
    }
  }
  if (home != nullptr) {
    const auto [it, first] = lingering.try_emplace({cell, home->colour});
    if (first) it->second.since_ms = look.time_ms;
    const bool next_laid = static_cast<int>(game().turns().size()) > home->turn;
    const bool long_ago = look.time_ms - it->second.since_ms >= kTakingHome_ms;
    const bool left_by_hand = !first && hands.SinceSettled();
    if ((next_laid || long_ago) && StoodElsewhere(*home, figure)) return;
    Assert("figure-not-returned", Severity::kWarning, {cell},
           Text("The ", home->colour, " figure ", Where(cell),
                " has scored: take it home to its player."),
           next_laid || long_ago ? 1 : (left_by_hand ? kHalf : 0));
    return;
  }
  if (figure.seen.probability < kSureFigure || figure.seen.colours.empty()) return;
  if (ReviewFound(cell, figure)) return;
  // The same figure as told before, though its tile is no longer the last.
  for (const Finding& open : ledger.findings()) {
    if (FamilyOf(open.code).figure_where_none_may && open.cells.front() == cell) {
      Assert(open.code, open.severity, open.cells, open.text, 1);
      return;
    }
  }
  Assert("figure-not-on-last-tile", Severity::kIllegal, {cell},
         Text("A ", figure.seen.colours.front().colour, " figure was set ", Where(cell),
              ", which is not the tile just laid: take it back."),
         kHalf);
}

}  // namespace tilewarden::engine
