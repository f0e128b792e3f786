// Engine services as processes, to be killed, and who plays and watches there. For
// tests/evaluation/store_faults.cc.
#pragma once

#include <atomic>
#include <chrono>
#include <csignal>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "services/base/child_process.h"
#include "services/camera/reporter.h"
#include "services/client/channel.h"
#include "services/client/engines.h"
#include "services/client/watching.h"
#include "tests/services/support/played_game.h"
#include "tilewarden/v1/game.grpc.pb.h"

namespace tilewarden::services {

inline void Require(bool holds, const std::string& what) {
  if (!holds) throw std::runtime_error(what);
}

// One engine service. It ends with the thread that starts it.
class EngineProcess {
 public:
  EngineProcess(std::string data, std::string store)
      : data_(std::move(data)), store_(std::move(store)) {}

  // At the same address each time. Waits until it listens.
  void Start() {
    Begin();
    const auto line = process_->ReadLine();
    Require(line.has_value(), "the engine service did not start");
    const auto from = line->find("127.");
    address_ = line->substr(from, line->find(',') - from);
  }
  // Does not wait; Start has been called before.
  void Begin() {
    std::vector<std::string> command = {TILEWARDEN_PROGRAM, "engine", "--listen",
                                        address_,           "--data", data_};
    if (!store_.empty()) command.insert(command.end(), {"--store", store_});
    auto process = ChildProcess::Start(command);
    Require(process.ok(), "the engine service cannot be started");
    process_ = std::make_unique<ChildProcess>(*std::move(process));
  }
  void Kill() {
    kill(process_->pid(), SIGKILL);
    while (!process_->Ended()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  const std::string& address() const { return address_; }

 private:
  const std::string data_, store_;
  std::string address_ = "127.0.0.1:0";
  std::unique_ptr<ChildProcess> process_;
};

inline Engines EnginesOf(const std::vector<std::string>& addresses) {
  struct Channels {
    std::mutex mutex;
    std::map<std::string, std::shared_ptr<grpc::Channel>> made;
  };
  const auto channels = std::make_shared<Channels>();
  return {addresses, [channels](const std::string& address) {
            const std::lock_guard lock(channels->mutex);
            auto& channel = channels->made[address];
            if (channel == nullptr) channel = ChannelTo(address);
            return channel;
          }};
}

// Plays games one after another, each turn repeated with its request id until it is
// acknowledged, and checks every answer. Throws std::runtime_error where one is wrong.
class Player {
 public:
  explicit Player(Engines engines) : engines_(std::move(engines)) {}

  void Begin() {
    v1::CreateGameRequest request;
    request.set_request_id(RandomId());
    request.set_tile_set("base.c1");
    request.set_place_start_tile(true);
    for (const char* colour : {"red", "blue"}) request.add_players()->set_colour(colour);
    v1::CreateGameResponse response;
    Insist([&](const auto& channel, auto* context) {
      return v1::GameService::NewStub(channel)->CreateGame(context, request, &response);
    });
    game_ = response.state().game_id();
    number_ = response.state().event_number();
    played_ = 0;
  }
  bool over() const { return played_ == turns().size(); }
  void PlayOne() {
    v1::PlayTurnRequest request;
    request.set_request_id(RandomId());
    request.set_game_id(game_);
    *request.mutable_turn() = turns()[played_];
    v1::PlayTurnResponse response;
    Insist([&](const auto& channel, auto* context) {
      return v1::GameService::NewStub(channel)->PlayTurn(context, request, &response);
    });
    Require(response.has_event(), "a legal turn was refused: " + response.ShortDebugString());
    Require(response.event().turn_played().turn() == played_ + 1, "a turn is lost or there twice");
    Require(response.event().number() == number_ + 1, "an event is lost or there twice");
    ++played_;
    ++number_;
    ++acknowledged;
  }
  // Everything acknowledged is there, and nothing else.
  void CheckGame() {
    v1::GetGameRequest request;
    request.set_game_id(game_);
    v1::GetGameResponse response;
    Insist([&](const auto& channel, auto* context) {
      return v1::GameService::NewStub(channel)->GetGame(context, request, &response);
    });
    Require(response.state().event_number() == number_, "the log's end is not what was told");
    Require(response.state().turn() == played_, "turns are lost or there twice");
    Require(response.state().tiles_size() == static_cast<int>(played_) + 1, "tiles are missing");
  }

  const std::string& game() const { return game_; }
  std::uint64_t number() const { return number_; }
  std::atomic<int> acknowledged = 0;
  // Answers that were not an acknowledgement, by what they said.
  std::atomic<int> unavailable = 0;

 private:
  static const std::vector<v1::Turn>& turns() {
    static const std::vector<v1::Turn> kTurns = SomeTurns(60);
    return kTurns;
  }
  // Until it is answered; only for so long, so that nothing hangs for ever.
  void Insist(const Engines::Once& once) {
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(120);
    while (true) {
      grpc::ClientContext context;
      context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(20));
      const grpc::Status status = once(engines_.channel(), &context);
      if (status.ok()) return;
      Require(
          status.error_code() == grpc::StatusCode::UNAVAILABLE,
          absl::StrCat("an answer with code ", status.error_code(), ": ", status.error_message()));
      Require(std::chrono::steady_clock::now() < give_up,
              "no answer for 120 s: " + status.error_message());
      ++unavailable;
      if (!engines_.Turn(status, context) || unavailable % 2 == 0) {
        engines_.Pause(std::chrono::milliseconds(20));
      }
    }
  }

  Engines engines_;
  std::string game_;
  std::uint64_t number_ = 0;
  std::size_t played_ = 0;
};

// Checks that a viewer gets each event once and in order. Thread safe.
class Order {
 public:
  void Take(const v1::WatchGameResponse& message) {
    const std::lock_guard lock(mutex_);
    if (message.has_state()) {
      ++states_;
      if (message.state().event_number() < last_) wrong_ = "a state lies behind what was told";
      last_ = message.state().event_number();
    } else if (message.has_event()) {
      ++events_;
      if (message.event().number() != last_ + 1) {
        wrong_ = absl::StrCat("after event ", last_, " came ", message.event().number());
      }
      last_ = message.event().number();
    }
  }
  struct Sum {
    std::uint64_t last = 0;
    int states = 0, events = 0;
    std::string wrong;
  };
  Sum sum() const {
    const std::lock_guard lock(mutex_);
    return {last_, states_, events_, wrong_};
  }

 private:
  mutable std::mutex mutex_;
  std::uint64_t last_ = 0;
  int states_ = 0, events_ = 0;
  std::string wrong_;
};

}  // namespace tilewarden::services
