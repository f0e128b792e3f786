// The engine service as a server: games, sightings, health and reflection on
// one port.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "grpcpp/grpcpp.h"
#include "services/access/access_service.h"
#include "services/access/certificate.h"
#include "services/access/guard.h"
#include "services/game_service.h"
#include "services/metrics.h"
#include "services/publish/mqtt.h"
#include "services/publish/webhook.h"
#include "services/query_service.h"
#include "services/sighting_service.h"
#include "services/tile_service.h"

namespace tilewarden::services {

class EngineServer {
 public:
  struct Options {
    // Host and port; port 0 takes a free one. Empty: no port, only Channel().
    std::string listen = "127.0.0.1:50551";
    // Folder of the log and the owner's tiles; made when it is not there.
    std::filesystem::path data;
    // PostgreSQL instead of the log's file in that folder, as OpenStore takes it.
    std::string store = {};
    // Where other machines reach it.
    NetworkOptions network = {};
    // Tells everybody what methods there are, also on a network.
    bool reflection = false;
    // Who else is told what happens.
    MqttOptions mqtt = {};
    WebhookOptions webhook = {};
    // After so long without a word, a connection is asked whether anybody is there, and cut when
    // nobody answers in the same time: a device that lost its network says no goodbye.
    std::chrono::milliseconds ask_after{15'000};
  };
  // Opens the log and listens, on a network with TLS. Errors of OpenStore,
  // TokenFile, CertificateFor, MqttPublisher and Webhook; UNAVAILABLE: the address is taken or
  // cannot be listened on.
  static absl::StatusOr<std::unique_ptr<EngineServer>> Start(const Options& options);
  // Stops gracefully: watches are told, requests under way get two seconds.
  ~EngineServer();

  // Where it listens, with the port it got.
  const std::string& address() const { return address_; }
  // Of the certificate that it shows; empty: none.
  const std::string& fingerprint() const { return fingerprint_; }
  // Games and viewers, for Prometheus. Safe from any thread.
  std::vector<Metric> Metrics();
  // A channel inside this process.
  std::shared_ptr<grpc::Channel> Channel();

 private:
  EngineServer(std::unique_ptr<Store> store, std::unique_ptr<TokenFile> tokens,
               const Options& options);
  absl::Status StartPublishing(const Options& options);

  const std::unique_ptr<Store> store_;
  const std::unique_ptr<TokenFile> tokens_;
  Guard guard_;
  Games games_;
  GameServiceImpl game_service_;
  SightingServiceImpl sighting_service_;
  QueryServiceImpl query_service_;
  TileServiceImpl tile_service_;
  AccessServiceImpl access_service_;
  std::string address_, fingerprint_;
  std::unique_ptr<grpc::Server> server_;
  std::unique_ptr<MqttPublisher> mqtt_;
  std::unique_ptr<Webhook> webhook_;
};

// A server in the making will tell nobody what methods it has.
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
