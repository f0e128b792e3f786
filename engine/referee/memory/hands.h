// When hands were over the table, and when looks were missed, by the numbers of sightings.
#pragma once

#include <cstdint>

namespace tilewarden::engine {

// A value; not thread safe.
class Hands {
 public:
  // The sighting with this number showed a hand.
  void Saw(std::uint64_t sighting) {
    since_settled_ = true;
    last_ = sighting;
  }
  // The sighting with this number showed the table still, and was judged.
  void Settled(std::uint64_t sighting) {
    since_settled_ = false;
    last_settled_ = sighting;
  }

  // Between this sighting and the one before, something happened that none showed.
  void Missed(std::uint64_t sighting) { last_gap_ = sighting; }

  // A hand was there since the last still look.
  bool SinceSettled() const { return since_settled_; }
  // The stream shows hands: then nothing changes without one.
  bool EverSeen() const { return last_ != 0; }
  // The last still look that was judged; 0: none yet.
  std::uint64_t LastSettled() const { return last_settled_; }
  // Nobody can say what hands did since this sighting: the stream shows none, or looks were
  // missed. 0 is before the first one.
  bool Unwatched(std::uint64_t since) const {
    return !EverSeen() || since == 0 || last_gap_ > since;
  }

 private:
  bool since_settled_ = false;
  std::uint64_t last_ = 0, last_settled_ = 0, last_gap_ = 0;
};

}  // namespace tilewarden::engine
