#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

#include "calibration/enrolment.h"
#include "calibration/picture_file.h"
#include "engine/tile_set.h"
#include "services/commands/running.h"

namespace tilewarden::services {
namespace {

struct EnrolOptions {
  std::string source, out, set = "base.c1", order, title, licence;
};

std::vector<calibration::TypeToEnrol> TypesInOrder(const engine::TileSet& tiles,
                                                   const std::string& order) {
  std::vector<calibration::TypeToEnrol> types;
  if (order.empty()) {
    for (const engine::TileType& type : tiles.types()) types.push_back({type.id, type.upright});
    return types;
  }
  std::stringstream list(order);
  for (std::string id; std::getline(list, id, ',');) {
    id.erase(std::remove(id.begin(), id.end(), ' '), id.end());
    const int index = tiles.Find(id);
    if (index < 0)
      throw CommandError("--order: the set " + tiles.id() + " has no tile '" + id + "'");
    types.push_back({id, tiles.types()[static_cast<std::size_t>(index)].upright});
  }
  return types;
}

void Run(const EnrolOptions& options) {
  const auto tiles = Check(engine::TileSet::Load(options.set));
  calibration::ReferencePack pack;
  std::error_code error;
  if (std::filesystem::is_directory(options.source, error)) {
    std::vector<std::string> known;
    for (const engine::TileType& type : tiles->types()) known.push_back(type.id);
    pack = Check(calibration::EnrolFolder(options.source, known));
  } else {
    const cv::Mat picture = Check(calibration::LoadPicture(options.source));
    pack = Check(calibration::EnrolPicture(picture, TypesInOrder(*tiles, options.order)));
  }
  pack.tile_set = tiles->id();
  pack.title = options.title.empty() ? tiles->name() : options.title;
  pack.licence = options.licence;
  Check(pack.Save(options.out));
  std::set<std::string> seen;
  for (const calibration::ReferencePicture& picture : pack.pictures) seen.insert(picture.tile);
  std::printf("%s: %zu pictures of %zu of the %zu types of %s\n", options.out.c_str(),
              pack.pictures.size(), seen.size(), tiles->types().size(), tiles->name().c_str());
}

}  // namespace

void AddEnrolCommand(CLI::App& app) {
  auto options = std::make_shared<EnrolOptions>();
  CLI::App* command = app.add_subcommand(
      "enrol",
      "Learns what the tiles of your box look like, from one picture of all types laid upright in\n"
      "rows with gaps, or from a folder of cut-out tile pictures named by type: B.A.png, more\n"
      "copies as B.A-2.jpg, and @1, @2 or @3 where a picture is turned by quarters clockwise\n"
      "(B.A-2@1.jpg).\n"
      "Example: tilewarden enrol tiles.jpg --out mine.pack --set base.c1");
  command->add_option("PICTURE|FOLDER", options->source)->required();
  command->add_option("--out", options->out, "The pack to write")->required();
  command->add_option("--set", options->set, "The tile set these tiles belong to")
      ->capture_default_str();
  command->add_option("--order", options->order,
                      "Types in the picture, row by row, if not all in the set's order: B.A,B.B");
  command->add_option("--title", options->title, "Where the pictures come from");
  command->add_option("--licence", options->licence, "What may be done with them");
  command->callback([options] { Run(*options); });
}

}  // namespace tilewarden::services
