// Events posted to an address on the web: with a real HTTP server that takes them, refuses
// them, hangs or is away.

#include "services/publish/webhook.h"

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <numeric>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "services/base/clock.h"
#include "services/base/message_json.h"
#include "tests/services/support/engine_fixture.h"
#include "tests/services/support/eventually.h"
#include "tests/services/support/hook_receiver.h"

namespace tilewarden::services {
namespace {

constexpr const char* kSecret = "a secret of the test";

std::vector<std::uint64_t> Numbers(std::uint64_t first, std::uint64_t last) {
  std::vector<std::uint64_t> out(static_cast<std::size_t>(last - first + 1));
  std::iota(out.begin(), out.end(), first);
  return out;
}

class WebhookTest : public EngineTest {
 protected:
  void PostTo(const std::string& url) {
    options_.webhook.url = url;
    options_.webhook.secret = kSecret;
    options_.webhook.first_retry = std::chrono::milliseconds(50);
    options_.webhook.longest_retry = std::chrono::milliseconds(200);
    Restart();
  }
  std::uint64_t LastNumber(const std::string& game) { return State(game).event_number(); }
  // Everything of the game from its event 1 on was taken, each once and in order.
  void ExpectAllTaken(HookReceiver* receiver, const std::string& game, std::uint64_t first = 1) {
    const auto all = Numbers(first, LastNumber(game));
    EXPECT_TRUE(Eventually([&] { return receiver->Taken(game).size() >= all.size(); }));
    EXPECT_EQ(receiver->Taken(game), all);
  }
};

// printf '%s' '1767225600.{"number":57}' | openssl dgst -sha256 -hmac 'a secret of the test'
TEST(WebhookMessage, IsSignedAsOpensslSignsIt) {
  EXPECT_EQ(SignatureOf(kSecret, 1767225600, "{\"number\":57}"),
            "sha256=a2a8ead7a95ffd1cdf7c882236fa946c3ff777ae40497599898fc9dfe0c240fc");
}

TEST_F(WebhookTest, EveryEventIsPostedInOrderAndSigned) {
  HookReceiver receiver;
  PostTo(receiver.url());
  const std::string game = NewGame("Table 3");
  const auto turns = SomeTurns(4);
  for (const v1::Turn& turn : turns) Play(game, turn);
  ExpectAllTaken(&receiver, game);
  std::vector<std::string> kinds;
  for (const auto& post : receiver.posts()) {
    EXPECT_EQ(post.content_type, "application/json");
    EXPECT_EQ(post.message["table"], "Table 3");
    const std::uint64_t number = post.message["number"];
    EXPECT_EQ(post.delivery, absl::StrCat(game, "-", number));
    EXPECT_EQ(post.event, post.message["kind"]);
    std::int64_t timestamp = 0;
    EXPECT_TRUE(absl::SimpleAtoi(post.timestamp, &timestamp));
    EXPECT_LE(std::abs(timestamp - NowMs() / 1000), 60);
    EXPECT_EQ(post.signature, SignatureOf(kSecret, timestamp, post.body));
    EXPECT_EQ(post.message["event"]["number"], absl::StrCat(number));
    EXPECT_TRUE(post.message["event"].contains(post.event)) << post.body;
    kinds.push_back(post.event);
  }
  EXPECT_EQ(kinds.front(), "created");
  EXPECT_EQ(std::count(kinds.begin(), kinds.end(), "turn_played"), 4);
  // The events are those that a watch gives.
  Watch watch(games_.get(), game, 1);
  const v1::WatchGameResponse second = watch.Next();
  EXPECT_EQ(receiver.posts()[1].message["event"], nlohmann::json::parse(ToJson(second.event())));
}

TEST_F(WebhookTest, WhatIsRefusedIsTriedAgainAndOthersGoOn) {
  HookReceiver receiver([&](const HookReceiver::Post& post, int tries) {
    if (post.message["table"] != "refused" || post.message["number"] != 2) return 200;
    return tries == 1 ? 503 : tries == 2 ? 429 : tries == 3 ? 404 : 200;
  });
  PostTo(receiver.url());
  const std::string game = NewGame("refused"), other = NewGame();
  for (const v1::Turn& turn : SomeTurns(3)) {
    Play(game, turn);
    Play(other, turn);
  }
  ExpectAllTaken(&receiver, game);
  ExpectAllTaken(&receiver, other);
  std::vector<int> answers;
  for (const auto& post : receiver.posts()) {
    if (post.delivery == game + "-2") answers.push_back(post.status);
  }
  EXPECT_EQ(answers, (std::vector<int>{503, 429, 404, 200}));
}

TEST_F(WebhookTest, AReceiverThatHangsDelaysNeitherTheGameNorOthers) {
  std::string hung;
  std::mutex mutex;
  HookReceiver receiver([&](const HookReceiver::Post& post, int) {
    const std::lock_guard lock(mutex);
    if (hung.empty()) hung = post.message["game_id"];
    return post.message["game_id"] == hung ? HookReceiver::kHang : 200;
  });
  options_.webhook.timeout = std::chrono::minutes(5);
  PostTo(receiver.url());
  const std::string game = NewGame();
  ASSERT_TRUE(Eventually([&] { return receiver.posts().size() == 1; }));
  const std::string other = NewGame();
  // Neither waits for the five minutes.
  for (const v1::Turn& turn : SomeTurns(5)) {
    EXPECT_TRUE(Play(game, turn).has_event());
    EXPECT_TRUE(Play(other, turn).has_event());
  }
  ExpectAllTaken(&receiver, other);
  EXPECT_TRUE(receiver.Taken(game).empty());
  // And it stops at once.
  options_.webhook.url.clear();
  Restart();
}

TEST_F(WebhookTest, ATryThatTakesTooLongIsMadeAgain) {
  HookReceiver receiver([&](const HookReceiver::Post& post, int tries) {
    return post.message["number"] == 2 && tries == 1 ? HookReceiver::kHang : 200;
  });
  options_.webhook.timeout = std::chrono::milliseconds(300);
  PostTo(receiver.url());
  const std::string game = NewGame();
  for (const v1::Turn& turn : SomeTurns(2)) Play(game, turn);
  ExpectAllTaken(&receiver, game);
}

TEST_F(WebhookTest, ARestartGoesOnWhereItWas) {
  auto receiver = std::make_unique<HookReceiver>();
  const int port = receiver->port();
  PostTo(receiver->url());
  const std::string game = NewGame();
  const auto turns = SomeTurns(6);
  for (int i = 0; i < 2; ++i) Play(game, turns[static_cast<std::size_t>(i)]);
  ExpectAllTaken(receiver.get(), game);
  const std::uint64_t before = LastNumber(game);
  // While the receiver is away, and in the next life while nobody asks for the game.
  receiver.reset();
  for (int i = 2; i < 4; ++i) Play(game, turns[static_cast<std::size_t>(i)]);
  const std::uint64_t then = LastNumber(game);
  Restart();
  receiver = std::make_unique<HookReceiver>(nullptr, port);
  EXPECT_TRUE(Eventually([&] { return receiver->Taken(game).size() >= then - before; }));
  EXPECT_EQ(receiver->Taken(game), Numbers(before + 1, then));
  Restart();
  for (int i = 4; i < 6; ++i) Play(game, turns[static_cast<std::size_t>(i)]);
  ExpectAllTaken(receiver.get(), game, before + 1);
}

TEST_F(WebhookTest, AnEarlierGameIsToldFromItsNextEventOn) {
  const std::string game = NewGame();
  const auto turns = SomeTurns(3);
  for (int i = 0; i < 2; ++i) Play(game, turns[static_cast<std::size_t>(i)]);
  const std::uint64_t before = LastNumber(game);
  HookReceiver receiver;
  PostTo(receiver.url());
  State(game);  // looking at it is no news
  Play(game, turns[2]);
  ExpectAllTaken(&receiver, game, before + 1);
}

TEST_F(WebhookTest, WhatIsGivenUpIsFollowedByTheState) {
  std::atomic<bool> refuse = true;
  HookReceiver receiver([&](const HookReceiver::Post&, int) { return refuse ? 500 : 200; });
  options_.webhook.give_up = std::chrono::milliseconds(200);
  PostTo(receiver.url());
  const std::string game = NewGame();
  const auto turns = SomeTurns(2);
  Play(game, turns[0]);
  // The tries end.
  std::size_t tries = 0;
  ASSERT_TRUE(Eventually([&] {
    const std::size_t now = receiver.posts().size();
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    tries = receiver.posts().size();
    return now > 0 && tries == now;
  }));
  refuse = false;
  Play(game, turns[1]);
  ASSERT_TRUE(Eventually([&] { return receiver.posts().size() > tries; }));
  const auto post = receiver.posts()[tries];
  EXPECT_EQ(post.event, "state");
  EXPECT_EQ(post.message["number"], LastNumber(game));
  EXPECT_EQ(post.message["state"]["tiles"].size(), 3u);
}

TEST_F(WebhookTest, OverTlsTheReceiverMustBeWhoItSays) {
  const auto certificate = MakeCertificate(NowMs());
  ASSERT_TRUE(certificate.ok()) << certificate.status();
  HookReceiver receiver(nullptr, 0, *certificate);
  PostTo(receiver.url());
  const std::string game = NewGame();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EXPECT_TRUE(receiver.posts().empty());
  const auto authority = folder_.path() / "receiver.pem";
  std::ofstream(authority) << certificate->chain;
  options_.webhook.authority = authority;
  Restart();
  ExpectAllTaken(&receiver, game);
}

TEST_F(WebhookTest, WrongSettingsAreRefusedWithWhatToDo) {
  const auto error = [&](const std::string& url, const std::string& secret,
                         const std::string& authority = "") {
    TempFolder folder;
    EngineServer::Options options{"", folder.path()};
    options.webhook.url = url;
    options.webhook.secret = secret;
    options.webhook.authority = authority;
    const auto engine = EngineServer::Start(options);
    return std::string(engine.status().message());
  };
  EXPECT_TRUE(absl::StrContains(error("receiver", kSecret), "http://"));
  EXPECT_TRUE(absl::StrContains(error("file:///etc/passwd", kSecret), "http://"));
  EXPECT_TRUE(absl::StrContains(error("http://a", ""), "--webhook-secret"));
  EXPECT_TRUE(absl::StrContains(error("http://a", "short"), "openssl rand"));
  EXPECT_TRUE(absl::StrContains(error("http://a", "@/none"), "/none"));
  EXPECT_TRUE(absl::StrContains(error("https://a", kSecret, "/none"), "--webhook-authority"));
}

}  // namespace
}  // namespace tilewarden::services
