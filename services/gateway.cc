#include "services/gateway.h"

#include <algorithm>
#include <array>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "boost/asio.hpp"
#include "boost/beast.hpp"
#include "services/grpc_web.h"
#include "services/static_files.h"
#include "services/upstream_call.h"

namespace tilewarden::services {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;
using boost::system::error_code;

constexpr std::size_t kMostConnections = 1024;
constexpr std::uint32_t kLargestHeader = 16 << 10;
// A connection that asks nothing, and a write that nobody takes.
constexpr std::chrono::seconds kIdle{120}, kStalled{30};
constexpr const char* kContentPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; "
    "connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'";
constexpr auto kTuple = asio::as_tuple(asio::use_awaitable);

std::string_view View(beast::string_view text) { return {text.data(), text.size()}; }

// "[::1]:8080" gives "[::1]", "localhost:8080" gives "localhost".
std::string_view HostName(std::string_view host) {
  const auto bracket = host.find(']');
  return host.substr(0, host.find(':', bracket == std::string_view::npos ? 0 : bracket));
}

struct Shared;

// One connection: requests one after another.
class Session : public std::enable_shared_from_this<Session> {
 public:
  Session(tcp::socket socket, Shared* shared);
  ~Session();
  asio::awaitable<void> Run();
  void Close();

 private:
  using Request = http::request<http::string_body>;
  asio::awaitable<bool> Answer(const Request& request);
  asio::awaitable<bool> Call(const Request& request);
  asio::awaitable<bool> Forward(UpstreamCall* call);
  asio::awaitable<bool> SendFile(const Request& request);
  asio::awaitable<bool> SendText(http::status status, std::string text, bool keep_alive);
  asio::awaitable<bool> WriteChunk(std::string_view bytes);
  bool FromHere(const Request& request) const;
  void WatchForLeaving(const std::shared_ptr<UpstreamCall>& call, asio::cancellation_signal* stop);

  beast::tcp_stream stream_;
  beast::flat_buffer buffer_{kLargestHeader + (64 << 10)};
  Shared* const shared_;
  std::shared_ptr<UpstreamCall> call_;
};

struct Shared {
  Gateway::Options options;
  std::shared_ptr<grpc::Channel> engine;
  grpc::GenericStub stub{engine};
  bool only_loopback = true;
  std::set<Session*> sessions = {};
  // For the metrics, by the gateway's one thread.
  double pages = 0, calls = 0, refused = 0, failed_calls = 0, open_calls = 0;
  std::string Metrics() const;
};

std::string Shared::Metrics() const {
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

Session::Session(tcp::socket socket, Shared* shared) : stream_(std::move(socket)), shared_(shared) {
  shared_->sessions.insert(this);
}

Session::~Session() { shared_->sessions.erase(this); }

void Session::Close() {
  if (call_ != nullptr) call_->Abort();
  stream_.close();
}

asio::awaitable<void> Session::Run() {
  const auto self = shared_from_this();
  for (bool more = true; more;) {
    http::request_parser<http::string_body> parser;
    parser.header_limit(kLargestHeader);
    parser.body_limit(shared_->options.largest_request);
    stream_.expires_after(kIdle);
    const auto [error, size] = co_await http::async_read(stream_, buffer_, parser, kTuple);
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
  stream_.socket().shutdown(tcp::socket::shutdown_both, ignored);
}

asio::awaitable<bool> Session::Answer(const Request& request) {
  if (!FromHere(request)) {
    ++shared_->refused;
    co_return co_await SendText(http::status::forbidden,
                                "Open the page at the address that Tilewarden prints.", false);
  }
  if (request.method() == http::verb::get && View(request.target()) == "/metrics") {
    co_return co_await SendText(http::status::ok, shared_->Metrics(), request.keep_alive());
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
bool Session::FromHere(const Request& request) const {
  const std::string_view host = View(request[http::field::host]);
  const std::string_view origin = View(request[http::field::origin]);
  if (!origin.empty() && origin != "http://" + std::string(host)) return false;
  const std::string_view name = HostName(host);
  return !shared_->only_loopback || name == "localhost" || name == "127.0.0.1" || name == "[::1]";
}

void Session::WatchForLeaving(const std::shared_ptr<UpstreamCall>& call,
                              asio::cancellation_signal* stop) {
  stream_.socket().async_wait(
      tcp::socket::wait_read,
      asio::bind_cancellation_slot(
          stop->slot(), [self = shared_from_this(), call](const error_code& error) {
            if (error) return;
            std::array<char, 1> byte{};
            error_code peeked;
            self->stream_.socket().receive(asio::buffer(byte), tcp::socket::message_peek, peeked);
            if (peeked) call->Abort();
          }));
}

asio::awaitable<bool> Session::Call(const Request& request) {
  http::response<http::empty_body> head(http::status::ok, 11);
  head.set(http::field::content_type, "application/grpc-web+proto");
  head.set(http::field::cache_control, "no-store");
  head.chunked(true);
  http::response_serializer<http::empty_body> serializer(head);
  stream_.expires_after(kStalled);
  if (const auto [error, size] = co_await http::async_write_header(stream_, serializer, kTuple);
      error) {
    co_return false;
  }
  grpc::Status status;
  if (const auto message = UnframedRequest(request.body()); message.ok()) {
    call_ = std::make_shared<UpstreamCall>(stream_.get_executor(), &shared_->stub);
    if (const auto timeout = ParseTimeout(View(request["grpc-timeout"]))) {
      call_->context().set_deadline(
          std::chrono::system_clock::now() +
          std::chrono::duration_cast<std::chrono::system_clock::duration>(*timeout));
    }
    asio::cancellation_signal stop_watching;
    WatchForLeaving(call_, &stop_watching);
    ++shared_->calls;
    ++shared_->open_calls;
    UpstreamCall::Start(call_, std::string(View(request.target())), *message);
    const bool sent = co_await Forward(call_.get());
    --shared_->open_calls;
    if (!sent) call_->Abort();
    stop_watching.emit(asio::cancellation_type::total);
    status = call_->status();
    if (!sent || !status.ok()) ++shared_->failed_calls;
    call_.reset();
    if (!sent) co_return false;
  } else {
    status = {static_cast<grpc::StatusCode>(message.status().code()),
              std::string(message.status().message())};
  }
  if (!co_await WriteChunk(TrailerFrame(status))) co_return false;
  stream_.expires_after(kStalled);
  const auto [error, size] = co_await asio::async_write(stream_, http::make_chunk_last(), kTuple);
  co_return !error;
}

asio::awaitable<bool> Session::Forward(UpstreamCall* call) {
  std::string message;
  while (co_await call->Next(&message)) {
    if (!co_await WriteChunk(MessageHeader(message.size()) + message)) co_return false;
  }
  co_return true;
}

asio::awaitable<bool> Session::WriteChunk(std::string_view bytes) {
  stream_.expires_after(kStalled);
  const auto [error, size] = co_await asio::async_write(
      stream_, http::make_chunk(asio::const_buffer(bytes.data(), bytes.size())), kTuple);
  stream_.expires_never();
  co_return !error;
}

asio::awaitable<bool> Session::SendFile(const Request& request) {
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
  stream_.expires_after(kStalled);
  if (request.method() == http::verb::head) {
    const auto [failed, size] = co_await http::async_write_header(stream_, serializer, kTuple);
    co_return !failed;
  }
  const auto [failed, size] = co_await http::async_write(stream_, serializer, kTuple);
  co_return !failed;
}

asio::awaitable<bool> Session::SendText(http::status status, std::string text, bool keep_alive) {
  http::response<http::string_body> response(status, 11, std::move(text));
  response.set(http::field::content_type, "text/plain; charset=utf-8");
  response.set("X-Content-Type-Options", "nosniff");
  response.keep_alive(keep_alive);
  response.prepare_payload();
  stream_.expires_after(kStalled);
  const auto [error, size] = co_await http::async_write(stream_, response, kTuple);
  co_return !error && keep_alive;
}

class BeastGateway final : public Gateway {
 public:
  BeastGateway(const Options& options, std::shared_ptr<grpc::Channel> engine)
      : shared_{options, std::move(engine)}, acceptor_(context_) {}
  ~BeastGateway() override {
    if (!thread_.joinable()) return;
    asio::post(context_, [this] {
      error_code ignored;
      acceptor_.close(ignored);
      for (Session* session : shared_.sessions) session->Close();
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
    const std::string name = address.is_v6() ? absl::StrCat("[", host, "]") : host;
    url_ = absl::StrCat("http://", name, ":", acceptor_.local_endpoint().port(), "/");
    asio::co_spawn(context_, Accept(), asio::detached);
    thread_ = std::thread([this] { context_.run(); });
    return true;
  }

  std::string url() const override { return url_; }

 private:
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
      if (shared_.sessions.size() >= kMostConnections) continue;
      error_code ignored;
      socket.set_option(tcp::no_delay(true), ignored);
      const auto session = std::make_shared<Session>(std::move(socket), &shared_);
      asio::co_spawn(context_, session->Run(), [session](const std::exception_ptr&) {});
    }
  }

  Shared shared_;
  asio::io_context context_{1};
  tcp::acceptor acceptor_;
  std::string url_;
  std::thread thread_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Gateway>> Gateway::Start(const Options& options,
                                                        std::shared_ptr<grpc::Channel> engine) {
  auto gateway = std::make_unique<BeastGateway>(options, std::move(engine));
  if (!gateway->Open()) {
    return absl::UnavailableError(absl::StrCat(
        "cannot listen on ", options.listen,
        ": something else is there already, or it is no address of this machine; choose another "
        "with --page-listen"));
  }
  return gateway;
}

}  // namespace tilewarden::services
