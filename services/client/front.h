// The front of an engine service that other machines reach: HTTP/1.1 over TLS with limits (the
// gateway's). gRPC, which bears no attackers, is spoken behind it by those alone who showed a
// token:
//
//   GET /tunnel, Upgrade: tilewarden-grpc, Authorization: Bearer TOKEN   101, then gRPC's bytes
//
// What nobody needs a token for, as pairing, is one gRPC-Web call.
#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "boost/asio/awaitable.hpp"
#include "boost/asio/io_context.hpp"
#include "google/protobuf/message_lite.h"
#include "services/client/known_engines.h"
#include "services/client/wire.h"

namespace tilewarden::services {

inline constexpr const char* kTunnelTarget = "/tunnel";
inline constexpr const char* kTunnelProtocol = "tilewarden-grpc";
// A header of 401: one sentence for people.
inline constexpr const char* kWhyRefused = "Tilewarden-Refusal";

// One thread of this process, for all connections to fronts. It never stops.
boost::asio::io_context& FrontThread();

// Connects to whom is known. UNAVAILABLE: nobody answers; FAILED_PRECONDITION: who answers is not
// whom we know. On FrontThread.
boost::asio::awaitable<absl::StatusOr<std::unique_ptr<Wire>>> ConnectToFront(std::string address,
                                                                             KnownEngine engine);

// The head of an HTTP answer, without the empty line; what follows stays in the buffer. Empty: none
// came. On FrontThread.
boost::asio::awaitable<std::string> ReadHttpHead(Wire* wire, boost::beast::flat_buffer* buffer);

// A unary call without a token: "/tilewarden.v1.AccessService/Pair". Its status, or as
// ConnectToFront. Blocks for up to 20 s.
absl::Status CallFront(const std::string& address, const KnownEngine& engine,
                       const std::string& method, const google::protobuf::MessageLite& request,
                       google::protobuf::MessageLite* response);

// Whether a front answers there. Blocks for up to 20 s.
bool ProbeFront(const std::string& address, const KnownEngine& engine);

}  // namespace tilewarden::services
