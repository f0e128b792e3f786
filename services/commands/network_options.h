// What commands that other machines may reach have in common: how they prove who they are,
// and how they let devices in.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "grpcpp/channel.h"
#include "services/access/certificate.h"
#include "services/access/pairing_text.h"
#include "services/client/channel.h"
#include "services/client/engines.h"
#include "services/client/known_engines.h"
#include "services/commands/commands.h"
#include "services/gateway/gateway.h"

namespace tilewarden::services {

// --certificate, --key and --plain-text-on-network.
void AddNetworkOptions(Command command, NetworkOptions* network);
// --everybody-needs-token: whether the page trusts this machine's people.
void AddTrustOption(Command command, Gateway::Options* gateway);

// --known-engines: where tilewarden access join keeps what it learns.
void AddKnownEnginesOption(Command command, std::filesystem::path* file);
// The engine services at these addresses, joined by commas, with what is known of
// them. CommandError.
Engines EnginesAt(const std::string& addresses, const std::filesystem::path& known_engines,
                  With with = With::kOwnToken);

// Gateway::Start with the certificate that its address needs, this machine's own
// in the data folder. CommandError.
std::unique_ptr<Gateway> StartGateway(Gateway::Options options, const NetworkOptions& network,
                                      const std::filesystem::path& data, Engines engines);

// A new pairing code for this role, page, engine and fingerprint. Nothing is made where nobody
// looks at a terminal, so that none gets into a log.
std::optional<Pairing> MakePairing(const std::shared_ptr<grpc::Channel>& engine, Pairing pairing);
// The same, shown in full.
std::optional<Pairing> ShowPairing(const std::shared_ptr<grpc::Channel>& engine, Pairing pairing);

}  // namespace tilewarden::services
