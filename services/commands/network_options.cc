#include "services/commands/network_options.h"

#include <unistd.h>

#include <cstdio>
#include <utility>

#include "services/channel.h"
#include "services/commands/running.h"
#include "services/status.h"
#include "tilewarden/v1/access.grpc.pb.h"

namespace tilewarden::services {

void AddNetworkOptions(CLI::App* command, NetworkOptions* network) {
  command->add_option("--certificate", network->certificate,
                      "On a network: PEM file with its certificate; else its own is made");
  command->add_option("--key", network->key, "PEM file with the key of --certificate");
  command->add_flag("--plain-text-on-network", network->plain_text,
                    "No TLS on a network either: everybody there can read along, tokens too");
}

void AddKnownEnginesOption(CLI::App* command, std::filesystem::path* file) {
  *file = KnownEngines::DefaultFile();
  command
      ->add_option("--known-engines", *file,
                   "File with certificates and tokens, kept by tilewarden access join")
      ->capture_default_str();
}

std::shared_ptr<grpc::Channel> ChannelToKnown(const std::string& address,
                                              const std::filesystem::path& file) {
  return ChannelTo(address, Check(KnownEngines(file).Find(address)));
}

std::unique_ptr<Gateway> StartGateway(Gateway::Options options, const NetworkOptions& network,
                                      const std::filesystem::path& data,
                                      std::shared_ptr<grpc::Channel> engine) {
  options.certificate = Check(CertificateFor(options.listen, network, data));
  return Check(Gateway::Start(options, std::move(engine)));
}

std::optional<Pairing> ShowPairing(const std::shared_ptr<grpc::Channel>& engine, Pairing pairing) {
  if (isatty(STDOUT_FILENO) != 1) return std::nullopt;
  v1::CreatePairingCodeRequest request;
  request.set_role(pairing.role);
  v1::CreatePairingCodeResponse response;
  grpc::ClientContext context;
  const absl::Status status =
      FromGrpc(v1::AccessService::NewStub(engine)->CreatePairingCode(&context, request, &response));
  // An engine service on another machine lets in whom it likes, at its own screen.
  if (!status.ok()) return std::nullopt;
  pairing.code = response.code();
  pairing.expires_ms = response.expires_ms();
  std::fputs(PairingText(pairing).c_str(), stdout);
  std::fflush(stdout);
  return pairing;
}

}  // namespace tilewarden::services
