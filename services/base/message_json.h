// Messages of the contract as JSON, with the names of their fields as in proto/. 64-bit
// numbers are texts, as everywhere in JSON of protocol buffers. Pure functions.
#pragma once

#include <google/protobuf/message.h>

#include <string>

namespace tilewarden::services {

// One line, or laid out for people. Fields that are 0 or false are included.
std::string ToJson(const google::protobuf::Message& message, bool laid_out = false);

// The same back; fields that this version does not know are left out. False: it is no such message.
bool FromJson(const std::string& json, google::protobuf::Message* message);

}  // namespace tilewarden::services
