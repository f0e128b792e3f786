#include "tests/vision/figures/figure_kinds_scoring.h"

#include <cstdio>

namespace tilewarden::vision {
namespace {

const std::string& kFollower = FactsOf(FigureKind::kFollower).name;

}  // namespace

void KindCounts::Add(const KindCounts& other) {
  for (const auto& [pair, count] : other.read) read[pair] += count;
  for (const auto& [pair, count] : other.unexpected) unexpected[pair] += count;
  for (const auto& [what, counts] : other.clutter) {
    clutter[what].first += counts.first;
    clutter[what].second += counts.second;
  }
}

int KindCounts::Special() const {
  int special = 0;
  for (const auto& [pair, count] : read) special += pair.first == kFollower ? 0 : count;
  return special;
}

int KindCounts::ToldApart() const {
  int right = 0;
  for (const auto& [pair, count] : read) {
    right += pair.first != kFollower && pair.first == pair.second ? count : 0;
  }
  return right;
}

int KindCounts::FollowersAsSpecial() const {
  int wrong = 0;
  for (const auto& [pair, count] : read) {
    const auto& [is, as] = pair;
    wrong += is == kFollower && as != kFollower && !as.empty() ? count : 0;
  }
  return wrong;
}

int KindCounts::ToldUnexpected() const {
  int told = 0;
  for (const auto& [pair, count] : unexpected) told += pair.first == pair.second ? count : 0;
  return told;
}

int KindCounts::WronglyUnexpected() const {
  int wrong = 0;
  for (const auto& [pair, count] : unexpected) wrong += pair.first != pair.second ? count : 0;
  return wrong;
}

int KindCounts::Things() const {
  int things = 0;
  for (const auto& [what, counts] : clutter) things += counts.first;
  return things;
}

int KindCounts::TakenForFigures() const {
  int taken = 0;
  for (const auto& [what, counts] : clutter) taken += counts.second;
  return taken;
}

void KindCounts::Print(const std::string& name) const {
  std::string wrong, by_kind;
  int followers = 0;
  for (const auto& [pair, count] : read) {
    const auto& [is, as] = pair;
    followers += is == kFollower ? count : 0;
    if (is == as || (is == kFollower && as.empty())) continue;
    wrong += " " + is + (as.empty() ? " missed " : " as " + as + " ") + std::to_string(count) + ",";
  }
  for (const auto& [what, counts] : clutter) {
    by_kind +=
        " " + what + " " + std::to_string(counts.second) + "/" + std::to_string(counts.first) + ",";
  }
  if (Special() > 0) {
    std::printf("%-32s special %4d told apart %4d (%.1f %%) | followers %4d as special %d |%s\n",
                name.c_str(), Special(), ToldApart(), 100.0 * ToldApart() / Special(), followers,
                FollowersAsSpecial(), wrong.c_str());
  }
  std::string told;
  for (const auto& [pair, count] : unexpected) {
    told += " " + pair.first + " as " + pair.second + " " + std::to_string(count) + ",";
  }
  if (!told.empty()) std::printf("%-32s unexpected |%s\n", name.c_str(), told.c_str());
  if (!clutter.empty()) {
    std::printf("%-32s clutter %4d taken for figures %d (%.1f %% refused) |%s\n", name.c_str(),
                Things(), TakenForFigures(), 100.0 * (Things() - TakenForFigures()) / Things(),
                by_kind.c_str());
  }
}

}  // namespace tilewarden::vision
