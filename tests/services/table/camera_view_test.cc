// What a table's camera does and last saw, as people are told.
#include "tests/services/support/engine_fixture.h"
#include "tilewarden/v1/query.grpc.pb.h"

namespace tilewarden::services {
namespace {

// The start tile and a road east of it, as a camera sees them that is turned by
// `turned` quarter turns, with a picture of one cell around them.
v1::Sighting Seen(std::uint64_t sequence, int turned) {
  v1::Sighting sighting;
  sighting.set_sequence(sequence);
  sighting.set_settled(true);
  for (int i = 0; i < 2; ++i) {
    v1::SightedTile* tile = sighting.add_tiles();
    // Clockwise in the camera's view: east becomes south.
    tile->mutable_cell()->set_x(turned == 1 ? 5 : 5 + i);
    tile->mutable_cell()->set_y(turned == 1 ? 7 + i : 7);
    v1::TileCandidate* candidate = tile->add_candidates();
    candidate->set_tile(i == 0 ? "B.D" : "B.U");
    candidate->set_rotation(static_cast<std::uint32_t>(turned));
    candidate->set_probability(i == 0 ? 0.99 : 0.4);
    for (int corner = 0; corner < 4; ++corner) {
      v1::Point* at = tile->add_corners_px();
      at->set_x(corner == 1 || corner == 2 ? 80 : 0);
    }
  }
  v1::TopView* view = sighting.mutable_top_view();
  view->set_jpeg("a picture");
  view->mutable_corner()->set_x(4);
  view->mutable_corner()->set_y(6);
  view->set_columns(turned == 1 ? 3 : 4);
  view->set_rows(turned == 1 ? 4 : 3);
  return sighting;
}

class CameraViewTest : public EngineTest {
 protected:
  v1::GetCameraViewResponse View(const std::string& game, bool picture) {
    v1::GetCameraViewRequest request;
    request.set_game_id(game);
    request.set_picture(picture);
    v1::GetCameraViewResponse response;
    grpc::ClientContext context;
    const auto status =
        v1::QueryService::NewStub(engine_->Channel())->GetCameraView(&context, request, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return response;
  }

  grpc::Status Report(const std::string& game, const v1::Sighting& sighting,
                      const std::string& tile_set = "") {
    v1::ReportSightingsRequest request;
    request.set_tile_set(tile_set);
    request.set_game_id(game);
    request.set_session("camera");
    *request.mutable_sighting() = sighting;
    grpc::ClientContext context;
    v1::ReportSightingsResponse response;
    const auto stream = sightings_->ReportSightings(&context, &response);
    stream->Write(request);
    stream->WritesDone();
    return stream->Finish();
  }
};

TEST_F(CameraViewTest, WithoutACameraNothingIsKnown) {
  const v1::GetCameraViewResponse view = View(NewGame(), true);
  EXPECT_FALSE(view.connected());
  EXPECT_EQ(view.sightings(), 0U);
  EXPECT_FALSE(view.has_board_picture());
}

TEST_F(CameraViewTest, TellsOnTheBoardWhatOfItWasNotRead) {
  const std::string game = NewGame();
  v1::Sighting sighting = Seen(1, 1);
  v1::NotRead* part = sighting.add_not_read();
  part->set_why(v1::NOT_READ_WHY_CUT_BY_BORDER);
  part->mutable_cell()->set_x(5);  // before the start tile: the camera is turned
  part->mutable_cell()->set_y(6);
  ASSERT_TRUE(Report(game, sighting).ok());
  const v1::GetCameraViewResponse view = View(game, false);
  ASSERT_EQ(view.not_read_size(), 1);
  EXPECT_EQ(view.not_read(0).why(), v1::NOT_READ_WHY_CUT_BY_BORDER);
  EXPECT_EQ(view.not_read(0).cell().x(), -1);
  EXPECT_EQ(view.not_read(0).cell().y(), 0);
  // It holds until the next look.
  ASSERT_TRUE(Report(game, Seen(2, 1)).ok());
  EXPECT_EQ(View(game, false).not_read_size(), 0);
}

TEST_F(CameraViewTest, TellsWhatTheLastLookShowed) {
  const std::string game = NewGame();
  ASSERT_TRUE(Report(game, Seen(1, 0)).ok());
  const v1::GetCameraViewResponse view = View(game, false);
  EXPECT_FALSE(view.connected()) << "its stream has ended";
  EXPECT_EQ(view.sightings(), 1U);
  EXPECT_GE(view.age_ms(), 0);
  EXPECT_LT(view.age_ms(), 60'000);
  EXPECT_TRUE(view.settled());
  EXPECT_EQ(view.tiles(), 2U);
  EXPECT_EQ(view.unsure_tiles(), 1U);
  EXPECT_TRUE(view.on_board());
  EXPECT_DOUBLE_EQ(view.tile_px(), 80);
  EXPECT_FALSE(view.has_board_picture()) << "it was not asked for";
}

TEST_F(CameraViewTest, AMovedCameraIsTold) {
  const std::string game = NewGame();
  ASSERT_TRUE(Report(game, Seen(1, 0)).ok());
  EXPECT_FALSE(View(game, false).has_moved_age_ms());
  v1::Sighting moved = Seen(2, 0);
  moved.set_camera_moved(true);
  ASSERT_TRUE(Report(game, moved).ok());
  ASSERT_TRUE(Report(game, Seen(3, 0)).ok());
  ASSERT_TRUE(View(game, false).has_moved_age_ms());
  EXPECT_GE(View(game, false).moved_age_ms(), 0);
  EXPECT_LT(View(game, false).moved_age_ms(), 60'000);
}

TEST_F(CameraViewTest, AnOpenStreamIsAConnectedCamera) {
  const std::string game = NewGame();
  v1::ReportSightingsRequest request;
  request.set_game_id(game);
  request.set_session("camera");
  *request.mutable_sighting() = Seen(1, 0);
  grpc::ClientContext context;
  v1::ReportSightingsResponse response;
  const auto stream = sightings_->ReportSightings(&context, &response);
  ASSERT_TRUE(stream->Write(request));
  for (int i = 0; i < 500 && View(game, false).sightings() == 0; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_TRUE(View(game, false).connected());
  stream->WritesDone();
  ASSERT_TRUE(stream->Finish().ok());
  EXPECT_FALSE(View(game, false).connected());
}

TEST_F(CameraViewTest, APictureThatComesAfterItsSightingIsOfThatSighting) {
  const std::string game = NewGame();
  grpc::ClientContext context;
  v1::ReportSightingsResponse response;
  const auto stream = sightings_->ReportSightings(&context, &response);
  v1::ReportSightingsRequest request;
  request.set_game_id(game);
  request.set_session("camera");
  *request.mutable_sighting() = Seen(1, 0);
  request.mutable_sighting()->clear_top_view();
  ASSERT_TRUE(stream->Write(request));
  *request.mutable_sighting() = Seen(1, 0);
  ASSERT_TRUE(stream->Write(request));
  stream->WritesDone();
  ASSERT_TRUE(stream->Finish().ok());
  EXPECT_EQ(response.accepted(), 1U);
  EXPECT_EQ(View(game, false).sightings(), 1U);
  EXPECT_EQ(View(game, true).board_picture().jpeg(), "a picture");
}

TEST_F(CameraViewTest, TheBoxIsTheOneOfTheCameraThatReportedLast) {
  const auto recognised = [&]() -> v1::ListTileSetsResponse {
    v1::ListTileSetsResponse response;
    grpc::ClientContext context;
    EXPECT_TRUE(v1::QueryService::NewStub(engine_->Channel())
                    ->ListTileSets(&context, v1::ListTileSetsRequest(), &response)
                    .ok());
    return response;
  };
  EXPECT_FALSE(recognised().has_recognised());
  ASSERT_TRUE(Report(NewGame(), Seen(1, 0), "base.c1").ok());
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  ASSERT_TRUE(Report(NewGame(), Seen(1, 0), "base.c2+river1.c2").ok());
  const v1::RecognisedBox box = recognised().recognised();
  EXPECT_EQ(box.tile_set(), "base.c2+river1.c2");
  EXPECT_FALSE(box.connected());
  EXPECT_EQ(box.sure_tiles(), 1U);
  EXPECT_LT(box.age_ms(), 60'000);
}

TEST_F(CameraViewTest, ThePictureLiesOnTheBoardHoweverTheCameraIsTurned) {
  for (const int turned : {0, 1}) {
    const std::string game = NewGame();
    ASSERT_TRUE(Report(game, Seen(1, turned)).ok());
    const v1::BoardPicture picture = View(game, true).board_picture();
    EXPECT_EQ(picture.jpeg(), "a picture");
    // Turned back clockwise, so that the road lies east of the start tile.
    EXPECT_EQ(picture.quarter_turns(), turned == 0 ? 0U : 3U);
    EXPECT_EQ(picture.north_west().x(), -1);
    EXPECT_EQ(picture.north_west().y(), -1);
    EXPECT_EQ(picture.columns(), 4U);
    EXPECT_EQ(picture.rows(), 3U);
  }
}

TEST_F(CameraViewTest, PicturesThatAreTooLargeAreRefusedAndNoneIsKept) {
  const std::string game = NewGame();
  v1::Sighting large = Seen(1, 0);
  large.mutable_top_view()->set_jpeg(std::string(512 * 1024 + 1, 'x'));
  EXPECT_EQ(Report(game, large).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  v1::Sighting wide = Seen(1, 0);
  wide.mutable_top_view()->set_columns(201);
  EXPECT_EQ(Report(game, wide).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  ASSERT_TRUE(Report(game, Seen(1, 0)).ok());
  EXPECT_TRUE(View(game, true).has_board_picture());
  Restart();
  EXPECT_FALSE(View(game, true).has_board_picture());
  EXPECT_EQ(View(game, true).sightings(), 0U);
}

}  // namespace
}  // namespace tilewarden::services
