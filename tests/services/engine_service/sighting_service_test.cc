#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <thread>

#include "services/camera/reporter.h"
#include "tests/services/support/engine_fixture.h"

namespace tilewarden::services {
namespace {

// The start tile and, with `tiles` above 1, road tiles east of it, seen clearly.
v1::Sighting Seen(std::uint64_t sequence, int tiles) {
  v1::Sighting sighting;
  sighting.set_sequence(sequence);
  sighting.set_time_ms(static_cast<std::int64_t>(sequence) * 1000);
  sighting.set_settled(true);
  for (int i = 0; i < tiles; ++i) {
    v1::SightedTile* tile = sighting.add_tiles();
    tile->mutable_cell()->set_x(3 + i);
    tile->mutable_cell()->set_y(-2);
    v1::TileCandidate* candidate = tile->add_candidates();
    candidate->set_tile(i == 0 ? "B.D" : "B.U");
    candidate->set_rotation(0);  // both roads run east to west
    candidate->set_probability(0.99);
  }
  return sighting;
}

// The start tile and a monastery south of it with a red figure: a follower, as far as this camera
// was told, and clearly an abbot.
v1::Sighting WithAbbot(std::uint64_t sequence) {
  v1::Sighting sighting = Seen(sequence, 1);
  v1::SightedTile* tile = sighting.add_tiles();
  tile->mutable_cell()->set_x(3);
  tile->mutable_cell()->set_y(-1);
  tile->add_candidates()->set_tile("B.B");
  tile->mutable_candidates(0)->set_probability(0.99);
  v1::SightedFigure* figure = sighting.add_figures();
  *figure->mutable_cell() = tile->cell();
  figure->mutable_foot()->set_x(0.5);
  figure->mutable_foot()->set_y(0.5);
  figure->set_foot_sigma(0.03);
  figure->set_kind(v1::FIGURE_KIND_FOLLOWER);
  figure->add_colours()->set_colour("red");
  figure->mutable_colours(0)->set_probability(0.97);
  figure->set_standing_probability(0.97);
  figure->set_probability(0.99);
  figure->mutable_unexpected()->set_kind(v1::FIGURE_KIND_ABBOT);
  figure->mutable_unexpected()->set_probability(0.99);
  return sighting;
}

// A river's tile alone, for a camera that was told of none until `expected`.
v1::Sighting WithRiverTile(std::uint64_t sequence, const char* type, bool expected) {
  v1::Sighting sighting = Seen(sequence, 1);
  v1::SightedTile* tile = sighting.mutable_tiles(0);
  tile->clear_candidates();
  v1::TileCandidate* candidate = expected ? tile->add_candidates() : tile->add_unexpected();
  candidate->set_tile(type);
  candidate->set_probability(0.99);
  return sighting;
}

class SightingServiceTest : public EngineTest {
 protected:
  grpc::Status Send(const std::vector<v1::ReportSightingsRequest>& requests,
                    v1::ReportSightingsResponse* response) {
    grpc::ClientContext context;
    const auto stream = sightings_->ReportSightings(&context, response);
    for (const auto& request : requests) {
      if (!stream->Write(request)) break;
    }
    stream->WritesDone();
    return stream->Finish();
  }

  v1::ReportSightingsRequest First(const std::string& game, v1::Sighting sighting) {
    v1::ReportSightingsRequest request;
    request.set_game_id(game);
    request.set_session("camera");
    *request.mutable_sighting() = std::move(sighting);
    return request;
  }
};

TEST_F(SightingServiceTest, WithoutAGameANewOneBegins) {
  v1::ReportSightingsResponse response;
  const auto status = Send({First("", Seen(1, 1))}, &response);
  ASSERT_TRUE(status.ok()) << status.error_message();
  EXPECT_EQ(response.accepted(), 1u);
  const auto state = State("");
  EXPECT_EQ(state.game_id(), response.game_id());
  EXPECT_EQ(state.phase(), v1::GAME_PHASE_PLAYING);
  ASSERT_EQ(state.tiles_size(), 1);
  EXPECT_EQ(state.tiles(0).cell().x(), 0);
}

TEST_F(SightingServiceTest, RepeatedSightingsAreSkippedAlsoAfterARestart) {
  v1::ReportSightingsResponse response;
  ASSERT_TRUE(
      Send({First("", Seen(1, 1)), First("", Seen(2, 1)), First("", Seen(2, 1))}, &response).ok());
  EXPECT_EQ(response.accepted(), 2u);
  const std::string game = response.game_id();
  response.Clear();
  ASSERT_TRUE(Send({First(game, Seen(2, 1)), First(game, Seen(3, 2))}, &response).ok());
  EXPECT_EQ(response.accepted(), 1u);
  const auto before = State(game);
  EXPECT_EQ(before.tiles_size(), 2) << before.ShortDebugString();
  Restart();
  response.Clear();
  ASSERT_TRUE(Send({First(game, Seen(1, 1)), First(game, Seen(3, 2))}, &response).ok());
  EXPECT_EQ(response.accepted(), 0u);
  EXPECT_EQ(State(game).ShortDebugString(), before.ShortDebugString());
}

TEST_F(SightingServiceTest, ContradictionsAreRefused) {
  const std::string game = NewGame();
  const auto code = [&](const std::function<void(v1::Sighting*)>& change) {
    v1::Sighting sighting = Seen(1, 1);
    change(&sighting);
    v1::ReportSightingsResponse response;
    return Send({First(game, sighting)}, &response).error_code();
  };
  const auto kWrong = grpc::StatusCode::INVALID_ARGUMENT;
  EXPECT_EQ(code([](auto*) {}), grpc::StatusCode::OK);
  EXPECT_EQ(code([](auto* s) { s->set_sequence(0); }), kWrong);
  EXPECT_EQ(code([](auto* s) { s->set_hand(true); }), kWrong);
  EXPECT_EQ(code([](auto* s) { *s->add_tiles() = s->tiles(0); }), kWrong);
  for (const int far :
       {1 << 30, std::numeric_limits<int>::min(), std::numeric_limits<int>::max()}) {
    EXPECT_EQ(code([far](auto* s) { s->mutable_tiles(0)->mutable_cell()->set_x(far); }), kWrong);
  }
  EXPECT_EQ(
      code([](auto* s) { *s->mutable_tiles(0)->add_candidates() = s->tiles(0).candidates(0); }),
      kWrong);
  EXPECT_EQ(code([](auto* s) { s->mutable_tiles(0)->mutable_candidates(0)->set_rotation(4); }),
            kWrong);
  EXPECT_EQ(code([](auto* s) { s->mutable_tiles(0)->set_yaw_rad(std::nan("")); }), kWrong);
  EXPECT_EQ(code([](auto* s) { s->add_figures()->set_probability(0.5); }), kWrong);
  EXPECT_EQ(State(game).tiles_size(), 1);
}

TEST_F(SightingServiceTest, StreamsThatCannotBeAreToldWhy) {
  v1::ReportSightingsResponse response;
  EXPECT_EQ(Send({First("none", Seen(1, 1))}, &response).error_code(), grpc::StatusCode::NOT_FOUND);
  EXPECT_EQ(Send({}, &response).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  const std::string game = NewGame();
  v1::EndGameRequest end;
  end.set_request_id(NewId());
  end.set_game_id(game);
  v1::EndGameResponse ended;
  ASSERT_TRUE(Call(&v1::GameService::Stub::EndGame, end, &ended).ok());
  EXPECT_EQ(Send({First(game, Seen(1, 1))}, &response).error_code(),
            grpc::StatusCode::FAILED_PRECONDITION);
}

TEST_F(SightingServiceTest, ACameraStaysWithItsTableFromGameToGame) {
  Reporter::Options options;
  options.tile_set = "base.c1";
  Reporter camera(engine_->Channel(), options, {});
  ASSERT_TRUE(camera.Begin().ok());
  const std::string first = camera.game_id();
  ASSERT_TRUE(camera.Report(Seen(1, 1)).ok());
  ASSERT_TRUE(camera.Finish().ok());
  v1::EndGameRequest end;
  end.set_request_id(NewId());
  end.set_game_id(first);
  v1::EndGameResponse ended;
  ASSERT_TRUE(Call(&v1::GameService::Stub::EndGame, end, &ended).ok());
  // It looks on, and nothing comes of that.
  ASSERT_TRUE(camera.Report(Seen(2, 2)).ok());
  ASSERT_TRUE(camera.Finish().ok());
  EXPECT_EQ(camera.game_id(), first);
  EXPECT_EQ(State(first).tiles_size(), 1);
  // One by hand is not its business.
  v1::CreateGameRequest create;
  create.set_request_id(NewId());
  create.set_tile_set("base.c1");
  create.set_by_hand(true);
  v1::CreateGameResponse created;
  ASSERT_TRUE(Call(&v1::GameService::Stub::CreateGame, create, &created).ok());
  EXPECT_TRUE(created.state().by_hand());
  ASSERT_TRUE(camera.Report(Seen(3, 2)).ok());
  ASSERT_TRUE(camera.Finish().ok());
  EXPECT_EQ(camera.game_id(), first);
  Reporter::Options at_start;
  at_start.only_join = true;
  EXPECT_TRUE(absl::IsNotFound(Reporter(engine_->Channel(), at_start, {}).Begin()));

  create.set_request_id(NewId());
  create.set_by_hand(false);
  ASSERT_TRUE(Call(&v1::GameService::Stub::CreateGame, create, &created).ok());
  const std::string next = created.state().game_id();
  // Its stream stays open meanwhile.
  std::uint64_t look = 4;
  while (camera.game_id() == first && look < 200) {
    ASSERT_TRUE(camera.Report(Seen(look++, 1)).ok());
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  EXPECT_EQ(camera.game_id(), next);
  ASSERT_TRUE(camera.Report(Seen(look, 1)).ok());
  ASSERT_TRUE(camera.Finish().ok());
  EXPECT_EQ(State(next).tiles_size(), 1);
}

TEST_F(SightingServiceTest, AnAbbotThatNobodyExpectsChangesTheRulesOnceSomebodySaysSo) {
  Reporter::Options options;
  options.tile_set = "base.c1";
  std::uint64_t look = 1;
  const auto report = [&](Reporter* camera, int looks) {
    for (int i = 0; i < looks; ++i) ASSERT_TRUE(camera->Report(WithAbbot(look++)).ok());
    ASSERT_TRUE(camera->Finish().ok());
  };
  {
    Reporter camera(engine_->Channel(), options, {});
    ASSERT_TRUE(camera.Begin().ok());
    ASSERT_TRUE(camera.Report(Seen(look++, 1)).ok());
    report(&camera, 6);
  }
  const std::string game = State("").game_id();
  const v1::GameState asked = State(game);
  ASSERT_EQ(asked.questions_size(), 1) << asked.ShortDebugString();
  EXPECT_EQ(asked.questions(0).playing_with(), v1::FIGURE_KIND_ABBOT);
  EXPECT_FALSE(asked.questions(0).answers(0).has_turn());
  EXPECT_EQ(asked.rules().at("abbot"), "false");
  Restart();
  ASSERT_EQ(State(game).questions_size(), 1);

  Reporter camera(engine_->Channel(), options, {});
  ASSERT_TRUE(camera.Begin().ok());
  EXPECT_TRUE(camera.special_figures().empty());
  v1::AnswerQuestionRequest yes;
  yes.set_request_id(NewId());
  yes.set_game_id(game);
  yes.set_question_id(asked.questions(0).id());
  v1::AnswerQuestionResponse answered;
  ASSERT_TRUE(Call(&v1::GameService::Stub::AnswerQuestion, yes, &answered).ok());
  EXPECT_EQ(answered.state().rules().at("abbot"), "true");
  report(&camera, 6);
  EXPECT_EQ(camera.special_figures(), std::vector{vision::FigureKind::kAbbot})
      << "the camera is told what to expect";
  Restart();
  const v1::GameState with = State(game);
  EXPECT_EQ(with.rules().at("abbot"), "true");
  EXPECT_EQ(with.undo_playing_with(), v1::FIGURE_KIND_ABBOT);
  EXPECT_EQ(with.questions_size(), 0);
  ASSERT_EQ(with.figures_size(), 1);
  EXPECT_EQ(with.figures(0).kind(), v1::FIGURE_KIND_ABBOT);

  v1::UndoTurnRequest undo;
  undo.set_request_id(NewId());
  undo.set_game_id(game);
  v1::UndoTurnResponse undone;
  ASSERT_TRUE(Call(&v1::GameService::Stub::UndoTurn, undo, &undone).ok());
  EXPECT_EQ(undone.state().rules().at("abbot"), "false");
  EXPECT_EQ(undone.state().figures(0).kind(), v1::FIGURE_KIND_FOLLOWER);
  EXPECT_EQ(undone.state().questions_size(), 1) << "it is asked again";
  EXPECT_EQ(undone.state().turn(), 1U);
  Restart();
  EXPECT_EQ(State(game).rules().at("abbot"), "false");
}

TEST_F(SightingServiceTest, ARiverTileThatNobodyExpectsChangesTheTilesOnceSomebodySaysSo) {
  Reporter::Options options;
  options.tile_set = "base.c1";
  std::uint64_t look = 1;
  const auto report = [&](Reporter* camera, bool expected) {
    for (int i = 0; i < 4; ++i) {
      ASSERT_TRUE(camera->Report(WithRiverTile(look++, "R.spring", expected)).ok());
    }
    ASSERT_TRUE(camera->Finish().ok());
  };
  {
    Reporter camera(engine_->Channel(), options, {});
    ASSERT_TRUE(camera.Begin().ok());
    report(&camera, false);
    EXPECT_EQ(camera.game_tile_set(), "base.c1");
  }
  const std::string game = State("").game_id();
  const v1::GameState asked = State(game);
  ASSERT_EQ(asked.questions_size(), 1) << asked.ShortDebugString();
  ASSERT_EQ(asked.questions(0).answers_size(), 4);
  EXPECT_EQ(asked.questions(0).answers(0).tile_set(), "base.c1+river1.c1");
  EXPECT_EQ(asked.questions(0).answers(3).tile_set(), "");
  EXPECT_FALSE(asked.questions(0).answers(0).has_turn());
  EXPECT_EQ(asked.tiles_size(), 0);
  Restart();
  ASSERT_EQ(State(game).questions_size(), 1);

  v1::AnswerQuestionRequest yes;
  yes.set_request_id(NewId());
  yes.set_game_id(game);
  yes.set_question_id(asked.questions(0).id());
  v1::AnswerQuestionResponse answered;
  ASSERT_TRUE(Call(&v1::GameService::Stub::AnswerQuestion, yes, &answered).ok());
  EXPECT_EQ(answered.state().tile_set(), "base.c1+river1.c1");
  EXPECT_TRUE(answered.state().undo_river());
  Reporter::Options goes_on = options;
  goes_on.game_id = game;
  {
    Reporter camera(engine_->Channel(), goes_on, {});
    ASSERT_TRUE(camera.Begin().ok());
    EXPECT_EQ(camera.game_tile_set(), "base.c1+river1.c1");
    report(&camera, true);
  }
  v1::GameState with = State(game);
  ASSERT_EQ(with.tiles_size(), 1);
  EXPECT_EQ(with.tiles(0).tile(), "R.spring");
  Restart();
  with = State(game);
  EXPECT_EQ(with.tile_set(), "base.c1+river1.c1");
  EXPECT_EQ(with.tiles(0).tile(), "R.spring");
  v1::GetTileSetRequest of_game;
  of_game.set_game_id(game);
  v1::GetTileSetResponse tiles;
  ASSERT_TRUE(Call(&v1::GameService::Stub::GetTileSet, of_game, &tiles).ok());
  EXPECT_EQ(tiles.tile_set(), "base.c1+river1.c1");

  {
    Reporter camera(engine_->Channel(), goes_on, {});
    ASSERT_TRUE(camera.Begin().ok());
    EXPECT_EQ(camera.game_tile_set(), "base.c1+river1.c1");
    v1::UndoTurnRequest undo;
    undo.set_request_id(NewId());
    undo.set_game_id(game);
    v1::UndoTurnResponse undone;
    ASSERT_TRUE(Call(&v1::GameService::Stub::UndoTurn, undo, &undone).ok());
    EXPECT_EQ(undone.state().tile_set(), "base.c1");
    EXPECT_EQ(undone.state().questions_size(), 1) << "it is asked again";
    EXPECT_EQ(undone.state().tiles_size(), 0);
    report(&camera, true);
    EXPECT_EQ(camera.game_tile_set(), "base.c1") << "the camera is told what it may see";
  }
  Restart();
  EXPECT_EQ(State(game).tile_set(), "base.c1");
  EXPECT_EQ(State(game).questions_size(), 1);
}

TEST_F(SightingServiceTest, ACameraOfOneGameAloneIsToldThatItHasEnded) {
  Reporter::Options options;
  options.game_id = NewGame();
  Reporter camera(engine_->Channel(), options, {});
  ASSERT_TRUE(camera.Begin().ok());
  v1::EndGameRequest end;
  end.set_request_id(NewId());
  end.set_game_id(options.game_id);
  v1::EndGameResponse ended;
  ASSERT_TRUE(Call(&v1::GameService::Stub::EndGame, end, &ended).ok());
  ASSERT_TRUE(camera.Report(Seen(1, 1)).ok());
  EXPECT_EQ(camera.Finish().code(), absl::StatusCode::kFailedPrecondition);
}

TEST_F(SightingServiceTest, AReporterBeginsAndGoesOnWithTheSameGame) {
  Reporter::Options options;
  options.tile_set = "base.c1";
  Reporter first(engine_->Channel(), options, {});
  ASSERT_TRUE(first.Begin().ok());
  ASSERT_TRUE(first.Report(Seen(1, 1)).ok());
  ASSERT_TRUE(first.Finish().ok());
  Reporter second(engine_->Channel(), options, {});
  ASSERT_TRUE(second.Begin().ok());
  EXPECT_EQ(second.game_id(), first.game_id());
  options.new_game = true;
  Reporter third(engine_->Channel(), options, {});
  ASSERT_TRUE(third.Begin().ok());
  EXPECT_NE(third.game_id(), first.game_id());
  options = {};
  options.game_id = "none";
  EXPECT_EQ(Reporter(engine_->Channel(), options, {}).Begin().code(), absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace tilewarden::services
