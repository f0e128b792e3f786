#include "services/boxes/edition.h"

#include <algorithm>
#include <set>
#include <vector>

#include "absl/strings/str_cat.h"
#include "engine/game/box_rules.h"
#include "services/boxes/printable_set.h"
#include "vision/reader/read_table.h"
#include "vision/tiles/tile_network.h"

namespace tilewarden::services {
namespace {

// One garden or river among many tiles may be a misreading, two are not: on eight
// photographs of boards without them there was one in all.
constexpr int kNoMistake = 2;
constexpr double kSure = 0.8;

bool IsGarden(const std::string& code) { return code.ends_with('g'); }

}  // namespace

std::string EditionOf(const vision::Sighting& sighting) {
  int gardens = 0, rivers = 0, third = 0;
  for (const vision::SightedTile& tile : sighting.tiles) {
    if (tile.candidates.empty() || tile.candidates.front().probability < kSure) continue;
    const std::string& code = tile.candidates.front().tile;
    gardens += IsGarden(code) ? 1 : 0;
    rivers += code.starts_with("R") ? 1 : 0;
    third += code.starts_with("R1c3.") ? 1 : 0;
  }
  const bool later = gardens >= kNoMistake || third > 0;
  std::string id = later ? "base.c2" : "base.c1";
  if (rivers >= kNoMistake) id += third > 0 ? "+river1.c3" : later ? "+river1.c2" : "+river1.c1";
  return id;
}

std::vector<vision::FigureKind> SpecialFiguresOf(const std::map<std::string, std::string>& rules) {
  const auto set = [&](const char* name, const char* off) {
    const auto option = rules.find(name);
    return option != rules.end() && option->second != off;
  };
  std::vector<vision::FigureKind> kinds;
  if (set("abbot", "false")) kinds.push_back(vision::FigureKind::kAbbot);
  if (set("ark", "none")) {
    kinds.insert(kinds.end(), {vision::FigureKind::kProphet, vision::FigureKind::kArk});
  }
  if (set("gingerbread", "false")) kinds.push_back(vision::FigureKind::kGingerbreadMan);
  if (set("large_followers", "0")) kinds.push_back(vision::FigureKind::kLargeFollower);
  return kinds;
}

vision::Sighting InWordsOf(const engine::TileSet& tiles, vision::Sighting sighting) {
  for (vision::SightedTile& tile : sighting.tiles) {
    std::vector<vision::TileCandidate> known;
    for (vision::TileCandidate& candidate : tile.candidates) {
      if (tiles.Find(candidate.tile) < 0 && IsGarden(candidate.tile)) candidate.tile.pop_back();
      if (tiles.Find(candidate.tile) < 0 && candidate.tile != vision::kOtherTile) continue;
      const auto same = std::find_if(known.begin(), known.end(), [&](const auto& other) {
        return other.tile == candidate.tile && other.rotation == candidate.rotation;
      });
      if (same == known.end()) {
        known.push_back(std::move(candidate));
      } else {
        same->probability += candidate.probability;
      }
    }
    std::stable_sort(known.begin(), known.end(),
                     [](const auto& a, const auto& b) { return a.probability > b.probability; });
    tile.candidates = std::move(known);
  }
  return sighting;
}

absl::StatusOr<calibration::ReferencePack> PublishedPack(const engine::TileSet& tiles) {
  const auto network = vision::TileNetwork::Load();
  if (!network.ok()) return network.status();
  const std::vector<std::string> known = network->Tiles();
  std::string unknown;
  for (const engine::TileType& type : tiles.types()) {
    if (std::find(known.begin(), known.end(), type.id) != known.end()) continue;
    absl::StrAppend(&unknown, unknown.empty() ? "" : ", ", type.id);
  }
  if (!unknown.empty()) {
    return absl::FailedPreconditionError(
        absl::StrCat(tiles.id(), " has tiles that are not known without pictures (", unknown,
                     "); enrol the box (tilewarden enrol) and read it with --pack"));
  }
  calibration::ReferencePack pack;
  pack.tile_set = tiles.id();
  pack.title = tiles.name();
  return pack;
}

std::vector<std::string> TypesToRead(const calibration::ReferencePack& pack,
                                     const engine::TileSet& tiles) {
  std::vector<std::string> types;
  if (!pack.pictures.empty() || !pack.descriptors.empty()) return types;
  for (const engine::TileType& type : tiles.types()) types.push_back(type.id);
  return types;
}

std::vector<std::string> RiverTypesBeside(const engine::TileSet& tiles,
                                          const std::vector<std::string>& known) {
  std::set<std::string> types;
  for (const std::string& id : engine::SetsWithRiver(tiles)) {
    const auto set = engine::TileSet::Load(id);
    if (!set.ok()) continue;
    for (const engine::TileType& type : (*set)->types()) {
      const bool other = type.HasRiver() && tiles.Find(type.id) < 0;
      if (other && std::find(known.begin(), known.end(), type.id) != known.end()) {
        types.insert(type.id);
      }
    }
  }
  return {types.begin(), types.end()};
}

bool IsPrintableSet(const cv::Mat& picture, const vision::Sighting& sighting,
                    const engine::TileSet& tiles) {
  // Painting takes time: a few types tell, the clearest.
  constexpr std::size_t kFew = 10;
  std::vector<const vision::SightedTile*> clearest;
  for (const vision::SightedTile& tile : sighting.tiles) {
    if (!tile.candidates.empty()) clearest.push_back(&tile);
  }
  std::stable_sort(clearest.begin(), clearest.end(), [](const auto* a, const auto* b) {
    return a->candidates.front().probability > b->candidates.front().probability;
  });
  vision::Sighting few;
  calibration::ReferencePack pack;
  for (const vision::SightedTile* tile : clearest) {
    const std::string& code = tile->candidates.front().tile;
    const int type = tiles.Find(code);
    const bool painted = std::any_of(pack.pictures.begin(), pack.pictures.end(),
                                     [&](const auto& one) { return one.tile == code; });
    if (type < 0 || painted) continue;
    few.tiles.push_back(*tile);
    pack.pictures.push_back({code, PaintCopy(tiles.types()[static_cast<std::size_t>(type)], 0,
                                             kBundledBox, calibration::ReferencePack::kSide_px)});
    if (few.tiles.size() == kFew) break;
  }
  // Of nine rendered tables of our own box all but one showed less than 0.4, and
  // that is read all the same, as another box; twelve of others 0.85 and more.
  constexpr double kUnlike = 0.6;
  return vision::HowUnlike(picture, few, pack) < kUnlike;
}

}  // namespace tilewarden::services
