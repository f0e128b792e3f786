// Connections that carry gRPC itself, for devices that showed a token: client/front.h says how.
#include <fcntl.h>
#include <sys/socket.h>

#include <array>
#include <chrono>
#include <memory>

#include "absl/strings/str_cat.h"
#include "boost/asio/co_spawn.hpp"
#include "boost/asio/detached.hpp"
#include "boost/asio/local/stream_protocol.hpp"
#include "boost/asio/steady_timer.hpp"
#include "services/client/front.h"
#include "services/gateway/gateway_session.h"

namespace tilewarden::services {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using asio::local::stream_protocol;
using boost::system::error_code;

// Whoever is shut out finds calls closed at once, and the tunnel after this long.
constexpr std::chrono::seconds kAskAgain{10};

}  // namespace

asio::awaitable<grpc::Status> GatewaySession::AskWhetherLetIn(const Request& request) {
  auto call = CallFor(request, shared_->engines.channel());
  call_ = call;
  UpstreamCall::Start(call, "/tilewarden.v1.AccessService/GetAccess", "");
  std::string access;
  while (co_await call->Next(&access)) {
  }
  if (call_ == call) call_.reset();
  co_return call->status();
}

// GCC takes how Asio allocates this coroutine for a mistake.
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"

asio::awaitable<bool> GatewaySession::OpenTunnel(const Request& request) {
  if (!shared_->options.tunnel || View(request[http::field::upgrade]) != kTunnelProtocol) {
    co_return co_await SendText(http::status::not_found, "There is no tunnel here.", false);
  }
  wire_.tcp().expires_after(kStalled);
  if (const grpc::Status asked = co_await AskWhetherLetIn(request); !asked.ok()) {
    ++shared_->refused;
    const bool refused = asked.error_code() == grpc::StatusCode::UNAUTHENTICATED ||
                         asked.error_code() == grpc::StatusCode::PERMISSION_DENIED;
    if (!refused) co_return co_await SendText(http::status::service_unavailable, "", false);
    const std::string why =
        absl::StrCat("HTTP/1.1 401 Unauthorized\r\n", kWhyRefused, ": ", asked.error_message(),
                     "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    co_await wire_.Write(why);
    co_return false;
  }
  let_in_ = true;
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    co_return co_await SendText(http::status::service_unavailable, "", false);
  }
  stream_protocol::socket local(wire_.get_executor(), stream_protocol(), ends[0]);
  shared_->options.tunnel(ends[1], address_);
  const std::string opened =
      absl::StrCat("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ",
                   kTunnelProtocol, "\r\n\r\n");
  if (!co_await wire_.Write(opened)) co_return false;
  const auto over = std::make_shared<asio::steady_timer>(wire_.get_executor());
  asio::co_spawn(wire_.get_executor(), WatchTunnel(shared_from_this(), request, over),
                 asio::detached);
  ++shared_->tunnels;
  co_await wire_.Splice(&local, &buffer_);
  --shared_->tunnels;
  tunnel_over_ = true;
  over->cancel();
  co_return false;
}

asio::awaitable<void> GatewaySession::WatchTunnel(std::shared_ptr<GatewaySession> self,
                                                  Request request,
                                                  std::shared_ptr<asio::steady_timer> over) {
  while (true) {
    over->expires_after(kAskAgain);
    co_await over->async_wait(kTuple);
    if (self->tunnel_over_) co_return;
    const grpc::Status asked = co_await self->AskWhetherLetIn(request);
    if (self->tunnel_over_) co_return;
    if (asked.error_code() == grpc::StatusCode::UNAUTHENTICATED) {
      self->Close();
      co_return;
    }
  }
}

}  // namespace tilewarden::services
