#include "services/table/games.h"

#include <algorithm>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/game/box_rules.h"
#include "engine/game/figure_kind.h"
#include "services/base/check_text.h"
#include "services/base/clock.h"
#include "services/base/leader.h"
#include "services/base/request_key.h"
#include "services/table/forgetting.h"
#include "services/table/game_list.h"

namespace tilewarden::services {
namespace {

constexpr int kMostPlayers = 6;
constexpr std::size_t kLongestColour = 64, kLongestSet = 200;

absl::Status MovedOn(const std::string& game_id) {
  return absl::UnavailableError(
      absl::StrCat("game ", game_id,
                   " has moved to another engine service; ask again, or watch again with the "
                   "last event number"));
}

// Both are larger followers to a camera, which would take one for the other and say nothing.
absl::Status CheckCameraTellsFigures(const engine::Rules& rules) {
  using engine::FigureKind;
  const auto all = engine::AllFigureKinds();
  const auto plays = [&](FigureKind kind) {
    return std::any_of(all.begin(), all.end(), [&](const engine::FigureKindEntry& entry) {
      return entry.kind == kind && entry.supply(rules) > 0;
    });
  };
  if (!plays(FigureKind::kLargeFollower) || !plays(FigureKind::kProphet)) return absl::OkStatus();
  return absl::UnimplementedError(
      "tile_set: no camera tells a large follower from a prophet yet; play by hand on the page, or "
      "without large followers (large_followers 0)");
}

}  // namespace

std::vector<std::string> Games::Warnings() const {
  std::vector<std::string> warnings = store_->Lost();
  if (auto scarce = room_.Warning()) warnings.push_back(*std::move(scarce));
  return warnings;
}

absl::StatusOr<std::shared_ptr<Table>> Games::Create(const v1::CreateGameRequest& request,
                                                     const RequestKey& key) {
  if (auto status = room_.ForAnotherGame(); !status.ok()) return status;
  if (auto status = CheckText("tile_set", request.tile_set(), kLongestSet, "bytes"); !status.ok()) {
    return status;
  }
  auto art = tile_sets_.Get(request.tile_set());
  if (art.status().code() == absl::StatusCode::kNotFound) {
    return absl::InvalidArgumentError(absl::StrCat("tile_set: ", art.status().message()));
  }
  if (!art.ok()) return art.status();
  auto rules = engine::RulesOfBox(*(*art)->set, request.preset());
  if (!rules.ok()) return rules.status();
  Table::NewGame game;
  game.rules = *rules;
  for (const auto& [name, value] : request.rules()) {
    if (auto status = game.rules.Set(name, value); !status.ok()) return status;
  }
  if (!request.by_hand()) {
    if (auto status = CheckCameraTellsFigures(game.rules); !status.ok()) return status;
  }
  if (request.players_size() > kMostPlayers) {
    return absl::InvalidArgumentError(absl::StrCat("players: at most ", kMostPlayers, " can play"));
  }
  if (request.players_size() > game.rules.max_players) {
    return absl::InvalidArgumentError(
        absl::StrCat("players: at most ", game.rules.max_players,
                     " can play by these rules (option max_players)"));
  }
  std::set<std::string> colours;
  for (const v1::Player& player : request.players()) {
    if (player.colour().empty()) {
      return absl::InvalidArgumentError("players.colour: every player needs a colour");
    }
    if (auto status = CheckText("players.colour", player.colour(), kLongestColour, "bytes");
        !status.ok()) {
      return status;
    }
    if (!colours.insert(player.colour()).second) {
      return absl::InvalidArgumentError(
          absl::StrCat("players.colour: two players cannot both play ", player.colour()));
    }
    if (auto status = CheckText("players.name", player.name(), kLongestName, "bytes");
        !status.ok()) {
      return status;
    }
    game.colours.push_back(player.colour());
    if (!player.name().empty()) game.names[player.colour()] = player.name();
  }
  if (auto status = CheckText("name", request.name(), kLongestName, "bytes"); !status.ok()) {
    return status;
  }
  game.name = request.name();
  game.lay_start_tile = request.place_start_tile();
  game.begun = request.begun();
  game.by_hand = request.by_hand();
  if (game.begun && game.lay_start_tile) {
    return absl::InvalidArgumentError(
        "begun: a game that is under way starts from the board on the table; leave "
        "place_start_tile "
        "out");
  }
  auto table = Table::Create(store_, &tile_sets_, *std::move(art), game, key);
  if (!table.ok()) return table.status();
  const std::lock_guard lock(mutex_);
  KeepLocked(*table, true);
  return table;
}

absl::StatusOr<std::shared_ptr<Table>> Games::Find(const std::string& id) {
  std::string wanted = id;
  if (wanted.empty()) {
    const auto status = ForEachGame(store_, 1, [&](const StoredGame& game) -> absl::StatusOr<bool> {
      const auto summary = SummaryOf(game);
      if (!summary.ok()) return summary.status();
      if (!summary->archived()) wanted = game.id;
      return summary->archived();
    });
    if (!status.ok()) return status;
    if (wanted.empty()) return absl::NotFoundError("there is no game yet; create one");
  }
  const auto term = store_->Lead(wanted);
  if (!term.ok()) {
    if (LeaderOf(term.status())) LeaveThoseLedElsewhere();
    return term.status();
  }
  while (true) {
    std::uint64_t put_out = 0;
    {
      const std::lock_guard lock(mutex_);
      if (auto table = UseLocked(wanted, *term)) return table;
      put_out = put_out_;
    }
    // Without the lock: when many games come here at once, they are opened side by side.
    auto table = Table::Open(store_, &tile_sets_, wanted, *term);
    if (!table.ok()) return table.status();
    std::shared_ptr<Table> earlier;
    {
      const std::lock_guard lock(mutex_);
      if (auto other = UseLocked(wanted, *term)) return other;
      if (put_out_ != put_out) continue;
      earlier = KeepLocked(*table, false);
    }
    if (earlier != nullptr) earlier->Leave(MovedOn(wanted));
    return table;
  }
}

absl::StatusOr<bool> Games::Forget(const StoredGame& game, const std::string& name) {
  // Somebody may play meanwhile, and a table that was opened in between may write the name again:
  // it is gone once it is not found.
  constexpr int kTries = 8;
  bool forgotten = false;
  absl::Status status;
  for (int i = 0; i < kTries; ++i) {
    auto change = ChangeThatForgets(store_, game, name, true);
    if (!change.ok()) return change.status();
    if (!*change) return forgotten;
    const auto term = store_->Lead(game.id);
    if (!term.ok()) {
      if (LeaderOf(term.status())) LeaveThoseLedElsewhere();
      return term.status();
    }
    (*change)->term = *term;
    PutOut(game.id);
    status = store_->Append(**change);
    // One that was opened in between has it from the old log.
    PutOut(game.id);
    if (!status.ok() && !absl::IsAborted(status)) return status;
    forgotten = forgotten || status.ok();
  }
  return absl::UnavailableError(
      absl::StrCat("game ", game.id, " is being played; delete this player again in a moment"));
}

void Games::PutOut(const std::string& id) {
  std::shared_ptr<Table> table;
  {
    const std::lock_guard lock(mutex_);
    ++put_out_;
    const auto found = tables_.find(id);
    if (found == tables_.end()) return;
    table = std::move(found->second.table);
    tables_.erase(found);
  }
  table->Leave(absl::UnavailableError(absl::StrCat(
      "game ", id, " is written anew; ask again, or watch again with the last event number")));
}

absl::Status Games::Delete(const std::string& id) {
  if (id.empty()) return absl::InvalidArgumentError("game_id: which game?");
  const auto table = Find(id);
  if (!table.ok()) return table.status();
  if ((*table)->followed()) {
    return absl::FailedPreconditionError("a camera follows this game; end it first");
  }
  const absl::Status gone = absl::NotFoundError(absl::StrCat("game ", id, " was deleted"));
  (*table)->Leave(gone);
  {
    const std::lock_guard lock(mutex_);
    const auto found = tables_.find(id);
    if (found != tables_.end() && found->second.table == *table) tables_.erase(found);
    std::erase_if(offers_, [&](const Offered& offered) { return offered.game_id == id; });
  }
  if (auto status = clips_.Delete(id); !status.ok()) return status;
  return store_->Delete(id, (*table)->term());
}

std::shared_ptr<Table> Games::UseLocked(const std::string& id, std::uint64_t term) {
  const auto found = tables_.find(id);
  if (found == tables_.end() || found->second.table->term() != term) return nullptr;
  found->second.used = std::chrono::steady_clock::now();
  return found->second.table;
}

std::shared_ptr<Table> Games::KeepLocked(const std::shared_ptr<Table>& table, bool begun) {
  table->KeepClipsIn(&clips_);
  auto& open = tables_[table->id()];
  auto earlier = std::exchange(open, {table, std::chrono::steady_clock::now()}).table;
  for (const auto& [who, opened] : watchers_) opened(table, begun);
  return earlier;
}

void Games::SweepClips() {
  if (clips_.empty()) return;
  std::set<std::string> games;
  const auto status =
      ForEachGame(store_, kGamesAtOnce, [&](const StoredGame& game) -> absl::StatusOr<bool> {
        games.insert(game.id);
        return true;
      });
  // A store that cannot be read says nothing about what is gone.
  if (!status.ok()) return;
  clips_.Sweep(NowMs(), games);
}

void Games::Watch(const void* who, Opened opened) {
  const std::lock_guard lock(mutex_);
  watchers_[who] = std::move(opened);
}

void Games::Unwatch(const void* who) {
  const std::lock_guard lock(mutex_);
  watchers_.erase(who);
}

void Games::Offer(const std::string& game_id, const std::string& name) {
  // More are never begun before a camera looks.
  constexpr std::size_t kMost = 64;
  const std::lock_guard lock(mutex_);
  std::erase_if(offers_, [&](const Offered& offered) { return offered.game_id == game_id; });
  offers_.push_back({game_id, name});
  if (offers_.size() > kMost) offers_.erase(offers_.begin());
}

bool Games::OffersAnother(const std::string& table, const std::string& than) {
  const std::lock_guard lock(mutex_);
  return std::any_of(offers_.begin(), offers_.end(), [&](const Offered& offered) {
    return (table.empty() || offered.name == table) && offered.game_id != than;
  });
}

std::string Games::TakeOffer(const std::string& table) {
  const std::lock_guard lock(mutex_);
  const auto theirs = [&](const Offered& offered) {
    return table.empty() || offered.name == table;
  };
  const auto newest = std::find_if(offers_.rbegin(), offers_.rend(), theirs);
  if (newest == offers_.rend()) return "";
  std::string game_id = newest->game_id;
  std::erase_if(offers_, theirs);
  return game_id;
}

std::size_t Games::PutAside(std::chrono::milliseconds unused) {
  const auto long_ago = std::chrono::steady_clock::now() - unused;
  std::vector<std::shared_ptr<Table>> aside;
  {
    const std::lock_guard lock(mutex_);
    for (auto it = tables_.begin(); it != tables_.end();) {
      // Watches, cameras and calls hold the table; new holders come by this lock alone.
      if (it->second.table.use_count() == 1 && it->second.used <= long_ago) {
        aside.push_back(std::move(it->second.table));
        it = tables_.erase(it);
      } else {
        ++it;
      }
    }
  }
  return aside.size();
}

void Games::LeaveThoseLedElsewhere() {
  for (const auto& table : open_tables()) {
    if (store_->StillLeads(table->id(), table->term())) continue;
    {
      const std::lock_guard lock(mutex_);
      const auto found = tables_.find(table->id());
      if (found != tables_.end() && found->second.table == table) tables_.erase(found);
    }
    table->Leave(MovedOn(table->id()));
  }
}

absl::Status Games::CreateOnce(const v1::CreateGameRequest& request,
                               v1::CreateGameResponse* response) {
  const auto key = KeyOf(request);
  if (!key.ok()) return key.status();
  const auto table = Create(request, *key);
  // Answered before: the store refuses the second beginning.
  const auto earlier = store_->FindAnswer(key->id);
  if (!earlier.ok()) return earlier.status();
  if (!*earlier) return table.ok() ? absl::InternalError("no answer was kept") : table.status();
  if ((*earlier)->request != key->request) return UsedForAnother();
  if (!response->ParseFromString((*earlier)->answer)) {
    return absl::DataLossError("the first answer to this request cannot be read");
  }
  return absl::OkStatus();
}

absl::StatusOr<std::shared_ptr<Table>> Games::FindOpen(const std::string& name) {
  std::string id;
  const auto status = ForEachGame(store_, name.empty() ? 1 : kGamesAtOnce,
                                  [&](const StoredGame& game) -> absl::StatusOr<bool> {
                                    const auto summary = SummaryOf(game);
                                    if (!summary.ok()) return summary.status();
                                    if (!name.empty() && TableOf(*summary) != name) return true;
                                    if (summary->by_hand() || summary->archived()) return true;
                                    if (summary->phase() != v1::GAME_PHASE_ENDED) id = game.id;
                                    return false;
                                  });
  if (!status.ok()) return status;
  if (id.empty()) return nullptr;
  return Find(id);
}

absl::StatusOr<std::shared_ptr<Table>> Games::FindOpenOrCreate(const std::string& tile_set,
                                                               const std::string& name) {
  const std::lock_guard lock(create_mutex_);
  auto open = FindOpen(name);
  if (!open.ok() || *open != nullptr) return open;
  v1::CreateGameRequest request;
  request.set_tile_set(tile_set);
  request.set_name(name);
  return Create(request, {});
}

std::vector<std::shared_ptr<Table>> Games::open_tables() {
  const std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<Table>> out;
  for (const auto& [id, open] : tables_) out.push_back(open.table);
  return out;
}

std::optional<v1::RecognisedBox> Games::RecognisedBox() {
  std::optional<v1::RecognisedBox> best;
  for (const auto& table : open_tables()) {
    auto box = table->camera().Box(NowMs());
    if (!box) continue;
    const auto better = [](const v1::RecognisedBox& a, const v1::RecognisedBox& b) {
      return a.connected() != b.connected() ? a.connected() : a.age_ms() < b.age_ms();
    };
    if (!best || better(*box, *best)) best = std::move(box);
  }
  return best;
}

}  // namespace tilewarden::services
