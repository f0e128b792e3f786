// The games of an engine service for whoever watches all of them: which ones have
// something new, and where to begin with one. Keeps no messages: a watcher takes them
// from the table when there is time for them, so that somebody slow costs nothing and
// delays nobody.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "services/table/games.h"

namespace tilewarden::services {

// Thread safe. `games` must outlive it.
class GameFeed {
 public:
  // `wake`: there is something to take. Called from any thread, with locks held: it must
  // not block and must not call the games. Not called any more after the destructor.
  GameFeed(Games* games, std::function<void()> wake);
  ~GameFeed();

  struct News {
    std::string game_id;
    // Where a watcher begins that has not heard of this game: at its beginning if it was
    // begun here, behind the last event if it was opened again, at its state if another
    // engine service led it before.
    Table::Cursor begin;
    // Another engine service leads it now.
    bool left = false;
  };
  // The games with something new since the last call, each once.
  std::vector<News> Take();

  // The game, for Table::Next. Errors as Games::Find; blocks on the disk or the database as
  // that does. Not to be held longer than needed: it keeps the game in memory.
  absl::StatusOr<std::shared_ptr<Table>> Find(const std::string& game_id) {
    return games_->Find(game_id);
  }
  // Every game of the store, newest first, until `next` returns false. Errors as
  // Store::ListGames.
  absl::Status List(const std::function<bool(const v1::GameSummary&)>& next);
  // Leads those that nobody leads any more and that have not ended: what happens there is told
  // without waiting until somebody asks for them. At most some hundred at a time; does nothing
  // where one engine service has all games. Errors as Store::GamesWithoutLeader.
  absl::Status LeadWhatNobodyLeads();

 private:
  class Watcher;
  struct Shared;
  void Opened(const std::shared_ptr<Table>& table, bool begun);

  Games* const games_;
  const std::shared_ptr<Shared> shared_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Watcher>> watchers_;
};

}  // namespace tilewarden::services
