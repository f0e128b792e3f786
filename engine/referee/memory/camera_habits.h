// What this camera misses on this table: learned during the game from looks that agree or not, and
// used in place of fixed rates.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>

namespace tilewarden::engine {

// Where a figure stands, as far as that makes it harder to see.
enum class Backdrop : std::uint8_t { kPlain, kEdge, kRoof };  // kEdge: near bare cloth

// A value; not thread safe.
class CameraHabits {
 public:
  // --- Figures that were set
  // One was seen in the looks after it was set, or only later.
  void Set(const std::string& colour, Backdrop where, bool seen_later);
  // Share of the figures of this colour that are not seen in the looks after they are set: there,
  // or wherever.
  double ShareSeenLater(const std::string& colour, Backdrop where) const;
  double ShareSeenLater(const std::string& colour) const;

  // --- Figures that were seen before
  // A look showed one, after so many looks in a row that did not though it stood there.
  void Saw(const std::string& colour, Backdrop where, int missed);
  // Share of the looks that do not show such a figure though it stands there.
  double MissRate(const std::string& colour, Backdrop where) const;

  // --- Coats of arms
  // The follower who covered one has left: it had been read under him, or not.
  void CoatUncovered(bool was_read);
  // Share of the covered coats of arms that are not read.
  double ShareOfHiddenCoats() const;

 private:
  struct Count {
    double of = 0, missed = 0;
  };
  // By colour: in all, and by place.
  struct OfColour {
    Count all;
    std::array<Count, 3> by_place;
  };
  // The share there, from that of the colour, and that from the share of all cameras.
  static double Share(const OfColour& counts, Backdrop where, double rate, double prior);

  std::map<std::string, OfColour> later_, looks_;
  Count coats_;
};

}  // namespace tilewarden::engine
