// What this camera misses on this table: learned during the game from looks that agree or not, and
// used in place of fixed rates.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine/referee/sighting.h"

namespace tilewarden::engine {

// Where a figure stands, as far as that makes it harder to see. kEdge: near bare cloth; kOwnCloth:
// near bare cloth of its colour.
enum class Backdrop : std::uint8_t { kPlain, kEdge, kRoof, kOwnCloth };

// A value; not thread safe.
class CameraHabits {
 public:
  // --- The cloth
  // What a look showed of it. The first look is taken whole, later ones move it slowly: a shadow or
  // a lamp may colour one of them. Empty: it showed nothing of it.
  void SawCloth(const std::vector<ClothColour>& cloth);
  // Figures of this colour are hard to tell from it.
  bool IsOfTheCloth(const std::string& colour) const;

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
    std::array<Count, 4> by_place;
  };
  // The share there, from that of the colour, and that from the share of all cameras; on cloth of
  // its colour from `on_own`.
  static double Share(const OfColour& counts, Backdrop where, double rate, double on_own,
                      double prior);

  std::map<std::string, double> cloth_;  // share, by colour
  std::map<std::string, OfColour> later_, looks_;
  Count coats_;
};

}  // namespace tilewarden::engine
