#include "services/commands/network_options.h"

#include <unistd.h>

#include <cstdio>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "absl/strings/str_split.h"
#include "services/base/status.h"
#include "services/client/channel.h"
#include "services/commands/running.h"
#include "spdlog/spdlog.h"
#include "tilewarden/v1/access.grpc.pb.h"

namespace tilewarden::services {

void AddNetworkOptions(Command command, NetworkOptions* network) {
  command.Add("--certificate", &network->certificate,
              "On a network: PEM file with its certificate; else its own is made");
  command.Add("--key", &network->key, "PEM file with the key of --certificate");
  command.AddFlag("--plain-text-on-network", &network->plain_text,
                  "No TLS on a network either: everybody there can read along, tokens too");
}

void AddTrustOption(Command command, Gateway::Options* gateway) {
  command.AddFlag(
      "--everybody-needs-token", &gateway->everybody_needs_token,
      "Browsers on this machine need a token too: where a person runs a proxy here that "
      "does not say for whom it asks");
}

void AddKnownEnginesOption(Command command, std::filesystem::path* file) {
  *file = KnownEngines::DefaultFile();
  command
      .Add("--known-engines", file,
           "File with certificates and tokens, kept by tilewarden access join")
      .ShowDefault();
}

namespace {

// One channel for each address.
class Channels {
 public:
  Channels(std::filesystem::path file, With with) : known_(std::move(file)), with_(with) {}

  absl::StatusOr<std::shared_ptr<grpc::Channel>> To(const std::string& address) {
    const std::lock_guard lock(mutex_);
    if (const auto found = made_.find(address); found != made_.end()) return found->second;
    auto known = known_.Find(address);
    if (!known.ok()) return known.status();
    return made_[address] = ChannelTo(address, *known, with_);
  }

 private:
  const KnownEngines known_;
  const With with_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<grpc::Channel>> made_;
};

}  // namespace

Engines EnginesAt(const std::string& addresses, const std::filesystem::path& known_engines,
                  With with) {
  const auto channels = std::make_shared<Channels>(known_engines, with);
  const std::vector<std::string> all = absl::StrSplit(addresses, ',');
  // What is wrong with those that were given is reported now.
  for (const std::string& address : all) Check(channels->To(address));
  return {all, [channels, first = all.front()](const std::string& address) {
            auto channel = channels->To(address);
            if (channel.ok()) return *channel;
            spdlog::warn("the game is led by an engine service that this device does not know: {}",
                         std::string(channel.status().message()));
            return *channels->To(first);
          }};
}

std::unique_ptr<Gateway> StartGateway(Gateway::Options options, const NetworkOptions& network,
                                      const std::filesystem::path& data, Engines engines) {
  options.certificate = Check(CertificateFor(options.listen, network, data));
  return Check(Gateway::Start(options, std::move(engines)));
}

std::optional<Pairing> MakePairing(const std::shared_ptr<grpc::Channel>& engine, Pairing pairing) {
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
  return pairing;
}

std::optional<Pairing> ShowPairing(const std::shared_ptr<grpc::Channel>& engine, Pairing pairing) {
  const auto made = MakePairing(engine, std::move(pairing));
  if (made) std::fputs(PairingText(*made).c_str(), stdout);
  std::fflush(stdout);
  return made;
}

}  // namespace tilewarden::services
