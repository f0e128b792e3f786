// Answers AccessService: pairing, what a caller may do, and who is in. Thread safe; blocks
// on the disk.
#pragma once

#include <functional>
#include <utility>

#include "absl/status/statusor.h"
#include "services/access/guard.h"
#include "services/base/repeated.h"
#include "tilewarden/v1/access.grpc.pb.h"

namespace tilewarden::services {

class AccessServiceImpl final : public v1::AccessService::Service {
 public:
  // Opens the page to the house, and tells how others get there; null: there is none to open.
  using OpenHouseTo = std::function<absl::StatusOr<v1::OpenHouseResponse>()>;
  explicit AccessServiceImpl(Guard* guard, OpenHouseTo open_house = {})
      : guard_(guard), open_house_(std::move(open_house)) {}

  grpc::Status Pair(grpc::ServerContext* context, const v1::PairRequest* request,
                    v1::PairResponse* response) override;
  grpc::Status GetAccess(grpc::ServerContext* context, const v1::GetAccessRequest* request,
                         v1::GetAccessResponse* response) override;
  grpc::Status CreatePairingCode(grpc::ServerContext* context,
                                 const v1::CreatePairingCodeRequest* request,
                                 v1::CreatePairingCodeResponse* response) override;
  grpc::Status ListDevices(grpc::ServerContext* context, const v1::ListDevicesRequest* request,
                           v1::ListDevicesResponse* response) override;
  grpc::Status RevokeDevice(grpc::ServerContext* context, const v1::RevokeDeviceRequest* request,
                            v1::RevokeDeviceResponse* response) override;
  grpc::Status Leave(grpc::ServerContext* context, const v1::LeaveRequest* request,
                     v1::LeaveResponse* response) override;
  grpc::Status OpenHouse(grpc::ServerContext* context, const v1::OpenHouseRequest* request,
                         v1::OpenHouseResponse* response) override;

 private:
  Guard* const guard_;
  const OpenHouseTo open_house_;
  Repeated<v1::CreatePairingCodeResponse> codes_{TokenFile::kMostCodes};
};

}  // namespace tilewarden::services
