// The framing of gRPC-Web: what surrounds the messages in HTTP bodies.
// Pure functions; they know no messages.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "grpcpp/support/status.h"

namespace tilewarden::services {

// The one message of a request's body. INVALID_ARGUMENT: no or several
// messages, or torn; UNIMPLEMENTED: compressed.
absl::StatusOr<std::string_view> UnframedRequest(std::string_view body);
// The five bytes that go before a message of this size.
std::string MessageHeader(std::size_t size);
// The last frame of a response.
std::string TrailerFrame(const grpc::Status& status);
// "/package.Service/Method".
bool IsMethodPath(std::string_view path);
// The value of a grpc-timeout header; nothing when malformed.
std::optional<std::chrono::nanoseconds> ParseTimeout(std::string_view value);

}  // namespace tilewarden::services
