#include "engine/referee/memory/camera_habits.h"

#include <cstddef>
#include <utility>

#include "engine/referee/model.h"

namespace tilewarden::engine {
namespace {

template <typename T>
T FindOr(const std::map<std::string, T>& counts, const std::string& colour) {
  const auto found = counts.find(colour);
  return found == counts.end() ? T() : found->second;
}

}  // namespace

void CameraHabits::SawCloth(const std::vector<ClothColour>& cloth) {
  if (cloth.empty()) return;
  std::map<std::string, double> now;
  for (const auto& [colour, share] : cloth) {
    const auto known = cloth_.find(colour);
    now[colour] =
        known == cloth_.end() ? share : known->second + kClothMoves * (share - known->second);
  }
  cloth_ = std::move(now);
}

bool CameraHabits::IsOfTheCloth(const std::string& colour) const {
  return FindOr(cloth_, colour) >= kOwnClothShare;
}

double CameraHabits::Share(const OfColour& counts, Backdrop where, double rate, double on_own,
                           double prior) {
  const double of_colour = where == Backdrop::kOwnCloth
                               ? on_own
                               : (rate * prior + counts.all.missed) / (prior + counts.all.of);
  const Count& there = counts.by_place[static_cast<std::size_t>(where)];
  return (of_colour * kPlacePrior * prior + there.missed) / (kPlacePrior * prior + there.of);
}

void CameraHabits::Set(const std::string& colour, Backdrop where, bool seen_later) {
  OfColour& counts = later_[colour];
  for (Count* count : {&counts.all, &counts.by_place[static_cast<std::size_t>(where)]}) {
    count->of += 1;
    count->missed += seen_later ? 1 : 0;
  }
}

double CameraHabits::ShareSeenLater(const std::string& colour, Backdrop where) const {
  return Share(FindOr(later_, colour), where, kSeenLaterRate, kSeenLaterOnOwnCloth,
               kSeenLaterPrior);
}

double CameraHabits::ShareSeenLater(const std::string& colour) const {
  const OfColour counts = FindOr(later_, colour);
  return (kSeenLaterRate * kSeenLaterPrior + counts.all.missed) / (kSeenLaterPrior + counts.all.of);
}

void CameraHabits::Saw(const std::string& colour, Backdrop where, int missed) {
  OfColour& counts = looks_[colour];
  for (Count* count : {&counts.all, &counts.by_place[static_cast<std::size_t>(where)]}) {
    count->of += 1 + missed;
    count->missed += missed;
  }
}

double CameraHabits::MissRate(const std::string& colour, Backdrop where) const {
  return Share(FindOr(looks_, colour), where, kMissRate, kMissRateOnOwnCloth, kMissPrior);
}

void CameraHabits::CoatUncovered(bool was_read) {
  coats_.of += 1;
  coats_.missed += was_read ? 0 : 1;
}

double CameraHabits::ShareOfHiddenCoats() const {
  return (kHiddenCoatRate * kHiddenCoatPrior + coats_.missed) / (kHiddenCoatPrior + coats_.of);
}

}  // namespace tilewarden::engine
