// What the tablet shows of a past turn can be sent back as it is: nothing that was played gets
// lost. Whole games of every box that has something besides tiles and followers.
#include <google/protobuf/util/message_differencer.h>

#include <algorithm>
#include <map>
#include <set>

#include "gmock/gmock.h"
#include "tests/engine/game/random_game.h"
#include "tests/services/support/engine_fixture.h"
#include "tilewarden/v1/query.grpc.pb.h"

namespace tilewarden::services {
namespace {

using google::protobuf::util::MessageDifferencer;

class CorrectionTest : public EngineTest {
 protected:
  CorrectionTest() : query_(v1::QueryService::NewStub(engine_->Channel())) {}

  std::string Begin(const engine::GameConfig& config) {
    v1::CreateGameRequest request;
    request.set_request_id(NewId());
    request.set_tile_set(config.set);
    request.set_preset(config.preset);
    for (const auto& [name, value] : config.options) (*request.mutable_rules())[name] = value;
    request.set_place_start_tile(true);
    request.add_players()->set_colour("red");
    request.add_players()->set_colour("blue");
    v1::CreateGameResponse response;
    const auto status = Call(&v1::GameService::Stub::CreateGame, request, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return response.state().game_id();
  }

  // Plays a game to its end, by hand: the first random one in which such a turn comes up.
  std::string PlayOneWith(const engine::GameConfig& config, bool (*wanted)(const engine::Turn&)) {
    std::vector<engine::Turn> turns;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      turns = RandomGame(config, seed);
      if (std::any_of(turns.begin(), turns.end(), wanted)) break;
    }
    const std::string id = Begin(config);
    const engine::Game game = engine::NewGame(config, 2);
    for (const engine::Turn& turn : turns) {
      const auto played = Play(id, ToProto(turn, game));
      EXPECT_TRUE(played.has_event()) << played.refusal().text();
      if (!played.has_event()) break;
    }
    return id;
  }

  static std::vector<engine::Turn> RandomGame(const engine::GameConfig& config,
                                              std::uint64_t seed) {
    engine::Game game = engine::NewGame(config, 2);
    engine::RandomPlayer player(game, seed);
    while (const auto turn = player.NextTurnOrSetAside(game)) {
      if (game.turns().size() == 150 || !game.Apply(*turn)) break;
    }
    return game.turns();
  }

  std::vector<v1::Turn> Turns(const std::string& game) {
    v1::ListTurnsRequest request;
    request.set_game_id(game);
    v1::ListTurnsResponse response;
    grpc::ClientContext context;
    const auto status = query_->ListTurns(&context, request, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return {response.turns().begin(), response.turns().end()};
  }

  v1::CorrectTurnResponse Correct(const std::string& game, std::size_t number,
                                  const v1::Turn& turn) {
    v1::CorrectTurnRequest request;
    request.set_request_id(NewId());
    request.set_game_id(game);
    request.set_turn_number(static_cast<std::uint32_t>(number));
    *request.mutable_turn() = turn;
    v1::CorrectTurnResponse response;
    const auto status = Call(&v1::GameService::Stub::CorrectTurn, request, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return response;
  }

  std::unique_ptr<v1::QueryService::Stub> query_;
};

// What a box has besides tiles and followers, and a game in which it comes up.
struct Special {
  const char* config;
  bool (*wanted)(const engine::Turn&);
};
constexpr Special kSpecials[] = {
    {"abbot", [](const engine::Turn& turn) { return turn.recall.has_value(); }},
    {"gingerbread man", [](const engine::Turn& turn) { return turn.gingerbread.size() > 1; }},
    {"river shuffled", [](const engine::Turn& turn) { return turn.set_aside; }},
    {"a second table", [](const engine::Turn& turn) { return turn.purchase.has_value(); }},
    {"ark German edition", [](const engine::Turn& turn) { return turn.ark_path.size() > 1; }}};

std::vector<std::string> FieldsOf(const v1::Turn& turn) {
  std::vector<const google::protobuf::FieldDescriptor*> fields;
  turn.GetReflection()->ListFields(turn, &fields);
  std::vector<std::string> names;
  for (const auto* field : fields) names.emplace_back(field->name());
  return names;
}

TEST_F(CorrectionTest, ATurnThatIsSentBackAsItWasShownChangesNothing) {
  std::set<std::string> met;
  for (const Special& special : kSpecials) {
    SCOPED_TRACE(special.config);
    const auto& all = engine::AllConfigs();
    const auto config = std::find_if(all.begin(), all.end(),
                                     [&](const auto& one) { return one.name == special.config; });
    ASSERT_NE(config, all.end());
    const std::string game = PlayOneWith(*config, special.wanted);
    const std::vector<v1::Turn> turns = Turns(game);
    v1::GameState before = State(game);
    before.clear_event_number();
    std::map<std::string, int> corrected;
    for (std::size_t i = 0; i < turns.size(); ++i) {
      // Twice is enough for each field.
      bool wanted = false;
      for (const std::string& field : FieldsOf(turns[i])) wanted |= ++corrected[field] <= 2;
      if (!wanted) continue;
      auto response = Correct(game, i + 1, turns[i]);
      ASSERT_TRUE(response.has_state()) << response.refusal().text() << "\n"
                                        << turns[i].DebugString();
      response.mutable_state()->clear_event_number();
      ASSERT_TRUE(MessageDifferencer::Equals(response.state(), before)) << "turn " << i + 1 << "\n"
                                                                        << turns[i].DebugString();
    }
    for (const auto& [field, times] : corrected) met.insert(field);
    const std::vector<v1::Turn> after = Turns(game);
    ASSERT_EQ(after.size(), turns.size());
    for (std::size_t i = 0; i < turns.size(); ++i) {
      EXPECT_TRUE(MessageDifferencer::Equals(after[i], turns[i]))
          << turns[i].DebugString() << "became\n"
          << after[i].DebugString();
    }
  }
  // The games had all that a turn can have.
  EXPECT_EQ(met.size(), static_cast<std::size_t>(v1::Turn::descriptor()->field_count()))
      << testing::PrintToString(met);
}

}  // namespace
}  // namespace tilewarden::services
