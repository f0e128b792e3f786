#include "services/access/access_service.h"

#include <algorithm>
#include <vector>

#include "services/access/rules.h"
#include "services/base/clock.h"
#include "services/base/paging.h"
#include "spdlog/spdlog.h"

namespace tilewarden::services {

grpc::Status AccessServiceImpl::Pair(grpc::ServerContext* context, const v1::PairRequest* request,
                                     v1::PairResponse* response) {
  return Guarded(guard_, context, *request, [&](const Caller& caller) -> absl::Status {
    if (guard_->attempts().Blocked(caller.address, NowMs())) {
      guard_->attempts().Failed(caller.address, NowMs());
      spdlog::warn("refused to pair {}: too many wrong tokens or codes", caller.address);
      return absl::ResourceExhaustedError("too many wrong codes from this address; wait a minute");
    }
    const auto paired = guard_->tokens().Exchange(request->code(), request->device(), NowMs());
    if (!paired.ok()) {
      if (absl::IsInvalidArgument(paired.status())) {
        guard_->attempts().Failed(caller.address, NowMs());
      }
      spdlog::warn("refused to pair {}: {}", caller.address,
                   std::string(paired.status().message()));
      return paired.status();
    }
    spdlog::info("paired {} as {}", caller.address, NameOf(paired->grant.role));
    response->set_token(paired->token);
    response->set_role(paired->grant.role);
    response->set_expires_ms(paired->expires_ms);
    return absl::OkStatus();
  });
}

grpc::Status AccessServiceImpl::GetAccess(grpc::ServerContext* context,
                                          const v1::GetAccessRequest* request,
                                          v1::GetAccessResponse* response) {
  return Guarded(guard_, context, *request, [&](const Caller& caller) {
    response->set_role(caller.grant.role);
    return absl::OkStatus();
  });
}

grpc::Status AccessServiceImpl::CreatePairingCode(grpc::ServerContext* context,
                                                  const v1::CreatePairingCodeRequest* request,
                                                  v1::CreatePairingCodeResponse* response) {
  return Guarded(guard_, context, *request, [&](const Caller& caller) -> absl::Status {
    return codes_.Once(
        *request, response, [&](v1::CreatePairingCodeResponse* made) -> absl::Status {
          const Grant grant{
              v1::Role_IsValid(request->role()) ? request->role() : v1::ROLE_UNSPECIFIED,
              request->table()};
          const auto code = guard_->tokens().MakeCode(grant, NowMs());
          if (!code.ok()) return code.status();
          spdlog::info("a pairing code for a {} was made from {}", NameOf(grant.role),
                       caller.address);
          made->set_code(code->text);
          made->set_expires_ms(code->expires_ms);
          return absl::OkStatus();
        });
  });
}

grpc::Status AccessServiceImpl::ListDevices(grpc::ServerContext* context,
                                            const v1::ListDevicesRequest* request,
                                            v1::ListDevicesResponse* response) {
  return Guarded(guard_, context, *request, [&](const Caller& caller) -> absl::Status {
    const auto tokens = guard_->tokens().List(NowMs());
    if (!tokens.ok()) return tokens.status();
    const auto size = PageSizeOf(request->page_size());
    if (!size.ok()) return size.status();
    auto from = tokens->begin();
    if (!request->page_token().empty()) {
      // Those before it stay those before it, whoever is let in meanwhile.
      from = std::find_if(from, tokens->end(),
                          [&](const Token& token) { return token.id == request->page_token(); });
      if (from == tokens->end()) return NoSuchPage();
      ++from;
    }
    const auto left = static_cast<std::size_t>(tokens->end() - from);
    const auto to = from + static_cast<std::ptrdiff_t>(std::min(*size, left));
    if (to != tokens->end()) response->set_next_page_token((to - 1)->id);
    for (const Token& token : std::vector<Token>(from, to)) {
      v1::Device* device = response->add_devices();
      device->set_id(token.id);
      device->set_role(token.grant.role);
      device->set_name(token.device);
      device->set_table(token.grant.table);
      device->set_seen_ms(token.seen_ms);
      device->set_paired_ms(token.made_ms);
      device->set_expires_ms(token.expires_ms);
      device->set_revoked(token.revoked);
      device->set_asking(token.id == caller.token_id);
    }
    return absl::OkStatus();
  });
}

grpc::Status AccessServiceImpl::RevokeDevice(grpc::ServerContext* context,
                                             const v1::RevokeDeviceRequest* request,
                                             v1::RevokeDeviceResponse*) {
  return Guarded(guard_, context, *request, [&](const Caller& caller) -> absl::Status {
    auto status = guard_->tokens().Revoke(request->id());
    if (status.ok()) spdlog::info("{} was shut out from {}", request->id(), caller.address);
    return status;
  });
}

grpc::Status AccessServiceImpl::Leave(grpc::ServerContext* context, const v1::LeaveRequest* request,
                                      v1::LeaveResponse*) {
  return Guarded(guard_, context, *request, [&](const Caller& caller) -> absl::Status {
    if (caller.token_id.empty()) {
      return absl::FailedPreconditionError(
          "this is the engine service's own machine, which needs no token and cannot leave");
    }
    auto status = guard_->tokens().Revoke(caller.token_id);
    if (status.ok()) spdlog::info("{} left from {}", caller.token_id, caller.address);
    return status;
  });
}

grpc::Status AccessServiceImpl::OpenHouse(grpc::ServerContext* context,
                                          const v1::OpenHouseRequest* request,
                                          v1::OpenHouseResponse* response) {
  return Guarded(guard_, context, *request, [&]() -> absl::Status {
    if (!open_house_) {
      return absl::FailedPreconditionError(
          "this service was started with an address of its own; --page-listen says where other "
          "devices reach the page");
    }
    auto opened = open_house_();
    if (!opened.ok()) return opened.status();
    *response = *std::move(opened);
    return absl::OkStatus();
  });
}

}  // namespace tilewarden::services
