#include "services/engine_service/watch.h"

#include <utility>

#include "services/base/status.h"

namespace tilewarden::services {
namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

std::shared_ptr<WatchStream> WatchStream::Start(std::shared_ptr<Table> table, Next next,
                                                Table::Cursor cursor,
                                                StillAdmitted still_admitted) {
  std::shared_ptr<WatchStream> stream(
      new WatchStream(std::move(table), next, cursor, std::move(still_admitted)));
  stream->self_ = stream;
  stream->last_sent_ = Clock::now();
  stream->table_->AddViewer(stream);
  stream->Wake();
  // Those who leave are told once; this one may have come just after that.
  if (auto left = stream->table_->left(); !left.ok()) stream->Stop(left);
  return stream;
}

void WatchStream::WriteLocked(const WatchMessage& message) {
  writing_ = true;
  bytes_ = message.ToSend();
  last_sent_ = Clock::now();
}

void WatchStream::Wake() {
  {
    const std::lock_guard lock(mutex_);
    if (end_ || writing_) return;
    const Table::Message message = ((*table_).*next_)(&cursor_);
    if (message == nullptr) return;
    WriteLocked(*message);
  }
  StartWrite(&bytes_);
}

void WatchStream::Tick(std::int64_t now_ms) {
  if (const absl::Status status = still_admitted_(); !status.ok()) return End(ToGrpc(status));
  // After a failure of the log, it may hold more than viewers were sent.
  Wake();
  // The same bytes in every kind of stream.
  static_assert(int{v1::WatchGameResponse::kHeartbeatFieldNumber} ==
                int{v1::WatchSummaryResponse::kHeartbeatFieldNumber});
  v1::WatchGameResponse heartbeat;
  heartbeat.mutable_heartbeat()->set_time_ms(now_ms);
  {
    const std::lock_guard lock(mutex_);
    if (end_ || writing_ || Clock::now() - last_sent_ < kHeartbeat) return;
    WriteLocked(WatchMessage(heartbeat));
  }
  StartWrite(&bytes_);
}

void WatchStream::Stop(const absl::Status& why) { End(ToGrpc(why)); }

void WatchStream::OnWriteDone(bool ok) {
  bool finish = false;
  {
    const std::lock_guard lock(mutex_);
    writing_ = false;
    bytes_.Clear();
    if (!ok && !end_) end_ = grpc::Status::CANCELLED;
    finish = end_.has_value();
  }
  if (finish) {
    Finish(*end_);
  } else {
    Wake();
  }
}

void WatchStream::OnCancel() { End(grpc::Status::CANCELLED); }

void WatchStream::End(const grpc::Status& status) {
  {
    const std::lock_guard lock(mutex_);
    if (end_) return;
    end_ = status;
    if (writing_) return;  // OnWriteDone finishes
  }
  Finish(status);
}

void WatchStream::OnDone() {
  // Whoever still holds this finds it ended.
  const auto self = std::move(self_);
}

}  // namespace tilewarden::services
