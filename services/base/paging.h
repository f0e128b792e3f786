// Lists that are told page by page. Pure.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

namespace tilewarden::services {

inline constexpr std::uint32_t kLargestPage = 500;

// INVALID_ARGUMENT: more than kLargestPage.
inline absl::StatusOr<std::size_t> PageSizeOf(std::uint32_t asked) {
  if (asked > kLargestPage) {
    return absl::InvalidArgumentError(absl::StrCat("page_size: at most ", kLargestPage));
  }
  return asked == 0 ? kLargestPage : asked;
}

inline absl::Status NoSuchPage() {
  return absl::InvalidArgumentError("page_token: use the one of the page before, or none");
}

// Of `count` things, those of one page: from and up to these.
struct Page {
  std::size_t from = 0, to = 0;
};

// What a request for a page asks for; puts the token of the next one into the response. Tokens
// are places in the list. INVALID_ARGUMENT: too large a page, or no token of ours.
template <typename Request, typename Response>
absl::StatusOr<Page> PageOf(const Request& request, std::size_t count, Response* response) {
  const auto size = PageSizeOf(request.page_size());
  if (!size.ok()) return size.status();
  std::size_t from = 0;
  if (!request.page_token().empty() &&
      (!absl::SimpleAtoi(request.page_token(), &from) || from == 0)) {
    return NoSuchPage();
  }
  const Page page{std::min(from, count), std::min(std::min(from, count) + *size, count)};
  if (page.to < count) response->set_next_page_token(absl::StrCat(page.to));
  return page;
}

}  // namespace tilewarden::services
