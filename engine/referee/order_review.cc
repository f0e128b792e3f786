// What the order of play tells of turns that are taken down already.
#include <algorithm>
#include <cmath>
#include <cstddef>

#include "engine/referee/model.h"
#include "engine/referee/state.h"
#include "engine/tiles/text.h"

namespace tilewarden::engine {
namespace {

std::size_t At(int i) { return static_cast<std::size_t>(i); }

}  // namespace

void Referee::State::ReorderBatches() {
  const TurnOrder& now = ledger.order();
  if (now.violations.empty() && now.unexplained == 0) return;
  for (const Batch& batch : batches.all()) {
    if (std::optional<TurnsRevised> better = BetterOrder(batch, ledger)) {
      Emit(*std::move(better));
      FillMovers();
    }
  }
}

// The order tells who took the turns without a figure.
void Referee::State::FillMovers() {
  const std::vector<int> movers = ledger.order().movers;
  std::vector<Turn> turns = game().turns();
  int first = 0;
  for (std::size_t i = 0; i < turns.size(); ++i) {
    const bool concluded = turns[i].deployment && ledger.Concluded(turns[i].cell);
    const bool told = (turns[i].deployment && !concluded) || turns[i].recall ||
                      !turns[i].ark_path.empty() || ledger.SetByHand(turns[i].cell);
    if (movers[i] < 0 || turns[i].player == movers[i] || (told && turns[i].player >= 0)) continue;
    const bool unknown = turns[i].player < 0;
    turns[i].player = movers[i];
    if (first == 0) first = static_cast<int>(i) + 1;
    if (concluded && !ledger.Replay(turns)) turns[i].deployment.reset();
    const auto claim = ledger.pending_claims().find(turns[i].cell);
    if (!unknown || claim == ledger.pending_claims().end() || turns[i].deployment) continue;
    turns[i].deployment = claim->second;
    if (!ledger.Replay(turns)) turns[i].deployment.reset();
  }
  if (first == 0) return;
  turns.erase(turns.begin(), turns.begin() + first - 1);
  Emit(TurnsRevised{first, std::move(turns), "the order of play became known"});
}

void Referee::State::ArrangePlayers() {
  if (ledger.players_given()) return;
  const TurnOrder& order = ledger.order();
  const auto& players = game().players();
  std::vector<bool> played(players.size(), false);
  for (const Turn& turn : game().turns()) {
    if (turn.player >= 0) played[At(turn.player)] = true;
  }
  for (const Turn& tile : ledger.found()) {
    if (tile.player >= 0) played[At(tile.player)] = true;
  }
  std::vector<std::string> now, colours;
  for (const PlayerState& player : players) now.push_back(player.colour);
  for (const int player : order.cycle) {
    if (player >= 0 && played[At(player)]) colours.push_back(now[At(player)]);
  }
  for (std::size_t i = 0; i < players.size(); ++i) {
    const bool seated = std::find(colours.begin(), colours.end(), now[i]) != colours.end();
    if (!seated && played[i]) colours.push_back(now[i]);
  }
  // Who begins stays who was known first.
  if (!colours.empty()) {
    const auto first = std::find_if(now.begin(), now.end(), [&](const std::string& colour) {
      return std::find(colours.begin(), colours.end(), colour) != colours.end();
    });
    std::rotate(colours.begin(), std::find(colours.begin(), colours.end(), *first), colours.end());
  }
  if (colours != now && !colours.empty()) Emit(PlayersArranged{std::move(colours)});
}

// What the figure's colour looked like in all looks, and whose turn it was.
bool Referee::State::RereadColour(const PlacedFigure& known, const FigureTrack& track, int turn) {
  const std::string current = game().players()[At(known.player)].colour;
  const auto mine = track.log_colour.find(current);
  if (mine == track.log_colour.end() || ledger.FigureByHand(known.cell)) return false;
  double best_log = mine->second;
  std::string best;
  for (const auto& [colour, log_likelihood] : track.log_colour) {
    if (log_likelihood > best_log - kReconsider && colour != current) {
      if (best.empty() || log_likelihood > track.log_colour.at(best)) best = colour;
    }
  }
  if (best.empty()) return false;

  // Whose turn it was, this figure aside.
  std::vector<int> evidence = ledger.EvidenceOf(game().turns());
  if (turn >= 1) evidence[At(turn - 1)] = -1;
  const TurnOrder order = ledger.OrderOf(evidence);
  const bool full =
      order.players > 0 && std::count(order.cycle.begin(), order.cycle.end(), -1) == 0;
  const auto prior = [&](const std::string& colour) {
    const auto& players = game().players();
    const auto found = std::find_if(players.begin(), players.end(),
                                    [&](const PlayerState& p) { return p.colour == colour; });
    const int player = found == players.end() ? -1 : static_cast<int>(found - players.begin());
    const bool sits = player >= 0 && std::find(order.cycle.begin(), order.cycle.end(), player) !=
                                         order.cycle.end();
    if (full && !sits) return kForeignColour * kOutOfTurnRate;
    if (turn < 1) return 1.0;  // found on the board: in whose turn, nobody knows
    const int mover = order.movers[At(turn - 1)];
    // Nobody was seen in this place yet: somebody who sits in no other one.
    if (mover < 0) return sits ? kOutOfTurnRate : 1 - kOutOfTurnRate;
    return player == mover ? 1 - kOutOfTurnRate : kOutOfTurnRate;
  };
  if (track.log_colour.at(best) + std::log(prior(best)) <
      best_log + std::log(prior(current)) + kColourLead) {
    return false;
  }
  const auto& players = game().players();
  auto found = std::find_if(players.begin(), players.end(),
                            [&](const PlayerState& p) { return p.colour == best; });
  int player = static_cast<int>(found - players.begin());
  if (found == players.end()) {
    if (full || players.size() >= Game::kMaxPlayers) return false;
    player = Join(best, turn);
    if (player < 0) return false;
  }
  Turn better = TurnAt(known.cell);
  better.player = player;
  return SetTurn(turn, better, "the figure's colour was read better");
}

}  // namespace tilewarden::engine
