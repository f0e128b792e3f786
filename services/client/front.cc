#include "services/client/front.h"

#include <openssl/x509_vfy.h>

#include <chrono>
#include <functional>
#include <future>
#include <optional>
#include <thread>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "boost/asio/co_spawn.hpp"
#include "boost/asio/executor_work_guard.hpp"
#include "boost/asio/ip/address.hpp"
#include "boost/asio/this_coro.hpp"
#include "boost/asio/use_future.hpp"
#include "boost/beast/core/buffers_to_string.hpp"
#include "services/access/addresses.h"
#include "services/access/certificate.h"

namespace tilewarden::services {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
using asio::ip::tcp;
using boost::system::error_code;

constexpr std::chrono::seconds kConnecting{10}, kCall{20};
constexpr std::size_t kLongestHead = 16 << 10, kLongestAnswer = 1 << 20;
constexpr std::size_t kFrameHeader = 5;

std::string FingerprintShown(SSL* tls) {
  X509* shown = SSL_get1_peer_certificate(tls);
  std::string fingerprint = FingerprintOf(shown);
  X509_free(shown);
  return fingerprint;
}

// Without a fingerprint, who signed it must be the authority, and the name the address.
bool TrustByAuthority(const KnownEngine& engine, const std::string& host,
                      asio::ssl::context* context) {
  error_code error;
  context->add_certificate_authority(asio::buffer(engine.authority), error);
  context->set_verify_mode(asio::ssl::verify_peer);
  X509_VERIFY_PARAM* checks = SSL_CTX_get0_param(context->native_handle());
  error_code no_address;
  asio::ip::make_address(host, no_address);
  const int named = no_address ? X509_VERIFY_PARAM_set1_host(checks, host.c_str(), host.size())
                               : X509_VERIFY_PARAM_set1_ip_asc(checks, host.c_str());
  return !error && named == 1;
}

absl::Status Nobody(const std::string& address, const std::string& why) {
  return absl::UnavailableError(absl::StrCat("nobody answers on ", address, ": ", why));
}

// The next piece of a chunked body, taken off the text; nothing at its end or when torn.
std::optional<std::string> TakeChunk(std::string* text) {
  const auto line = text->find("\r\n");
  if (line == std::string::npos) return std::nullopt;
  std::uint32_t size = 0;
  if (!absl::SimpleHexAtoi(text->substr(0, line), &size) || size == 0 ||
      text->size() < line + 2 + size + 2) {
    return std::nullopt;
  }
  std::string chunk = text->substr(line + 2, size);
  text->erase(0, line + 2 + size + 2);
  return chunk;
}

// What a gRPC-Web body says.
absl::Status ReadAnswer(std::string text, google::protobuf::MessageLite* response) {
  std::string body;
  while (const auto chunk = TakeChunk(&text)) body += *chunk;
  while (body.size() >= kFrameHeader) {
    std::size_t size = 0;
    for (std::size_t i = 1; i < kFrameHeader; ++i) {
      size = size << 8 | static_cast<unsigned char>(body[i]);
    }
    if (body.size() < kFrameHeader + size) break;
    const std::string frame = body.substr(kFrameHeader, size);
    const bool trailers = (static_cast<unsigned char>(body[0]) & 0x80) != 0;
    body.erase(0, kFrameHeader + size);
    if (!trailers) {
      if (!response->ParseFromString(frame)) break;
      continue;
    }
    const auto value = [&](const std::string& key) {
      const auto at = frame.find(key);
      if (at == std::string::npos) return std::string();
      const auto from = at + key.size();
      return frame.substr(from, frame.find('\r', from) - from);
    };
    int code = -1;
    if (!absl::SimpleAtoi(value("grpc-status: "), &code)) break;
    return {static_cast<absl::StatusCode>(code), value("grpc-message: ")};
  }
  return absl::UnavailableError("the answer is torn");
}

// GCC takes how Asio allocates this coroutine for a mistake; and compiled together with other
// files, this one counts as a header for it, so that it warns of what is of this file alone.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"
#pragma GCC diagnostic ignored "-Wsubobject-linkage"
#endif

asio::awaitable<absl::Status> Call(std::string address, KnownEngine engine, std::string method,
                                   std::string message, google::protobuf::MessageLite* response) {
  auto connected = co_await ConnectToFront(address, engine);
  if (!connected.ok()) co_return connected.status();
  Wire& wire = **connected;
  wire.tcp().expires_after(kCall);
  std::string frame(1, '\0');
  for (const int shift : {24, 16, 8, 0}) {
    frame += static_cast<char>(message.size() >> shift & 0xff);
  }
  const std::string request = absl::StrCat(
      "POST ", method, " HTTP/1.1\r\nHost: ", address,
      "\r\nContent-Type: application/grpc-web+proto\r\nConnection: close\r\nContent-Length: ",
      frame.size() + message.size(), "\r\n\r\n", frame, message);
  beast::flat_buffer buffer(kLongestAnswer);
  std::string head;
  // Not `? co_await :`, whose value GCC 12 destroys twice.
  if (co_await wire.Write(request)) head = co_await ReadHttpHead(&wire, &buffer);
  if (!absl::StrContains(head.substr(0, 12), " 200")) {
    co_return absl::UnavailableError(absl::StrCat("no engine service answers on ", address));
  }
  while (!co_await wire.ReadSome(&buffer)) {
  }
  co_return ReadAnswer(beast::buffers_to_string(buffer.data()), response);
}

asio::awaitable<bool> Probe(std::string address, KnownEngine engine) {
  const auto wire = co_await ConnectToFront(address, engine);
  if (!wire.ok()) co_return false;
  (*wire)->tcp().expires_after(kCall);
  beast::flat_buffer buffer(kLongestAnswer);
  const std::string request =
      absl::StrCat("GET /about.json HTTP/1.1\r\nHost: ", address, "\r\nConnection: close\r\n\r\n");
  std::string head;
  if (co_await (*wire)->Write(request)) head = co_await ReadHttpHead(wire->get(), &buffer);
  co_return head.substr(0, 12) == "HTTP/1.1 200";
}

}  // namespace

bool ProbeFront(const std::string& address, const KnownEngine& engine) {
  return asio::co_spawn(FrontThread(), Probe(address, engine), asio::use_future).get();
}

asio::io_context& FrontThread() {
  static asio::io_context& context = *[] {
    auto* made = new asio::io_context(1);
    std::thread([made] {
      const auto work = asio::make_work_guard(*made);
      made->run();
    }).detach();
    return made;
  }();
  return context;
}

asio::awaitable<absl::StatusOr<std::unique_ptr<Wire>>> ConnectToFront(std::string address,
                                                                      KnownEngine engine) {
  const auto executor = co_await asio::this_coro::executor;
  const std::string host = HostOf(address), port = address.substr(address.rfind(':') + 1);
  tcp::resolver resolver(executor);
  const auto [unresolved, found] = co_await resolver.async_resolve(host, port, kTuple);
  if (unresolved) co_return Nobody(address, unresolved.message());
  auto wire = std::make_unique<Wire>(tcp::socket(executor));
  wire->tcp().expires_after(kConnecting);
  const auto [refused, at] = co_await wire->tcp().async_connect(found, kTuple);
  if (refused) co_return Nobody(address, refused.message());
  error_code ignored;
  wire->tcp().socket().set_option(tcp::no_delay(true), ignored);
  if (engine.plain_text) co_return std::move(wire);
  asio::ssl::context context(asio::ssl::context::tls_client);
  SSL_CTX_set_min_proto_version(context.native_handle(), TLS1_2_VERSION);
  if (engine.fingerprint.empty() && !TrustByAuthority(engine, host, &context)) {
    co_return absl::FailedPreconditionError("the certificate of who signs cannot be read");
  }
  bool other = false;
  const std::function<bool(SSL*)> trusted = [&](SSL* tls) {
    other = !engine.fingerprint.empty() && FingerprintShown(tls) != engine.fingerprint;
    return !other;
  };
  const bool encrypted = co_await wire->EncryptAsClient(context, trusted);
  if (encrypted) co_return std::move(wire);
  if (other || engine.fingerprint.empty()) {
    co_return absl::FailedPreconditionError(absl::StrCat(
        address, ": its certificate is not the one that is known; if it was renewed, run ",
        "tilewarden access join ", address));
  }
  co_return Nobody(address, "it does not speak TLS");
}

asio::awaitable<std::string> ReadHttpHead(Wire* wire, beast::flat_buffer* buffer) {
  while (true) {
    const std::string text = beast::buffers_to_string(buffer->data());
    if (const auto end = text.find("\r\n\r\n"); end != std::string::npos) {
      buffer->consume(end + 4);
      co_return text.substr(0, end);
    }
    if (text.size() > kLongestHead) co_return "";
    if (co_await wire->ReadSome(buffer)) co_return "";
  }
}

absl::Status CallFront(const std::string& address, const KnownEngine& engine,
                       const std::string& method, const google::protobuf::MessageLite& request,
                       google::protobuf::MessageLite* response) {
  return asio::co_spawn(FrontThread(),
                        Call(address, engine, method, request.SerializeAsString(), response),
                        asio::use_future)
      .get();
}

}  // namespace tilewarden::services
