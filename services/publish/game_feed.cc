#include "services/publish/game_feed.h"

#include <atomic>
#include <utility>

#include "services/table/game_list.h"
#include "services/table/games.h"

namespace tilewarden::services {
namespace {

constexpr int kMostWithoutLeader = 500;

}  // namespace

struct GameFeed::Shared {
  std::mutex mutex;
  std::map<std::string, News> news;
  std::function<void()> wake;

  void Note(const std::string& game_id, const Table::Cursor& begin, bool left) {
    const std::lock_guard lock(mutex);
    if (!wake) return;
    auto& noted = news.try_emplace(game_id, News{game_id, begin, left}).first->second;
    noted.left = left;
    wake();
  }
};

// Hears of one game in memory.
class GameFeed::Watcher : public Viewer {
 public:
  Watcher(std::shared_ptr<Shared> shared, const std::shared_ptr<Table>& table, Table::Cursor begin)
      : shared_(std::move(shared)),
        table_(table),
        game_id_(table->id()),
        begin_(begin),
        noted_(table->last_number()) {}

  bool gone() const { return table_.expired(); }
  void Wake() override {
    if (const auto table = table_.lock()) noted_ = table->last_number();
    shared_->Note(game_id_, begin_, false);
  }
  void Tick(std::int64_t) override {
    // After a failure of the log, it may hold more than was told.
    const auto table = table_.lock();
    if (table != nullptr && table->last_number() != noted_) Wake();
  }
  void Stop(const absl::Status&) override { shared_->Note(game_id_, begin_, true); }

 private:
  const std::shared_ptr<Shared> shared_;
  const std::weak_ptr<Table> table_;
  const std::string game_id_;
  const Table::Cursor begin_;
  std::atomic<std::uint64_t> noted_;
};

GameFeed::GameFeed(Games* games, std::function<void()> wake)
    : games_(games), shared_(std::make_shared<Shared>()) {
  shared_->wake = std::move(wake);
  games_->Watch(this, [this](const auto& table, bool begun) { Opened(table, begun); });
}

GameFeed::~GameFeed() {
  games_->Unwatch(this);
  const std::lock_guard lock(shared_->mutex);
  shared_->wake = nullptr;
}

void GameFeed::Opened(const std::shared_ptr<Table>& table, bool begun) {
  const Table::Cursor begin{table->term() > 1, begun ? 0 : table->last_number()};
  const auto watcher = std::make_shared<Watcher>(shared_, table, begin);
  table->AddViewer(watcher);
  {
    const std::lock_guard lock(mutex_);
    std::erase_if(watchers_, [](const auto& old) { return old.second->gone(); });
    watchers_[table->id()] = watcher;
  }
  watcher->Wake();
}

std::vector<GameFeed::News> GameFeed::Take() {
  std::vector<News> out;
  const std::lock_guard lock(shared_->mutex);
  for (auto& [id, news] : shared_->news) out.push_back(std::move(news));
  shared_->news.clear();
  return out;
}

absl::Status GameFeed::LeadWhatNobodyLeads() {
  const auto games = games_->store()->GamesWithoutLeader(kMostWithoutLeader);
  if (!games.ok()) return games.status();
  for (const StoredGame& game : *games) {
    const auto summary = SummaryOf(game);
    if (!summary.ok() || summary->phase() == v1::GAME_PHASE_ENDED) continue;
    // Another engine service may be faster. Any other error goes to whoever asks.
    (void)games_->Find(game.id);
  }
  return absl::OkStatus();
}

absl::Status GameFeed::List(const std::function<bool(const v1::GameSummary&)>& next) {
  return ForEachGame(games_->store(), kGamesAtOnce, [&](const StoredGame& game) {
    const auto summary = SummaryOf(game);
    // Whoever asks for a damaged game is told.
    return !summary.ok() || next(*summary);
  });
}

}  // namespace tilewarden::services
