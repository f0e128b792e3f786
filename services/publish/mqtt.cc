#include "services/publish/mqtt.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "absl/strings/str_cat.h"
#include "services/base/leader.h"
#include "services/base/secrets.h"
#include "services/table/game_list.h"
#include "services/table/games.h"
#include "spdlog/spdlog.h"

namespace tilewarden::services {
namespace {

// Tables that are shown; at the start so many are brought back, each from its log.
constexpr std::size_t kMostTables = 64;
// Between looks for tables that nobody leads any more.
constexpr std::chrono::seconds kBetweenLooks{5};

std::string ThisMachine() {
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 ? name : "tilewarden";
}

absl::Status CheckTopic(const std::string& option, const std::string& topic, bool may_be_empty) {
  if ((topic.empty() && !may_be_empty) || topic.find_first_of("+#") != std::string::npos ||
      (!topic.empty() && (topic.front() == '/' || topic.back() == '/'))) {
    return absl::InvalidArgumentError(
        absl::StrCat(option, ": '", topic,
                     "' cannot begin MQTT topics; give words with single slashes between them"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::unique_ptr<MqttPublisher>> MqttPublisher::Start(Games* games,
                                                                    const MqttOptions& options,
                                                                    bool alone) {
  auto broker = MqttBroker::Parse(options.url);
  if (!broker.ok()) return broker.status();
  if (!options.password.empty() && broker->user.empty()) {
    return absl::InvalidArgumentError(
        "--mqtt-password needs a user: write --mqtt mqtt://USER@BROKER");
  }
  for (const auto& status : {CheckTopic("--mqtt-prefix", options.prefix, false),
                             CheckTopic("--mqtt-discovery", options.discovery, true)}) {
    if (!status.ok()) return status;
  }
  auto password = SecretOf(options.password);
  if (!password.ok()) return password.status();
  broker->password = *std::move(password);
  broker->authority = options.authority;
  broker->client =
      options.client.empty() ? absl::StrCat("tilewarden-", ThisMachine()) : options.client;
  MqttTopics topics{options.prefix, options.discovery, ""};
  topics.status = absl::StrCat(options.prefix, "/engine/", TopicName(broker->client), "/status");
  broker->status_topic = topics.status;
  std::unique_ptr<MqttPublisher> publisher(new MqttPublisher(games, std::move(topics), alone));
  auto connection = MqttConnection::Start(*std::move(broker), [p = publisher.get()] { p->Wake(); });
  if (!connection.ok()) return connection.status();
  publisher->connection_ = *std::move(connection);
  publisher->thread_ = std::thread([p = publisher.get()] { p->Run(); });
  return publisher;
}

MqttPublisher::MqttPublisher(Games* games, MqttTopics topics, bool alone)
    : topics_(std::move(topics)), alone_(alone), feed_(games, [this] { Wake(); }) {}

MqttPublisher::~MqttPublisher() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  news_.notify_all();
  if (thread_.joinable()) thread_.join();
  // It wakes this.
  connection_.reset();
}

void MqttPublisher::Wake() {
  {
    const std::lock_guard lock(mutex_);
    woken_ = true;
  }
  news_.notify_all();
}

void MqttPublisher::Run() {
  bool brought_back = !alone_;
  std::uint64_t connection = 0;
  auto next_look = std::chrono::steady_clock::now();
  while (true) {
    if (!brought_back) brought_back = ShowNewest();
    if (const auto now = std::chrono::steady_clock::now(); !alone_ && now >= next_look) {
      // A database that is away is asked again.
      (void)feed_.LeadWhatNobodyLeads();
      next_look = now + kBetweenLooks;
    }
    for (const std::string& game_id : std::exchange(waiting_, {})) {
      if (!Show(game_id)) waiting_.insert(game_id);
    }
    for (const GameFeed::News& news : feed_.Take()) {
      if (news.left) {
        Forget(news.game_id);
      } else if (!Show(news.game_id)) {
        waiting_.insert(news.game_id);
      }
    }
    if (const auto now = connection_->connection(); std::exchange(connection, now) != now) {
      connection_->Publish(topics_.status, "online");
      for (const auto& [table, shown] : shown_) Publish(shown, true);
    }
    std::unique_lock lock(mutex_);
    news_.wait_for(lock, std::chrono::seconds(1), [this] { return woken_ || stopped_; });
    if (stopped_) return;
    woken_ = false;
  }
}

bool MqttPublisher::ShowNewest() {
  std::map<std::string, std::string> newest;
  const absl::Status status = feed_.List([&](const v1::GameSummary& game) {
    newest.try_emplace(TableOf(game), game.game_id());
    return newest.size() < kMostTables;
  });
  if (!status.ok()) return false;
  for (const auto& [table, game_id] : newest) {
    if (!Show(game_id)) waiting_.insert(game_id);
  }
  return true;
}

bool MqttPublisher::Show(const std::string& game_id) {
  const auto table = feed_.Find(game_id);
  if (!table.ok()) {
    const auto code = table.status().code();
    if (code == absl::StatusCode::kUnavailable && !LeaderOf(table.status())) return false;
    if (code == absl::StatusCode::kDataLoss) {
      spdlog::warn("game {} is not published: {}", game_id, std::string(table.status().message()));
    }
    return true;
  }
  const std::string& name = (*table)->table_name();
  // The table has begun another one since.
  const auto now = shown_.find(name);
  if (now != shown_.end() && now->second.created_ms > (*table)->created_ms()) return true;
  Table::Cursor cursor;
  const Table::Message told = (*table)->Next(&cursor);
  if (told == nullptr) return !(*table)->left().ok();
  const v1::WatchGameResponse message = told->Parse();
  Shown& shown = shown_[name];
  shown.game_id = game_id;
  shown.topic = topics_.StateOf(name);
  shown.created_ms = (*table)->created_ms();
  std::string state = TableJson(message.state());
  std::string players;
  for (const v1::Player& player : message.state().players()) {
    absl::StrAppend(&players, player.colour(), "\n", player.name(), "\n");
  }
  const bool discovery = shown.discovery.empty() || players != shown.players;
  if (discovery) shown.discovery = Discovery(topics_, message.state());
  if (!discovery && state == shown.state) return true;
  shown.players = std::move(players);
  shown.state = std::move(state);
  Publish(shown, discovery);
  if (shown_.size() > kMostTables) TakeAwayOldest();
  return true;
}

// Of tables that are not played any more, or whoever names tables would fill the broker: an empty
// message is what takes one away that is kept there.
void MqttPublisher::TakeAwayOldest() {
  const auto oldest = std::min_element(
      shown_.begin(), shown_.end(),
      [](const auto& a, const auto& b) { return a.second.created_ms < b.second.created_ms; });
  for (const MqttMessage& message : oldest->second.discovery) {
    connection_->Publish(message.topic, "");
  }
  connection_->Publish(oldest->second.topic, "");
  shown_.erase(oldest);
}

void MqttPublisher::Forget(const std::string& game_id) {
  waiting_.erase(game_id);
  std::erase_if(shown_, [&](const auto& shown) { return shown.second.game_id == game_id; });
}

void MqttPublisher::Publish(const Shown& shown, bool discovery) {
  // The state first, so that what finds it finds no old one.
  connection_->Publish(shown.topic, shown.state);
  if (!discovery) return;
  for (const MqttMessage& message : shown.discovery) {
    connection_->Publish(message.topic, message.payload);
  }
}

}  // namespace tilewarden::services
