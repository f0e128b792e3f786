// Watches that are cut: every viewer is still told everything, once.
#include <chrono>
#include <cstdio>
#include <memory>
#include <random>
#include <thread>
#include <vector>

#include "grpcpp/create_channel.h"
#include "tests/evaluation/store_faults.h"
#include "tests/services/support/fault_hall.h"
#include "tests/services/support/temp_folder.h"

namespace tilewarden::services {

using std::chrono::milliseconds;

void Disconnects(const Settings& settings) {
  const TempFolder folder;
  EngineProcess engine(folder.path().string(), StoreOf(settings));
  engine.Start();
  Player player(EnginesOf({engine.address()}));
  player.Begin();
  std::atomic<int> left = settings.count, states = 0, events = 0, kept = 0;
  std::atomic<bool> played = false;
  // Turns come as long as watches are cut; no viewer needs a fresh state for so few.
  Beside playing([&] {
    for (int turn = 1; !player.over() && left > 0; ++turn) {
      player.PlayOne();
      while (left > 0 && settings.count - left < settings.count * turn / 60) {
        std::this_thread::sleep_for(milliseconds(1));
      }
    }
    while (left > 0) std::this_thread::sleep_for(milliseconds(20));
    played = true;
  });
  constexpr int kViewers = 16;
  std::vector<std::unique_ptr<Beside>> viewers;
  for (int v = 0; v < kViewers; ++v) {
    viewers.push_back(std::make_unique<Beside>([&, v] {
      std::mt19937 random(settings.seed + static_cast<unsigned>(v));
      Order order;
      bool last = false;
      while (!last) {
        last = played;
        // A connection of its own, which is cut.
        grpc::ChannelArguments arguments;
        arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
        const auto channel = grpc::CreateCustomChannel(
            engine.address(), grpc::InsecureChannelCredentials(), arguments);
        grpc::ClientContext context;
        v1::WatchGameRequest request;
        request.set_game_id(player.game());
        request.set_resume_after(order.sum().last);
        const auto stream = v1::GameService::NewStub(channel)->WatchGame(&context, request);
        std::thread cutter;
        if (!last) {
          cutter = std::thread([&context, wait = milliseconds(random() % 12)] {
            std::this_thread::sleep_for(wait);
            context.TryCancel();
          });
        }
        v1::WatchGameResponse message;
        while ((!last || order.sum().last < player.number()) && stream->Read(&message)) {
          order.Take(message);
        }
        if (last) context.TryCancel();
        if (cutter.joinable()) cutter.join();
        (void)stream->Finish();
        if (!last) --left;
      }
      const Order::Sum sum = order.sum();
      Require(sum.wrong.empty(), sum.wrong);
      Require(sum.last == player.number(), "a viewer was not told everything");
      states += sum.states;
      events += sum.events;
      ++kept;
    }));
  }
  playing.Join();
  for (const auto& viewer : viewers) viewer->Join();
  std::printf(
      "disconnects: %d watches cut, %d viewers, %d states and %d events received of %llu in "
      "the log: none lost, none twice\n",
      settings.count - left.load(), kept.load(), states.load(), events.load(),
      static_cast<unsigned long long>(player.number()));
}

}  // namespace tilewarden::services
