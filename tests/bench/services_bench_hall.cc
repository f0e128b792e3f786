// The benchmarks of services_bench with many tables, and with those who are told of them.
#include <csignal>
#include <deque>
#include <functional>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "nlohmann/json.hpp"
#include "tests/bench/bench_engine.h"
#include "tests/services/support/hook_receiver.h"
#include "tests/services/support/mqtt_broker.h"
#include "tilewarden/v1/vision.grpc.pb.h"

namespace tilewarden::services {
namespace {

using std::chrono::milliseconds;

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

// A game in its middle, and its camera.
struct BenchTable {
  std::string game;
  std::size_t laid = 0;  // tiles by hand, before the cameras look
};

// Sixteen people lay ten to forty tiles on each table.
std::vector<BenchTable> LayTables(const BenchEngine& bench, int count,
                                  const std::vector<v1::Turn>& turns) {
  constexpr int kPeople = 16;
  std::vector<BenchTable> tables(static_cast<std::size_t>(count));
  std::vector<std::thread> people;
  for (std::size_t p = 0; p < kPeople; ++p) {
    people.emplace_back([&, p] {
      const auto games = v1::GameService::NewStub(bench.Connect());
      for (std::size_t t = p; t < tables.size(); t += kPeople) {
        tables[t] = {bench.NewGame(games.get()), 10 + t % 30};
        for (std::size_t i = 0; i < tables[t].laid; ++i) {
          bench.Play(games.get(), tables[t].game, turns[i]);
        }
      }
    });
  }
  for (std::thread& person : people) person.join();
  return tables;
}

// A sighting on its way: a stream of one message, which on the wire is any call.
struct OneSighting : BenchQueue::Waiter {
  void Happened(bool well) override {
    if (!well || !status.ok()) Fail("a sighting was refused: " + status.error_message());
    times->Add(MsSince(due));
    delete this;
  }
  Times* times = nullptr;
  BenchClock::time_point due;
  grpc::ClientContext context;
  grpc::ByteBuffer answer;
  grpc::Status status;
  std::unique_ptr<grpc::GenericClientAsyncResponseReader> call;
};

}  // namespace

void BenchTables(const BenchSettings& settings) {
  for (const LogIn log : {LogIn::kDisk, LogIn::kMemory}) {
    const BenchEngine bench(false, log);
    auto turns = SomeTurns(60);
    // The sightings show no figures.
    for (v1::Turn& turn : turns) turn.clear_deployment();
    const auto begun = BenchClock::now();
    const auto tables = LayTables(bench, settings.tables, turns);
    const double laying_s = MsSince(begun) / 1000;
    std::vector<std::unique_ptr<grpc::GenericStub>> cameras;
    for (const auto& channel : bench.Connect(std::min(settings.tables, 100))) {
      cameras.push_back(std::make_unique<grpc::GenericStub>(channel));
    }
    Times times;
    BenchQueue queue;
    const double service = ProcessorMs(bench.process()), clients = ProcessorMs(getpid());
    const auto start = BenchClock::now() + milliseconds(500);
    for (int second = 0; second < settings.seconds; ++second) {
      for (std::size_t t = 0; t < tables.size(); ++t) {
        // A new tile lies every ten seconds, here at another second than there.
        v1::ReportSightingsRequest request;
        request.set_game_id(tables[t].game);
        request.set_session("camera of " + tables[t].game);
        *request.mutable_sighting() =
            Seen(static_cast<std::uint64_t>(second + 1), turns,
                 tables[t].laid + (static_cast<std::size_t>(second) + t % 10) / 10);
        const grpc::Slice bytes(request.SerializeAsString());
        const grpc::ByteBuffer message(&bytes, 1);
        // Each at its own moment of the second; late is late, whoever is to blame.
        auto sighting = std::make_unique<OneSighting>();
        sighting->times = &times;
        sighting->due =
            start + std::chrono::seconds(second) +
            std::chrono::microseconds(1'000'000LL * static_cast<long long>(t) / settings.tables);
        queue.RunUntil(sighting->due);
        OneSighting* const under_way = sighting.release();
        under_way->call = cameras[t % cameras.size()]->PrepareUnaryCall(
            &under_way->context, "/tilewarden.v1.SightingService/ReportSightings", message,
            queue.get());
        under_way->call->StartCall();
        under_way->call->Finish(&under_way->answer, &under_way->status, under_way);
      }
    }
    const std::size_t all = tables.size() * static_cast<std::size_t>(settings.seconds);
    while (times.count() < all) queue.RunUntil(BenchClock::now() + milliseconds(20));
    const double share = 10.0 * settings.seconds;
    const double service_share = (ProcessorMs(bench.process()) - service) / share;
    const double clients_share = (ProcessorMs(getpid()) - clients) / share;
    // That they were not just refused in silence.
    std::size_t seen = 0;
    const auto games = v1::GameService::NewStub(bench.Connect());
    for (const BenchTable& table : tables) {
      v1::GetGameRequest request;
      request.set_game_id(table.game);
      v1::GetGameResponse response;
      grpc::ClientContext context;
      Require(games->GetGame(&context, request, &response));
      seen += response.state().turn() - table.laid;
    }
    std::printf("%d tables with 10 to 40 tiles, a sighting a second, %d s, log %s\n",
                settings.tables, settings.seconds,
                log == LogIn::kDisk ? "on the disk" : "in memory");
    times.Print("  from when it is due until it is judged, what it changes durable");
    std::printf(
        "  %zu turns concluded; processor: service %.0f %%, clients %.0f %% of one core; the "
        "service holds %.0f MiB; the tiles before were laid in %.0f s\n",
        seen, service_share, clients_share, ResidentKiB(bench.process()) / 1024, laying_s);
  }
}

namespace {

enum class Others { kNone, kWell, kFrozen };

void Publish(Others others) {
  const TempFolder folder;
  const int port = FreePort();
  std::unique_ptr<MqttBrokerProcess> broker;
  std::unique_ptr<MqttListener> listener;
  std::mutex mutex;
  std::map<std::uint64_t, BenchClock::time_point> posted;
  HookReceiver receiver([&](const HookReceiver::Post& post, int) {
    if (others == Others::kFrozen) return HookReceiver::kHang;
    const std::lock_guard lock(mutex);
    posted.try_emplace(post.message["number"], BenchClock::now());
    return 200;
  });
  std::vector<std::string> more;
  if (others != Others::kNone) {
    broker = std::make_unique<MqttBrokerProcess>(folder.path(), port);
    more = {"--mqtt",           absl::StrCat("mqtt://127.0.0.1:", port),
            "--webhook",        receiver.url(),
            "--webhook-secret", "0123456789abcdef0123456789abcdef"};
  }
  const BenchEngine bench(false, LogIn::kDisk, more);
  if (others == Others::kWell) listener = std::make_unique<MqttListener>(port);
  const auto games = v1::GameService::NewStub(bench.Connect());
  Times receipts, calls, hooks, shown;
  Receipts viewers_had(&receipts);
  const std::string game = bench.NewGame(games.get(), "Bench");
  const BenchViewers viewers(bench.Connect(8), "", game, 8, &viewers_had);
  if (others == Others::kFrozen) {
    // It has taken the connection, and the game's beginning.
    std::this_thread::sleep_for(std::chrono::seconds(1));
    kill(broker->pid(), SIGSTOP);
  }
  const double before = ResidentKiB(bench.process());
  std::uint64_t number = 1;
  for (const v1::Turn& turn : SomeTurns(60)) {
    viewers_had.Asked(++number);
    const auto begun = BenchClock::now();
    bench.Play(games.get(), game, turn);
    calls.Add(MsSince(begun));
    if (!viewers_had.WaitFor(number, 8)) Fail("a viewer missed one");
    if (others != Others::kWell) {
      std::this_thread::sleep_for(milliseconds(20));
      continue;
    }
    for (bool hooked = false, seen = false; !hooked || !seen;) {
      if (MsSince(begun) > 20'000) Fail("somebody was not told");
      const auto state =
          nlohmann::json::parse(listener->At("tilewarden/table/Bench/state"), nullptr, false);
      if (!seen && state.is_object() && state["event_number"] == number) {
        seen = true;
        shown.Add(MsSince(begun));
      }
      const std::lock_guard lock(mutex);
      if (const auto found = posted.find(number); !hooked && found != posted.end()) {
        hooked = true;
        hooks.Add(std::chrono::duration<double, std::milli>(found->second - begun).count());
      }
      std::this_thread::sleep_for(milliseconds(1));
    }
  }
  std::printf("%s\n", others == Others::kNone   ? "nobody else is told"
                      : others == Others::kWell ? "a broker and a receiver that are well"
                                                : "a broker that is frozen, a receiver that hangs");
  calls.Print("  a turn from request to answer, disk included");
  receipts.Print("  to each of 8 viewers");
  if (others == Others::kWell) {
    hooks.Print("  to the webhook's receiver");
    shown.Print("  to whoever listens at the broker");
  }
  std::printf("  memory of the service grew by %.0f KiB\n", ResidentKiB(bench.process()) - before);
  if (others == Others::kFrozen) kill(broker->pid(), SIGCONT);
}

}  // namespace

void BenchPublishing(const BenchSettings&) {
  for (const Others others : {Others::kNone, Others::kWell, Others::kFrozen}) Publish(others);
}

}  // namespace tilewarden::services
