// Tiles that an owner draws: judged as they are drawn, kept in the owner's file, in
// force for games that begin later.
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <string>

#include "gmock/gmock.h"
#include "services/base/file_stamp.h"
#include "tests/services/support/engine_fixture.h"
#include "tilewarden/v1/query.grpc.pb.h"
#include "tilewarden/v1/tiles.grpc.pb.h"

namespace tilewarden::services {
namespace {

using testing::HasSubstr;
using TileStub = v1::TileService::Stub;

class TileServiceTest : public EngineTest {
 protected:
  template <typename Method, typename Request, typename Response>
  grpc::Status Ask(Method method, const Request& request, Response* response) {
    grpc::ClientContext context;
    const auto stub = v1::TileService::NewStub(engine_->Channel());
    return (stub.get()->*method)(&context, request, response);
  }

  v1::ListTileDefinitionsResponse List(const std::string& set) {
    v1::ListTileDefinitionsRequest request;
    request.set_tile_set(set);
    v1::ListTileDefinitionsResponse response;
    const auto status = Ask(&TileStub::ListTileDefinitions, request, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return response;
  }

  v1::TileEntry Entry(const std::string& set, const std::string& id) {
    const auto list = List(set);
    for (const v1::TileEntry& entry : list.tiles()) {
      if (entry.definition().id() == id) return entry;
    }
    return {};
  }

  static v1::SaveTileRequest ToSave(const v1::TileDefinition& definition, std::uint32_t copies) {
    v1::SaveTileRequest request;
    *request.mutable_definition() = definition;
    request.set_draw_fields(true);
    request.set_copies(copies);
    return request;
  }

  grpc::Status Save(const v1::TileDefinition& definition, std::uint32_t copies,
                    v1::TileEntry* kept = nullptr) {
    v1::SaveTileResponse response;
    const auto status = Ask(&TileStub::SaveTile, ToSave(definition, copies), &response);
    if (kept != nullptr) *kept = response.tile();
    return status;
  }

  v1::CheckTileResponse CheckDrawn(const v1::TileDefinition& definition, bool draw_fields,
                                   std::uint32_t copies = 0) {
    v1::CheckTileRequest request;
    *request.mutable_definition() = definition;
    request.set_draw_fields(draw_fields);
    request.set_copies(copies);
    v1::CheckTileResponse response;
    const auto status = Ask(&TileStub::CheckTile, request, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return response;
  }

  v1::TileType DrawnIn(const std::string& tile_set, const std::string& game,
                       const std::string& tile) {
    v1::GetTileSetRequest request;
    request.set_tile_set(tile_set);
    request.set_game_id(game);
    v1::GetTileSetResponse response;
    const auto status = Call(&v1::GameService::Stub::GetTileSet, request, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    for (const v1::TileType& type : response.tiles()) {
      if (type.id() == tile) return type;
    }
    return {};
  }

  std::string NewGameOf(const std::string& tile_set) {
    v1::CreateGameRequest request;
    request.set_request_id(NewId());
    request.set_tile_set(tile_set);
    request.set_place_start_tile(true);
    request.add_players()->set_colour("red");
    v1::CreateGameResponse response;
    const auto status = Call(&v1::GameService::Stub::CreateGame, request, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return response.state().game_id();
  }

  std::string FileText() const {
    std::ifstream in(folder_.path() / "own_tiles.toml");
    return {std::istreambuf_iterator<char>(in), {}};
  }
};

// A monastery in a field, with a road that ends there.
v1::TileDefinition HomeMade() {
  v1::TileDefinition tile;
  tile.set_id("H.1");
  tile.add_segments()->set_kind(v1::SEGMENT_KIND_MONASTERY);
  v1::SegmentDefinition* road = tile.add_segments();
  road->set_kind(v1::SEGMENT_KIND_ROAD);
  road->add_sides(2);
  road->set_road_end("monastery");
  return tile;
}

TEST_F(TileServiceTest, ListsASetWithWhatIsAssumed) {
  const auto tiles = List("cutcassonne");
  ASSERT_EQ(tiles.tiles_size(), 10);
  const v1::TileEntry& first = tiles.tiles(0);
  EXPECT_EQ(first.definition().id(), "C.01");
  EXPECT_TRUE(first.definition().assumed());
  EXPECT_EQ(first.origin(), v1::TILE_ORIGIN_BOX);
  EXPECT_EQ(first.drawing().edges(), "crfr");
  EXPECT_TRUE(first.plain_fields());
  EXPECT_FALSE(Entry("cutcassonne", "C.09").plain_fields());
  EXPECT_EQ(List("home").tiles_size(), 0);
  v1::ListTileDefinitionsRequest unknown;
  unknown.set_tile_set("base.c9");
  v1::ListTileDefinitionsResponse response;
  const auto status = Ask(&TileStub::ListTileDefinitions, unknown, &response);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::NOT_FOUND);
  EXPECT_THAT(status.error_message(), HasSubstr("cutcassonne"));
}

TEST_F(TileServiceTest, JudgesATileAsItIsDrawnAndKeepsNothing) {
  v1::TileDefinition tile = Entry("cutcassonne", "C.04").definition();
  tile.mutable_segments(0)->set_coats_of_arms(1);
  const auto good = CheckDrawn(tile, true);
  EXPECT_EQ(good.fault(), "");
  EXPECT_EQ(good.drawing().segments(0).coats_of_arms(), 1U);
  EXPECT_EQ(good.first_line(), 4U);
  EXPECT_THAT(good.text(), HasSubstr("{ city = \"N\", coats_of_arms = 1 }"));

  // A field that does not say which city it meets at the corner.
  for (auto& segment : *tile.mutable_segments()) segment.clear_borders();
  const auto bad = CheckDrawn(tile, false);
  EXPECT_EQ(bad.fault(),
            "own_tiles.toml:4: tile C.04: field 1 meets city 0 at a corner but is not said to "
            "border it");
  EXPECT_FALSE(bad.has_drawing());
  EXPECT_EQ(FileText(), "");
}

TEST_F(TileServiceTest, WorksTheFieldsOut) {
  const auto drawn = CheckDrawn(HomeMade(), true, 1);
  ASSERT_EQ(drawn.definition().segments_size(), 3);
  EXPECT_EQ(drawn.definition().segments(2).kind(), v1::SEGMENT_KIND_FIELD);
  EXPECT_EQ(drawn.definition().segments(2).half_edges_size(), 8);
  EXPECT_EQ(drawn.drawing().edges(), "ffrf");
}

TEST_F(TileServiceTest, ACorrectionIsForNewGamesAndRunningOnesKeepTheirs) {
  const std::string before = NewGame();
  v1::TileDefinition tile = Entry("base.c1", "B.D").definition();
  tile.mutable_segments(0)->set_coats_of_arms(2);
  v1::TileEntry kept;
  const auto status = Save(tile, 0, &kept);
  ASSERT_TRUE(status.ok()) << status.error_message();
  EXPECT_EQ(kept.origin(), v1::TILE_ORIGIN_CORRECTED);
  EXPECT_EQ(Entry("base.c1", "B.D").origin(), v1::TILE_ORIGIN_CORRECTED);

  const std::string after = NewGame();
  const auto arms = [&](const std::string& game) {
    return DrawnIn("base.c1", game, "B.D").segments(0).coats_of_arms();
  };
  for (int restart = 0; restart < 2; ++restart) {
    EXPECT_EQ(arms(""), 2U);
    EXPECT_EQ(arms(after), 2U);
    EXPECT_EQ(arms(before), 0U);
    EXPECT_EQ(State(before).tile_edition(), "");
    EXPECT_NE(State(after).tile_edition(), "");
    Restart();
  }

  v1::RemoveTileRequest remove;
  remove.set_id("B.D");
  v1::RemoveTileResponse removed;
  ASSERT_TRUE(Ask(&TileStub::RemoveTile, remove, &removed).ok());
  EXPECT_EQ(removed.tile().origin(), v1::TILE_ORIGIN_BOX);
  ASSERT_TRUE(Ask(&TileStub::RemoveTile, remove, &removed).ok()) << "once more";
  Restart();
  EXPECT_EQ(arms(""), 0U);
  EXPECT_EQ(arms(after), 2U);
}

TEST_F(TileServiceTest, HomeMadeTilesAreABoxToJoin) {
  v1::TileEntry kept;
  ASSERT_TRUE(Save(HomeMade(), 3, &kept).ok());
  EXPECT_EQ(kept.origin(), v1::TILE_ORIGIN_HOME_MADE);
  EXPECT_EQ(kept.drawing().count(), 3U);
  EXPECT_EQ(List("home").tiles_size(), 1);

  v1::ListTileSetsResponse sets;
  grpc::ClientContext context;
  ASSERT_TRUE(v1::QueryService::NewStub(engine_->Channel())
                  ->ListTileSets(&context, v1::ListTileSetsRequest(), &sets)
                  .ok());
  bool offered = false;
  for (const auto& set : sets.tile_sets()) {
    if (set.id() == "home") offered = set.addition() && set.tiles() == 3;
  }
  EXPECT_TRUE(offered);

  const std::string game = NewGameOf("base.c1+home");
  EXPECT_EQ(State(game).tiles_left().at("H.1"), 3U);
  EXPECT_EQ(State(NewGame()).tile_edition(), "") << "its box has none of them";
  v1::RemoveTileRequest remove;
  remove.set_id("H.1");
  v1::RemoveTileResponse removed;
  ASSERT_TRUE(Ask(&TileStub::RemoveTile, remove, &removed).ok());
  EXPECT_FALSE(removed.has_tile());
  EXPECT_EQ(List("home").tiles_size(), 0);
  Restart();
  EXPECT_EQ(State(game).tiles_left().at("H.1"), 3U);
}

TEST_F(TileServiceTest, WhatCannotBeIsRefusedAndTheFileStaysAsItWas) {
  ASSERT_TRUE(Save(HomeMade(), 1).ok());
  const std::string before = FileText();
  v1::TileDefinition crossed = HomeMade();
  crossed.mutable_segments(1)->set_coats_of_arms(1);
  const auto refused = Save(crossed, 1);
  EXPECT_EQ(refused.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_THAT(refused.error_message(), HasSubstr("tile H.1: \"coats_of_arms\" is for a city"));

  for (const char* id : {"", "../evil", "a b", "\xC3\xA9", "012345678901234567890123456789012"}) {
    v1::TileDefinition named = HomeMade();
    named.set_id(id);
    EXPECT_EQ(Save(named, 1).error_code(), grpc::StatusCode::INVALID_ARGUMENT) << id;
  }
  v1::TileDefinition word = HomeMade();
  word.mutable_segments(1)->set_road_end("nowhere");
  EXPECT_EQ(Save(word, 1).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  v1::TileDefinition side = HomeMade();
  side.mutable_segments(1)->set_sides(0, 4);
  EXPECT_EQ(Save(side, 1).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  v1::TileDefinition spot = HomeMade();
  spot.mutable_segments(0)->mutable_spot()->set_x(0.0 / 0.0);
  EXPECT_EQ(Save(spot, 1).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(Save(HomeMade(), 101).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(FileText(), before);
}

TEST_F(TileServiceTest, ANewTileTakesNoOthersName) {
  ASSERT_TRUE(Save(HomeMade(), 1).ok());
  for (const char* id : {"H.1", "B.A"}) {
    v1::SaveTileRequest request = ToSave(HomeMade(), 1);
    request.mutable_definition()->set_id(id);
    request.set_new_tile(true);
    v1::SaveTileResponse response;
    const auto status = Ask(&TileStub::SaveTile, request, &response);
    EXPECT_EQ(status.error_code(), grpc::StatusCode::ALREADY_EXISTS);
    EXPECT_THAT(status.error_message(), HasSubstr("choose another name"));
  }
  EXPECT_EQ(Entry("base.c1", "B.A").origin(), v1::TILE_ORIGIN_BOX);
}

TEST_F(TileServiceTest, ANewTileThatIsSavedTwiceWithOneRequestIdIsOneTile) {
  v1::SaveTileRequest request = ToSave(HomeMade(), 2);
  request.set_new_tile(true);
  request.set_request_id("save");
  v1::SaveTileResponse first, again;
  ASSERT_TRUE(Ask(&TileStub::SaveTile, request, &first).ok());
  const std::string text = FileText();
  ASSERT_TRUE(Ask(&TileStub::SaveTile, request, &again).ok());
  EXPECT_EQ(first.SerializeAsString(), again.SerializeAsString());
  EXPECT_EQ(FileText(), text);
  // The id stands for this tile, and the name is taken for everybody else.
  request.set_copies(3);
  EXPECT_EQ(Ask(&TileStub::SaveTile, request, &again).error_code(),
            grpc::StatusCode::INVALID_ARGUMENT);
  request.set_request_id("another");
  EXPECT_EQ(Ask(&TileStub::SaveTile, request, &again).error_code(),
            grpc::StatusCode::ALREADY_EXISTS);
}

TEST_F(TileServiceTest, TilesAreListedPageByPage) {
  const auto all = List("base.c1");
  EXPECT_TRUE(all.next_page_token().empty());
  v1::ListTileDefinitionsRequest request;
  request.set_tile_set("base.c1");
  request.set_page_size(10);
  v1::ListTileDefinitionsResponse together;
  do {
    v1::ListTileDefinitionsResponse page;
    ASSERT_TRUE(Ask(&TileStub::ListTileDefinitions, request, &page).ok());
    EXPECT_LE(page.tiles_size(), 10);
    together.mutable_tiles()->MergeFrom(page.tiles());
    request.set_page_token(page.next_page_token());
  } while (!request.page_token().empty());
  EXPECT_EQ(together.SerializeAsString(), all.SerializeAsString());
}

TEST_F(TileServiceTest, AFileThatSomebodySpoiltIsNamedWithItsLineAndNeverOverwritten) {
  const std::string old = NewGame();
  std::ofstream(folder_.path() / "own_tiles.toml")
      << "format = 1\ncorrection = true\n\n[[tile]]\nid = \"B.D\"\nedges = \"crfx\"\n";
  const auto status = Save(HomeMade(), 1);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::FAILED_PRECONDITION);
  EXPECT_THAT(status.error_message(), HasSubstr("own_tiles.toml:4: tile B.D"));
  EXPECT_THAT(FileText(), HasSubstr("crfx"));
  v1::CreateGameResponse created;
  v1::CreateGameRequest create;
  create.set_request_id(NewId());
  EXPECT_EQ(Call(&v1::GameService::Stub::CreateGame, create, &created).error_code(),
            grpc::StatusCode::FAILED_PRECONDITION);
  Restart();
  EXPECT_EQ(State(old).tiles_size(), 1) << "a running game needs no such file";
}

TEST_F(TileServiceTest, AFileThatChangesHasAnotherStamp) {
  const auto file = folder_.path() / "a.toml";
  const FileStamp none({file});
  EXPECT_TRUE(none.settled());
  std::ofstream(file) << "one";
  const FileStamp written({file});
  EXPECT_NE(written, none);
  EXPECT_FALSE(written.settled()) << "it may change again at the same time by the clock";
  std::ofstream(folder_.path() / "b.toml") << "two";
  EXPECT_NE(FileStamp::OfFolder(folder_.path()), written);
  Stamped<int> kept{written, std::make_shared<const int>(1)};
  EXPECT_FALSE(kept.Is(written));
  kept.stamp = none;
  EXPECT_TRUE(kept.Is(none));
}

TEST_F(TileServiceTest, AFolderThatCannotBeWrittenIsSaid) {
  // A folder in the way stands for a disk that refuses, whoever runs this.
  std::filesystem::create_directories(folder_.path() /
                                      absl::StrCat("own_tiles.toml.new", getpid()));
  const auto status = Save(HomeMade(), 1);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_THAT(status.error_message(), HasSubstr("nothing was changed"));
  EXPECT_EQ(List("home").tiles_size(), 0);
}

}  // namespace
}  // namespace tilewarden::services
