#include "services/boxes/enrolment_proposal.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <string_view>

#include "services/boxes/assignment.h"

namespace tilewarden::services {
namespace {

using ByTurn = std::array<double, 4>;

// What is left to each type and turn, however clear a tile looks.
constexpr double kLeast = 1e-4;
// Of the type's name and of what lies on the tile, the name says far more; the
// rest is for art that the network never saw.
constexpr double kByStructure = 0.02;
// What one more copy than the box has costs, as a logarithm: in one picture it is
// almost a wrong name, in several it may be the same tile again.
constexpr double kTooManyInOneLook = 5, kTooManyInMore = 2.5;

// How well the structure seen fits a type in a turn.
double Fit(const vision::TileStructure& seen, const engine::TileType& type, int turn) {
  constexpr double kDoubt = 0.01;
  const auto doubted = [](double p) { return kDoubt + (1 - 2 * kDoubt) * p; };
  double fit = 1;
  for (int side = 0; side < 4; ++side) {
    constexpr std::string_view kKinds = "crfs";  // as TileStructure::edges
    const char edge = type.edges[static_cast<std::size_t>((side - turn) & 3)];
    fit *= doubted(seen.edges[static_cast<std::size_t>(side)][kKinds.find(edge)]);
  }
  bool monastery = false, coat_of_arms = false, garden = false, one_city = false;
  for (const engine::Segment& segment : type.segments) {
    monastery |= segment.kind == engine::SegmentKind::kMonastery;
    garden |= segment.kind == engine::SegmentKind::kGarden;
    coat_of_arms |= segment.coats_of_arms > 0;
    one_city |= segment.kind == engine::SegmentKind::kCity && (segment.sides & (segment.sides - 1));
  }
  const auto flag = [&](double p, bool is) { fit *= doubted(is ? p : 1 - p); };
  flag(seen.monastery, monastery);
  flag(seen.coat_of_arms, coat_of_arms);
  flag(seen.garden, garden);
  flag(seen.one_city, one_city);
  return fit;
}

// Index of the type that a reading means in this set: a garden copy that the set
// does not have is the plain type. -1: none.
int TypeOf(const std::string& code, const engine::TileSet& tiles) {
  const int type = tiles.Find(code);
  if (type >= 0 || code.empty() || code.back() != 'g') return type;
  return tiles.Find(code.substr(0, code.size() - 1));
}

// Probability of each type of the set and each of its turns.
std::vector<ByTurn> Likelihoods(const vision::TileScores& scores, const engine::TileSet& tiles) {
  const std::size_t types = tiles.types().size();
  std::vector<ByTurn> named(types, ByTurn{}), built(types, ByTurn{});
  for (const vision::TileReading& reading : scores.readings) {
    const int type = TypeOf(reading.tile, tiles);
    if (type < 0) continue;
    named[static_cast<std::size_t>(type)][static_cast<std::size_t>(reading.rotation)] +=
        reading.probability / std::max(1 - scores.nothing, 1e-3);
  }
  double sum = 0;
  for (std::size_t t = 0; t < types; ++t) {
    const engine::TileType& type = tiles.types()[t];
    // Turns that show the same edges share what there is.
    const auto same = [&](int a, int b) {
      for (int side = 0; side < 4; ++side) {
        if (type.edges[static_cast<std::size_t>((side - a) & 3)] !=
            type.edges[static_cast<std::size_t>((side - b) & 3)]) {
          return false;
        }
      }
      return true;
    };
    for (int turn = 0; turn < 4; ++turn) {
      bool first = true;
      for (int before = 0; before < turn; ++before) first = first && !same(before, turn);
      if (!first) continue;
      built[t][static_cast<std::size_t>(turn)] = Fit(scores.structure, type, turn);
      sum += built[t][static_cast<std::size_t>(turn)];
    }
  }
  for (std::size_t t = 0; t < types; ++t) {
    for (std::size_t turn = 0; turn < 4; ++turn) {
      built[t][turn] =
          kLeast + (1 - kByStructure) * named[t][turn] + kByStructure * built[t][turn] / sum;
    }
  }
  return built;
}

double OfType(const ByTurn& turns) { return std::accumulate(turns.begin(), turns.end(), 0.0); }

// The assignment of the tiles of all looks to the copies of the box.
class Shares {
 public:
  Shares(const std::vector<std::vector<ByTurn>>& likelihoods, const engine::TileSet& tiles,
         double too_many)
      : tiles_(tiles), too_many_(too_many) {
    for (const std::vector<ByTurn>& tile : likelihoods) {
      logs_.emplace_back();
      for (const ByTurn& turns : tile) logs_.back().push_back(std::log(OfType(turns)));
    }
    Solve();
  }

  struct Share {
    int type = -1;
    bool too_many = false;
  };
  const Share& Of(std::size_t tile) const { return shares_[tile]; }

  // By how much, as a logarithm, the best names of all tiles are better than the
  // best in which this one has another: where it takes a free copy, or changes
  // with one other tile.
  double Lead(std::size_t tile) const {
    const auto own = static_cast<std::size_t>(shares_[tile].type);
    const double now = logs_[tile][own] - (shares_[tile].too_many ? too_many_ : 0);
    double lead = 1e9;
    for (std::size_t type = 0; type < logs_[tile].size(); ++type) {
      if (type == own) continue;
      const double then = logs_[tile][type] - (free_[type] > 0 ? 0 : too_many_);
      lead = std::min(lead, now - then);
    }
    if (shares_[tile].too_many) return lead;
    for (std::size_t other = 0; other < logs_.size(); ++other) {
      const auto theirs = static_cast<std::size_t>(shares_[other].type);
      if (shares_[other].too_many || theirs == own) continue;
      lead = std::min(
          lead, logs_[tile][own] + logs_[other][theirs] - logs_[tile][theirs] - logs_[other][own]);
    }
    return lead;
  }

 private:
  void Solve() {
    std::vector<int> type_of;  // by column: each copy of the box
    for (std::size_t t = 0; t < tiles_.types().size(); ++t) {
      type_of.insert(type_of.end(), static_cast<std::size_t>(tiles_.counts()[t]),
                     static_cast<int>(t));
    }
    const std::size_t copies = type_of.size();
    std::vector<std::vector<double>> cost;
    std::vector<int> likeliest;
    for (const std::vector<double>& logs : logs_) {
      const auto best = std::max_element(logs.begin(), logs.end());
      likeliest.push_back(static_cast<int>(best - logs.begin()));
      cost.emplace_back(copies + logs_.size(), too_many_ - *best);
      for (std::size_t c = 0; c < copies; ++c) {
        cost.back()[c] = -logs[static_cast<std::size_t>(type_of[c])];
      }
    }
    free_ = tiles_.counts();
    const std::vector<int> column_of = Assign(cost);
    for (std::size_t i = 0; i < column_of.size(); ++i) {
      const auto column = static_cast<std::size_t>(column_of[i]);
      shares_.push_back(column < copies ? Share{type_of[column], false}
                                        : Share{likeliest[i], true});
      if (column < copies) --free_[static_cast<std::size_t>(type_of[column])];
    }
  }

  const engine::TileSet& tiles_;
  const double too_many_;
  std::vector<std::vector<double>> logs_;  // by tile and type
  std::vector<Share> shares_;
  std::vector<int> free_;  // copies of each type that no tile has
};

TileProposal Describe(const std::vector<ByTurn>& likelihoods, const Shares& shares,
                      std::size_t index, double nothing) {
  TileProposal proposal;
  proposal.type = shares.Of(index).type;
  proposal.too_many = shares.Of(index).too_many;
  const ByTurn& turns = likelihoods[static_cast<std::size_t>(proposal.type)];
  const auto turn = std::max_element(turns.begin(), turns.end());
  proposal.turns = static_cast<int>(turn - turns.begin());
  proposal.probability =
      (1 - nothing) * *turn / OfType(turns) / (1 + std::exp(-shares.Lead(index)));
  double sum = 0;
  for (const ByTurn& type : likelihoods) sum += OfType(type);
  for (std::size_t t = 0; t < likelihoods.size(); ++t) {
    const double p = OfType(likelihoods[t]) / sum;
    constexpr double kWorthTelling = 0.02;
    if (static_cast<int>(t) != proposal.type && p > kWorthTelling) {
      proposal.others.push_back({static_cast<int>(t), p});
    }
  }
  std::sort(proposal.others.begin(), proposal.others.end(),
            [](const auto& a, const auto& b) { return a.probability > b.probability; });
  constexpr std::size_t kMostTold = 3;
  if (proposal.others.size() > kMostTold) proposal.others.resize(kMostTold);
  return proposal;
}

}  // namespace

std::vector<std::vector<TileProposal>> ProposeTypes(
    const std::vector<std::vector<vision::LooseTile>>& looks, const engine::TileSet& tiles) {
  std::vector<std::vector<ByTurn>> likelihoods;
  for (const std::vector<vision::LooseTile>& look : looks) {
    for (const vision::LooseTile& tile : look) {
      likelihoods.push_back(Likelihoods(tile.scores, tiles));
    }
  }
  const Shares shares(likelihoods, tiles, looks.size() > 1 ? kTooManyInMore : kTooManyInOneLook);
  std::vector<std::vector<TileProposal>> proposals;
  std::size_t index = 0;
  for (const std::vector<vision::LooseTile>& look : looks) {
    proposals.emplace_back();
    for (const vision::LooseTile& tile : look) {
      proposals.back().push_back(Describe(likelihoods[index], shares, index, tile.scores.nothing));
      ++index;
    }
  }
  return proposals;
}

int LikeliestTurn(const vision::TileScores& scores, int type, const engine::TileSet& tiles) {
  const ByTurn turns = Likelihoods(scores, tiles)[static_cast<std::size_t>(type)];
  return static_cast<int>(std::max_element(turns.begin(), turns.end()) - turns.begin());
}

double ShareOfSet(const std::vector<std::vector<vision::LooseTile>>& looks,
                  const engine::TileSet& tiles, const std::vector<std::string>& known) {
  const bool knows_some = std::any_of(
      known.begin(), known.end(), [&](const std::string& code) { return tiles.Find(code) >= 0; });
  double of_set = 0, all = 0;
  for (const std::vector<vision::LooseTile>& look : looks) {
    for (const vision::LooseTile& tile : look) {
      for (const vision::TileReading& reading : tile.scores.readings) {
        all += reading.probability;
        if (TypeOf(reading.tile, tiles) >= 0) of_set += reading.probability;
      }
    }
  }
  return knows_some && all > 0 ? of_set / all : 1;
}

}  // namespace tilewarden::services
