// Every method of every service as everybody who might call it, over a port that
// other machines reach.
#include <map>
#include <set>
#include <sstream>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "google/protobuf/descriptor.h"
#include "grpc/health/v1/health.grpc.pb.h"
#include "grpcpp/generic/generic_stub.h"
#include "services/access/rules.h"
#include "services/base/clock.h"
#include "services/engine_service/engine_server.h"
#include "spdlog/sinks/ostream_sink.h"
#include "spdlog/spdlog.h"
#include "tests/services/access/access_fixture.h"
#include "tests/services/support/camera_server.h"
#include "tilewarden/v1/query.grpc.pb.h"
#include "tilewarden/v1/tiles.grpc.pb.h"

namespace tilewarden::services {
namespace {

using grpc::StatusCode;

// "tilewarden.v1.GameService.PlayTurn" of all services in proto/tilewarden.
std::vector<std::string> AllMethods() {
  std::vector<std::string> methods;
  const std::filesystem::path root(TILEWARDEN_PROTO);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root / "tilewarden")) {
    if (entry.path().extension() != ".proto") continue;
    const auto* file = google::protobuf::DescriptorPool::generated_pool()->FindFileByName(
        entry.path().lexically_relative(root).string());
    EXPECT_NE(file, nullptr) << entry.path() << " is not linked in";
    if (file == nullptr) continue;
    for (int s = 0; s < file->service_count(); ++s) {
      for (int m = 0; m < file->service(s)->method_count(); ++m) {
        methods.push_back(file->service(s)->method(m)->full_name());
      }
    }
  }
  EXPECT_GE(methods.size(), 35u);
  return methods;
}

TEST(AccessRules, EveryMethodHasOneAndOnlyAdminsMayCallAll) {
  for (const std::string& method : AllMethods()) {
    const auto callers = CallersOf(method);
    ASSERT_TRUE(callers.has_value())
        << method << " has no rule: say in services/access/rules.cc who may call it";
    EXPECT_TRUE(callers->Include(v1::ROLE_ADMIN)) << method;
  }
  EXPECT_FALSE(CallersOf("tilewarden.v1.GameService.NoSuchMethod").has_value());
  EXPECT_FALSE(CallersOf("").has_value());
}

// What a role may do, as the contract words it.
TEST(AccessRules, CamerasReportDisplaysReadRefereesCorrect) {
  const auto allowed = [](v1::Role role) {
    std::set<std::string> out;
    for (const std::string& method : AllMethods()) {
      if (CallersOf(method)->Include(role)) out.insert(method.substr(method.rfind('.') + 1));
    }
    return out;
  };
  const std::set<std::string> cameras = {"Pair",     "GetAccess",       "Leave",
                                         "JoinGame", "ReportSightings", "SendPicture"};
  EXPECT_EQ(allowed(v1::ROLE_CAMERA), cameras);
  for (const std::string& method : allowed(v1::ROLE_DISPLAY)) {
    EXPECT_THAT(method,
                testing::AnyOf(testing::StartsWith("Get"), testing::StartsWith("List"),
                               testing::StartsWith("Describe"), testing::StartsWith("Watch"),
                               testing::StartsWith("Preview"), testing::StartsWith("Check"),
                               "ExportGame", "ExportPlayer", "Pair", "Leave", "CallReferee"));
  }
  const auto referees = allowed(v1::ROLE_REFEREE);
  for (const std::string& method : allowed(v1::ROLE_DISPLAY))
    EXPECT_TRUE(referees.contains(method));
  for (const char* method :
       {"PlayTurn", "CorrectTurn", "AnswerQuestion", "EndGame", "CreateGame", "LabelGame",
        "AnswerCall", "LimitThinking", "TakeLook", "KeepBox", "CalibrateCamera"}) {
    EXPECT_TRUE(referees.contains(method)) << method;
  }
  for (const char* method : {"SaveTile", "RemoveTile", "DeleteGame", "CreatePairingCode",
                             "ListDevices", "RevokeDevice", "ReportSightings"}) {
    EXPECT_FALSE(referees.contains(method)) << method;
  }
}

TEST(Guard, AddressesOfPeersAreTold) {
  EXPECT_EQ(AddressOfPeer("ipv4:192.168.1.20:4711"), "192.168.1.20");
  EXPECT_EQ(AddressOfPeer("ipv6:%5B::1%5D:4711"), "::1");
  EXPECT_EQ(AddressOfPeer("ipv6:[2001:db8:1:2:3:4:5:6]:4711"), "2001:db8:1:2::/64");
  EXPECT_EQ(AddressOfPeer("ipv6:[::ffff:10.0.0.7]:80"), "10.0.0.7");
  EXPECT_EQ(AddressOfPeer("unix:/run/socket"), "");
}

TEST_F(AccessTest, EveryMethodAsEveryRole) {
  std::map<v1::Role, std::string> tokens = {{v1::ROLE_UNSPECIFIED, ""}};
  for (const v1::Role role :
       {v1::ROLE_CAMERA, v1::ROLE_DISPLAY, v1::ROLE_REFEREE, v1::ROLE_ADMIN}) {
    tokens[role] = MakeToken(role);
  }
  TestCamera camera;
  CameraServer vision(folder_.path(), engine_->Channel(), &camera);
  int calls = 0;
  for (const std::string& method : AllMethods()) {
    // Vision services answer it, and only on their own machine.
    if (absl::StrContains(method, "VisionService")) continue;
    for (auto [role, token] : tokens) {
      // Whoever leaves needs another token for the next method.
      if (method == "tilewarden.v1.AccessService.Leave" && !token.empty()) token = MakeToken(role);
      // A vision service answers this, to this machine and to its gateway.
      const bool at_camera = absl::StrContains(method, "CameraService") ||
                             absl::StrContains(method, "EnrolmentService") ||
                             absl::StrContains(method, "CalibrationService");
      const auto status = at_camera ? Call(vision.Channel(), method, token, "192.168.1.20")
                                    : Call(channel_, method, token);
      const std::string what = absl::StrCat(method, " as ", v1::Role_Name(role), ": ",
                                            status.error_code(), " ", status.error_message());
      const auto callers = *CallersOf(method);
      if (callers.anyone() || (role != v1::ROLE_UNSPECIFIED && callers.Include(role))) {
        EXPECT_TRUE(LetIn(status)) << what;
        EXPECT_NE(status.error_code(), StatusCode::UNIMPLEMENTED) << what;
      } else {
        EXPECT_EQ(status.error_code(), role == v1::ROLE_UNSPECIFIED ? StatusCode::UNAUTHENTICATED
                                                                    : StatusCode::PERMISSION_DENIED)
            << what;
      }
      ++calls;
    }
  }
  EXPECT_EQ(Call(channel_, "tilewarden.v1.VisionService.GetVisionStatus", tokens[v1::ROLE_ADMIN])
                .error_code(),
            StatusCode::UNIMPLEMENTED);
  EXPECT_GE(calls, 34 * 5);
}

TEST_F(AccessTest, ThisProcessNeedsNothingAndAGatewayWhatItsPageHas) {
  const auto inside = engine_->Channel();
  const std::string method = "tilewarden.v1.GameService.EndGame";
  EXPECT_TRUE(LetIn(Call(inside, method, "")));
  EXPECT_EQ(Call(inside, method, "", "192.168.1.20").error_code(), StatusCode::UNAUTHENTICATED);
  EXPECT_EQ(Call(inside, method, MakeToken(v1::ROLE_DISPLAY), "192.168.1.20").error_code(),
            StatusCode::PERMISSION_DENIED);
  EXPECT_TRUE(LetIn(Call(inside, method, MakeToken(v1::ROLE_REFEREE), "192.168.1.20")));
  // Nonsense as an address lets nobody in either.
  EXPECT_EQ(Call(inside, method, "", "127.0.0.1").error_code(), StatusCode::UNAUTHENTICATED);
}

// It holds no tokens: what the engine service says of a caller holds there too.
TEST_F(AccessTest, AVisionServiceAsksTheEngineWhoCalls) {
  TestCamera camera;
  CameraServer vision(folder_.path(), engine_->Channel(), &camera);
  const std::string method = "tilewarden.v1.EnrolmentService.TakeLook";
  const std::string referee = MakeToken(v1::ROLE_REFEREE);
  EXPECT_TRUE(LetIn(Call(vision.Channel(), method, "")));
  EXPECT_TRUE(LetIn(Call(vision.Channel(), method, referee, "192.168.1.20")));
  ASSERT_TRUE(tokens_->Revoke(referee.substr(3, 10)).ok());
  EXPECT_EQ(Call(vision.Channel(), method, referee, "192.168.1.20").error_code(),
            StatusCode::UNAUTHENTICATED);
  EXPECT_EQ(Call(vision.Channel(), method, "", "192.168.1.20").error_code(),
            StatusCode::UNAUTHENTICATED);
  // Nobody is let in unasked.
  CameraServer alone(folder_.path(), ChannelTo("127.0.0.1:1"), &camera);
  const auto unasked = Call(alone.Channel(), method, MakeToken(v1::ROLE_ADMIN), "192.168.1.20");
  EXPECT_EQ(unasked.error_code(), StatusCode::UNAVAILABLE);
  EXPECT_THAT(unasked.error_message(), testing::HasSubstr("engine service"));
}

TEST_F(AccessTest, RevokedExpiredForgedAndMangledTokensAreRefused) {
  const std::string method = "tilewarden.v1.GameService.ListGames";
  const std::string good = MakeToken(v1::ROLE_DISPLAY), revoked = MakeToken(v1::ROLE_DISPLAY);
  ASSERT_TRUE(tokens_->Revoke(revoked.substr(3, 10)).ok());
  const std::string expired =
      *tokens_->Make({v1::ROLE_DISPLAY, ""}, "", 1, NowMs() - 2 * 86'400'000ll);
  std::string forged = good;
  forged.back() = forged.back() == 'A' ? 'B' : 'A';
  for (const std::string& token : {revoked, expired, forged, good + "x", good.substr(1),
                                   std::string("x"), std::string(4000, 'x')}) {
    EXPECT_EQ(Call(channel_, method, token).error_code(), StatusCode::UNAUTHENTICATED) << token;
  }
  EXPECT_TRUE(LetIn(Call(channel_, method, good)));
}

TEST_F(AccessTest, WrongTokensAreSlowedDownAndGoodOnesAreNot) {
  const std::string method = "tilewarden.v1.GameService.ListGames";
  const std::string good = MakeToken(v1::ROLE_DISPLAY);
  std::string forged = good;
  forged.back() = forged.back() == 'A' ? 'B' : 'A';
  int refused = 0;
  for (int i = 0; i < 40; ++i) {
    const auto code = Call(channel_, method, forged).error_code();
    if (i < 10) {
      EXPECT_EQ(code, StatusCode::UNAUTHENTICATED) << i;
    }
    if (code == StatusCode::RESOURCE_EXHAUSTED) ++refused;
  }
  EXPECT_GT(refused, 0);
  EXPECT_TRUE(LetIn(Call(channel_, method, good)));
  // Nor may this address try codes now, not even a good one.
  const auto code = tokens_->MakeCode({v1::ROLE_DISPLAY, ""}, NowMs());
  EXPECT_EQ(Pair(code->text).error_code(), StatusCode::RESOURCE_EXHAUSTED);
  // Another address that a gateway calls for may.
  EXPECT_EQ(Call(engine_->Channel(), method, forged, "192.168.1.21").error_code(),
            StatusCode::UNAUTHENTICATED);
}

TEST_F(AccessTest, DeniedCallsAreLoggedWithoutTheToken) {
  std::ostringstream log;
  const auto before = spdlog::default_logger();
  spdlog::set_default_logger(std::make_shared<spdlog::logger>(
      "test", std::make_shared<spdlog::sinks::ostream_sink_mt>(log)));
  const std::string display = MakeToken(v1::ROLE_DISPLAY);
  Call(channel_, "tilewarden.v1.GameService.EndGame", display);
  Call(channel_, "tilewarden.v1.GameService.EndGame", "a-wrong-token");
  Call(channel_, "tilewarden.v1.GameService.EndGame", "");
  spdlog::set_default_logger(before);
  const std::string text = log.str();
  EXPECT_EQ(
      absl::StrReplaceAll(text, {{"refused tilewarden.v1.GameService.EndGame from 127.0.0.1", "?"}})
          .size(),
      text.size() -
          3 * (std::string("refused tilewarden.v1.GameService.EndGame from 127.0.0.1").size() - 1))
      << text;
  EXPECT_TRUE(absl::StrContains(text, ", token " + display.substr(3, 10) + ": ")) << text;
  EXPECT_FALSE(absl::StrContains(text, display.substr(14))) << text;
  EXPECT_FALSE(absl::StrContains(text, "a-wrong-token")) << text;
}

TEST_F(AccessTest, OversizedAndMalformedMessagesAreRefused) {
  const std::string token = MakeToken(v1::ROLE_ADMIN);
  const auto send = [&](const std::string& bytes) {
    grpc::GenericStub stub(channel_);
    grpc::ClientContext context;
    context.AddMetadata("authorization", "Bearer " + token);
    grpc::CompletionQueue queue;
    const grpc::Slice slice(bytes);
    const auto call = stub.PrepareUnaryCall(&context, "/tilewarden.v1.GameService/GetGame",
                                            grpc::ByteBuffer(&slice, 1), &queue);
    call->StartCall();
    grpc::ByteBuffer answer;
    grpc::Status status;
    call->Finish(&answer, &status, nullptr);
    void* tag = nullptr;
    bool ok = false;
    queue.Next(&tag, &ok);
    return status;
  };
  EXPECT_EQ(send(std::string(5 << 20, 'x')).error_code(), StatusCode::RESOURCE_EXHAUSTED);
  std::uint32_t random = 1;
  for (int i = 0; i < 500; ++i) {
    std::string bytes;
    for (std::uint32_t n = 1 + (random >> 8) % 200; n > 0; --n) {
      random = random * 1664525u + 1013904223u;
      bytes += static_cast<char>(random >> 24);
    }
    EXPECT_FALSE(send(bytes).ok());
  }
  EXPECT_EQ(send("").error_code(), StatusCode::NOT_FOUND);
}

TEST_F(AccessTest, HealthIsToldToAllAndReflectionToNobodyUnasked) {
  const auto health = grpc::health::v1::Health::NewStub(channel_);
  grpc::ClientContext context;
  grpc::health::v1::HealthCheckResponse response;
  EXPECT_TRUE(health->Check(&context, {}, &response).ok());
  EXPECT_EQ(response.status(), grpc::health::v1::HealthCheckResponse::SERVING);
  EXPECT_EQ(Call(channel_, "grpc.reflection.v1alpha.ServerReflection.ServerReflectionInfo",
                 MakeToken(v1::ROLE_ADMIN))
                .error_code(),
            StatusCode::UNIMPLEMENTED);
}

}  // namespace
}  // namespace tilewarden::services
