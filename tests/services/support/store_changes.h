// Changes of a store, for its tests.
#pragma once

#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "services/store/store.h"

namespace tilewarden::services {

inline Change NewGame(const std::string& id) {
  Change change;
  change.game_id = id;
  change.created_ms = 1000;
  change.summary = "summary of " + id;
  change.entries = {{1, 1000, "started"}};
  return change;
}

// `term`: in which whoever writes leads the game.
inline Change More(const std::string& id, std::uint64_t number, const std::string& record,
                   std::uint64_t term = 1) {
  Change change;
  change.term = term;
  change.game_id = id;
  change.summary = absl::StrCat("after ", number);
  change.entries = {{number, 1000 + static_cast<std::int64_t>(number), record}};
  return change;
}

}  // namespace tilewarden::services
