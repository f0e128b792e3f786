// What the engine service bears, as a table for people: it runs as a process of its
// own, and all its clients in this one, over loopback, bounded in count and time. Run
// on an otherwise idle machine.
//
//   services_bench unary            calls over TLS with a token, with 8 viewers
//   services_bench fan-out          an event to 32 viewers, then to 1,000
//   services_bench stalled          viewers that read nothing
//   services_bench tables           500 tables, each a sighting a second
//   services_bench publish          a broker and a receiver that are well, slow or frozen
//   services_bench idle             memory of games that nobody plays
//   services_bench attack           a game through the front while somebody without a token attacks
//   services_bench players          figures of everybody who played 1,000 games, and one deleted
//   services_bench tokens           right and wrong tokens: as long, wherever they differ
//
// Where a change is made, the disk must have it before anybody hears of it. What the disk takes
// is the disk's: those figures are taken twice, the second time with the log in memory.
#include <cmath>
#include <functional>
#include <thread>

#include "CLI/CLI.hpp"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "services/base/clock.h"
#include "tests/bench/bench_engine.h"
#include "tilewarden/v1/access.grpc.pb.h"
#include "tilewarden/v1/players.grpc.pb.h"

namespace tilewarden::services {
namespace {

using std::chrono::milliseconds;

void Unary(const BenchSettings& settings) {
  for (const LogIn log : {LogIn::kDisk, LogIn::kMemory}) {
    const BenchEngine bench(true, log);
    const auto games = v1::GameService::NewStub(bench.Connect());
    const auto queries = v1::AccessService::NewStub(bench.Connect());
    const std::string game = bench.NewGame(games.get());
    const BenchViewers viewers(bench.Connect(8), bench.token(), game, 8, nullptr);
    Times small, state, played;
    const auto end = BenchClock::now() + std::chrono::seconds(settings.seconds);
    std::thread playing([&] {
      bench.PlayGame(game, 60, milliseconds(settings.seconds * 15), nullptr, &played, 0);
    });
    while (BenchClock::now() < end) {
      {
        grpc::ClientContext context;
        bench.Prepare(&context);
        v1::GetAccessResponse response;
        const auto begun = BenchClock::now();
        Require(queries->GetAccess(&context, {}, &response));
        small.Add(MsSince(begun));
      }
      grpc::ClientContext context;
      bench.Prepare(&context);
      v1::GetGameRequest request;
      request.set_game_id(game);
      v1::GetGameResponse response;
      const auto begun = BenchClock::now();
      Require(games->GetGame(&context, request, &response));
      state.Add(MsSince(begun));
      std::this_thread::sleep_for(milliseconds(1));
    }
    playing.join();
    std::printf("TLS and token, 8 viewers, a turn every %d ms, log %s\n", settings.seconds * 15,
                log == LogIn::kDisk ? "on the disk" : "in memory");
    small.Print("  a small call (GetAccess)");
    state.Print("  a whole state (GetGame)");
    played.Print("  a turn, durable (PlayTurn)");
  }
}

void FanOut(const BenchSettings& settings) {
  struct Size {
    int viewers, connections, games;
  };
  for (const Size& size : {Size{32, 32, 6}, Size{1000, 100, 1}}) {
    for (const LogIn log : {LogIn::kDisk, LogIn::kMemory}) {
      const BenchEngine bench(true, log);
      const auto games = v1::GameService::NewStub(bench.Connect());
      const auto channels = bench.Connect(size.connections);
      Times calls;
      Times receipts;
      double service_ms = 0, clients_ms = 0;
      const int rounds = settings.games > 0 ? settings.games : size.games;
      for (int g = 0; g < rounds; ++g) {
        Receipts game_receipts(&receipts);
        const std::string game = bench.NewGame(games.get());
        const BenchViewers viewers(channels, bench.token(), game, size.viewers, &game_receipts);
        const double service = ProcessorMs(bench.process()), clients = ProcessorMs(getpid());
        bench.PlayGame(game, 60, milliseconds(50), &game_receipts, &calls, size.viewers);
        service_ms += ProcessorMs(bench.process()) - service;
        clients_ms += ProcessorMs(getpid()) - clients;
      }
      std::printf("TLS, %d viewers on %d connections, log %s\n", size.viewers, size.connections,
                  log == LogIn::kDisk ? "on the disk" : "in memory");
      calls.Print("  a turn from request to answer");
      receipts.Print(log == LogIn::kDisk
                         ? "  to each viewer, from the request on, disk included"
                         : "  to each viewer, from the request on: event to receipt at most");
      std::printf("  processor for each turn: service %.1f ms, clients %.1f ms\n",
                  service_ms / (60 * rounds), clients_ms / (60 * rounds));
    }
  }
}

void Stalled(const BenchSettings&) {
  for (const bool stalls : {false, true}) {
    const BenchEngine bench(false);
    const auto games = v1::GameService::NewStub(bench.Connect());
    Times times;
    Receipts receipts(&times);
    const std::string game = bench.NewGame(games.get());
    constexpr int kStalled = 20;
    const BenchViewers watching(bench.Connect(8), "", game, 8, &receipts);
    const double before_they_came = ResidentKiB(bench.process());
    const BenchViewers asleep(bench.Connect(kStalled), "", game, stalls ? kStalled : 0, nullptr,
                              true);
    const double before = ResidentKiB(bench.process());
    bench.PlayGame(game, 60, milliseconds(10), &receipts, nullptr, 8);
    // Corrections tell the whole state each: much more than a connection holds.
    for (int i = 0; i < 200; ++i) {
      v1::ChangePointsRequest request;
      request.set_request_id(RandomId());
      request.set_game_id(game);
      request.mutable_change()->set_colour("red");
      request.mutable_change()->set_points(i % 2 == 0 ? 1 : -1);
      request.mutable_change()->set_reason("bench");
      v1::ChangePointsResponse response;
      grpc::ClientContext context;
      const std::uint64_t number = static_cast<std::uint64_t>(62 + i);
      receipts.Asked(number);
      Require(games->ChangePoints(&context, request, &response));
      if (!receipts.WaitFor(number, 8)) Fail("a viewer was held up");
    }
    times.Print(stalls ? "8 viewers beside 20 that read nothing: request to receipt"
                       : "8 viewers alone: request to receipt");
    std::printf("  memory of the service grew by %.0f KiB meanwhile, by %.0f when they came\n",
                ResidentKiB(bench.process()) - before, before - before_they_came);
  }
}

void Idle(const BenchSettings& settings) {
  const BenchEngine bench(false);
  const auto games = v1::GameService::NewStub(bench.Connect());
  const auto turns = SomeTurns(40);
  const auto fill = [&](int count) {
    for (int g = 0; g < count; ++g) {
      const std::string game = bench.NewGame(games.get());
      for (const v1::Turn& turn : turns) bench.Play(games.get(), game, turn);
    }
  };
  const int count = settings.games > 0 ? settings.games : 200;
  fill(10);  // what is needed once
  const double before = ResidentKiB(bench.process());
  fill(count);
  const auto tell = [&](const char* when) {
    std::printf("an idle game after 40 turns, %s: %.1f KiB (mean of %d)\n", when,
                (ResidentKiB(bench.process()) - before) / count, count);
    std::fflush(stdout);
  };
  tell("at once");
  std::this_thread::sleep_for(std::chrono::seconds(65));
  tell("once nobody has asked for it for a minute");
}

// Twenty people, two to a game, 40 turns each.
void Players(const BenchSettings& settings) {
  const BenchEngine bench(false);
  const auto channel = bench.Connect();
  const auto games = v1::GameService::NewStub(channel);
  const auto players = v1::PlayerService::NewStub(channel);
  const auto turns = SomeTurns(40);
  const int count = settings.games > 0 ? settings.games : 1000;
  constexpr int kPeople = 20;
  const auto person = [](int i) { return absl::StrCat("Player ", i % kPeople + 1); };
  for (int g = 0; g < count; ++g) {
    const std::string game =
        bench.NewGame(games.get(), "", {person(g), person(g / kPeople + g + 1)});
    for (const v1::Turn& turn : turns) bench.Play(games.get(), game, turn);
    v1::EndGameRequest request;
    request.set_request_id(RandomId());
    request.set_game_id(game);
    v1::EndGameResponse response;
    grpc::ClientContext context;
    Require(games->EndGame(&context, request, &response));
    if (g % 100 == 99) std::fprintf(stderr, "%d of %d games played\n", g + 1, count);
  }
  Times listed;
  for (int i = 0; i < 50; ++i) {
    v1::ListPlayersResponse response;
    grpc::ClientContext context;
    const auto begun = BenchClock::now();
    Require(players->ListPlayers(&context, {}, &response));
    listed.Add(MsSince(begun));
    if (response.players_size() != kPeople) Fail("somebody is missing");
  }
  std::printf("%d games of %d people\n", count, kPeople);
  listed.Print("  everybody's figures (ListPlayers)");
  v1::DeletePlayerRequest request;
  request.set_name(person(0));
  v1::DeletePlayerResponse response;
  grpc::ClientContext context;
  const auto begun = BenchClock::now();
  Require(players->DeletePlayer(&context, request, &response));
  std::printf("  one of them deleted, from %u games: %.0f ms\n", response.games(), MsSince(begun));
}

void Tokens(const BenchSettings&) {
  const TempFolder folder;
  const auto tokens = *TokenFile::Open(folder.path() / TokenFile::kFile);
  const std::string right = *tokens->Make({v1::ROLE_DISPLAY, ""}, "", 1, NowMs());
  const auto altered = [&](std::size_t at) {
    std::string token = right;
    token[at] = token[at] == 'A' ? 'B' : 'A';
    return token;
  };
  // Of the secret: tw_, ten symbols of the id and another _ stand before it.
  const std::vector<std::pair<const char*, std::string>> cases = {
      {"wrong from the first symbol of the secret on", altered(14)},
      {"wrong in the last symbol alone", altered(right.size() - 2)},
      {"no such id", altered(5)}};
  constexpr int kRounds = 20'000;
  std::vector<std::vector<double>> us(cases.size());
  for (int round = 0; round < kRounds; ++round) {
    for (std::size_t c = 0; c < cases.size(); ++c) {
      const std::size_t which = (c + static_cast<std::size_t>(round)) % cases.size();
      const auto begun = BenchClock::now();
      const auto verdict = tokens->Check(cases[which].second, NowMs());
      us[which].push_back(MsSince(begun) * 1000);
      if (!verdict.ok() || verdict->is == TokenFile::Verdict::kGood) Fail("a wrong token is good");
    }
  }
  std::vector<double> mean, variance;
  for (std::size_t c = 0; c < cases.size(); ++c) {
    // Without the slowest tenth: the machine's doing, not the token's.
    std::sort(us[c].begin(), us[c].end());
    us[c].resize(us[c].size() * 9 / 10);
    double sum = 0, squares = 0;
    for (const double v : us[c]) sum += v;
    mean.push_back(sum / static_cast<double>(us[c].size()));
    for (const double v : us[c]) squares += (v - mean[c]) * (v - mean[c]);
    variance.push_back(squares / static_cast<double>(us[c].size()));
    std::printf("%-58s mean %.3f us of %zu\n", cases[c].first, mean[c], us[c].size());
  }
  const auto n = static_cast<double>(us[0].size());
  std::printf("first against last symbol: %.1f ns apart, t = %.1f (4.5 and more would tell)\n",
              (mean[0] - mean[1]) * 1000,
              (mean[0] - mean[1]) / std::sqrt((variance[0] + variance[1]) / n));
}

}  // namespace
}  // namespace tilewarden::services

int main(int argc, char** argv) {
  using namespace tilewarden::services;
  setenv("TILEWARDEN_CONFIG", "", 1);
  absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);  // as the program itself
  BenchSettings settings;
  CLI::App app{"What the engine service bears."};
  app.require_subcommand(1);
  const auto add = [&](const char* name, const char* what, void (*run)(const BenchSettings&)) {
    CLI::App* command = app.add_subcommand(name, what);
    command->add_option("--seconds", settings.seconds)->check(CLI::Range(1, 300));
    command->add_option("--tables", settings.tables)->check(CLI::Range(1, 2000));
    command->add_option("--games", settings.games, "else as many as fit")
        ->check(CLI::Range(1, 5000));
    command
        ->add_option("--slowest", settings.slowest_ms, "attack: milliseconds that a turn may take")
        ->check(CLI::Range(1, 60'000));
    command->callback([&settings, run] { run(settings); });
  };
  add("unary", "calls over TLS with a token, with 8 viewers", Unary);
  add("fan-out", "an event to 32 viewers, then to 1,000", FanOut);
  add("stalled", "viewers that read nothing", Stalled);
  add("tables", "tables that each send a sighting a second", BenchTables);
  add("publish", "a broker and a receiver that are well, slow or frozen", BenchPublishing);
  add("attack", "a game through the front while somebody without a token attacks", BenchAttack);
  add("idle", "memory of games that nobody plays", Idle);
  add("players", "figures of everybody who played 1,000 games, and one of them deleted", Players);
  add("tokens", "how long right and wrong tokens take", Tokens);
  CLI11_PARSE(app, argc, argv);
  return 0;
}
