// Tells an address on the web what happens in all games, event by event: webhook_message.h
// says how. Each game's events come in order, one at a time; a game whose event is not taken
// waits, and is tried again less and less often, while the others go on. The number of the last
// one delivered is kept beside the game (Store::SetDelivered), so that a restart goes on where it
// was, and so does another engine service that leads the game next: each event comes at least
// once, and a receiver drops those whose number it has.
//
// What could not be delivered for a day is given up: the game's state comes in its place as
// soon as there is news.
#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "absl/status/statusor.h"
#include "services/publish/game_feed.h"
#include "services/publish/webhook_message.h"
#include "services/table/games.h"

namespace tilewarden::services {

struct WebhookOptions {
  std::string url;     // http or https; empty: no webhook
  std::string secret;  // that messages are signed with, as SecretOf takes it
  // PEM file that an https receiver's certificate is checked with; empty: the system's.
  std::filesystem::path authority;

  std::chrono::milliseconds timeout{10'000};  // of one try
  std::chrono::milliseconds first_retry{1'000}, longest_retry{60'000};
  std::chrono::milliseconds give_up{24 * 3600 * 1000};
};

class Webhook {
 public:
  // Watches these games, which must outlive it. `shared`: other engine services may have led some
  // of them, and left something undelivered. INVALID_ARGUMENT: wrong options. Does not wait for
  // the receiver.
  static absl::StatusOr<std::unique_ptr<Webhook>> Start(Games* games, const WebhookOptions& options,
                                                        bool shared);
  // Breaks off what is being sent: it will be sent again.
  ~Webhook();

 private:
  using Clock = std::chrono::steady_clock;
  struct Transfer;
  // A game with something to deliver.
  struct Game {
    Table::Cursor begin;                     // for a receiver of which the store knows nothing
    std::optional<Table::Cursor> delivered;  // once the store was asked
    Clock::time_point due = Clock::now();
    int failures = 0;
    Clock::time_point first_failure;
    std::unique_ptr<Transfer> transfer;  // under way
  };
  Webhook(Games* games, const WebhookOptions& options, bool shared);
  void Run();
  // The game has something to deliver.
  void TakeOn(const std::string& game_id, const Table::Cursor& begin);
  // Takes up what was left undelivered. False: to be tried again.
  bool TakeUp();
  bool AskStore(const std::string& game_id, Game* game);
  void StartDue();
  // False: the game has nothing to deliver.
  bool Begin(const std::string& game_id, Game* game);
  void TakeFinished();
  void Finished(const std::string& game_id, Game* game, int code);
  void Failed(const std::string& game_id, Game* game, const std::string& why,
              std::chrono::seconds asked);
  void Keep(const std::string& game_id, const Table::Cursor& cursor);
  std::chrono::milliseconds UntilDue() const;

  const WebhookOptions options_;
  const std::string receiver_;  // SHA-256 of its address, which may hold secrets
  const bool shared_;
  Store* const store_;
  const std::shared_ptr<void> multi_;  // CURLM
  std::atomic<bool> stopped_ = false;

  // Of its thread alone.
  std::map<std::string, Game> games_;
  std::size_t under_way_ = 0;
  bool taken_up_ = false, away_told_ = false, store_told_ = false;

  GameFeed feed_;
  std::thread thread_;
};

}  // namespace tilewarden::services
