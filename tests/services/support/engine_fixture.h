// An engine service inside the test, over an in-process channel.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "services/engine_service/engine_server.h"
#include "tests/services/support/played_game.h"
#include "tests/services/support/temp_folder.h"

namespace tilewarden::services {

class EngineTest : public testing::Test {
 protected:
  EngineTest() { Restart(); }

  void Restart() {
    games_.reset();
    sightings_.reset();
    engine_.reset();
    auto engine = EngineServer::Start(options_);
    ASSERT_TRUE(engine.ok()) << engine.status();
    engine_ = *std::move(engine);
    const auto channel = engine_->Channel();
    games_ = v1::GameService::NewStub(channel);
    sightings_ = v1::SightingService::NewStub(channel);
  }

  std::string NewId() { return absl::StrCat("request-", ++ids_); }

  // A game of red and blue with the start tile laid.
  std::string NewGame(const std::string& name = "") {
    v1::CreateGameRequest request;
    request.set_request_id(NewId());
    request.set_name(name);
    request.set_tile_set("base.c1");
    request.set_place_start_tile(true);
    request.add_players()->set_colour("red");
    request.add_players()->set_colour("blue");
    v1::CreateGameResponse response;
    const auto status = Call(&v1::GameService::Stub::CreateGame, request, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return response.state().game_id();
  }

  template <typename Method, typename Request, typename Response>
  grpc::Status Call(Method method, const Request& request, Response* response) {
    grpc::ClientContext context;
    return (games_.get()->*method)(&context, request, response);
  }

  v1::PlayTurnResponse Play(const std::string& game, const v1::Turn& turn) {
    v1::PlayTurnRequest request;
    request.set_request_id(NewId());
    request.set_game_id(game);
    *request.mutable_turn() = turn;
    v1::PlayTurnResponse response;
    const auto status = Call(&v1::GameService::Stub::PlayTurn, request, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return response;
  }

  v1::GameState State(const std::string& game) {
    v1::GetGameRequest request;
    request.set_game_id(game);
    v1::GetGameResponse response;
    const auto status = Call(&v1::GameService::Stub::GetGame, request, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return response.state();
  }

  TempFolder folder_;
  EngineServer::Options options_{"", folder_.path()};
  std::unique_ptr<EngineServer> engine_;
  std::unique_ptr<v1::GameService::Stub> games_;
  std::unique_ptr<v1::SightingService::Stub> sightings_;
  int ids_ = 0;
};

// One watch.
class Watch {
 public:
  Watch(v1::GameService::Stub* games, const std::string& game, std::uint64_t resume_after) {
    v1::WatchGameRequest request;
    request.set_game_id(game);
    request.set_resume_after(resume_after);
    stream_ = games->WatchGame(&context_, request);
  }
  ~Watch() {
    context_.TryCancel();
    if (!finished_) (void)stream_->Finish();
  }
  v1::WatchGameResponse Next() {
    v1::WatchGameResponse message;
    EXPECT_TRUE(stream_->Read(&message));
    return message;
  }
  grpc::Status Finish() {
    v1::WatchGameResponse message;
    while (stream_->Read(&message)) {
    }
    finished_ = true;
    return stream_->Finish();
  }

 private:
  grpc::ClientContext context_;
  bool finished_ = false;
  std::unique_ptr<grpc::ClientReader<v1::WatchGameResponse>> stream_;
};

}  // namespace tilewarden::services
