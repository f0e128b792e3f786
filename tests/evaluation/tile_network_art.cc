// Writes the project's own printable box as pictures for the training of the
// naming network (scripts/train): FOLDER/TILE-COPY.png, canonical orientation.
//
// usage: tile_network_art FOLDER [--side PIXELS] [--box SEED]
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>

#include "calibration/print/tile_painter.h"
#include "engine/tiles/tile_set.h"
#include "opencv2/imgcodecs.hpp"
#include "services/boxes/printable_set.h"

int main(int argc, char** argv) {
  using namespace tilewarden;
  if (argc < 2) {
    std::cerr << "usage: tile_network_art FOLDER [--side PIXELS] [--box SEED]\n";
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  int side_px = 96;
  std::uint64_t box = 7;  // another box than the one that is bundled and measured
  for (int i = 2; i + 1 < argc; i += 2) {
    if (std::string(argv[i]) == "--side") side_px = std::atoi(argv[i + 1]);
    if (std::string(argv[i]) == "--box") box = std::strtoull(argv[i + 1], nullptr, 10);
  }
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  // Rivers that do not join: one set for each.
  for (const char* set : {"base.c2+river1.c2", "base.c2+river1.c3"}) {
    const auto tiles = engine::TileSet::Load(set);
    if (!tiles.ok()) {
      std::cerr << tiles.status().message() << "\n";
      return 1;
    }
    for (const engine::TileType& type : (*tiles)->types()) {
      for (int copy = 0; copy < 4; ++copy) {
        const auto file = folder / (type.id + "-" + std::to_string(copy) + ".png");
        if (!cv::imwrite(file.string(), services::PaintCopy(type, copy, box, side_px))) {
          std::cerr << "cannot write " << file << "\n";
          return 1;
        }
      }
    }
  }
  for (std::uint64_t copy = 0; copy < 4; ++copy) {
    const auto file = folder / ("back-" + std::to_string(copy) + ".png");
    if (!cv::imwrite(file.string(), calibration::PaintBack({.seed = copy, .side_px = side_px}))) {
      std::cerr << "cannot write " << file << "\n";
      return 1;
    }
  }
  return 0;
}
