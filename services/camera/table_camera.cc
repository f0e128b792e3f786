#include "services/camera/table_camera.h"

#include <utility>

#include "services/boxes/edition.h"
#include "services/convert/convert.h"
#include "vision/reader/read_table.h"

namespace tilewarden::services {

TableCamera::TableCamera(std::unique_ptr<vision::FrameSource> frames,
                         std::shared_ptr<const calibration::ReferencePack> pack, Options options)
    : options_(std::move(options)),
      frames_(std::move(frames), options_.lens, options_.other_size),
      box_{std::move(pack), options_.tiles} {}

void TableCamera::Expect(std::vector<vision::FigureKind> special_figures) {
  options_.reading.special_figures = std::move(special_figures);
  reader_.reset();
}

absl::Status TableCamera::LoadNetworks() {
  if (networks_) return absl::OkStatus();
  auto networks = vision::Networks::Load();
  if (networks.ok()) networks_ = *std::move(networks);
  return networks.status();
}

absl::StatusOr<vision::Sighting> TableCamera::ReadUnknown(const cv::Mat& picture) {
  if (auto status = LoadNetworks(); !status.ok()) return status;
  return vision::ReadTableWithoutPack(*networks_, picture);
}

absl::StatusOr<TableCamera::Seen> TableCamera::Read(const vision::Frame& frame) {
  if (auto status = LoadNetworks(); !status.ok()) return status;
  Known now = Box();
  if (!reader_ || now.pack != read_with_ || frames_.changes() != lens_changes_ ||
      frame.picture.size() != size_px_) {
    read_with_ = std::move(now.pack);
    lens_changes_ = frames_.changes();
    size_px_ = frame.picture.size();
    const auto types =
        now.tiles ? TypesToRead(*read_with_, *now.tiles) : std::vector<std::string>();
    vision::Options reading = options_.reading;
    if (now.tiles) {
      reading.unexpected_tiles = RiverTypesBeside(*now.tiles, networks_->tiles().Tiles());
    }
    reader_.emplace(*networks_, read_with_, std::move(reading), types);
    if (!pictures_ && now.tiles) pictures_.emplace(options_.reading.debug_folder, now.tiles);
  }
  auto sighting = frame.for_the_gate ? reader_->Glance(frame.picture, frame.time_ms)
                                     : reader_->Read(frame.picture, frame.time_ms);
  if (!sighting.ok()) return sighting.status();
  if (pictures_ && !frame.for_the_gate) {
    if (auto status = pictures_->Write(frame.picture, *sighting); !status.ok()) return status;
  }
  Seen seen{*std::move(sighting), {}, read_with_->tile_set};
  seen.message = ToProto(seen.sighting);
  seen.message.set_sequence(++sequence_);
  return seen;
}

void TableCamera::ReadWith(std::shared_ptr<const calibration::ReferencePack> pack,
                           std::shared_ptr<const engine::TileSet> tiles) {
  const std::lock_guard lock(mutex_);
  box_.pack = std::move(pack);
  if (tiles) box_.tiles = std::move(tiles);
}

TableCamera::Known TableCamera::Box() const {
  const std::lock_guard lock(mutex_);
  return box_;
}

}  // namespace tilewarden::services
