// The engine service as a server: games, sightings, health and reflection on one port. On this
// machine alone that is gRPC's own; where other machines reach it, a front stands before it
// (client/front.h, gateway/gateway.h).
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
#include "services/base/metrics.h"
#include "services/engine_service/game_service.h"
#include "services/engine_service/player_service.h"
#include "services/engine_service/query_service.h"
#include "services/engine_service/sighting_service.h"
#include "services/engine_service/tile_service.h"
#include "services/gateway/gateway.h"
#include "services/publish/mqtt.h"
#include "services/publish/webhook.h"
#include "services/store/nightly_copies.h"

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
    // Answers reflection on a network too.
    bool reflection = false;
    // Who else is told what happens.
    MqttOptions mqtt = {};
    WebhookOptions webhook = {};
    // Opens the page to the house; null: there is none to open.
    AccessServiceImpl::OpenHouseTo open_house = {};
    // Copies of the file to keep: one is made each day (store/nightly_copies.h).
    int backups = 7;
    // How much the data folder may take before no game may begin; 0: as much as the disk holds.
    int quota_mb = 0;
    // So many days clips of disputed turns stay in the data folder (table/clips.h); 0: none are
    // kept, and those from before go.
    int clip_days = 0;
    // After this long without a word, a connection is asked whether anybody is there, and cut when
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
  std::string fingerprint() const { return front_ ? front_->fingerprint() : ""; }
  // Speaks gRPC over a connected socket of this machine, whose other end a device at this address
  // has: it needs a token with each call. Takes the socket over.
  void Serve(int handle, const std::string& address);
  // Games and viewers, for Prometheus. Safe from any thread.
  std::vector<Metric> Metrics();
  // A channel inside this process.
  std::shared_ptr<grpc::Channel> Channel();

 private:
  EngineServer(std::unique_ptr<Store> store, std::unique_ptr<TokenFile> tokens,
               const Options& options);
  absl::Status StartPublishing(const Options& options);
  absl::Status OpenFront(const Options& options);

  const std::unique_ptr<Store> store_;
  const std::unique_ptr<TokenFile> tokens_;
  Guard guard_;
  Games games_;
  GameServiceImpl game_service_;
  SightingServiceImpl sighting_service_;
  QueryServiceImpl query_service_;
  TileServiceImpl tile_service_;
  PlayerServiceImpl player_service_;
  AccessServiceImpl access_service_;
  std::string address_;
  std::unique_ptr<grpc::Server> server_;
  std::unique_ptr<Gateway> front_;
  std::unique_ptr<NightlyCopies> copies_;
  std::unique_ptr<MqttPublisher> mqtt_;
  std::unique_ptr<Webhook> webhook_;
};

}  // namespace tilewarden::services
