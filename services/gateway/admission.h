// Who may stay connected where everybody can connect. Nobody is turned away for being the newest:
// where there is no more room, whoever has waited longest without having been let in goes. So an
// attacker's silent connections close for those of honest pages, and each address closes its own.
//
// All on one thread; never blocks. Times are a steady clock's.
#pragma once

#include <chrono>
#include <cstddef>
#include <list>
#include <map>
#include <optional>
#include <string>

namespace tilewarden::services {

// A connection.
class Guest {
 public:
  virtual ~Guest() = default;
  // Is to go at once.
  virtual void Close() = 0;
  // Was let in, by a token or because it is this machine: it is not sent away for others.
  virtual bool let_in() const = 0;
};

class Admission {
 public:
  using Time = std::chrono::steady_clock::time_point;
  struct Limits {
    std::size_t connections = 1024;
    // Of one address (Household).
    std::size_t of_one = 512;
    // New ones of one address: so many at once, then so many a second, because a handshake costs a
    // millisecond. Those beyond wait for their turn; those that would wait too long are turned
    // away.
    double at_once = 400, a_second = 100;
    std::chrono::milliseconds longest_wait{3000};
    // Of all request bodies that are held, and of one address's.
    std::size_t body_bytes = 64 << 20, body_bytes_of_one = 16 << 20;
    // A connection that asks nothing; and from the first byte of a request on, until its head and
    // then its body are there.
    std::chrono::milliseconds idle{120'000}, head{10'000}, body{20'000};
  };
  explicit Admission(const Limits& limits) : limits_(limits) {}

  // A new connection of a household: how long it is to wait before anything is done for it.
  // Nothing: it is to be closed, nobody can go for it.
  std::optional<std::chrono::milliseconds> Arrive(Guest* guest, const std::string& household,
                                                  Time now);
  void Leave(Guest* guest);
  std::size_t connections() const { return guests_.size(); }

  // Room for a request's body. False: there is none now.
  bool TakeRoom(const std::string& household, std::size_t bytes);
  void GiveRoom(const std::string& household, std::size_t bytes);

  // Everybody, to close.
  template <typename Each>
  void ForAll(Each each) {
    for (auto& entry : guests_) each(entry.guest);
  }

 private:
  struct Entry {
    Guest* guest;
    std::string household;
  };
  struct House {
    std::size_t connections = 0, body_bytes = 0;
    double spent = 0;  // of at_once, as of then
    Time time{};
  };
  // Closes the oldest of a household that was not let in.
  bool SendAwayOne(const std::string& household);
  // Drops what is known of households that left long ago.
  void Forget(Time now);
  std::chrono::milliseconds TurnOf(House* house, Time now) const;

  const Limits limits_;
  std::list<Entry> guests_;  // oldest first
  std::map<std::string, House> houses_;
  std::size_t body_bytes_ = 0;
};

// Room for one body, given back when this goes.
class BodyRoom {
 public:
  BodyRoom(Admission* admission, const std::string& household, std::size_t bytes)
      : admission_(admission->TakeRoom(household, bytes) ? admission : nullptr),
        household_(household),
        bytes_(bytes) {}
  BodyRoom(const BodyRoom&) = delete;
  BodyRoom& operator=(const BodyRoom&) = delete;
  ~BodyRoom() {
    if (admission_ != nullptr) admission_->GiveRoom(household_, bytes_);
  }
  bool granted() const { return admission_ != nullptr; }

 private:
  Admission* const admission_;
  const std::string household_;
  const std::size_t bytes_;
};

}  // namespace tilewarden::services
