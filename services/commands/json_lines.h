// A game as JSON lines on stdout, each with the frame that it came from: for programs that read
// along, as the evaluations do.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "grpcpp/grpcpp.h"
#include "tilewarden/v1/game.grpc.pb.h"
#include "vision/frames/frame_source.h"

namespace tilewarden::services {

// {"frame":{...},KEY:JSON}. `settled`: the table lay still in it.
void PrintJsonLine(const vision::Frame& frame, bool settled, const char* key,
                   const std::string& json);

// Tells the games of an engine service, frame by frame. Not thread safe; methods block for as
// long as its answers take. Errors as its RPCs.
class JsonLines {
 public:
  // `states`: the whole state, too, with each frame in which the table lay still.
  JsonLines(std::shared_ptr<grpc::Channel> engine, bool states);

  // Tells this game from now on.
  absl::Status Begin(const std::string& game_id);
  // What has happened in it until now, which was judged from this frame.
  absl::Status Tell(const vision::Frame& frame, bool settled);
  // Does its final scoring, and tells that with the frame told last.
  absl::Status End();

 private:
  absl::StatusOr<v1::GameState> State();

  const std::unique_ptr<v1::GameService::Stub> games_;
  const bool states_;
  std::string game_id_;
  std::uint64_t told_ = 0;  // number of the last event
  vision::Frame last_;      // without its picture
};

}  // namespace tilewarden::services
