#include "services/engine_service/engine_server.h"

#include <chrono>
#include <utility>

#include "absl/strings/str_cat.h"
#include "grpcpp/ext/proto_server_reflection_plugin.h"
#include "grpcpp/health_check_service_interface.h"
#include "grpcpp/server_posix.h"
#include "services/access/addresses.h"
#include "services/access/listening.h"
#include "services/base/stream_window.h"
#include "spdlog/spdlog.h"

namespace tilewarden::services {
namespace {

void CutSilentConnections(std::chrono::milliseconds ask_after, grpc::ServerBuilder* builder) {
  const int after_ms = static_cast<int>(ask_after.count());
  builder->AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, after_ms);
  builder->AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, after_ms);
  builder->AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  builder->AddChannelArgument(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
}

DiskRoom RoomOf(const EngineServer::Options& options) {
  return {.folder = options.data,
          .quota_bytes = static_cast<std::uintmax_t>(options.quota_mb) << 20};
}

}  // namespace

EngineServer::EngineServer(std::unique_ptr<Store> store, std::unique_ptr<TokenFile> tokens,
                           const Options& options)
    : store_(std::move(store)),
      tokens_(std::move(tokens)),
      guard_(tokens_.get()),
      games_(
          store_.get(), options.data / OwnTiles::kFile, RoomOf(options),
          {.folder = options.data / "clips", .days = options.clip_days, .room = RoomOf(options)}),
      game_service_(&games_, &guard_),
      sighting_service_(&games_, &guard_),
      query_service_(&games_, &guard_),
      tile_service_(&games_.tile_sets().own(), &guard_),
      player_service_(&games_, &guard_, options.data,
                      options.store.empty() ? options.data / "games.sqlite" : ""),
      access_service_(&guard_, options.open_house) {}

absl::StatusOr<std::unique_ptr<EngineServer>> EngineServer::Start(const Options& options) {
  auto store = OpenStore(options.store, options.data);
  if (!store.ok()) return store.status();
  for (const std::string& loss : (*store)->Lost()) spdlog::error("{}", loss);
  auto tokens = TokenFile::Open(options.data / TokenFile::kFile);
  if (!tokens.ok()) return tokens.status();
  std::unique_ptr<EngineServer> engine(
      new EngineServer(*std::move(store), *std::move(tokens), options));
  engine->games_.SweepClips();
  // Before anybody can ask for a game, so that they hear of every one.
  if (auto status = engine->StartPublishing(options); !status.ok()) return status;

  grpc::EnableDefaultHealthCheckService(true);
  grpc::reflection::InitProtoReflectionServerBuilderPlugin();
  grpc::ServerBuilder builder;
  const bool on_network = !IsLoopbackListener(options.listen);
  if (!options.reflection && on_network) LeaveOutReflection(&builder);
  int port = 0;
  if (!options.listen.empty() && !on_network) Listen(options.listen, &builder, &port);
  LimitClients(&builder);
  CutSilentConnections(options.ask_after, &builder);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_BDP_PROBE, 0);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_STREAM_LOOKAHEAD_BYTES, kWindow);
  builder.RegisterService(&engine->game_service_);
  builder.RegisterService(&engine->sighting_service_);
  builder.RegisterService(&engine->query_service_);
  builder.RegisterService(&engine->tile_service_);
  builder.RegisterService(&engine->player_service_);
  builder.RegisterService(&engine->access_service_);
  engine->server_ = builder.BuildAndStart();
  if (engine->server_ == nullptr || (!options.listen.empty() && !on_network && port == 0)) {
    return CannotListen(options.listen);
  }
  engine->address_ = WithPort(options.listen, port);
  engine->guard_.ListensOn(static_cast<std::uint16_t>(port));
  if (on_network) {
    if (auto status = engine->OpenFront(options); !status.ok()) return status;
  }
  if (auto status = engine->store_->Announce(
          options.listen.empty() ? "" : ReachableAddress(engine->address_));
      !status.ok()) {
    return status;
  }
  if (options.store.empty()) {
    engine->copies_ = std::make_unique<NightlyCopies>(
        NightlyCopies::Options{options.data / "games.sqlite", options.backups});
  }
  return engine;
}

absl::Status EngineServer::OpenFront(const Options& options) {
  Gateway::Options front;
  front.listen = options.listen;
  front.everybody_needs_token = true;
  front.tunnel = [this](int handle, const std::string& address) { Serve(handle, address); };
  auto certificate = CertificateFor(options.listen, options.network, options.data);
  if (!certificate.ok()) return certificate.status();
  front.certificate = *std::move(certificate);
  auto gateway = Gateway::Start(front, Channel());
  if (absl::IsUnavailable(gateway.status())) return CannotListen(options.listen);
  if (!gateway.ok()) return gateway.status();
  front_ = *std::move(gateway);
  address_ = front_->address();
  return absl::OkStatus();
}

void EngineServer::Serve(int handle, const std::string& address) {
  guard_.AddTunnel(handle, address);
  grpc::AddInsecureChannelFromFd(server_.get(), handle);
}

absl::Status EngineServer::StartPublishing(const Options& options) {
  if (!options.mqtt.url.empty()) {
    auto mqtt = MqttPublisher::Start(&games_, options.mqtt, options.store.empty());
    if (!mqtt.ok()) return mqtt.status();
    mqtt_ = *std::move(mqtt);
  }
  if (!options.webhook.url.empty()) {
    auto webhook = Webhook::Start(&games_, options.webhook, !options.store.empty());
    if (!webhook.ok()) return webhook.status();
    webhook_ = *std::move(webhook);
  }
  return absl::OkStatus();
}

EngineServer::~EngineServer() {
  front_.reset();
  game_service_.Stop();
  if (server_ == nullptr) return;
  server_->Shutdown(std::chrono::system_clock::now() + std::chrono::seconds(2));
  server_->Wait();
}

std::vector<Metric> EngineServer::Metrics() {
  double viewers = 0, events = 0;
  const auto tables = games_.open_tables();
  for (const auto& table : tables) {
    viewers += static_cast<double>(table->viewers().size());
    events += static_cast<double>(table->last_number());
  }
  return {{"tilewarden_games", "Games in memory.", "", static_cast<double>(tables.size())},
          {"tilewarden_game_events", "Events in the logs of these games.", "", events},
          {"tilewarden_viewers", "Watches of these games.", "", viewers}};
}

std::shared_ptr<grpc::Channel> EngineServer::Channel() {
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(-1);
  return server_->InProcessChannel(arguments);
}

}  // namespace tilewarden::services
