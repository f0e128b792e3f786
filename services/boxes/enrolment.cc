#include "services/boxes/enrolment.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "calibration/box/enrolment.h"
#include "calibration/box/laid_tiles.h"
#include "calibration/common/picture_file.h"
#include "services/boxes/edition.h"
#include "services/boxes/printable_set.h"
#include "vision/show/annotate.h"
#include "vision/tiles/tile_descriptors.h"

namespace tilewarden::services {
namespace {

std::vector<std::vector<vision::LooseTile>> TilesOf(const std::vector<EnrolmentLook>& looks) {
  std::vector<std::vector<vision::LooseTile>> tiles;
  for (const EnrolmentLook& look : looks) tiles.push_back(look.tiles);
  return tiles;
}

const std::string& CodeOf(const engine::TileSet& tiles, int type) {
  return tiles.types()[static_cast<std::size_t>(type)].id;
}

std::array<vision::Point, 4> Points(const std::array<cv::Point2f, 4>& corners) {
  std::array<vision::Point, 4> points;
  for (std::size_t i = 0; i < 4; ++i) points[i] = {corners[i].x, corners[i].y};
  return points;
}

// What was found as one sighting, for what reads sightings. The cell's x is the
// tile's place in the list.
vision::Sighting AsSighting(const std::vector<vision::LooseTile>& tiles) {
  vision::Sighting sighting;
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    vision::SightedTile tile;
    tile.cell = {static_cast<int>(i), 0};
    tile.corners_px = Points(tiles[i].corners_px);
    for (const vision::TileReading& reading : tiles[i].scores.readings) {
      tile.candidates.push_back({reading.tile, reading.rotation, reading.probability});
    }
    sighting.tiles.push_back(std::move(tile));
  }
  return sighting;
}

std::string Doubt(const TileProposal& proposal, const engine::TileSet& tiles) {
  if (proposal.sure()) return "";
  std::string doubt = absl::StrFormat("unsure, %.0f %%", 100 * proposal.probability);
  if (proposal.too_many) absl::StrAppend(&doubt, ", more copies than the box has");
  for (std::size_t i = 0; i < proposal.others.size(); ++i) {
    absl::StrAppendFormat(&doubt, "%s%s (%.0f %%)", i == 0 ? ": or " : ", ",
                          CodeOf(tiles, proposal.others[i].type),
                          100 * proposal.others[i].probability);
  }
  return doubt;
}

}  // namespace

std::vector<calibration::TypeToEnrol> InOrderOfSet(const engine::TileSet& tiles) {
  std::vector<calibration::TypeToEnrol> types;
  for (const engine::TileType& type : tiles.types()) types.push_back({type.id, type.upright});
  return types;
}

absl::StatusOr<std::vector<EnrolmentLook>> FindTiles(const std::vector<std::string>& files,
                                                     const engine::TileSet& tiles,
                                                     vision::TileNetwork& network) {
  if (files.size() > kMostLooks) {
    return absl::InvalidArgumentError(
        absl::StrCat(files.size(), " pictures were given; a box fits into ", kMostLooks));
  }
  const std::vector<std::string> known = network.Tiles();
  const bool any_art =
      std::any_of(tiles.types().begin(), tiles.types().end(), [&](const engine::TileType& type) {
        return std::find(known.begin(), known.end(), type.id) == known.end();
      });
  // What the network never saw may be our own printed box, every copy of which is known.
  const auto printed = any_art ? PaintedPack(tiles, 0) : calibration::ReferencePack();
  std::vector<EnrolmentLook> looks;
  for (const std::string& file : files) {
    EnrolmentLook look;
    look.file = file;
    auto picture = calibration::LoadPicture(file);
    if (!picture.ok()) return picture.status();
    look.picture = *std::move(picture);
    auto checksum = FileChecksum(file);
    if (!checksum.ok()) return checksum.status();
    look.checksum = *std::move(checksum);
    auto found = vision::FindLooseTiles(look.picture, network, any_art);
    if (!found.ok()) return found.status();
    if (found->empty()) {
      return absl::InvalidArgumentError(absl::StrCat(
          file,
          ": no tiles were found; lay them face up, a finger's breadth apart, on a plain "
          "table that they stand out from, and take the picture from above; tiles that this "
          "program never saw are named by --order"));
    }
    look.tiles = *std::move(found);
    if (any_art) vision::NameByPictures(look.picture, printed, &look.tiles);
    looks.push_back(std::move(look));
  }
  return looks;
}

std::optional<calibration::ReferencePack> PackInOrderOfSet(const EnrolmentLook& look,
                                                           const engine::TileSet& tiles,
                                                           const vision::TileNetwork& network) {
  // By chance one of two dozen is named right; art it has never seen, a third.
  constexpr std::size_t kEnough = 4;
  const std::vector<calibration::TypeToEnrol> types = InOrderOfSet(tiles);
  auto pack = vision::PackOfRows(look.picture, look.tiles, types);
  if (!pack.ok()) return std::nullopt;  // they do not lie so
  std::size_t right = 0;
  const std::vector<vision::LooseTile> rows = vision::InRows(look.tiles);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& readings = rows[i].scores.readings;
    right += !readings.empty() && readings.front().tile == types[i].tile &&
             readings.front().rotation == types[i].upright % network.Turns(types[i].tile);
  }
  if (kEnough * right < rows.size()) return std::nullopt;
  return *std::move(pack);
}

absl::Status CheckSet(const std::vector<EnrolmentLook>& looks, const engine::TileSet& tiles,
                      const vision::TileNetwork& network) {
  if (ShareOfSet(TilesOf(looks), tiles, network.Tiles()) >= 0.5) return absl::OkStatus();
  vision::Sighting all;
  for (const EnrolmentLook& look : looks) {
    for (vision::SightedTile& tile : AsSighting(look.tiles).tiles) {
      all.tiles.push_back(std::move(tile));
    }
  }
  return absl::InvalidArgumentError(absl::StrCat("most of these tiles are not of the set ",
                                                 tiles.id(), ", they look like ", EditionOf(all),
                                                 "; say which box it is"));
}

std::vector<std::vector<TileProposal>> ProposeTypes(const std::vector<EnrolmentLook>& looks,
                                                    const engine::TileSet& tiles) {
  return ProposeTypes(TilesOf(looks), tiles);
}

EnrolmentRecord RecordOf(const std::vector<EnrolmentLook>& looks,
                         const std::vector<std::vector<TileProposal>>& proposals,
                         const engine::TileSet& tiles) {
  EnrolmentRecord record;
  record.tile_set = tiles.id();
  int number = 0;
  for (std::size_t i = 0; i < looks.size(); ++i) {
    EnrolmentRecord::Look look{looks[i].file, looks[i].checksum, {}};
    for (std::size_t k = 0; k < looks[i].tiles.size(); ++k) {
      const TileProposal& proposal = proposals[i][k];
      ++number;
      if (proposal.type < 0) {
        look.tiles.push_back({number, "", std::nullopt, looks[i].tiles[k].corners_px, ""});
        continue;
      }
      // When a person renames a tile, its turn is found again.
      const auto turns = proposal.sure() ? std::optional(proposal.turns) : std::nullopt;
      look.tiles.push_back({number, CodeOf(tiles, proposal.type), turns,
                            looks[i].tiles[k].corners_px, Doubt(proposal, tiles)});
    }
    record.looks.push_back(std::move(look));
  }
  return record;
}

cv::Mat Drawn(const EnrolmentLook& look, const EnrolmentRecord::Look& record,
              const std::vector<TileProposal>& proposals, const engine::TileSet& tiles) {
  vision::Sighting sighting = AsSighting(look.tiles);
  for (std::size_t i = 0; i < proposals.size(); ++i) {
    // As drawn, sure is what no person need look at.
    const double shown = record.tiles[i].doubt.empty() ? 1 : 0.5;
    sighting.tiles[i].candidates = {{record.tiles[i].tile, proposals[i].turns, shown}};
  }
  cv::Mat canvas =
      vision::Annotate(look.picture, sighting, [&](const vision::SightedTile& tile) -> std::string {
        const auto& recorded = record.tiles[static_cast<std::size_t>(tile.cell.x)];
        return absl::StrCat(recorded.number, recorded.doubt.empty() ? " " : "? ",
                            recorded.tile.substr(recorded.tile.find('.') + 1));
      });
  for (std::size_t i = 0; i < proposals.size(); ++i) {
    const auto& canonical = tiles.types()[static_cast<std::size_t>(proposals[i].type)].edges;
    std::array<char, 4> edges{};
    for (std::size_t side = 0; side < 4; ++side) {
      edges[side] = canonical[(side + 4 - static_cast<std::size_t>(proposals[i].turns)) % 4];
    }
    vision::MarkEdges(sighting.tiles[i].corners_px, edges, canvas);
  }
  return canvas;
}

std::vector<int> FoundByType(const EnrolmentRecord& record, const engine::TileSet& tiles) {
  std::vector<int> found(tiles.types().size(), 0);
  for (const EnrolmentRecord::Look& look : record.looks) {
    for (const EnrolmentRecord::Tile& tile : look.tiles) {
      if (const int type = tiles.Find(tile.tile); type >= 0)
        ++found[static_cast<std::size_t>(type)];
    }
  }
  return found;
}

Missing MissingFrom(const EnrolmentRecord& record, const engine::TileSet& tiles) {
  const std::vector<int> found = FoundByType(record, tiles);
  Missing missing;
  const auto add = [](std::string& list, const std::string& text) {
    absl::StrAppend(&list, list.empty() ? "" : ", ", text);
  };
  for (std::size_t t = 0; t < found.size(); ++t) {
    const std::string& code = tiles.types()[t].id;
    if (found[t] == 0 && tiles.counts()[t] > 0) {
      ++missing.types;
      add(missing.list, code);
    } else if (found[t] < tiles.counts()[t]) {
      add(missing.copies_list,
          absl::StrCat(code, " (", tiles.counts()[t] - found[t], " of ", tiles.counts()[t], ")"));
    }
  }
  return missing;
}

absl::StatusOr<calibration::ReferencePack> PackOf(const EnrolmentRecord& record,
                                                  const engine::TileSet& tiles,
                                                  vision::TileNetwork& network) {
  if (record.tile_set != tiles.id()) {
    return absl::InvalidArgumentError(absl::StrCat("the confirmed tiles are of the set ",
                                                   record.tile_set, ", not of ", tiles.id()));
  }
  calibration::ReferencePack pack;
  pack.tile_set = tiles.id();
  for (const EnrolmentRecord::Look& look : record.looks) {
    const auto picture = calibration::LoadPicture(look.picture);
    if (!picture.ok()) return picture.status();
    const auto checksum = FileChecksum(look.picture);
    if (!checksum.ok()) return checksum.status();
    if (*checksum != look.checksum) {
      return absl::FailedPreconditionError(
          absl::StrCat(look.picture,
                       ": the picture is not the one that was confirmed; run "
                       "tilewarden enrol on it again"));
    }
    for (const EnrolmentRecord::Tile& tile : look.tiles) {
      if (tile.tile.empty()) continue;
      const int type = tiles.Find(tile.tile);
      if (type < 0) {
        return absl::InvalidArgumentError(absl::StrCat("tile ", tile.number,
                                                       " of the confirmed: ", tiles.id(),
                                                       " has no tile '", tile.tile, "'"));
      }
      const cv::Mat patch = vision::CutPatch(*picture, tile.corners_px);
      if (patch.empty()) {
        return absl::InvalidArgumentError(
            absl::StrCat("tile ", tile.number, " of the confirmed ones: its corners lie outside ",
                         look.picture));
      }
      int turns = 0;
      if (tile.turns) {
        turns = *tile.turns;
      } else {
        const auto scores = network.Name({patch});
        if (!scores.ok()) return scores.status();
        turns = LikeliestTurn(scores->front(), type, tiles);
      }
      pack.pictures.push_back(
          {tile.tile, calibration::Turned(calibration::CutOut(*picture, tile.corners_px), -turns)});
    }
  }
  if (pack.pictures.empty()) {
    return absl::InvalidArgumentError("no tile was confirmed; name at least one");
  }
  calibration::KeepVariants(&pack);
  return pack;
}

}  // namespace tilewarden::services
