// Reports a camera's sightings to the engine service, whatever happens to it:
// reconnects with back-off, follows the game to the engine service that leads it, and
// sends again what was not answered.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "grpcpp/grpcpp.h"
#include "services/client/engines.h"
#include "tilewarden/v1/vision.grpc.pb.h"
#include "vision/sighting.h"

namespace tilewarden::services {

// Not thread safe. Methods block while the engine service is away, until
// `stop` is requested (CANCELLED).
class Reporter {
 public:
  struct Options {
    // Empty: the newest game that has not ended, or a new one; and after it each game that
    // people begin at this camera's table. Else this one alone.
    std::string game_id;
    // A new game in any case.
    bool new_game = false;
    // None is started: people do that.
    bool only_join = false;
    // For a new game.
    std::string tile_set;
    std::string name;
    std::string preset;                        // empty: the box's own
    std::map<std::string, std::string> rules;  // that differ from it
  };
  Reporter(Engines engines, Options options, std::stop_token stop);
  ~Reporter();

  // Finds or creates the game. NOT_FOUND (also: there is none yet, and none is to be started),
  // INVALID_ARGUMENT as the RPCs.
  absl::Status Begin();
  // Finds a game anew at the next Begin, unless it is to be this one alone.
  void Leave() {
    if (follows_) options_.game_id.clear();
  }
  const std::string& game_id() const { return options_.game_id; }
  // That it is played with, once it is found; people may have changed that since, which the engine
  // service tells every 64 sightings.
  const std::string& game_tile_set() const { return game_tile_set_; }
  // Likewise.
  const std::vector<vision::FigureKind>& special_figures() const { return special_figures_; }

  // Hands over one sighting. Blocks while the engine is busy with earlier ones. Afterwards
  // game_id() is another one if people have begun it: what is reported next goes there.
  // Errors that waiting does not cure: NOT_FOUND, FAILED_PRECONDITION,
  // INVALID_ARGUMENT.
  absl::Status Report(v1::Sighting sighting);
  // What the camera reads with from now on; told with the next stream.
  void SetTileSet(std::string tile_set) { options_.tile_set = std::move(tile_set); }
  // Waits until everything reported has been judged.
  absl::Status Finish();

  // Empty while all is well; else one sentence for people.
  std::string problem() const;

 private:
  // Opens a stream and sends what has not been answered.
  bool Open();
  // Closes the stream and takes its answer.
  absl::Status Close();
  // After a call that failed: turns to another engine service if there is one.
  void Turn(const absl::Status& status, const grpc::ClientContext& context);
  // Waits before another try; false: stop was requested.
  bool BackOff(const absl::Status& why);
  absl::Status Deliver(bool and_close);
  void SetProblem(std::string problem);

  Engines engines_;
  std::unique_ptr<v1::SightingService::Stub> sightings_;
  Options options_;
  const std::stop_token stop_;
  const std::string session_;
  const bool follows_;  // its table, from game to game
  std::vector<vision::FigureKind> special_figures_;
  std::string game_tile_set_;

  std::deque<v1::Sighting> unanswered_;
  std::unique_ptr<grpc::ClientContext> context_;
  v1::ReportSightingsResponse response_;
  std::unique_ptr<grpc::ClientWriter<v1::ReportSightingsRequest>> stream_;
  std::size_t sent_ = 0;  // of unanswered_, in this stream
  int tries_ = 0;
  mutable std::mutex problem_mutex_;
  std::string problem_;
};

// A random word for request ids and sessions.
std::string RandomId();

}  // namespace tilewarden::services
