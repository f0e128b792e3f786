#include "engine/referee/memory/figure_track.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "engine/referee/model.h"

namespace tilewarden::engine {

double ProbabilityOfColour(const SightedFigure& figure, const std::string& colour) {
  for (const ColourProbability& c : figure.colours) {
    if (c.colour == colour) return c.probability;
  }
  return 0;
}

double ProbabilityOfKind(const SightedFigure& figure, FigureKind kind) {
  if (figure.kinds.empty()) return figure.kind == kind ? 1 - kWrongKind : kWrongKind;
  for (const KindProbability& k : figure.kinds) {
    if (k.kind == kind) return std::max(k.probability, kKindFloor);
  }
  return kKindFloor;
}

double ColourLikelihood(double probability) { return std::pow(probability, kColourTrust); }

void FigureTrack::Expect(const std::string& colour) {
  if (looks_ > 0) return;
  looks_ = 1;
  log_colour_[colour] = 0;
}

void FigureTrack::Saw(const SightedFigure& figure, std::uint64_t sighting) {
  ++looks_;
  misses_ += missed_now_;
  missed_now_ = 0;
  last_seen_ = sighting;
  const double weight = looks_ == 1 ? 1 : kRepeatedLook;
  std::map<FigureKind, double>& kinds = log_kinds_.emplace_back();
  for (const FigureKindEntry& entry : AllFigureKinds()) {
    kinds[entry.kind] = std::log(ProbabilityOfKind(figure, entry.kind));
  }
  if (log_kinds_.size() > kKeptLooks) log_kinds_.pop_front();
  // Colours that are new in the list were not seen in any earlier look.
  const double never =
      looks_ == 1 ? 0 : std::log(kColourFloor) * (1 + kRepeatedLook * (looks_ - 2));
  for (const ColourProbability& c : figure.colours) log_colour_.try_emplace(c.colour, never);
  for (auto& [name, log_likelihood] : log_colour_) {
    const double likelihood = ColourLikelihood(ProbabilityOfColour(figure, name));
    log_likelihood = std::max(log_likelihood + weight * std::log(likelihood + kColourFloor),
                              kLeastLogLikelihood);
  }
}

void FigureTrack::AddSegments(const std::vector<double>& shares) {
  // A figure's first look has full weight, even where the track itself is older.
  const double weight = log_segment_.empty() ? 1 : kRepeatedLook;
  log_segment_.resize(shares.size(), 0);
  for (std::size_t s = 0; s < shares.size(); ++s) {
    double& log_likelihood = log_segment_[s];
    log_likelihood = std::max(log_likelihood + weight * std::log(shares[s] + kSegmentFloor),
                              kLeastLogLikelihood);
  }
}

double FigureTrack::SeenInPlace(double share, std::uint64_t sighting) {
  if (share >= kSamePlace) last_in_place_ = sighting;
  const double before = clearest_;
  clearest_ = std::max(clearest_, share);
  return before;
}

void FigureTrack::SeenInPose(double probability, std::uint64_t sighting) {
  if (probability >= kClearPose) last_in_pose_ = sighting;
}

double FigureTrack::MissRate(double usual) const {
  return (usual * kMissPriorLooks + misses_) / (kMissPriorLooks + looks_ + misses_);
}

double FigureTrack::LeadOf(const std::string& colour) const {
  double mine = std::log(kColourFloor), others = kLeastLogLikelihood;
  for (const auto& [other, log_likelihood] : log_colour_) {
    double& which = other == colour ? mine : others;
    which = std::max(which, log_likelihood);
  }
  return mine - others;
}

double FigureTrack::LeadOfKind(FigureKind kind, FigureKind over) const {
  std::vector<double> leads;
  for (const auto& logs : log_kinds_) leads.push_back(logs.at(kind) - logs.at(over));
  if (leads.empty()) return 0;
  std::sort(leads.begin(), leads.end());
  return (leads[leads.size() / 2] + leads[(leads.size() - 1) / 2]) / 2;
}

}  // namespace tilewarden::engine
