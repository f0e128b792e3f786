// tilewarden-virtual-table: pictures of a table that does not exist, with the
// truth about them.
#include <cstdio>
#include <exception>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "engine/tile_set.h"
#include "opencv2/imgcodecs.hpp"
#include "services/printable_set.h"
#include "tests/virtual_table/still.h"

namespace {

namespace vt = tilewarden::virtual_table;

struct Common {
  std::string out, level = "easy", set = "base.c1";
  std::uint64_t seed = 1, box = tilewarden::services::kBundledBox;
  int width = 1920, height = 1080;
};

void AddCommon(CLI::App* command, Common* common) {
  command->add_option("--out", common->out, "File to write")->required();
  command->add_option("--seed", common->seed, "Another seed, another picture")
      ->capture_default_str();
  command->add_option("--level", common->level, "How hard it is to read")
      ->check(CLI::IsMember({"easy", "medium", "hard"}))
      ->capture_default_str();
  command->add_option("--set", common->set, "Tile set")->capture_default_str();
  command->add_option("--box", common->box, "Seed of the printed copies")->capture_default_str();
  command->add_option("--width", common->width)
      ->capture_default_str()
      ->check(CLI::Range(160, 7680));
  command->add_option("--height", common->height)
      ->capture_default_str()
      ->check(CLI::Range(90, 4320));
}

std::shared_ptr<const tilewarden::engine::TileSet> LoadSet(const std::string& id) {
  auto set = tilewarden::engine::TileSet::Load(id);
  if (!set.ok()) throw std::runtime_error(std::string(set.status().message()));
  return *set;
}

// The truth goes beside the picture: PICTURE without its ending, and .json.
std::string TruthPath(const std::string& picture) {
  const auto dot = picture.find_last_of('.');
  return (dot == std::string::npos ? picture : picture.substr(0, dot)) + ".json";
}

void Write(const std::string& path, const vt::Still& still, int jpeg_quality) {
  if (!cv::imwrite(path, still.picture, {cv::IMWRITE_JPEG_QUALITY, jpeg_quality})) {
    throw std::runtime_error("cannot write " + path);
  }
  std::ofstream file(TruthPath(path));
  file << still.truth.dump(1) << '\n';
  if (!file) throw std::runtime_error("cannot write " + TruthPath(path));
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Renders tables with known truth: boards, enrolment pictures, whole games.",
               "tilewarden-virtual-table"};
  app.require_subcommand(1);
  app.footer("Example: tilewarden-virtual-table still --level medium --turns 24 --out board.jpg");

  Common common;
  vt::StillPlan still;
  int players = 2;
  const std::vector<std::string> colours = {"red", "blue", "yellow", "green", "black", "pink"};
  CLI::App* still_command = app.add_subcommand("still", "One picture of a board in mid-game");
  AddCommon(still_command, &common);
  still_command->add_option("--turns", still.turns)
      ->capture_default_str()
      ->check(CLI::Range(0, 71));
  still_command->add_option("--players", players)->capture_default_str()->check(CLI::Range(1, 6));
  still_command->callback([&] {
    vt::TileBox box(LoadSet(common.set), common.box);
    still.level = *vt::ParseLevel(common.level);
    still.seed = common.seed;
    still.size_px = {common.width, common.height};
    still.colours.assign(colours.begin(), colours.begin() + players);
    Write(common.out, vt::MakeStill(still, &box), 92);
  });

  int columns = 6;
  CLI::App* enrol_command =
      app.add_subcommand("enrol", "The types of a set, upright in rows, as laid out to enrol them");
  AddCommon(enrol_command, &common);
  enrol_command->add_option("--columns", columns)->capture_default_str()->check(CLI::Range(1, 12));
  enrol_command->callback([&] {
    vt::TileBox box(LoadSet(common.set), common.box);
    Write(common.out,
          vt::MakeEnrolment(*vt::ParseLevel(common.level), common.seed, columns,
                            {common.width, common.height}, &box),
          92);
  });

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tilewarden-virtual-table: %s\n", error.what());
    return 1;
  }
  return 0;
}
