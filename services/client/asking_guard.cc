#include "services/client/asking_guard.h"

#include <chrono>
#include <string>

#include "absl/strings/str_cat.h"
#include "services/access/addresses.h"
#include "services/base/status.h"
#include "tilewarden/v1/access.grpc.pb.h"

namespace tilewarden::services {

absl::StatusOr<Caller> AskingGuard::Admit(const Arrival& call, std::string_view method) {
  const auto calls_for = MetadataOf(call, kCallsFor);
  if (!calls_for) return CallerHere();
  const auto token = MetadataOf(call, kAuthorization);
  v1::GetAccessResponse access;
  Engines engines = engines_;
  const absl::Status asked = FromGrpc(engines.Call([&](const auto& channel, auto* context) {
    context->set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(10));
    context->AddMetadata(kCallsFor, *calls_for);
    if (token) context->AddMetadata(kAuthorization, *token);
    return v1::AccessService::NewStub(channel)->GetAccess(context, {}, &access);
  }));
  if (absl::IsUnavailable(asked) || absl::IsDeadlineExceeded(asked)) {
    return absl::UnavailableError(
        absl::StrCat("the engine service, which knows who may do this, "
                     "cannot be reached (",
                     asked.message(), "); start it again"));
  }
  if (!asked.ok()) return asked;
  Caller caller;
  caller.grant.role = access.role();
  caller.address = Household(*calls_for);
  if (auto status = CheckRole(caller, method); !status.ok()) return status;
  return caller;
}

}  // namespace tilewarden::services
