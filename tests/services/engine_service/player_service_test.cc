// The people who play: their figures, all that is kept of one, and how it goes.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "services/access/token_file.h"
#include "services/base/clock.h"
#include "services/store/nightly_copies.h"
#include "services/store/sqlite_file.h"
#include "services/table/game_list.h"
#include "tests/services/support/engine_fixture.h"
#include "tests/services/support/eventually.h"
#include "tilewarden/v1/players.grpc.pb.h"
#include "tilewarden/v1/vision.grpc.pb.h"

namespace tilewarden::services {
namespace {

namespace fs = std::filesystem;

class PlayerServiceTest : public EngineTest {
 protected:
  // A game of two, red first; ended after so many turns, unless there are none.
  std::string Begin(const std::string& red, const std::string& blue, const std::string& name = "",
                    int turns = 12) {
    v1::CreateGameRequest request;
    request.set_request_id(NewId());
    request.set_name(name);
    request.set_tile_set("base.c1");
    request.set_place_start_tile(true);
    request.set_by_hand(true);
    request.add_players()->set_colour("red");
    request.add_players()->set_colour("blue");
    request.mutable_players(0)->set_name(red);
    request.mutable_players(1)->set_name(blue);
    v1::CreateGameResponse response;
    EXPECT_TRUE(Call(&v1::GameService::Stub::CreateGame, request, &response).ok());
    const std::string game = response.state().game_id();
    if (turns == 0) return game;
    for (const v1::Turn& turn : SomeTurns(turns)) EXPECT_TRUE(Play(game, turn).has_event());
    End(game);
    return game;
  }
  void End(const std::string& game) {
    v1::EndGameRequest request;
    request.set_request_id(NewId());
    request.set_game_id(game);
    v1::EndGameResponse response;
    EXPECT_TRUE(Call(&v1::GameService::Stub::EndGame, request, &response).ok());
  }
  void GivePoints(const std::string& game, int points, const std::string& reason) {
    v1::ChangePointsRequest request;
    request.set_request_id(NewId());
    request.set_game_id(game);
    request.mutable_change()->set_colour("blue");
    request.mutable_change()->set_points(points);
    request.mutable_change()->set_reason(reason);
    v1::ChangePointsResponse response;
    const auto status = Call(&v1::GameService::Stub::ChangePoints, request, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
  }

  std::unique_ptr<v1::PlayerService::Stub> players() {
    return v1::PlayerService::NewStub(engine_->Channel());
  }
  std::map<std::string, v1::PlayerFigures> List() {
    grpc::ClientContext context;
    v1::ListPlayersResponse response;
    const auto status = players()->ListPlayers(&context, {}, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    EXPECT_EQ(response.games_to_count(), 0U);
    std::map<std::string, v1::PlayerFigures> out;
    for (const auto& player : response.players()) out[player.name()] = player;
    return out;
  }
  grpc::Status Export(const std::string& name, v1::ExportPlayerResponse* response) {
    grpc::ClientContext context;
    v1::ExportPlayerRequest request;
    request.set_name(name);
    return players()->ExportPlayer(&context, request, response);
  }
  grpc::Status Delete(const std::string& name, v1::DeletePlayerResponse* response) {
    grpc::ClientContext context;
    v1::DeletePlayerRequest request;
    request.set_name(name);
    return players()->DeletePlayer(&context, request, response);
  }
  grpc::Status Delete(const std::string& name) {
    v1::DeletePlayerResponse response;
    return Delete(name, &response);
  }

  // The files of the data folder in which these bytes stand, with capitals or without.
  std::vector<std::string> FilesWith(const std::string& text) const {
    std::vector<std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder_.path())) {
      if (!entry.is_regular_file()) continue;
      std::ifstream file(entry.path(), std::ios::binary);
      const std::string bytes(std::istreambuf_iterator<char>(file), {});
      if (HoldsText(bytes, text)) files.push_back(entry.path().filename().string());
    }
    return files;
  }
  static std::uint32_t Best(const v1::GameState& state, const std::string& colour,
                            const std::string& kind) {
    int best = 0;
    for (const auto& item : state.score_items()) {
      if (item.colour() != colour || item.kind().substr(0, item.kind().find('.')) != kind) continue;
      best = std::max(best, item.points());
    }
    return static_cast<std::uint32_t>(best);
  }
};

TEST_F(PlayerServiceTest, FiguresAreThoseOfTheGamesThatEnded) {
  const std::string game = Begin("Anna", "Ben", "", 70);
  Begin("Ben", "", "", 0);
  const v1::GameState state = State(game);
  for (const bool restart : {false, true}) {
    if (restart) Restart();
    const auto people = List();
    ASSERT_EQ(people.size(), 2U);
    for (const auto& player : state.players()) {
      const v1::PlayerFigures& figures = people.at(player.name());
      EXPECT_EQ(figures.games(), 1U);
      EXPECT_EQ(figures.best_points(), player.score());
      EXPECT_EQ(figures.best_road(), Best(state, player.colour(), "road"));
      EXPECT_EQ(figures.best_city(), Best(state, player.colour(), "city"));
      std::uint32_t farms = 0;
      for (const auto& item : state.score_items()) {
        if (item.colour() == player.colour() && item.kind() == "field") {
          farms += static_cast<std::uint32_t>(item.points());
        }
      }
      EXPECT_EQ(figures.farm_points(), farms);
    }
    EXPECT_GT(people.at("Anna").best_road() + people.at("Ben").best_road(), 0U);
    EXPECT_GT(people.at("Anna").best_city() + people.at("Ben").best_city(), 0U);
    EXPECT_EQ(people.at("Anna").wins() + people.at("Ben").wins(),
              state.players(0).score() == state.players(1).score() ? 2U : 1U);
    EXPECT_EQ(people.at("Ben").open_games(), 1U);
  }
}

TEST_F(PlayerServiceTest, APointThatIsPutRightAfterTheEndCounts) {
  const std::string game = Begin("Anna", "Ben");
  const int before = List().at("Ben").best_points();
  GivePoints(game, 400, "forgotten");
  EXPECT_EQ(List().at("Ben").best_points(), before + 400);
  EXPECT_EQ(List().at("Ben").wins(), 1U);
  EXPECT_EQ(List().at("Anna").wins(), 0U);
}

TEST_F(PlayerServiceTest, AGameThatIsDeletedCountsNoLonger) {
  const std::string game = Begin("Anna", "Ben");
  Begin("Ben", "Cleo");
  v1::DeleteGameRequest request;
  request.set_game_id(game);
  v1::DeleteGameResponse response;
  ASSERT_TRUE(Call(&v1::GameService::Stub::DeleteGame, request, &response).ok());
  EXPECT_EQ(List().count("Anna"), 0U);
  EXPECT_EQ(List().at("Ben").games(), 1U);
}

TEST_F(PlayerServiceTest, GamesThatEndedBeforeAreCountedAtTheFirstQuestion) {
  const std::string game = Begin("Anna", "Ben", "", 40);
  const auto before = List();
  // As an earlier version kept it.
  engine_.reset();
  {
    const auto store = OpenSqliteStore(folder_.path() / "games.sqlite");
    ASSERT_TRUE(store.ok());
    auto summary = *SummaryOf((*store)->ListGames(1, 0)->front());
    ASSERT_EQ(summary.results_size(), 2);
    summary.clear_results();
    Change change;
    change.game_id = game;
    change.summary = summary.SerializeAsString();
    ASSERT_TRUE((*store)->Append(change).ok());
  }
  Restart();
  EXPECT_EQ(List().at("Anna").SerializeAsString(), before.at("Anna").SerializeAsString());
  EXPECT_EQ(List().at("Ben").SerializeAsString(), before.at("Ben").SerializeAsString());
  engine_.reset();
  const auto store = OpenSqliteStore(folder_.path() / "games.sqlite");
  EXPECT_EQ(SummaryOf((*store)->ListGames(1, 0)->front())->results_size(), 2) << "they are kept";
}

TEST_F(PlayerServiceTest, AllThatIsKeptOfSomebodyIsExported) {
  const std::string first = Begin("Anna", "Ben", "Anna's evening");
  const std::string second = Begin("Cleo", "Anna", "", 0);
  GivePoints(second, 3, "Anna counted wrong");
  Begin("Annabel", "Ben");
  v1::ExportPlayerResponse all;
  ASSERT_TRUE(Export("Anna", &all).ok());
  EXPECT_EQ(all.figures().games(), 1U);
  EXPECT_EQ(all.figures().open_games(), 1U);
  ASSERT_EQ(all.games_size(), 2);
  EXPECT_EQ(all.games(0).game_id(), second);
  EXPECT_FALSE(all.games(0).ended());
  EXPECT_EQ(all.games(0).colour(), "blue");
  EXPECT_EQ(all.games(1).game_id(), first);
  EXPECT_EQ(all.games(1).game_name(), "Anna's evening");
  EXPECT_EQ(all.games(1).points(), State(first).players(0).score());
  ASSERT_EQ(all.mentions_size(), 2);
  EXPECT_EQ(all.mentions(0).text(), "Anna counted wrong");
  EXPECT_EQ(all.mentions(1).text(), "Anna's evening");
  EXPECT_EQ(Export("Nobody", &all).error_code(), grpc::StatusCode::NOT_FOUND);
  EXPECT_EQ(Export("", &all).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(Export(std::string(161, 'x'), &all).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
}

TEST_F(PlayerServiceTest, ADeletedNameStandsNowhereInTheDataFolder) {
  // Many games, so that rows move between pages.
  std::vector<std::string> ids;
  for (int i = 0; i < 12; ++i) ids.push_back(Begin("Zebulon", "Ben", "", i % 3 == 0 ? 12 : 2));
  const std::string named = Begin("Cleo", "Ben", "Zebulons Abend", 2);
  GivePoints(named, 2, "ZEBULON saw it");
  const std::string open = Begin("Ben", "Zebulon", "", 0);
  v1::LabelGameRequest label;
  label.set_request_id(NewId());
  label.set_game_id(open);
  label.set_name("zebulon again");
  v1::LabelGameResponse labelled;
  ASSERT_TRUE(Call(&v1::GameService::Stub::LabelGame, label, &labelled).ok());
  // A game that is gone, and whose answers are kept.
  v1::DeleteGameRequest gone;
  gone.set_game_id(ids.back());
  v1::DeleteGameResponse deleted;
  ASSERT_TRUE(Call(&v1::GameService::Stub::DeleteGame, gone, &deleted).ok());
  ids.pop_back();
  // A device, and copies of all kinds.
  engine_.reset();
  {
    const auto tokens = TokenFile::Open(folder_.path() / TokenFile::kFile);
    ASSERT_TRUE((*tokens)->Make({v1::ROLE_DISPLAY, ""}, "Zebulon's phone", 3, NowMs()).ok());
    ASSERT_TRUE((*tokens)->Make({v1::ROLE_CAMERA, "zebulon again"}, "Kitchen", 3, NowMs()).ok());
  }
  const fs::path log = folder_.path() / "games.sqlite";
  const auto copy = NightlyCopies::CopyIfDue({log}, NowMs());
  ASSERT_TRUE(copy.ok() && !copy->empty()) << copy.status();
  const auto copied = fs::last_write_time(*copy);
  ASSERT_TRUE(CopySqliteFile(log, folder_.path() / "by hand.sqlite").ok());
  ASSERT_TRUE(RestoreSqliteFile(*copy, log).ok()) << "what was there is kept beside it";
  Restart();
  ASSERT_EQ(FilesWith("Zebulon").size(), 5U) << "the games, three copies and the devices";
  ASSERT_EQ(List().at("Zebulon").games(), 11U);

  Watch watch(games_.get(), open, 0);
  const std::uint64_t seen = watch.Next().state().event_number();
  v1::DeletePlayerResponse response;
  const auto status = Delete("Zebulon", &response);
  ASSERT_TRUE(status.ok()) << status.error_message();
  EXPECT_EQ(response.games(), 13U);
  EXPECT_EQ(response.copies(), 3U);
  EXPECT_EQ(response.left_size(), 0) << response.left(0);
  EXPECT_EQ(FilesWith("Zebulon"), std::vector<std::string>());

  // Who watched is told to watch again, and then hears of it.
  EXPECT_EQ(watch.Finish().error_code(), grpc::StatusCode::UNAVAILABLE);
  Watch again(games_.get(), open, seen);
  const auto event = again.Next().event();
  EXPECT_EQ(event.revised().state().players(1).name(), "blue");
  EXPECT_EQ(event.revised().state().name(), "… again");

  for (const bool restart : {false, true}) {
    if (restart) Restart();
    EXPECT_EQ(List().count("Zebulon"), 0U);
    EXPECT_EQ(List().at("Ben").games(), 12U);
    for (const std::string& id : ids) {
      EXPECT_EQ(State(id).players(0).name(), "red");
      EXPECT_EQ(State(id).players(1).name(), "Ben");
      EXPECT_EQ(State(id).phase(), v1::GAME_PHASE_ENDED);
    }
    EXPECT_EQ(State(named).name(), "… Abend");
  }
  // The copy is good, as old as it was, and says nothing either.
  EXPECT_EQ(fs::last_write_time(*copy), copied);
  const auto opened = OpenSqliteStore(*copy);
  ASSERT_TRUE(opened.ok()) << opened.status();
  EXPECT_EQ((*opened)->ListGames(100, 0)->size(), 13U);
  EXPECT_TRUE((*opened)->ReadLog(ids.front()).ok()) << "its checksums fit";
  EXPECT_EQ(Delete("Zebulon").error_code(), grpc::StatusCode::NOT_FOUND);
}

TEST_F(PlayerServiceTest, OthersStayAsTheyAre) {
  const std::string game = Begin("Anna", "Annabel", "Annabel's evening");
  ASSERT_TRUE(Delete("Anna").ok());
  EXPECT_EQ(State(game).players(0).name(), "red");
  EXPECT_EQ(State(game).players(1).name(), "Annabel");
  EXPECT_EQ(State(game).name(), "Annabel's evening");
  EXPECT_EQ(List().at("Annabel").games(), 1U);
}

TEST_F(PlayerServiceTest, PlayGoesOnWithoutTheName) {
  const std::string game = Begin("Anna", "Ben", "", 0);
  const auto turns = SomeTurns(6);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_TRUE(Play(game, turns[i]).has_event());
  ASSERT_TRUE(Delete("Anna").ok());
  for (std::size_t i = 3; i < 6; ++i) EXPECT_TRUE(Play(game, turns[i]).has_event());
  Restart();
  EXPECT_EQ(State(game).turn(), 6U);
  EXPECT_EQ(State(game).players(0).name(), "red");
}

TEST_F(PlayerServiceTest, ARequestThatIsRepeatedAfterwardsHasNoSecondEffect) {
  v1::CreateGameRequest request;
  request.set_request_id(NewId());
  request.set_place_start_tile(true);
  request.add_players()->set_colour("red");
  request.mutable_players(0)->set_name("Anna");
  v1::CreateGameResponse response;
  ASSERT_TRUE(Call(&v1::GameService::Stub::CreateGame, request, &response).ok());
  ASSERT_TRUE(Delete("Anna").ok());
  EXPECT_TRUE(Call(&v1::GameService::Stub::CreateGame, request, &response).ok());
  EXPECT_FALSE(response.has_state());
  EXPECT_TRUE(List().empty());
}

TEST_F(PlayerServiceTest, ACopyThatIsDamagedIsNamed) {
  Begin("Anna", "Ben");
  fs::create_directories(folder_.path() / "backups");
  const fs::path torn = folder_.path() / "backups" / "games-2026-01-01-0000.sqlite";
  ASSERT_TRUE(CopySqliteFile(folder_.path() / "games.sqlite", torn).ok());
  fs::resize_file(torn, fs::file_size(torn) / 2);
  v1::DeletePlayerResponse response;
  const auto status = Delete("Anna", &response);
  ASSERT_TRUE(status.ok()) << status.error_message();
  ASSERT_EQ(response.left_size(), 1);
  EXPECT_EQ(response.left(0).find("games-2026-01-01-0000.sqlite was not searched"), 0U)
      << response.left(0);
  EXPECT_TRUE(fs::exists(torn)) << "nobody but a person deletes it";
}

TEST_F(PlayerServiceTest, ATextThatHoldsTheWordIsNamed) {
  Begin("Anna", "Ben");
  std::ofstream(folder_.path() / "own_tiles.toml") << "# Anna's tiles\n";
  v1::DeletePlayerResponse response;
  ASSERT_TRUE(Delete("Anna", &response).ok());
  ASSERT_EQ(response.left_size(), 1);
  EXPECT_EQ(response.left(0).find("own_tiles.toml holds this word"), 0U) << response.left(0);
}

TEST_F(PlayerServiceTest, WhoPlaysAloneWinsNothing) {
  const std::string game = Begin("Anna", "", "", 12);
  EXPECT_EQ(List().at("Anna").games(), 1U);
  v1::CreateGameRequest request;
  request.set_request_id(NewId());
  request.set_tile_set("base.c1");
  request.set_place_start_tile(true);
  request.set_by_hand(true);
  request.add_players()->set_colour("red");
  request.mutable_players(0)->set_name("Cleo");
  v1::CreateGameResponse response;
  ASSERT_TRUE(Call(&v1::GameService::Stub::CreateGame, request, &response).ok());
  End(response.state().game_id());
  EXPECT_EQ(List().at("Cleo").games(), 1U);
  EXPECT_EQ(List().at("Cleo").wins(), 0U);
}

TEST_F(PlayerServiceTest, ATableThatACameraFollowsKeepsItsNameUntilItsGameEnds) {
  grpc::ClientContext context;
  v1::JoinGameRequest join;
  join.set_request_id(NewId());
  join.set_name("Anna's table");
  v1::JoinGameResponse joined;
  ASSERT_TRUE(sightings_->JoinGame(&context, join, &joined).ok());
  grpc::ClientContext reporting;
  v1::ReportSightingsResponse response;
  const auto stream = sightings_->ReportSightings(&reporting, &response);
  v1::ReportSightingsRequest request;
  request.set_game_id(joined.game_id());
  request.set_session("camera");
  v1::Sighting* sighting = request.mutable_sighting();
  sighting->set_sequence(1);
  sighting->set_settled(true);
  v1::SightedTile* tile = sighting->add_tiles();
  tile->mutable_cell();
  v1::TileCandidate* candidate = tile->add_candidates();
  candidate->set_tile("B.D");
  candidate->set_probability(0.99);
  ASSERT_TRUE(stream->Write(request));
  ASSERT_TRUE(
      Eventually([&] { return State(joined.game_id()).phase() == v1::GAME_PHASE_PLAYING; }));
  EXPECT_EQ(Delete("Anna").error_code(), grpc::StatusCode::FAILED_PRECONDITION);
  EXPECT_EQ(State(joined.game_id()).name(), "Anna's table");
  stream->WritesDone();
  (void)stream->Finish();
  EXPECT_TRUE(Delete("Anna").ok());
  EXPECT_EQ(State(joined.game_id()).name(), "…'s table");
}

}  // namespace
}  // namespace tilewarden::services
