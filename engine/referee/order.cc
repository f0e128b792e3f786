#include "engine/referee/order.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <utility>

#include "engine/tiles/index.h"

namespace tilewarden::engine {
namespace {

constexpr int kFewestPlayers = 2;
constexpr int kMostPlayers = 6;

// The cycle, if turns [from, to) leave exactly one that they all fit.
struct Cycle {
  int length = 0;
  std::vector<int> player_at;  // by turn index modulo length
};

std::optional<std::vector<int>> Fit(const std::vector<int>& evidence, int from, int to,
                                    int length) {
  std::vector<int> player_at(At(length), -1);
  for (int t = from; t < to; ++t) {
    const int player = evidence[At(t)];
    if (player < 0) continue;
    int& there = player_at[At(t % length)];
    if (there >= 0 && there != player) return std::nullopt;
    there = player;
  }
  for (int place = 0; place < length; ++place) {
    const int player = player_at[At(place)];
    if (player >= 0 && std::count(player_at.begin(), player_at.end(), player) > 1) {
      return std::nullopt;
    }
  }
  return player_at;
}

std::vector<Cycle> Fitting(const std::vector<int>& evidence, int from, int to) {
  std::vector<Cycle> all;
  for (int length = kFewestPlayers; length <= kMostPlayers; ++length) {
    if (std::optional<std::vector<int>> fit = Fit(evidence, from, to, length)) {
      all.push_back({length, *std::move(fit)});
    }
  }
  return all;
}

bool ColourCameBack(const std::vector<int>& evidence, int from, int to) {
  for (int t = from; t < to; ++t) {
    if (evidence[At(t)] >= 0 && std::find(evidence.begin() + from, evidence.begin() + t,
                                          evidence[At(t)]) != evidence.begin() + t) {
      return true;
    }
  }
  return false;
}

int Colours(const std::vector<int>& evidence, int to) {
  std::set<int> seen(evidence.begin(), evidence.begin() + to);
  seen.erase(-1);
  return static_cast<int>(seen.size());
}

// The cycle as first known, and the turn by which it was: the evidence up to
// there fits. Evidence that fits no cycle at all (somebody played out of turn
// before the order was known) is dropped from its beginning; then only a cycle
// with a place for everybody seen so far is believed, or one misread colour
// would make two players of four.
// `players`: so many are known by figures that were found. Mostly those are all: a
// cycle of just them is believed while all the evidence fits it, once at most one
// place is left.
std::optional<Cycle> Learn(const std::vector<int>& evidence, int players, int* from,
                           int* known_at) {
  const int turns = static_cast<int>(evidence.size());
  *from = 0;
  for (int to = 1; to <= turns; ++to) {
    std::vector<Cycle> fitting = Fitting(evidence, *from, to);
    while (fitting.empty() && *from < to) fitting = Fitting(evidence, ++*from, to);
    if (*from > 0) {
      const int colours = Colours(evidence, to);
      std::erase_if(fitting, [&](const Cycle& cycle) { return cycle.length < colours; });
    }
    if (fitting.size() == 1 && ColourCameBack(evidence, *from, to)) {
      *known_at = to;
      return fitting.front();
    }
  }
  *from = 0;
  std::optional<std::vector<int>> of_all;
  if (players >= kFewestPlayers) of_all = Fit(evidence, 0, turns, players);
  if (!of_all || std::count(of_all->begin(), of_all->end(), -1) > 1) return std::nullopt;
  *known_at = turns;
  return Cycle{players, *std::move(of_all)};
}

TurnOrder DeduceRounds(const std::vector<int>& evidence, int players, bool given) {
  TurnOrder order;
  const int turns = static_cast<int>(evidence.size());
  order.movers = evidence;

  Cycle cycle;
  int from = 0;
  if (given && players > 0) {
    cycle.length = players;
    // Who begins is told by the first figure; until then the first in the list.
    int first = 0;
    for (int t = 0; t < turns; ++t) {
      if (evidence[At(t)] < 0) continue;
      first = ((evidence[At(t)] - t) % players + players) % players;
      break;
    }
    for (int place = 0; place < players; ++place) {
      cycle.player_at.push_back((first + place) % players);
    }
  } else {
    int known_at = 0;
    std::optional<Cycle> learned = Learn(evidence, given ? 0 : players, &from, &known_at);
    if (!learned) return order;
    cycle = *std::move(learned);
  }

  order.unexplained = static_cast<int>(
      std::count_if(evidence.begin(), evidence.begin() + from, [](int p) { return p >= 0; }));

  const int n = cycle.length;
  order.players = n;
  // What later turns tell about places nobody was seen at.
  for (int t = 0, shift = 0; t < turns; ++t) {
    const int player = evidence[At(t)];
    if (player < 0) continue;
    const auto seat = std::find(cycle.player_at.begin(), cycle.player_at.end(), player);
    if (seat != cycle.player_at.end()) {
      shift = static_cast<int>(seat - cycle.player_at.begin()) - t % n;
    } else if (int& there = cycle.player_at[At(((t + shift) % n + n) % n)]; there < 0) {
      there = player;
    }
  }

  // The one place left is that of the one player left.
  std::set<int> standing(evidence.begin(), evidence.end());
  standing.erase(-1);
  if (players == n) {
    for (int player = 0; player < players; ++player) standing.insert(player);
  }
  for (const int seated : cycle.player_at) standing.erase(seated);
  const auto empty = std::find(cycle.player_at.begin(), cycle.player_at.end(), -1);
  if (standing.size() == 1 && std::count(empty, cycle.player_at.end(), -1) == 1) {
    *empty = *standing.begin();
  }

  // Walk through the game: `place` is whose turn it is. After somebody played
  // out of turn, the one who was passed over may still take the turn.
  int place = 0;
  int passed_over = -1;
  for (int t = 0; t < turns; ++t) {
    const int player = evidence[At(t)];
    const int expected = cycle.player_at[At(place)];
    if (player < 0 || player == expected) {
      order.movers[At(t)] = expected;
      if (player >= 0) passed_over = -1;
    } else if (player == passed_over) {
      passed_over = -1;
      place = (place + n - 1) % n;  // a turn made up for: the same one is next
    } else {
      const auto seat = std::find(cycle.player_at.begin(), cycle.player_at.end(), player);
      const int before = t > 0 ? order.movers[At(t - 1)] : -1;
      if (t >= from) {
        order.violations.push_back(
            {t + 1, player == before ? TurnOrder::Breach::kTwoTiles : TurnOrder::Breach::kOutOfTurn,
             player, expected});
        passed_over = expected;
      }
      // A colour beyond the cycle does not move it on.
      place = seat != cycle.player_at.end() ? static_cast<int>(seat - cycle.player_at.begin())
                                            : (place + n - 1) % n;
    }
    place = (place + 1) % n;
  }
  order.cycle = std::move(cycle.player_at);
  order.next_place = place;
  order.next = order.cycle[At(place)];
  return order;
}

}  // namespace

// Turns of one player in a row that the rules give count as one. Some need not be taken:
// the figure of somebody else shows that it was not.
TurnOrder DeduceOrder(const std::vector<int>& evidence, int players, bool given,
                      const std::vector<bool>& extra) {
  std::vector<int> rounds;
  std::vector<std::size_t> round_of, last_turn;
  bool again = false;
  for (std::size_t t = 0; t < evidence.size(); ++t) {
    const bool passed_on =
        again && evidence[t] >= 0 && rounds.back() >= 0 && evidence[t] != rounds.back();
    if (!again || passed_on) {
      rounds.push_back(-1);
      last_turn.push_back(t);
    }
    last_turn.back() = t;
    if (evidence[t] >= 0) rounds.back() = evidence[t];
    round_of.push_back(rounds.size() - 1);
    again = t < extra.size() && extra[t];
  }
  TurnOrder order = DeduceRounds(rounds, players, given);
  std::vector<int> movers;
  for (const std::size_t round : round_of) movers.push_back(order.movers[round]);
  if (again && !rounds.empty()) {
    // The last player is to move once more.
    order.next = movers.back();
    if (!order.cycle.empty()) {
      order.next_place = (order.next_place + order.players - 1) % order.players;
    }
  }
  order.movers = std::move(movers);
  for (TurnOrder::Violation& violation : order.violations) {
    violation.turn = static_cast<int>(last_turn[At(violation.turn - 1)]) + 1;
  }
  return order;
}

}  // namespace tilewarden::engine
