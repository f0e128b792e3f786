// Between absl::Status and grpc::Status, and the one fence around each RPC.
// Pure functions.
#pragma once

#include <exception>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "grpcpp/support/status.h"

namespace tilewarden::services {

// The codes share their numbers.
grpc::Status ToGrpc(const absl::Status& status);
absl::Status FromGrpc(const grpc::Status& status);

// Runs an RPC's handler. Whatever it throws becomes INTERNAL, so that a
// programming error costs one answer and not the evening's game.
template <typename Handler>
grpc::Status Fenced(Handler&& handler) {
  try {
    return ToGrpc(std::forward<Handler>(handler)());
  } catch (const std::exception& error) {
    return {grpc::StatusCode::INTERNAL, std::string("internal error: ") + error.what()};
  }
}

}  // namespace tilewarden::services
