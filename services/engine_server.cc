#include "services/engine_server.h"

#include <chrono>
#include <utility>

#include "absl/strings/str_cat.h"
#include "grpcpp/ext/proto_server_reflection_plugin.h"
#include "grpcpp/health_check_service_interface.h"

namespace tilewarden::services {
namespace {

// A sighting of a large table is some 50 kB; a state some 100 kB.
constexpr int kLargestMessage = 4 << 20;

}  // namespace

EngineServer::EngineServer(std::unique_ptr<Store> store, const std::filesystem::path& data)
    : store_(std::move(store)),
      games_(store_.get(), data / OwnTiles::kFile),
      game_service_(&games_),
      sighting_service_(&games_),
      query_service_(&games_),
      tile_service_(&games_.tile_sets().own()) {}

absl::StatusOr<std::unique_ptr<EngineServer>> EngineServer::Start(const Options& options) {
  auto store = OpenSqliteStore(options.data / "games.sqlite");
  if (!store.ok()) return store.status();
  std::unique_ptr<EngineServer> engine(new EngineServer(*std::move(store), options.data));

  grpc::EnableDefaultHealthCheckService(true);
  grpc::reflection::InitProtoReflectionServerBuilderPlugin();
  grpc::ServerBuilder builder;
  int port = 0;
  if (!options.listen.empty()) Listen(options.listen, &builder, &port);
  builder.SetMaxReceiveMessageSize(kLargestMessage);
  builder.RegisterService(&engine->game_service_);
  builder.RegisterService(&engine->sighting_service_);
  builder.RegisterService(&engine->query_service_);
  builder.RegisterService(&engine->tile_service_);
  engine->server_ = builder.BuildAndStart();
  if (engine->server_ == nullptr || (!options.listen.empty() && port == 0)) {
    return CannotListen(options.listen);
  }
  engine->address_ = WithPort(options.listen, port);
  return engine;
}

EngineServer::~EngineServer() {
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

void Listen(const std::string& address, grpc::ServerBuilder* builder, int* port) {
  builder->AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
  builder->AddListeningPort(address, grpc::InsecureServerCredentials(), port);
}

std::string WithPort(const std::string& address, int port) {
  return absl::StrCat(address.substr(0, address.rfind(':')), ":", port);
}

absl::Status CannotListen(const std::string& address) {
  return absl::UnavailableError(absl::StrCat(
      "cannot listen on ", address,
      ": another service is there already, or it is no address of this machine; stop that one, or "
      "choose another port with --listen"));
}

}  // namespace tilewarden::services
