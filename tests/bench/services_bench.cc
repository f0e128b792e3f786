// What the engine service bears, as a table for people: it runs as a process of its
// own, and all its clients in this one, over loopback, bounded in count and time. Run
// on an otherwise idle machine.
//
//   services_bench unary            calls over TLS with a token, with 8 viewers
//   services_bench fan-out          an event to 32 viewers, then to 1,000
//   services_bench stalled          viewers that read nothing
//   services_bench tables           500 tables, each a sighting a second
//   services_bench idle             memory of games that nobody plays
//   services_bench tokens           right and wrong tokens: as long, wherever they differ
#include <cmath>
#include <functional>
#include <thread>

#include "CLI/CLI.hpp"
#include "services/access/certificate.h"
#include "services/access/token_file.h"
#include "services/channel.h"
#include "services/child_process.h"
#include "services/reporter.h"
#include "services/table.h"
#include "tests/bench/services_load.h"
#include "tests/services/played_game.h"
#include "tests/services/temp_folder.h"
#include "tilewarden/v1/access.grpc.pb.h"
#include "tilewarden/v1/vision.grpc.pb.h"

namespace tilewarden::services {
namespace {

using std::chrono::milliseconds;

struct Settings {
  int seconds = 10, tables = 500, games = 200;
};

[[noreturn]] void Fail(const std::string& what) {
  std::fprintf(stderr, "services_bench: %s\n", what.c_str());
  std::_Exit(1);
}
void Require(const grpc::Status& status) {
  if (!status.ok()) Fail(status.error_message());
}

// An engine service, and a game there that is played by hand.
class Bench {
 public:
  explicit Bench(bool tls) {
    auto process =
        ChildProcess::Start({TILEWARDEN_PROGRAM, "engine", "--listen",
                             tls ? "0.0.0.0:0" : "127.0.0.1:0", "--data", folder_.path().string()});
    if (!process.ok()) Fail("the engine service cannot be started");
    process_ = std::make_unique<ChildProcess>(*std::move(process));
    const auto line = process_->ReadLine();
    if (!line) Fail("the engine service did not start");
    const auto end = line->find(',');
    address_ = "127.0.0.1" + line->substr(line->rfind(':', end), end - line->rfind(':', end));
    if (!tls) return;
    fingerprint_ = *FingerprintAt(address_);
    const auto tokens = *TokenFile::Open(folder_.path() / TokenFile::kFile);
    token_ = *tokens->Make({v1::ROLE_REFEREE, ""}, "", 1, NowMs());
  }

  // A connection of its own.
  std::shared_ptr<grpc::Channel> Connect() const {
    return ChannelTo(address_, {.fingerprint = fingerprint_});
  }
  const std::string& token() const { return token_; }
  pid_t process() const { return process_->pid(); }
  void Prepare(grpc::ClientContext* context) const {
    if (!token_.empty()) context->AddMetadata("authorization", "Bearer " + token_);
  }

  std::string NewGame(v1::GameService::Stub* games) const {
    v1::CreateGameRequest request;
    request.set_request_id(RandomId());
    request.set_tile_set("base.c1");
    request.set_place_start_tile(true);
    for (const char* colour : {"red", "blue"}) request.add_players()->set_colour(colour);
    v1::CreateGameResponse response;
    grpc::ClientContext context;
    Prepare(&context);
    Require(games->CreateGame(&context, request, &response));
    return response.state().game_id();
  }
  void Play(v1::GameService::Stub* games, const std::string& game, const v1::Turn& turn) const {
    v1::PlayTurnRequest request;
    request.set_request_id(RandomId());
    request.set_game_id(game);
    *request.mutable_turn() = turn;
    v1::PlayTurnResponse response;
    grpc::ClientContext context;
    Prepare(&context);
    Require(games->PlayTurn(&context, request, &response));
    if (!response.has_event()) Fail("a legal turn was refused");
  }
  // One game from its first turn on, an event each; `each` is told its number.
  void PlayGame(const std::string& game, int turns, milliseconds between, Receipts* receipts,
                Times* calls, int viewers) {
    const auto games = v1::GameService::NewStub(Connect());
    std::uint64_t number = 1;
    for (const v1::Turn& turn : SomeTurns(turns)) {
      ++number;
      if (receipts != nullptr) receipts->Asked(number);
      const auto begun = BenchClock::now();
      Play(games.get(), game, turn);
      if (calls != nullptr) calls->Add(MsSince(begun));
      if (receipts != nullptr && !receipts->WaitFor(number, viewers)) Fail("a viewer missed one");
      std::this_thread::sleep_for(between);
    }
  }

 private:
  TempFolder folder_;
  std::string address_, fingerprint_, token_;
  std::unique_ptr<ChildProcess> process_;
};

std::vector<std::unique_ptr<BenchViewer>> Watch(const Bench& bench, const std::string& game,
                                                int viewers, int connections, Receipts* receipts) {
  std::vector<std::shared_ptr<grpc::Channel>> channels;
  for (int c = 0; c < connections; ++c) {
    // One handshake after another: they are not what is measured.
    const auto limit = std::chrono::system_clock::now() + std::chrono::seconds(20);
    if (!channels.emplace_back(bench.Connect())->WaitForConnected(limit)) Fail("no connection");
  }
  std::vector<std::unique_ptr<BenchViewer>> watching;
  for (int v = 0; v < viewers; ++v) {
    watching.push_back(std::make_unique<BenchViewer>(
        channels[static_cast<std::size_t>(v % connections)], bench.token(), game, receipts));
  }
  for (const auto& viewer : watching) viewer->WaitForState();
  return watching;
}

void Unary(const Settings& settings) {
  Bench bench(true);
  const auto games = v1::GameService::NewStub(bench.Connect());
  const auto queries = v1::AccessService::NewStub(bench.Connect());
  const std::string game = bench.NewGame(games.get());
  const auto viewers = Watch(bench, game, 8, 8, nullptr);
  Times small, state, played;
  const auto end = BenchClock::now() + std::chrono::seconds(settings.seconds);
  std::thread playing(
      [&] { bench.PlayGame(game, 60, milliseconds(settings.seconds * 15), nullptr, &played, 0); });
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
  small.Print("TLS and token, 8 viewers: a small call (GetAccess)");
  state.Print("TLS and token, 8 viewers: a whole state (GetGame)");
  played.Print("TLS and token, 8 viewers: a turn, on the disk (PlayTurn)");
}

void FanOut(const Settings&) {
  for (const auto& [viewers, connections] : {std::pair{32, 32}, {1000, 100}}) {
    Bench bench(true);
    const auto games = v1::GameService::NewStub(bench.Connect());
    Times calls;
    Receipts receipts;
    const std::string game = bench.NewGame(games.get());
    const auto watching = Watch(bench, game, viewers, connections, &receipts);
    bench.PlayGame(game, 60, milliseconds(50), &receipts, &calls, viewers);
    calls.Print("TLS: a turn from request to answer, disk included");
    receipts.times.Print("  and to each of " + std::to_string(viewers) +
                         " viewers, from the request on");
  }
}

void Stalled(const Settings&) {
  for (const bool stalls : {false, true}) {
    Bench bench(false);
    const auto games = v1::GameService::NewStub(bench.Connect());
    Receipts receipts;
    const std::string game = bench.NewGame(games.get());
    constexpr int kStalled = 20;
    std::vector<std::unique_ptr<BenchViewer>> asleep;
    const auto watching = Watch(bench, game, 8, 8, &receipts);
    for (int i = 0; stalls && i < kStalled; ++i) {
      asleep.push_back(std::make_unique<BenchViewer>(bench.Connect(), "", game, nullptr, true));
      asleep.back()->WaitForState();
    }
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
    receipts.times.Print(stalls ? "8 viewers beside 20 that read nothing: request to receipt"
                                : "8 viewers alone: request to receipt");
    std::printf("  memory of the service grew by %.0f KiB\n",
                ResidentKiB(bench.process()) - before);
  }
}

// The board of these turns as a camera sees it.
v1::Sighting Seen(std::uint64_t sequence, const std::vector<v1::Turn>& turns, std::size_t laid) {
  v1::Sighting sighting;
  sighting.set_sequence(sequence);
  sighting.set_time_ms(static_cast<std::int64_t>(sequence) * 1000);
  sighting.set_settled(true);
  const auto add = [&](const std::string& tile, int x, int y, unsigned rotation) {
    v1::SightedTile* seen = sighting.add_tiles();
    seen->mutable_cell()->set_x(x);
    seen->mutable_cell()->set_y(y);
    v1::TileCandidate* candidate = seen->add_candidates();
    candidate->set_tile(tile);
    candidate->set_rotation(rotation);
    candidate->set_probability(0.99);
  };
  add("B.D", 0, 0, 0);
  for (std::size_t i = 0; i < laid; ++i) {
    add(turns[i].tile(), turns[i].cell().x(), turns[i].cell().y(), turns[i].rotation());
  }
  return sighting;
}

void Tables(const Settings& settings) {
  Bench bench(false);
  constexpr int kThreads = 16;
  const auto turns = SomeTurns(40);
  Times times;
  std::atomic<int> sent = 0;
  std::vector<std::thread> threads;
  const auto start = BenchClock::now() + std::chrono::seconds(20);
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      const auto channel = bench.Connect();
      const auto games = v1::GameService::NewStub(channel);
      const auto sightings = v1::SightingService::NewStub(channel);
      std::vector<std::pair<int, std::string>> tables;
      for (int table = t; table < settings.tables; table += kThreads) {
        tables.emplace_back(table, bench.NewGame(games.get()));
      }
      for (int second = 0; second < settings.seconds; ++second) {
        for (const auto& [table, game] : tables) {
          // Each at its own moment of the second; late is late, whoever is to blame.
          const auto due = start + std::chrono::seconds(second) +
                           std::chrono::microseconds(1'000'000LL * table / settings.tables);
          std::this_thread::sleep_until(due);
          v1::ReportSightingsRequest request;
          request.set_game_id(game);
          request.set_session("camera of " + game);
          *request.mutable_sighting() =
              Seen(static_cast<std::uint64_t>(second + 1), turns,
                   10 + static_cast<std::size_t>(second + table) / 10 % 30);
          v1::ReportSightingsResponse response;
          grpc::ClientContext context;
          const auto stream = sightings->ReportSightings(&context, &response);
          stream->Write(request);
          stream->WritesDone();
          Require(stream->Finish());
          times.Add(MsSince(due));
          ++sent;
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  times.Print(std::to_string(settings.tables) + " tables, a sighting a second, judged");
  std::printf("  %d sightings in %d s; the service holds %.0f MiB\n", sent.load(), settings.seconds,
              ResidentKiB(bench.process()) / 1024);
}

void Idle(const Settings& settings) {
  Bench bench(false);
  const auto games = v1::GameService::NewStub(bench.Connect());
  const auto turns = SomeTurns(40);
  const auto fill = [&](int count) {
    for (int g = 0; g < count; ++g) {
      const std::string game = bench.NewGame(games.get());
      for (const v1::Turn& turn : turns) bench.Play(games.get(), game, turn);
    }
  };
  fill(10);  // what is needed once
  const double before = ResidentKiB(bench.process());
  fill(settings.games);
  const auto tell = [&](const char* when) {
    std::printf("an idle game after 40 turns, %s: %.1f KiB (mean of %d)\n", when,
                (ResidentKiB(bench.process()) - before) / settings.games, settings.games);
    std::fflush(stdout);
  };
  tell("at once");
  std::this_thread::sleep_for(std::chrono::seconds(65));
  tell("once nobody has asked for it for a minute");
}

void Tokens(const Settings&) {
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
  Settings settings;
  CLI::App app{"What the engine service bears."};
  app.require_subcommand(1);
  const auto add = [&](const char* name, const char* what, void (*run)(const Settings&)) {
    CLI::App* command = app.add_subcommand(name, what);
    command->add_option("--seconds", settings.seconds)->check(CLI::Range(1, 300));
    command->add_option("--tables", settings.tables)->check(CLI::Range(1, 2000));
    command->add_option("--games", settings.games)->check(CLI::Range(1, 5000));
    command->callback([&settings, run] { run(settings); });
  };
  add("unary", "calls over TLS with a token, with 8 viewers", Unary);
  add("fan-out", "an event to 32 viewers, then to 1,000", FanOut);
  add("stalled", "viewers that read nothing", Stalled);
  add("tables", "tables that each send a sighting a second", Tables);
  add("idle", "memory of games that nobody plays", Idle);
  add("tokens", "how long right and wrong tokens take", Tokens);
  CLI11_PARSE(app, argc, argv);
  return 0;
}
