#include "services/camera/table_box.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "services/boxes/edition.h"
#include "services/boxes/printable_set.h"
#include "vision/tiles/tile_network.h"

namespace tilewarden::services {
namespace {

constexpr double kSureTile = 0.8;

int SureTiles(const vision::Sighting& sighting) {
  return static_cast<int>(std::count_if(
      sighting.tiles.begin(), sighting.tiles.end(), [](const vision::SightedTile& tile) {
        // What is a river's tile looks like none of the set.
        return !tile.candidates.empty() && tile.unexpected.empty() &&
               tile.candidates.front().probability >= kSureTile &&
               tile.candidates.front().tile != vision::kOtherTile;
      }));
}

}  // namespace

TableBox::TableBox(const std::filesystem::path& data) : sets_(data / OwnTiles::kFile) {}

std::optional<TableBox::Guess> TableBox::Look(const vision::Sighting& sighting) const {
  const int sure = SureTiles(sighting);
  if (sure == 0) return std::nullopt;
  return Guess{EditionOf(sighting), sure};
}

absl::StatusOr<TableBox::Known> TableBox::For(const std::string& tile_set) {
  const auto art = sets_.Get(tile_set);
  if (!art.ok()) return art.status();
  Known& known = known_[absl::StrCat(tile_set, printed_.value_or(false) ? " printed" : "")];
  if (known.pack != nullptr && known.tiles == (*art)->set) return known;
  known.tiles = (*art)->set;
  if (!printed_.value_or(false)) {
    auto pack = PublishedPack(*known.tiles);
    if (!pack.ok()) return pack.status();
    known.pack = std::make_shared<calibration::ReferencePack>(*std::move(pack));
  } else {
    // Copies of a type differ in houses and trees: all of them know most.
    known.pack = std::make_shared<calibration::ReferencePack>(PaintedPack(*known.tiles, 0));
  }
  return known;
}

bool TableBox::IsAnother(const cv::Mat& picture, const vision::Sighting& sighting,
                         const std::string& tile_set) {
  if (printed_ || SureTiles(sighting) == 0) return false;
  const auto art = sets_.Get(tile_set);
  if (!art.ok()) return false;
  printed_ = IsPrintableSet(picture, sighting, *(*art)->set);
  return *printed_;
}

}  // namespace tilewarden::services
