#include "services/gateway/admission.h"

#include <algorithm>

namespace tilewarden::services {
namespace {

// Beyond so many households, those that left are forgotten.
constexpr std::size_t kManyHouses = 4096;

}  // namespace

std::chrono::milliseconds Admission::TurnOf(House* house, Time now) const {
  const double seconds = std::chrono::duration<double>(now - house->time).count();
  house->spent = std::max(house->spent - seconds * limits_.a_second, 0.0);
  house->time = now;
  const double over = std::max(house->spent + 1 - limits_.at_once, 0.0);
  return std::chrono::milliseconds(static_cast<std::int64_t>(1000 * over / limits_.a_second));
}

std::optional<std::chrono::milliseconds> Admission::Arrive(Guest* guest,
                                                           const std::string& household, Time now) {
  if (houses_.size() >= kManyHouses) Forget(now);
  House& house = houses_[household];
  const auto wait = TurnOf(&house, now);
  if (wait > limits_.longest_wait) return std::nullopt;
  if (house.connections >= limits_.of_one && !SendAwayOne(household)) return std::nullopt;
  if (guests_.size() >= limits_.connections) {
    // Of whoever holds most.
    const auto most = std::max_element(houses_.begin(), houses_.end(), [](auto& a, auto& b) {
      return a.second.connections < b.second.connections;
    });
    if (!SendAwayOne(most->first)) return std::nullopt;
  }
  guests_.push_back({guest, household});
  ++house.connections;
  ++house.spent;
  return wait;
}

bool Admission::SendAwayOne(const std::string& household) {
  const auto oldest = std::find_if(guests_.begin(), guests_.end(), [&](const Entry& entry) {
    return entry.household == household && !entry.guest->let_in();
  });
  if (oldest == guests_.end()) return false;
  Guest* guest = oldest->guest;
  Leave(guest);
  guest->Close();
  return true;
}

void Admission::Leave(Guest* guest) {
  const auto found = std::find_if(guests_.begin(), guests_.end(),
                                  [&](const Entry& entry) { return entry.guest == guest; });
  if (found == guests_.end()) return;
  --houses_[found->household].connections;
  guests_.erase(found);
}

bool Admission::TakeRoom(const std::string& household, std::size_t bytes) {
  House& house = houses_[household];
  if (body_bytes_ + bytes > limits_.body_bytes ||
      house.body_bytes + bytes > limits_.body_bytes_of_one) {
    return false;
  }
  body_bytes_ += bytes;
  house.body_bytes += bytes;
  return true;
}

void Admission::GiveRoom(const std::string& household, std::size_t bytes) {
  body_bytes_ -= bytes;
  houses_[household].body_bytes -= bytes;
}

void Admission::Forget(Time now) {
  std::erase_if(houses_, [&](const auto& entry) {
    const House& house = entry.second;
    return house.connections == 0 && house.body_bytes == 0 &&
           now - house.time > std::chrono::seconds(10);
  });
}

}  // namespace tilewarden::services
