#include "services/table/table.h"

#include <algorithm>
#include <deque>
#include <random>
#include <utility>

#include "absl/strings/str_cat.h"
#include "services/base/clock.h"
#include "services/base/request_key.h"
#include "services/table/hall_facts.h"
#include "services/table/remarks.h"
#include "spdlog/spdlog.h"

namespace tilewarden::services {
namespace {

// Events kept in memory for viewers that come back; older ones get the state.
constexpr std::size_t kRecentEvents = 512;

std::string NewGameId() {
  constexpr char kLetters[] = "abcdefghijkmnpqrstuvwxyz23456789";
  std::random_device random;
  std::string id;
  for (int i = 0; i < 10; ++i) id += kLetters[random() % 32];
  return id;
}

Table::Message MessageOf(v1::GameEvent event) {
  v1::WatchGameResponse message;
  *message.mutable_event() = std::move(event);
  return std::make_shared<const WatchMessage>(message);
}

}  // namespace

Table::Table(Store* store, TileSets* tile_sets, std::shared_ptr<const TileArt> art,
             std::uint64_t term)
    : store_(store),
      tile_sets_(tile_sets),
      begun_with_(std::move(art)),
      term_(term),
      art_(begun_with_),
      fanout_(kRecentEvents) {}

absl::StatusOr<std::shared_ptr<Table>> Table::Create(Store* store, TileSets* tile_sets,
                                                     std::shared_ptr<const TileArt> art,
                                                     const NewGame& game, const RequestKey& key) {
  std::shared_ptr<Table> table(new Table(store, tile_sets, std::move(art), 1));
  std::vector<engine::Event> events;
  auto referee = game.begun
                     ? engine::Referee::Join(table->art_->set, game.rules, game.colours, &events,
                                             table->Judging())
                     : engine::Referee::Create(table->art_->set, game.rules, game.colours,
                                               game.lay_start_tile, &events, table->Judging());
  if (!referee.ok()) return referee.status();
  table->header_.id = NewGameId();
  table->header_.name = table->header_.table = game.name;
  table->header_.names = game.names;
  table->header_.by_hand = game.by_hand;
  if (!events.empty() && std::holds_alternative<engine::GameStarted>(events.front())) {
    table->header_.started = std::get<engine::GameStarted>(events.front());
  }
  table->created_ms_ = NowMs();
  table->referee_ = *std::move(referee);
  const std::lock_guard lock(table->change_mutex_);
  const auto answer = [](Table& t, const Told&) {
    v1::CreateGameResponse response;
    *response.mutable_state() = t.StateWhileAnswering();
    return response.SerializeAsString();
  };
  std::string answered;
  if (auto status = table->LogLocked(events, key, std::nullopt, answer, &answered); !status.ok()) {
    return status;
  }
  return table;
}

absl::StatusOr<std::shared_ptr<Table>> Table::Open(Store* store, TileSets* tile_sets,
                                                   const std::string& game_id, std::uint64_t term) {
  auto log = store->ReadLog(game_id);
  if (!log.ok()) return log.status();
  v1::LogRecord first;
  if (!first.ParseFromString(log->front().record) || !first.has_started()) {
    return absl::DataLossError(absl::StrCat("the log of game ", game_id, " has no beginning"));
  }
  auto art = tile_sets->Get(first.started().tile_set(), first.started().own_tiles());
  if (!art.ok()) return art.status();
  std::shared_ptr<Table> table(new Table(store, tile_sets, *std::move(art), term));
  table->header_.id = game_id;
  const v1::LoggedStart& start = first.started();
  table->header_.table = start.name();
  table->header_.by_hand = start.by_hand();
  for (int i = 0; i < std::min(start.names_size(), start.colours_size()); ++i) {
    if (!start.names(i).empty()) table->header_.names[start.colours(i)] = start.names(i);
  }
  table->created_ms_ = log->front().time_ms;
  const std::lock_guard lock(table->change_mutex_);
  if (auto status = table->RestoreLocked(); !status.ok()) return status;
  return table;
}

absl::StatusOr<std::optional<engine::Event>> Table::EventOf(
    const LogEntry& entry, v1::LogRecord* record, std::shared_ptr<const TileArt>* art) const {
  if (!record->ParseFromString(entry.record)) {
    return absl::DataLossError(
        absl::StrCat("event ", entry.number, " of game ", header_.id, " cannot be read"));
  }
  if (IsRemark(*record)) return std::nullopt;
  auto event = FromLog(*record, *(*art)->set);
  if (!event.ok()) return event.status();
  auto after = ArtAfter(*event, *art, tile_sets_);
  if (!after.ok()) return after.status();
  *art = *std::move(after);
  return *std::move(event);
}

std::shared_ptr<const TileArt> Table::art() {
  const std::lock_guard lock(change_mutex_);
  return art_;
}

absl::Status Table::RestoreLocked() {
  const auto log = store_->ReadLog(header_.id);
  if (!log.ok()) return log.status();
  std::vector<engine::Event> events;
  std::deque<Message> recent;
  told_.reset();
  art_ = begun_with_;
  for (const LogEntry& entry : *log) {
    v1::LogRecord record;
    auto read = EventOf(entry, &record, &art_);
    if (!read.ok()) return read.status();
    std::optional<engine::Event>& event = *read;
    if (!event) {
      TakeRemarkLocked(record, entry.time_ms);
      recent.push_back(MessageOf(RemarkEventLocked(entry.number, entry.time_ms)));
      if (recent.size() > kRecentEvents) recent.pop_front();
      continue;
    }
    if (!told_) {
      auto told = engine::Referee::Restore(begun_with_->set, {*event}, Judging());
      if (!told.ok()) return told.status();
      told_ = *std::move(told);
      header_.started = std::get<engine::GameStarted>(*event);
      header_.name = header_.table;
      header_.archived = false;
      header_.hall = {};
    } else if (auto status = told_->Fold(*event); !status.ok()) {
      return absl::DataLossError(absl::StrCat("event ", entry.number, " of game ", header_.id,
                                              " does not fit: ", status.message()));
    }
    FollowPlay(*told_, entry.time_ms, &header_.hall);
    if (!record.session().empty()) {
      session_ = record.session();
      sequence_ = record.sighting_sequence();
    }
    recent.push_back(
        MessageOf(EventToProto(header_, *art_, *event, *told_, entry.number, entry.time_ms)));
    if (recent.size() > kRecentEvents) recent.pop_front();
    events.push_back(*std::move(event));
  }
  auto referee = engine::Referee::Restore(begun_with_->set, events, Judging());
  if (!referee.ok()) return referee.status();
  referee_ = *std::move(referee);
  logged_ = log->size();
  ForgetState();
  fanout_.Reset(std::move(recent), logged_);
  TellSummary(SummaryLocked());
  FollowOpenLocked();
  return absl::OkStatus();
}

absl::Status Table::ReadyLocked() {
  if (!left_.ok()) return left_;
  if (!broken_.ok()) broken_ = RestoreLocked();
  return broken_;
}

void Table::Leave(const absl::Status& why) {
  {
    const std::lock_guard lock(change_mutex_);
    left_ = why;
    ForgetState();
  }
  for (const auto& viewer : viewers()) viewer->Stop(why);
}

absl::Status Table::left() {
  const std::lock_guard lock(change_mutex_);
  return left_;
}

void Table::FollowOpenLocked() {
  if (told_->ended()) return evidence_.Forget();
  evidence_.Follow(told_->findings(), told_->questions());
}

void Table::CompleteStartLocked(v1::LoggedStart* start) const {
  start->set_own_tiles(art_->own);
  start->set_name(header_.table);
  start->set_by_hand(header_.by_hand);
  for (const std::string& colour : start->colours()) {
    const auto found = header_.names.find(colour);
    start->add_names(found == header_.names.end() ? "" : found->second);
  }
}

v1::GameState Table::StateWhileAnswering() const {
  return StateToProto(header_, *art_, *told_, logged_);
}

absl::StatusOr<v1::GameState> Table::State() {
  const std::lock_guard lock(change_mutex_);
  if (auto status = ReadyLocked(); !status.ok()) return status;
  return StateWhileAnswering();
}

absl::Status Table::LogLocked(const std::vector<engine::Event>& events, const RequestKey& key,
                              std::optional<engine::Refusal> refusal, const Answer& answer,
                              std::string* answered) {
  Told told{{}, std::move(refusal)};
  Change change;
  change.game_id = header_.id;
  change.term = term_;
  if (logged_ == 0) change.created_ms = created_ms_;
  const std::uint64_t before = logged_;
  std::vector<Message> messages;
  v1::GameSummary summary;
  absl::Status status;
  for (const engine::Event& event : events) {
    v1::LogRecord record = ToLog(event, *art_->set);
    if (record.has_started()) CompleteStartLocked(record.mutable_started());
    if (key.id.empty() && !session_.empty()) {
      record.set_session(session_);
      record.set_sighting_sequence(sequence_);
    }
    if (!told_) {
      auto first = engine::Referee::Restore(art_->set, {event}, Judging());
      status = first.status();
      if (first.ok()) told_ = *std::move(first);
    } else {
      status = told_->Fold(event);
    }
    if (!status.ok()) break;
    auto art = ArtAfter(event, art_, tile_sets_);
    status = art.status();
    if (!status.ok()) break;
    art_ = *std::move(art);
    ++logged_;
    const std::int64_t now_ms = NowMs();
    FollowPlay(*told_, now_ms, &header_.hall);
    told.events.push_back(EventToProto(header_, *art_, event, *told_, logged_, now_ms));
    change.entries.push_back({logged_, now_ms, record.SerializeAsString()});
  }
  if (status.ok()) {
    summary = SummaryLocked();
    change.summary = summary.SerializeAsString();
    if (answer) *answered = answer(*this, told);
    if (!key.id.empty()) change.answer = StoredAnswer{key.id, key.request, *answered};
    for (v1::GameEvent& event : told.events) messages.push_back(MessageOf(std::move(event)));
    if (!change.entries.empty() || change.answer) status = store_->Append(change);
  }
  if (!status.ok()) {
    // What is not on the disk did not happen.
    if (before > 0) {
      ForgetState();
      broken_ = RestoreLocked();
      spdlog::error("game {}: a change was not logged: {}", header_.id, status.ToString());
    }
    return status;
  }
  fanout_.Add(std::move(messages));
  TellSummary(std::move(summary));
  FollowOpenLocked();
  SettleClipsLocked(events, !key.id.empty());
  return absl::OkStatus();
}

absl::StatusOr<std::string> Table::Command(const RequestKey& key, const Judge& judge,
                                           const Answer& answer) {
  std::string answered;
  {
    const std::lock_guard lock(change_mutex_);
    if (auto status = ReadyLocked(); !status.ok()) return status;
    // The same request may have been answered while this one waited.
    auto earlier = store_->FindAnswer(key.id);
    if (!earlier.ok()) return earlier.status();
    if (*earlier) {
      if ((*earlier)->request != key.request) return UsedForAnother();
      return (*earlier)->answer;
    }
    auto judged = judge(*referee_);
    if (!judged.ok()) return judged.status();
    std::vector<engine::Event> events;
    std::optional<engine::Refusal> refusal;
    if (auto* made = std::get_if<std::vector<engine::Event>>(&*judged)) {
      events = std::move(*made);
    } else {
      refusal = std::get<engine::Refusal>(*std::move(judged));
    }
    if (auto status = LogLocked(events, key, std::move(refusal), answer, &answered); !status.ok()) {
      return status;
    }
  }
  fanout_.Wake();
  return answered;
}

absl::Status Table::Ask(const Asking& ask) {
  const std::lock_guard lock(change_mutex_);
  if (auto status = ReadyLocked(); !status.ok()) return status;
  return ask(*referee_, *art_);
}

absl::StatusOr<std::variant<v1::GameState, engine::Refusal>> Table::Preview(const Judge& judge) {
  const auto log = store_->ReadLog(header_.id);
  if (!log.ok()) return log.status();
  std::vector<engine::Event> events;
  std::shared_ptr<const TileArt> art = begun_with_;
  for (const LogEntry& entry : *log) {
    v1::LogRecord record;
    auto event = EventOf(entry, &record, &art);
    if (!event.ok()) return event.status();
    if (*event) events.push_back(**std::move(event));
  }
  auto referee = engine::Referee::Restore(begun_with_->set, events, Judging());
  if (!referee.ok()) return referee.status();
  auto judged = judge(*referee);
  if (!judged.ok()) return judged.status();
  if (auto* refusal = std::get_if<engine::Refusal>(&*judged)) return std::move(*refusal);
  const auto after = tile_sets_->Get(referee->tile_set()->id(), begun_with_->own);
  if (!after.ok()) return after.status();
  return StateToProto(header_, **after, *referee, log->size());
}

absl::StatusOr<bool> Table::Observe(const std::string& session, engine::Sighting sighting) {
  {
    const std::lock_guard lock(change_mutex_);
    if (auto status = ReadyLocked(); !status.ok()) return status;
    if (session == session_ && sighting.sequence <= sequence_) return false;
    if (referee_->ended()) {
      return absl::FailedPreconditionError(
          absl::StrCat("game ", header_.id, " has ended; start a new one"));
    }
    session_ = session;
    sequence_ = sighting.sequence;
    // The referee counts across cameras and restarts.
    sighting.sequence = ++observed_;
    const std::vector<engine::Event> events = referee_->Observe(sighting);
    if (events.empty()) return true;
    if (auto status = LogLocked(events, {}, std::nullopt, nullptr, nullptr); !status.ok()) {
      return status;
    }
  }
  fanout_.Wake();
  return true;
}

bool Table::ended() {
  const std::lock_guard lock(change_mutex_);
  return referee_ && referee_->ended();
}

std::optional<engine::BoardFromLattice> Table::Alignment() {
  const std::lock_guard lock(change_mutex_);
  return referee_->alignment();
}

}  // namespace tilewarden::services
