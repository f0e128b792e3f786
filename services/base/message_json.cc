#include "services/base/message_json.h"

#include <google/protobuf/util/json_util.h>

namespace tilewarden::services {

std::string ToJson(const google::protobuf::Message& message, bool laid_out) {
  google::protobuf::util::JsonPrintOptions options;
  options.preserve_proto_field_names = true;
  options.always_print_primitive_fields = true;
  options.add_whitespace = laid_out;
  std::string json;
  // Only durations and the like out of their range fail; the contract has none.
  (void)google::protobuf::util::MessageToJsonString(message, &json, options);
  return json;
}

bool FromJson(const std::string& json, google::protobuf::Message* message) {
  google::protobuf::util::JsonParseOptions options;
  options.ignore_unknown_fields = true;
  return google::protobuf::util::JsonStringToMessage(json, message, options).ok();
}

}  // namespace tilewarden::services
