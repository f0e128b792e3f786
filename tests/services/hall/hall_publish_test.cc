// Several engine services that share a database and tell others what happens: each table is shown
// by the one that leads it, and soon by another one when that one is killed.
#include <atomic>
#include <csignal>
#include <map>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/services/support/eventually.h"
#include "tests/services/support/fault_hall.h"
#include "tests/services/support/hook_receiver.h"
#include "tests/services/support/mqtt_broker.h"
#include "tests/services/support/postgres_cluster.h"
#include "tests/services/support/temp_folder.h"

namespace tilewarden::services {
namespace {

using Json = nlohmann::json;

class HallPublishTest : public testing::Test {
 protected:
  ~HallPublishTest() override {
    for (const char* name : {"MQTT", "MQTT_CLIENT", "WEBHOOK", "WEBHOOK_SECRET"}) {
      unsetenv(absl::StrCat("TILEWARDEN_ENGINE_", name).c_str());
    }
  }
  static void Set(const char* name, const std::string& value) {
    setenv(absl::StrCat("TILEWARDEN_ENGINE_", name).c_str(), value.c_str(), 1);
  }
  std::unique_ptr<EngineProcess> Start(const std::string& name) {
    Set("MQTT", absl::StrCat("mqtt://127.0.0.1:", port_));
    Set("MQTT_CLIENT", name);
    auto engine = std::make_unique<EngineProcess>((folder_.path() / name).string(), store_);
    engine->Start();
    return engine;
  }

  TempFolder folder_;
  const std::string store_ = PostgresCluster::Shared().NewDatabase();
  const int port_ = FreePort();
  const MqttBrokerProcess broker_{folder_.path(), port_};
};

TEST_F(HallPublishTest, ATableIsShownByWhoeverLeadsItAndByTheNextWithoutBeingAskedFor) {
  MqttListener listener(port_);
  const std::string state = "tilewarden/table/table/state",
                    turn = "homeassistant/sensor/tilewarden_table/turn/config";
  const auto shown_by = [&](const std::string& name) {
    const Json config = Json::parse(listener.At(turn), nullptr, false);
    return config.is_object() &&
           config["availability_topic"] == absl::StrCat("tilewarden/engine/", name, "/status");
  };
  const auto turns = [&] {
    const Json shown = Json::parse(listener.At(state), nullptr, false);
    return shown.is_object() ? shown["turn"].get<int>() : -1;
  };
  auto one = Start("one");
  auto two = Start("two");
  Player player(EnginesOf({one->address(), two->address()}));
  player.Begin();
  for (int i = 0; i < 3; ++i) player.PlayOne();
  EXPECT_TRUE(Eventually([&] { return turns() == 3 && shown_by("one"); })) << listener.At(turn);
  one->Kill();
  // Nobody plays, watches or asks.
  EXPECT_TRUE(Eventually([&] { return shown_by("two"); })) << listener.At(turn);
  EXPECT_EQ(turns(), 3);
  EXPECT_EQ(listener.At("tilewarden/engine/one/status"), "offline");
  EXPECT_EQ(listener.At("tilewarden/engine/two/status"), "online");
  player.PlayOne();
  EXPECT_TRUE(Eventually([&] { return turns() == 4; }));
  player.CheckGame();
}

class HallHookTest : public HallPublishTest {
 protected:
  HallHookTest() { Set("WEBHOOK_SECRET", "0123456789abcdef0123456789abcdef"); }
  // With the webhook alone.
  std::unique_ptr<EngineProcess> StartWithHook(const std::string& name) {
    auto engine = std::make_unique<EngineProcess>((folder_.path() / name).string(), store_);
    engine->Start();
    return engine;
  }

  // Every event of the game was taken, each at least once, in order, and none as part of a state.
  // The one that was on its way when a leader was killed may have come twice.
  static void ExpectAllTaken(HookReceiver* receiver, const Player& player, int kills) {
    ASSERT_TRUE(Eventually([&] {
      const auto taken = receiver->Taken(player.game());
      return !taken.empty() && taken.back() == player.number();
    }));
    std::uint64_t last = 0;
    int repeated = 0;
    for (const auto& post : receiver->posts()) {
      if (post.status != 200) continue;
      const std::uint64_t number = post.message["number"];
      EXPECT_NE(post.message["kind"], "state") << number;
      if (number == last) ++repeated;
      EXPECT_TRUE(number == last || number == last + 1) << number << " after " << last;
      last = number;
    }
    EXPECT_LE(repeated, kills);
  }
};

// The next leader finds in the database what was delivered.
TEST_F(HallHookTest, AWebhookGoesOnBehindWhatWasDeliveredWhenTheLeaderIsKilled) {
  HookReceiver receiver;
  Set("WEBHOOK", receiver.url());
  std::map<std::string, std::unique_ptr<EngineProcess>> engines;
  for (const char* name : {"one", "two"}) engines[name] = StartWithHook(name);
  Player player(EnginesOf({engines["one"]->address(), engines["two"]->address()}));
  player.Begin();
  for (const char* victim : {"one", "two"}) {
    for (int i = 0; i < 3; ++i) player.PlayOne();
    EXPECT_TRUE(Eventually([&] {
      const auto taken = receiver.Taken(player.game());
      return !taken.empty() && taken.back() == player.number();
    }));
    engines[victim]->Kill();
    for (int i = 0; i < 3; ++i) player.PlayOne();
    engines[victim]->Start();
  }
  ExpectAllTaken(&receiver, player, 2);
}

TEST_F(HallHookTest, WhatAKilledLeaderLeftUndeliveredIsToldByAnotherOneWithoutBeingAsked) {
  std::atomic<bool> refuse = false;
  HookReceiver receiver([&](const HookReceiver::Post&, int) { return refuse ? 503 : 200; });
  Set("WEBHOOK", receiver.url());
  const auto one = StartWithHook("one");
  Player player(EnginesOf({one->address()}));
  player.Begin();
  for (int i = 0; i < 2; ++i) player.PlayOne();
  EXPECT_TRUE(Eventually([&] { return receiver.Taken(player.game()).size() == 3; }));
  refuse = true;
  for (int i = 0; i < 3; ++i) player.PlayOne();
  one->Kill();
  refuse = false;
  // Of this one nobody asks anything.
  const auto two = StartWithHook("two");
  ExpectAllTaken(&receiver, player, 0);
}

}  // namespace
}  // namespace tilewarden::services
