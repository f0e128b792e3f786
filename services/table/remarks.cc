#include "services/table/remarks.h"

#include "absl/strings/str_cat.h"
#include "services/table/hall_facts.h"

namespace tilewarden::services {
namespace {

using MaybeRecord = absl::StatusOr<std::optional<v1::LogRecord>>;

constexpr std::uint32_t kLongestLimit_s = 24 * 60 * 60;

v1::LogRecord CallRecord(const std::optional<v1::RefereeCall>& call, bool by_players) {
  v1::LogRecord record;
  v1::LoggedCall* called = record.mutable_referee_called();
  if (call) *called->mutable_call() = *call;
  called->set_by_players(by_players);
  return record;
}

absl::StatusOr<std::optional<v1::RefereeCall>> Answered(v1::RefereeStep step,
                                                        const std::string& referee,
                                                        std::optional<v1::RefereeCall> call,
                                                        std::int64_t now_ms) {
  switch (step) {
    case v1::REFEREE_STEP_COMING:
      if (!call) call.emplace();
      if (call->coming_ms() != 0 && call->referee() != referee) {
        return absl::FailedPreconditionError(
            absl::StrCat(call->referee().empty() ? "another referee" : call->referee(),
                         " is on the way already"));
      }
      if (call->coming_ms() == 0) call->set_coming_ms(now_ms);
      call->set_referee(referee);
      return call;
    case v1::REFEREE_STEP_NOT_COMING:
      if (!call || call->called_ms() == 0) return std::nullopt;
      call->clear_coming_ms();
      call->clear_referee();
      return call;
    case v1::REFEREE_STEP_DONE:
      return std::nullopt;
    default:
      return absl::InvalidArgumentError("step: is the referee coming, not coming, or done?");
  }
}

}  // namespace

bool IsRemark(const v1::LogRecord& record) {
  return record.has_labelled() || record.has_referee_called() || record.has_thinking_limited();
}

Table::Remarking LabelRemark(const v1::LabelGameRequest& label) {
  return [label](const GameHeader& header, std::int64_t) -> MaybeRecord {
    v1::LogRecord record;
    v1::LoggedLabel* labelled = record.mutable_labelled();
    labelled->set_name(label.has_name() ? label.name() : header.name);
    labelled->set_archived(label.has_archived() ? label.archived() : header.archived);
    return record;
  };
}

Table::Remarking CallRemark(bool withdrawn) {
  return [withdrawn](const GameHeader& header, std::int64_t now_ms) -> MaybeRecord {
    std::optional<v1::RefereeCall> call = header.hall.call;
    const bool stands = call && call->called_ms() != 0;
    if (stands != withdrawn) return std::nullopt;
    if (withdrawn) return CallRecord(std::nullopt, false);
    if (header.hall.calls >= kMostCalls) {
      return absl::ResourceExhaustedError(
          absl::StrCat("the players of this game have called ", kMostCalls,
                       " times, which is as often as they can; go and fetch a referee"));
    }
    if (!call) call.emplace();
    call->set_called_ms(now_ms);
    return CallRecord(call, true);
  };
}

Table::Remarking AnswerRemark(v1::RefereeStep step, const std::string& referee) {
  return [step, referee](const GameHeader& header, std::int64_t now_ms) -> MaybeRecord {
    const auto answered = Answered(step, referee, header.hall.call, now_ms);
    if (!answered.ok()) return answered.status();
    const bool same = answered->has_value() == header.hall.call.has_value() &&
                      (!*answered || (*answered)->coming_ms() == header.hall.call->coming_ms());
    if (same) return std::nullopt;
    return CallRecord(*answered, false);
  };
}

Table::Remarking ThinkingRemark(std::uint32_t limit_s) {
  return [limit_s](const GameHeader& header, std::int64_t) -> MaybeRecord {
    if (limit_s > kLongestLimit_s) {
      return absl::InvalidArgumentError("limit_s: at most 24 hours for each player");
    }
    const std::int64_t limit_ms = std::int64_t{limit_s} * 1000;
    if (limit_ms == header.hall.clock.limit_ms()) return std::nullopt;
    v1::LogRecord record;
    record.mutable_thinking_limited()->set_limit_ms(limit_ms);
    return record;
  };
}

}  // namespace tilewarden::services
