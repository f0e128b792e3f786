// How our gRPC servers listen.
#pragma once

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "grpcpp/server_builder.h"
#include "services/access/certificate.h"

namespace tilewarden::services {

// A server built with this tells nobody what methods it has.
void LeaveOutReflection(grpc::ServerBuilder* builder);
// Adds one listening address to a server in the making, so that a second
// server on the same port is an error and not a silent rival.
void Listen(const std::string& address, const std::optional<Certificate>& certificate,
            grpc::ServerBuilder* builder, int* port);
// "127.0.0.1:0" and 4711 give "127.0.0.1:4711".
std::string WithPort(const std::string& address, int port);
// UNAVAILABLE that says what to do.
absl::Status CannotListen(const std::string& address);

}  // namespace tilewarden::services
