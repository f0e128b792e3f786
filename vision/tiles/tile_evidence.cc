#include "vision/tiles/tile_evidence.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace tilewarden::vision {
namespace {

// Logarithms of how likely each candidate is by its match, up to a constant. The
// cost by which the right name leads grows with what hides the tile.
std::vector<double> MatchingSays(const std::vector<TileMatcher::Match>& matches) {
  double best = matches.front().naming_cost;
  for (const TileMatcher::Match& match : matches) {
    best = std::min<double>(best, match.naming_cost);
  }
  // Above that the light is wrong too, and leads say less.
  const double scale = 0.005 + 0.012 * best + 0.08 * std::max(best - 0.25, 0.0);
  std::vector<double> says;
  for (const TileMatcher::Match& match : matches) {
    says.push_back((best - match.naming_cost) / scale);
  }
  return says;
}

// The network is told less by a tile that something stands on, and does not say
// so: a figure may pass for a coat of arms, and a road under it for none.
double NetworkShare(const TileMatcher::Match& best) {
  // Shares of the tile that are hidden: up to the first it is free, from the second on a figure
  // stands there; and what the network's word counts then. More reads figures as coats of arms.
  constexpr double kFree = 0.04, kCovered = 0.1, kUnderFigures = 0.4;
  const double covered = std::clamp((best.hidden - kFree) / (kCovered - kFree), 0.0, 1.0);
  return 1 - (1 - kUnderFigures) * covered;
}

std::vector<double> NetworkSays(const std::vector<TileMatcher::Match>& matches) {
  const TileMatcher::Match& best =
      *std::min_element(matches.begin(), matches.end(),
                        [](const auto& a, const auto& b) { return a.naming_cost < b.naming_cost; });
  const double share = NetworkShare(best);
  std::vector<double> says;
  for (const TileMatcher::Match& match : matches) says.push_back(share * match.network);
  return says;
}

// Copies of a type differ: however far a picture leads, so much is left to each
// other name. The network's own logarithms leave that much already.
constexpr double kOtherCopies = 0.005;

// exp of the logarithms times `power`, summing to 1.
std::vector<double> Normalised(const std::vector<double>& logs, double power) {
  const double top = *std::max_element(logs.begin(), logs.end());
  std::vector<double> p;
  double sum = 0;
  for (const double x : logs) {
    p.push_back(std::exp(power * (x - top)));
    sum += p.back();
  }
  for (double& x : p) x /= sum;
  return p;
}

}  // namespace

double PictureProbability(const TileMatcher::Match& best) {
  // A logistic fit to 505 cells of the two rendered sequences and stills, half of
  // them bare table: how much better than a plain colour, how well the details
  // fit, and how closely the free part fits.
  const double gain = best.plain_cost - best.cost;
  const double z = 5.5 + 21 * gain - 4 * best.detail_cost - 3 * best.typical_cost;
  return 1 / (1 + std::exp(-z));
}

double TileProbability(const TileMatcher::Match& best, const Surroundings& around) {
  // A logistic fit to 3068 looks at such cells: instead of the closeness, whether
  // it stands out from the table and not from the tiles. Plain or overexposed
  // tiles are known by it.
  constexpr double kClear = 0.4;  // more contrast says no more
  // The stripes of a cloth have an outline, too, but are like no tile, with or without a figure on
  // it. In eight rendered games their naming costs were 0.54 and more, those of tiles whose picture
  // says as little on the rendered sequences 0.44 and less.
  constexpr double kLooksLikeATile = 0.1;
  constexpr float kLikeNone = 0.5F;
  const double picture = PictureProbability(best);
  if (picture < kLooksLikeATile && best.naming_cost > kLikeNone) return picture;
  const double gain = best.plain_cost - best.cost;
  const double outline = around.free > 0 ? 19.2 * std::min(around.to_table, kClear) : 3.3;
  const double z = 3.7 + 16.4 * gain - 3.9 * best.detail_cost + outline - 11.5 * around.to_tiles;
  return 1 / (1 + std::exp(-z));
}

double WithNetwork(double tile_probability, double nothing) {
  // Of 660 empty places beside boards that were matched, the network took none
  // for a tile with less than 0.2 for nothing, and all but one of 12 tiles among
  // them with less than 0.02.
  const double p = std::clamp(tile_probability, 1e-4, 1 - 1e-4);
  const double n = std::clamp(nothing, 0.01, 0.99);
  const double odds = p / (1 - p) * (1 - n) / n;
  return odds / (1 + odds);
}

Trust FitTrust(const std::vector<const std::vector<TileMatcher::Match>*>& tiles) {
  // Powers that are tried, about a third apart.
  constexpr std::array<double, 11> kTried = {0.1, 0.15, 0.25, 0.4, 0.6, 0.8, 1, 1.3, 1.7, 2.2, 3};
  constexpr std::size_t kMostForNetwork = 7;  // up to 1: its probabilities are meant as such
  std::array<std::array<double, kMostForNetwork>, kTried.size()> agreement{};
  for (const std::vector<TileMatcher::Match>* matches : tiles) {
    if (matches->size() < 2) continue;
    const std::vector<double> matching = MatchingSays(*matches), network = NetworkSays(*matches);
    std::array<std::vector<double>, kMostForNetwork> by_network;
    for (std::size_t b = 0; b < kMostForNetwork; ++b) {
      by_network[b] = Normalised(network, kTried[b]);
    }
    for (std::size_t a = 0; a < kTried.size(); ++a) {
      std::vector<double> by_matching = Normalised(matching, kTried[a]);
      for (double& p : by_matching) p += kOtherCopies;
      for (std::size_t b = 0; b < kMostForNetwork; ++b) {
        double same = 1e-6;
        for (std::size_t i = 0; i < by_matching.size(); ++i) {
          same += by_matching[i] * by_network[b][i];
        }
        agreement[a][b] += std::log(same);
      }
    }
  }
  Trust trust;
  double best = -std::numeric_limits<double>::infinity();
  for (std::size_t a = 0; a < kTried.size(); ++a) {
    for (std::size_t b = 0; b < kMostForNetwork; ++b) {
      const double off = std::pow(std::log(kTried[a]), 2) + std::pow(std::log(kTried[b]), 2);
      const double worth = agreement[a][b] - 0.5 * off;
      if (worth > best) {
        best = worth;
        trust = {kTried[a], kTried[b]};
      }
    }
  }
  return trust;
}

std::vector<TileCandidate> NamesOf(const TileMatcher& matcher,
                                   const std::vector<TileMatcher::Match>& matches,
                                   const Trust& trust, double tile_probability) {
  const std::vector<double> matching = MatchingSays(matches), network = NetworkSays(matches);
  std::vector<double> p = Normalised(matching, trust.matching);
  const std::vector<double> by_network = Normalised(network, trust.network);
  double sum = 0;
  for (std::size_t i = 0; i < matches.size(); ++i) {
    p[i] = (p[i] + kOtherCopies) * by_network[i];
    sum += p[i];
  }
  std::vector<TileCandidate> names;
  for (std::size_t i = 0; i < matches.size(); ++i) {
    const TileMatcher::Reference& reference = matcher.ReferenceOf(matches[i]);
    names.push_back({reference.tile, reference.rotation, p[i] / sum * tile_probability});
  }
  return names;
}

}  // namespace tilewarden::vision
