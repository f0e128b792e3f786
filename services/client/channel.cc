#include "services/client/channel.h"

#include <functional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "grpcpp/create_channel.h"
#include "grpcpp/security/credentials.h"
#include "grpcpp/security/tls_certificate_verifier.h"
#include "grpcpp/security/tls_credentials_options.h"
#include "grpcpp/support/client_interceptor.h"
#include "services/access/certificate.h"
#include "services/base/stream_window.h"

namespace tilewarden::services {
namespace {

namespace experimental = grpc::experimental;

// Takes the certificate with this fingerprint and no other; who signed it, for
// which name and until when is then no question.
class Pinned final : public experimental::ExternalCertificateVerifier {
 public:
  explicit Pinned(std::string fingerprint) : fingerprint_(std::move(fingerprint)) {}

  bool Verify(experimental::TlsCustomVerificationCheckRequest* request,
              std::function<void(grpc::Status)>, grpc::Status* status) override {
    const auto pem = request->peer_cert();
    if (FingerprintOf(std::string(pem.data(), pem.size())) != fingerprint_) {
      *status = {grpc::StatusCode::UNAUTHENTICATED, "its certificate is not the one that is known"};
    }
    return true;
  }
  void Cancel(experimental::TlsCustomVerificationCheckRequest*) override {}

 private:
  const std::string fingerprint_;
};

std::shared_ptr<grpc::ChannelCredentials> PinnedTo(const std::string& fingerprint) {
  experimental::TlsChannelCredentialsOptions options;
  options.set_verify_server_certs(false);
  options.set_check_call_host(false);
  options.set_certificate_verifier(
      experimental::ExternalCertificateVerifier::Create<Pinned>(fingerprint));
  return experimental::TlsCredentials(options);
}

std::shared_ptr<grpc::ChannelCredentials> CredentialsFor(const KnownEngine& engine) {
  if (!engine.fingerprint.empty()) return PinnedTo(engine.fingerprint);
  if (!engine.authority.empty()) {
    grpc::SslCredentialsOptions options;
    options.pem_root_certs = engine.authority;
    return grpc::SslCredentials(options);
  }
  return grpc::InsecureChannelCredentials();
}

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

std::shared_ptr<grpc::Channel> ChannelTo(const std::string& address, const KnownEngine& engine) {
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
  if (!engine.token.empty()) interceptors.push_back(std::make_unique<Bearers>(engine.token));
  return experimental::CreateCustomChannelWithInterceptors(address, CredentialsFor(engine),
                                                           arguments, std::move(interceptors));
}

}  // namespace tilewarden::services
