#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "calibration/picture_file.h"
#include "calibration/reference_pack.h"
#include "engine/tile_set.h"
#include "opencv2/imgcodecs.hpp"
#include "services/commands/running.h"
#include "services/printable_set.h"
#include "services/reading.h"
#include "vision/annotate.h"
#include "vision/table_reader.h"

namespace tilewarden::services {
namespace {

struct ReadOptions {
  std::vector<std::string> pictures;
  std::string pack, annotate;
  bool json = false;
};

// Copies of a type in a painted box differ in houses and trees: two know most.
constexpr int kPaintedCopies = 2;

calibration::ReferencePack PackOf(const std::string& path) {
  if (!path.empty()) return Check(calibration::ReferencePack::Load(path));
  return PaintedPack(*Check(engine::TileSet::Load("base.c1")), kPaintedCopies);
}

void Run(const ReadOptions& options) {
  if (!options.annotate.empty() && options.pictures.size() > 1) {
    throw CommandError("--annotate takes one picture at a time; read the others without it");
  }
  std::optional<calibration::ReferencePack> pack;
  std::shared_ptr<const engine::TileSet> tiles;
  nlohmann::json all = nlohmann::json::array();
  for (const std::string& name : options.pictures) {
    const cv::Mat picture = Check(calibration::LoadPicture(name));
    if (!pack) {
      pack = PackOf(options.pack);
      tiles = Check(engine::TileSet::Load(pack->tile_set.empty() ? "base.c1" : pack->tile_set));
    }
    const vision::Sighting sighting = Check(vision::ReadTable(picture, *pack));
    const Reading reading = Interpret(sighting, *tiles);
    if (options.json) {
      all.push_back(ToJson(reading, sighting, *tiles, name));
    } else {
      std::fputs(ToText(reading, sighting, *tiles, name).c_str(), stdout);
    }
    if (options.annotate.empty()) continue;
    const cv::Mat drawn =
        vision::Annotate(picture, sighting, [&](const vision::SightedTile& tile) -> std::string {
          for (const ReadTile& read : reading.tiles) {
            if (read.cell != tile.cell || read.type < 0) continue;
            const std::string& id = tiles->types()[static_cast<std::size_t>(read.type)].id;
            return id.substr(id.find('.') + 1);
          }
          return "";
        });
    bool written = false;
    try {
      written = cv::imwrite(options.annotate, drawn);
    } catch (const cv::Exception&) {
      written = false;  // no such kind of file; said below
    }
    if (!written) {
      throw CommandError(options.annotate + ": cannot be written; name a .png or .jpg file");
    }
  }
  // One picture is one reading, several are a list of them.
  if (options.json) {
    std::printf("%s\n", (all.size() == 1 ? all.front() : all).dump(1).c_str());
  }
}

}  // namespace

void AddReadCommand(CLI::App& app) {
  auto options = std::make_shared<ReadOptions>();
  CLI::App* command =
      app.add_subcommand("read",
                         "Reads the tiles and figures in pictures of a table.\n"
                         "Example: tilewarden read table.jpg --pack mine.pack --annotate read.png");
  command->add_option("PICTURE", options->pictures, "JPEG, PNG, WebP, TIFF or BMP")->required();
  command->add_option("--pack", options->pack,
                      "What the tiles look like, made by tilewarden enrol; without it the bundled "
                      "printable set");
  command->add_flag("--json", options->json, "Print JSON, schema tilewarden.reading/1");
  command->add_option("--annotate", options->annotate, "Write the picture with what was read");
  command->callback([options] { Run(*options); });
}

}  // namespace tilewarden::services
