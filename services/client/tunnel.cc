#include "services/client/tunnel.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <mutex>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "boost/asio/co_spawn.hpp"
#include "boost/asio/detached.hpp"
#include "boost/asio/local/stream_protocol.hpp"
#include "boost/asio/post.hpp"
#include "grpcpp/generic/async_generic_service.h"
#include "grpcpp/grpcpp.h"
#include "grpcpp/server_posix.h"
#include "services/base/secrets.h"
#include "services/base/status.h"
#include "services/client/front.h"
#include "spdlog/spdlog.h"

namespace tilewarden::services {
namespace {

namespace asio = boost::asio;
using asio::local::stream_protocol;
using boost::system::error_code;

constexpr std::chrono::seconds kAsking{10};

// Answers every call with why nobody is let through.
class Refusals final : public grpc::CallbackGenericService {
 public:
  // Takes the socket over.
  void Answer(stream_protocol::socket socket, const absl::Status& why) {
    const std::lock_guard lock(mutex_);
    why_ = ToGrpc(why);
    if (server_ == nullptr) {
      grpc::ServerBuilder builder;
      // Then it is asked again whether they are let in by now.
      builder.AddChannelArgument(GRPC_ARG_MAX_CONNECTION_AGE_MS, 2000);
      builder.AddChannelArgument(GRPC_ARG_MAX_CONNECTION_AGE_GRACE_MS, 500);
      builder.RegisterCallbackGenericService(this);
      server_ = builder.BuildAndStart();
    }
    error_code error;
    socket.native_non_blocking(true, error);
    if (const int handle = socket.release(error); !error) {
      grpc::AddInsecureChannelFromFd(server_.get(), handle);
    }
  }
  ~Refusals() override {
    if (server_ != nullptr) server_->Shutdown(std::chrono::system_clock::now());
  }

 private:
  class Refusal final : public grpc::ServerGenericBidiReactor {
   public:
    explicit Refusal(const grpc::Status& why) { Finish(why); }
    void OnDone() override { delete this; }
  };
  grpc::ServerGenericBidiReactor* CreateReactor(grpc::GenericCallbackServerContext*) override {
    const std::lock_guard lock(mutex_);
    return new Refusal(why_);
  }

  std::mutex mutex_;
  grpc::Status why_;
  std::unique_ptr<grpc::Server> server_;
};

// As the front says it in its answer's head.
std::string WhyRefused(const std::string& head) {
  const std::string key = absl::StrCat("\r\n", kWhyRefused, ": ");
  const auto at = head.find(key);
  if (at == std::string::npos) return "this device is not let in there";
  const auto from = at + key.size();
  return head.substr(from, head.find("\r\n", from) - from);
}

}  // namespace

// Compiled together with other files, this one counts as a header for GCC, which then warns of what
// is of this file alone.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wsubobject-linkage"
#endif

class Tunnel::Relay : public std::enable_shared_from_this<Relay> {
 public:
  Relay(std::string address, KnownEngine engine)
      : address_(std::move(address)), engine_(std::move(engine)), acceptor_(FrontThread()) {}

  bool Open(const std::string& name) {
    error_code error;
    acceptor_.open(stream_protocol(), error);
    if (!error) acceptor_.bind(stream_protocol::endpoint(std::string(1, '\0') + name), error);
    if (!error) acceptor_.listen(asio::socket_base::max_listen_connections, error);
    if (error) return false;
    asio::co_spawn(FrontThread(), Accept(shared_from_this()), asio::detached);
    return true;
  }
  void Close() {
    asio::post(FrontThread(), [self = shared_from_this()] {
      error_code ignored;
      self->acceptor_.close(ignored);
    });
  }

 private:
  static asio::awaitable<void> Accept(std::shared_ptr<Relay> self) {
    while (self->acceptor_.is_open()) {
      auto [error, local] = co_await self->acceptor_.async_accept(kTuple);
      if (error) co_return;
      ucred caller{};
      socklen_t size = sizeof caller;
      if (getsockopt(local.native_handle(), SOL_SOCKET, SO_PEERCRED, &caller, &size) != 0 ||
          caller.uid != geteuid()) {
        continue;
      }
      asio::co_spawn(FrontThread(), Carry(self, std::move(local)), asio::detached);
    }
  }

  static asio::awaitable<void> Carry(std::shared_ptr<Relay> self, stream_protocol::socket local) {
    auto wire = co_await ConnectToFront(self->address_, self->engine_);
    if (!wire.ok()) {
      self->Tell(std::string(wire.status().message()));
      // Whoever is not there may be back at the next try.
      if (absl::IsFailedPrecondition(wire.status())) {
        self->refusals_.Answer(std::move(local), absl::UnavailableError(wire.status().message()));
      }
      co_return;
    }
    (*wire)->tcp().expires_after(kAsking);
    const std::string request =
        absl::StrCat("GET ", kTunnelTarget, " HTTP/1.1\r\nHost: ", self->address_,
                     "\r\nConnection: Upgrade\r\nUpgrade: ", kTunnelProtocol,
                     self->engine_.token.empty() ? "" : "\r\nAuthorization: Bearer ",
                     self->engine_.token, "\r\n\r\n");
    boost::beast::flat_buffer buffer;
    std::string head;
    // Not `? co_await :`, whose value GCC 12 destroys twice.
    if (co_await (*wire)->Write(request)) head = co_await ReadHttpHead(wire->get(), &buffer);
    const std::string code = head.size() < 12 ? "" : head.substr(9, 3);
    if (code == "101") {
      self->Tell("");
      co_await (*wire)->Splice(&local, &buffer);
      co_return;
    }
    if (code == "401") {
      const std::string why = WhyRefused(head);
      self->refusals_.Answer(std::move(local), absl::UnauthenticatedError(why));
      self->Tell(absl::StrCat(self->address_, ": ", why));
    } else {
      self->Tell(absl::StrCat("the engine service on ", self->address_, " takes nobody now (",
                              code.empty() ? "no answer" : code, ")"));
    }
  }

  // Once for each change; whoever called hears it in the call's status.
  void Tell(const std::string& problem) {
    if (problem == problem_) return;
    problem_ = problem;
    if (!problem.empty()) spdlog::debug("{}", problem);
  }

  const std::string address_;
  const KnownEngine engine_;
  stream_protocol::acceptor acceptor_;
  Refusals refusals_;
  std::string problem_;
};

Tunnel::Tunnel(std::string address, KnownEngine engine)
    : relay_(std::make_shared<Relay>(std::move(address), std::move(engine))) {
  const std::string name =
      absl::StrCat("tilewarden-", getpid(), "-", absl::BytesToHexString(RandomBytes(8)));
  if (!relay_->Open(name)) spdlog::error("no socket can be made for the engine service");
  target_ = "unix-abstract:" + name;
}

Tunnel::~Tunnel() { relay_->Close(); }

}  // namespace tilewarden::services
