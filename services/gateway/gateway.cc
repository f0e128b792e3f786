#include "services/gateway/gateway.h"

#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "boost/asio.hpp"
#include "boost/asio/ssl.hpp"
#include "nlohmann/json.hpp"
#include "services/access/addresses.h"
#include "services/access/listening.h"
#include "services/gateway/gateway_session.h"

namespace tilewarden::services {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

class BeastGateway final : public Gateway {
 public:
  BeastGateway(const Options& options, Engines engines)
      : shared_{options, std::move(engines)}, acceptor_(context_) {}
  ~BeastGateway() override {
    if (!thread_.joinable()) return;
    asio::post(context_, [this] {
      error_code ignored;
      acceptor_.close(ignored);
      shared_.admission.ForAll([](Guest* guest) { guest->Close(); });
    });
    thread_.join();
  }

  bool Open() {
    const auto colon = shared_.options.listen.rfind(':');
    int port = -1;
    if (colon == std::string::npos ||
        !absl::SimpleAtoi(shared_.options.listen.substr(colon + 1), &port) || port < 0 ||
        port > 65535) {
      return false;
    }
    std::string host = shared_.options.listen.substr(0, colon);
    if (host == "localhost") host = "127.0.0.1";
    if (host.size() > 2 && host.front() == '[') host = host.substr(1, host.size() - 2);
    error_code error;
    const auto address = asio::ip::make_address(host, error);
    if (error) return false;
    shared_.only_loopback = address.is_loopback();
    const tcp::endpoint endpoint(address, static_cast<std::uint16_t>(port));
    acceptor_.open(endpoint.protocol(), error);
    if (!error) acceptor_.set_option(tcp::acceptor::reuse_address(true), error);
    if (!error) acceptor_.bind(endpoint, error);
    if (!error) acceptor_.listen(asio::socket_base::max_listen_connections, error);
    if (error) return false;
    // Nobody can open a page at 0.0.0.0.
    if (address.is_unspecified()) {
      TellAddresses(NetworkAddresses(), "127.0.0.1");
    } else {
      TellAddresses({host}, host);
    }
    asio::co_spawn(context_, Accept(), asio::detached);
    thread_ = std::thread([this] { context_.run(); });
    return true;
  }

  // False: OpenSSL does not take the certificate.
  bool Encrypt() {
    if (!shared_.options.certificate) return true;
    const Certificate& certificate = *shared_.options.certificate;
    shared_.tls = std::make_unique<asio::ssl::context>(asio::ssl::context::tls_server);
    error_code chain, key;
    shared_.tls->use_certificate_chain(asio::buffer(certificate.chain), chain);
    shared_.tls->use_private_key(asio::buffer(certificate.key), asio::ssl::context::pem, key);
    return !chain && !key &&
           SSL_CTX_set_min_proto_version(shared_.tls->native_handle(), TLS1_2_VERSION) == 1 &&
           // Connections that wait hold no buffers.
           SSL_CTX_set_mode(shared_.tls->native_handle(), SSL_MODE_RELEASE_BUFFERS) != 0;
  }

  std::string address() const override {
    return WithPort(shared_.options.listen, acceptor_.local_endpoint().port());
  }
  std::string url() const override { return url_; }
  bool on_network() const override { return !shared_.only_loopback; }
  std::string fingerprint() const override {
    return shared_.tls ? shared_.options.certificate->fingerprint : "";
  }

  std::vector<std::string> addresses() const override { return addresses_; }
  void TellOf(const Gateway& other) override {
    asio::post(context_, [this, about = About(other.addresses(), other.fingerprint())] {
      shared_.about = about;
    });
  }

 private:
  static std::string About(const std::vector<std::string>& addresses,
                           const std::string& fingerprint) {
    return nlohmann::json{{"addresses", addresses}, {"fingerprint", fingerprint}}.dump();
  }
  // How a browser gets here, at these hosts; and for the page, how others do.
  void TellAddresses(const std::vector<std::string>& hosts, const std::string& fallback) {
    const auto url_at = [this](const std::string& host) {
      const bool v6 = host.find(':') != std::string::npos;
      return absl::StrCat(shared_.tls ? "https://" : "http://", v6 ? "[" : "", host, v6 ? "]" : "",
                          ":", acceptor_.local_endpoint().port(), "/");
    };
    url_ = url_at(hosts.empty() ? fallback : hosts.front());
    if (!shared_.only_loopback) {
      for (const std::string& host : hosts) addresses_.push_back(url_at(host));
    }
    shared_.about = About(addresses_, fingerprint());
  }

  asio::awaitable<void> Accept() {
    while (acceptor_.is_open()) {
      auto [error, socket] = co_await acceptor_.async_accept(kTuple);
      if (error == asio::error::operation_aborted || !acceptor_.is_open()) break;
      if (error) {
        // Out of file handles: wait for some to be given back.
        asio::steady_timer pause(context_, std::chrono::milliseconds(100));
        co_await pause.async_wait(kTuple);
        continue;
      }
      error_code ignored;
      socket.set_option(tcp::no_delay(true), ignored);
      const auto session = std::make_shared<GatewaySession>(std::move(socket), &shared_);
      if (!session->Arrive()) continue;
      asio::co_spawn(context_, session->Run(), [session](const std::exception_ptr&) {});
    }
  }

  GatewayShared shared_;
  asio::io_context context_{1};
  tcp::acceptor acceptor_;
  std::string url_;
  std::vector<std::string> addresses_;
  std::thread thread_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Gateway>> Gateway::Start(const Options& options, Engines engines) {
  auto gateway = std::make_unique<BeastGateway>(options, std::move(engines));
  if (!gateway->Encrypt()) {
    return absl::FailedPreconditionError(
        "OpenSSL does not take the certificate; give another with --certificate and --key");
  }
  if (!gateway->Open()) {
    return absl::UnavailableError(absl::StrCat(
        "cannot listen on ", options.listen,
        ": something else uses it, or it is not an address of this machine; choose another "
        "with --page-listen"));
  }
  return gateway;
}

}  // namespace tilewarden::services
