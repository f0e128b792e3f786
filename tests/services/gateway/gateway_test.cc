#include "services/gateway/gateway.h"

#include <atomic>
#include <chrono>
#include <fstream>
#include <thread>

#include "absl/strings/match.h"
#include "tests/services/support/engine_fixture.h"
#include "tests/services/support/raw_http.h"

namespace tilewarden::services {
namespace {

class GatewayTest : public EngineTest {
 protected:
  GatewayTest() {
    const auto page = folder_.path() / "page";
    std::filesystem::create_directories(page);
    std::ofstream(page / "index.html") << "<title>Tilewarden</title>";
    Gateway::Options options;
    options.listen = "127.0.0.1:0";
    options.page = page;
    auto gateway = Gateway::Start(options, engine_->Channel());
    EXPECT_TRUE(gateway.ok()) << gateway.status();
    gateway_ = *std::move(gateway);
  }

  std::unique_ptr<Gateway> gateway_;
};

TEST_F(GatewayTest, ServesThePageWithAStrictPolicy) {
  RawHttp http(gateway_->url());
  http.Get("/");
  EXPECT_EQ(http.ReadStatus(), 200);
  EXPECT_TRUE(absl::StrContains(http.head(), "Content-Security-Policy: default-src 'none'"));
  EXPECT_TRUE(absl::StrContains(http.head(), "X-Content-Type-Options: nosniff"));
  EXPECT_TRUE(absl::StrContains(http.head(), "Content-Length: 25"));
}

TEST_F(GatewayTest, MetricsCountWhatWasAnswered) {
  RawHttp http(gateway_->url());
  http.Get("/");
  EXPECT_EQ(http.ReadStatus(), 200);
  RawHttp caller(gateway_->url());
  v1::GetGameRequest request;
  request.set_game_id("none");
  caller.Call("GetGame", request.SerializeAsString());
  EXPECT_EQ(caller.ReadStatus(), 200);
  while (caller.ReadFrame().first == 0) {
  }
  RawHttp scraper(gateway_->url());
  scraper.Send(absl::StrCat("GET /metrics HTTP/1.0\r\nHost: ", scraper.host(), "\r\n\r\n"));
  EXPECT_EQ(scraper.ReadStatus(), 200);
  const std::string text = scraper.ReadRest();
  for (const char* line :
       {"# TYPE tilewarden_gateway_requests_total counter\n",
        "\ntilewarden_gateway_requests_total{kind=\"page\"} 1\n",
        "\ntilewarden_gateway_requests_total{kind=\"call\"} 1\n",
        "\ntilewarden_gateway_failed_calls_total 1\n", "\ntilewarden_gateway_calls 0\n",
        "# TYPE tilewarden_gateway_connections gauge\ntilewarden_gateway_connections 3\n"}) {
    EXPECT_TRUE(absl::StrContains(text, line)) << line << text;
  }
}

// A proxy that forwards for others is not this machine, also where only this machine connects.
TEST_F(GatewayTest, WhoIsForwardedNeedsAToken) {
  for (const char* header : {"X-Forwarded-For: 127.0.0.1", "Forwarded: for=::1", "X-Real-IP: ::1",
                             "Via: 1.1 proxy", "X-Forwarded-Proto: https"}) {
    RawHttp http(gateway_->url());
    http.Call("ListGames", "", absl::StrCat(header, "\r\n"));
    EXPECT_EQ(http.ReadStatus(), 200);
    EXPECT_TRUE(absl::StrContains(http.ReadFrame().second, "grpc-status: 16")) << header;
  }
}

TEST_F(GatewayTest, ReflectionAndOtherServicesAreNotForwarded) {
  for (const char* path : {"/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
                           "/grpc.health.v1.Health/Watch", "/other.Service/Method"}) {
    RawHttp http(gateway_->url());
    http.Send(absl::StrCat("POST ", path, " HTTP/1.1\r\nHost: ", http.host(),
                           "\r\nContent-Type: application/grpc-web+proto\r\nContent-Length: "
                           "5\r\n\r\n",
                           std::string(5, '\0')));
    EXPECT_EQ(http.ReadStatus(), 404) << path;
  }
}

// Issue: dribbling connections closed the page for 120 s.
TEST_F(GatewayTest, ARequestMustArriveInTime) {
  Gateway::Options options;
  options.listen = "127.0.0.1:0";
  options.limits.head = options.limits.body = std::chrono::milliseconds(300);
  const auto gateway = *Gateway::Start(options, engine_->Channel());
  for (const char* begun :
       {"GET / HTTP/1.1\r\nHo", "POST / HTTP/1.1\r\nContent-Length: 900\r\n\r\nab"}) {
    RawHttp http(gateway->url());
    http.Send(begun);
    const auto from = std::chrono::steady_clock::now();
    for (int i = 0; i < 20; ++i) {
      http.Send("x");
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    EXPECT_TRUE(http.Closed());
    EXPECT_LT(std::chrono::steady_clock::now() - from, std::chrono::seconds(2));
  }
}

TEST_F(GatewayTest, NothingOutsideThePageIsServed) {
  for (const char* target : {"/../games.sqlite", "/%2e%2e/games.sqlite", "/none", "/index.html/"}) {
    RawHttp http(gateway_->url());
    http.Get(target);
    EXPECT_EQ(http.ReadStatus(), 404) << target;
  }
}

TEST_F(GatewayTest, UnaryCallsOneAfterAnotherOnOneConnection) {
  const std::string game = NewGame();
  RawHttp http(gateway_->url());
  for (int i = 0; i < 3; ++i) {
    v1::GetGameRequest request;
    request.set_game_id(game);
    http.Call("GetGame", request.SerializeAsString(), "Origin: http://" + http.host() + "\r\n");
    EXPECT_EQ(http.ReadStatus(), 200);
    const auto [flags, message] = http.ReadFrame();
    EXPECT_EQ(flags, 0);
    v1::GetGameResponse response;
    ASSERT_TRUE(response.ParseFromString(message));
    EXPECT_EQ(response.state().game_id(), game);
    const auto trailers = http.ReadFrame();
    EXPECT_EQ(trailers.first, 0x80);
    EXPECT_TRUE(absl::StrContains(trailers.second, "grpc-status: 0"));
    http.ReadEnd();
  }
}

TEST_F(GatewayTest, ErrorsComeAsTrailers) {
  RawHttp http(gateway_->url());
  v1::GetGameRequest request;
  request.set_game_id("none");
  http.Call("GetGame", request.SerializeAsString());
  EXPECT_EQ(http.ReadStatus(), 200);
  const auto [flags, trailers] = http.ReadFrame();
  EXPECT_EQ(flags, 0x80);
  EXPECT_TRUE(absl::StrContains(trailers, "grpc-status: 5\r\n")) << trailers;
  EXPECT_TRUE(absl::StrContains(trailers, "there is no game 'none'")) << trailers;
}

TEST_F(GatewayTest, AWatchStreamsAsThingsHappen) {
  const std::string game = NewGame();
  RawHttp http(gateway_->url());
  v1::WatchGameRequest request;
  request.set_game_id(game);
  http.Call("WatchGame", request.SerializeAsString());
  EXPECT_EQ(http.ReadStatus(), 200);
  v1::WatchGameResponse message;
  ASSERT_TRUE(message.ParseFromString(http.ReadFrame().second));
  EXPECT_TRUE(message.has_state());
  std::uint64_t number = message.state().event_number();
  for (const v1::Turn& turn : SomeTurns(5)) {
    Play(game, turn);
    ASSERT_TRUE(message.ParseFromString(http.ReadFrame().second));
    EXPECT_EQ(message.event().number(), ++number);
  }
}

TEST_F(GatewayTest, SummariesStreamToo) {
  const std::string game = NewGame();
  RawHttp http(gateway_->url());
  v1::WatchSummaryRequest request;
  request.set_game_id(game);
  http.Call("WatchSummary", request.SerializeAsString());
  EXPECT_EQ(http.ReadStatus(), 200);
  v1::WatchSummaryResponse message;
  ASSERT_TRUE(message.ParseFromString(http.ReadFrame().second));
  EXPECT_EQ(message.summary().turn(), 0u);
  Play(game, SomeTurns(1)[0]);
  ASSERT_TRUE(message.ParseFromString(http.ReadFrame().second));
  EXPECT_EQ(message.summary().turn(), 1u);
  EXPECT_EQ(message.summary().to_move(), "blue");
}

TEST_F(GatewayTest, ADeadlineEndsAWatch) {
  NewGame();
  RawHttp http(gateway_->url());
  http.Call("WatchGame", "", "grpc-timeout: 200m\r\n");
  EXPECT_EQ(http.ReadStatus(), 200);
  EXPECT_EQ(http.ReadFrame().first, 0);
  EXPECT_TRUE(absl::StrContains(http.ReadFrame().second, "grpc-status: 4"));
}

TEST_F(GatewayTest, MalformedCallsAreRefused) {
  const auto status_of = [&](const std::string& bytes) {
    RawHttp http(gateway_->url());
    http.Send(bytes);
    return http.ReadStatus();
  };
  const std::string host = RawHttp(gateway_->url()).host();
  const std::string path = "/tilewarden.v1.GameService/GetGame";
  EXPECT_EQ(status_of("no http at all\r\n\r\n"), 400);
  EXPECT_EQ(status_of("PUT " + path + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n"), 405);
  EXPECT_EQ(status_of("POST " + path + " HTTP/1.1\r\nHost: " + host +
                      "\r\nContent-Type: text/plain\r\nContent-Length: 0\r\n\r\n"),
            415);
  EXPECT_EQ(status_of("POST /a/b/c HTTP/1.1\r\nHost: " + host +
                      "\r\nContent-Type: application/grpc-web+proto\r\nContent-Length: 0\r\n\r\n"),
            404);
  EXPECT_EQ(status_of("POST " + path + " HTTP/1.1\r\nHost: " + host +
                      "\r\nContent-Type: application/grpc-web+proto\r\n"
                      "Content-Length: 99999999\r\n\r\n"),
            413);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n"), 403);
  EXPECT_EQ(status_of("POST " + path + " HTTP/1.1\r\nHost: " + host +
                      "\r\nOrigin: http://evil.example\r\n"
                      "Content-Type: application/grpc-web+proto\r\nContent-Length: 0\r\n\r\n"),
            403);
  for (const std::string& body : {std::string("abc"), std::string("\0\0\0\0\x09zz", 7)}) {
    RawHttp http(gateway_->url());
    http.Post("GetGame", body);
    EXPECT_EQ(http.ReadStatus(), 200);
    EXPECT_TRUE(absl::StrContains(http.ReadFrame().second, "grpc-status: 3"));
  }
  RawHttp http(gateway_->url());
  http.Call("GetGame", "\xff\xff\xff no message");
  EXPECT_EQ(http.ReadStatus(), 200);
  EXPECT_FALSE(absl::StrContains(http.ReadFrame().second, "grpc-status: 0"));
  http.ReadEnd();
  http.Call("NoSuchMethod", "");
  EXPECT_EQ(http.ReadStatus(), 200);
  EXPECT_TRUE(absl::StrContains(http.ReadFrame().second, "grpc-status: 12"));
}

// An upstream service that streams nothing and notices when it is cancelled.
class SilentService final : public v1::GameService::CallbackService {
 public:
  grpc::ServerWriteReactor<v1::WatchGameResponse>* WatchGame(grpc::CallbackServerContext*,
                                                             const v1::WatchGameRequest*) override {
    class Reactor : public grpc::ServerWriteReactor<v1::WatchGameResponse> {
     public:
      explicit Reactor(SilentService* service) : service_(service) { ++service_->open; }
      void OnCancel() override { Finish(grpc::Status::CANCELLED); }
      void OnDone() override {
        --service_->open;
        delete this;
      }

     private:
      SilentService* const service_;
    };
    return new Reactor(this);
  }
  std::atomic<int> open = 0;
};

TEST(Gateway, ABrowserThatLeavesCancelsItsCall) {
  SilentService service;
  grpc::ServerBuilder builder;
  builder.RegisterService(&service);
  const auto server = builder.BuildAndStart();
  Gateway::Options options;
  options.listen = "127.0.0.1:0";
  const auto gateway = Gateway::Start(options, server->InProcessChannel({}));
  ASSERT_TRUE(gateway.ok()) << gateway.status();
  const auto wait_for = [&](int open) {
    for (int i = 0; i < 500 && service.open != open; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return service.open == open;
  };
  {
    RawHttp one((*gateway)->url()), two((*gateway)->url());
    one.Call("WatchGame", "");
    two.Call("WatchGame", "");
    EXPECT_TRUE(wait_for(2));
  }
  EXPECT_TRUE(wait_for(0));
}

TEST(Gateway, AnEngineThatIsAwayIsToldAsUnavailable) {
  Gateway::Options options;
  options.listen = "127.0.0.1:0";
  // Port 9 of the loopback address: nobody answers there.
  const auto gateway = Gateway::Start(
      options, grpc::CreateChannel("127.0.0.1:9", grpc::InsecureChannelCredentials()));
  ASSERT_TRUE(gateway.ok()) << gateway.status();
  RawHttp http((*gateway)->url());
  http.Call("GetGame", "");
  EXPECT_EQ(http.ReadStatus(), 200);
  EXPECT_TRUE(absl::StrContains(http.ReadFrame().second, "grpc-status: 14"));
}

TEST(Gateway, AnAddressThatIsTakenIsToldSo) {
  Gateway::Options options;
  options.listen = "127.0.0.1:0";
  const auto channel = grpc::CreateChannel("127.0.0.1:9", grpc::InsecureChannelCredentials());
  const auto first = Gateway::Start(options, channel);
  ASSERT_TRUE(first.ok());
  const std::string url = (*first)->url();
  options.listen = url.substr(7, url.size() - 8);
  EXPECT_EQ(Gateway::Start(options, channel).status().code(), absl::StatusCode::kUnavailable);
  options.listen = "nonsense";
  EXPECT_EQ(Gateway::Start(options, channel).status().code(), absl::StatusCode::kUnavailable);
}

}  // namespace
}  // namespace tilewarden::services
