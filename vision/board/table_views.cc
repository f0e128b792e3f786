#include "vision/board/table_views.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "opencv2/imgproc.hpp"
#include "vision/picture/geometry.h"
#include "vision/picture/tile_patch.h"

namespace tilewarden::vision {
namespace {

// How far the camera is turned down, in radians: what it sees from 35 to 65 degrees aside is then
// seen from 16 at most, which the finder bears well. It bears 45 by itself.
constexpr double kDown = 0.9;
// And from the best of those on by so much more or less. Views within 10 degrees of the right one
// show most of the board.
constexpr double kDirectionStep = 0.3, kDownStep = 0.12;
// Focal length in longer sides of the picture: between those of phones (0.7) and of cameras on a
// stand. Wrong by a third it costs a few degrees.
constexpr double kFocal = 0.9;
// What lies so flat to the camera, as a share of the depth straight ahead, is left out: it would
// fill the view.
constexpr double kNearestDepth = 0.35;
constexpr int kViewSide_px = 1280;
// So many tiles of one board say how the table lies.
constexpr std::size_t kSayHowItLies = 6;
// How narrow a tile looks, its shorter over its longer width, from where the finder sees it well as
// it is: up to 28 degrees aside.
constexpr double kSquare = 0.88;

// What shows less clearly, as a share of a tile's area that agrees on where it lies, may be a field
// of a printed score track.
constexpr double kClear = 0.5;
// A board that holds so many of the tiles that the finder saw is the whole of it, and a view from
// which a board is joined that is not larger than that by so much adds nothing.
constexpr double kMostOfAll = 0.9, kWorthALook = 1.2;
// So many of them say that none is seen from aside: the few that are read of a board that is seen
// from aside may look square.
constexpr double kSayHowAllLie = 0.5;
constexpr double kCoversMore = 1.05;

// How the camera is turned: which direction of the picture is the far one, clockwise from its top,
// and how far down; in radians.
struct Turn {
  double direction = 0, down = 0;
};

struct View {
  cv::Mat picture;
  cv::Matx33d px_from_view;
};

// The picture as `flat_from_px` lays it flat, in any unit; `middle_px` is what matters most.
View LaidFlat(const cv::Mat& whole, const cv::Matx33d& flat_from_px, cv::Point2d middle_px) {
  // What lies at the back is coarser in the view than in the picture: that is averaged at first.
  const double shrunk = std::min(1.0, 1.5 * kViewSide_px / std::max(whole.cols, whole.rows));
  cv::Mat picture = whole;
  if (shrunk < 1) cv::resize(whole, picture, {}, shrunk, shrunk, cv::INTER_AREA);
  const double x = static_cast<double>(whole.cols) / picture.cols;
  const double y = static_cast<double>(whole.rows) / picture.rows;
  const cv::Matx33d whole_from_px(x, 0, 0.5 * x - 0.5, 0, y, 0.5 * y - 0.5, 0, 0, 1);
  const auto depth = [&](cv::Point2d px) { return (flat_from_px * cv::Vec3d(px.x, px.y, 1))[2]; };
  const double middle = depth(middle_px);
  std::vector<cv::Point2f> shown;
  constexpr int kAcross = 24;
  for (int i = 0; i <= kAcross; ++i) {
    for (int j = 0; j <= kAcross; ++j) {
      const cv::Point2d px(static_cast<double>(j) * whole.cols / kAcross,
                           static_cast<double>(i) * whole.rows / kAcross);
      if (depth(px) / middle > kNearestDepth) shown.emplace_back(Through(flat_from_px, px));
    }
  }
  const cv::Rect2f around = cv::boundingRect(shown);
  if (around.empty()) return {};
  const double scale = kViewSide_px / std::max(around.width, around.height);
  const cv::Matx33d view_from_flat(scale, 0, -scale * around.x, 0, scale, -scale * around.y, 0, 0,
                                   1);
  const cv::Matx33d view_from_whole = view_from_flat * flat_from_px;
  View view;
  view.px_from_view = view_from_whole.inv();
  cv::warpPerspective(
      picture, view.picture, cv::Mat(view_from_whole * whole_from_px),
      {std::max(1, cvRound(around.width * scale)), std::max(1, cvRound(around.height * scale))},
      cv::INTER_LINEAR);
  return view;
}

// As a camera at the same place shows it that is turned down.
View TurnedDown(const cv::Mat& picture, const Turn& turn) {
  const double focal = kFocal * std::max(picture.cols, picture.rows);
  const cv::Point2d middle(0.5 * (picture.cols - 1), 0.5 * (picture.rows - 1));
  const cv::Matx33d px_from_ray(focal, 0, middle.x, 0, focal, middle.y, 0, 0, 1);
  const double cd = std::cos(turn.direction), sd = std::sin(turn.direction);
  const double ct = std::cos(turn.down), st = std::sin(turn.down);
  const cv::Matx33d to_direction(cd, -sd, 0, sd, cd, 0, 0, 0, 1);
  const cv::Matx33d down(1, 0, 0, 0, ct, -st, 0, st, ct);
  const cv::Matx33d turned =
      px_from_ray * to_direction * down * to_direction.t() * px_from_ray.inv();
  return LaidFlat(picture, turned, middle);
}

// The shorter over the longer axis of the ellipse that a circle in the tile would be.
double NarrownessOf(const cv::Matx33f& px_from_tile) {
  const std::array<cv::Point2f, 4> c = CornersOf(px_from_tile);
  const cv::Point2d u = 0.5F * (c[1] + c[2] - c[0] - c[3]), v = 0.5F * (c[2] + c[3] - c[0] - c[1]);
  const double squares = u.dot(u) + v.dot(v), area = std::abs(u.cross(v));
  // The axes' squares add up to the first, and their product is the second.
  const double sum = std::sqrt(squares + 2 * area);
  const double difference = std::sqrt(std::max(0.0, squares - 2 * area));
  return sum > 0 ? (sum - difference) / (sum + difference) : 0;
}

// All but a quarter of these are seen from above.
bool LookSquare(const TileOutlines& tiles) {
  const auto square = std::count_if(tiles.begin(), tiles.end(), [](const cv::Matx33f& tile) {
    return NarrownessOf(tile) > kSquare;
  });
  return !tiles.empty() && 4 * static_cast<std::size_t>(square) >= 3 * tiles.size();
}

TableView Joined(FoundTiles found) {
  TableView view;
  view.tiles = static_cast<std::size_t>(std::count_if(
      found.tiles.begin(), found.tiles.end(), [](const auto& t) { return t.evidence > kClear; }));
  view.boards = JoinTiles(found.tiles);
  view.cover = std::move(found.cover);
  return view;
}

TableView Joined(const View& view, TileFinder& finder) {
  if (view.picture.empty()) return {};
  TableView joined = Joined(finder.Find(view.picture));
  joined.from_aside = true;
  joined.cover.place_from_px = joined.cover.place_from_px * view.px_from_view.inv();
  for (JoinedTiles& board : joined.boards) {
    for (auto& [cell, tile] : board.tiles) {
      std::array<cv::Point2f, 4> corners = CornersOf(tile.px_from_tile);
      for (cv::Point2f& corner : corners) {
        corner = Through(cv::Matx33f(view.px_from_view), corner);
      }
      tile.px_from_tile = PxFromTile(corners);
    }
  }
  return joined;
}

double AreaOfAll(const TileOutlines& tiles) {
  double area = 0;
  for (const cv::Matx33f& tile : tiles) area += AreaOf(tile);
  return area;
}

// Of those tiles in whose middle the others have none.
double AreaBeside(const TileOutlines& tiles, const TileOutlines& others) {
  double area = 0;
  for (const cv::Matx33f& tile : tiles) {
    const cv::Point2f middle = Through(tile, {0.5F, 0.5F});
    const bool known = std::any_of(others.begin(), others.end(), [&](const cv::Matx33f& other) {
      const cv::Point2f in = Through(other.inv(), middle);
      return in.x >= 0 && in.x <= 1 && in.y >= 0 && in.y <= 1;
    });
    if (!known) area += AreaOf(tile);
  }
  return area;
}

double EvidenceOf(const TableView& view) {
  return view.boards.empty() ? 0 : view.boards.front().evidence;
}

}  // namespace

double AreaOf(const cv::Matx33f& px_from_tile) {
  const std::array<cv::Point2f, 4> c = CornersOf(px_from_tile);
  return 0.5 * std::abs((c[2] - c[0]).cross(c[3] - c[1]));
}

bool CoversMore(const TileOutlines& board, const TileOutlines& than) {
  const double more = AreaBeside(board, than) - AreaBeside(than, board);
  return more > (kCoversMore - 1) * AreaOfAll(than);
}

absl::Status ReadFromBestSide(const cv::Mat& picture, TileFinder& finder,
                              const std::function<absl::StatusOr<TileOutlines>(TableView)>& read) {
  TableView as_it_is = ViewTable(picture, finder);
  const std::size_t all = as_it_is.tiles;
  const absl::StatusOr<TileOutlines> tiles = read(std::move(as_it_is));
  if (!tiles.ok()) return tiles.status();
  if (all < kSayHowItLies) return absl::OkStatus();
  const auto known = static_cast<double>(tiles->size());
  const double share = known / static_cast<double>(all);
  if (share >= kMostOfAll || (share >= kSayHowAllLie && LookSquare(*tiles))) {
    return absl::OkStatus();
  }
  TableView aside = ViewTableFromAside(picture, finder);
  if (static_cast<double>(aside.LargestBoard()) <= kWorthALook * known) return absl::OkStatus();
  return read(std::move(aside)).status();
}

TableView ViewTable(const cv::Mat& picture, TileFinder& finder) {
  return Joined(finder.Find(picture));
}

TableView ViewTableFromAside(const cv::Mat& picture, TileFinder& finder) {
  const auto seen = [&](const Turn& turn) { return Joined(TurnedDown(picture, turn), finder); };
  TableView best;
  Turn how;
  const auto look = [&](const Turn& turn) {
    TableView view = seen(turn);
    if (EvidenceOf(view) <= EvidenceOf(best)) return false;
    best = std::move(view);
    how = turn;
    return true;
  };
  constexpr int kDirections = 8;
  const double eighth = std::acos(0.0) / 2;
  for (int i = 0; i < kDirections; ++i) look({eighth * i, kDown});
  if (best.LargestBoard() < kSayHowItLies) return best;
  // From there to the turn that shows most.
  for (const double step : {1.0, 0.5}) {
    const Turn from = how;
    for (const double side : {-1.0, 1.0}) {
      look({from.direction + side * step * kDirectionStep, how.down});
    }
    for (const double side : {-1.0, 1.0}) {
      look({how.direction, from.down + side * step * kDownStep});
    }
  }
  return best;
}

}  // namespace tilewarden::vision
