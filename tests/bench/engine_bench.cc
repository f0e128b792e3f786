// How fast the rules are. Run one core, nothing else:
//   build/release/bin/engine_bench
#include <random>

#include "benchmark/benchmark.h"
#include "engine/game/stack.h"
#include "tests/engine/game/random_game.h"

namespace tilewarden::engine {
namespace {

// Looks at every legal placement of the tile drawn, one by one. The random
// player only counts them and looks at the one that it picks.
void LookAtEach(const PlacementList& placements) {
  placements.ForEach([](Placement at) { benchmark::DoNotOptimize(at); });
}

// Whole random two-player base games with farmers and final scoring; the legal
// placements and deployments are enumerated each turn.
void RandomBaseGames(benchmark::State& state) {
  const Game start = NewGame(AllConfigs()[0], 2);
  std::uint64_t seed = 1;
  std::size_t seen = 0, turns = 0;
  Game game = start;
  for (auto _ : state) {
    game = start;
    RandomPlayer player(game, seed++);
    while (const std::optional<Turn> turn = player.NextTurn(game)) {
      LookAtEach(player.placements());
      seen += player.placements().size();
      game.Apply(*turn);
    }
    benchmark::DoNotOptimize(game.ScoreIfEndedNow());
    turns += game.turns().size();
  }
  state.SetItemsProcessed(state.iterations());
  state.counters["placements/turn"] = static_cast<double>(seen) / static_cast<double>(turns);
}
BENCHMARK(RandomBaseGames)->Unit(benchmark::kMicrosecond);

// Games of one kind as recorded turns, to time single steps.
std::vector<Turn> RecordedTurns(const Game& start, std::uint64_t seed) {
  Game game = start;
  RandomPlayer player(game, seed);
  while (const std::optional<Turn> turn = player.NextTurn(game)) game.Apply(*turn);
  return game.turns();
}

void TurnWithUndo(benchmark::State& state) {
  Game game = NewGame(AllConfigs()[0], 2);
  const std::vector<Turn> turns = RecordedTurns(game, 1);
  for (auto _ : state) {
    for (const Turn& turn : turns) game.Apply(turn);
    while (game.Undo()) {
    }
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(turns.size()));
}
BENCHMARK(TurnWithUndo)->Unit(benchmark::kMicrosecond);

// What every player would have if the game ended now, on a full board.
void RescoreFullBoard(benchmark::State& state) {
  Game game = NewGame(AllConfigs()[0], 5);
  for (const Turn& turn : RecordedTurns(game, 3)) game.Apply(turn);
  for (auto _ : state) benchmark::DoNotOptimize(game.ScoreIfEndedNow());
  state.counters["figures"] = static_cast<double>(game.Figures().size());
}
BENCHMARK(RescoreFullBoard)->Unit(benchmark::kMicrosecond);

// Random games with the base set laid many times over: how cost grows. As the
// board grows a tile fits in ever more places, so each game is played with every
// placement looked at, and as the random player goes about it.
void ManyTiles(benchmark::State& state) {
  const bool each = state.range(1) != 0;
  const auto tiles = static_cast<std::size_t>(state.range(0));
  const Game start = NewGame(AllConfigs()[0], 2);
  std::uint64_t seed = 1;
  std::size_t bytes = 0;
  for (auto _ : state) {
    Game game = start;
    while (game.turns().size() + 1 < tiles) {
      RandomPlayer player(game, seed++);
      while (game.turns().size() + 1 < tiles) {
        const std::optional<Turn> turn = player.NextTurn(game);
        if (!turn) break;
        if (each) LookAtEach(player.placements());
        game.Apply(*turn);
      }
    }
    benchmark::DoNotOptimize(game.ScoreIfEndedNow());
    bytes = game.MemoryUsed();
  }
  state.counters["bytes"] = static_cast<double>(bytes);
  state.counters["tiles/s"] =
      benchmark::Counter(static_cast<double>(tiles), benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(ManyTiles)
    ->ArgsProduct({{72, 144, 288, 576, 1000}, {0, 1}})
    ->ArgNames({"tiles", "each"})
    ->Unit(benchmark::kMicrosecond);

// A game of every kind, the turn of the Ark and of the Gingerbread Man included.
void RandomGamesOfEveryKind(benchmark::State& state) {
  const GameConfig& config = AllConfigs()[static_cast<std::size_t>(state.range(0))];
  const Game start = NewGame(config, 3);
  std::uint64_t seed = 1;
  for (auto _ : state) {
    Game game = start;
    RandomPlayer player(game, seed++);
    while (const std::optional<Turn> turn = player.NextTurn(game)) game.Apply(*turn);
  }
  state.SetLabel(config.name);
}
BENCHMARK(RandomGamesOfEveryKind)
    ->DenseRange(0, static_cast<int>(AllConfigs().size()) - 1)
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace tilewarden::engine

BENCHMARK_MAIN();
