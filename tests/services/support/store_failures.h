// A store whose disk or memory fails once, at each operation in turn: what was acknowledged is
// there afterwards, what was refused was said to be, and nothing is there twice.
#pragma once

#include <functional>
#include <string>

#include "absl/strings/str_cat.h"
#include "services/store/store.h"
#include "tests/services/support/store_changes.h"
#include "tests/services/support/temp_folder.h"

namespace tilewarden::services {

struct FailureSum {
  int failures = 0, refused = 0;
  std::string wrong;  // the first thing that was; empty: nothing
};

// `arm`: the operation so many from now fails, 0: none. `came`: whether it has come to that. Every
// `stride`th operation fails, up to `most` of them.
inline FailureSum RunFailures(const std::function<void(int)>& arm,
                              const std::function<bool()>& came, int stride, int most) {
  FailureSum sum;
  for (int at = 1; sum.failures < most; at += stride) {
    const TempFolder folder;
    const auto file = folder.path() / "games.sqlite";
    std::uint64_t told = 0;
    arm(at);
    {
      const auto store = OpenSqliteStore(file);
      if (!store.ok()) ++sum.refused;
      for (std::uint64_t n = 1; store.ok() && n < 15; ++n) {
        Change change =
            n == 1 ? NewGame("g") : More("g", n, std::string(n == 7 ? 300'000 : 900, 'r'));
        change.answer = StoredAnswer{absl::StrCat("request ", n), "asked", absl::StrCat(n)};
        absl::Status written = (*store)->Append(change);
        // Whoever was refused asks again, as the services do: what the failure came too late for
        // has been answered. It was once that the disk failed.
        if (!written.ok()) {
          ++sum.refused;
          const auto answered = (*store)->FindAnswer(change.answer->request_id);
          written = answered.ok() && *answered ? absl::OkStatus() : (*store)->Append(change);
        }
        if (!written.ok()) {
          sum.wrong = absl::StrCat("failure ", at, ": afterwards, too: ", written.message());
          break;
        }
        told = n;
      }
    }
    const bool failed = came();
    arm(0);
    const auto store = OpenSqliteStore(file);
    const auto log = store.ok() ? (*store)->ReadLog("g") : store.status();
    if (sum.wrong.empty() && told > 0 && (!log.ok() || log->size() != told)) {
      sum.wrong = absl::StrCat(
          "failure ", at, ": ", told, " changes were acknowledged; ",
          log.ok() ? absl::StrCat(log->size(), " are there") : std::string(log.status().message()));
    }
    for (std::uint64_t n = 1; sum.wrong.empty() && n <= told; ++n) {
      const auto answer = (*store)->FindAnswer(absl::StrCat("request ", n));
      if (!answer.ok() || !*answer || (*answer)->answer != absl::StrCat(n)) {
        sum.wrong = absl::StrCat("failure ", at, ": answer ", n, " is not there");
      }
    }
    if (!failed || !sum.wrong.empty()) return sum;
    ++sum.failures;
  }
  return sum;
}

}  // namespace tilewarden::services
