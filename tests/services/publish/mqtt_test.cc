// Tables on a broker of MQTT, as a smart home finds them: with a real broker.

#include "services/publish/mqtt.h"

#include <csignal>
#include <fstream>
#include <functional>
#include <set>

#include "absl/strings/match.h"
#include "nlohmann/json.hpp"
#include "services/access/certificate.h"
#include "services/base/clock.h"
#include "services/publish/home_assistant.h"
#include "tests/services/support/engine_fixture.h"
#include "tests/services/support/eventually.h"
#include "tests/services/support/mqtt_broker.h"
#include "tests/services/support/process_fixture.h"

namespace tilewarden::services {
namespace {

using Json = nlohmann::json;

constexpr const char* kStatus = "tilewarden/engine/hall/status";
constexpr const char* kState = "tilewarden/table/Table_3/state";

class MqttTest : public EngineTest {
 protected:
  void Publish(const std::string& url) {
    options_.mqtt.url = url;
    options_.mqtt.client = "hall";
    Restart();
  }
  std::string Url() const { return absl::StrCat("mqtt://127.0.0.1:", port_); }
  void StartBroker() { broker_ = std::make_unique<MqttBrokerProcess>(folder_.path(), port_); }
  // The table's state on the broker, once it holds as many turns.
  Json StateAfter(MqttListener* listener, int turns, const std::string& topic = kState) {
    Json state;
    EXPECT_TRUE(Eventually([&] {
      state = Json::parse(listener->At(topic), nullptr, false);
      return state.is_object() && state["turn"] == turns;
    })) << listener->At(topic);
    return state;
  }

  const int port_ = FreePort();
  std::unique_ptr<MqttBrokerProcess> broker_;
};

TEST_F(MqttTest, ATableIsShownAsItsGameIs) {
  StartBroker();
  Publish(Url());
  const std::string game = NewGame("Table 3");
  for (const v1::Turn& turn : SomeTurns(3)) Play(game, turn);
  MqttListener listener(port_);
  const Json state = StateAfter(&listener, 3);
  const v1::GameState truth = State(game);
  EXPECT_EQ(state["game_id"], game);
  EXPECT_EQ(state["table"], "Table 3");
  EXPECT_EQ(state["event_number"], truth.event_number());
  EXPECT_EQ(state["phase"], "playing");
  EXPECT_EQ(state["over"], false);
  EXPECT_EQ(state["to_move"], truth.to_move());
  EXPECT_EQ(state["scores"]["red"], truth.players(0).score());
  EXPECT_EQ(state["scores"]["blue"], truth.players(1).score());
  // 72 tiles, of which the start tile and three more lie.
  EXPECT_EQ(state["tiles_left"], 68);
  const v1::PlacedTile& last = truth.tiles(3);
  EXPECT_TRUE(absl::StartsWith(std::string(state["last_move"]),
                               absl::StrCat(last.colour(), " laid ", last.tile(), " at (",
                                            last.cell().x(), ", ", last.cell().y(), ")")))
      << state["last_move"];
  EXPECT_EQ(state["findings"], 0);
  EXPECT_EQ(state["questions"], 0);
  EXPECT_EQ(listener.At(kStatus), "online");

  v1::EndGameRequest end;
  end.set_request_id(NewId());
  end.set_game_id(game);
  v1::EndGameResponse ended;
  ASSERT_TRUE(Call(&v1::GameService::Stub::EndGame, end, &ended).ok());
  EXPECT_TRUE(Eventually([&] { return Json::parse(listener.At(kState))["over"] == true; }));
  EXPECT_EQ(Json::parse(listener.At(kState))["scores"]["red"], ended.state().players(0).score());
}

TEST_F(MqttTest, HomeAssistantFindsOneDeviceWithItsEntities) {
  StartBroker();
  Publish(Url());
  const std::string game = NewGame("Table 3");
  MqttListener first(port_);
  const std::string score = "homeassistant/sensor/tilewarden_Table_3/score_blue/config";
  ASSERT_TRUE(Eventually([&] { return !first.At(score).empty(); }));
  // Whoever comes later finds all of it.
  MqttListener listener(port_);
  ASSERT_TRUE(Eventually([&] { return !listener.At(score).empty(); }));
  ASSERT_TRUE(Eventually([&] { return !listener.At(kState).empty(); }));
  std::set<std::string> ids, devices, names;
  for (const auto& [topic, message] : listener.seen()) {
    if (message.payload.empty()) continue;  // takes away what is not there
    EXPECT_TRUE(message.retained) << topic;
    EXPECT_LT(message.payload.size(), 1500u) << topic;
    if (!absl::StartsWith(topic, "homeassistant/")) continue;
    const Json config = Json::parse(message.payload);
    EXPECT_EQ(config["state_topic"], kState);
    EXPECT_EQ(config["availability_topic"], kStatus);
    EXPECT_TRUE(absl::StrContains(std::string(config["value_template"]), "value_json."));
    EXPECT_TRUE(ids.insert(config["unique_id"]).second) << topic;
    devices.insert(config["device"].dump());
    names.insert(config["name"]);
  }
  EXPECT_EQ(devices.size(), 1u);
  const Json device = Json::parse(*devices.begin());
  EXPECT_EQ(device["identifiers"], Json::array({"tilewarden_Table_3"}));
  EXPECT_EQ(device["name"], "Tilewarden Table 3");
  EXPECT_EQ(names, (std::set<std::string>{"Game", "Game over", "Last move", "Open findings",
                                          "Open questions", "Score blue", "Score red", "Tiles left",
                                          "To move", "To sort out", "Turn"}));
  EXPECT_EQ(Json::parse(listener.At(score))["value_template"], "{{ value_json.scores[\"blue\"] }}");
}

TEST_F(MqttTest, ATablesNewestGameIsShownAndItsPlayersAlone) {
  StartBroker();
  Publish(Url());
  const std::string old = NewGame("Table 3");
  MqttListener listener(port_);
  const std::string blue = "homeassistant/sensor/tilewarden_Table_3/score_blue/config";
  ASSERT_TRUE(Eventually([&] { return !listener.At(blue).empty(); }));
  v1::CreateGameRequest request;
  request.set_request_id(NewId());
  request.set_name("Table 3");
  request.set_place_start_tile(true);
  request.add_players()->set_colour("red");
  request.add_players()->set_colour("green");
  v1::CreateGameResponse created;
  ASSERT_TRUE(Call(&v1::GameService::Stub::CreateGame, request, &created).ok());
  EXPECT_TRUE(Eventually([&] { return listener.At(blue).empty(); }));
  // A correction in the old one changes nothing here.
  Play(old, SomeTurns(1)[0]);
  const std::string other = NewGame("Table 4");
  StateAfter(&listener, 0, "tilewarden/table/Table_4/state");
  EXPECT_EQ(Json::parse(listener.At(kState))["game_id"], created.state().game_id());
  // It is found again after a restart, by a broker that has forgotten everything.
  broker_.reset();
  StartBroker();
  listener.Forget();
  Restart();
  EXPECT_EQ(StateAfter(&listener, 0)["game_id"], created.state().game_id());
  EXPECT_EQ(StateAfter(&listener, 0, "tilewarden/table/Table_4/state")["game_id"], other);
}

// A broker kept what was told of every table there ever was.
TEST_F(MqttTest, OfManyTablesTheOldestIsTakenAway) {
  StartBroker();
  Publish(Url());
  MqttListener listener(port_);
  const auto state_of = [&](int table) {
    return listener.At(absl::StrCat("tilewarden/table/Table_", table, "/state"));
  };
  NewGame("Table 1");
  ASSERT_TRUE(Eventually([&] { return !state_of(1).empty(); }));
  for (int table = 2; table <= 65; ++table) NewGame(absl::StrCat("Table ", table));
  EXPECT_TRUE(Eventually([&] { return !state_of(65).empty() && state_of(1).empty(); }));
  EXPECT_FALSE(state_of(2).empty());
  MqttListener later(port_);
  EXPECT_TRUE(Eventually([&] { return !later.At("tilewarden/table/Table_65/state").empty(); }));
  EXPECT_TRUE(later.At("tilewarden/table/Table_1/state").empty()) << "nothing is kept of it";
}

TEST_F(MqttTest, ABrokerThatIsAwayDelaysNothingAndIsToldWhenItIsBack) {
  Publish(Url());  // nobody is there
  const std::string game = NewGame("Table 3");
  const auto turns = SomeTurns(6);
  for (int i = 0; i < 2; ++i) Play(game, turns[static_cast<std::size_t>(i)]);
  StartBroker();
  MqttListener listener(port_);
  StateAfter(&listener, 2);
  EXPECT_TRUE(Eventually([&] { return listener.At(kStatus) == "online"; }));
  broker_.reset();
  for (int i = 2; i < 5; ++i) Play(game, turns[static_cast<std::size_t>(i)]);
  listener.Forget();
  StartBroker();
  EXPECT_EQ(StateAfter(&listener, 5)["event_number"], State(game).event_number());
  EXPECT_TRUE(Eventually([&] { return listener.At(kStatus) == "online"; }));
  Play(game, turns[5]);
  StateAfter(&listener, 6);
}

TEST_F(MqttTest, WhoeverStopsSaysSo) {
  StartBroker();
  Publish(Url());
  MqttListener listener(port_);
  ASSERT_TRUE(Eventually([&] { return listener.At(kStatus) == "online"; }));
  options_.mqtt.url.clear();
  Restart();
  EXPECT_TRUE(Eventually([&] { return listener.At(kStatus) == "offline"; }));
}

TEST_F(MqttTest, WithTlsAndAPasswordOverAnAuthorityThatIsNamed) {
  const auto certificate = MakeCertificate(NowMs());
  ASSERT_TRUE(certificate.ok()) << certificate.status();
  const auto chain = folder_.path() / "broker.pem", key = folder_.path() / "broker.key",
             passwords = folder_.path() / "passwords", secret = folder_.path() / "secret";
  std::ofstream(chain) << certificate->chain;
  std::ofstream(key) << certificate->key;
  std::ofstream(secret) << "meeple\n";
  ASSERT_EQ(std::system(
                absl::StrCat("mosquitto_passwd -b -c ", passwords.string(), " ann meeple").c_str()),
            0);
  const int plain = FreePort();
  const MqttBrokerProcess broker(
      folder_.path(), port_,
      absl::StrCat("certfile ", chain.string(), "\nkeyfile ", key.string(), "\nlistener ", plain,
                   " 127.0.0.1\nallow_anonymous false\npassword_file ", passwords.string(), "\n"));
  options_.mqtt.password = absl::StrCat("@", secret.string());
  options_.mqtt.authority = chain;
  Publish(absl::StrCat("mqtts://ann@127.0.0.1:", port_));
  const std::string game = NewGame("Table 3");
  MqttListener listener(plain, "ann", "meeple");
  EXPECT_EQ(StateAfter(&listener, 0)["game_id"], game);

  // An authority that did not sign it, and a wrong password: nothing comes, the game goes on.
  const auto stranger = MakeCertificate(NowMs());
  const auto other = folder_.path() / "other.pem";
  std::ofstream(other) << stranger->chain;
  options_.mqtt.authority = other;
  Restart();
  Play(game, SomeTurns(1)[0]);
  options_.mqtt.authority = chain;
  options_.mqtt.password = "wrong";
  Restart();
  Play(game, SomeTurns(2)[1]);
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  EXPECT_EQ(StateAfter(&listener, 0)["game_id"], game);
  EXPECT_EQ(listener.At(kStatus), "offline");
}

TEST_F(MqttTest, WrongSettingsAreRefusedWithWhatToDo) {
  const auto error = [&](const std::string& url, const std::function<void(MqttOptions*)>& more) {
    TempFolder folder;
    EngineServer::Options options{"", folder.path()};
    options.mqtt.url = url;
    more(&options.mqtt);
    const auto engine = EngineServer::Start(options);
    return std::string(engine.status().message());
  };
  const auto nothing_more = [](MqttOptions*) {};
  for (const char* url : {"broker", "http://broker", "mqtt://", "mqtt://a:0", "mqtt://a:70000",
                          "mqtt://a:b", "mqtt://a/b"}) {
    EXPECT_TRUE(absl::StrContains(error(url, nothing_more), "mqtt://broker.example:1883")) << url;
  }
  const std::string in_address = error("mqtt://ann:sesame@a", nothing_more);
  EXPECT_TRUE(absl::StrContains(in_address, "--mqtt-password"));
  EXPECT_FALSE(absl::StrContains(in_address, "sesame"));
  EXPECT_TRUE(absl::StrContains(error("mqtt://a", [](auto* mqtt) { mqtt->password = "open"; }),
                                "mqtt://USER@"));
  EXPECT_TRUE(absl::StrContains(error("mqtt://u@a", [](auto* mqtt) { mqtt->password = "@/none"; }),
                                "/none"));
  EXPECT_TRUE(absl::StrContains(error("mqtts://a", [](auto* mqtt) { mqtt->authority = "/none"; }),
                                "/none"));
  EXPECT_TRUE(absl::StrContains(error("mqtt://a", [](auto* mqtt) { mqtt->prefix = "a/#"; }),
                                "--mqtt-prefix"));
  EXPECT_TRUE(absl::StrContains(error("mqtt://a", [](auto* mqtt) { mqtt->discovery = "home/"; }),
                                "--mqtt-discovery"));
}

TEST(MqttBroker, AddressesWithAndWithoutPortUserAndTls) {
  const auto parsed = [](const std::string& url) {
    const auto broker = MqttBroker::Parse(url);
    EXPECT_TRUE(broker.ok()) << broker.status();
    return absl::StrCat(broker->tls, " ", broker->user, " ", broker->Name());
  };
  EXPECT_EQ(parsed("mqtt://broker.example"), "0  broker.example:1883");
  EXPECT_EQ(parsed("mqtts://broker.example/"), "1  broker.example:8883");
  EXPECT_EQ(parsed("mqtt://ann@10.0.0.5:1884"), "0 ann 10.0.0.5:1884");
  EXPECT_EQ(parsed("mqtts://ann@home@[::1]:9000"), "1 ann@home [::1]:9000");
  EXPECT_EQ(parsed("mqtt://[fe80::1]"), "0  [fe80::1]:1883");
}

TEST(HomeAssistant, NamesOfTablesMakeTopicsThatNoOtherTableHas) {
  EXPECT_EQ(TopicName(""), "table");
  EXPECT_EQ(TopicName("Table 3"), "Table_3");
  EXPECT_EQ(TopicName("Hall-2"), "Hall-2");
  std::set<std::string> seen;
  for (const char* name : {"", "table", "Table 3", "Table_3", "Table/3", "Table+3", "Tisch ä",
                           "Tisch ö", "#", "_", "桌子"}) {
    const std::string topic = TopicName(name);
    EXPECT_TRUE(seen.insert(topic).second) << name;
    EXPECT_EQ(
        topic.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-"),
        std::string::npos)
        << topic;
  }
}

TEST(HomeAssistant, TheWorstFindingIsToldAndLongOnesAreCutBetweenCharacters) {
  v1::GameState state;
  v1::Finding* note = state.add_findings();
  note->set_severity(v1::SEVERITY_NOTE);
  note->set_text("a note");
  v1::Finding* illegal = state.add_findings();
  illegal->set_severity(v1::SEVERITY_ILLEGAL);
  std::string text;
  while (text.size() < 400) text += "ä";
  illegal->set_text(text);
  const Json json = Json::parse(TableJson(state));
  EXPECT_EQ(json["findings"], 2);
  const std::string told = json["finding"];
  EXPECT_LE(told.size(), 255u);
  EXPECT_GE(told.size(), 250u);
  EXPECT_TRUE(absl::StartsWith(told, "ää")) << told;
}

// The whole program, killed: the broker speaks for it.
class MqttProcessTest : public ProcessTest {};

TEST_F(MqttProcessTest, ABrokerSaysOfflineForAProcessThatIsKilled) {
  const int port = FreePort();
  const MqttBrokerProcess broker(folder_.path(), port);
  setenv("TILEWARDEN_ENGINE_MQTT", absl::StrCat("mqtt://127.0.0.1:", port).c_str(), 1);
  setenv("TILEWARDEN_ENGINE_MQTT_CLIENT", "hall", 1);
  MqttListener listener(port);
  {
    auto engine = StartEngine("127.0.0.1:0");
    ASSERT_TRUE(engine.ok());
    ASSERT_TRUE(Eventually([&] { return listener.At(kStatus) == "online"; }));
    kill(engine->pid(), SIGKILL);
    EXPECT_TRUE(Eventually([&] { return listener.At(kStatus) == "offline"; }));
  }
  auto engine = StartEngine("127.0.0.1:0");
  EXPECT_TRUE(Eventually([&] { return listener.At(kStatus) == "online"; }));
  ExpectStops(&*engine, SIGTERM);
  EXPECT_TRUE(Eventually([&] { return listener.At(kStatus) == "offline"; }));
  unsetenv("TILEWARDEN_ENGINE_MQTT");
  unsetenv("TILEWARDEN_ENGINE_MQTT_CLIENT");
}

}  // namespace
}  // namespace tilewarden::services
