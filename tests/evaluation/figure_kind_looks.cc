// Writes what is to be seen around the figures of stills of the virtual table, to train the
// network of their kinds from (scripts/train/figure_kinds.py).
//
//   figure_kind_looks OUT TYPES STILL...
//
// TYPES and STILL as figure_evaluation takes them. Appends to the file OUT, for each look: its
// class (a byte: the kind of figure, or 5 for none), its pose (a byte: 0 lying, 1 standing, 2 where
// there is none), its lean (a float of 4 bytes), and 80 x 80 pixels of three bytes. Looks are taken
// where the figure finder sees a figure of any kind, where it sees one of the followers alone,
// where the truth has one, where something seems to have a figure's own paint, and where there is
// nothing.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "opencv2/core.hpp"
#include "opencv2/imgproc.hpp"
#include "tests/vision/figures/true_table.h"
#include "vision/figures/figure_finder.h"
#include "vision/figures/figure_kind_network.h"
#include "vision/figures/figure_own_paint.h"
#include "vision/picture/camera_pose.h"

namespace tilewarden::vision {
namespace {

constexpr std::uint8_t kNone = kToldKinds, kLying = 0, kStanding = 1, kNoPose = 2;
const std::vector<FigureKind> kSpecial = {FigureKind::kAbbot, FigureKind::kProphet,
                                          FigureKind::kArk, FigureKind::kGingerbreadMan};

struct Thing {
  std::uint8_t kind, pose;
  cv::Point2d foot_px;
};

std::uint8_t KindNamed(const std::string& name) {
  for (const FigureKindFacts& facts : FigureKinds()) {
    if (facts.name == name) return static_cast<std::uint8_t>(facts.told_by);
  }
  return kNone;
}

class Writer {
 public:
  Writer(const std::string& path, const VirtualStill& still)
      : out_(path, std::ios::binary | std::ios::app),
        still_(still),
        pose_(EstimateCameraPose(still.table.plane.px_from_lattice, still.picture.size())) {
    for (const char* list : {"meeples", "offboard_meeples"}) {
      for (const auto& m : still.truth[list]) {
        things_.push_back({KindNamed(m["figure"]),
                           m["kind"] == "standing" ? kStanding : kLying,
                           {m["base_px"][0], m["base_px"][1]}});
      }
    }
  }

  // foot: in the lattice.
  void Write(cv::Point2d foot, const Thing& thing, const BoardView& view) {
    const cv::Point2d at = view.ViewFromLattice(foot);
    const FigureLook look = LookAt(still_.picture, still_.table.plane.px_from_lattice, pose_, foot,
                                   view.light.WhiteAt({cvRound(at.x), cvRound(at.y)}));
    out_.put(static_cast<char>(thing.kind));
    out_.put(static_cast<char>(thing.pose));
    out_.write(reinterpret_cast<const char*>(&look.lean), sizeof look.lean);
    out_.write(reinterpret_cast<const char*>(look.picture.data),
               static_cast<std::streamsize>(look.picture.total() * look.picture.elemSize()));
  }

  cv::Point2d LatticeOf(cv::Point2d px) const {
    const cv::Vec3d q = still_.table.plane.px_from_lattice.inv() * cv::Vec3d(px.x, px.y, 1);
    return {q[0] / q[2], q[1] / q[2]};
  }

  cv::Point2d PxOf(cv::Point2d foot) const {
    const cv::Vec3d q = still_.table.plane.px_from_lattice * cv::Vec3d(foot.x, foot.y, 1);
    return {q[0] / q[2], q[1] / q[2]};
  }

  // What stands near a point of the picture; kNone: nothing within `apart` tiles. Unclear:
  // between.
  std::optional<Thing> ThingNear(cv::Point2d px) const {
    constexpr double kSame = 0.2, kApart = 0.45;
    const Thing kNothing = {kNone, kNoPose, {}};
    double nearest = 1e9;
    const Thing* there = &kNothing;
    for (const Thing& thing : things_) {
      const double d = cv::norm(thing.foot_px - px) / still_.table.plane.tile_px;
      if (d < nearest) nearest = d, there = &thing;
    }
    if (nearest < kSame) return *there;
    if (nearest > kApart) return kNothing;
    return std::nullopt;
  }

  const std::vector<Thing>& things() const { return things_; }

 private:
  std::ofstream out_;
  const VirtualStill& still_;
  const CameraPose pose_;
  std::vector<Thing> things_;
};

void WriteLooks(const std::string& out, const std::string& types, const std::string& path) {
  const VirtualStill still = LoadVirtualStill(types, path);
  Writer writer(out, still);
  FigureFinder finder;
  for (const bool special : {true, false}) {
    Options options;
    if (special) options.special_figures = kSpecial;
    for (const SightedFigure& figure :
         finder.Find(still.picture, still.table.tiles, still.table.plane, {}, options)) {
      const cv::Point2d px(figure.foot_px.x, figure.foot_px.y);
      if (const auto there = writer.ThingNear(px)) {
        writer.Write(writer.LatticeOf(px), *there, finder.view());
      }
    }
  }
  cv::RNG rng(std::hash<std::string>()(path));
  for (const Thing& thing : writer.things()) {
    constexpr double kOff = 0.04;
    const cv::Point2d off(rng.gaussian(kOff), rng.gaussian(kOff));
    writer.Write(writer.LatticeOf(thing.foot_px) + off, thing, finder.view());
  }
  const BoardView& view = finder.view();
  const cv::Mat drawing = DrawingSeen(view);
  for (const FigureKind kind : {FigureKind::kArk, FigureKind::kGingerbreadMan}) {
    cv::Mat labels, stats, middles;
    const int n = cv::connectedComponentsWithStats(
        OwnPaintSigns(view, drawing, *FactsOf(kind).paint).Pieces(cv::Rect({}, view.size())),
        labels, stats, middles);
    constexpr int kLeast_px = 70;
    constexpr double kWritten = 0.5;
    for (int i = 1; i < n; ++i) {
      if (stats.at<int>(i, cv::CC_STAT_AREA) < kLeast_px || rng.uniform(0.0, 1.0) > kWritten)
        continue;
      const cv::Point2d foot =
          view.LatticeFromView({middles.at<double>(i, 0), middles.at<double>(i, 1)});
      if (const auto there = writer.ThingNear(writer.PxOf(foot))) writer.Write(foot, *there, view);
    }
  }
  constexpr int kEmpty = 8;
  for (int i = 0; i < kEmpty; ++i) {
    const NamedTile& tile = still.table.tiles[static_cast<std::size_t>(
        rng.uniform(0, static_cast<int>(still.table.tiles.size())))];
    const cv::Point2d foot(tile.cell.x + rng.uniform(0.0, 1.0),
                           tile.cell.y + rng.uniform(0.0, 1.0));
    const cv::Vec3d q = still.table.plane.px_from_lattice * cv::Vec3d(foot.x, foot.y, 1);
    const auto there = writer.ThingNear({q[0] / q[2], q[1] / q[2]});
    if (there && there->kind == kNone) writer.Write(foot, *there, finder.view());
  }
}

}  // namespace
}  // namespace tilewarden::vision

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fprintf(stderr, "usage: figure_kind_looks OUT TYPES STILL...\n");
    return 2;
  }
  try {
    for (int i = 3; i < argc; ++i) tilewarden::vision::WriteLooks(argv[1], argv[2], argv[i]);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "figure_kind_looks: %s\n", e.what());
    return 1;
  }
  return 0;
}
