#include "services/gateway/gateway_session.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "boost/asio.hpp"
#include "boost/asio/ssl.hpp"
#include "boost/beast.hpp"
#include "services/access/addresses.h"
#include "services/access/guard.h"
#include "services/gateway/grpc_web.h"
#include "services/gateway/static_files.h"

namespace tilewarden::services {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;
using boost::system::error_code;

constexpr std::uint32_t kLargestHeader = 16 << 10;
// A connection that asks nothing, and a write that nobody takes.
constexpr std::chrono::seconds kIdle{120}, kStalled{30}, kHandshake{10};
constexpr std::size_t kLongestToken = 256;
constexpr const char* kContentPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; "
    "connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'";
// What the vision service answers; everything else is the engine service's.
constexpr std::array<std::string_view, 2> kCameraServices = {"/tilewarden.v1.EnrolmentService/",
                                                             "/tilewarden.v1.CalibrationService/"};
constexpr auto kTuple = asio::as_tuple(asio::use_awaitable);

std::string_view View(beast::string_view text) { return {text.data(), text.size()}; }

// "[::1]:8080" gives "[::1]", "localhost:8080" gives "localhost".
std::string_view HostName(std::string_view host) {
  const auto bracket = host.find(']');
  return host.substr(0, host.find(':', bracket == std::string_view::npos ? 0 : bracket));
}

bool IsLoopbackName(std::string_view name) {
  return name == "localhost" || name == "127.0.0.1" || name == "[::1]";
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
       static_cast<double>(sessions.size())},
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
      address_(AddressOf(wire_.tcp().socket())) {
  shared_->sessions.insert(this);
}

GatewaySession::~GatewaySession() { shared_->sessions.erase(this); }

void GatewaySession::Close() {
  if (call_ != nullptr) call_->Abort();
  wire_.tcp().close();
}

asio::awaitable<void> GatewaySession::Run() {
  const auto self = shared_from_this();
  for (bool more = shared_->tls == nullptr || co_await Encrypt(); more;) {
    http::request_parser<http::string_body> parser;
    parser.header_limit(kLargestHeader);
    parser.body_limit(shared_->options.largest_request);
    wire_.tcp().expires_after(kIdle);
    const auto [error, size] = co_await http::async_read(wire_, buffer_, parser, kTuple);
    if (error == http::error::body_limit) {
      co_await SendText(http::status::payload_too_large, "The request is too large.", false);
      break;
    }
    if (error && error.category() == http::make_error_code(http::error::bad_method).category() &&
        error != http::error::end_of_stream && error != http::error::partial_message) {
      co_await SendText(http::status::bad_request, "This is no HTTP request.", false);
      break;
    }
    if (error) break;
    const Request request = parser.release();
    more = co_await Answer(request) && request.keep_alive();
  }
  error_code ignored;
  wire_.tcp().socket().shutdown(tcp::socket::shutdown_both, ignored);
}

asio::awaitable<bool> GatewaySession::Encrypt() {
  wire_.tcp().expires_after(kHandshake);
  const auto [unread, encrypted] = co_await beast::async_detect_ssl(wire_.tcp(), buffer_, kTuple);
  if (unread) co_return false;
  if (encrypted) {
    auto& tls = wire_.StartTls(*shared_->tls);
    const auto [error, used] =
        co_await tls.async_handshake(asio::ssl::stream_base::server, buffer_.data(), kTuple);
    buffer_.consume(used);
    co_return !error;
  }
  http::request_parser<http::string_body> parser;
  parser.header_limit(kLargestHeader);
  parser.body_limit(shared_->options.largest_request);
  if (const auto [error, size] = co_await http::async_read(wire_, buffer_, parser, kTuple); error) {
    co_return false;
  }
  const auto request = parser.release();
  http::response<http::string_body> response(http::status::temporary_redirect, 11);
  response.body() = "This is served with TLS alone: https.";
  response.set(http::field::location,
               absl::StrCat("https://", std::string(View(request[http::field::host])), "/"));
  response.keep_alive(false);
  response.prepare_payload();
  co_await http::async_write(wire_, response, kTuple);
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
  if (!IsMethodPath(View(request.target()))) {
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

bool GatewaySession::OnThisMachine(const Request& request) const {
  // Somebody who stands in front of this gateway calls for others.
  for (const char* proxy : {"Forwarded", "X-Forwarded-For", "Via"}) {
    if (request.find(proxy) != request.end()) return false;
  }
  return IsLoopbackAddress(address_) && IsLoopbackName(HostName(View(request[http::field::host])));
}

std::shared_ptr<UpstreamCall> GatewaySession::CallFor(
    const Request& request, const std::shared_ptr<grpc::Channel>& engine) {
  auto call = std::make_shared<UpstreamCall>(wire_.get_executor(), engine);
  // Where only this machine connects, all is as it was without a gateway.
  if (!shared_->only_loopback && !OnThisMachine(request)) {
    call->context().AddMetadata(kCallsFor, address_);
  }
  const std::string token(View(request[http::field::authorization]));
  // gRPC takes nothing else in its metadata.
  if (!token.empty() && token.size() <= kLongestToken &&
      std::all_of(token.begin(), token.end(), [](char c) { return c >= ' ' && c <= '~'; })) {
    call->context().AddMetadata("authorization", token);
  }
  return call;
}

// Of a network, for those alone who may look at games.
asio::awaitable<bool> GatewaySession::SendMetrics(const Request& request) {
  if (!shared_->only_loopback && !OnThisMachine(request)) {
    call_ = CallFor(request, shared_->engines.channel());
    UpstreamCall::Start(call_, "/tilewarden.v1.AccessService/GetAccess", "");
    std::string access;
    while (co_await call_->Next(&access)) {
    }
    const bool let_in = call_->status().ok();
    call_.reset();
    if (!let_in) {
      ++shared_->refused;
      co_return co_await SendText(http::status::unauthorized,
                                  "Send a token: Authorization: Bearer TOKEN.",
                                  request.keep_alive());
    }
  }
  co_return co_await SendText(http::status::ok, shared_->Metrics(), request.keep_alive());
}

void GatewaySession::WatchForLeaving(const std::shared_ptr<UpstreamCall>& call,
                                     asio::cancellation_signal* stop) {
  wire_.tcp().socket().async_wait(
      tcp::socket::wait_read,
      asio::bind_cancellation_slot(stop->slot(), [self = shared_from_this(),
                                                  call](const error_code& error) {
        if (error) return;
        std::array<char, 1> byte{};
        error_code peeked;
        self->wire_.tcp().socket().receive(asio::buffer(byte), tcp::socket::message_peek, peeked);
        // With TLS the end is announced; nothing else comes while a page waits.
        if (peeked || self->wire_.encrypted()) call->Abort();
      }));
}

asio::awaitable<bool> GatewaySession::Call(const Request& request) {
  http::response<http::empty_body> head(http::status::ok, 11);
  head.set(http::field::content_type, "application/grpc-web+proto");
  head.set(http::field::cache_control, "no-store");
  head.chunked(true);
  http::response_serializer<http::empty_body> serializer(head);
  wire_.tcp().expires_after(kStalled);
  if (const auto [error, size] = co_await http::async_write_header(wire_, serializer, kTuple);
      error) {
    co_return false;
  }
  grpc::Status status;
  if (const auto message = UnframedRequest(request.body()); message.ok()) {
    ++shared_->calls;
    ++shared_->open_calls;
    const bool sent = co_await CallEngines(request, *message, &status);
    --shared_->open_calls;
    if (!sent || !status.ok()) ++shared_->failed_calls;
    if (!sent) co_return false;
  } else {
    status = {static_cast<grpc::StatusCode>(message.status().code()),
              std::string(message.status().message())};
  }
  if (!co_await WriteChunk(TrailerFrame(status))) co_return false;
  wire_.tcp().expires_after(kStalled);
  const auto [error, size] = co_await asio::async_write(wire_, http::make_chunk_last(), kTuple);
  co_return !error;
}

asio::awaitable<bool> GatewaySession::CallEngines(const Request& request, std::string_view message,
                                                  grpc::Status* status) {
  using std::chrono::system_clock;
  std::optional<system_clock::time_point> deadline;
  if (const auto timeout = ParseTimeout(View(request["grpc-timeout"]))) {
    deadline = system_clock::now() + std::chrono::duration_cast<system_clock::duration>(*timeout);
  }
  const auto give_up = std::chrono::steady_clock::now() + Engines::kLongestTurning;
  const bool for_camera =
      shared_->options.vision &&
      std::any_of(kCameraServices.begin(), kCameraServices.end(),
                  [&](auto service) { return View(request.target()).starts_with(service); });
  Engines engines = for_camera ? Engines(shared_->options.vision) : shared_->engines;
  for (int turns = 1;; ++turns) {
    call_ = CallFor(request, engines.channel());
    if (deadline) call_->context().set_deadline(*deadline);
    asio::cancellation_signal stop_watching;
    WatchForLeaving(call_, &stop_watching);
    UpstreamCall::Start(call_, std::string(View(request.target())), message);
    std::uint64_t messages = 0;
    const bool sent = co_await Forward(call_.get(), &messages);
    if (!sent) call_->Abort();
    stop_watching.emit(asio::cancellation_type::total);
    *status = call_->status();
    // What was refused, or could not be sent, may be sent again: requests that
    // change something carry their id.
    const bool again = sent && messages == 0 && !call_->aborted() &&
                       std::chrono::steady_clock::now() < give_up &&
                       engines.Turn(*status, call_->context());
    call_.reset();
    if (!again) {
      if (!for_camera && status->error_code() != grpc::StatusCode::UNAVAILABLE) {
        shared_->engines = engines;
      }
      co_return sent;
    }
    if (turns % 2 == 0) {
      asio::steady_timer pause(wire_.get_executor(), Engines::kBetweenTurns);
      co_await pause.async_wait(kTuple);
    }
  }
}

asio::awaitable<bool> GatewaySession::Forward(UpstreamCall* call, std::uint64_t* messages) {
  std::string message;
  while (co_await call->Next(&message)) {
    ++*messages;
    if (!co_await WriteChunk(MessageHeader(message.size()) + message)) co_return false;
  }
  co_return true;
}

asio::awaitable<bool> GatewaySession::WriteChunk(std::string_view bytes) {
  wire_.tcp().expires_after(kStalled);
  const auto [error, size] = co_await asio::async_write(
      wire_, http::make_chunk(asio::const_buffer(bytes.data(), bytes.size())), kTuple);
  wire_.tcp().expires_never();
  co_return !error;
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
  http::response_serializer<http::file_body> serializer(response);
  wire_.tcp().expires_after(kStalled);
  if (request.method() == http::verb::head) {
    const auto [failed, size] = co_await http::async_write_header(wire_, serializer, kTuple);
    co_return !failed;
  }
  const auto [failed, size] = co_await http::async_write(wire_, serializer, kTuple);
  co_return !failed;
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
  const auto [error, size] = co_await http::async_write(wire_, response, kTuple);
  co_return !error && keep_alive;
}

}  // namespace tilewarden::services
