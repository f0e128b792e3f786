// What the order of play tells of turns that are taken down already.
#include <algorithm>
#include <cmath>
#include <cstddef>

#include "engine/referee/judging/judging.h"
#include "engine/referee/model.h"
#include "engine/tiles/index.h"
#include "engine/tiles/text.h"

namespace tilewarden::engine {
Conclusions ReorderBatches(Ledger* ledger, const Batches& batches) {
  Conclusions concluded;
  const TurnOrder& now = ledger->order();
  if (now.violations.empty() && now.unexplained == 0) return concluded;
  for (const Batch& batch : batches.all()) {
    if (std::optional<TurnsRevised> better = BetterOrder(batch, *ledger)) {
      concluded += Conclude(ledger, *std::move(better));
      concluded += FillMovers(ledger);
    }
  }
  return concluded;
}

namespace {

// A claim that no look showed: with the prophet it pays twice.
Doubt WithWhichFigure(const Ledger& ledger, int number) {
  const std::vector<Turn>& turns = ledger.game()->turns();
  const Turn& as = turns[At(number - 1)];
  Turn no_claim = as;
  no_claim.deployment.reset();
  Doubt doubt;
  doubt.text = Text("Did ", ledger.game()->players()[At(as.player)].colour, " claim what the tile ",
                    Where(as.cell), " completed?");
  for (const FigureKind kind : {FigureKind::kProphet, FigureKind::kFollower}) {
    Turn with = as;
    with.deployment->kind = kind;
    std::vector<Turn> instead = turns;
    instead[At(number - 1)] = with;
    if (!ledger.Replay(instead)) return {};
    doubt.answers.push_back(
        {kind == FigureKind::kProphet ? "Yes, the city, with the prophet" : "Yes, the city",
         {as.cell},
         std::move(with),
         kSureVisit / 2});
  }
  doubt.answers.push_back({"No", {as.cell}, std::move(no_claim), 1 - kSureVisit});
  return doubt;
}

}  // namespace

Conclusions FillMovers(Ledger* ledger) {
  const std::vector<int> movers = ledger->order().movers;
  std::vector<Turn> turns = ledger->game()->turns();
  int first = 0;
  std::vector<int> claimed;  // numbers of turns
  for (std::size_t i = 0; i < turns.size(); ++i) {
    const bool concluded = turns[i].deployment && ledger->Concluded(turns[i].cell);
    const bool told = (turns[i].deployment && !concluded) || turns[i].recall ||
                      !turns[i].ark_path.empty() || ledger->SetByHand(turns[i].cell);
    if (movers[i] < 0 || turns[i].player == movers[i] || (told && turns[i].player >= 0)) continue;
    const bool unknown = turns[i].player < 0;
    turns[i].player = movers[i];
    if (first == 0) first = static_cast<int>(i) + 1;
    if (concluded && !ledger->Replay(turns)) turns[i].deployment.reset();
    const auto claim = ledger->pending_claims().find(turns[i].cell);
    if (!unknown || claim == ledger->pending_claims().end() || turns[i].deployment) continue;
    turns[i].deployment = claim->second;
    if (!ledger->Replay(turns)) turns[i].deployment.reset();
    if (turns[i].deployment) claimed.push_back(static_cast<int>(i) + 1);
  }
  if (first == 0) return {};
  turns.erase(turns.begin(), turns.begin() + first - 1);
  Conclusions concluded =
      Conclude(ledger, TurnsRevised{first, std::move(turns), "the order of play became known"});
  if (!concluded.done) return concluded;
  for (const int number : claimed)
    concluded += Ask(ledger, number, WithWhichFigure(*ledger, number));
  return concluded;
}

Conclusions ArrangePlayers(Ledger* ledger) {
  if (ledger->players_given()) return {};
  const TurnOrder& order = ledger->order();
  const auto& players = ledger->game()->players();
  std::vector<bool> played(players.size(), false);
  for (const Turn& turn : ledger->game()->turns()) {
    if (turn.player >= 0) played[At(turn.player)] = true;
  }
  for (const Turn& tile : ledger->found()) {
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
  // Whoever was known first still begins.
  if (!colours.empty()) {
    const auto first = std::find_if(now.begin(), now.end(), [&](const std::string& colour) {
      return std::find(colours.begin(), colours.end(), colour) != colours.end();
    });
    std::rotate(colours.begin(), std::find(colours.begin(), colours.end(), *first), colours.end());
  }
  if (colours == now || colours.empty()) return {};
  return Conclude(ledger, PlayersArranged{std::move(colours)});
}

namespace {

// The colour besides its own that this figure most looked like, if it comes close.
std::string Rival(const FigureTrack& track, const std::string& current) {
  const double own = track.log_colours().at(current);
  std::string best;
  for (const auto& [colour, log_likelihood] : track.log_colours()) {
    if (log_likelihood <= own - kReconsider || colour == current) continue;
    if (best.empty() || log_likelihood > track.log_colours().at(best)) best = colour;
  }
  return best;
}

bool FullCycle(const TurnOrder& order) {
  return order.players > 0 && std::count(order.cycle.begin(), order.cycle.end(), -1) == 0;
}

// How likely this player set a figure in this turn, by the order of play. `player` -1: nobody who
// has joined.
double PriorOf(int player, int turn, const TurnOrder& order) {
  const bool sits =
      player >= 0 && std::find(order.cycle.begin(), order.cycle.end(), player) != order.cycle.end();
  if (FullCycle(order) && !sits) return kForeignColour * kOutOfTurnRate;
  if (turn < 1) return 1.0;  // found on the board: in whose turn, nobody knows
  const int mover = order.movers[At(turn - 1)];
  // Nobody was seen in this place yet: somebody who sits in no other one.
  if (mover < 0) return sits ? kOutOfTurnRate : 1 - kOutOfTurnRate;
  return player == mover ? 1 - kOutOfTurnRate : kOutOfTurnRate;
}

}  // namespace

// What the figure's colour looked like in all looks, and whose turn it was.
Conclusions RereadColour(Ledger* ledger, const PlacedFigure& known, const FigureTrack& track,
                         int turn) {
  const Game& game = *ledger->game();
  const std::string current = game.players()[At(known.player)].colour;
  if (!track.log_colours().contains(current) || ledger->FigureByHand(known.cell)) return {};
  const std::string best = Rival(track, current);
  if (best.empty()) return {};

  // Whose turn it was, this figure aside.
  std::vector<int> evidence = ledger->EvidenceOf(game.turns());
  if (turn >= 1) evidence[At(turn - 1)] = -1;
  const TurnOrder order = ledger->OrderOf(evidence);
  int player = PlayerOf(game, best);
  if (track.log_colours().at(best) + std::log(PriorOf(player, turn, order)) <
      track.log_colours().at(current) + std::log(PriorOf(known.player, turn, order)) +
          kColourLead) {
    return {};
  }
  Conclusions concluded;
  if (player < 0) {
    if (FullCycle(order) || game.players().size() >= Game::kMaxPlayers) return {};
    Joined joined = Join(ledger, best, turn);
    concluded += std::move(joined.concluded);
    player = joined.player;
    if (player < 0) return concluded;
  }
  Turn better = TurnAt(*ledger, known.cell);
  better.player = player;
  Conclusions set = SetTurn(ledger, turn, better, "the figure's colour was read better");
  concluded.done = set.done;
  concluded += std::move(set);
  return concluded;
}

}  // namespace tilewarden::engine
