// What a request's texts may be. Pure.
#pragma once

#include <algorithm>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace tilewarden::services {

// A control character: where the text is shown, it would forge lines or steer a terminal.
inline bool IsControl(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

// The text as it may be shown in a terminal.
inline std::string Printable(std::string text) {
  std::replace_if(text.begin(), text.end(), IsControl, '?');
  return text;
}

// INVALID_ARGUMENT: the text is longer, or holds control characters. `field` names it; `unit` is
// what its length is told in.
inline absl::Status CheckText(const char* field, const std::string& text, std::size_t longest,
                              const char* unit = "characters") {
  if (text.size() > longest) {
    return absl::InvalidArgumentError(absl::StrCat(field, ": at most ", longest, " ", unit));
  }
  if (std::any_of(text.begin(), text.end(), IsControl)) {
    return absl::InvalidArgumentError(absl::StrCat(field, ": control characters cannot be in it"));
  }
  return absl::OkStatus();
}

}  // namespace tilewarden::services
