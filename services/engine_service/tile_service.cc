#include "services/engine_service/tile_service.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "engine/tiles/tile_fields.h"
#include "engine/tiles/tile_layout.h"
#include "services/base/paging.h"
#include "services/convert/convert.h"

namespace tilewarden::services {
namespace {

constexpr std::size_t kMostTiles = 500;
constexpr std::uint32_t kMostCopies = 100;

v1::TileEntry Entry(const engine::TileType& tile, int copies, v1::TileOrigin origin) {
  v1::TileEntry entry;
  *entry.mutable_definition() = ToProto(tile);
  *entry.mutable_drawing() = ToProto(tile, engine::LayOut(tile), copies);
  entry.set_origin(origin);
  entry.set_plain_fields(engine::HasPlainFields(tile));
  return entry;
}

// What somebody drew, as it would be saved.
absl::StatusOr<engine::TileType> Drawn(const v1::TileDefinition& definition, bool draw_fields) {
  auto tile = FromProto(definition);
  if (tile.ok() && draw_fields) engine::DrawFields(&*tile);
  return tile;
}

// Copies that this tile has in the set of the home-made ones: none, when a box has it.
absl::StatusOr<int> CopiesFor(const std::string& id, std::uint32_t asked) {
  const auto boxes = AllTileSets(nullptr);
  if (!boxes.ok()) return boxes.status();
  if (boxes->tiles.contains(id)) return 0;
  if (asked < 1 || asked > kMostCopies) {
    return absl::InvalidArgumentError(
        absl::StrCat("copies: a home-made tile has 1 to ", kMostCopies));
  }
  return static_cast<int>(asked);
}

absl::Status Taken(const std::string& id) {
  return absl::AlreadyExistsError(
      absl::StrCat("id: there is a tile ", id, " already; choose another name"));
}

absl::Status TooMany() {
  return absl::ResourceExhaustedError(
      absl::StrCat("at most ", kMostTiles, " tiles can be kept; remove one first"));
}

// The lines of a file that hold a tile.
void Quote(const std::string& text, const std::string& id, v1::CheckTileResponse* response) {
  const auto from = text.find(absl::StrCat("[[tile]]\nid = \"", id, "\"\n"));
  if (from == std::string::npos) return;
  const auto to = text.find("\n[[", from);
  response->set_text(text.substr(from, to == std::string::npos ? to : to - from));
  response->set_first_line(static_cast<std::uint32_t>(
      1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(from), '\n')));
}

const engine::TileType* Find(const engine::TileSetFile& file, const std::string& id) {
  const auto found = std::find_if(file.tiles.begin(), file.tiles.end(),
                                  [&](const auto& tile) { return tile.id == id; });
  return found == file.tiles.end() ? nullptr : &*found;
}

}  // namespace

grpc::Status TileServiceImpl::ListTileDefinitions(grpc::ServerContext* context,
                                                  const v1::ListTileDefinitionsRequest* request,
                                                  v1::ListTileDefinitionsResponse* response) {
  return Guarded(guard_, context, *request, [&]() -> absl::Status {
    const auto own = own_->Read();
    if (!own.ok()) return own.status();
    const auto boxes = AllTileSets(nullptr);
    if (!boxes.ok()) return boxes.status();
    const auto all = AllTileSets(&own->file);
    if (!all.ok()) return absl::FailedPreconditionError(all.status().message());
    const engine::TileSetFile::Set* set = all->Find(request->tile_set());
    if (set == nullptr && request->tile_set() == OwnTiles::kHomeSet) return absl::OkStatus();
    if (set == nullptr) {
      return absl::NotFoundError(
          absl::StrCat("tile_set: there is no \"", request->tile_set(),
                       "\"; there are: ", absl::StrJoin(all->SetIds(), ", ")));
    }
    const auto page = PageOf(*request, set->tiles.size(), response);
    if (!page.ok()) return page.status();
    for (std::size_t i = page->from; i < page->to; ++i) {
      const auto& [id, count] = set->tiles[i];
      const auto tile = all->tiles.find(id);
      if (tile == all->tiles.end()) {
        return absl::FailedPreconditionError(absl::StrCat(
            set->where, ": set ", set->id, " counts tile ", id, ", which no file defines"));
      }
      const v1::TileOrigin origin = !boxes->tiles.contains(id)       ? v1::TILE_ORIGIN_HOME_MADE
                                    : Find(own->file, id) != nullptr ? v1::TILE_ORIGIN_CORRECTED
                                                                     : v1::TILE_ORIGIN_BOX;
      *response->add_tiles() = Entry(tile->second, count, origin);
    }
    return absl::OkStatus();
  });
}

grpc::Status TileServiceImpl::CheckTile(grpc::ServerContext* context,
                                        const v1::CheckTileRequest* request,
                                        v1::CheckTileResponse* response) {
  return Guarded(guard_, context, *request, [&]() -> absl::Status {
    const auto tile = Drawn(request->definition(), request->draw_fields());
    if (!tile.ok()) return tile.status();
    const auto copies = CopiesFor(tile->id, request->copies());
    if (!copies.ok()) return copies.status();
    auto own = own_->Read();
    if (!own.ok()) return own.status();
    if (request->new_tile() && (*copies == 0 || Find(own->file, tile->id) != nullptr)) {
      response->set_fault(std::string(Taken(tile->id).message()));
      return absl::OkStatus();
    }
    PutTile(*tile, *copies, &own->file);
    const std::string text = engine::ToText(own->file);
    *response->mutable_definition() = ToProto(*tile);
    Quote(text, tile->id, response);
    const auto judged = OwnTiles::Judge(text);
    if (!judged.ok()) {
      response->set_fault(std::string(judged.status().message()));
      return absl::OkStatus();
    }
    const engine::TileType& kept = *Find(*judged, tile->id);
    *response->mutable_drawing() = ToProto(kept, engine::LayOut(kept), std::max(*copies, 1));
    return absl::OkStatus();
  });
}

grpc::Status TileServiceImpl::SaveTile(grpc::ServerContext* context,
                                       const v1::SaveTileRequest* request,
                                       v1::SaveTileResponse* response) {
  return Guarded(guard_, context, *request, [&] {
    return saved_.Once(*request, response,
                       [&](v1::SaveTileResponse* answer) { return Save(*request, answer); });
  });
}

absl::Status TileServiceImpl::Save(const v1::SaveTileRequest& request,
                                   v1::SaveTileResponse* response) {
  const auto tile = Drawn(request.definition(), request.draw_fields());
  if (!tile.ok()) return tile.status();
  const auto copies = CopiesFor(tile->id, request.copies());
  if (!copies.ok()) return copies.status();
  const auto kept = own_->Change([&](engine::TileSetFile* file) {
    const bool there = *copies == 0 || Find(*file, tile->id) != nullptr;
    if (request.new_tile() && there) return Taken(tile->id);
    if (file->tiles.size() >= kMostTiles && Find(*file, tile->id) == nullptr) return TooMany();
    PutTile(*tile, *copies, file);
    return absl::OkStatus();
  });
  if (!kept.ok()) return kept.status();
  *response->mutable_tile() =
      Entry(*Find(kept->file, tile->id), std::max(*copies, 1),
            *copies > 0 ? v1::TILE_ORIGIN_HOME_MADE : v1::TILE_ORIGIN_CORRECTED);
  return absl::OkStatus();
}

grpc::Status TileServiceImpl::RemoveTile(grpc::ServerContext* context,
                                         const v1::RemoveTileRequest* request,
                                         v1::RemoveTileResponse* response) {
  return Guarded(guard_, context, *request, [&]() -> absl::Status {
    const auto kept = own_->Change([&](engine::TileSetFile* file) {
      TakeTile(request->id(), file);
      return absl::OkStatus();
    });
    if (!kept.ok()) return kept.status();
    const auto boxes = AllTileSets(nullptr);
    if (!boxes.ok()) return boxes.status();
    const auto tile = boxes->tiles.find(request->id());
    if (tile != boxes->tiles.end()) {
      *response->mutable_tile() = Entry(tile->second, 1, v1::TILE_ORIGIN_BOX);
    }
    return absl::OkStatus();
  });
}

}  // namespace tilewarden::services
