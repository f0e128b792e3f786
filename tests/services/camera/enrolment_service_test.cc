// Enrolment at a running camera, as the page asks for it: looks, a person's words,
// what is kept over a restart, the pack that is read with in the end.
#include <fstream>
#include <set>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "services/client/channel.h"
#include "tests/services/support/camera_server.h"
#include "tests/services/support/laid_truth.h"
#include "tests/services/support/temp_folder.h"
#include "tests/virtual_table/story/still.h"

namespace tilewarden::services {
namespace {

namespace vt = virtual_table;
using testing::HasSubstr;

class EnrolmentServiceTest : public testing::Test {
 protected:
  EnrolmentServiceTest() { Restart(); }
  void Restart() {
    server_ = nullptr;
    server_ = std::make_unique<CameraServer>(folder_.path(), ChannelTo("127.0.0.1:1"), &camera_);
    stub_ = v1::EnrolmentService::NewStub(server_->Channel());
  }
  // So many types of a set lie below the camera.
  void Lay(const std::string& set, std::size_t count) {
    vt::TileBox box(*engine::TileSet::Load(set), 13);
    vt::EnrolmentPlan plan;
    std::set<int> seen;
    for (const auto& card : vt::ShuffledBox(box.tiles(), 5)) {
      if (seen.size() < count && seen.insert(card.first).second) plan.cards.push_back(card);
    }
    plan.any_turn = true;
    plan.size_px = {1280, 720};
    const vt::Still still = vt::MakeEnrolment(plan, &box);
    camera_.picture = still.picture;
    truth_.emplace(still.truth, box.shared_tiles());
  }
  v1::Enrolment Get() {
    grpc::ClientContext context;
    v1::GetEnrolmentResponse response;
    const auto status = stub_->GetEnrolment(&context, {}, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return response.enrolment();
  }
  grpc::Status Look(const std::string& id, const std::string& set = "") {
    v1::TakeLookRequest request;
    request.set_request_id(id);
    request.set_tile_set(set);
    grpc::ClientContext context;
    v1::TakeLookResponse response;
    return stub_->TakeLook(&context, request, &response);
  }
  grpc::Status Drop(std::uint32_t look) {
    v1::DropLookRequest request;
    request.set_look(look);
    grpc::ClientContext context;
    v1::DropLookResponse response;
    return stub_->DropLook(&context, request, &response);
  }
  grpc::Status Name(std::uint32_t number, const std::string& tile, int turns = -1) {
    v1::NameTileRequest request;
    request.set_number(number);
    request.set_tile(tile);
    if (turns >= 0) request.set_turns(static_cast<std::uint32_t>(turns));
    grpc::ClientContext context;
    v1::NameTileResponse response;
    return stub_->NameTile(&context, request, &response);
  }
  grpc::Status Keep() {
    v1::KeepBoxRequest request;
    request.set_licence("CC0-1.0");
    grpc::ClientContext context;
    v1::KeepBoxResponse response;
    return stub_->KeepBox(&context, request, &response);
  }
  static v1::EnrolledTile Tile(const v1::Enrolment& enrolment, std::uint32_t number) {
    for (const auto& tile : enrolment.tiles()) {
      if (tile.number() == number) return tile;
    }
    return {};
  }

  TempFolder folder_;
  TestCamera camera_;
  std::optional<LaidTruth> truth_;
  std::unique_ptr<CameraServer> server_;
  std::unique_ptr<v1::EnrolmentService::Stub> stub_;
};

TEST_F(EnrolmentServiceTest, ABoxIsLearntPutRightAndReadWith) {
  EXPECT_EQ(Get().looks(), 0U);
  EXPECT_EQ(Look("first").error_code(), grpc::StatusCode::FAILED_PRECONDITION);
  Lay("base.c1", 6);
  ASSERT_TRUE(Look("first", "base.c1").ok());
  ASSERT_TRUE(Look("first", "base.c1").ok());
  auto enrolment = Get();
  EXPECT_EQ(enrolment.looks(), 1U) << "the repetition is no second look";
  ASSERT_EQ(enrolment.tiles_size(), 6);
  EXPECT_GE(enrolment.missing_size(), 24 - 6);
  EXPECT_EQ(enrolment.missing(0).found(), 0U) << "types of which there is none come first";
  EXPECT_LT(Tile(enrolment, 1).picture().size(), 16U << 10);

  // A person's word outweighs what is seen, and stays over a restart.
  ASSERT_TRUE(Name(1, "B.X", 2).ok());
  ASSERT_TRUE(Name(2, "").ok());
  for (int restart = 0; restart < 2; ++restart) {
    enrolment = Get();
    EXPECT_EQ(Tile(enrolment, 1).tile(), "B.X");
    EXPECT_EQ(Tile(enrolment, 1).turns(), 2U);
    EXPECT_TRUE(Tile(enrolment, 1).confirmed());
    EXPECT_EQ(Tile(enrolment, 2).tile(), "");
    EXPECT_FALSE(Tile(enrolment, 2).doubtful());
    EXPECT_FALSE(enrolment.kept());
    Restart();
  }
  enrolment = Get();
  for (const auto& tile : enrolment.tiles()) {
    if (tile.doubtful()) {
      EXPECT_EQ(Keep().error_code(), grpc::StatusCode::FAILED_PRECONDITION);
      EXPECT_TRUE(Name(tile.number(), tile.tile()).ok());
    }
  }
  const auto kept = Keep();
  ASSERT_TRUE(kept.ok()) << kept.error_message();
  EXPECT_TRUE(Get().kept());
  EXPECT_EQ(Get().reading_tile_set(), "base.c1");
  ASSERT_NE(camera_.pack, nullptr);
  const auto pack = calibration::ReferencePack::Load(KeptPack(folder_.path()));
  ASSERT_TRUE(pack.ok()) << pack.status();
  EXPECT_EQ(pack->licence, "CC0-1.0");
  ASSERT_EQ(pack->pictures.size(), 5U);
  EXPECT_EQ(pack->pictures[0].tile, "B.X");
}

TEST_F(EnrolmentServiceTest, LooksAddUpAndAreTakenBack) {
  Lay("base.c1", 6);
  ASSERT_TRUE(Look("a").ok());
  ASSERT_TRUE(Name(1, "B.X").ok());
  ASSERT_TRUE(Look("b").ok());
  EXPECT_EQ(Get().tiles_size(), 12);
  EXPECT_EQ(Tile(Get(), 1).tile(), "B.X") << "what a person said stays";
  EXPECT_EQ(Look("c", "base.c2").error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  for (int again = 0; again < 2; ++again) {
    ASSERT_TRUE(Drop(2).ok());
    EXPECT_EQ(Get().tiles_size(), 6) << "a repetition drops no other look";
  }
  ASSERT_TRUE(Drop(1).ok());
  EXPECT_EQ(Get().looks(), 0U);
  Restart();
  EXPECT_EQ(Get().looks(), 0U);
  EXPECT_EQ(Keep().error_code(), grpc::StatusCode::FAILED_PRECONDITION);
}

TEST_F(EnrolmentServiceTest, WhatCannotBeIsToldAndChangesNothing) {
  camera_.picture = cv::Mat(720, 1280, CV_8UC3, cv::Scalar(90, 110, 140));
  EXPECT_THAT(Look("a").error_message(), HasSubstr("no tiles were found: lay them face up"));
  EXPECT_EQ(Look("b", "base.c9").error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(Look(std::string(65, 'x')).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  Lay("river1.c2", 100);
  EXPECT_THAT(Look("c", "base.c1").error_message(), HasSubstr("are not of the set base.c1"));
  EXPECT_EQ(Get().looks(), 0U);
  Lay("base.c1", 6);
  ASSERT_TRUE(Look("d").ok());
  EXPECT_EQ(Name(7, "B.A").error_code(), grpc::StatusCode::NOT_FOUND);
  EXPECT_EQ(Name(1, "B.Z").error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(Name(1, "B.A", 4).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  std::ofstream(folder_.path() / "enrolment" / "tiles.toml") << "format = 7\n";
  Restart();
  grpc::ClientContext context;
  v1::GetEnrolmentResponse response;
  const auto spoilt = stub_->GetEnrolment(&context, {}, &response);
  EXPECT_THAT(spoilt.error_message(), HasSubstr("tiles.toml:1: format must be 1"));
}

}  // namespace
}  // namespace tilewarden::services
