#include "tests/bench/vision_bench_pictures.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>

#include "engine/tiles/tile_set.h"
#include "opencv2/imgcodecs.hpp"
#include "services/boxes/printable_set.h"
#include "tests/virtual_table/scene/score_track.h"
#include "tests/virtual_table/story/still.h"

namespace tilewarden {

void Render(const Arguments& arguments, const std::string& picture, const std::string& pack) {
  const auto tiles = Must(engine::TileSet::Load("base.c1"));
  virtual_table::TileBox box(tiles, services::kBundledBox);
  virtual_table::StillPlan plan;
  plan.level = *virtual_table::ParseLevel(arguments.level);
  plan.seed = arguments.seed;
  plan.turns = arguments.turns;
  plan.size_px = {arguments.width, arguments.height};
  if (!cv::imwrite(picture, virtual_table::MakeStill(plan, &box).picture)) {
    throw std::runtime_error("cannot write " + picture);
  }
  constexpr int kCopies = 2;
  if (!services::PaintedPack(*tiles, kCopies).Save(pack).ok()) {
    throw std::runtime_error("cannot write " + pack);
  }
}

void RenderTrack(const Arguments& arguments, const std::string& before, const std::string& after) {
  virtual_table::TrackPlan plan;
  plan.seed = arguments.seed;
  plan.size_px = {arguments.width, arguments.height};
  plan.tilt_deg = 20;
  plan.markers = {{"red", 3}, {"blue", 17}, {"yellow", 29}, {"green", 44}};
  const bool written = cv::imwrite(before, virtual_table::MakeTrackPicture(plan).picture);
  plan.markers[0].field = 12;
  if (!written || !cv::imwrite(after, virtual_table::MakeTrackPicture(plan).picture)) {
    throw std::runtime_error("cannot write " + before + " and " + after);
  }
}

void RenderApart(const std::function<void()>& render) {
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("no process can be started");
  if (child == 0) {
    int status = 0;
    try {
      render();
    } catch (const std::exception& error) {
      std::fprintf(stderr, "vision_bench: %s\n", error.what());
      status = 1;
    }
    std::_Exit(status);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (status != 0) throw std::runtime_error("the picture could not be rendered");
}

}  // namespace tilewarden
