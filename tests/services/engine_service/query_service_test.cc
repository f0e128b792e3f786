// Questions about games: features, choices, previews, boxes.
#include <algorithm>
#include <map>

#include "gmock/gmock.h"
#include "tests/services/support/engine_fixture.h"
#include "tilewarden/v1/query.grpc.pb.h"

namespace tilewarden::services {
namespace {

class QueryServiceTest : public EngineTest {
 protected:
  QueryServiceTest() : query_(v1::QueryService::NewStub(engine_->Channel())) {}

  template <typename Method, typename Request, typename Response>
  grpc::Status Ask(Method method, const Request& request, Response* response) {
    grpc::ClientContext context;
    return (query_.get()->*method)(&context, request, response);
  }

  std::string PlayedGame(int turns) {
    const std::string game = NewGame();
    for (const v1::Turn& turn : SomeTurns(turns)) {
      EXPECT_TRUE(Play(game, turn).has_event());
    }
    return game;
  }

  v1::PreviewChangeResponse Preview(const v1::PreviewChangeRequest& request) {
    v1::PreviewChangeResponse response;
    const auto status = Ask(&v1::QueryService::Stub::PreviewChange, request, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return response;
  }

  v1::ListChoicesResponse Choices(const std::string& game, std::uint32_t turn) {
    v1::ListChoicesRequest request;
    request.set_game_id(game);
    request.set_turn_number(turn);
    v1::ListChoicesResponse response;
    const auto status = Ask(&v1::QueryService::Stub::ListChoices, request, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return response;
  }

  std::unique_ptr<v1::QueryService::Stub> query_;
};

TEST_F(QueryServiceTest, FeatureTellsOwnerWorthAndWhatStillFits) {
  const std::string game = NewGame();
  v1::Turn turn;  // a road goes on to the east of the start tile
  turn.set_colour("red");
  turn.set_tile("B.U");
  turn.mutable_cell()->set_x(1);
  turn.mutable_deployment()->set_kind(v1::FIGURE_KIND_FOLLOWER);
  const auto played = Play(game, turn);
  ASSERT_TRUE(played.has_event()) << played.refusal().text();
  const v1::GameState state = State(game);
  ASSERT_EQ(state.figures_size(), 1);

  v1::DescribeFeatureRequest request;
  request.set_game_id(game);
  *request.mutable_cell() = state.figures(0).cell();
  request.set_segment(state.figures(0).segment());
  v1::DescribeFeatureResponse feature;
  ASSERT_TRUE(Ask(&v1::QueryService::Stub::DescribeFeature, request, &feature).ok());
  EXPECT_EQ(feature.kind(), v1::SEGMENT_KIND_ROAD);
  EXPECT_FALSE(feature.complete());
  EXPECT_EQ(feature.places_size(), 2);
  EXPECT_THAT(feature.owners(), testing::ElementsAre("red"));
  EXPECT_EQ(feature.worth_now(), 2);
  // At least one more tile at each end.
  EXPECT_EQ(feature.worth_complete(), 4);
  ASSERT_EQ(feature.open_cells_size(), 2);
  for (const v1::OpenCell& open : feature.open_cells()) {
    EXPECT_GT(open.fitting_size(), 5);
    EXPECT_GT(open.chance_next(), 0.2);
    EXPECT_GT(open.chance_round(), open.chance_next());
    EXPECT_LE(open.chance_round(), 1);
  }

  request.set_segment(99);
  EXPECT_EQ(Ask(&v1::QueryService::Stub::DescribeFeature, request, &feature).error_code(),
            grpc::StatusCode::NOT_FOUND);
}

TEST_F(QueryServiceTest, LandCountsForNothingWhileTheRiverIsLaid) {
  v1::CreateGameRequest create;
  create.set_request_id("river");
  create.set_tile_set("base.c2+river1.c2");
  create.add_players()->set_colour("red");
  create.add_players()->set_colour("blue");
  create.set_place_start_tile(true);
  v1::CreateGameResponse created;
  ASSERT_TRUE(Call(&v1::GameService::Stub::CreateGame, create, &created).ok());
  const std::string game = created.state().game_id();
  v1::DescribeFeatureRequest request;
  request.set_game_id(game);
  request.mutable_cell();
  // The source: ten river tiles come first, then the lake, then the land.
  int rivers = 0, land = 0;
  for (std::uint32_t segment = 0; segment < 2; ++segment) {
    request.set_segment(segment);
    v1::DescribeFeatureResponse feature;
    ASSERT_TRUE(Ask(&v1::QueryService::Stub::DescribeFeature, request, &feature).ok());
    for (const v1::OpenCell& open : feature.open_cells()) {
      EXPECT_GT(open.fitting_size(), 0);
      const bool river = feature.kind() == v1::SEGMENT_KIND_RIVER;
      (river ? rivers : land) += 1;
      if (river) {
        EXPECT_EQ(open.chance_next(), 1);
      } else if (open.fitting(0).tile()[0] != 'R') {
        EXPECT_EQ(open.chance_round(), 0);
      }
    }
  }
  EXPECT_EQ(rivers, 1);
  EXPECT_GT(land, 0);
}

TEST_F(QueryServiceTest, TurnsComeBackAsTheyWerePlayed) {
  const auto turns = SomeTurns(12);
  const std::string game = PlayedGame(12);
  v1::ListTurnsRequest request;
  request.set_game_id(game);
  v1::ListTurnsResponse response;
  ASSERT_TRUE(Ask(&v1::QueryService::Stub::ListTurns, request, &response).ok());
  ASSERT_EQ(response.turns_size(), 12);
  for (int i = 0; i < 12; ++i) {
    EXPECT_EQ(response.turns(i).SerializeAsString(),
              turns[static_cast<std::size_t>(i)].SerializeAsString());
  }
}

TEST_F(QueryServiceTest, EveryChoiceForATurnIsOneThatMayBeTaken) {
  const std::string game = PlayedGame(6);
  const auto before = State(game);
  const auto choices = Choices(game, 6);
  ASSERT_GT(choices.choices_size(), 3);
  const auto played = SomeTurns(6).back();
  bool has_own = false;
  int legal = 0;
  for (const v1::Choice& choice : choices.choices()) {
    EXPECT_EQ(choice.probability(), 0) << "no camera looked";
    has_own = has_own || (choice.tile() == played.tile() && choice.rotation() == played.rotation());
    v1::PreviewChangeRequest request;
    request.set_game_id(game);
    request.mutable_correct()->set_turn_number(6);
    v1::Turn* turn = request.mutable_correct()->mutable_turn();
    turn->set_tile(choice.tile());
    turn->set_rotation(choice.rotation());
    *turn->mutable_cell() = played.cell();
    if (choice.deployments_size() > 0) *turn->mutable_deployment() = choice.deployments(0);
    const auto preview = Preview(request);
    ASSERT_TRUE(preview.has_state()) << preview.refusal().text();
    ++legal;
    EXPECT_EQ(preview.state().turn(), 6u);
    EXPECT_EQ(preview.state().tiles(6).tile(), choice.tile());
  }
  EXPECT_TRUE(has_own);
  EXPECT_GT(legal, 3);
  EXPECT_EQ(State(game).DebugString(), before.DebugString()) << "nothing was changed";
}

TEST_F(QueryServiceTest, PreviewIsWhatTheChangeThenDoes) {
  const std::string game = PlayedGame(8);
  v1::PreviewChangeRequest undo;
  undo.set_game_id(game);
  undo.mutable_undo();
  const auto preview = Preview(undo);
  ASSERT_TRUE(preview.has_state());
  EXPECT_EQ(preview.state().turn(), 7u);
  EXPECT_EQ(State(game).turn(), 8u);

  v1::UndoTurnRequest request;
  request.set_request_id(NewId());
  request.set_game_id(game);
  v1::UndoTurnResponse response;
  ASSERT_TRUE(Call(&v1::GameService::Stub::UndoTurn, request, &response).ok());
  v1::GameState expected = response.state();
  v1::GameState shown = preview.state();
  expected.clear_event_number();
  shown.clear_event_number();
  // The turn begins anew when it is taken back, not when somebody only looks.
  expected.clear_clock();
  shown.clear_clock();
  EXPECT_EQ(shown.DebugString(), expected.DebugString());

  v1::PreviewChangeRequest again;
  again.set_game_id(game);
  *again.mutable_play() = SomeTurns(8).back();
  ASSERT_TRUE(Preview(again).has_state());
  EXPECT_EQ(Preview(again).state().turn(), 8u);
}

TEST_F(QueryServiceTest, PreviewTellsWhyAChangeWouldBeRefused) {
  const std::string game = PlayedGame(4);
  v1::PreviewChangeRequest request;
  request.set_game_id(game);
  *request.mutable_play() = SomeTurns(1).front();
  const auto preview = Preview(request);
  ASSERT_TRUE(preview.has_refusal());
  EXPECT_FALSE(preview.refusal().text().empty());

  request.mutable_correct()->set_turn_number(99);
  v1::PreviewChangeResponse response;
  EXPECT_EQ(Ask(&v1::QueryService::Stub::PreviewChange, request, &response).error_code(),
            grpc::StatusCode::OUT_OF_RANGE);
  request.clear_change();
  EXPECT_EQ(Ask(&v1::QueryService::Stub::PreviewChange, request, &response).error_code(),
            grpc::StatusCode::INVALID_ARGUMENT);
}

TEST_F(QueryServiceTest, WhatTheCameraThinksLikelyComesFirst) {
  const std::string game = PlayedGame(3);
  const v1::GameState state = State(game);
  const v1::PlacedTile& last = state.tiles(3);
  grpc::ClientContext context;
  v1::ReportSightingsResponse reported;
  auto stream = sightings_->ReportSightings(&context, &reported);
  for (std::uint64_t i = 1; i <= 3; ++i) {
    v1::ReportSightingsRequest request;
    request.set_game_id(game);
    request.set_session("camera");
    request.mutable_sighting()->set_sequence(i);
    request.mutable_sighting()->set_settled(true);
    for (const v1::PlacedTile& tile : state.tiles()) {
      v1::SightedTile* seen = request.mutable_sighting()->add_tiles();
      *seen->mutable_cell() = tile.cell();
      const bool doubtful = tile.turn() == last.turn();
      v1::TileCandidate* first = seen->add_candidates();
      first->set_tile(tile.tile());
      first->set_rotation(tile.rotation());
      first->set_probability(doubtful ? 0.7 : 0.99);
    }
    ASSERT_TRUE(stream->Write(request));
  }
  stream->WritesDone();
  ASSERT_TRUE(stream->Finish().ok());
  const auto choices = Choices(game, 3);
  ASSERT_GT(choices.choices_size(), 1);
  EXPECT_EQ(choices.choices(0).tile(), last.tile());
  EXPECT_GT(choices.choices(0).probability(), 0.5);
  EXPECT_EQ(choices.choices(choices.choices_size() - 1).probability(), 0);
}

TEST_F(QueryServiceTest, BoxesAndTheRulesOfTheirEditions) {
  v1::ListTileSetsResponse response;
  ASSERT_TRUE(
      Ask(&v1::QueryService::Stub::ListTileSets, v1::ListTileSetsRequest(), &response).ok());
  std::map<std::string, v1::TileSetSummary> sets;
  for (const auto& set : response.tile_sets()) sets[set.id()] = set;
  EXPECT_EQ(sets["base.c1"].tiles(), 72u);
  EXPECT_EQ(sets["base.c1"].preset(), "c1");
  EXPECT_FALSE(sets["base.c1"].addition());
  EXPECT_EQ(sets["base.c2"].preset(), "c2");
  EXPECT_TRUE(sets["river1.c1"].addition());
  EXPECT_TRUE(sets["gingerbread"].addition());
  EXPECT_FALSE(sets["winter"].addition());
  std::map<std::string, v1::RulesPreset> presets;
  for (const auto& preset : response.presets()) presets[preset.name()] = preset;
  EXPECT_EQ(presets["c1"].rules().at("farmers"), "true");
  EXPECT_EQ(presets["ark-2"].rules().at("ark"), "second");
}

}  // namespace
}  // namespace tilewarden::services
