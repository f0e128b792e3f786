// How fast the rules are. Run one core, nothing else:
//   build/release/bin/engine_bench
#include <random>

#include "benchmark/benchmark.h"
#include "engine/stack.h"
#include "tests/engine/random_game.h"

namespace tilewarden::engine {
namespace {

// Whole random two-player base games with farmers and final scoring; the legal
// placements and deployments are enumerated each turn.
void RandomBaseGames(benchmark::State& state) {
  const Game start = NewGame(AllConfigs()[0], 2);
  std::uint64_t seed = 1;
  for (auto _ : state) {
    Game game = start;
    RandomPlayer player(game, seed++);
    while (const std::optional<Turn> turn = player.NextTurn(game)) game.Apply(*turn);
    benchmark::DoNotOptimize(game.ScoreIfEndedNow());
  }
  state.SetItemsProcessed(state.iterations());
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

// Random games with the base set laid many times over: how cost grows.
void ManyTiles(benchmark::State& state) {
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
BENCHMARK(ManyTiles)->Arg(72)->Arg(144)->Arg(288)->Arg(576)->Arg(1000)->Unit(
    benchmark::kMicrosecond);

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
