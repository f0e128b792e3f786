#include "services/base/request_key.h"

#include "absl/strings/str_cat.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "services/base/secrets.h"

namespace tilewarden::services {

absl::StatusOr<RequestKey> KeyOf(const std::string& request_id,
                                 const google::protobuf::Message& request) {
  if (request_id.empty() || request_id.size() > kLongestId) {
    return absl::InvalidArgumentError(
        "request_id: choose one at random, 1 to 64 characters, and repeat it with a retry");
  }
  std::string bytes;
  {
    google::protobuf::io::StringOutputStream stream(&bytes);
    google::protobuf::io::CodedOutputStream coded(&stream);
    coded.SetSerializationDeterministic(true);
    request.SerializeToCodedStream(&coded);
  }
  // Its hash: what is refused is kept too, and must not fill the disk.
  return RequestKey{request_id, absl::StrCat(request.GetTypeName(), "\n", HashOf(bytes))};
}

absl::Status UsedForAnother() {
  return absl::InvalidArgumentError(
      "request_id: it was used for another request; choose a new one at random");
}

}  // namespace tilewarden::services
