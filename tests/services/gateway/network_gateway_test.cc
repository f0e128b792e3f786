// The gateway where other machines reach it: what a page, another site's page and
// whoever speaks HTTP can do there.

#include <fstream>

#include "absl/strings/match.h"
#include "services/base/clock.h"
#include "services/gateway/gateway.h"
#include "tests/services/support/camera_server.h"
#include "tests/services/support/network_fixture.h"
#include "tests/services/support/raw_http.h"

namespace tilewarden::services {
namespace {

class NetworkGatewayTest : public NetworkTest {
 protected:
  NetworkGatewayTest() {
    const auto page = folder_.path() / "page";
    std::filesystem::create_directories(page);
    std::ofstream(page / "index.html") << "<title>Tilewarden</title>";
    Gateway::Options options;
    options.listen = "0.0.0.0:0";
    options.page = page;
    options.vision = vision_.Channel();
    options.certificate = *CertificateFor(options.listen, {}, folder_.path());
    auto gateway = Gateway::Start(options, engine_->Channel());
    EXPECT_TRUE(gateway.ok()) << gateway.status();
    gateway_ = *std::move(gateway);
    const std::string url = gateway_->url();
    port_ = url.substr(url.rfind(':'));
  }

  // Of this machine; and as another machine would ask for it.
  std::string url() const { return "https://127.0.0.1" + port_; }
  std::string elsewhere() const { return "192.0.2.5" + port_.substr(0, port_.size() - 1); }

  // The status of a call from elsewhere.
  int Call(const std::string& method, const std::string& message, const std::string& headers = "") {
    RawHttp http(url(), elsewhere());
    http.Call(method, message, headers);
    if (http.ReadStatus() != 200) return -1;
    for (int frames = 0; frames < 3; ++frames) {
      const auto [flags, content] = http.ReadFrame();
      last_ = flags == 0 ? content : last_;
      if (flags == 0x80) return std::atoi(content.substr(content.find(": ") + 2).c_str());
    }
    return -2;
  }
  static std::string Bearer(const std::string& token) {
    return "Authorization: Bearer " + token + "\r\n";
  }

  TestCamera camera_;
  CameraServer vision_{folder_.path(), engine_->Channel(), &camera_};
  std::unique_ptr<Gateway> gateway_;
  std::string port_, last_;
};

TEST_F(NetworkGatewayTest, APageElsewhereNeedsATokenAndOneHereDoesNot) {
  EXPECT_EQ(Call("ListGames", ""), 16);
  EXPECT_EQ(Call("ListGames", "", Bearer(MakeToken(v1::ROLE_DISPLAY))), 0);
  EXPECT_EQ(Call("ListGames", "", Bearer(MakeToken(v1::ROLE_CAMERA))), 7);
  EXPECT_EQ(Call("EndGame", "", Bearer(MakeToken(v1::ROLE_DISPLAY))), 7);
  for (const std::string& nonsense :
       {std::string("x"), std::string("\xc3\xa4"), std::string(2000, 'x')}) {
    EXPECT_EQ(Call("ListGames", "", Bearer(nonsense)), 16) << nonsense;
  }
  // That is no HTTP.
  EXPECT_EQ(Call("ListGames", "", Bearer("\x01\x02")), -1);
  RawHttp here(url());
  here.Call("ListGames", "");
  EXPECT_EQ(here.ReadStatus(), 200);
  EXPECT_EQ(here.ReadFrame().first, 0);
}

TEST_F(NetworkGatewayTest, BoxesAreEnrolledAtTheCameraByRefereesAlone) {
  EXPECT_EQ(Call("EnrolmentService/GetEnrolment", ""), 16);
  EXPECT_EQ(Call("EnrolmentService/GetEnrolment", "", Bearer(MakeToken(v1::ROLE_DISPLAY))), 0);
  EXPECT_EQ(Call("EnrolmentService/TakeLook", "", Bearer(MakeToken(v1::ROLE_DISPLAY))), 7);
  EXPECT_EQ(Call("EnrolmentService/KeepBox", "", Bearer(MakeToken(v1::ROLE_CAMERA))), 7);
  // Let in: the camera gives no picture.
  EXPECT_EQ(Call("EnrolmentService/TakeLook", "", Bearer(MakeToken(v1::ROLE_REFEREE))), 9);
  RawHttp here(url());
  here.Call("EnrolmentService/GetEnrolment", "");
  EXPECT_EQ(here.ReadStatus(), 200);
  EXPECT_EQ(here.ReadFrame().first, 0);
}

// A name that was made to point here, or a proxy in front, is not this machine.
TEST_F(NetworkGatewayTest, OnlyThisMachineItselfIsThisMachine) {
  for (const std::string& headers :
       {std::string("X-Forwarded-For: 127.0.0.1\r\n"), std::string("Forwarded: for=127.0.0.1\r\n"),
        std::string("Via: 1.1 proxy\r\n")}) {
    RawHttp http(url());
    http.Call("ListGames", "", headers);
    EXPECT_EQ(http.ReadStatus(), 200);
    EXPECT_TRUE(absl::StrContains(http.ReadFrame().second, "grpc-status: 16")) << headers;
  }
  RawHttp rebound(url(), "evil.example" + port_.substr(0, port_.size() - 1));
  rebound.Call("ListGames", "", "tilewarden-for: 127.0.0.1\r\n");
  EXPECT_EQ(rebound.ReadStatus(), 200);
  EXPECT_TRUE(absl::StrContains(rebound.ReadFrame().second, "grpc-status: 16"));
}

TEST_F(NetworkGatewayTest, PagesOfOtherSitesAreRefused) {
  const std::string token = Bearer(MakeToken(v1::ROLE_ADMIN));
  for (const std::string& origin :
       {std::string("https://evil.example"), std::string("null"), "http://" + elsewhere(),
        "https://" + elsewhere() + ".evil.example"}) {
    EXPECT_EQ(Call("ListGames", "", "Origin: " + origin + "\r\n" + token), -1) << origin;
  }
  EXPECT_EQ(Call("ListGames", "", "Origin: https://" + elsewhere() + "\r\n" + token), 0);
  // A form, which needs nobody's leave, is no call; nor does a cookie open anything.
  RawHttp form(url(), elsewhere());
  form.Send("POST /tilewarden.v1.GameService/ListGames HTTP/1.1\r\nHost: " + elsewhere() +
            "\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\n" + std::string(5, '\0'));
  EXPECT_EQ(form.ReadStatus(), 415);
  EXPECT_EQ(Call("ListGames", "", "Cookie: authorization=Bearer x\r\n"), 16);
  // Nobody is told that other sites might ask.
  RawHttp preflight(url(), elsewhere());
  preflight.Send("OPTIONS /tilewarden.v1.GameService/ListGames HTTP/1.1\r\nHost: " + elsewhere() +
                 "\r\nOrigin: https://evil.example\r\nAccess-Control-Request-Method: POST\r\n\r\n");
  EXPECT_EQ(preflight.ReadStatus(), 403);
  EXPECT_FALSE(absl::StrContains(preflight.head(), "Access-Control"));
}

TEST_F(NetworkGatewayTest, NothingOutsideThePageIsServed) {
  for (const char* target :
       {"/../access.sqlite", "/%2e%2e/access.sqlite", "/..%2ftls.pem", "/%2e%2e%2ftls.pem",
        "/..\\tls.pem", "//etc/passwd", "/%00", "/%2fetc%2fpasswd", "/./../games.sqlite"}) {
    RawHttp http(url(), elsewhere());
    http.Get(target);
    EXPECT_EQ(http.ReadStatus(), 404) << target;
  }
}

TEST_F(NetworkGatewayTest, PairingWorksThroughItOnce) {
  v1::PairRequest request;
  request.set_code(tokens_->MakeCode({v1::ROLE_DISPLAY, ""}, NowMs())->text);
  ASSERT_EQ(Call("AccessService/Pair", request.SerializeAsString()), 0);
  v1::PairResponse paired;
  ASSERT_TRUE(paired.ParseFromString(last_));
  EXPECT_EQ(Call("ListGames", "", Bearer(paired.token())), 0);
  EXPECT_EQ(Call("AccessService/Pair", request.SerializeAsString()), 3);
  // Codes are made on this machine or by admins.
  v1::CreatePairingCodeRequest create;
  create.set_role(v1::ROLE_ADMIN);
  EXPECT_EQ(
      Call("AccessService/CreatePairingCode", create.SerializeAsString(), Bearer(paired.token())),
      7);
}

TEST_F(NetworkGatewayTest, MetricsAreForThoseWhoAreLetIn) {
  const auto status = [&](const std::string& headers) {
    RawHttp http(url(), elsewhere());
    http.Get("/metrics", headers);
    return http.ReadStatus();
  };
  EXPECT_EQ(status(""), 401);
  EXPECT_EQ(status(Bearer("x")), 401);
  EXPECT_EQ(status(Bearer(MakeToken(v1::ROLE_DISPLAY))), 200);
}

TEST_F(NetworkGatewayTest, OldTlsIsRefusedAndPlainHttpSentOn) {
  EXPECT_EQ(RawHttp(url(), "", TLS1_1_VERSION).tls_version(), "");
  EXPECT_EQ(RawHttp(url(), "", TLS1_2_VERSION).tls_version(), "TLSv1.2");
  EXPECT_EQ(RawHttp(url()).tls_version(), "TLSv1.3");
  RawHttp plain("http" + url().substr(5), elsewhere());
  plain.Call("ListGames", "", Bearer(MakeToken(v1::ROLE_DISPLAY)));
  EXPECT_EQ(plain.ReadStatus(), 307);
  EXPECT_TRUE(absl::StrContains(plain.head(), "Location: https://" + elsewhere() + "/"));
  RawHttp noise("http" + url().substr(5), elsewhere());
  noise.Send("\x16\x03\x01 this is no handshake, and no HTTP either\r\n\r\n");
  EXPECT_TRUE(noise.ReadStatus() == 0);
}

TEST_F(NetworkGatewayTest, AWatchStreamsOverTlsAndEndsWithItsBrowser) {
  {
    grpc::ClientContext context;
    v1::CreateGameRequest request;
    request.set_request_id("game");
    v1::CreateGameResponse response;
    ASSERT_TRUE(v1::GameService::NewStub(engine_->Channel())
                    ->CreateGame(&context, request, &response)
                    .ok());
  }
  const auto viewers = [&] {
    for (const Metric& metric : engine_->Metrics()) {
      if (metric.name == "tilewarden_viewers") return metric.value;
    }
    return -1.0;
  };
  {
    RawHttp http(url(), elsewhere());
    http.Call("WatchGame", "", Bearer(MakeToken(v1::ROLE_DISPLAY)));
    EXPECT_EQ(http.ReadStatus(), 200);
    EXPECT_EQ(http.ReadFrame().first, 0);
    EXPECT_EQ(viewers(), 1);
    // A heartbeat, more than five seconds later.
    EXPECT_EQ(http.ReadFrame().first, 0);
  }
  for (int i = 0; i < 500 && viewers() > 0; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_EQ(viewers(), 0);
}

TEST_F(NetworkGatewayTest, TellsHowOthersGetThere) {
  RawHttp http(url());
  http.Get("/about.json", "Connection: close\r\n");
  EXPECT_EQ(http.ReadStatus(), 200);
  const std::string about = http.ReadRest();
  EXPECT_TRUE(absl::StrContains(about, engine_->fingerprint())) << about;
  EXPECT_TRUE(absl::StrContains(about, "addresses")) << about;
}

}  // namespace
}  // namespace tilewarden::services
