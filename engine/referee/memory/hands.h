// When hands were over the table, by the numbers of sightings.
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

  // A hand was there since the last still look.
  bool SinceSettled() const { return since_settled_; }
  // The stream shows hands: then nothing changes without one.
  bool EverSeen() const { return last_ != 0; }
  // The last still look that was judged; 0: none yet.
  std::uint64_t LastSettled() const { return last_settled_; }

 private:
  bool since_settled_ = false;
  std::uint64_t last_ = 0, last_settled_ = 0;
};

}  // namespace tilewarden::engine
