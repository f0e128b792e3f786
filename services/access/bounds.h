// How large anything in a request may be: the one place where that is said. What a field means is
// checked where it is used. Pure.
#pragma once

#include "absl/status/status.h"
#include "google/protobuf/message.h"

namespace tilewarden::services {

// INVALID_ARGUMENT that names the field: a text is too long or holds control characters, a list is
// too long, a cell lies where no table reaches, or there is too much of everything.
absl::Status CheckBounds(const google::protobuf::Message& request);

}  // namespace tilewarden::services
