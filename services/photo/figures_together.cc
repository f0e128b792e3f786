#include "services/photo/figures_together.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <numeric>
#include <set>

#include "engine/game/game.h"
#include "engine/tiles/figure_segments.h"
#include "services/convert/kinds.h"

namespace tilewarden::services {
namespace {

// A colour that nobody seems to play is worth so many figures of it.
constexpr double kUnplayedColour = 0.2;
constexpr int kColourRounds = 20;
// Followers that have not gone home yet, for each on a feature that is not complete.
constexpr double kNotGoneHome = 0.05;
// Figures that came to share a feature when it grew together with another, for each that has one
// for itself. Fields do often.
constexpr double kSharesRoadOrCity = 0.3, kSharesField = 0.7;

// The likeliest colours, given how often each is played: expectation maximisation over the shares
// of the colours, with a little of each to begin with.
std::vector<std::string> Colours(const std::vector<vision::SightedFigure>& figures) {
  std::map<std::string, double> played;
  for (const vision::SightedFigure& figure : figures) {
    for (const auto& [colour, probability] : figure.colours) played[colour] = 1;
  }
  std::vector<std::string> likeliest(figures.size());
  for (int round = 0; round < kColourRounds; ++round) {
    std::map<std::string, double> next;
    for (const auto& [colour, share] : played) next[colour] = kUnplayedColour;
    for (std::size_t i = 0; i < figures.size(); ++i) {
      double sum = 0, most = -1;
      for (const auto& [colour, probability] : figures[i].colours) {
        const double weight = probability * played[colour];
        sum += weight;
        if (weight <= most) continue;
        most = weight;
        likeliest[i] = colour;
      }
      if (sum <= 0) continue;
      for (const auto& [colour, probability] : figures[i].colours) {
        next[colour] += figures[i].probability * probability * played[colour] / sum;
      }
    }
    played = std::move(next);
  }
  return likeliest;
}

bool GoesHome(engine::SegmentKind kind) { return kind != engine::SegmentKind::kField; }

// Which segment each figure claims, where nothing is known of the turns before.
class Claims {
 public:
  Claims(const std::vector<ReadTile>& tiles, const engine::TileSet& set)
      : set_(set), game_(Found(tiles, set)) {}

  // How likely each segment of the tile is, by the figure alone and by what is complete.
  std::vector<double> Likelihoods(const vision::SightedFigure& figure, const ReadTile& tile) const {
    const engine::TileType& type = TypeOf(tile);
    std::vector<double> likelihoods = engine::SegmentLikelihoods(
        type, engine::FaceOf(type),
        {engine::RotatedPoint({figure.foot.x, figure.foot.y}, -tile.rotation & 3),
         figure.foot_sigma, figure.standing_probability});
    for (std::size_t s = 0; s < likelihoods.size(); ++s) {
      if (!IsAPlayers(figure.kind) || !GoesHome(type.segments[s].kind)) continue;
      if (FeatureOf(tile, static_cast<int>(s)).complete) likelihoods[s] *= kNotGoneHome;
    }
    return likelihoods;
  }

  // The likeliest one, given those before.
  int Claim(std::vector<double> likelihoods, const ReadTile& tile) {
    const engine::TileType& type = TypeOf(tile);
    for (std::size_t s = 0; s < likelihoods.size(); ++s) {
      if (!claimed_.contains(FirstPlaceOf(tile, static_cast<int>(s)))) continue;
      likelihoods[s] *= GoesHome(type.segments[s].kind) ? kSharesRoadOrCity : kSharesField;
    }
    const auto best = std::max_element(likelihoods.begin(), likelihoods.end());
    const int segment = static_cast<int>(best - likelihoods.begin());
    claimed_.insert(FirstPlaceOf(tile, segment));
    return segment;
  }

 private:
  static engine::Game Found(const std::vector<ReadTile>& tiles, const engine::TileSet& set) {
    std::vector<engine::PlacedTile> board;
    for (const ReadTile& tile : tiles) {
      if (tile.type >= 0) board.push_back({tile.type, {tile.cell.x, tile.cell.y}, tile.rotation});
    }
    // The set outlives the game, which lives as long as this.
    const std::shared_ptr<const engine::TileSet> borrowed(std::shared_ptr<void>{}, &set);
    return engine::Game::AsFound(borrowed, {}, {}, board, {});
  }

  const engine::TileType& TypeOf(const ReadTile& tile) const {
    return set_.types()[static_cast<std::size_t>(tile.type)];
  }
  engine::Game::Feature FeatureOf(const ReadTile& tile, int segment) const {
    return game_.FeatureAt({tile.cell.x, tile.cell.y}, segment);
  }
  // One of its feature's.
  engine::Place FirstPlaceOf(const ReadTile& tile, int segment) const {
    return FeatureOf(tile, segment).places.front();
  }

  const engine::TileSet& set_;
  const engine::Game game_;
  std::set<engine::Place> claimed_;
};

}  // namespace

std::vector<FigureClaim> WeighFiguresTogether(const vision::Sighting& sighting,
                                              const std::vector<ReadTile>& tiles,
                                              const engine::TileSet& set) {
  struct OnTile {
    std::size_t figure;
    const ReadTile* tile;
    std::vector<double> likelihoods;
    double sure = 0;  // share of the likeliest
  };
  const std::vector<std::string> colours = Colours(sighting.figures);
  std::vector<FigureClaim> claims(sighting.figures.size());
  std::vector<OnTile> on_tiles;
  Claims together(tiles, set);
  for (std::size_t i = 0; i < claims.size(); ++i) {
    claims[i].colour = colours[i];
    const vision::SightedFigure& figure = sighting.figures[i];
    if (!figure.cell) continue;
    const auto tile = std::find_if(tiles.begin(), tiles.end(), [&](const ReadTile& t) {
      return t.cell == *figure.cell && t.type >= 0;
    });
    if (tile == tiles.end()) continue;
    OnTile& on = on_tiles.emplace_back(OnTile{i, &*tile, together.Likelihoods(figure, *tile)});
    const double sum = std::accumulate(on.likelihoods.begin(), on.likelihoods.end(), 0.0);
    if (sum > 0) on.sure = *std::max_element(on.likelihoods.begin(), on.likelihoods.end()) / sum;
  }
  // Who is sure of his place has it first.
  std::stable_sort(on_tiles.begin(), on_tiles.end(),
                   [](const OnTile& a, const OnTile& b) { return a.sure > b.sure; });
  for (const OnTile& on : on_tiles) {
    claims[on.figure].segment = together.Claim(on.likelihoods, *on.tile);
  }
  return claims;
}

}  // namespace tilewarden::services
