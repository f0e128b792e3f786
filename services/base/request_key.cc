#include "services/base/request_key.h"

#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"

namespace tilewarden::services {

absl::StatusOr<RequestKey> KeyOf(const std::string& request_id,
                                 const google::protobuf::Message& request) {
  if (request_id.empty() || request_id.size() > kLongestId) {
    return absl::InvalidArgumentError(
        "request_id: choose one at random, 1 to 64 characters, and repeat it with a retry");
  }
  RequestKey key{request_id, request.GetTypeName() + "\n"};
  {
    google::protobuf::io::StringOutputStream bytes(&key.request);
    google::protobuf::io::CodedOutputStream coded(&bytes);
    coded.SetSerializationDeterministic(true);
    request.SerializeToCodedStream(&coded);
  }
  return key;
}

absl::Status UsedForAnother() {
  return absl::InvalidArgumentError(
      "request_id: it was used for another request; choose a new one at random");
}

}  // namespace tilewarden::services
