// How the services reach each other.
#pragma once

#include <memory>
#include <string>

#include "grpcpp/channel.h"
#include "services/client/known_engines.h"

namespace tilewarden::services {

// Whether calls take the engine's token with them, or one that each brings itself.
enum class With { kOwnToken, kTokensOfCalls };

// A channel to a service that may come and go: it is found again within a second of its return.
// Never blocks. To another machine it is a tunnel (tunnel.h), for which the engine needs a token in
// any case; nothing is sent to whoever does not show the certificate that is known.
std::shared_ptr<grpc::Channel> ChannelTo(const std::string& address, const KnownEngine& engine = {},
                                         With with = With::kOwnToken);

}  // namespace tilewarden::services
