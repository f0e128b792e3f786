// What people call a game, and whether it is put away.
#include <utility>

#include "absl/strings/str_cat.h"
#include "services/base/clock.h"
#include "services/table/table.h"

namespace tilewarden::services {

void Table::TakeLabelLocked(const v1::LoggedLabel& label) {
  header_.name = label.name();
  header_.archived = label.archived();
}

v1::GameEvent Table::LabelEventLocked(std::uint64_t number, std::int64_t time_ms) const {
  v1::GameEvent event;
  event.set_number(number);
  event.set_time_ms(time_ms);
  v1::GameRevised* revised = event.mutable_revised();
  *revised->mutable_state() = StateToProto(header_, *art_, *told_, number);
  *event.mutable_players() = revised->state().players();
  event.set_to_move(revised->state().to_move());
  return event;
}

absl::StatusOr<std::string> Table::Label(const RequestKey& key,
                                         const v1::LabelGameRequest& request) {
  v1::LabelGameResponse response;
  {
    const std::lock_guard lock(change_mutex_);
    if (auto status = ReadyLocked(); !status.ok()) return status;
    auto earlier = store_->FindAnswer(key.id);
    if (!earlier.ok()) return earlier.status();
    if (*earlier) {
      if ((*earlier)->request != key.request) return UsedForAnother();
      return (*earlier)->answer;
    }
    v1::LogRecord record;
    v1::LoggedLabel* label = record.mutable_labelled();
    label->set_name(request.has_name() ? request.name() : header_.name);
    label->set_archived(request.has_archived() ? request.archived() : header_.archived);
    const GameHeader before = header_;
    TakeLabelLocked(*label);
    const std::int64_t now_ms = NowMs();
    v1::GameSummary summary = SummaryToProto(header_, *told_, created_ms_);
    summary.set_event_number(logged_ + 1);
    *response.mutable_summary() = summary;
    Change change;
    change.game_id = header_.id;
    change.term = term_;
    change.entries.push_back({logged_ + 1, now_ms, record.SerializeAsString()});
    change.summary = summary.SerializeAsString();
    change.answer = StoredAnswer{key.id, key.request, response.SerializeAsString()};
    if (auto status = store_->Append(change); !status.ok()) {
      header_ = before;
      ForgetState();
      broken_ = RestoreLocked();
      return status;
    }
    ++logged_;
    v1::WatchGameResponse told;
    *told.mutable_event() = LabelEventLocked(logged_, now_ms);
    fanout_.Add({std::make_shared<const WatchMessage>(told)});
    TellSummary(std::move(summary));
  }
  fanout_.Wake();
  return response.SerializeAsString();
}

}  // namespace tilewarden::services
