#include "services/gateway/gateway_session.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "services/access/addresses.h"
#include "services/client/front.h"
#include "services/gateway/grpc_web.h"
#include "services/gateway/http_messages.h"
#include "services/gateway/static_files.h"

namespace tilewarden::services {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;
using boost::system::error_code;

constexpr std::uint32_t kLargestHeader = 16 << 10;
constexpr std::chrono::seconds kHandshake{10};
// Of anybody.
constexpr std::uint64_t kSmallBody = 16 << 10;
constexpr const char* kContentPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; "
    "connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'";

// "[::1]:8080" gives "[::1]", "localhost:8080" gives "localhost".
std::string_view HostName(std::string_view host) {
  const auto bracket = host.find(']');
  return host.substr(0, host.find(':', bracket == std::string_view::npos ? 0 : bracket));
}

bool IsLoopbackName(std::string_view name) {
  return name == "localhost" || name == "127.0.0.1" || name == "[::1]";
}

// Our own methods, and whether the service is well. Nobody learns here what else gRPC answers.
bool IsForwarded(std::string_view method) {
  return method.starts_with("/tilewarden.v1.") || method == "/grpc.health.v1.Health/Check";
}

std::string AddressOf(const tcp::socket& socket) {
  error_code error;
  const auto endpoint = socket.remote_endpoint(error);
  return error ? "unknown" : endpoint.address().to_string();
}

}  // namespace

std::string GatewayShared::Metrics() const {
  std::vector<Metric> metrics = {
      {"tilewarden_gateway_connections", "Connections of browsers now.", "",
       static_cast<double>(admission.connections())},
      {"tilewarden_gateway_tunnels", "Connections of cameras and tools now.", "", tunnels},
      {"tilewarden_gateway_turned_away_total", "Connections for which there was no room.", "",
       turned_away},
      {"tilewarden_gateway_calls", "Calls and watches under way now.", "", open_calls},
      {"tilewarden_gateway_requests_total", "Requests answered.", "kind=\"page\"", pages},
      {"tilewarden_gateway_requests_total", "", "kind=\"call\"", calls},
      {"tilewarden_gateway_requests_total", "", "kind=\"refused\"", refused},
      {"tilewarden_gateway_failed_calls_total", "Calls that ended with an error status.", "",
       failed_calls}};
  if (options.more_metrics) {
    for (Metric& metric : options.more_metrics()) metrics.push_back(std::move(metric));
  }
  return PrometheusText(metrics);
}

GatewaySession::GatewaySession(tcp::socket socket, GatewayShared* shared)
    : wire_(std::move(socket)),
      buffer_(kLargestHeader + (64 << 10)),
      shared_(shared),
      address_(AddressOf(wire_.tcp().socket())) {}

GatewaySession::~GatewaySession() { shared_->admission.Leave(this); }

bool GatewaySession::Arrive() {
  const auto wait =
      shared_->admission.Arrive(this, Household(address_), std::chrono::steady_clock::now());
  if (!wait) {
    ++shared_->turned_away;
    return false;
  }
  wait_ = *wait;
  return true;
}

void GatewaySession::Close() {
  if (call_ != nullptr) call_->Abort();
  wire_.tcp().close();
}

asio::awaitable<void> GatewaySession::Run() {
  const auto self = shared_from_this();
  if (wait_.count() > 0) {
    asio::steady_timer turn(wire_.get_executor(), wait_);
    co_await turn.async_wait(kTuple);
  }
  for (bool more = shared_->tls == nullptr || co_await Encrypt(); more;) {
    Request request;
    more = co_await Read(&request) && co_await Answer(request) && request.keep_alive();
    room_.reset();
  }
  error_code ignored;
  wire_.tcp().socket().shutdown(tcp::socket::shutdown_both, ignored);
}

asio::awaitable<bool> GatewaySession::Read(Request* request) {
  const Admission::Limits& limits = shared_->options.limits;
  HttpRequestParser parser;
  parser.header_limit(kLargestHeader);
  parser.body_limit(shared_->options.largest_request);
  wire_.tcp().expires_after(limits.idle);
  error_code error;
  if (buffer_.size() == 0) error = co_await wire_.ReadSome(&buffer_);
  if (error) co_return false;
  wire_.tcp().expires_after(limits.head);
  error = co_await ReadRequest(&wire_, &buffer_, &parser, Until::kHead);
  if (!error && !parser.is_done()) {
    const bool small = parser.content_length() && *parser.content_length() <= kSmallBody;
    if (!small && !co_await MayBeLarge(parser.get())) co_return false;
    wire_.tcp().expires_after(limits.body);
    error = co_await ReadRequest(&wire_, &buffer_, &parser, Until::kEnd);
  }
  if (error == http::error::body_limit) {
    co_await SendText(http::status::payload_too_large, "The request is too large.", false);
  } else if (error.category() == http::make_error_code(http::error::bad_method).category() &&
             error && error != http::error::end_of_stream &&
             error != http::error::partial_message) {
    co_await SendText(http::status::bad_request, "This is not an HTTP request.", false);
  }
  if (error) co_return false;
  *request = parser.release();
  co_return true;
}

asio::awaitable<bool> GatewaySession::MayBeLarge(const Request& head) {
  if (!let_in_) {
    const grpc::Status asked = co_await AskWhetherLetIn(head);
    if (!asked.ok()) {
      ++shared_->refused;
      const bool away = asked.error_code() == grpc::StatusCode::UNAVAILABLE;
      // Before it is awaited: GCC 12 destroys what `? :` makes in such an expression twice.
      const auto status = away ? http::status::service_unavailable : http::status::unauthorized;
      const std::string why =
          away ? asked.error_message() : "Send a token: Authorization: Bearer TOKEN.";
      co_await SendText(status, why, false);
      co_return false;
    }
  }
  room_ = std::make_unique<BodyRoom>(&shared_->admission, Household(address_),
                                     shared_->options.largest_request);
  if (room_->granted()) co_return true;
  ++shared_->refused;
  co_await SendText(http::status::service_unavailable, "Too much is sent at once; try again.",
                    false);
  co_return false;
}

asio::awaitable<bool> GatewaySession::Encrypt() {
  wire_.tcp().expires_after(kHandshake);
  const auto encryption = co_await wire_.Encrypt(*shared_->tls, &buffer_);
  if (encryption != Wire::Encryption::kNotAskedFor) {
    co_return encryption == Wire::Encryption::kDone;
  }
  HttpRequestParser parser;
  parser.header_limit(kLargestHeader);
  parser.body_limit(shared_->options.largest_request);
  if (const error_code error = co_await ReadRequest(&wire_, &buffer_, &parser, Until::kHead)) {
    co_return false;
  }
  const auto& request = parser.get();
  http::response<http::string_body> response(http::status::temporary_redirect, 11);
  response.body() = "This is only served over TLS: use https.";
  response.set(http::field::location,
               absl::StrCat("https://", std::string(View(request[http::field::host])), "/"));
  response.keep_alive(false);
  response.prepare_payload();
  co_await WriteResponse(&wire_, &response);
  co_return false;
}

asio::awaitable<bool> GatewaySession::Answer(const Request& request) {
  if (!FromHere(request)) {
    ++shared_->refused;
    co_return co_await SendText(http::status::forbidden,
                                "Open the page at the address that Tilewarden prints.", false);
  }
  if (request.method() == http::verb::get && View(request.target()) == "/metrics") {
    co_return co_await SendMetrics(request);
  }
  if (request.method() == http::verb::get && View(request.target()) == "/about.json") {
    co_return co_await SendText(http::status::ok, shared_->about, request.keep_alive(),
                                "application/json");
  }
  if (request.method() == http::verb::get && View(request.target()) == kTunnelTarget) {
    co_return co_await OpenTunnel(request);
  }
  if (request.method() == http::verb::get || request.method() == http::verb::head) {
    ++shared_->pages;
    co_return co_await SendFile(request);
  }
  if (request.method() != http::verb::post) {
    co_return co_await SendText(http::status::method_not_allowed, "GET, HEAD or POST.", false);
  }
  const std::string_view type = View(request[http::field::content_type]);
  if (request.version() < 11 ||
      (type != "application/grpc-web+proto" && type != "application/grpc-web")) {
    co_return co_await SendText(http::status::unsupported_media_type,
                                "Calls are gRPC-Web, application/grpc-web+proto.", false);
  }
  if (!IsMethodPath(View(request.target())) || !IsForwarded(View(request.target()))) {
    co_return co_await SendText(http::status::not_found, "No such method.", false);
  }
  co_return co_await Call(request);
}

// A page of another site may not call this one; and where only this machine can
// connect, a foreign name that was made to point here is not served.
bool GatewaySession::FromHere(const Request& request) const {
  const std::string_view host = View(request[http::field::host]);
  const std::string_view origin = View(request[http::field::origin]);
  const char* scheme = wire_.encrypted() ? "https://" : "http://";
  if (!origin.empty() && origin != scheme + std::string(host)) return false;
  return !shared_->only_loopback || IsLoopbackName(HostName(host));
}

bool GatewaySession::OfThisMachine() {
  if (!of_this_machine_) {
    error_code unknown;
    const tcp::socket& socket = wire_.tcp().socket();
    const auto port = socket.remote_endpoint(unknown).port();
    of_this_machine_ = IsLoopbackAddress(address_) &&
                       IsPersonsPort(address_, port, socket.local_endpoint(unknown).port());
  }
  return *of_this_machine_;
}

bool GatewaySession::OnThisMachine(const Request& request) {
  if (shared_->options.everybody_needs_token || !OfThisMachine()) return false;
  // A proxy in front of this gateway calls for others.
  for (const char* proxy : {"Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto",
                            "X-Real-IP", "Via", "CF-Connecting-IP"}) {
    if (request.find(proxy) != request.end()) return false;
  }
  return IsLoopbackName(HostName(View(request[http::field::host])));
}

// Of a network, for those alone who may look at games.
asio::awaitable<bool> GatewaySession::SendMetrics(const Request& request) {
  if (!OnThisMachine(request)) {
    const grpc::Status asked = co_await AskWhetherLetIn(request);
    if (!asked.ok()) {
      ++shared_->refused;
      co_return co_await SendText(http::status::unauthorized,
                                  "Send a token: Authorization: Bearer TOKEN.",
                                  request.keep_alive());
    }
  }
  co_return co_await SendText(http::status::ok, shared_->Metrics(), request.keep_alive());
}

asio::awaitable<bool> GatewaySession::SendFile(const Request& request) {
  const auto file = FindStaticFile(shared_->options.page, View(request.target()));
  http::response<http::file_body> response(http::status::ok, request.version());
  error_code error;
  if (file) response.body().open(file->path.c_str(), beast::file_mode::scan, error);
  if (!file || error) {
    co_return co_await SendText(http::status::not_found,
                                shared_->options.page.empty()
                                    ? "The page is not built: run scripts/build, then start again."
                                    : "There is no such page.",
                                request.keep_alive());
  }
  response.set(http::field::content_type, file->content_type);
  response.set(http::field::cache_control,
               file->immutable ? "public, max-age=31536000, immutable" : "no-cache");
  response.set("Content-Security-Policy", kContentPolicy);
  response.set("X-Content-Type-Options", "nosniff");
  response.set("Referrer-Policy", "no-referrer");
  response.keep_alive(request.keep_alive());
  response.prepare_payload();
  wire_.tcp().expires_after(kStalled);
  co_return co_await WriteResponse(&wire_, &response, request.method() == http::verb::head);
}

asio::awaitable<bool> GatewaySession::SendText(http::status status, std::string text,
                                               bool keep_alive, const char* type) {
  http::response<http::string_body> response(status, 11, std::move(text));
  response.set(http::field::content_type, type);
  response.set(http::field::cache_control, "no-store");
  response.set("X-Content-Type-Options", "nosniff");
  response.keep_alive(keep_alive);
  response.prepare_payload();
  wire_.tcp().expires_after(kStalled);
  const bool taken = co_await WriteResponse(&wire_, &response);
  co_return taken&& keep_alive;
}

}  // namespace tilewarden::services
