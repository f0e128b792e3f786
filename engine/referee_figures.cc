// What the figures on the table tell: deployments, what came home and what did
// not, figures that were moved or set against the rules.
#include <algorithm>
#include <cmath>
#include <cstddef>

#include "engine/referee_model.h"
#include "engine/referee_state.h"
#include "engine/text.h"

namespace tilewarden::engine {
namespace {

std::size_t At(int i) { return static_cast<std::size_t>(i); }

bool Returned(const Outcome& outcome, const Turn& turn) {
  return std::any_of(outcome.returned.begin(), outcome.returned.end(),
                     [&](const PlacedFigure& figure) {
                       return figure.cell == turn.cell && figure.player == turn.player &&
                              figure.segment == turn.deployment->segment;
                     });
}

// Findings about a figure that stands where none may.
bool AboutStandingFigure(const std::string& code) {
  return code == "feature-occupied" || code == "two-figures" || code == "none-in-supply" ||
         code == "figure-not-on-last-tile" || code == "not-a-segment" ||
         code == "garden-needs-abbot" || code == "farmers-off" || code == "abbot-wrong-feature" ||
         code == "no-such-figure";
}

}  // namespace

double ProbabilityOfColour(const SightedFigure& figure, const std::string& colour) {
  for (const ColourProbability& c : figure.colours) {
    if (c.colour == colour) return c.probability;
  }
  return 0;
}

const Referee::State::Face& Referee::State::FaceOf(int tile) const {
  const auto found = face_cache.find(tile);
  if (found != face_cache.end()) return found->second;
  Face face{LayOut(tiles().types()[At(tile)]), {}};
  face.areas.resize(tiles().types()[At(tile)].segments.size(), 0);
  for (const std::int8_t segment : face.layout.raster) {
    face.areas[At(segment)] += 1.0 / static_cast<double>(face.layout.raster.size());
  }
  return face_cache.emplace(tile, std::move(face)).first->second;
}

std::vector<double> Referee::State::SegmentLikelihoods(const FigureView& figure, int tile,
                                                       int rotation) const {
  const Point in_canonical = RotatedPoint(figure.foot, 4 - rotation);
  const Face& face = FaceOf(tile);
  const double sigma = std::hypot(figure.seen.foot_sigma, kFootSpread);
  std::vector<double> shares = face.layout.SegmentsNear(in_canonical, sigma);
  const double standing = std::clamp(figure.seen.standing_probability, 0.0, 1.0);
  const TileType& type = tiles().types()[At(tile)];
  for (std::size_t s = 0; s < shares.size(); ++s) {
    const bool field = type.segments[s].kind == SegmentKind::kField;
    shares[s] *= field ? kFieldClaims * (standing * kStandingOnField + (1 - standing))
                       : standing + (1 - standing) * kLyingElsewhere;
    shares[s] /= std::max(face.areas[s], kLeastArea);
  }
  return shares;
}

std::optional<FigureChoice> Referee::State::ReadFigure(const FigureView& figure, const Game& before,
                                                       const Turn& turn, int expected) const {
  const std::vector<double> shares = SegmentLikelihoods(figure, turn.tile, turn.rotation);
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
      const double weight = colour.probability * prior * shares[s] *
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

bool Referee::State::HandCameBack(Cell cell, const TileReading& tile) const {
  const auto found = memory.find(cell);
  if (found == memory.end()) return false;
  const CellMemory& seen = found->second;
  if (seen.covered_again && !several_new) return true;
  // A glimpse of this very tile beside or under the hand. A tile that is still
  // carried reads as another or lies across.
  const auto glimpses = std::count_if(
      seen.laid_under_hand.begin(), seen.laid_under_hand.end(),
      [&](const std::vector<TileReading>& readings) {
        if (readings.empty()) return true;
        return std::any_of(readings.begin(), readings.end(), [&](const TileReading& reading) {
          return reading.tile == tile.tile && reading.probability >= kNotThisTile &&
                 faces.Same(tile.tile, reading.rotation, tile.rotation);
        });
      });
  if (std::max<std::ptrdiff_t>(seen.covered_looks, glimpses) <= kSparseVisit) {
    return glimpses >= 1 || (seen.covered_looks >= 2 && !several_new);
  }
  return !several_new && seen.covered_to_ms - seen.covered_from_ms >= kLongVisit_ms;
}

// The claim by this turn's mover that its own tile completes, so that no figure
// is left to be seen: the one worth most.
std::optional<Deployment> Referee::State::ClaimTakenHome(const Turn& turn,
                                                         const Game& before) const {
  Game scratch = before;
  Turn claim = turn;
  if (claim.player < 0) {
    claim.player = static_cast<int>(scratch.players().size());
    if (!scratch.AddPlayer("?", claim.player).ok()) return std::nullopt;
  }
  std::optional<Deployment> best;
  int best_points = 0;
  for (const Deployment& deployment :
       scratch.LegalDeployments(claim.player, turn.tile, {turn.cell, turn.rotation})) {
    Game after = scratch;
    claim.deployment = deployment;
    const std::optional<Outcome> outcome = after.Apply(claim);
    if (!outcome || !Returned(*outcome, claim)) continue;
    int points = 0;
    for (const ScoreItem& item : outcome->items) {
      if (item.player == claim.player) points += item.points;
    }
    if (points > best_points) {
      best_points = points;
      best = deployment;
    }
  }
  return best;
}

int Referee::State::Join(const std::string& colour, int turn_number) {
  const int newcomer = static_cast<int>(game().players().size());
  std::vector<int> evidence;
  for (const Turn& turn : game().turns()) {
    evidence.push_back(turn.deployment ? turn.player : -1);
  }
  evidence.resize(std::max(evidence.size(), At(turn_number)), -1);
  evidence[At(turn_number - 1)] = newcomer;
  const TurnOrder order = DeduceOrder(evidence, newcomer + 1, false);
  int position = newcomer;
  const auto seat = std::find(order.cycle.begin(), order.cycle.end(), newcomer);
  if (seat != order.cycle.end()) {
    // After the nearest known player before it in the cycle.
    position = 0;
    for (auto it = order.cycle.begin(); it != seat; ++it) {
      if (*it >= 0) position = *it + 1;
    }
  }
  return Emit(PlayerJoined{colour, position}) ? position : -1;
}

Turn Referee::State::CompleteTurn(Turn turn, const Game& before, int number, int expected,
                                  const CellView& view, bool* inferred) {
  *inferred = false;
  turn.player = expected;
  std::optional<FigureChoice> chosen;
  double chosen_weight = 0;
  for (const FigureView& figure : view.figures) {
    if (figure.seen.probability < options.figure_certainty) continue;
    std::optional<FigureChoice> choice = ReadFigure(figure, before, turn, expected);
    if (!choice) continue;
    const double weight =
        figure.seen.probability * choice->probability * (choice->refusal ? kIllegalFigureRate : 1);
    if (weight > chosen_weight) {
      chosen_weight = weight;
      chosen = std::move(choice);
    }
  }
  if (!chosen) {
    // Seen with a hand in view, gone on the still table: only a figure whose
    // feature this very tile completes was deployed and went home.
    for (const FigureView& figure : memory[turn.cell].figures) {
      std::optional<FigureChoice> choice = ReadFigure(figure, before, turn, expected);
      if (!choice || choice->refusal || choice->probability <= chosen_weight) continue;
      Game after = before;
      Turn whole = turn;
      whole.player = choice->player;
      whole.deployment = choice->deployment;
      if (whole.player < 0) {
        whole.player = static_cast<int>(after.players().size());
        if (!after.AddPlayer(choice->colour, whole.player).ok()) continue;
      }
      const std::optional<Outcome> outcome = after.Apply(whole);
      if (!outcome || !Returned(*outcome, whole)) continue;
      chosen_weight = choice->probability;
      chosen = std::move(choice);
    }
  }
  if (!chosen && HandCameBack(turn.cell, {turn.tile, turn.rotation, 1})) {
    if (const std::optional<Deployment> claim = ClaimTakenHome(turn, before)) {
      if (expected >= 0) {
        turn.deployment = claim;
        *inferred = true;
      } else {
        pending_claims[number] = *claim;
      }
    }
  }
  if (chosen) {
    if (chosen->player >= 0) {
      turn.player = chosen->player;
    } else if (!chosen->refusal) {
      turn.player = Join(chosen->colour, number);
      if (turn.player < 0) return turn;
    }
    if (!chosen->refusal) turn.deployment = chosen->deployment;
  }
  return turn;
}

bool Referee::State::SetTurn(int number, const Turn& turn, std::string reason) {
  std::vector<Turn> turns = game().turns();
  if (turns[At(number - 1)] == turn) return false;
  turns[At(number - 1)] = turn;
  turns.erase(turns.begin(), turns.begin() + number - 1);
  return Emit(TurnsRevised{number, std::move(turns), std::move(reason)});
}

void Referee::State::ReviewFigures(const Look& look, int amendable_from) {
  const std::vector<PlacedTile> placed = game().PlacedTiles();
  for (const PlacedTile& laid : placed) {
    const CellView& view = look.At(laid.cell);
    if (!view.hidden && view.tile) ReviewCellFigures(laid, view, look, amendable_from);
  }
  if (amendable_from >= 1) AmendFromMemory(look, amendable_from);

  // Nothing is remembered of figures that are gone for good.
  std::set<std::pair<Cell, std::string>> present;
  for (const PlacedFigure& figure : game().Figures()) {
    present.insert({figure.cell, game().players()[At(figure.player)].colour});
  }
  std::erase_if(tracks, [&](const auto& entry) { return !present.contains(entry.first); });
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
      if (p < kColourPossible) continue;
      const double share = SegmentLikelihoods(**it, laid.tile, laid.rotation)[At(figure.segment)];
      if (p * (share + kSegmentFloor) > best) {
        best = p * (share + kSegmentFloor);
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
    Miss(figure);
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

void Referee::State::Follow(const PlacedFigure& known, const FigureView& figure, int turn,
                            int amendable_from) {
  const std::string& colour = game().players()[At(known.player)].colour;
  FigureTrack& track = tracks[{known.cell, colour}];
  ++track.looks;
  track.misses += track.missed_now;
  track.missed_now = 0;
  track.last_seen = sightings;

  const PlacedTile* laid = game().TileAt(known.cell);
  std::vector<double> shares = SegmentLikelihoods(figure, laid->tile, laid->rotation);
  double total = 0;
  for (const double share : shares) total += share;
  if (total <= 0) return;
  track.log_segment.resize(shares.size(), 0);
  std::size_t best = 0;
  for (std::size_t s = 0; s < shares.size(); ++s) {
    shares[s] /= total;
    track.log_segment[s] = std::max(track.log_segment[s] + (track.looks == 1 ? 1 : kRepeatedLook) *
                                                               std::log(shares[s] + kSegmentFloor),
                                    kLeastLogLikelihood);
    if (track.log_segment[s] > track.log_segment[best]) best = s;
  }
  const double here = shares[At(known.segment)];
  const double clearest = track.clearest;
  track.clearest = std::max(track.clearest, here);
  const auto now =
      static_cast<int>(std::max_element(shares.begin(), shares.end()) - shares.begin());
  if (now == known.segment || here >= kNotThere) {
    // Long doubtful, and by now told apart: it stood on the other one all along.
    if (clearest >= kClearSegment ||
        track.log_segment[best] < track.log_segment[At(known.segment)] + kRevisingLead) {
      return;
    }
    Turn better = game().turns()[At(turn - 1)];
    better.deployment->segment = static_cast<int>(best);
    SetTurn(turn, better, "the figure was read better");
    return;
  }
  if (turn >= amendable_from) {
    // Set elsewhere on the tile before the next one is laid.
    track = FigureTrack();
    AmendTurn(turn, figure);
    return;
  }
  Assert("figure-moved", Severity::kIllegal, {known.cell},
         Text("The ", colour, " figure ", Where(known.cell), " was moved: put it back on its ",
              ToString(tiles().types()[At(laid->tile)].segments[At(known.segment)].kind), "."),
         kHalf);
}

void Referee::State::Miss(const PlacedFigure& known) {
  const std::string& colour = game().players()[At(known.player)].colour;
  FigureTrack& track = tracks[{known.cell, colour}];
  if (track.looks == 0) return;  // entered by hand, or before a restart
  ++track.missed_now;
  const double rate =
      (kMissRate * kMissPriorLooks + track.misses) / (kMissPriorLooks + track.looks + track.misses);
  const double weight = -std::log(rate) / kGone * Touched(known.cell, track.last_seen);
  const PlacedTile* laid = game().TileAt(known.cell);
  Assert("figure-taken-early", Severity::kIllegal, {known.cell},
         Text("The ", colour, " figure ", Where(known.cell), " was taken home though its ",
              ToString(tiles().types()[At(laid->tile)].segments[At(known.segment)].kind),
              " is not complete: put it back."),
         weight);
}

void Referee::State::AmendTurn(int number, const FigureView& figure) {
  Turn turn = game().turns()[At(number - 1)];
  const std::optional<Deployment> had = turn.deployment;
  const std::vector<Turn>& turns = game().turns();
  const std::optional<Game> before = ledger.Replay({turns.begin(), turns.begin() + number - 1});
  if (!before) return;
  turn.deployment.reset();
  std::optional<FigureChoice> choice = ReadFigure(figure, *before, turn, turn.player);
  if (!choice) return;
  const Cell cell = turn.cell;
  if (!choice->refusal) {
    int player = choice->player;
    if (player < 0) player = Join(choice->colour, number);
    if (player < 0) return;
    turn = game().turns()[At(number - 1)];
    turn.player = player;
    turn.deployment = choice->deployment;
    if (turn == game().turns()[At(number - 1)]) return;
    if (SetTurn(number, turn,
                had ? "the figure was set elsewhere" : "a figure was set on the tile")) {
      return;
    }
    Assert("figure-not-on-last-tile", Severity::kIllegal, {cell},
           Text("The ", choice->colour, " figure ", Where(cell),
                " came too late: a later tile has joined its feature. Take it back."),
           kHalf);
    return;
  }
  // On a tile that is itself in doubt nothing is sure.
  const bool sure = choice->probability >= kSureIllegal && MemoryOf(cell).clearest >= kClearReading;
  if (sure) {
    // Whatever it stands on, whose turn it was is plain.
    if (choice->player < 0) choice->player = Join(choice->colour, number);
    turn = game().turns()[At(number - 1)];
    if (choice->player >= 0 && turn.player != choice->player && !turn.deployment) {
      turn.player = choice->player;
      SetTurn(number, turn, "the figure tells whose turn it was");
    }
    if (Reconsider(number, *choice)) return;
  }
  Assert(choice->refusal->code, Severity::kIllegal, {cell},
         Text("The ", choice->colour, " figure ", Where(cell), " may not stand there. ",
              choice->refusal->text, " Take it back or set it elsewhere on its tile."),
         sure ? 1 : kHalf * kHalf);
}

bool Referee::State::Reconsider(int number, const FigureChoice& choice) {
  if (choice.player < 0 || choice.refusal->code != "feature-occupied") return false;
  std::vector<Turn> turns = game().turns();
  turns[At(number - 1)].player = choice.player;
  turns[At(number - 1)].deployment = choice.deployment;
  double best_log = -kReconsider;
  int best_turn = 0, best_segment = 0;
  for (int earlier = 1; earlier < number; ++earlier) {
    const Turn had = turns[At(earlier - 1)];
    if (!had.deployment) continue;
    const auto track = tracks.find({had.cell, game().players()[At(had.player)].colour});
    if (track == tracks.end()) continue;
    const std::vector<double>& logs = track->second.log_segment;
    for (std::size_t s = 0; s < logs.size(); ++s) {
      const double log_ratio = logs[s] - logs[At(had.deployment->segment)];
      if (static_cast<int>(s) == had.deployment->segment || log_ratio <= best_log) continue;
      turns[At(earlier - 1)].deployment->segment = static_cast<int>(s);
      if (ledger.Replay(turns)) {
        best_log = log_ratio;
        best_turn = earlier;
        best_segment = static_cast<int>(s);
      }
      turns[At(earlier - 1)] = had;
    }
  }
  if (best_turn == 0) return false;
  turns[At(best_turn - 1)].deployment->segment = best_segment;
  turns.erase(turns.begin(), turns.begin() + best_turn - 1);
  return Emit(TurnsRevised{best_turn, std::move(turns), "an earlier figure was read better"});
}

// The last turn was taken down without a figure; then a hand came and went.
void Referee::State::AmendFromMemory(const Look& look, int number) {
  if (number > static_cast<int>(game().turns().size())) return;
  const Turn had = game().turns()[At(number - 1)];
  const CellView& view = look.At(had.cell);
  if (had.deployment || view.hidden || !view.tile || !view.figures.empty()) return;
  const auto found = memory.find(had.cell);
  if (found == memory.end()) return;
  CellMemory& seen = found->second;
  // A hand that laid the next tile had its own reason to be there.
  const bool next_laid = number < static_cast<int>(game().turns().size());
  const bool visited = !next_laid && seen.covered_looks >= 1 && seen.covered_looks <= kSparseVisit;
  if (seen.figures.empty() && !visited) return;

  const std::vector<Turn>& turns = game().turns();
  const std::optional<Game> before = ledger.Replay({turns.begin(), turns.begin() + number - 1});
  if (!before) return;
  if (!visited) {
    // Only what was seen counts, not that something was covered.
    std::vector<FigureView> figures = std::move(seen.figures);
    seen.ForgetHands();
    seen.figures = std::move(figures);
  }
  bool inferred = false;
  Turn turn = had;
  turn.player = -1;
  const int expected = had.player;
  turn = CompleteTurn(turn, *before, number, expected, view, &inferred);
  if (turn.deployment) SetTurn(number, turn, "a figure was set on the tile and taken home");
}

void Referee::State::ReviewStray(Cell cell, const FigureView& figure, const Look& look) {
  const SentHome* home = nullptr;
  for (const SentHome& sent : ledger.sent_home()) {
    if (sent.cell == cell && ProbabilityOfColour(figure.seen, sent.colour) >= kColourPossible) {
      home = &sent;
    }
  }
  if (home != nullptr) {
    const auto [it, first] = lingering.try_emplace({cell, home->colour});
    if (first) it->second.since_ms = look.time_ms;
    const bool next_laid = static_cast<int>(game().turns().size()) > home->turn;
    const bool long_ago = look.time_ms - it->second.since_ms >= kTakingHome_ms;
    const bool left_by_hand = !first && hand_since_settled;
    Assert("figure-not-returned", Severity::kWarning, {cell},
           Text("The ", home->colour, " figure ", Where(cell),
                " has scored: take it home to its player."),
           next_laid || long_ago ? 1 : (left_by_hand ? kHalf : 0));
    return;
  }
  if (figure.seen.probability < kSureFigure || figure.seen.colours.empty()) return;
  // The same figure as told before, though its tile is no longer the last.
  for (const Finding& open : ledger.findings()) {
    if (AboutStandingFigure(open.code) && open.cells.front() == cell) {
      Assert(open.code, open.severity, open.cells, open.text, 1);
      return;
    }
  }
  Assert("figure-not-on-last-tile", Severity::kIllegal, {cell},
         Text("A ", figure.seen.colours.front().colour, " figure was set ", Where(cell),
              ", which is not the tile just laid: take it back."),
         kHalf);
}

void Referee::State::ReorderBatches() {
  const TurnOrder& now = ledger.order();
  if (now.violations.empty() && now.unexplained == 0) return;
  const auto cost_of = [&](const std::vector<Turn>& turns, const Batch& batch) {
    std::vector<int> evidence;
    for (const Turn& turn : turns) evidence.push_back(turn.deployment ? turn.player : -1);
    const TurnOrder order =
        DeduceOrder(evidence, static_cast<int>(game().players().size()), ledger.players_given());
    double cost = kBreachCost * (static_cast<double>(order.violations.size()) + order.unexplained);
    for (std::size_t i = 0; i < batch.first_seen.size(); ++i) {
      for (std::size_t k = 0; k < i; ++k) {
        const std::size_t first = At(batch.first - 1);
        if (batch.first_seen.at(turns[first + k].cell) >
            batch.first_seen.at(turns[first + i].cell)) {
          cost += kSeenEarlierCost;
        }
      }
    }
    return cost;
  };
  for (const Batch& batch : batches) {
    const std::vector<Turn>& turns = game().turns();
    const std::size_t first = At(batch.first - 1);
    const std::size_t count = batch.first_seen.size();
    if (count > kLargestBatch || first + count > turns.size()) continue;
    const bool intact = std::all_of(
        turns.begin() + batch.first - 1, turns.begin() + batch.first - 1 + static_cast<int>(count),
        [&](const Turn& turn) { return batch.first_seen.contains(turn.cell); });
    if (!intact) continue;
    std::vector<std::size_t> order(count);
    for (std::size_t i = 0; i < count; ++i) order[i] = i;
    double best_cost = cost_of(turns, batch) - 0.5;
    std::vector<Turn> best;
    while (std::next_permutation(order.begin(), order.end())) {
      std::vector<Turn> other = turns;
      for (std::size_t i = 0; i < count; ++i) {
        other[first + i] = turns[first + order[i]];
        if (!other[first + i].deployment) other[first + i].player = -1;
      }
      const double cost = cost_of(other, batch);
      if (cost >= best_cost || !ledger.Replay(other)) continue;
      best_cost = cost;
      best = std::move(other);
    }
    if (best.empty()) continue;
    // Who took the others follows from the order again.
    for (std::size_t i = first; i < best.size(); ++i) {
      if (!best[i].deployment) best[i].player = -1;
    }
    best.erase(best.begin(), best.begin() + batch.first - 1);
    Emit(TurnsRevised{batch.first, std::move(best), "the order of several turns became clear"});
    FillMovers();
  }
}

// Once the order is known, it tells who took the turns without a figure.
void Referee::State::FillMovers() {
  const std::vector<int>& movers = ledger.order().movers;
  std::vector<Turn> turns = game().turns();
  int first = 0;
  for (std::size_t i = 0; i < turns.size(); ++i) {
    if (turns[i].player >= 0 || movers[i] < 0) continue;
    const int number = static_cast<int>(i) + 1;
    turns[i].player = movers[i];
    if (first == 0) first = number;
    const auto claim = pending_claims.find(number);
    if (claim == pending_claims.end()) continue;
    turns[i].deployment = claim->second;
    if (!ledger.Replay(turns)) turns[i].deployment.reset();
    pending_claims.erase(claim);
  }
  if (first == 0) return;
  turns.erase(turns.begin(), turns.begin() + first - 1);
  Emit(TurnsRevised{first, std::move(turns), "the order of play became known"});
}

}  // namespace tilewarden::engine
