// Devices over a port that other machines reach: codes exchanged for tokens, the list of who is
// in, and what ends for a device that is shut out.
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "services/base/clock.h"
#include "tests/services/access/access_fixture.h"
#include "tests/services/support/eventually.h"

namespace tilewarden::services {
namespace {

using grpc::StatusCode;

TEST_F(AccessTest, ACodeIsExchangedOnceForATokenOfItsRole) {
  const auto code = tokens_->MakeCode({v1::ROLE_DISPLAY, ""}, NowMs());
  v1::PairResponse paired;
  ASSERT_TRUE(Pair(code->text, &paired).ok());
  EXPECT_EQ(paired.role(), v1::ROLE_DISPLAY);
  EXPECT_TRUE(LetIn(Call(channel_, "tilewarden.v1.GameService.ListGames", paired.token())));
  EXPECT_EQ(Call(channel_, "tilewarden.v1.GameService.EndGame", paired.token()).error_code(),
            StatusCode::PERMISSION_DENIED);
  const auto replayed = Pair(code->text);
  EXPECT_EQ(replayed.error_code(), StatusCode::INVALID_ARGUMENT);
  // A code that never was gets the same answer.
  EXPECT_EQ(Pair("0000-0000").error_message(), replayed.error_message());
}

TEST_F(AccessTest, CodesCannotBeGuessedFast) {
  const auto code = tokens_->MakeCode({v1::ROLE_ADMIN, ""}, NowMs());
  int refused = 0;
  for (int i = 0; i < 40; ++i) {
    const auto status = Pair(absl::StrCat(1000 + i, "-", 2000 + i));
    EXPECT_FALSE(status.ok());
    if (status.error_code() == StatusCode::RESOURCE_EXHAUSTED) ++refused;
  }
  EXPECT_GT(refused, 0);
}

TEST_F(AccessTest, ACodeThatIsAskedForTwiceWithOneRequestIdIsOneCode) {
  const std::string admin = MakeToken(v1::ROLE_ADMIN);
  const auto stub = v1::AccessService::NewStub(channel_);
  v1::CreatePairingCodeRequest request;
  request.set_role(v1::ROLE_DISPLAY);
  const auto code = [&](StatusCode expected = StatusCode::OK) {
    grpc::ClientContext context;
    context.AddMetadata(kAuthorization, "Bearer " + admin);
    v1::CreatePairingCodeResponse response;
    EXPECT_EQ(stub->CreatePairingCode(&context, request, &response).error_code(), expected);
    return response.code();
  };
  EXPECT_NE(code(), code());
  request.set_request_id("one");
  const std::string first = code();
  EXPECT_EQ(code(), first);
  EXPECT_TRUE(Pair(first).ok());
  EXPECT_EQ(code(), first) << "the first answer, also when it was used";
  EXPECT_EQ(Pair(first).error_code(), StatusCode::INVALID_ARGUMENT);
  request.set_role(v1::ROLE_ADMIN);
  code(StatusCode::INVALID_ARGUMENT);
  request.set_request_id(std::string(65, 'x'));
  code(StatusCode::INVALID_ARGUMENT);
}

TEST_F(AccessTest, AdminsSeeWhoIsInAndShutDevicesOut) {
  const std::string admin = MakeToken(v1::ROLE_ADMIN);
  const auto code = tokens_->MakeCode({v1::ROLE_DISPLAY, ""}, NowMs());
  v1::PairRequest pair;
  pair.set_code(code->text);
  pair.set_device("Kitchen tablet");
  v1::PairResponse paired;
  const auto stub = v1::AccessService::NewStub(channel_);
  {
    grpc::ClientContext context;
    ASSERT_TRUE(stub->Pair(&context, pair, &paired).ok());
  }
  const auto list = [&] {
    grpc::ClientContext context;
    context.AddMetadata(kAuthorization, "Bearer " + admin);
    v1::ListDevicesResponse response;
    EXPECT_TRUE(stub->ListDevices(&context, {}, &response).ok());
    return response;
  };
  const auto revoke = [&](const std::string& id) {
    grpc::ClientContext context;
    context.AddMetadata(kAuthorization, "Bearer " + admin);
    v1::RevokeDeviceRequest request;
    request.set_id(id);
    v1::RevokeDeviceResponse response;
    return stub->RevokeDevice(&context, request, &response);
  };
  auto in = list();
  ASSERT_EQ(in.devices_size(), 2);
  const v1::Device tablet = in.devices(0);
  EXPECT_EQ(tablet.name(), "Kitchen tablet");
  EXPECT_EQ(tablet.role(), v1::ROLE_DISPLAY);
  EXPECT_FALSE(tablet.asking());
  EXPECT_FALSE(tablet.revoked());
  EXPECT_EQ(tablet.seen_ms(), 0);
  EXPECT_GT(tablet.expires_ms(), tablet.paired_ms());
  EXPECT_TRUE(in.devices(1).asking());

  EXPECT_TRUE(LetIn(Call(channel_, "tilewarden.v1.GameService.ListGames", paired.token())));
  EXPECT_TRUE(revoke(tablet.id()).ok());
  EXPECT_TRUE(revoke(tablet.id()).ok()) << "once more changes nothing";
  EXPECT_EQ(Call(channel_, "tilewarden.v1.GameService.ListGames", paired.token()).error_code(),
            StatusCode::UNAUTHENTICATED);
  in = list();
  ASSERT_EQ(in.devices_size(), 2);
  EXPECT_TRUE(in.devices(0).revoked());
  EXPECT_GT(in.devices(0).seen_ms(), 0);
  EXPECT_EQ(revoke("0000000000").error_code(), StatusCode::NOT_FOUND);
}

TEST_F(AccessTest, ADeviceLeavesByItselfAndOnlyItself) {
  const std::string leaving = MakeToken(v1::ROLE_DISPLAY), other = MakeToken(v1::ROLE_DISPLAY);
  const std::string leave = "tilewarden.v1.AccessService.Leave";
  const std::string list = "tilewarden.v1.GameService.ListGames";
  EXPECT_TRUE(LetIn(Call(channel_, leave, leaving)));
  EXPECT_EQ(Call(channel_, list, leaving).error_code(), StatusCode::UNAUTHENTICATED);
  EXPECT_EQ(Call(channel_, leave, leaving).error_code(), StatusCode::UNAUTHENTICATED);
  EXPECT_TRUE(LetIn(Call(channel_, list, other)));
  EXPECT_EQ(Call(engine_->Channel(), leave, "").error_code(), StatusCode::FAILED_PRECONDITION)
      << "this machine needs no token, so it cannot leave";
}

// Who is on the way is known by the name of the device.
TEST_F(AccessTest, TheRefereeWhoComesFirstIsNamedAndStays) {
  const auto token = [&](const std::string& device) {
    const auto made = tokens_->Make({v1::ROLE_REFEREE, ""}, device, 1, NowMs());
    EXPECT_TRUE(made.ok()) << made.status();
    return *made;
  };
  const std::string anna = token("Anna’s phone"), ben = token("Ben’s phone");
  const auto games = v1::GameService::NewStub(channel_);
  int requests = 0;
  const auto id = [&] { return absl::StrCat("request-", ++requests); };
  v1::CreateGameRequest create;
  create.set_request_id(id());
  create.set_place_start_tile(true);
  v1::CreateGameResponse created;
  {
    grpc::ClientContext context;
    context.AddMetadata(kAuthorization, "Bearer " + anna);
    ASSERT_TRUE(games->CreateGame(&context, create, &created).ok());
  }
  v1::AnswerCallResponse answered;
  const auto answer = [&](const std::string& who, v1::RefereeStep step) {
    grpc::ClientContext context;
    context.AddMetadata(kAuthorization, "Bearer " + who);
    v1::AnswerCallRequest request;
    request.set_request_id(id());
    request.set_game_id(created.state().game_id());
    request.set_step(step);
    return games->AnswerCall(&context, request, &answered);
  };
  ASSERT_TRUE(answer(anna, v1::REFEREE_STEP_COMING).ok());
  EXPECT_EQ(answered.summary().call().referee(), "Anna’s phone");
  const auto late = answer(ben, v1::REFEREE_STEP_COMING);
  EXPECT_EQ(late.error_code(), StatusCode::FAILED_PRECONDITION);
  EXPECT_EQ(late.error_message(), "Anna’s phone is on the way already");
  ASSERT_TRUE(answer(ben, v1::REFEREE_STEP_DONE).ok()) << "another may say that it is done";
  EXPECT_FALSE(answered.summary().has_call());
}

TEST_F(AccessTest, DevicesAreListedPageByPage) {
  const std::string admin = MakeToken(v1::ROLE_ADMIN);
  for (int i = 0; i < 6; ++i) MakeToken(v1::ROLE_DISPLAY);
  const auto stub = v1::AccessService::NewStub(channel_);
  v1::ListDevicesRequest request;
  const auto list = [&](v1::ListDevicesResponse* response) {
    grpc::ClientContext context;
    context.AddMetadata(kAuthorization, "Bearer " + admin);
    return stub->ListDevices(&context, request, response);
  };
  v1::ListDevicesResponse all;
  ASSERT_TRUE(list(&all).ok());
  ASSERT_EQ(all.devices_size(), 7);
  EXPECT_TRUE(all.next_page_token().empty());
  request.set_page_size(3);
  std::vector<std::string> ids;
  do {
    v1::ListDevicesResponse page;
    ASSERT_TRUE(list(&page).ok());
    EXPECT_LE(page.devices_size(), 3);
    for (const v1::Device& device : page.devices()) ids.push_back(device.id());
    request.set_page_token(page.next_page_token());
    // Let in meanwhile: on none of the later pages, and nobody is there twice.
    MakeToken(v1::ROLE_DISPLAY);
  } while (!request.page_token().empty());
  ASSERT_EQ(ids.size(), 7u);
  for (int i = 0; i < 7; ++i) EXPECT_EQ(ids[static_cast<std::size_t>(i)], all.devices(i).id());
  request.set_page_token("0000000000");
  EXPECT_EQ(list(&all).error_code(), StatusCode::INVALID_ARGUMENT);
}

TEST_F(AccessTest, RevokingEndsAWatchAndACamerasStream) {
  const std::string display = MakeToken(v1::ROLE_DISPLAY), camera = MakeToken(v1::ROLE_CAMERA);
  const auto inside = v1::GameService::NewStub(engine_->Channel());
  {
    grpc::ClientContext context;
    v1::CreateGameRequest request;
    request.set_request_id("game");
    v1::CreateGameResponse response;
    ASSERT_TRUE(inside->CreateGame(&context, request, &response).ok());
  }
  grpc::ClientContext watching;
  watching.AddMetadata("authorization", "Bearer " + display);
  const auto games = v1::GameService::NewStub(channel_);
  const auto watch = games->WatchGame(&watching, {});
  v1::WatchGameResponse message;
  ASSERT_TRUE(watch->Read(&message));
  grpc::ClientContext reporting;
  reporting.AddMetadata("authorization", "Bearer " + camera);
  v1::ReportSightingsResponse reported;
  const auto sightings = v1::SightingService::NewStub(channel_);
  const auto report = sightings->ReportSightings(&reporting, &reported);
  v1::ReportSightingsRequest sighting;
  sighting.mutable_sighting()->set_sequence(1);
  ASSERT_TRUE(report->Write(sighting));

  for (const std::string& token : {display, camera}) {
    ASSERT_TRUE(tokens_->Revoke(token.substr(3, 10)).ok());
  }
  while (watch->Read(&message)) {
  }
  EXPECT_EQ(watch->Finish().error_code(), StatusCode::UNAUTHENTICATED);
  for (std::uint64_t i = 2; i < 1000 && report->Write(sighting); ++i) {
    sighting.mutable_sighting()->set_sequence(i);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  report->WritesDone();
  EXPECT_EQ(report->Finish().error_code(), StatusCode::UNAUTHENTICATED);
}

// One camera that opened thousands starved the others.
TEST_F(AccessTest, ACameraHasEightStreamsAtMostAndOthersAreLetIn) {
  const auto inside = v1::GameService::NewStub(engine_->Channel());
  {
    grpc::ClientContext context;
    v1::CreateGameRequest request;
    request.set_request_id("game");
    v1::CreateGameResponse response;
    ASSERT_TRUE(inside->CreateGame(&context, request, &response).ok());
  }
  const auto sightings = v1::SightingService::NewStub(channel_);
  struct Stream {
    grpc::ClientContext context;
    v1::ReportSightingsResponse response;
    std::unique_ptr<grpc::ClientWriter<v1::ReportSightingsRequest>> writer;
    // False: it is refused.
    bool Report() {
      v1::ReportSightingsRequest request;
      request.mutable_sighting()->set_sequence(1);
      return writer->Write(request);
    }
    grpc::Status Finish() {
      writer->WritesDone();
      return writer->Finish();
    }
  };
  const auto open = [&](const std::string& token) {
    auto stream = std::make_unique<Stream>();
    stream->context.AddMetadata("authorization", "Bearer " + token);
    stream->writer = sightings->ReportSightings(&stream->context, &stream->response);
    static_cast<void>(stream->Report());  // a refused one may be closed already
    return stream;
  };
  const std::string camera = MakeToken(v1::ROLE_CAMERA), other = MakeToken(v1::ROLE_CAMERA);
  std::vector<std::unique_ptr<Stream>> eight;
  for (int i = 0; i < 8; ++i) eight.push_back(open(camera));
  EXPECT_TRUE(Eventually([&] {
    // The ninth may have come before one of them.
    for (auto& stream : eight) {
      if (!stream->Report()) stream = open(camera);
    }
    return open(camera)->Finish().error_code() == StatusCode::RESOURCE_EXHAUSTED;
  }));
  const grpc::Status let_in = open(other)->Finish();
  EXPECT_TRUE(let_in.ok()) << let_in.error_message();
  for (const auto& stream : eight) {
    const grpc::Status status = stream->Finish();
    EXPECT_TRUE(status.ok()) << status.error_message();
  }
  EXPECT_TRUE(Eventually([&] { return open(camera)->Finish().ok(); }));
}

TEST_F(AccessTest, ACameraOfATableStaysThere) {
  const auto inside = v1::GameService::NewStub(engine_->Channel());
  v1::CreateGameResponse other;
  {
    grpc::ClientContext context;
    v1::CreateGameRequest request;
    request.set_request_id("game");
    request.set_name("Table 1");
    ASSERT_TRUE(inside->CreateGame(&context, request, &other).ok());
  }
  const std::string camera = MakeToken(v1::ROLE_CAMERA, "Table 3");
  const auto sightings = v1::SightingService::NewStub(channel_);
  const auto join = [&](const std::string& game, const std::string& name, bool new_game,
                        v1::JoinGameResponse* response) {
    grpc::ClientContext context;
    context.AddMetadata("authorization", "Bearer " + camera);
    v1::JoinGameRequest request;
    request.set_request_id(absl::StrCat("join ", game, name, new_game));
    request.set_game_id(game);
    request.set_name(name);
    request.set_new_game(new_game);
    return sightings->JoinGame(&context, request, response);
  };
  v1::JoinGameResponse joined;
  const std::string there = other.state().game_id();
  EXPECT_EQ(join(there, "", false, &joined).error_code(), StatusCode::PERMISSION_DENIED);
  EXPECT_EQ(join("", "Table 1", true, &joined).error_code(), StatusCode::PERMISSION_DENIED);
  ASSERT_TRUE(join("", "", false, &joined).ok());
  const std::string own = joined.game_id();
  EXPECT_NE(own, there);
  ASSERT_TRUE(join("", "", false, &joined).ok());
  EXPECT_EQ(joined.game_id(), own);
  {
    grpc::ClientContext context;
    context.AddMetadata("authorization", "Bearer " + camera);
    v1::ReportSightingsResponse response;
    const auto stream = sightings->ReportSightings(&context, &response);
    v1::ReportSightingsRequest request;
    request.set_game_id(there);
    stream->Write(request);
    stream->WritesDone();
    EXPECT_EQ(stream->Finish().error_code(), StatusCode::PERMISSION_DENIED);
  }
}

}  // namespace
}  // namespace tilewarden::services
