#include "services/camera/enrolment_service.h"

#include <utility>

#include "services/base/check_text.h"
#include "services/base/request_key.h"

namespace tilewarden::services {
namespace {

constexpr std::size_t kLongestText = 200;

}  // namespace

template <typename Request, typename Response>
grpc::Status EnrolmentServiceImpl::Do(grpc::ServerContext* context, const Request& request,
                                      Response* response,
                                      const std::function<absl::Status()>& what) {
  return Guarded(guard_, context, request, [&]() -> absl::Status {
    const std::lock_guard lock(mutex_);
    if (absl::Status status = session_.Resume(); !status.ok()) return status;
    if (absl::Status status = what(); !status.ok()) return status;
    *response->mutable_enrolment() = session_.Tell();
    response->mutable_enrolment()->set_reading_tile_set(camera_.tile_set());
    return absl::OkStatus();
  });
}

grpc::Status EnrolmentServiceImpl::GetEnrolment(grpc::ServerContext* context,
                                                const v1::GetEnrolmentRequest* request,
                                                v1::GetEnrolmentResponse* response) {
  return Do(context, *request, response, [] { return absl::OkStatus(); });
}

grpc::Status EnrolmentServiceImpl::TakeLook(grpc::ServerContext* context,
                                            const v1::TakeLookRequest* request,
                                            v1::TakeLookResponse* response) {
  return Do(context, *request, response, [&]() -> absl::Status {
    const std::string& id = request->request_id();
    if (auto status = CheckText("request_id", id, kLongestId); !status.ok()) return status;
    if (!id.empty() && id == last_request_) return absl::OkStatus();
    const auto picture = camera_.newest();
    if (!picture.ok()) return picture.status();
    if (auto status = session_.TakeLook(*picture, request->tile_set()); !status.ok()) {
      return status;
    }
    last_request_ = id;
    return absl::OkStatus();
  });
}

grpc::Status EnrolmentServiceImpl::DropLook(grpc::ServerContext* context,
                                            const v1::DropLookRequest* request,
                                            v1::DropLookResponse* response) {
  return Do(context, *request, response, [&] { return session_.DropLook(request->look()); });
}

grpc::Status EnrolmentServiceImpl::NameTile(grpc::ServerContext* context,
                                            const v1::NameTileRequest* request,
                                            v1::NameTileResponse* response) {
  return Do(context, *request, response, [&] {
    std::optional<int> turns;
    // Out of range either way: refused by the session.
    if (request->has_turns()) turns = request->turns() > 3 ? 4 : static_cast<int>(request->turns());
    const int number = request->number() > 100'000 ? 0 : static_cast<int>(request->number());
    return session_.NameTile(number, request->tile(), turns);
  });
}

grpc::Status EnrolmentServiceImpl::KeepBox(grpc::ServerContext* context,
                                           const v1::KeepBoxRequest* request,
                                           v1::KeepBoxResponse* response) {
  return Do(context, *request, response, [&]() -> absl::Status {
    for (const auto& [what, text] :
         {std::pair("title", &request->title()), std::pair("licence", &request->licence())}) {
      if (auto status = CheckText(what, *text, kLongestText); !status.ok()) return status;
    }
    auto pack = session_.Keep(request->title(), request->licence());
    if (!pack.ok()) return pack.status();
    camera_.read_with(*std::move(pack));
    return absl::OkStatus();
  });
}

}  // namespace tilewarden::services
