// How the services reach each other.
#pragma once

#include <memory>
#include <string>

#include "grpcpp/channel.h"
#include "services/client/known_engines.h"

namespace tilewarden::services {

// A channel to a service that may come and go: it is found again within a
// second of its return. Never blocks. It only talks to a service with the certificate that is
// known is talked to, and it gets the token with each call.
std::shared_ptr<grpc::Channel> ChannelTo(const std::string& address,
                                         const KnownEngine& engine = {});

}  // namespace tilewarden::services
