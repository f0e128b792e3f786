#include "services/camera/table_camera.h"

#include <utility>

#include "services/boxes/edition.h"
#include "services/convert/convert.h"

namespace tilewarden::services {

TableCamera::TableCamera(std::unique_ptr<vision::FrameSource> frames,
                         std::shared_ptr<const calibration::ReferencePack> pack, Options options)
    : options_(std::move(options)),
      frames_(std::move(frames), options_.lens, options_.other_size),
      pictures_(options_.tiles ? options_.reading.debug_folder : "", options_.tiles),
      pack_(std::move(pack)) {}

void TableCamera::Expect(std::vector<vision::FigureKind> special_figures) {
  options_.reading.special_figures = std::move(special_figures);
  reader_.reset();
}

absl::StatusOr<TableCamera::Seen> TableCamera::Read(const vision::Frame& frame) {
  if (!networks_) {
    auto networks = vision::Networks::Load();
    if (!networks.ok()) return networks.status();
    networks_ = *std::move(networks);
  }
  auto now = pack();
  if (!reader_ || now != read_with_ || frames_.changes() != lens_changes_) {
    read_with_ = std::move(now);
    lens_changes_ = frames_.changes();
    const auto types =
        options_.tiles ? TypesToRead(*read_with_, *options_.tiles) : std::vector<std::string>();
    reader_.emplace(*networks_, read_with_, options_.reading, types);
  }
  auto sighting = reader_->Read(frame.picture, frame.time_ms);
  if (!sighting.ok()) return sighting.status();
  if (auto status = pictures_.Write(frame.picture, *sighting); !status.ok()) return status;
  Seen seen{*std::move(sighting), {}, read_with_->tile_set};
  seen.message = ToProto(seen.sighting);
  seen.message.set_sequence(++sequence_);
  return seen;
}

void TableCamera::ReadWith(std::shared_ptr<const calibration::ReferencePack> pack) {
  const std::lock_guard lock(mutex_);
  pack_ = std::move(pack);
}

std::shared_ptr<const calibration::ReferencePack> TableCamera::pack() const {
  const std::lock_guard lock(mutex_);
  return pack_;
}

}  // namespace tilewarden::services
