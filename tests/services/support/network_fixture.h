// An engine service that other machines reach, with TLS, and a channel to it as from behind its
// front, which lets nobody through without a token: what the engine itself says of callers.
#pragma once

#include <sys/socket.h>

#include <array>
#include <memory>
#include <string>

#include "grpcpp/create_channel_posix.h"
#include "gtest/gtest.h"
#include "services/base/clock.h"
#include "services/client/channel.h"
#include "services/engine_service/engine_server.h"
#include "services/table/table.h"
#include "tests/services/support/temp_folder.h"
#include "tilewarden/v1/access.grpc.pb.h"

namespace tilewarden::services {

class NetworkTest : public testing::Test {
 protected:
  NetworkTest() {
    auto engine = EngineServer::Start({"0.0.0.0:0", folder_.path()});
    EXPECT_TRUE(engine.ok()) << engine.status();
    engine_ = *std::move(engine);
    tokens_ = *TokenFile::Open(folder_.path() / TokenFile::kFile);
    channel_ = BehindFront("127.0.0.1");
  }

  // Of the port, from this machine.
  std::string address() const {
    const std::string& all = engine_->address();
    return "127.0.0.1" + all.substr(all.rfind(':'));
  }

  std::shared_ptr<grpc::Channel> BehindFront(const std::string& at) {
    std::array<int, 2> ends{};
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends.data()), 0);
    engine_->Serve(ends[0], at);
    return grpc::CreateInsecureChannelFromFd("engine", ends[1]);
  }

  std::string MakeToken(v1::Role role, const std::string& table = "") {
    const auto token = tokens_->Make({role, table}, "", 1, NowMs());
    EXPECT_TRUE(token.ok()) << token.status();
    return *token;
  }

  grpc::Status Pair(const std::string& code, v1::PairResponse* response = nullptr) {
    v1::PairResponse unused;
    v1::PairRequest request;
    request.set_code(code);
    grpc::ClientContext context;
    return v1::AccessService::NewStub(channel_)->Pair(&context, request,
                                                      response == nullptr ? &unused : response);
  }

  TempFolder folder_;
  std::unique_ptr<EngineServer> engine_;
  // As `tilewarden access` has it.
  std::unique_ptr<TokenFile> tokens_;
  std::shared_ptr<grpc::Channel> channel_;
};

}  // namespace tilewarden::services
