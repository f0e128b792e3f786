// Lets calls in, or says why not. Every method of every service asks here first,
// by Guarded below.
//
//   who calls                                         needs a token
//   this process                                      no
//   one of this machine's people, over loopback       no
//   another service of it, or a proxy, over loopback  yes
//   anybody through a tunnel                          yes
//   a gateway on behalf of another machine            yes, that machine's
//
// Thread safe. Admit blocks on the disk where a token is needed.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "google/protobuf/descriptor.h"
#include "grpcpp/server_context.h"
#include "services/access/attempts.h"
#include "services/access/bounds.h"
#include "services/access/token_file.h"
#include "services/base/status.h"

namespace tilewarden::services {

// Metadata with which a gateway says for whose machine it calls: an IP address.
inline constexpr const char* kCallsFor = "tilewarden-for";
// "Bearer TOKEN".
inline constexpr const char* kAuthorization = "authorization";

// Whoever was let in.
struct Caller {
  Grant grant{v1::ROLE_ADMIN, ""};
  // Empty: none was needed.
  std::string token_id;
  // What people call the device; empty when nobody said, or it needs no token.
  std::string device;
  // The IP address; "this machine".
  std::string address;
};

// What the guard looks at in a call.
struct Arrival {
  std::string peer;
  const std::multimap<grpc::string_ref, grpc::string_ref>& metadata;
};
template <typename Context>
Arrival ArrivalOf(const Context& context) {
  return {context.peer(), context.client_metadata()};
}

// The value of a key, or nothing.
std::optional<std::string> MetadataOf(const Arrival& call, const char* key);

// Whoever calls from this machine, and needs nothing.
Caller CallerHere();
// PERMISSION_DENIED, logged: the method belongs to other roles.
absl::Status CheckRole(const Caller& caller, std::string_view method);

class Guard {
 public:
  // `tokens` outlives this.
  explicit Guard(TokenFile* tokens) : tokens_(tokens) {}
  // The port that the service listens on, on loopback alone.
  void ListensOn(std::uint16_t port) { port_ = port; }
  // From now on whoever calls over this connection is at that address, behind a tunnel.
  void AddTunnel(int handle, const std::string& address);

  // UNAUTHENTICATED, PERMISSION_DENIED, RESOURCE_EXHAUSTED, each logged without
  // the token. `method`: "tilewarden.v1.GameService.PlayTurn".
  absl::StatusOr<Caller> Admit(const Arrival& call, std::string_view method);
  // For streams that last: whether the caller would still be let in.
  absl::Status StillAdmitted(const Caller& caller, std::string_view method);

  TokenFile& tokens() { return *tokens_; }
  Attempts& attempts() { return attempts_; }

 private:
  // Of a tunnel's peer.
  std::optional<std::string> BehindTunnel(const std::string& peer);
  // Over loopback: one of this machine's people, not a proxy. Asks the system at most once in a
  // while for each connection.
  bool IsPerson(const Arrival& call, const std::string& address);
  absl::Status JudgeToken(const std::string& token, const std::string& address, Caller* caller);

  TokenFile* const tokens_;
  std::atomic<std::uint16_t> port_ = 0;
  Attempts attempts_;
  std::mutex mutex_;
  std::map<std::string, std::string> tunnels_;  // by peer
  struct Known {
    bool person = false;
    std::int64_t time_ms = 0;
  };
  std::map<std::string, Known> known_;  // by peer
};

// The address of "ipv4:192.168.1.20:4711" or "ipv6:%5Bfe80::1%5D:4711" without the
// port; of IPv6 the first 64 bits, which one household has. Empty: no address.
std::string AddressOfPeer(const std::string& peer);

// The method that takes this request: each has its own.
template <typename Request>
const std::string& MethodOf() {
  static const std::string kName = [] {
    const auto* request = Request::descriptor();
    const auto* file = request->file();
    for (int s = 0; s < file->service_count(); ++s) {
      for (int m = 0; m < file->service(s)->method_count(); ++m) {
        const auto* method = file->service(s)->method(m);
        if (method->input_type() == request) return method->full_name();
      }
    }
    return std::string();
  }();
  return kName;
}

// Sends whoever asked to the engine service that leads the game, if the status says
// that another one does.
void TellLeader(const absl::Status& status, grpc::ServerContextBase* context);

// Runs an RPC's handler for those whom a Guard or an AskingGuard lets in, if the request is within
// bounds, behind the fence.
template <typename AnyGuard, typename Request, typename Handler>
grpc::Status Guarded(AnyGuard* guard, grpc::ServerContext* context, const Request& request,
                     Handler&& handler) {
  return Fenced([&]() -> absl::Status {
    const auto caller = guard->Admit(ArrivalOf(*context), MethodOf<Request>());
    if (!caller.ok()) return caller.status();
    absl::Status status = CheckBounds(request);
    if (!status.ok()) return status;
    if constexpr (std::is_invocable_v<Handler, const Caller&>) {
      status = std::forward<Handler>(handler)(*caller);
    } else {
      status = std::forward<Handler>(handler)();
    }
    TellLeader(status, context);
    return status;
  });
}

}  // namespace tilewarden::services
