// A connection's calls: what a browser asks of the engine service or of the camera.
#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <utility>

#include "boost/asio/bind_cancellation_slot.hpp"
#include "boost/asio/buffer.hpp"
#include "boost/asio/steady_timer.hpp"
#include "fmt/format.h"
#include "services/access/guard.h"
#include "services/gateway/gateway_session.h"
#include "services/gateway/grpc_web.h"
#include "services/gateway/http_messages.h"

namespace tilewarden::services {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using asio::ip::tcp;
using boost::system::error_code;

constexpr std::size_t kLongestToken = 256;
// What the vision service answers; everything else is the engine service's.
constexpr std::array<std::string_view, 4> kCameraServices = {
    "/tilewarden.v1.CalibrationService/", "/tilewarden.v1.CameraService/",
    "/tilewarden.v1.EnrolmentService/", "/tilewarden.v1.VisionService/"};

// Answered without a token, too.
bool IsForAnybody(std::string_view method) {
  return method.ends_with("/Pair") || method.ends_with("/Check");
}

}  // namespace

std::shared_ptr<UpstreamCall> GatewaySession::CallFor(
    const Request& request, const std::shared_ptr<grpc::Channel>& engine) {
  auto call = std::make_shared<UpstreamCall>(wire_.get_executor(), engine);
  if (!OnThisMachine(request)) {
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
  wire_.tcp().expires_after(kStalled);
  const bool begun = co_await WriteHeader(&wire_, &head);
  if (!begun) co_return false;
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
  co_return co_await wire_.Write("0\r\n\r\n");
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
    if ((messages > 0 || status->ok()) && !IsForAnybody(View(request.target()))) let_in_ = true;
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
  const std::string chunk = fmt::format("{:x}\r\n{}\r\n", bytes.size(), bytes);
  const bool taken = co_await wire_.Write(chunk);
  wire_.tcp().expires_never();
  co_return taken;
}

}  // namespace tilewarden::services
