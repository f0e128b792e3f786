// The stream of one viewer: the state, then events in order, or the newest summaries alone;
// heartbeats in between. Holds a cursor into the table's messages and at most one message
// being written, so a slow viewer costs nothing and is given the state anew
// when what it misses is no longer kept.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>

#include "grpcpp/support/server_callback.h"
#include "services/table/table.h"

namespace tilewarden::services {

// How long a stream may be silent.
inline constexpr std::chrono::seconds kHeartbeat{5};

class WatchStream : public grpc::ServerWriteReactor<grpc::ByteBuffer>, public Viewer {
 public:
  // Whether the viewer may go on watching; asked every second.
  using StillAdmitted = std::function<absl::Status()>;
  // What the viewer is told: Table::Next or Table::NextSummary.
  using Next = Table::Message (Table::*)(Table::Cursor*);
  // Starts the stream of a viewer at this cursor; it lives until the viewer
  // leaves, is not let in any more, or Stop.
  static std::shared_ptr<WatchStream> Start(std::shared_ptr<Table> table, Next next,
                                            Table::Cursor cursor, StillAdmitted still_admitted);

  void Wake() override;
  // Sends what is new, or a heartbeat when nothing was sent for kHeartbeat; shows
  // out whoever is not let in any more.
  void Tick(std::int64_t now_ms) override;
  // Ends the stream with this status.
  void Stop(const absl::Status& why) override;

 private:
  WatchStream(std::shared_ptr<Table> table, Next next, Table::Cursor cursor,
              StillAdmitted still_admitted)
      : table_(std::move(table)),
        next_(next),
        still_admitted_(std::move(still_admitted)),
        cursor_(cursor) {}
  // With mutex_ held: no other write is under way, and one with these bytes begins next.
  void WriteLocked(const WatchMessage& message);
  void OnWriteDone(bool ok) override;
  void OnCancel() override;
  void OnDone() override;
  void End(const grpc::Status& status);

  const std::shared_ptr<Table> table_;
  const Next next_;
  const StillAdmitted still_admitted_;
  std::shared_ptr<WatchStream> self_;  // until OnDone

  std::mutex mutex_;
  Table::Cursor cursor_;
  // From before StartWrite until OnWriteDone. Finish waits for it, so that no
  // write can begin after the end.
  bool writing_ = false;
  grpc::ByteBuffer bytes_;
  std::optional<grpc::Status> end_;
  // By a clock that nobody sets back.
  std::chrono::steady_clock::time_point last_sent_;
};

}  // namespace tilewarden::services
