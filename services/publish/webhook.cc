#include "services/publish/webhook.h"

#include <curl/curl.h>

#include <algorithm>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "services/base/clock.h"
#include "services/base/leader.h"
#include "services/base/secrets.h"
#include "services/table/games.h"
#include "spdlog/spdlog.h"

namespace tilewarden::services {
namespace {

// Tries at once: a receiver that hangs for one game leaves room for others.
constexpr std::size_t kMostAtOnce = 8;
// A shared secret below this could be guessed.
constexpr std::size_t kShortestSecret = 16;
constexpr std::chrono::milliseconds kStoreRetry{2000};
constexpr int kMostTakenUp = 500;
constexpr std::chrono::seconds kLongestAsked{3600};

// For people: without what may be a secret in its path.
std::string ReceiverName(const std::string& url) {
  const auto scheme = url.find("://") + 3;
  std::string host = url.substr(scheme, url.find_first_of("/?#", scheme) - scheme);
  if (const auto at = host.rfind('@'); at != std::string::npos) host.erase(0, at + 1);
  return url.substr(0, scheme) + host;
}

// Answers say nothing but their status.
std::size_t Ignore(char*, std::size_t size, std::size_t count, void*) { return size * count; }

}  // namespace

struct Webhook::Transfer {
  WebhookMessage message;
  Table::Cursor after;
  CURL* easy = curl_easy_init();
  curl_slist* headers = nullptr;
  char error[CURL_ERROR_SIZE] = {};

  Transfer() = default;
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;
  ~Transfer() {
    curl_easy_cleanup(easy);
    curl_slist_free_all(headers);
  }
};

absl::StatusOr<std::unique_ptr<Webhook>> Webhook::Start(Games* games, const WebhookOptions& options,
                                                        bool shared) {
  static const CURLcode kReady = curl_global_init(CURL_GLOBAL_DEFAULT);
  if (kReady != CURLE_OK) return absl::InternalError(curl_easy_strerror(kReady));
  if (!absl::StartsWith(options.url, "http://") && !absl::StartsWith(options.url, "https://")) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--webhook: '", options.url, "' is not an address; write http://... or https://..."));
  }
  auto secret = SecretOf(options.secret);
  if (!secret.ok()) return secret.status();
  if (secret->size() < kShortestSecret) {
    return absl::InvalidArgumentError(
        absl::StrCat("--webhook-secret: give at least ", kShortestSecret,
                     " characters, the same as at the receiver; openssl rand -hex 32 makes some"));
  }
  std::error_code error;
  if (!options.authority.empty() && !std::filesystem::is_regular_file(options.authority, error)) {
    return absl::InvalidArgumentError(
        absl::StrCat("--webhook-authority: there is no file ", options.authority.string()));
  }
  WebhookOptions used = options;
  used.secret = *std::move(secret);
  std::unique_ptr<Webhook> webhook(new Webhook(games, used, shared));
  webhook->thread_ = std::thread([w = webhook.get()] { w->Run(); });
  return webhook;
}

Webhook::Webhook(Games* games, const WebhookOptions& options, bool shared)
    : options_(options),
      receiver_(HashOf(options.url)),
      shared_(shared),
      store_(games->store()),
      multi_(curl_multi_init(), curl_multi_cleanup),
      feed_(games, [this] { curl_multi_wakeup(multi_.get()); }) {}

Webhook::~Webhook() {
  stopped_ = true;
  curl_multi_wakeup(multi_.get());
  if (thread_.joinable()) thread_.join();
  for (auto& [id, game] : games_) {
    if (game.transfer == nullptr) continue;
    // Does not wait for a name to be looked up.
    curl_easy_setopt(game.transfer->easy, CURLOPT_QUICK_EXIT, 1L);
    curl_multi_remove_handle(multi_.get(), game.transfer->easy);
  }
  games_.clear();
}

void Webhook::Run() {
  Clock::time_point next_look = Clock::now();
  while (!stopped_) {
    if ((!taken_up_ || shared_) && Clock::now() >= next_look) {
      taken_up_ = TakeUp() || taken_up_;
      next_look = Clock::now() + kStoreRetry;
    }
    for (const GameFeed::News& news : feed_.Take()) TakeOn(news.game_id, news.begin);
    StartDue();
    int running = 0;
    curl_multi_perform(multi_.get(), &running);
    TakeFinished();
    const auto wait = taken_up_ && !shared_ ? UntilDue() : std::min(UntilDue(), kStoreRetry);
    curl_multi_poll(multi_.get(), nullptr, 0, static_cast<int>(wait.count()), nullptr);
  }
}

void Webhook::TakeOn(const std::string& game_id, const Table::Cursor& begin) {
  const auto [game, is_new] = games_.try_emplace(game_id);
  if (is_new) game->second.begin = begin;
}

bool Webhook::TakeUp() {
  const auto left = store_->ListUndelivered(receiver_, kMostTakenUp);
  if (!left.ok()) return false;
  for (const Delivered& game : *left) {
    // What was given up while this runs waits for news.
    if (taken_up_ && game.number == Delivered::kWantsState) continue;
    TakeOn(game.game_id, {});
  }
  return static_cast<int>(left->size()) < kMostTakenUp;
}

bool Webhook::AskStore(const std::string& game_id, Game* game) {
  const auto number = store_->FindDelivered(receiver_, game_id);
  if (!number.ok()) return false;
  if (*number == Delivered::kWantsState) {
    game->delivered = {true, 0};
  } else if (*number) {
    game->delivered = {false, static_cast<std::uint64_t>(**number)};
  } else {
    // From now on it is known where the receiver is, also after a crash.
    game->delivered = game->begin;
    Keep(game_id, game->begin);
  }
  return true;
}

void Webhook::Keep(const std::string& game_id, const Table::Cursor& cursor) {
  const absl::Status status = store_->SetDelivered(
      {receiver_, game_id,
       cursor.needs_state ? Delivered::kWantsState : static_cast<std::int64_t>(cursor.number)});
  // Whoever leads the game now tells the receiver the rest.
  if (status.ok() || LeaderOf(status)) {
    store_told_ = false;
  } else if (!std::exchange(store_told_, true)) {
    spdlog::error("webhook: what is delivered cannot be kept, a restart will send it again: {}",
                  std::string(status.message()));
  }
}

std::chrono::milliseconds Webhook::UntilDue() const {
  auto first = Clock::now() + std::chrono::seconds(10);
  for (const auto& [id, game] : games_) {
    if (game.transfer == nullptr && under_way_ < kMostAtOnce) first = std::min(first, game.due);
  }
  return std::max(std::chrono::milliseconds(0),
                  std::chrono::ceil<std::chrono::milliseconds>(first - Clock::now()));
}

void Webhook::StartDue() {
  // Whoever has waited longest goes first.
  std::vector<std::map<std::string, Game>::iterator> due;
  const auto now = Clock::now();
  for (auto it = games_.begin(); it != games_.end(); ++it) {
    if (it->second.transfer == nullptr && it->second.due <= now) due.push_back(it);
  }
  std::sort(due.begin(), due.end(),
            [](const auto& a, const auto& b) { return a->second.due < b->second.due; });
  for (const auto& it : due) {
    if (under_way_ >= kMostAtOnce) return;
    if (!Begin(it->first, &it->second)) games_.erase(it);
  }
}

bool Webhook::Begin(const std::string& game_id, Game* game) {
  const auto table = feed_.Find(game_id);
  if (!table.ok()) {
    const auto code = table.status().code();
    if (code == absl::StatusCode::kUnavailable && !LeaderOf(table.status())) {
      game->due = Clock::now() + kStoreRetry;
      return true;
    }
    if (code == absl::StatusCode::kDataLoss) {
      spdlog::error("webhook: game {} cannot be told: {}", game_id,
                    std::string(table.status().message()));
    }
    return false;
  }
  if (!game->delivered && !AskStore(game_id, game)) {
    game->due = Clock::now() + kStoreRetry;
    return true;
  }
  auto transfer = std::make_unique<Transfer>();
  transfer->after = *game->delivered;
  // Ahead of the log: that is an older copy, and what was delivered is not in it.
  if (transfer->after.number > (*table)->last_number()) transfer->after.needs_state = true;
  const Table::Message message = (*table)->Next(&transfer->after);
  if (message == nullptr) return false;
  const std::int64_t now_ms = NowMs();
  transfer->message = MessageFor(game_id, (*table)->table_name(), message->Parse(), now_ms);
  for (const std::string& header : HeadersOf(transfer->message, options_.secret, now_ms / 1000)) {
    transfer->headers = curl_slist_append(transfer->headers, header.c_str());
  }
  CURL* easy = transfer->easy;
  curl_easy_setopt(easy, CURLOPT_URL, options_.url.c_str());
  curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(easy, CURLOPT_USERAGENT, "Tilewarden");
  curl_easy_setopt(easy, CURLOPT_HTTPHEADER, transfer->headers);
  curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE,
                   static_cast<curl_off_t>(transfer->message.body.size()));
  curl_easy_setopt(easy, CURLOPT_POSTFIELDS, transfer->message.body.data());
  curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, static_cast<long>(options_.timeout.count()));
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, Ignore);
  curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, transfer->error);
  if (!options_.authority.empty()) {
    curl_easy_setopt(easy, CURLOPT_CAINFO, options_.authority.c_str());
  }
  curl_multi_add_handle(multi_.get(), easy);
  ++under_way_;
  game->transfer = std::move(transfer);
  return true;
}

void Webhook::TakeFinished() {
  int left = 0;
  while (const CURLMsg* message = curl_multi_info_read(multi_.get(), &left)) {
    if (message->msg != CURLMSG_DONE) continue;
    CURL* easy = message->easy_handle;
    const CURLcode code = message->data.result;
    curl_multi_remove_handle(multi_.get(), easy);
    --under_way_;
    const auto found = std::find_if(games_.begin(), games_.end(), [&](const auto& game) {
      return game.second.transfer != nullptr && game.second.transfer->easy == easy;
    });
    Finished(found->first, &found->second, code);
  }
}

void Webhook::Finished(const std::string& game_id, Game* game, int code) {
  const auto transfer = std::move(game->transfer);
  long status = 0;
  curl_off_t asked = 0;
  curl_easy_getinfo(transfer->easy, CURLINFO_RESPONSE_CODE, &status);
  curl_easy_getinfo(transfer->easy, CURLINFO_RETRY_AFTER, &asked);
  if (code != CURLE_OK) {
    Failed(
        game_id, game,
        transfer->error[0] != 0 ? transfer->error : curl_easy_strerror(static_cast<CURLcode>(code)),
        {});
  } else if (status < 200 || status > 299) {
    Failed(game_id, game, absl::StrCat("it answers ", status), std::chrono::seconds(asked));
  } else {
    game->delivered = transfer->after;
    game->failures = 0;
    game->due = Clock::now();
    Keep(game_id, transfer->after);
    // A game that is refused while others are accepted is logged once.
    const bool all_well = std::all_of(games_.begin(), games_.end(),
                                      [](const auto& other) { return other.second.failures == 0; });
    if (all_well && std::exchange(away_told_, false)) {
      spdlog::info("webhook: {} accepts events again", ReceiverName(options_.url));
    }
  }
}

void Webhook::Failed(const std::string& game_id, Game* game, const std::string& why,
                     std::chrono::seconds asked) {
  const auto now = Clock::now();
  if (game->failures++ == 0) game->first_failure = now;
  if (!std::exchange(away_told_, true)) {
    spdlog::warn("webhook: {} did not accept event {} of game {}: {}; trying again",
                 ReceiverName(options_.url), game->delivered->number + 1, game_id, why);
  }
  if (now - game->first_failure >= options_.give_up) {
    spdlog::error(
        "webhook: game {}: event {} and those after it are given up: {}; its state "
        "follows when there is news",
        game_id, game->delivered->number + 1, why);
    Keep(game_id, {true, 0});
    games_.erase(game_id);
    return;
  }
  auto wait = std::min(options_.first_retry * (1 << std::min(game->failures - 1, 16)),
                       options_.longest_retry);
  wait = std::max(wait, std::chrono::milliseconds(std::min(asked, kLongestAsked)));
  game->due = now + wait;
}

}  // namespace tilewarden::services
