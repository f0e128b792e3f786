// What the viewers of a table get: the state, the events that follow, and the summary.
#include <utility>

#include "services/table/table.h"

namespace tilewarden::services {

Table::Message Table::StateAtHand(std::uint64_t* number) {
  const std::lock_guard lock(state_mutex_);
  if (state_ == nullptr || state_number_ != fanout_.last_number()) return nullptr;
  *number = state_number_;
  return state_;
}

Table::Message Table::MakeStateLocked() {
  v1::WatchGameResponse state;
  *state.mutable_state() = StateWhileAnswering();
  auto message = std::make_shared<const WatchMessage>(state);
  const std::lock_guard lock(state_mutex_);
  state_number_ = logged_;
  return state_ = std::move(message);
}

void Table::ForgetState() {
  const std::lock_guard lock(state_mutex_);
  state_.reset();
}

v1::GameSummary Table::SummaryLocked() const {
  v1::GameSummary summary = SummaryToProto(header_, *told_, created_ms_);
  summary.set_event_number(logged_);
  return summary;
}

void Table::TellSummary(v1::GameSummary summary) {
  const std::uint64_t number = summary.event_number();
  summary.clear_results();
  v1::WatchSummaryResponse response;
  *response.mutable_summary() = std::move(summary);
  auto message = std::make_shared<const WatchMessage>(response);
  const std::lock_guard lock(state_mutex_);
  summary_ = std::move(message);
  summary_number_ = number;
}

Table::Message Table::NextSummary(Cursor* cursor) {
  const std::lock_guard lock(state_mutex_);
  if (!cursor->needs_state && cursor->number == summary_number_) return nullptr;
  *cursor = {false, summary_number_};
  return summary_;
}

absl::StatusOr<Table::Message> Table::StateTold() {
  std::uint64_t number = 0;
  if (auto state = StateAtHand(&number)) return state;
  const std::lock_guard lock(change_mutex_);
  if (auto status = ReadyLocked(); !status.ok()) return status;
  auto state = StateAtHand(&number);
  return state != nullptr ? state : MakeStateLocked();
}

Table::Message Table::Next(Cursor* cursor) {
  if (auto message = fanout_.Next(cursor)) return *message;
  cursor->needs_state = false;
  if (auto state = StateAtHand(&cursor->number)) return state;
  const std::lock_guard lock(change_mutex_);
  // What was judged but perhaps not logged is shown to nobody.
  if (!broken_.ok() || !left_.ok()) {
    cursor->needs_state = true;
    return nullptr;
  }
  if (auto state = StateAtHand(&cursor->number)) return state;
  cursor->number = logged_;
  return MakeStateLocked();
}

}  // namespace tilewarden::services
