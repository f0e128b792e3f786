// An engine service as a process of its own, for the services_bench, and what its benchmarks
// share.
#pragma once

#include <array>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "services/access/certificate.h"
#include "services/access/token_file.h"
#include "services/base/child_process.h"
#include "services/base/clock.h"
#include "services/camera/reporter.h"
#include "services/client/channel.h"
#include "services/table/table.h"
#include "tests/bench/services_load.h"
#include "tests/services/support/played_game.h"
#include "tests/services/support/temp_folder.h"

namespace tilewarden::services {

struct BenchSettings {
  int seconds = 10, tables = 500, games = 0, slowest_ms = 500;
};

// services_bench_hall.cc
void BenchTables(const BenchSettings& settings);
void BenchPublishing(const BenchSettings& settings);
// services_bench_attack.cc
void BenchAttack(const BenchSettings& settings);

[[noreturn]] inline void Fail(const std::string& what) {
  std::fprintf(stderr, "services_bench: %s\n", what.c_str());
  std::_Exit(1);
}
inline void Require(const grpc::Status& status) {
  if (!status.ok()) Fail(status.error_message());
}

// Where its log lies. In memory, the disk costs nothing: what is left is the way from an event
// that is safe to whoever watches, with the request and its judging before it.
enum class LogIn { kDisk, kMemory };

class BenchEngine {
 public:
  explicit BenchEngine(bool tls, LogIn log = LogIn::kDisk, std::vector<std::string> more = {})
      : folder_(log == LogIn::kMemory ? "/dev/shm" : std::filesystem::temp_directory_path()) {
    std::vector<std::string> command = {TILEWARDEN_PROGRAM, "engine",
                                        "--listen",         tls ? "0.0.0.0:0" : "127.0.0.1:0",
                                        "--data",           folder_.path().string()};
    command.insert(command.end(), more.begin(), more.end());
    auto process = ChildProcess::Start(command);
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
    return ChannelTo(address_, {.fingerprint = fingerprint_, .token = token_},
                     With::kTokensOfCalls);
  }
  // Connections that stand: their handshakes are not what is measured.
  BenchViewers::Channels Connect(int connections) const {
    BenchViewers::Channels channels;
    for (int c = 0; c < connections; ++c) {
      const auto limit = std::chrono::system_clock::now() + std::chrono::seconds(20);
      if (!channels.emplace_back(Connect())->WaitForConnected(limit)) Fail("no connection");
    }
    return channels;
  }
  const std::string& token() const { return token_; }
  const std::string& address() const { return address_; }
  pid_t process() const { return process_->pid(); }
  void Prepare(grpc::ClientContext* context) const {
    if (!token_.empty()) context->AddMetadata("authorization", "Bearer " + token_);
  }

  // `people` sit at red and blue.
  std::string NewGame(v1::GameService::Stub* games, const std::string& name = "",
                      const std::array<std::string, 2>& people = {}) const {
    v1::CreateGameRequest request;
    request.set_request_id(RandomId());
    request.set_name(name);
    request.set_tile_set("base.c1");
    request.set_place_start_tile(true);
    for (const char* colour : {"red", "blue"}) request.add_players()->set_colour(colour);
    for (int i = 0; i < 2; ++i) {
      request.mutable_players(i)->set_name(people[static_cast<std::size_t>(i)]);
    }
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
  // One game from its first turn on, an event each. Absent receipts and times are not taken.
  void PlayGame(const std::string& game, int turns, std::chrono::milliseconds between,
                Receipts* receipts, Times* calls, int viewers) const {
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
  const TempFolder folder_;
  std::string address_, fingerprint_, token_;
  std::unique_ptr<ChildProcess> process_;
};

}  // namespace tilewarden::services
