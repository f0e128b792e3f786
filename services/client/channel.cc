#include "services/client/channel.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "grpcpp/create_channel.h"
#include "grpcpp/security/credentials.h"
#include "grpcpp/support/client_interceptor.h"
#include "services/base/stream_window.h"
#include "services/client/tunnel.h"

namespace tilewarden::services {
namespace {

namespace experimental = grpc::experimental;

// Adds the token to each call.
class Bearer final : public experimental::Interceptor {
 public:
  explicit Bearer(const std::string& token) : value_(absl::StrCat("Bearer ", token)) {}
  void Intercept(experimental::InterceptorBatchMethods* methods) override {
    if (methods->QueryInterceptionHookPoint(
            experimental::InterceptionHookPoints::PRE_SEND_INITIAL_METADATA)) {
      methods->GetSendInitialMetadata()->emplace("authorization", value_);
    }
    methods->Proceed();
  }

 private:
  const std::string value_;
};

class Bearers final : public experimental::ClientInterceptorFactoryInterface {
 public:
  explicit Bearers(std::string token) : token_(std::move(token)) {}
  experimental::Interceptor* CreateClientInterceptor(experimental::ClientRpcInfo*) override {
    return new Bearer(token_);
  }

 private:
  const std::string token_;
};

}  // namespace

std::shared_ptr<grpc::Channel> ChannelTo(const std::string& address, const KnownEngine& engine,
                                         With with) {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 100);
  // For connecting and the handshake, not a pause: short enough to go on to the next
  // engine service within 5 s, long enough where a hundred come at once.
  arguments.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, 2000);
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 1000);
  arguments.SetMaxReceiveMessageSize(-1);
  arguments.SetInt(GRPC_ARG_HTTP2_BDP_PROBE, 0);
  arguments.SetInt(GRPC_ARG_HTTP2_STREAM_LOOKAHEAD_BYTES, kWindow);
  std::vector<std::unique_ptr<experimental::ClientInterceptorFactoryInterface>> interceptors;
  if (!engine.token.empty() && with == With::kOwnToken) {
    interceptors.push_back(std::make_unique<Bearers>(engine.token));
  }
  const bool behind_front =
      !engine.fingerprint.empty() || !engine.authority.empty() || engine.plain_text;
  const auto tunnel = behind_front ? std::make_shared<Tunnel>(address, engine) : nullptr;
  const auto channel = experimental::CreateCustomChannelWithInterceptors(
      tunnel ? tunnel->target() : address, grpc::InsecureChannelCredentials(), arguments,
      std::move(interceptors));
  if (!tunnel) return channel;
  return {channel.get(), [channel, tunnel](grpc::Channel*) {}};
}

}  // namespace tilewarden::services
