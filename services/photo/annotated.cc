#include "services/photo/annotated.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "opencv2/imgcodecs.hpp"
#include "services/photo/reading.h"
#include "vision/show/annotate.h"

namespace tilewarden::services {

absl::Status WriteAnnotated(const std::filesystem::path& file, const cv::Mat& picture,
                            const vision::Sighting& sighting, const engine::TileSet& tiles) {
  const Reading reading = Interpret(sighting, tiles);
  const auto label = [&](const vision::SightedTile& tile) -> std::string {
    for (const ReadTile& read : reading.tiles) {
      if (read.cell != tile.cell || read.type < 0) continue;
      const std::string& id = tiles.types()[static_cast<std::size_t>(read.type)].id;
      return id.substr(id.find('.') + 1);
    }
    return "";
  };
  bool written = false;
  try {
    written = cv::imwrite(file.string(), vision::Annotate(picture, sighting, label));
  } catch (const cv::Exception&) {
    written = false;  // no such kind of file; said below
  }
  if (written) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      file.string(), " cannot be written: name a .png or .jpg file in a folder that is writable"));
}

absl::Status DebugPictures::Write(const cv::Mat& frame, const vision::Sighting& sighting) {
  if (folder_.empty() || !sighting.settled || !sighting.stage_ms.contains("find")) {
    return absl::OkStatus();
  }
  const std::string name = absl::StrCat("look-", absl::Dec(++written_, absl::kZeroPad6), ".jpg");
  return WriteAnnotated(folder_ / name, frame, sighting, *tiles_);
}

}  // namespace tilewarden::services
