// Kills, cuts and takes away what games are kept with, and counts what is lost: of
// everything that was acknowledged, nothing, and nothing is there twice. Prints
// figures with their counts; exit status 1 when something was lost. Loopback only.
//
//   store_faults kills --store sqlite --count 500      kill -9 at random moments
//   store_faults kills --store postgres --count 500
//   store_faults takeovers --count 50                  kill -9 of the leader, another takes over
//   store_faults disconnects --count 10000             of watches, without a goodbye
//   store_faults powercuts --count 1000                below SQLite: writes torn, dropped,
//   reordered store_faults ioerrors --count 100000               each operation of the disk fails
//   once store_faults memory --count 100000                 each seventh allocation of SQLite fails
//   once store_faults away --seconds 30                     the database is stopped, then frozen
#include "tests/evaluation/store_faults.h"

#include <algorithm>
#include <cstdio>
#include <thread>

#include "CLI/CLI.hpp"
#include "tests/services/support/failing_memory.h"
#include "tests/services/support/fault_hall.h"
#include "tests/services/support/postgres_cluster.h"
#include "tests/services/support/power_cut_run.h"
#include "tests/services/support/store_failures.h"
#include "tests/services/support/temp_folder.h"

namespace tilewarden::services {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

bool InTime(const Settings& settings, Clock::time_point begun) {
  return SecondsSince(begun) < 60.0 * settings.minutes;
}

std::string Spread(std::vector<double> values) {
  if (values.empty()) return "none";
  std::sort(values.begin(), values.end());
  const auto at = [&](double share) {
    return values[std::min(values.size() - 1,
                           static_cast<std::size_t>(share * static_cast<double>(values.size())))];
  };
  char out[160];
  std::snprintf(out, sizeof out, "median %.2f s, 95 %% %.2f s, longest %.2f s of %zu", at(0.5),
                at(0.95), values.back(), values.size());
  return out;
}

void Kills(const Settings& settings) {
  const TempFolder folder;
  EngineProcess engine(folder.path().string(), StoreOf(settings));
  engine.Start();
  Player player(EnginesOf({engine.address()}));
  std::atomic<bool> stop = false;
  int games = 0;
  Beside playing([&] {
    do {
      player.Begin();
      ++games;
      while (!player.over() && !stop) player.PlayOne();
      player.CheckGame();
    } while (!stop);
  });
  std::mt19937 random(settings.seed);
  int kills = 0;
  const auto begun = Clock::now();
  while (kills < settings.count && InTime(settings, begun) && !playing.ended()) {
    std::this_thread::sleep_for(milliseconds(random() % 300));
    engine.Kill();
    const int before = player.acknowledged;
    // Now and then it has not begun to listen at the next kill; mostly it is at work, also where
    // the machine is busy and work begins late.
    if (++kills % 4 == 0) {
      engine.Begin();
      continue;
    }
    engine.Start();
    while (player.acknowledged == before && !playing.ended()) {
      std::this_thread::sleep_for(milliseconds(1));
    }
  }
  stop = true;
  playing.Join();
  std::printf(
      "%s: %d kills at random moments, %d games, %d acknowledged turns: none lost, none "
      "twice\n",
      settings.store.c_str(), kills, games, player.acknowledged.load());
}

void Takeovers(const Settings& settings) {
  const TempFolder folder;
  const std::string store = PostgresCluster::Shared().NewDatabase();
  std::vector<std::unique_ptr<EngineProcess>> engines;
  std::vector<std::string> addresses;
  for (const char* name : {"one", "two"}) {
    engines.push_back(std::make_unique<EngineProcess>((folder.path() / name).string(), store));
    engines.back()->Start();
    addresses.push_back(engines.back()->address());
  }
  struct Place {
    std::unique_ptr<Player> player;
    std::unique_ptr<Beside> playing;
    std::unique_ptr<Order> order;
    std::unique_ptr<Watching> watching;
    std::atomic<int> games = 0, watched = 0;
  };
  std::atomic<bool> stop = false;
  std::vector<std::unique_ptr<Place>> places;
  for (int t = 0; t < settings.tables; ++t) {
    Place& place = *places.emplace_back(std::make_unique<Place>());
    place.player = std::make_unique<Player>(EnginesOf(addresses));
    place.playing = std::make_unique<Beside>([&place, &stop, addresses] {
      do {
        place.player->Begin();
        ++place.games;
        Order order;
        {
          const Watching watching(EnginesOf(addresses), place.player->game(),
                                  [&](const auto& message) { order.Take(message); });
          while (!place.player->over() && !stop) {
            place.player->PlayOne();
            std::this_thread::sleep_for(milliseconds(20));
          }
          place.player->CheckGame();
          const auto begun = Clock::now();
          while (order.sum().last < place.player->number()) {
            Require(SecondsSince(begun) < 30, "a viewer was not told everything");
            std::this_thread::sleep_for(milliseconds(10));
          }
        }
        const Order::Sum sum = order.sum();
        Require(sum.wrong.empty(), sum.wrong);
        Require(sum.states == 1, "a viewer was given the state anew");
        place.watched += sum.events;
      } while (!stop);
    });
  }
  const auto ended = [&] {
    return std::any_of(places.begin(), places.end(),
                       [](const auto& place) { return place->playing->ended(); });
  };
  std::mt19937 random(settings.seed);
  std::vector<double> times;
  int kills = 0;
  std::size_t victim = 0;
  const auto begun = Clock::now();
  while (kills < settings.count && InTime(settings, begun) && !ended()) {
    std::this_thread::sleep_for(milliseconds(500 + random() % 1500));
    std::vector<int> before;
    for (const auto& place : places) before.push_back(place->player->acknowledged);
    engines[victim]->Kill();
    ++kills;
    const auto killed = Clock::now();
    for (std::size_t t = 0; t < places.size(); ++t) before[t] = places[t]->player->acknowledged;
    // Each table goes on; one acknowledgement may still have been under way.
    std::vector<bool> seen(places.size(), false);
    std::size_t went_on = 0;
    while (went_on < places.size() && SecondsSince(killed) < 60 && !ended()) {
      for (std::size_t t = 0; t < places.size(); ++t) {
        if (seen[t] || places[t]->player->acknowledged < before[t] + 2) continue;
        seen[t] = true;
        ++went_on;
        times.push_back(SecondsSince(killed));
      }
      std::this_thread::sleep_for(milliseconds(5));
    }
    engines[victim]->Start();
    victim = 1 - victim;
  }
  stop = true;
  int acknowledged = 0, games = 0, watched = 0;
  for (const auto& place : places) {
    place->playing->Join();
    acknowledged += place->player->acknowledged;
    games += place->games;
    watched += place->watched;
  }
  std::printf(
      "takeovers: %d kills of an engine service with %d tables playing, %d games, %d "
      "acknowledged turns and %d watched events: none lost, none twice\n",
      kills, settings.tables, games, acknowledged, watched);
  std::printf("  from the kill until a table goes on: %s\n", Spread(times).c_str());
  Require(*std::max_element(times.begin(), times.end()) < 60, "a table did not go on");
}

void PowerCutsOf(const Settings& settings) {
  const CutSum sum = RunPowerCuts(settings.count, settings.seed);
  Require(sum.wrong.empty(), sum.wrong);
  std::printf("sqlite: %d power cuts, %llu acknowledged changes before them: none lost\n", sum.cuts,
              static_cast<unsigned long long>(sum.told));
}

void Tell(const char* what, const FailureSum& sum) {
  Require(sum.wrong.empty(), sum.wrong);
  std::printf(
      "sqlite: %d %s failed, each once: %d changes or starts refused, none lost, none twice\n",
      sum.failures, what, sum.refused);
}

void IoErrors(const Settings& settings) {
  PowerCuts disk(settings.seed);
  Tell("operations of the disk", RunFailures([&](int in) { disk.FailIn(in); },
                                             [&] { return disk.has_failed(); }, 1, settings.count));
}

void Memory(const Settings& settings) {
  FailingMemory memory;
  Tell("allocations of SQLite",
       RunFailures([&](int in) { memory.FailIn(in); }, [&] { return memory.has_failed(); }, 7,
                   settings.count));
}

void Away(const Settings& settings) {
  const TempFolder folder;
  PostgresCluster& cluster = PostgresCluster::Shared();
  EngineProcess engine(folder.path().string(), cluster.NewDatabase());
  engine.Start();
  Player player(EnginesOf({engine.address()}));
  std::atomic<bool> stop = false;
  Beside playing([&] {
    do {
      player.Begin();
      while (!player.over() && !stop) {
        player.PlayOne();
        std::this_thread::sleep_for(milliseconds(50));
      }
      player.CheckGame();
    } while (!stop);
  });
  for (const bool frozen : {false, true}) {
    while (player.acknowledged < 5) std::this_thread::sleep_for(milliseconds(20));
    const int refused = player.unavailable;
    frozen ? cluster.Freeze(true) : cluster.Stop(SIGQUIT);
    std::this_thread::sleep_for(std::chrono::seconds(settings.seconds));
    frozen ? cluster.Freeze(false) : cluster.Start();
    const auto back = Clock::now();
    const int before = player.acknowledged;
    while (player.acknowledged < before + 2 && !playing.ended()) {
      std::this_thread::sleep_for(milliseconds(5));
    }
    std::printf(
        "database %s for %d s: %d answers UNAVAILABLE, play goes on %.2f s after its "
        "return\n",
        frozen ? "frozen" : "stopped", settings.seconds, player.unavailable - refused,
        SecondsSince(back));
  }
  stop = true;
  playing.Join();
  std::printf("  %d acknowledged turns: none lost, none twice\n", player.acknowledged.load());
}

}  // namespace
}  // namespace tilewarden::services

int main(int argc, char** argv) {
  using namespace tilewarden::services;
  setenv("TILEWARDEN_CONFIG", "", 1);
  Settings settings;
  CLI::App app{"Kills, cuts and takes away what games are kept with, and counts what is lost."};
  app.require_subcommand(1);
  const auto add = [&](const char* name, const char* what, void (*run)(const Settings&)) {
    CLI::App* command = app.add_subcommand(name, what);
    command->add_option("--store", settings.store)->check(CLI::IsMember({"sqlite", "postgres"}));
    command->add_option("--count", settings.count)->check(CLI::Range(1, 1'000'000));
    command->add_option("--minutes", settings.minutes, "After so many, the count is what it is")
        ->check(CLI::Range(1, 600));
    command->add_option("--seconds", settings.seconds)->check(CLI::Range(1, 600));
    command->add_option("--tables", settings.tables)->check(CLI::Range(1, 100));
    command->add_option("--seed", settings.seed);
    command->callback([&settings, run] { run(settings); });
  };
  add("kills", "kill -9 at random moments", Kills);
  add("takeovers", "kill -9 of the leader; another engine service takes over", Takeovers);
  add("disconnects", "watches that are cut", Disconnects);
  add("powercuts", "the power goes at any moment, and of what was not synced any part is there",
      PowerCutsOf);
  add("ioerrors", "each operation of the disk fails once", IoErrors);
  add("memory", "each seventh allocation of SQLite fails once", Memory);
  add("away", "the database is stopped, then frozen", Away);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "store_faults: %s\n", error.what());
    // Threads may still be at work.
    std::_Exit(1);
  }
  return 0;
}
