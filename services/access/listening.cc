#include "services/access/listening.h"

#include <memory>
#include <vector>

#include "absl/strings/str_cat.h"
#include "grpcpp/impl/server_builder_option.h"
#include "grpcpp/resource_quota.h"
#include "grpcpp/security/server_credentials.h"

namespace tilewarden::services {

void LeaveOutReflection(grpc::ServerBuilder* builder) {
  // Every server has this plugin in a program that is linked with it.
  class Option final : public grpc::ServerBuilderOption {
    void UpdateArguments(grpc::ChannelArguments*) override {}
    void UpdatePlugins(std::vector<std::unique_ptr<grpc::ServerBuilderPlugin>>* plugins) override {
      std::erase_if(*plugins,
                    [](const auto& plugin) { return plugin->name() == "proto_server_reflection"; });
    }
  };
  builder->SetOption(std::make_unique<Option>());
}

void Listen(const std::string& address, grpc::ServerBuilder* builder, int* port) {
  builder->AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
  builder->AddListeningPort(address, grpc::InsecureServerCredentials(), port);
}

void LimitClients(grpc::ServerBuilder* builder) {
  // A sighting of a large table is some 50 kB; a state some 100 kB.
  builder->SetMaxReceiveMessageSize(4 << 20);
  // A gateway elsewhere calls for a hall over one connection.
  builder->AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, 1024);
  builder->AddChannelArgument(GRPC_ARG_MAX_METADATA_SIZE, 8 << 10);
  builder->AddChannelArgument(GRPC_ARG_ENABLE_PER_MESSAGE_DECOMPRESSION, 0);
  for (const auto algorithm : {GRPC_COMPRESS_DEFLATE, GRPC_COMPRESS_GZIP}) {
    builder->SetCompressionAlgorithmSupportStatus(algorithm, false);
  }
  grpc::ResourceQuota quota("clients");
  // Each open stream of a camera holds a thread; a hall has five hundred tables.
  quota.Resize(512 << 20).SetMaxThreads(1200);
  builder->SetResourceQuota(quota);
}

std::string WithPort(const std::string& address, int port) {
  return absl::StrCat(address.substr(0, address.rfind(':')), ":", port);
}

absl::Status CannotListen(const std::string& address) {
  return absl::UnavailableError(absl::StrCat(
      "cannot listen on ", address,
      ": another service uses it, or it is not an address of this machine; stop that service, or "
      "choose another port with --listen"));
}

}  // namespace tilewarden::services
