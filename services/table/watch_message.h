// A message of a watch as it goes to every viewer: serialised once, its bytes shared by all
// streams that write it. Immutable, so safe from any thread.
#pragma once

#include <string>

#include "google/protobuf/message_lite.h"
#include "grpcpp/support/byte_buffer.h"
#include "grpcpp/support/slice.h"
#include "tilewarden/v1/game.pb.h"

namespace tilewarden::services {

class WatchMessage {
 public:
  explicit WatchMessage(const google::protobuf::MessageLite& message)
      : bytes_(message.SerializeAsString()) {}

  // Without a copy of the bytes.
  grpc::ByteBuffer ToSend() const { return {&bytes_, 1}; }
  // For whoever wants to look inside. `Message`: WatchGameResponse, or one with the same field
  // at the same place.
  template <typename Message = v1::WatchGameResponse>
  Message Parse() const {
    Message message;
    message.ParseFromArray(bytes_.begin(), static_cast<int>(bytes_.size()));
    return message;
  }

 private:
  const grpc::Slice bytes_;
};

}  // namespace tilewarden::services
