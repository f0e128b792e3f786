// Calls of any method as anybody, over a port that other machines reach.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "grpcpp/generic/generic_stub.h"
#include "services/access/guard.h"
#include "tests/services/support/network_fixture.h"

namespace tilewarden::services {

class AccessTest : public NetworkTest {
 protected:
  // Calls a method with an empty message; whoever is answered hangs up.
  grpc::Status Call(const std::shared_ptr<grpc::Channel>& channel, const std::string& method,
                    const std::string& token, const std::string& calls_for = "") {
    std::string path = "/" + method;
    path[path.rfind('.')] = '/';
    grpc::GenericStub stub(channel);
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(20));
    if (!token.empty()) context.AddMetadata("authorization", "Bearer " + token);
    if (!calls_for.empty()) context.AddMetadata(kCallsFor, calls_for);
    grpc::CompletionQueue queue;
    const auto stream = stub.PrepareCall(&context, path, &queue);
    const auto step = [&queue] {
      void* tag = nullptr;
      bool ok = false;
      return queue.Next(&tag, &ok) && ok;
    };
    stream->StartCall(nullptr);
    step();
    const grpc::Slice empty("");
    stream->WriteLast(grpc::ByteBuffer(&empty, 1), {}, nullptr);
    step();
    grpc::ByteBuffer answer;
    stream->Read(&answer, nullptr);
    // A watch that is let in never ends by itself.
    const bool answered = step();
    if (answered) context.TryCancel();
    grpc::Status status;
    stream->Finish(&status, nullptr);
    step();
    queue.Shutdown();
    while (step()) {
    }
    return status;
  }
};

inline bool LetIn(const grpc::Status& status) {
  return status.error_code() != grpc::StatusCode::UNAUTHENTICATED &&
         status.error_code() != grpc::StatusCode::PERMISSION_DENIED &&
         status.error_code() != grpc::StatusCode::RESOURCE_EXHAUSTED;
}

}  // namespace tilewarden::services
