// What a request that changes something stands for, so that its repetition gets the first answer.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "google/protobuf/message.h"

namespace tilewarden::services {

// Ids of requests, sessions and the like, in characters.
inline constexpr std::size_t kLongestId = 64;

// An empty id: nothing is remembered.
struct RequestKey {
  std::string id;
  std::string request;  // the name of its message, and the hash of its bytes
};

// The same for the same request. INVALID_ARGUMENT: the id is empty or longer
// than kLongestId.
absl::StatusOr<RequestKey> KeyOf(const std::string& request_id,
                                 const google::protobuf::Message& request);
// INVALID_ARGUMENT: the id stands for another request.
absl::Status UsedForAnother();
template <typename Request>
absl::StatusOr<RequestKey> KeyOf(const Request& request) {
  return KeyOf(request.request_id(), request);
}

}  // namespace tilewarden::services
