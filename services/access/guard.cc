#include "services/access/guard.h"

#include <cstdint>
#include <mutex>
#include <optional>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "services/access/addresses.h"
#include "services/access/rules.h"
#include "services/base/clock.h"
#include "services/base/leader.h"
#include "spdlog/spdlog.h"

namespace tilewarden::services {
namespace {

constexpr std::string_view kBearer = "Bearer ";
constexpr const char* kThisMachine = "this machine";
// As gRPC calls a connection that it was handed.
constexpr const char* kTunnelPeer = "fd:";
// How long it is known who holds a connection, which is closed and made anew by others.
constexpr std::int64_t kKnown_ms = 2000;
constexpr std::size_t kMostKnown = 1024;

absl::Status Unpaired() {
  return absl::UnauthenticatedError(
      "this device is not let in yet; enter the code that the engine's screen shows");
}

// Of refusals, so many lines in so long: whoever knocks without end fills no disk.
class RefusalLog {
 public:
  void Say(const std::string& line) {
    const std::lock_guard lock(mutex_);
    const std::int64_t now = NowMs();
    if (now - since_ms_ > kWindow_ms || now < since_ms_) {
      if (said_ > kMost) spdlog::warn("refused {} more calls until then", said_ - kMost);
      since_ms_ = now;
      said_ = 0;
    }
    if (++said_ <= kMost) spdlog::warn("{}", line);
  }

 private:
  static constexpr std::int64_t kWindow_ms = 60'000, kMost = 30;
  std::mutex mutex_;
  std::int64_t since_ms_ = 0, said_ = 0;
};

absl::Status Logged(absl::Status status, std::string_view method, const std::string& address,
                    const std::string& whose) {
  static auto& log = *new RefusalLog;
  log.Say(absl::StrCat("refused ", std::string(method), " from ", address, whose, ": ",
                       status.message()));
  return status;
}

std::string Whose(const Caller& caller) {
  return caller.token_id.empty() ? "" : absl::StrCat(", token ", caller.token_id);
}

}  // namespace

std::optional<std::string> MetadataOf(const Arrival& call, const char* key) {
  const auto found = call.metadata.find(key);
  if (found == call.metadata.end()) return std::nullopt;
  return std::string(found->second.data(), found->second.size());
}

Caller CallerHere() {
  Caller here;
  here.address = kThisMachine;
  return here;
}

absl::Status CheckRole(const Caller& caller, std::string_view method) {
  const auto callers = CallersOf(method);
  if (callers && callers->Include(caller.grant.role)) return absl::OkStatus();
  return Logged(absl::PermissionDeniedError(absl::StrCat(
                    "this device was let in as ", NameOf(caller.grant.role),
                    ", which may not do this; pair it again with a code that allows more")),
                method, caller.address, Whose(caller));
}

std::string AddressOfPeer(const std::string& peer) {
  const bool v4 = absl::StartsWith(peer, "ipv4:");
  if (!v4 && !absl::StartsWith(peer, "ipv6:")) return "";
  std::string address = absl::StrReplaceAll(peer.substr(5), {{"%5B", "["}, {"%5D", "]"}});
  if (v4) return address.substr(0, address.rfind(':'));
  address = address.substr(0, address.rfind(']'));
  if (!address.empty() && address.front() == '[') address.erase(0, 1);
  return Household(address);
}

void TellLeader(const absl::Status& status, grpc::ServerContextBase* context) {
  const auto leader = LeaderOf(status);
  if (leader && !leader->empty()) context->AddTrailingMetadata(kLeaderMetadata, *leader);
}

void Guard::AddTunnel(int handle, const std::string& address) {
  const std::lock_guard lock(mutex_);
  // A handle is used again once its connection is over.
  tunnels_[absl::StrCat(kTunnelPeer, handle)] = Household(address);
}

std::optional<std::string> Guard::BehindTunnel(const std::string& peer) {
  if (!absl::StartsWith(peer, kTunnelPeer)) return std::nullopt;
  const std::lock_guard lock(mutex_);
  const auto found = tunnels_.find(peer);
  return found == tunnels_.end() ? "a tunnel" : found->second;
}

bool Guard::IsPerson(const Arrival& call, const std::string& address) {
  for (const char* proxy : {"forwarded", "x-forwarded-for", "x-real-ip", "via"}) {
    if (call.metadata.find(proxy) != call.metadata.end()) return false;
  }
  const std::int64_t now = NowMs();
  const std::lock_guard lock(mutex_);
  if (const auto found = known_.find(call.peer);
      found != known_.end() && now - found->second.time_ms < kKnown_ms) {
    return found->second.person;
  }
  if (known_.size() > kMostKnown) known_.clear();
  int port = 0;
  const bool person = absl::SimpleAtoi(call.peer.substr(call.peer.rfind(':') + 1), &port) &&
                      IsPersonsPort(address, static_cast<std::uint16_t>(port), port_);
  known_[call.peer] = {person, now};
  return person;
}

absl::StatusOr<Caller> Guard::Admit(const Arrival& call, std::string_view method) {
  const auto tunnel = BehindTunnel(call.peer);
  std::string address = tunnel ? *tunnel : AddressOfPeer(call.peer);
  const bool local = !tunnel && (address.empty() || IsLoopbackAddress(address));
  const auto calls_for = MetadataOf(call, kCallsFor);
  if (local && !calls_for && (address.empty() || IsPerson(call, address))) {
    return CallerHere();
  }
  // Only a gateway beside the engine is believed whom it calls for.
  if (local && calls_for) address = Household(*calls_for);
  Caller caller;
  caller.grant.role = v1::ROLE_UNSPECIFIED;
  caller.address = address;
  const auto rule = CallersOf(method);
  if (rule && rule->anyone()) return caller;

  const auto authorization = MetadataOf(call, kAuthorization);
  const bool bearer = authorization && authorization->size() > kBearer.size() &&
                      absl::EqualsIgnoreCase(authorization->substr(0, kBearer.size()), "Bearer ");
  if (!bearer && local && !calls_for) {
    return Logged(
        absl::UnauthenticatedError(
            "a service's account, root and what a proxy forwards need a token on this "
            "machine too, because they may call for anybody; run this as a person, or let "
            "it in with tilewarden access"),
        method, address, "");
  }
  if (!bearer) return Logged(Unpaired(), method, address, "");
  const absl::Status judged = JudgeToken(authorization->substr(kBearer.size()), address, &caller);
  if (!judged.ok()) return Logged(judged, method, address, Whose(caller));
  if (auto status = CheckRole(caller, method); !status.ok()) return status;
  return caller;
}

absl::Status Guard::JudgeToken(const std::string& token, const std::string& address,
                               Caller* caller) {
  const auto verdict = tokens_->Check(token, NowMs());
  if (!verdict.ok()) return verdict.status();
  switch (verdict->is) {
    case TokenFile::Verdict::kGood:
      caller->grant = verdict->token.grant;
      caller->token_id = verdict->token.id;
      caller->device = verdict->token.device;
      return absl::OkStatus();
    case TokenFile::Verdict::kUnknown:
      // Good tokens stay good: one device must not lock out its household.
      if (attempts_.Failed(address, NowMs())) {
        return absl::ResourceExhaustedError(
            "too many wrong tokens or codes from this address; wait a minute");
      }
      return Unpaired();
    case TokenFile::Verdict::kRevoked:
      caller->token_id = verdict->token.id;
      return absl::UnauthenticatedError("this device is not let in any more; pair it again");
    case TokenFile::Verdict::kExpired:
      caller->token_id = verdict->token.id;
      return absl::UnauthenticatedError("this device's token has run out; pair it again");
  }
  return Unpaired();
}

absl::Status Guard::StillAdmitted(const Caller& caller, std::string_view method) {
  if (caller.token_id.empty()) return absl::OkStatus();
  const auto verdict = tokens_->CheckAgain(caller.token_id, NowMs());
  // A disk that fails for a moment is no reason to shut everybody out.
  if (!verdict.ok() || verdict->is == TokenFile::Verdict::kGood) return absl::OkStatus();
  return Logged(absl::UnauthenticatedError("this device is not let in any more; pair it again"),
                method, caller.address, Whose(caller));
}

}  // namespace tilewarden::services
