// Who loads an engine service and takes the time, for the services_bench. All clients are one
// process with one thread and look at no more of a message than its number, so that what is
// measured on two cores is the service.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "google/protobuf/io/coded_stream.h"
#include "grpcpp/generic/generic_stub.h"
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
  std::size_t count() const {
    const std::lock_guard lock(mutex_);
    return ms_.size();
  }
  double Longest() const {
    const std::lock_guard lock(mutex_);
    return ms_.empty() ? 0 : *std::max_element(ms_.begin(), ms_.end());
  }
  void Print(const std::string& what) const {
    const std::lock_guard lock(mutex_);
    std::vector<double> sorted = ms_;
    std::sort(sorted.begin(), sorted.end());
    if (sorted.empty()) {
      std::printf("%-66s nothing\n", what.c_str());
      return;
    }
    const auto at = [&](double share) {
      return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
    };
    std::printf("%-66s p50 %7.2f  p99 %7.2f  longest %7.2f ms of %zu\n", what.c_str(), at(0.5),
                at(0.99), sorted.back(), sorted.size());
    std::fflush(stdout);
  }

 private:
  mutable std::mutex mutex_;
  std::vector<double> ms_;
};

// When each event of a game was asked for, and when its viewers had it. Thread safe.
class Receipts {
 public:
  explicit Receipts(Times* times) : times_(times) {}
  void Asked(std::uint64_t number) {
    const std::lock_guard lock(mutex_);
    asked_[number] = BenchClock::now();
  }
  void Had(std::uint64_t number, BenchClock::time_point when) {
    const std::lock_guard lock(mutex_);
    const auto found = asked_.find(number);
    if (found == asked_.end()) return;
    times_->Add(std::chrono::duration<double, std::milli>(when - found->second).count());
    if (++had_[number] >= awaited_) changed_.notify_all();
  }
  // Until so many viewers had it; false: not within 30 s.
  bool WaitFor(std::uint64_t number, int viewers) {
    std::unique_lock lock(mutex_);
    awaited_ = viewers;
    return changed_.wait_for(lock, std::chrono::seconds(30),
                             [&] { return had_[number] >= viewers; });
  }

 private:
  Times* const times_;
  std::mutex mutex_;
  std::condition_variable changed_;
  int awaited_ = 1;
  std::map<std::uint64_t, BenchClock::time_point> asked_;
  std::map<std::uint64_t, int> had_;
};

// Calls under way, their answers taken by whoever asks. For one thread.
class BenchQueue {
 public:
  // Told whether the step that it waited for went well.
  class Waiter {
   public:
    virtual ~Waiter() = default;
    virtual void Happened(bool well) = 0;
  };
  ~BenchQueue() {
    queue_.Shutdown();
    void* tag = nullptr;
    bool well = false;
    while (queue_.Next(&tag, &well)) {
    }
  }
  grpc::CompletionQueue* operator->() { return &queue_; }
  grpc::CompletionQueue* get() { return &queue_; }
  // Hands out what happens until then.
  void RunUntil(BenchClock::time_point end) {
    while (true) {
      const auto left = end - BenchClock::now();
      void* tag = nullptr;
      bool well = false;
      const auto limit = std::chrono::system_clock::now() +
                         std::chrono::duration_cast<std::chrono::system_clock::duration>(left);
      if (queue_.AsyncNext(&tag, &well, limit) != grpc::CompletionQueue::GOT_EVENT) return;
      static_cast<Waiter*>(tag)->Happened(well);
    }
  }

 private:
  grpc::CompletionQueue queue_;
};

// Viewers of one game, all on one thread. Those that stall read nothing after the state.
class BenchViewers {
 public:
  using Channels = std::vector<std::shared_ptr<grpc::Channel>>;
  // One after another on these connections; returns when each has its state.
  BenchViewers(const Channels& channels, const std::string& token, const std::string& game,
               int count, Receipts* receipts, bool stall = false)
      : receipts_(receipts), stall_(stall) {
    v1::WatchGameRequest request;
    request.set_game_id(game);
    const grpc::Slice bytes(request.SerializeAsString());
    for (int v = 0; v < count; ++v) {
      viewers_.push_back(std::make_unique<Viewer>(
          this, channels[static_cast<std::size_t>(v) % channels.size()], token, bytes));
    }
    thread_ = std::thread([this] {
      while (!stop_) queue_.RunUntil(BenchClock::now() + std::chrono::milliseconds(100));
    });
    const auto begun = BenchClock::now();
    while (with_state_ < count) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      if (MsSince(begun) < 60'000) continue;
      std::fprintf(stderr, "services_bench: a viewer got no state\n");
      std::_Exit(1);
    }
  }
  ~BenchViewers() {
    stop_ = true;
    thread_.join();
    for (const auto& viewer : viewers_) viewer->context.TryCancel();
  }

 private:
  struct Viewer : BenchQueue::Waiter {
    Viewer(BenchViewers* all, const std::shared_ptr<grpc::Channel>& channel,
           const std::string& token, const grpc::Slice& request)
        : all_(all), stub_(channel), request_(&request, 1) {
      if (!token.empty()) context.AddMetadata("authorization", "Bearer " + token);
      stream_ =
          stub_.PrepareCall(&context, "/tilewarden.v1.GameService/WatchGame", all->queue_.get());
      stream_->StartCall(this);
    }
    void Happened(bool well) override {
      if (ended_) {
        std::fprintf(stderr, "services_bench: a viewer was refused: %s\n",
                     status_.error_message().c_str());
        std::_Exit(1);
      }
      if (!well && !all_->stop_) {
        ended_ = true;
        stream_->Finish(&status_, this);
      }
      if (!well) return;
      if (step_ == 0) {
        stream_->WriteLast(request_, {}, this);
      } else {
        if (step_ > 1) Take();
        if (step_ > 1 && all_->stall_) return;
        stream_->Read(&message_, this);
      }
      ++step_;
    }
    // WatchGameResponse is an event in field 2, of which field 1 is the number, or a state.
    void Take() {
      const auto now = BenchClock::now();
      std::vector<grpc::Slice> slices;
      if (!message_.Dump(&slices).ok()) return;
      // The first bytes, which may have come in pieces.
      std::string start;
      for (std::size_t s = 0; s < slices.size() && start.size() < 32; ++s) {
        start.append(reinterpret_cast<const char*>(slices[s].begin()),
                     std::min<std::size_t>(slices[s].size(), 32));
      }
      google::protobuf::io::CodedInputStream in(reinterpret_cast<const std::uint8_t*>(start.data()),
                                                static_cast<int>(start.size()));
      const std::uint32_t field = in.ReadTag() >> 3;
      std::uint32_t length = 0;
      std::uint64_t number = 0;
      if (field == v1::WatchGameResponse::kStateFieldNumber) ++all_->with_state_;
      if (field == v1::WatchGameResponse::kEventFieldNumber && in.ReadVarint32(&length) &&
          in.ReadTag() >> 3 == v1::GameEvent::kNumberFieldNumber && in.ReadVarint64(&number) &&
          all_->receipts_ != nullptr) {
        all_->receipts_->Had(number, now);
      }
    }

    BenchViewers* const all_;
    grpc::GenericStub stub_;
    const grpc::ByteBuffer request_;
    grpc::ClientContext context;
    std::unique_ptr<grpc::GenericClientAsyncReaderWriter> stream_;
    grpc::ByteBuffer message_;
    int step_ = 0;
    bool ended_ = false;
    grpc::Status status_;
  };

  Receipts* const receipts_;
  const bool stall_;
  std::atomic<int> with_state_ = 0;
  std::atomic<bool> stop_ = false;
  std::vector<std::unique_ptr<Viewer>> viewers_;
  // Ends before those who wait there.
  BenchQueue queue_;
  std::thread thread_;
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

// Processor time that a process has used, in milliseconds; to 10.
inline double ProcessorMs(pid_t process) {
  std::ifstream in("/proc/" + std::to_string(process) + "/stat");
  std::string all;
  std::getline(in, all);
  std::istringstream fields(all.substr(all.rfind(')') + 2));
  std::string word;
  for (int i = 0; i < 11; ++i) fields >> word;
  double user = 0, system = 0;
  fields >> user >> system;
  return (user + system) * 1000 / static_cast<double>(sysconf(_SC_CLK_TCK));
}

}  // namespace tilewarden::services
