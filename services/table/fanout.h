// The last messages of a game, numbered, and those who watch: each reads at its own pace with
// a cursor, so that somebody slow delays nobody and costs nothing. Whoever falls behind what is
// kept is told to take the whole state.
//
//   writer ── Add ──▶ [ 41 | 42 | 43 ]        Wake ──▶ viewers
//                        ▲         ▲
//                      cursor    cursor       Next
//
// Thread safe, but for one writer at a time. Knows nothing of gRPC, so that its tests run under
// ThreadSanitizer.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"

namespace tilewarden::services {

// Somebody who watches a game.
class Viewer {
 public:
  virtual ~Viewer() = default;
  // There may be something new. Called without any lock of the game held.
  virtual void Wake() = 0;
  // Called every second, for heartbeats.
  virtual void Tick(std::int64_t now_ms) = 0;
  // The service stops, or another one leads the game now: say so and leave.
  virtual void Stop(const absl::Status& why) = 0;
};

// Where a viewer is in the stream of messages.
struct Cursor {
  bool needs_state = true;
  std::uint64_t number = 0;  // of the last event it has
};

template <typename Message>
class Fanout {
 public:
  using Kept = std::shared_ptr<const Message>;

  explicit Fanout(std::size_t most) : most_(most) {}

  // Everything anew: the last messages, as many as are kept, up to this number.
  void Reset(std::deque<Kept> recent, std::uint64_t last) {
    const std::lock_guard lock(mutex_);
    recent_ = std::move(recent);
    last_ = last;
  }
  // Those that follow, in order.
  void Add(std::vector<Kept> messages) {
    const std::lock_guard lock(mutex_);
    for (Kept& message : messages) {
      recent_.push_back(std::move(message));
      if (recent_.size() > most_) recent_.pop_front();
      ++last_;
    }
  }
  std::uint64_t last_number() const {
    const std::lock_guard lock(mutex_);
    return last_;
  }

  // What follows this number is kept.
  bool Keeps(std::uint64_t number) const {
    const std::lock_guard lock(mutex_);
    return number >= last_ || last_ - number <= recent_.size();
  }
  // The next message for a cursor, which moves on; null: nothing new. Nothing: it is not kept
  // any more, or the cursor needs the state anyway.
  std::optional<Kept> Next(Cursor* cursor) const {
    if (cursor->needs_state) return std::nullopt;
    const std::lock_guard lock(mutex_);
    if (cursor->number >= last_) return Kept();
    const std::uint64_t behind = last_ - cursor->number;
    if (behind > recent_.size()) return std::nullopt;
    ++cursor->number;
    return recent_[recent_.size() - static_cast<std::size_t>(behind)];
  }

  // Held weakly: who is gone is forgotten.
  void AddViewer(const std::shared_ptr<Viewer>& viewer) {
    const std::lock_guard lock(mutex_);
    std::erase_if(viewers_, [](const auto& old) { return old.expired(); });
    viewers_.push_back(viewer);
  }
  std::vector<std::shared_ptr<Viewer>> viewers() const {
    std::vector<std::shared_ptr<Viewer>> out;
    const std::lock_guard lock(mutex_);
    for (const auto& viewer : viewers_) {
      if (auto alive = viewer.lock()) out.push_back(std::move(alive));
    }
    return out;
  }
  // To be called without any lock that a viewer may want.
  void Wake() const {
    for (const auto& viewer : viewers()) viewer->Wake();
  }

 private:
  const std::size_t most_;
  mutable std::mutex mutex_;
  std::deque<Kept> recent_;
  std::uint64_t last_ = 0;  // number of recent_.back()
  std::vector<std::weak_ptr<Viewer>> viewers_;
};

}  // namespace tilewarden::services
