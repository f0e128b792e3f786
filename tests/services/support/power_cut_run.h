// Plays against a store while the power is cut again and again, and looks at each disk.
#pragma once

#include <atomic>
#include <string>

#include "absl/strings/str_cat.h"
#include "services/store/store.h"
#include "tests/services/support/power_cut.h"
#include "tests/services/support/store_changes.h"
#include "tests/services/support/temp_folder.h"

namespace tilewarden::services {

// Errors name the cut. Of everything that was acknowledged, nothing may be missing, and what is
// there must be whole.
inline CutSum RunPowerCuts(int count, unsigned seed) {
  CutSum sum;
  std::mt19937 random(seed);
  while (sum.cuts < count && sum.wrong.empty()) {
    const TempFolder folder;
    std::vector<PowerCuts::Cut> cuts;
    {
      PowerCuts power(static_cast<unsigned>(random()));
      std::atomic<std::uint64_t> told = 0;
      auto store = OpenSqliteStore(folder.path() / "games.sqlite");
      if (!store.ok()) return {sum.cuts, sum.told, std::string(store.status().message())};
      if (!(*store)->Append(NewGame("g")).ok()) return {sum.cuts, sum.told, "no game can be made"};
      told = 1;
      power.CutIn(static_cast<int>(1 + random() % 200), &told);
      for (std::uint64_t n = 2; n < 120; ++n) {
        // Now and then so much that the write-ahead log begins anew.
        const std::size_t size = random() % 20 == 0 ? 900'000 : 100 + random() % 3000;
        Change change = More("g", n, std::string(size, static_cast<char>('a' + n % 26)));
        change.answer = StoredAnswer{absl::StrCat("request ", n), "asked", absl::StrCat(n)};
        if (!(*store)->Append(change).ok()) return {sum.cuts, sum.told, "a change was refused"};
        told = n;
        for (auto& cut : power.Take()) {
          cuts.push_back(std::move(cut));
          power.CutIn(static_cast<int>(1 + random() % 200), &told);
        }
        if (sum.cuts + static_cast<int>(cuts.size()) >= count) break;
      }
    }
    for (const PowerCuts::Cut& cut : cuts) {
      const TempFolder after;
      cut.WriteTo(after.path());
      ++sum.cuts;
      sum.told += cut.told;
      const auto store = OpenSqliteStore(after.path() / "games.sqlite");
      absl::StatusOr<std::vector<LogEntry>> log = absl::UnknownError("");
      if (store.ok()) {
        log = (*store)->ReadLog("g");
      } else {
        log = store.status();
      }
      if (!log.ok()) {
        sum.wrong = absl::StrCat("cut ", sum.cuts, ": ", log.status().message());
      } else if (log->size() < cut.told) {
        sum.wrong = absl::StrCat("cut ", sum.cuts, ": ", cut.told, " changes were acknowledged, ",
                                 log->size(), " are there");
      } else if (cut.told > 1 &&
                 !(*store)->FindAnswer(absl::StrCat("request ", cut.told))->has_value()) {
        sum.wrong = absl::StrCat("cut ", sum.cuts, ": an answer is missing");
      }
      if (!sum.wrong.empty()) break;
    }
  }
  return sum;
}

}  // namespace tilewarden::services
