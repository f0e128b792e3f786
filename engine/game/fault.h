// Why something is not legal, told at no cost: the words are string literals.
#pragma once

namespace tilewarden::engine {

struct Fault {
  const char* code = nullptr;  // stable, see engine/RULES.md; null: it is legal
  const char* text = nullptr;  // one sentence that cites the rule
  explicit operator bool() const { return code != nullptr; }
};

}  // namespace tilewarden::engine
