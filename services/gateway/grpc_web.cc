#include "services/gateway/grpc_web.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"

namespace tilewarden::services {
namespace {

constexpr std::size_t kHeader = 5;
constexpr unsigned char kCompressed = 0x01, kTrailers = 0x80;

std::string Frame(unsigned char flags, std::size_t size) {
  std::string header(1, static_cast<char>(flags));
  for (const int shift : {24, 16, 8, 0}) header += static_cast<char>(size >> shift & 0xff);
  return header;
}

}  // namespace

absl::StatusOr<std::string_view> UnframedRequest(std::string_view body) {
  if (body.size() < kHeader) return absl::InvalidArgumentError("the request holds no message");
  const auto flags = static_cast<unsigned char>(body[0]);
  std::size_t size = 0;
  for (std::size_t i = 1; i < kHeader; ++i) size = size << 8 | static_cast<unsigned char>(body[i]);
  if (flags & kCompressed) return absl::UnimplementedError("compressed messages are not supported");
  if (flags & kTrailers || body.size() - kHeader != size) {
    return absl::InvalidArgumentError("the request must hold exactly one whole message");
  }
  return body.substr(kHeader);
}

std::string MessageHeader(std::size_t size) { return Frame(0, size); }

std::string TrailerFrame(const grpc::Status& status) {
  // As gRPC does it: percent signs and what is not printable ASCII.
  std::string message;
  for (const char c : status.error_message()) {
    if (c >= 0x20 && c <= 0x7e && c != '%') {
      message += c;
    } else {
      message += absl::StrCat("%", absl::AsciiStrToUpper(absl::StrCat(
                                       absl::Hex(static_cast<unsigned char>(c), absl::kZeroPad2))));
    }
  }
  const std::string trailers = absl::StrCat("grpc-status: ", static_cast<int>(status.error_code()),
                                            "\r\ngrpc-message: ", message, "\r\n");
  return Frame(kTrailers, trailers.size()) + trailers;
}

bool IsMethodPath(std::string_view path) {
  if (path.size() < 4 || path.front() != '/' || path.back() == '/') return false;
  return std::count(path.begin(), path.end(), '/') == 2 && path[1] != '/' &&
         std::all_of(path.begin(), path.end(), [](char c) {
           return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '_' ||
                  c == '/';
         });
}

std::optional<std::chrono::nanoseconds> ParseTimeout(std::string_view value) {
  if (value.size() < 2 || value.size() > 9) return std::nullopt;
  std::int64_t amount = 0;
  for (const char digit : value.substr(0, value.size() - 1)) {
    if (digit < '0' || digit > '9') return std::nullopt;
    amount = amount * 10 + (digit - '0');
  }
  switch (value.back()) {
    case 'H':
      return std::chrono::hours(std::min<std::int64_t>(amount, 1'000'000));
    case 'M':
      return std::chrono::minutes(amount);
    case 'S':
      return std::chrono::seconds(amount);
    case 'm':
      return std::chrono::milliseconds(amount);
    case 'u':
      return std::chrono::microseconds(amount);
    case 'n':
      return std::chrono::nanoseconds(amount);
    default:
      return std::nullopt;
  }
}

}  // namespace tilewarden::services
