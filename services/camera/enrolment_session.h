// A box that is being enrolled at a running camera: its looks, what a person said of
// the tiles in them, and the pack in the end. Every step lies in a folder at once, as
// the list of tilewarden enrol and its pictures, and is taken up again from there.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "calibration/box/reference_pack.h"
#include "services/boxes/enrolment.h"
#include "services/boxes/tile_sets.h"
#include "tilewarden/v1/enrolment.pb.h"
#include "vision/tiles/tile_network.h"

namespace tilewarden::services {

// Where the pack of such a box is kept: what the camera reads with when nobody says.
std::filesystem::path KeptPack(const std::filesystem::path& data);

// Not thread safe. Methods block, on the disk and where they look at pictures; errors
// are those of EnrolmentService.
class EnrolmentSession {
 public:
  // `data`: the data folder, which also has the owner's tiles.
  explicit EnrolmentSession(const std::filesystem::path& data);

  // Takes up what was begun before. Called by the others; at most once it does anything.
  absl::Status Resume();

  absl::Status TakeLook(const cv::Mat& picture, const std::string& tile_set);
  absl::Status DropLook(std::size_t look);  // from 1; only the last
  absl::Status NameTile(int number, const std::string& tile, std::optional<int> turns);
  absl::StatusOr<std::shared_ptr<const calibration::ReferencePack>> Keep(
      const std::string& title, const std::string& licence);

  v1::Enrolment Tell() const;

 private:
  struct Word {
    std::string tile;  // empty: no tile of the box
    std::optional<int> turns;
  };
  std::filesystem::path List() const { return folder_ / "tiles.toml"; }
  absl::Status Load();
  // Names anew, with what a person said as certain.
  void Propose();
  EnrolmentRecord Record() const;
  absl::Status Save() const;
  bool IsKept() const;

  const std::filesystem::path folder_, pack_;
  TileSets sets_;
  bool resumed_ = false;
  std::shared_ptr<const engine::TileSet> tiles_;
  std::optional<vision::TileNetwork> network_;
  std::vector<EnrolmentLook> looks_;
  std::map<int, Word> words_;                         // by number
  std::vector<std::vector<TileProposal>> proposals_;  // by look; type -1: no tile
};

}  // namespace tilewarden::services
