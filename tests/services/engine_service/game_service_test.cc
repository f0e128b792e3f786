#include "services/engine_service/game_service.h"

#include <chrono>
#include <functional>

#include "absl/strings/match.h"
#include "google/protobuf/util/message_differencer.h"
#include "services/base/request_key.h"
#include "tests/services/support/engine_fixture.h"

namespace tilewarden::services {
namespace {

using Stub = v1::GameService::Stub;

using GameServiceTest = EngineTest;

TEST_F(GameServiceTest, PlayersKeepTheirNamesOverARestart) {
  v1::CreateGameRequest request;
  request.set_request_id(NewId());
  request.set_place_start_tile(true);
  v1::Player* anna = request.add_players();
  anna->set_colour("red");
  anna->set_name("Anna <b>");
  request.add_players()->set_colour("blue");
  v1::CreateGameResponse response;
  ASSERT_TRUE(Call(&v1::GameService::Stub::CreateGame, request, &response).ok());
  Restart();
  for (const v1::GameState& state : {response.state(), State(response.state().game_id())}) {
    EXPECT_EQ(state.players(0).name(), "Anna <b>");
    EXPECT_EQ(state.players(1).name(), "blue") << "the colour until somebody gives a name";
  }

  request.set_request_id(NewId());
  const auto refused = [&] {
    request.set_request_id(NewId());
    return Call(&v1::GameService::Stub::CreateGame, request, &response).error_code() ==
           grpc::StatusCode::INVALID_ARGUMENT;
  };
  anna->set_name(std::string(161, 'x'));
  EXPECT_TRUE(refused());
  anna->set_name("An\x1b[2Jna");
  EXPECT_TRUE(refused()) << "it would steer a terminal";
  anna->clear_name();
  anna->set_colour(std::string(1 << 20, 'x'));
  EXPECT_TRUE(refused());
  anna->set_colour("red");
  request.set_tile_set(std::string(800'000, 'x'));
  EXPECT_TRUE(refused());
}

// What is refused is kept as well, for its repetition: it must not fill the disk.
TEST(RequestKeyTest, IsAsShortForALargeRequest) {
  v1::CreateGameRequest small, large;
  small.set_request_id("id");
  large.set_request_id("id");
  large.set_name(std::string(3'600'000, 'x'));
  const auto a = KeyOf(small), b = KeyOf(large), again = KeyOf(large);
  ASSERT_TRUE(a.ok() && b.ok() && again.ok());
  EXPECT_EQ(b->request.size(), a->request.size());
  EXPECT_LT(b->request.size(), 100U);
  EXPECT_NE(b->request, a->request);
  EXPECT_EQ(b->request, again->request);
}

// Nobody notices but the machine.
TEST(GamesTest, WhatNobodyUsesIsPutAsideAndReadAgain) {
  const TempFolder folder;
  const auto store = OpenSqliteStore((folder.path() / "games.db").string());
  ASSERT_TRUE(store.ok()) << store.status();
  Games games(store->get(), folder.path() / OwnTiles::kFile);
  v1::CreateGameRequest request;
  request.set_place_start_tile(true);
  request.add_players()->set_colour("red");
  auto table = games.Create(request, {});
  ASSERT_TRUE(table.ok()) << table.status();
  const std::string id = (*table)->id();
  const auto state = (*table)->State();
  ASSERT_TRUE(state.ok());
  EXPECT_EQ(games.PutAside(std::chrono::hours(1)), 0U);
  EXPECT_EQ(games.PutAside({}), 0U) << "somebody holds it";
  table->reset();
  EXPECT_EQ(games.PutAside(std::chrono::hours(1)), 0U) << "it was used just now";
  EXPECT_EQ(games.PutAside({}), 1U);
  EXPECT_TRUE(games.open_tables().empty());
  const auto again = games.Find(id);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_TRUE(google::protobuf::util::MessageDifferencer::Equals(*(*again)->State(), *state));
  EXPECT_EQ(games.open_tables().size(), 1U);
}

TEST_F(GameServiceTest, TheSameRequestTwiceIsOneGame) {
  v1::CreateGameRequest request;
  request.set_request_id("one");
  request.set_name("Sunday");
  v1::CreateGameResponse first, second;
  ASSERT_TRUE(Call(&Stub::CreateGame, request, &first).ok());
  ASSERT_TRUE(Call(&Stub::CreateGame, request, &second).ok());
  EXPECT_EQ(first.SerializeAsString().size(), second.SerializeAsString().size());
  EXPECT_EQ(first.state().game_id(), second.state().game_id());
  EXPECT_EQ(first.state().phase(), v1::GAME_PHASE_WAITING);
  v1::ListGamesResponse list;
  ASSERT_TRUE(Call(&Stub::ListGames, v1::ListGamesRequest(), &list).ok());
  EXPECT_EQ(list.games_size(), 1);
  EXPECT_EQ(list.games(0).name(), "Sunday");

  request.set_name("Monday");
  EXPECT_EQ(Call(&Stub::CreateGame, request, &second).error_code(),
            grpc::StatusCode::INVALID_ARGUMENT);
}

// It would take one for the other, and say nothing.
TEST_F(GameServiceTest, LargeFollowersAndProphetsTogetherArePlayedByHandAlone) {
  v1::CreateGameRequest request;
  request.set_request_id(NewId());
  request.set_tile_set("base.c1+inns.c1+traders.c1");
  v1::CreateGameResponse response;
  EXPECT_TRUE(Call(&Stub::CreateGame, request, &response).ok()) << "one of them alone is told";

  request.set_request_id(NewId());
  (*request.mutable_rules())["ark"] = "first";
  const auto status = Call(&Stub::CreateGame, request, &response);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::UNIMPLEMENTED);
  EXPECT_TRUE(absl::StrContains(status.error_message(), "by hand")) << status.error_message();

  request.set_request_id(NewId());
  (*request.mutable_rules())["large_followers"] = "0";
  EXPECT_TRUE(Call(&Stub::CreateGame, request, &response).ok()) << "without the other";
}

TEST_F(GameServiceTest, InnsAndTradersAreToldWithTheirFiguresAndGoods) {
  v1::CreateGameRequest request;
  request.set_request_id(NewId());
  request.set_tile_set("base.c1+inns.c1+traders.c1");
  request.set_by_hand(true);
  request.set_place_start_tile(true);
  request.add_players()->set_colour("red");
  request.add_players()->set_colour("blue");
  v1::CreateGameResponse created;
  ASSERT_TRUE(Call(&Stub::CreateGame, request, &created).ok());
  const std::string game = created.state().game_id();
  const auto supply = [&](v1::FigureKind kind) {
    const v1::GameState state = State(game);
    for (const v1::FigureSupply& of : state.players(0).special_figures()) {
      if (of.kind() == kind) return static_cast<int>(of.count());
    }
    return -1;
  };
  const auto play = [&](const char* tile, int x, int y, unsigned rotation,
                        std::optional<v1::FigureKind> figure, unsigned segment = 0) {
    v1::Turn turn;
    turn.set_tile(tile);
    turn.mutable_cell()->set_x(x);
    turn.mutable_cell()->set_y(y);
    turn.set_rotation(rotation);
    if (figure) {
      turn.mutable_deployment()->set_kind(*figure);
      turn.mutable_deployment()->set_segment(segment);
    }
    const v1::PlayTurnResponse response = Play(game, turn);
    EXPECT_TRUE(response.has_event()) << response.refusal().text();
  };
  for (const auto kind :
       {v1::FIGURE_KIND_LARGE_FOLLOWER, v1::FIGURE_KIND_BUILDER, v1::FIGURE_KIND_PIG}) {
    EXPECT_EQ(supply(kind), 1) << v1::FigureKind_Name(kind);
  }
  // A city of three tiles, one of which shows grain, that red begins and completes.
  play("T.corner_grain", 0, -1, 1, v1::FIGURE_KIND_LARGE_FOLLOWER);
  EXPECT_EQ(supply(v1::FIGURE_KIND_LARGE_FOLLOWER), 0);
  EXPECT_EQ(State(game).figures(0).kind(), v1::FIGURE_KIND_LARGE_FOLLOWER);
  play("B.U", 1, 0, 0, v1::FIGURE_KIND_FOLLOWER);
  play("B.E", 1, -1, 3, std::nullopt);
  EXPECT_EQ(supply(v1::FIGURE_KIND_LARGE_FOLLOWER), 1);
  EXPECT_EQ(State(game).players(0).score(), 6);
  EXPECT_EQ(State(game).players(0).goods().at("grain"), 1U);
  EXPECT_TRUE(State(game).players(1).goods().empty());
  // On his road blue sets his builder, and with the next tile on it he plays twice.
  play("B.U", 2, 0, 0, v1::FIGURE_KIND_BUILDER);
  play("B.U", -1, 0, 0, std::nullopt);
  play("B.U", 3, 0, 0, std::nullopt);
  EXPECT_EQ(State(game).to_move(), "blue");
  // The log keeps them.
  Restart();
  EXPECT_EQ(State(game).to_move(), "blue");
  EXPECT_EQ(State(game).players(0).goods().at("grain"), 1U);
}

TEST_F(GameServiceTest, WrongRequestsAreToldWhatIsWrong) {
  const auto refused = [&](const std::function<void(v1::CreateGameRequest*)>& change) {
    v1::CreateGameRequest request;
    request.set_request_id(NewId());
    change(&request);
    v1::CreateGameResponse response;
    const auto status = Call(&Stub::CreateGame, request, &response);
    EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT) << status.error_message();
    return status.error_message();
  };
  EXPECT_TRUE(absl::StrContains(refused([](auto* r) { r->clear_request_id(); }), "request_id"));
  EXPECT_TRUE(absl::StrContains(refused([](auto* r) { r->set_request_id(std::string(65, 'x')); }),
                                "request_id"));
  EXPECT_TRUE(absl::StrContains(refused([](auto* r) { r->set_tile_set("none"); }), "none"));
  EXPECT_TRUE(absl::StrContains(refused([](auto* r) { r->set_preset("none"); }), "none"));
  EXPECT_TRUE(absl::StrContains(refused([](auto* r) { (*r->mutable_rules())["no_rule"] = "1"; }),
                                "no_rule"));
  EXPECT_TRUE(absl::StrContains(refused([](auto* r) {
                                  for (int i = 0; i < 7; ++i) {
                                    r->add_players()->set_colour(absl::StrCat("c", i));
                                  }
                                }),
                                "players"));
  EXPECT_TRUE(absl::StrContains(refused([](auto* r) {
                                  r->add_players()->set_colour("red");
                                  r->add_players()->set_colour("red");
                                }),
                                "red"));
  EXPECT_TRUE(absl::StrContains(refused([](auto* r) {
                                  r->set_begun(true);
                                  r->set_place_start_tile(true);
                                }),
                                "begun"));
  v1::ListGamesResponse list;
  ASSERT_TRUE(Call(&Stub::ListGames, v1::ListGamesRequest(), &list).ok());
  EXPECT_EQ(list.games_size(), 0);
}

TEST_F(GameServiceTest, ListsPageByPage) {
  for (int i = 0; i < 5; ++i) NewGame();
  v1::ListGamesRequest request;
  request.set_page_size(2);
  std::vector<std::string> seen;
  for (int pages = 0; pages < 10; ++pages) {
    v1::ListGamesResponse page;
    ASSERT_TRUE(Call(&Stub::ListGames, request, &page).ok());
    for (const auto& game : page.games()) seen.push_back(game.game_id());
    request.set_page_token(page.next_page_token());
    if (page.next_page_token().empty()) break;
  }
  EXPECT_EQ(seen.size(), 5u);
  EXPECT_EQ(seen.front(), State("").game_id());
  v1::ListGamesResponse page;
  request.set_page_token("not a token");
  EXPECT_EQ(Call(&Stub::ListGames, request, &page).error_code(),
            grpc::StatusCode::INVALID_ARGUMENT);
}

TEST_F(GameServiceTest, AnIllegalTurnIsAnAnswerAndChangesNothing) {
  const std::string game = NewGame();
  v1::Turn turn = SomeTurns(1)[0];
  turn.mutable_cell()->set_x(7);
  const auto before = State(game);
  const auto response = Play(game, turn);
  ASSERT_TRUE(response.has_refusal());
  EXPECT_EQ(response.refusal().code(), "not-adjacent");
  EXPECT_FALSE(response.refusal().text().empty());
  EXPECT_EQ(State(game).SerializeAsString().size(), before.SerializeAsString().size());
  EXPECT_EQ(State(game).event_number(), before.event_number());
}

TEST_F(GameServiceTest, ARepeatedTurnHasNoSecondEffect) {
  const std::string game = NewGame();
  v1::PlayTurnRequest request;
  request.set_request_id("turn");
  request.set_game_id(game);
  *request.mutable_turn() = SomeTurns(1)[0];
  v1::PlayTurnResponse first, second;
  ASSERT_TRUE(Call(&Stub::PlayTurn, request, &first).ok());
  ASSERT_TRUE(Call(&Stub::PlayTurn, request, &second).ok());
  ASSERT_TRUE(first.has_event());
  EXPECT_EQ(first.event().number(), second.event().number());
  EXPECT_EQ(State(game).turn(), 1u);
  Restart();
  ASSERT_TRUE(Call(&Stub::PlayTurn, request, &second).ok());
  EXPECT_EQ(first.event().number(), second.event().number());
  EXPECT_EQ(State(game).turn(), 1u);
}

TEST_F(GameServiceTest, MalformedTurnsAreRefusedByStatus) {
  const std::string game = NewGame();
  const auto code = [&](const std::function<void(v1::Turn*)>& change) {
    v1::PlayTurnRequest request;
    request.set_request_id(NewId());
    request.set_game_id(game);
    *request.mutable_turn() = SomeTurns(1)[0];
    change(request.mutable_turn());
    v1::PlayTurnResponse response;
    return Call(&Stub::PlayTurn, request, &response).error_code();
  };
  EXPECT_EQ(code([](auto* t) { t->set_tile("B.none"); }), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(code([](auto* t) { t->set_rotation(4); }), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(code([](auto* t) { t->set_colour("mauve"); }), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(code([](auto* t) { t->mutable_deployment()->clear_kind(); }),
            grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(code([](auto* t) {
              t->mutable_deployment()->set_kind(v1::FIGURE_KIND_FOLLOWER);
              t->mutable_deployment()->set_segment(99);
            }),
            grpc::StatusCode::INVALID_ARGUMENT);
}

TEST_F(GameServiceTest, UndoCorrectionAndEndAreEvents) {
  const std::string game = NewGame();
  const auto turns = SomeTurns(6);
  for (const v1::Turn& turn : turns) ASSERT_TRUE(Play(game, turn).has_event());

  v1::UndoTurnRequest undo;
  undo.set_request_id(NewId());
  undo.set_game_id(game);
  v1::UndoTurnResponse undone;
  ASSERT_TRUE(Call(&Stub::UndoTurn, undo, &undone).ok());
  EXPECT_EQ(undone.state().turn(), 5u);

  v1::CorrectTurnRequest correct;
  correct.set_request_id(NewId());
  correct.set_game_id(game);
  correct.set_turn_number(5);
  *correct.mutable_turn() = turns[4];
  correct.mutable_turn()->clear_deployment();
  v1::CorrectTurnResponse corrected;
  const auto status = Call(&Stub::CorrectTurn, correct, &corrected);
  ASSERT_TRUE(status.ok()) << status.error_message();
  EXPECT_TRUE(corrected.has_state());
  correct.set_request_id(NewId());
  correct.set_turn_number(9);
  EXPECT_EQ(Call(&Stub::CorrectTurn, correct, &corrected).error_code(),
            grpc::StatusCode::OUT_OF_RANGE);

  v1::EndGameRequest end;
  end.set_request_id(NewId());
  end.set_game_id(game);
  v1::EndGameResponse ended;
  ASSERT_TRUE(Call(&Stub::EndGame, end, &ended).ok());
  EXPECT_EQ(ended.state().phase(), v1::GAME_PHASE_ENDED);
  for (const auto& player : ended.state().players()) {
    EXPECT_EQ(player.score(), player.live_score());
    int sum = 0;
    for (const auto& item : ended.state().score_items()) {
      if (item.colour() == player.colour()) sum += item.points();
    }
    EXPECT_EQ(player.score(), sum) << player.colour();
  }
  end.set_request_id(NewId());
  EXPECT_EQ(Call(&Stub::EndGame, end, &ended).error_code(), grpc::StatusCode::FAILED_PRECONDITION);
}

TEST_F(GameServiceTest, NothingToUndoIsToldSo) {
  v1::UndoTurnRequest undo;
  undo.set_request_id(NewId());
  undo.set_game_id(NewGame());
  v1::UndoTurnResponse undone;
  EXPECT_EQ(Call(&Stub::UndoTurn, undo, &undone).error_code(),
            grpc::StatusCode::FAILED_PRECONDITION);
}

TEST_F(GameServiceTest, ARestartContinuesTheSameGame) {
  const std::string game = NewGame();
  const auto turns = SomeTurns(10);
  for (int i = 0; i < 7; ++i) Play(game, turns[static_cast<std::size_t>(i)]);
  const auto before = State(game);
  std::vector<std::string> events;
  {
    Watch watch(games_.get(), game, 1);
    for (std::uint64_t n = 2; n <= before.event_number(); ++n) {
      events.push_back(watch.Next().event().ShortDebugString());
    }
  }
  Restart();
  EXPECT_EQ(State(game).ShortDebugString(), before.ShortDebugString());
  Watch watch(games_.get(), game, 1);
  for (const std::string& event : events) {
    EXPECT_EQ(watch.Next().event().ShortDebugString(), event);
  }
  for (std::size_t i = 7; i < turns.size(); ++i) {
    EXPECT_EQ(Play(game, turns[i]).event().number(), before.event_number() + i - 6);
  }
}

TEST_F(GameServiceTest, TileSetsComeWithWhatADisplayDraws) {
  v1::GetTileSetRequest request;
  v1::GetTileSetResponse response;
  ASSERT_TRUE(Call(&Stub::GetTileSet, request, &response).ok());
  EXPECT_EQ(response.tile_set(), "base.c1");
  EXPECT_EQ(response.tiles_size(), 24);
  std::uint32_t total = 0;
  for (const auto& tile : response.tiles()) {
    total += tile.count();
    EXPECT_EQ(tile.edges().size(), 4u);
    for (const auto& segment : tile.segments()) {
      EXPECT_NE(segment.kind(), v1::SEGMENT_KIND_UNSPECIFIED);
      EXPECT_EQ(segment.coat_of_arms_spots_size(), static_cast<int>(segment.coats_of_arms()));
      EXPECT_TRUE(segment.spot().x() >= 0 && segment.spot().x() <= 1);
    }
  }
  EXPECT_EQ(total, 72u);
  request.set_tile_set("none");
  EXPECT_EQ(Call(&Stub::GetTileSet, request, &response).error_code(), grpc::StatusCode::NOT_FOUND);
}

TEST(EngineServer, ASecondOneOnTheSamePortIsToldSo) {
  const TempFolder one, two;
  const auto first = EngineServer::Start({"127.0.0.1:0", one.path()});
  ASSERT_TRUE(first.ok()) << first.status();
  const auto second = EngineServer::Start({(*first)->address(), two.path()});
  EXPECT_EQ(second.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_TRUE(absl::StrContains(second.status().message(), (*first)->address())) << second.status();
}

}  // namespace
}  // namespace tilewarden::services
