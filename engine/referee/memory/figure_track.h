// How one figure was seen so far, in settled looks.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "engine/referee/sighting.h"

namespace tilewarden::engine {

double ProbabilityOfColour(const SightedFigure& figure, const std::string& colour);
// Never none: looks may take any kind for any other.
double ProbabilityOfKind(const SightedFigure& figure, FigureKind kind);
// What one look says for this colour.
double ColourLikelihood(double probability);

// A value; not thread safe.
class FigureTrack {
 public:
  // --- What looks showed
  // In the game since before the first look at it: that counts as one.
  void Expect(const std::string& colour);
  // One more look, with this number.
  void Saw(const SightedFigure& figure, std::uint64_t sighting);
  // On which segment it showed the figure: shares that add up to 1.
  void AddSegments(const std::vector<double>& shares);
  // A hand may have set it elsewhere.
  void ForgetSegments() { log_segment_.clear(); }
  // The game has other kinds now.
  void ForgetKinds() { log_kinds_.clear(); }
  // One look did not show it.
  void Miss() { ++missed_now_; }
  // Its turn was over when it was first seen: it was missed till then, or set after its turn.
  void CameLate() { came_late_ = true; }
  // The share of the segment that it is on in the game; what the best one was before.
  double SeenInPlace(double share, std::uint64_t sighting);
  // How likely it stands or lies as its segment asks.
  void SeenInPose(double probability, std::uint64_t sighting);

  // --- Questions
  int looks() const { return looks_; }
  std::uint64_t last_seen() const { return last_seen_; }
  // The last looks did not show it.
  bool Missing() const { return missed_now_ > 0; }
  // Looks in a row, up to now, that did not show it.
  int MissedNow() const { return missed_now_; }
  // It may have been set after its turn.
  bool MayHaveComeLate() const { return came_late_; }
  // How often it is missed though it stands there; `usual`: how often its like is.
  double MissRate(double usual) const;
  // The look that last showed it on its segment, or clearly as that asks to stand or lie; 0: none.
  std::uint64_t LastInPlace() const { return last_in_place_; }
  std::uint64_t LastInPose() const { return last_in_pose_; }
  // By segment; empty: no look told.
  const std::vector<double>& log_segments() const { return log_segment_; }
  const std::map<std::string, double>& log_colours() const { return log_colour_; }
  // Log likelihood by which looks speak rather for this kind than for the other: as much as the
  // middle one of them does, since a figure that nobody touches looks much the same in all.
  double LeadOfKind(FigureKind kind, FigureKind over) const;
  // Log likelihood by which this colour leads all others.
  double LeadOf(const std::string& colour) const;

 private:
  int looks_ = 0;       // that showed it
  int misses_ = 0;      // that did not, though later ones showed it again
  int missed_now_ = 0;  // in a row, up to now
  std::uint64_t last_seen_ = 0;
  bool came_late_ = false;
  double clearest_ = 0;  // best share of the segment it is on in the game
  std::vector<double> log_segment_;
  std::map<std::string, double> log_colour_;
  std::deque<std::map<FigureKind, double>> log_kinds_;  // of the last looks
  std::uint64_t last_in_place_ = 0, last_in_pose_ = 0;
};

}  // namespace tilewarden::engine
