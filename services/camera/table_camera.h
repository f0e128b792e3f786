// One camera over a table, from frames to sightings as the referee takes them:
//
//   frame source -> lens taken out -> reader -> sighting in the contract's words
//
// What the vision service and `tilewarden watch` both do with a camera; whom they tell of it is
// theirs.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "calibration/box/reference_pack.h"
#include "calibration/camera/lens.h"
#include "engine/tiles/tile_set.h"
#include "services/photo/annotated.h"
#include "tilewarden/v1/vision.pb.h"
#include "vision/frames/frame_source.h"
#include "vision/frames/straight_source.h"
#include "vision/options.h"
#include "vision/reader/networks.h"
#include "vision/reader/table_reader.h"
#include "vision/sighting.h"

namespace tilewarden::services {

// NextFrame, Expect and Read belong to one thread; what stands last is safe from any.
class TableCamera {
 public:
  struct Options {
    // With `debug_folder` a picture of every look that was read is written there.
    vision::Options reading;
    // Of the camera, where it is known; frames of another size are treated so.
    std::optional<calibration::Lens> lens;
    vision::OtherSize other_size = vision::OtherSize::kRefuse;
    // Of the pack: what a published edition may show, and names for those pictures. Null: the
    // pack tells, and no pictures are written.
    std::shared_ptr<const engine::TileSet> tiles;
  };
  // `pack` may be null: nobody knows the box yet. Then Read must wait for ReadWith.
  TableCamera(std::unique_ptr<vision::FrameSource> frames,
              std::shared_ptr<const calibration::ReferencePack> pack, Options options);

  // The next frame, straightened; nullopt at the end of a recording. Blocks and fails as
  // vision::FrameSource::Next.
  absl::StatusOr<std::optional<vision::Frame>> NextFrame() { return frames_.Next(); }
  // Whether NextFrame may be asked again after an error.
  bool live() const { return frames_.live(); }

  // Forgets what was read: the next Read begins anew.
  void BeginAnew() { reader_.reset(); }
  // Special figures that the game has, from the next Read on.
  void Expect(std::vector<vision::FigureKind> special_figures);
  const std::vector<vision::FigureKind>& expected() const {
    return options_.reading.special_figures;
  }
  struct Seen {
    vision::Sighting sighting;  // with what only this process needs
    v1::Sighting message;       // numbered from 1
    std::string tile_set;       // of the pack that it was read with
  };
  // What lies on the table. A new pack or lens begins anew, with nothing remembered. The first
  // call loads the networks. Errors as vision::Networks::Load, vision::TableReader::Read and
  // WriteAnnotated.
  absl::StatusOr<Seen> Read(const vision::Frame& frame);
  // What one picture shows of published tiles, whichever they are. Errors as
  // vision::ReadTableWithoutPack.
  absl::StatusOr<vision::Sighting> ReadUnknown(const cv::Mat& picture);

  // Straightens by this lens from the next frame on.
  void Use(const calibration::Lens& lens) { frames_.Use(lens); }
  // Reads with this pack from the next frame on. `tiles` as in Options; null: as before.
  void ReadWith(std::shared_ptr<const calibration::ReferencePack> pack,
                std::shared_ptr<const engine::TileSet> tiles = nullptr);
  // Of the pack that it reads with; empty: of none.
  std::string tile_set() const { return Box().pack ? Box().pack->tile_set : ""; }
  // The newest frame as the camera took it; its picture is empty before the first.
  vision::Frame NewestAsTaken() const { return frames_.NewestAsTaken(); }

 private:
  struct Known {
    std::shared_ptr<const calibration::ReferencePack> pack;
    std::shared_ptr<const engine::TileSet> tiles;
  };
  Known Box() const;
  absl::Status LoadNetworks();

  Options options_;
  vision::StraightSource frames_;
  std::optional<DebugPictures> pictures_;  // none until the box is known
  std::optional<vision::Networks> networks_;
  // None: the next frame begins anew.
  std::optional<vision::TableReader> reader_;
  std::shared_ptr<const calibration::ReferencePack> read_with_;
  int lens_changes_ = 0;
  cv::Size size_px_;  // of the frame before: another camera's begins anew
  std::uint64_t sequence_ = 0;

  mutable std::mutex mutex_;
  Known box_;
};

}  // namespace tilewarden::services
