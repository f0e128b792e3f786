// Small text helpers. The packaged abseil has its own string_view, so its
// StrCat does not take ours.
#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <vector>

namespace tilewarden::engine {

inline void AppendText(std::string& out, std::string_view text) { out += text; }
inline void AppendText(std::string& out, std::integral auto number) {
  out += std::to_string(number);
}

// Texts and numbers, one after the other.
template <typename... Parts>
std::string Text(const Parts&... parts) {
  std::string out;
  out.reserve(64);
  (AppendText(out, parts), ...);
  return out;
}

inline std::string JoinText(const std::vector<std::string>& parts, std::string_view between) {
  std::string out;
  for (const std::string& part : parts) {
    if (!out.empty()) out += between;
    out += part;
  }
  return out;
}

inline std::vector<std::string> SplitText(std::string_view text, char at) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == at) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

}  // namespace tilewarden::engine
