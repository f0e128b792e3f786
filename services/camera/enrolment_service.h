// Answers EnrolmentService: a box learnt from looks of a running camera, corrected by
// touch on the page, and read with from then on. Thread safe; blocks while it looks.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "services/camera/enrolment_session.h"
#include "services/client/asking_guard.h"
#include "tilewarden/v1/enrolment.grpc.pb.h"

namespace tilewarden::services {

class EnrolmentServiceImpl final : public v1::EnrolmentService::Service {
 public:
  // The running camera; all may be called from any thread.
  struct Camera {
    // Its newest picture. FAILED_PRECONDITION: there is none; says what to do.
    std::function<absl::StatusOr<cv::Mat>()> newest;
    std::function<void(std::shared_ptr<const calibration::ReferencePack>)> read_with;
    // The tile set of the pack that it reads with.
    std::function<std::string()> tile_set;
  };
  // `guard` outlives this.
  EnrolmentServiceImpl(const std::filesystem::path& data, AskingGuard* guard, Camera camera)
      : guard_(guard), camera_(std::move(camera)), session_(data) {}

  grpc::Status GetEnrolment(grpc::ServerContext* context, const v1::GetEnrolmentRequest* request,
                            v1::GetEnrolmentResponse* response) override;
  grpc::Status TakeLook(grpc::ServerContext* context, const v1::TakeLookRequest* request,
                        v1::TakeLookResponse* response) override;
  grpc::Status DropLook(grpc::ServerContext* context, const v1::DropLookRequest* request,
                        v1::DropLookResponse* response) override;
  grpc::Status NameTile(grpc::ServerContext* context, const v1::NameTileRequest* request,
                        v1::NameTileResponse* response) override;
  grpc::Status KeepBox(grpc::ServerContext* context, const v1::KeepBoxRequest* request,
                       v1::KeepBoxResponse* response) override;

 private:
  // Takes up what was begun, does this, and tells how it is then.
  template <typename Request, typename Response>
  grpc::Status Do(grpc::ServerContext* context, const Request& request, Response* response,
                  const std::function<absl::Status()>& what);

  AskingGuard* const guard_;
  const Camera camera_;
  std::mutex mutex_;
  EnrolmentSession session_;
  std::string last_request_;
};

}  // namespace tilewarden::services
