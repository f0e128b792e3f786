// The first answers to changes that are not kept in a game's log, for requests that are repeated
// soon: in memory, the last ones only.
#pragma once

#include <deque>
#include <mutex>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "services/base/request_key.h"

namespace tilewarden::services {

// Thread safe. Makes one change at a time.
template <typename Response>
class Repeated {
 public:
  explicit Repeated(std::size_t most) : most_(most) {}

  // Fills the response with what `change` answers, or with the first answer to this request id. No
  // id: nothing is remembered. Errors of KeyOf and of the change; UsedForAnother.
  template <typename Request, typename Change>
  absl::Status Once(const Request& request, Response* response, const Change& change) {
    if (request.request_id().empty()) return change(response);
    auto key = KeyOf(request);
    if (!key.ok()) return key.status();
    const std::lock_guard lock(mutex_);
    for (const auto& [earlier, answer] : answers_) {
      if (earlier.id != key->id) continue;
      if (earlier.request != key->request) return UsedForAnother();
      *response = answer;
      return absl::OkStatus();
    }
    const absl::Status status = change(response);
    if (!status.ok()) return status;
    answers_.emplace_back(*std::move(key), *response);
    if (answers_.size() > most_) answers_.pop_front();
    return absl::OkStatus();
  }

 private:
  const std::size_t most_;
  std::mutex mutex_;
  std::deque<std::pair<RequestKey, Response>> answers_;
};

}  // namespace tilewarden::services
