// What people say of a game besides play: what they call it, whether it is put away, that the
// referee is wanted, and how long players may think.
#include <utility>

#include "absl/strings/str_cat.h"
#include "services/base/clock.h"
#include "services/table/hall_facts.h"
#include "services/table/table.h"

namespace tilewarden::services {

bool Table::TakeRemarkLocked(const v1::LogRecord& record, std::int64_t time_ms) {
  if (record.has_labelled()) {
    header_.name = record.labelled().name();
    header_.archived = record.labelled().archived();
  } else if (record.has_referee_called()) {
    FollowCall(record.referee_called(), time_ms, &header_.hall);
  } else if (record.has_thinking_limited()) {
    header_.hall.clock.set_limit_ms(record.thinking_limited().limit_ms());
  } else {
    return false;
  }
  return true;
}

v1::GameEvent Table::RemarkEventLocked(std::uint64_t number, std::int64_t time_ms) const {
  v1::GameEvent event;
  event.set_number(number);
  event.set_time_ms(time_ms);
  v1::GameRevised* revised = event.mutable_revised();
  *revised->mutable_state() = StateToProto(header_, *art_, *told_, number);
  *event.mutable_players() = revised->state().players();
  event.set_to_move(revised->state().to_move());
  *event.mutable_clock() = revised->state().clock();
  return event;
}

absl::StatusOr<std::string> Table::Remark(const RequestKey& key, const Remarking& remark,
                                          const RemarkAnswer& answer) {
  std::string answered;
  {
    const std::lock_guard lock(change_mutex_);
    if (auto status = ReadyLocked(); !status.ok()) return status;
    auto earlier = store_->FindAnswer(key.id);
    if (!earlier.ok()) return earlier.status();
    if (*earlier) {
      if ((*earlier)->request != key.request) return UsedForAnother();
      return (*earlier)->answer;
    }
    const std::int64_t now_ms = NowMs();
    const auto record = remark(header_, now_ms);
    if (!record.ok()) return record.status();
    // Nothing would change.
    if (!*record) return answer(SummaryLocked());
    const GameHeader before = header_;
    TakeRemarkLocked(**record, now_ms);
    v1::GameSummary summary = SummaryToProto(header_, *told_, created_ms_);
    summary.set_event_number(logged_ + 1);
    answered = answer(summary);
    Change change;
    change.game_id = header_.id;
    change.term = term_;
    change.entries.push_back({logged_ + 1, now_ms, (*record)->SerializeAsString()});
    change.summary = summary.SerializeAsString();
    change.answer = StoredAnswer{key.id, key.request, answered};
    if (auto status = store_->Append(change); !status.ok()) {
      header_ = before;
      ForgetState();
      broken_ = RestoreLocked();
      return status;
    }
    ++logged_;
    v1::WatchGameResponse told;
    *told.mutable_event() = RemarkEventLocked(logged_, now_ms);
    fanout_.Add({std::make_shared<const WatchMessage>(told)});
    TellSummary(std::move(summary));
  }
  fanout_.Wake();
  return answered;
}

}  // namespace tilewarden::services
