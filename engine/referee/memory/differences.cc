#include "engine/referee/memory/differences.h"

#include <algorithm>
#include <iterator>

namespace tilewarden::engine {

bool Differences::Made(Difference what, Cell cell, bool touched) {
  Seen& seen = seen_.try_emplace({what, cell}, Seen{touched, true, true}).first->second;
  seen.shown = true;
  return seen.made;
}

bool Differences::OnlyMissed(Difference what, Cell cell) const {
  const auto found = seen_.find({what, cell});
  return found != seen_.end() && !found->second.made;
}

int Differences::First(Difference what) const {
  return static_cast<int>(std::count_if(seen_.begin(), seen_.end(), [&](const auto& entry) {
    return entry.first.first == what && entry.second.first && entry.second.made;
  }));
}

void Differences::Explain(Difference what, const std::function<bool(Cell)>& but_on) {
  for (auto& [key, seen] : seen_) {
    if (key.first != what || !seen.first || !seen.made || (but_on && but_on(key.second))) continue;
    seen.made = false;
    seen.explained = true;
  }
}

bool Differences::Explained(Difference what, Cell cell) const {
  const auto found = seen_.find({what, cell});
  return found != seen_.end() && found->second.explained;
}

void Differences::EndLook(const std::function<bool(Cell)>& visible) {
  for (auto it = seen_.begin(); it != seen_.end();) {
    const bool gone = !it->second.shown && visible(it->first.second);
    it->second.shown = it->second.first = false;
    it = gone ? seen_.erase(it) : std::next(it);
  }
}

}  // namespace tilewarden::engine
