// The fan-out of a game's messages to those who watch; runs under ThreadSanitizer.

#include "services/table/fanout.h"

#include <atomic>
#include <condition_variable>
#include <thread>

#include "gtest/gtest.h"

namespace tilewarden::services {
namespace {

using Numbers = Fanout<std::uint64_t>;

std::vector<Numbers::Kept> Some(std::uint64_t first, std::uint64_t last) {
  std::vector<Numbers::Kept> out;
  for (std::uint64_t n = first; n <= last; ++n) {
    out.push_back(std::make_shared<const std::uint64_t>(n));
  }
  return out;
}

TEST(Fanout, EachCursorReadsEveryMessageInOrder) {
  Numbers fanout(100);
  fanout.Add(Some(1, 3));
  Cursor early{false, 0}, late{false, 2};
  for (std::uint64_t n = 1; n <= 3; ++n) EXPECT_EQ(*fanout.Next(&early).value(), n);
  EXPECT_EQ(fanout.Next(&early).value(), nullptr);
  fanout.Add(Some(4, 4));
  EXPECT_EQ(*fanout.Next(&late).value(), 3u);
  EXPECT_EQ(*fanout.Next(&late).value(), 4u);
  EXPECT_EQ(*fanout.Next(&early).value(), 4u);
  EXPECT_EQ(fanout.last_number(), 4u);
}

TEST(Fanout, WhoFallsBehindWhatIsKeptTakesTheState) {
  Numbers fanout(3);
  fanout.Add(Some(1, 5));
  Cursor behind{false, 1}, just{false, 2}, anew;
  EXPECT_EQ(fanout.Next(&behind), std::nullopt);
  EXPECT_EQ(*fanout.Next(&just).value(), 3u);
  EXPECT_EQ(fanout.Next(&anew), std::nullopt);
  // A cursor ahead waits.
  Cursor ahead{false, 9};
  EXPECT_EQ(fanout.Next(&ahead).value(), nullptr);
}

TEST(Fanout, AfterAResetNumbersGoOn) {
  Numbers fanout(3);
  fanout.Add(Some(1, 2));
  const auto recent = Some(8, 10);
  fanout.Reset({recent.begin(), recent.end()}, 10);
  fanout.Add(Some(11, 11));
  Cursor cursor{false, 8};
  for (std::uint64_t n = 9; n <= 11; ++n) EXPECT_EQ(*fanout.Next(&cursor).value(), n);
  Cursor old{false, 2};
  EXPECT_EQ(fanout.Next(&old), std::nullopt);
}

// Reads on a thread of its own, woken by the fan-out.
class Reader : public Viewer {
 public:
  Reader(Numbers* fanout, std::uint64_t until) : fanout_(fanout), until_(until) {}
  void Start() {
    thread_ = std::thread([this] { Run(); });
  }
  ~Reader() override { thread_.join(); }

  void Wake() override {
    const std::lock_guard lock(mutex_);
    woken_ = true;
    news_.notify_one();
  }
  void Tick(std::int64_t) override {}
  void Stop(const absl::Status&) override {}

  // Messages that were not the next one.
  int wrong() const { return wrong_; }
  // How often it took the state, being behind.
  int states() const { return states_; }
  bool done() const { return done_; }

 private:
  void Run() {
    Cursor cursor;
    while (cursor.number < until_) {
      const std::uint64_t had = cursor.number;
      const auto message = fanout_->Next(&cursor);
      if (!message) {
        ++states_;
        cursor = {false, fanout_->last_number()};
      } else if (*message != nullptr) {
        if (**message != had + 1) ++wrong_;
      } else {
        std::unique_lock lock(mutex_);
        news_.wait(lock, [this] { return woken_; });
        woken_ = false;
      }
    }
    done_ = true;
  }

  Numbers* const fanout_;
  const std::uint64_t until_;
  std::mutex mutex_;
  std::condition_variable news_;
  bool woken_ = false;
  std::atomic<int> wrong_ = 0, states_ = 0;
  std::atomic<bool> done_ = false;
  std::thread thread_;
};

TEST(Fanout, ReadersThatComeAndGoMissNothingWhileEventsComeIn) {
  constexpr std::uint64_t kEvents = 20000, kMost = 64;
  Numbers fanout(kMost);
  std::vector<std::shared_ptr<Reader>> stay;
  const auto join = [&] {
    auto reader = std::make_shared<Reader>(&fanout, kEvents);
    fanout.AddViewer(reader);
    reader->Start();
    return reader;
  };
  for (int i = 0; i < 4; ++i) stay.push_back(join());
  std::thread coming([&] {
    // Of no interest for longer than a moment.
    for (int i = 0; i < 200; ++i) {
      class Guest : public Viewer {
        void Wake() override {}
        void Tick(std::int64_t) override {}
        void Stop(const absl::Status&) override {}
      };
      const auto guest = std::make_shared<Guest>();
      fanout.AddViewer(guest);
      std::this_thread::yield();
    }
  });
  for (std::uint64_t n = 1; n <= kEvents; ++n) {
    fanout.Add(Some(n, n));
    fanout.Wake();
  }
  coming.join();
  for (const auto& reader : stay) {
    while (!reader->done()) std::this_thread::yield();
    EXPECT_EQ(reader->wrong(), 0);
    // The first one, and each time that it was more than what is kept behind.
    EXPECT_GE(reader->states(), 1);
  }
  EXPECT_EQ(fanout.viewers().size(), 4u);
}

}  // namespace
}  // namespace tilewarden::services
