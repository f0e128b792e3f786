// How our gRPC servers listen.
#pragma once

#include <string>

#include "absl/status/status.h"
#include "grpcpp/server_builder.h"

namespace tilewarden::services {

// Adds one listening address of this machine to a server in the making, so that a second server on
// the same port is an error and not a silent rival. gRPC listens nowhere else: it does not bear
// attackers (client/front.h says who stands before it).
void Listen(const std::string& address, grpc::ServerBuilder* builder, int* port);
// A server built with this tells nobody what methods it has.
void LeaveOutReflection(grpc::ServerBuilder* builder);
// What one client may ask of a server built with this: messages, streams, metadata, threads,
// memory; and nothing compressed, which may be a thousand times as large as it came.
void LimitClients(grpc::ServerBuilder* builder);
// "127.0.0.1:0" and 4711 give "127.0.0.1:4711".
std::string WithPort(const std::string& address, int port);
// UNAVAILABLE that says what to do.
absl::Status CannotListen(const std::string& address);

}  // namespace tilewarden::services
