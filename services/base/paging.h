// Lists that are answered page by page. Pure.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

namespace tilewarden::services {

// How many things a page has: at the most, and where nobody says.
struct PageSizes {
  std::uint32_t largest = 500, usual = 500;
};

// INVALID_ARGUMENT: more than the largest.
inline absl::StatusOr<std::size_t> PageSizeOf(std::uint32_t asked, PageSizes sizes = {}) {
  if (asked > sizes.largest) {
    return absl::InvalidArgumentError(absl::StrCat("page_size: at most ", sizes.largest));
  }
  return asked == 0 ? sizes.usual : asked;
}

inline absl::Status NoSuchPage() {
  return absl::InvalidArgumentError("page_token: use the one from the page before, or none");
}

// A token that is a number from 1; 0: none was given. INVALID_ARGUMENT: it is no token of ours.
inline absl::StatusOr<std::int64_t> NumberOfToken(const std::string& token) {
  std::int64_t number = 0;
  if (!token.empty() && (!absl::SimpleAtoi(token, &number) || number <= 0)) return NoSuchPage();
  return number;
}

// Of `count` things, those of one page: from and up to these.
struct Page {
  std::size_t from = 0, to = 0;
};

// What a request for a page asks for; puts the token of the next one into the response. Tokens
// are places in the list. INVALID_ARGUMENT: too large a page, or no token of ours.
template <typename Request, typename Response>
absl::StatusOr<Page> PageOf(const Request& request, std::size_t count, Response* response,
                            PageSizes sizes = {}) {
  const auto size = PageSizeOf(request.page_size(), sizes);
  if (!size.ok()) return size.status();
  const auto token = NumberOfToken(request.page_token());
  if (!token.ok()) return token.status();
  const std::size_t from = std::min(static_cast<std::size_t>(*token), count);
  const Page page{from, std::min(from + *size, count)};
  if (page.to < count) response->set_next_page_token(absl::StrCat(page.to));
  return page;
}

}  // namespace tilewarden::services
