// One connection to the gateway: requests one after another, or a tunnel. All on the gateway's
// thread.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "boost/asio/awaitable.hpp"
#include "boost/asio/cancellation_signal.hpp"
#include "boost/asio/ip/tcp.hpp"
#include "boost/asio/ssl/context.hpp"
#include "boost/asio/steady_timer.hpp"
#include "boost/beast/core/flat_buffer.hpp"
#include "boost/beast/http/message.hpp"
#include "boost/beast/http/string_body.hpp"
#include "services/client/engines.h"
#include "services/client/wire.h"
#include "services/gateway/admission.h"
#include "services/gateway/gateway.h"
#include "services/gateway/upstream_call.h"

namespace tilewarden::services {

class GatewaySession;

// A write that nobody takes.
inline constexpr std::chrono::seconds kStalled{30};

inline std::string_view View(boost::beast::string_view text) { return {text.data(), text.size()}; }

// What all connections share.
struct GatewayShared {
  Gateway::Options options;
  // As the last call found them.
  Engines engines;
  // Null: without TLS.
  std::unique_ptr<boost::asio::ssl::context> tls = {};
  bool only_loopback = true;
  // {"addresses": [...], "fingerprint": "..."}: how others get here.
  std::string about = {};
  Admission admission{options.limits};
  // For the metrics.
  double pages = 0, calls = 0, refused = 0, failed_calls = 0, open_calls = 0, tunnels = 0,
         turned_away = 0;
  std::string Metrics() const;
};

class GatewaySession : public Guest, public std::enable_shared_from_this<GatewaySession> {
 public:
  GatewaySession(boost::asio::ip::tcp::socket socket, GatewayShared* shared);
  ~GatewaySession() override;
  // False: there are too many.
  bool Arrive();
  boost::asio::awaitable<void> Run();
  void Close() override;
  bool let_in() const override { return let_in_; }

 private:
  using Request = boost::beast::http::request<boost::beast::http::string_body>;
  template <typename T>
  using Later = boost::asio::awaitable<T>;
  // Shakes hands; sends whoever speaks plain HTTP to the encrypted address.
  Later<bool> Encrypt();
  // The next request. False: there is none, and whoever should know was told.
  Later<bool> Read(Request* request);
  // More than a few kilobytes come: from somebody who is let in, and there is room for them.
  Later<bool> MayBeLarge(const Request& head);
  Later<bool> Answer(const Request& request);
  Later<bool> OpenTunnel(const Request& request);
  // Closes the tunnel once its token is not good any more.
  static Later<void> WatchTunnel(std::shared_ptr<GatewaySession> self, Request request,
                                 std::shared_ptr<boost::asio::steady_timer> over);
  // GetAccess with the request's token.
  Later<grpc::Status> AskWhetherLetIn(const Request& request);
  Later<bool> Call(const Request& request);
  // Sends on what comes; counts the messages.
  Later<bool> Forward(UpstreamCall* call, std::uint64_t* messages);
  // Calls whoever answers for the game: the leader that an engine service names, or
  // another one when it is gone. False: the browser has gone.
  Later<bool> CallEngines(const Request& request, std::string_view message, grpc::Status* status);
  Later<bool> SendMetrics(const Request& request);
  Later<bool> SendFile(const Request& request);
  Later<bool> SendText(boost::beast::http::status status, std::string text, bool keep_alive,
                       const char* type = "text/plain; charset=utf-8");
  Later<bool> WriteChunk(std::string_view bytes);
  bool FromHere(const Request& request) const;
  // The browser runs on this machine and asked for it by a loopback name.
  bool OnThisMachine(const Request& request);
  // Connected from this machine, by one of its people's programs. Finding out reads a list of all
  // connections: it waits for a request, so that silent ones cost nothing.
  bool OfThisMachine();
  // A call on behalf of whoever sent this request, with their token.
  std::shared_ptr<UpstreamCall> CallFor(const Request& request,
                                        const std::shared_ptr<grpc::Channel>& engine);
  void WatchForLeaving(const std::shared_ptr<UpstreamCall>& call,
                       boost::asio::cancellation_signal* stop);

  Wire wire_;
  boost::beast::flat_buffer buffer_;
  GatewayShared* const shared_;
  // Where the browser is.
  const std::string address_;
  std::shared_ptr<UpstreamCall> call_;
  std::unique_ptr<BodyRoom> room_;
  bool let_in_ = false;
  std::optional<bool> of_this_machine_;  // once asked
  std::chrono::milliseconds wait_{0};
  bool tunnel_over_ = false;
};

}  // namespace tilewarden::services
