// What stands before gRPC where other machines reach it, and who gets past it.
#include "services/client/front.h"

#include <sys/wait.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <list>
#include <thread>

#include "absl/strings/match.h"
#include "services/access/addresses.h"
#include "services/gateway/admission.h"
#include "tests/services/support/network_fixture.h"
#include "tests/services/support/raw_http.h"

namespace tilewarden::services {
namespace {

using Clock = std::chrono::steady_clock;

class FrontTest : public NetworkTest {
 protected:
  std::string url() const { return "https://" + address() + "/"; }
  KnownEngine Known(const std::string& token) const {
    return {.fingerprint = engine_->fingerprint(), .token = token};
  }
  // One call through a tunnel of its own.
  grpc::Status List(const std::string& token) {
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(10));
    v1::ListGamesResponse games;
    return v1::GameService::NewStub(ChannelTo(address(), Known(token)))
        ->ListGames(&context, {}, &games);
  }
  static std::string Tunnel(const std::string& token) {
    return "Connection: Upgrade\r\nUpgrade: tilewarden-grpc\r\n" +
           (token.empty() ? "" : "Authorization: Bearer " + token + "\r\n");
  }
  static long MemoryMb() {
    std::ifstream status("/proc/self/status");
    std::string word;
    while (status >> word && word != "VmRSS:") {
    }
    long kb = 0;
    status >> kb;
    return kb / 1024;
  }
};

TEST_F(FrontTest, NobodySpeaksGrpcWithoutAToken) {
  RawHttp preface(url());
  preface.Send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
  EXPECT_NE(preface.ReadStatus(), 200);
  for (const std::string& token : {std::string(), std::string("x"), std::string(300, 'x')}) {
    RawHttp http(url());
    http.Get(kTunnelTarget, Tunnel(token));
    EXPECT_EQ(http.ReadStatus(), 401) << token;
    EXPECT_TRUE(absl::StrContains(http.head(), kWhyRefused)) << http.head();
  }
  RawHttp with(url());
  with.Get(kTunnelTarget, Tunnel(MakeToken(v1::ROLE_CAMERA)));
  EXPECT_EQ(with.ReadStatus(), 101);
}

TEST_F(FrontTest, CallsGoThroughATunnelAndNeedTheirTokenThereToo) {
  EXPECT_TRUE(List(MakeToken(v1::ROLE_DISPLAY)).ok());
  EXPECT_EQ(List(MakeToken(v1::ROLE_CAMERA)).error_code(), grpc::StatusCode::PERMISSION_DENIED);
  const grpc::Status without = List("");
  EXPECT_EQ(without.error_code(), grpc::StatusCode::UNAUTHENTICATED);
  EXPECT_TRUE(absl::StrContains(without.error_message(), "not let in")) << without.error_message();
  // A tunnel alone is no leave to call.
  grpc::ClientContext context;
  v1::ListGamesResponse games;
  EXPECT_EQ(v1::GameService::NewStub(
                ChannelTo(address(), Known(MakeToken(v1::ROLE_ADMIN)), With::kTokensOfCalls))
                ->ListGames(&context, {}, &games)
                .error_code(),
            grpc::StatusCode::UNAUTHENTICATED);
}

TEST_F(FrontTest, PairingNeedsNoTunnel) {
  v1::PairRequest request;
  request.set_code(tokens_->MakeCode({v1::ROLE_CAMERA, ""}, NowMs())->text);
  v1::PairResponse paired;
  const auto pair = [&] {
    return CallFront(address(), Known(""), "/tilewarden.v1.AccessService/Pair", request, &paired);
  };
  ASSERT_TRUE(pair().ok());
  EXPECT_EQ(paired.role(), v1::ROLE_CAMERA);
  EXPECT_TRUE(absl::IsInvalidArgument(pair()));
}

// Issue: 1,100 silent connections made a networked engine deaf for good.
TEST_F(FrontTest, SilentConnectionsKeepNobodyOut) {
  const std::string token = MakeToken(v1::ROLE_DISPLAY);
  const std::string plain = "http://" + address() + "/";
  std::list<RawHttp> silent;
  for (int i = 0; i < 450; ++i) silent.emplace_back(plain);
  // They share the caller's address, so he may be turned away for a moment: he comes again, as
  // every client does.
  const auto gets_in = [&] {
    for (const auto end = Clock::now() + std::chrono::seconds(10); Clock::now() < end;) {
      if (List(token).ok()) return true;
    }
    return false;
  };
  EXPECT_TRUE(gets_in());
  silent.clear();
  EXPECT_TRUE(gets_in());
}

// Issue: 300 bodies of 1 MB held 412 MB.
TEST_F(FrontTest, NobodyWithoutATokenMaySendMuch) {
  // They are sent away in the midst of it.
  std::signal(SIGPIPE, SIG_IGN);
  const long before = MemoryMb();
  std::list<RawHttp> bodies;
  for (int i = 0; i < 60; ++i) {
    bodies.emplace_back(url(), "192.0.2.5" + address().substr(9));
    bodies.back().Send(
        "POST /tilewarden.v1.GameService/ListGames HTTP/1.1\r\nHost: " + bodies.back().host() +
        "\r\nContent-Type: application/grpc-web+proto\r\nContent-Length: "
        "1000000\r\n\r\n" +
        std::string(900'000, 'x'));
  }
  EXPECT_LT(MemoryMb() - before, 40);
  RawHttp large(url(), "192.0.2.5" + address().substr(9));
  large.Send("POST /tilewarden.v1.GameService/ListGames HTTP/1.1\r\nHost: " + large.host() +
             "\r\nContent-Type: application/grpc-web+proto\r\nContent-Length: 1000000\r\n\r\n");
  EXPECT_EQ(large.ReadStatus(), 401);
}

TEST_F(FrontTest, ReflectionAndOtherServicesAreNotForwarded) {
  for (const char* path : {"/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
                           "/grpc.health.v1.Health/Watch", "/other.Service/Method"}) {
    RawHttp http(url());
    http.Send(absl::StrCat("POST ", path, " HTTP/1.1\r\nHost: ", http.host(),
                           "\r\nContent-Type: application/grpc-web+proto\r\nContent-Length: "
                           "5\r\n\r\n",
                           std::string(5, '\0')));
    EXPECT_EQ(http.ReadStatus(), 404) << path;
  }
}

// Issue: 1 MB of gzip became 1.2 GB.
TEST_F(FrontTest, CompressedMessagesAreRefused) {
  const auto games = v1::GameService::NewStub(channel_);
  v1::GetGameRequest request;
  request.set_game_id(std::string(3 << 20, 'x'));
  const auto ask = [&](grpc_compression_algorithm how) {
    grpc::ClientContext context;
    context.AddMetadata("authorization", "Bearer " + MakeToken(v1::ROLE_DISPLAY));
    context.set_compression_algorithm(how);
    v1::GetGameResponse response;
    return games->GetGame(&context, request, &response).error_code();
  };
  EXPECT_EQ(ask(GRPC_COMPRESS_NONE), grpc::StatusCode::INVALID_ARGUMENT);
  for (const auto how : {GRPC_COMPRESS_GZIP, GRPC_COMPRESS_DEFLATE}) {
    EXPECT_EQ(ask(how), grpc::StatusCode::UNIMPLEMENTED);
  }
}

// A connection that was taken, and what becomes of it.
struct TestGuest : Guest {
  void Close() override { closed = true; }
  bool let_in() const override { return in; }
  bool closed = false, in = false;
};

TEST(Admission, TheOldestThatWasNotLetInGoesFirst) {
  Admission admission({.connections = 3, .of_one = 2});
  const auto now = Clock::now();
  TestGuest a, b, c, d, e, f;
  a.in = true;
  EXPECT_TRUE(admission.Arrive(&a, "one", now));
  EXPECT_TRUE(admission.Arrive(&b, "one", now));
  // The third of one address: its own oldest goes, but not who was let in.
  EXPECT_TRUE(admission.Arrive(&c, "one", now));
  EXPECT_FALSE(a.closed);
  EXPECT_TRUE(b.closed);
  EXPECT_TRUE(admission.Arrive(&d, "two", now));
  // Nobody is turned away because others hold everything.
  EXPECT_TRUE(admission.Arrive(&e, "three", now));
  EXPECT_TRUE(c.closed);
  d.in = e.in = true;
  EXPECT_FALSE(admission.Arrive(&f, "four", now));
  admission.Leave(&d);
  EXPECT_TRUE(admission.Arrive(&f, "four", now));
}

TEST(Admission, NewConnectionsAndBodiesOfOneAddressAreBounded) {
  Admission admission({.at_once = 5,
                       .a_second = 1,
                       .longest_wait = std::chrono::milliseconds(3000),
                       .body_bytes = 100,
                       .body_bytes_of_one = 60});
  auto now = Clock::now();
  std::list<TestGuest> guests(20);
  int at_once = 0, later_on = 0;
  for (TestGuest& guest : guests) {
    const auto wait = admission.Arrive(&guest, "one", now);
    if (wait) ++(wait->count() == 0 ? at_once : later_on);
  }
  EXPECT_EQ(at_once, 5);
  EXPECT_EQ(later_on, 3) << "one a second, and nobody waits longer than three";
  TestGuest later, other;
  EXPECT_EQ(admission.Arrive(&other, "two", now)->count(), 0);
  EXPECT_EQ(admission.Arrive(&later, "one", now + std::chrono::seconds(4))->count(), 0);
  BodyRoom first(&admission, "one", 60);
  EXPECT_TRUE(first.granted());
  EXPECT_FALSE(BodyRoom(&admission, "one", 1).granted());
  EXPECT_FALSE(BodyRoom(&admission, "two", 50).granted());
  EXPECT_TRUE(BodyRoom(&admission, "two", 40).granted());
  EXPECT_TRUE(BodyRoom(&admission, "two", 40).granted()) << "what went was given back";
}

// A proxy beside the gateway has an account of its own, and calls for strangers.
TEST(Addresses, AServicesAccountIsNoPerson) {
  const int listening = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof at;
  ASSERT_EQ(bind(listening, reinterpret_cast<sockaddr*>(&at), size), 0);
  ASSERT_EQ(listen(listening, 4), 0);
  getsockname(listening, reinterpret_cast<sockaddr*>(&at), &size);
  const auto person = [&](uid_t uid) {
    const pid_t child = fork();
    if (child == 0) {
      if (setuid(uid) != 0) _exit(1);
      const int from = socket(AF_INET, SOCK_STREAM, 0);
      if (connect(from, reinterpret_cast<const sockaddr*>(&at), size) != 0) _exit(1);
      char byte = 0;
      _exit(read(from, &byte, 1) == 0 ? 0 : 1);
    }
    sockaddr_in peer{};
    const int taken = accept(listening, reinterpret_cast<sockaddr*>(&peer), &size);
    const bool is = IsPersonsPort("127.0.0.1", ntohs(peer.sin_port), ntohs(at.sin_port));
    close(taken);
    int ended = 0;
    waitpid(child, &ended, 0);
    return is;
  };
  EXPECT_TRUE(person(geteuid()));
  EXPECT_FALSE(IsPersonsPort("127.0.0.1", 1, 2));
  if (geteuid() == 0) {
    EXPECT_TRUE(person(1000));
    EXPECT_FALSE(person(33)) << "www-data";
  }
  close(listening);
}

}  // namespace
}  // namespace tilewarden::services
