#include "services/access/listening.h"

#include <memory>
#include <vector>

#include "absl/strings/str_cat.h"
#include "grpcpp/impl/server_builder_option.h"
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

void Listen(const std::string& address, const std::optional<Certificate>& certificate,
            grpc::ServerBuilder* builder, int* port) {
  builder->AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
  auto credentials = grpc::InsecureServerCredentials();
  if (certificate) {
    // gRPC speaks TLS 1.2 and 1.3 alone.
    grpc::SslServerCredentialsOptions options;
    options.pem_key_cert_pairs.push_back({certificate->key, certificate->chain});
    credentials = grpc::SslServerCredentials(options);
  }
  builder->AddListeningPort(address, credentials, port);
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
