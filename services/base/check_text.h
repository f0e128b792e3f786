// What a request's texts may be. Pure.
#pragma once

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace tilewarden::services {

// INVALID_ARGUMENT: the text is longer. `field` names it; `unit` is what its length is told in.
inline absl::Status CheckText(const char* field, const std::string& text, std::size_t longest,
                              const char* unit = "characters") {
  if (text.size() <= longest) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(field, ": at most ", longest, " ", unit));
}

}  // namespace tilewarden::services
