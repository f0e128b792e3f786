// How the services reach each other.
#pragma once

#include <memory>
#include <string>

#include "grpcpp/channel.h"

namespace tilewarden::services {

// A channel to a service that may come and go: it is found again within a
// second of its return. Never blocks.
std::shared_ptr<grpc::Channel> ChannelTo(const std::string& address);

}  // namespace tilewarden::services
