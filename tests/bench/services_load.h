// Who loads an engine service and takes the time, for tests/bench/services_bench.cc.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <fstream>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "grpcpp/grpcpp.h"
#include "tilewarden/v1/game.grpc.pb.h"

namespace tilewarden::services {

using BenchClock = std::chrono::steady_clock;

inline double MsSince(BenchClock::time_point begun) {
  return std::chrono::duration<double, std::milli>(BenchClock::now() - begun).count();
}

// Times of one kind. Thread safe.
class Times {
 public:
  void Add(double ms) {
    const std::lock_guard lock(mutex_);
    ms_.push_back(ms);
  }
  void Print(const std::string& what) const {
    const std::lock_guard lock(mutex_);
    std::vector<double> sorted = ms_;
    std::sort(sorted.begin(), sorted.end());
    if (sorted.empty()) {
      std::printf("%-58s nothing\n", what.c_str());
      return;
    }
    const auto at = [&](double share) {
      return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
    };
    std::printf("%-58s p50 %7.2f  p99 %7.2f  longest %7.2f ms of %zu\n", what.c_str(), at(0.5),
                at(0.99), sorted.back(), sorted.size());
  }

 private:
  mutable std::mutex mutex_;
  std::vector<double> ms_;
};

// When each event was asked for, and when its viewers had it. Thread safe.
class Receipts {
 public:
  void Asked(std::uint64_t number) {
    const std::lock_guard lock(mutex_);
    asked_[number] = BenchClock::now();
  }
  void Had(std::uint64_t number) {
    const auto now = BenchClock::now();
    std::lock_guard lock(mutex_);
    if (const auto found = asked_.find(number); found != asked_.end()) {
      times.Add(std::chrono::duration<double, std::milli>(now - found->second).count());
      ++had_[number];
    }
    changed_.notify_all();
  }
  // Until so many viewers had it; false: not within 30 s.
  bool WaitFor(std::uint64_t number, int viewers) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(30),
                             [&] { return had_[number] >= viewers; });
  }
  Times times;

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::uint64_t, BenchClock::time_point> asked_;
  std::map<std::uint64_t, int> had_;
};

// A viewer without a thread. One that stalls reads nothing after the state.
class BenchViewer final : public grpc::ClientReadReactor<v1::WatchGameResponse> {
 public:
  BenchViewer(const std::shared_ptr<grpc::Channel>& channel, const std::string& token,
              const std::string& game, Receipts* receipts, bool stalls = false)
      : stub_(v1::GameService::NewStub(channel)), receipts_(receipts), stalls_(stalls) {
    if (!token.empty()) context_.AddMetadata("authorization", "Bearer " + token);
    request_.set_game_id(game);
    stub_->async()->WatchGame(&context_, &request_, this);
    StartRead(&message_);
    StartCall();
  }
  ~BenchViewer() override {
    context_.TryCancel();
    std::unique_lock lock(mutex_);
    // A viewer that stalls holds no read under way, and is done once it is cancelled.
    changed_.wait(lock, [this] { return done_; });
  }
  void WaitForState() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return has_state_ || done_; });
  }

 private:
  void OnReadDone(bool ok) override {
    if (!ok) return;
    if (message_.has_event() && receipts_ != nullptr) receipts_->Had(message_.event().number());
    const bool stop = stalls_ && message_.has_state();
    {
      const std::lock_guard lock(mutex_);
      has_state_ = has_state_ || message_.has_state();
    }
    changed_.notify_all();
    if (!stop) StartRead(&message_);
  }
  void OnDone(const grpc::Status&) override {
    const std::lock_guard lock(mutex_);
    done_ = true;
    changed_.notify_all();
  }

  const std::unique_ptr<v1::GameService::Stub> stub_;
  Receipts* const receipts_;
  const bool stalls_;
  grpc::ClientContext context_;
  v1::WatchGameRequest request_;
  v1::WatchGameResponse message_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool has_state_ = false, done_ = false;
};

// Memory that a process holds, in KiB.
inline double ResidentKiB(pid_t process) {
  std::ifstream in("/proc/" + std::to_string(process) + "/status");
  for (std::string word; in >> word;) {
    double kib = 0;
    if (word == "VmRSS:" && in >> kib) return kib;
  }
  return 0;
}

}  // namespace tilewarden::services
