#include "vision/figures/figure_board_view.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <utility>

#include "opencv2/imgproc.hpp"
#include "vision/picture/geometry.h"
#include "vision/picture/median.h"
#include "vision/picture/tile_patch.h"

namespace tilewarden::vision {
namespace {

constexpr int kSide = BoardView::kSide_px;
constexpr int kLargestCells = 40;    // across: a wrong lattice may not ask for gigabytes
constexpr int kFarthestBeside = 12;  // cells from the board: farther ones are seen too steeply
constexpr int kSeam_px = 2;          // the gap and bevel between tiles
constexpr int kSlack_px = 2;         // a print may lie so much off its reference

using Corners = std::array<cv::Point2f, 4>;

// Tile by cell.
std::map<LatticeCell, const NamedTile*> ByCell(const std::vector<NamedTile>& tiles) {
  std::map<LatticeCell, const NamedTile*> by_cell;
  for (const NamedTile& tile : tiles) by_cell[tile.cell] = &tile;
  return by_cell;
}

// What lies between four corners of the frame, as a square of a cell's size.
// Reduced first where the frame is much finer than that.
cv::Mat LayFlat(const cv::Mat& frame, const Corners& corners, double tile_px) {
  // From so many frame pixels to one of the view it is reduced, to so many: fewer blur the view.
  constexpr double kMuchFiner = 1.7, kLeft = 1.2;
  constexpr int kMargin_px = 4;  // that the reduction looks beyond the corners
  cv::Rect around = Grown(cv::boundingRect(corners), kMargin_px, frame.size());
  if (around.empty()) {  // wholly beyond the frame, whose border goes on
    const cv::Point2f& p = corners[0];
    around = {std::clamp(cvRound(p.x), 0, frame.cols - 1),
              std::clamp(cvRound(p.y), 0, frame.rows - 1), 1, 1};
  }
  cv::Mat part = frame(around);
  cv::Point2d scale(1, 1);
  if (tile_px > kMuchFiner * kSide) {
    const double wanted = kLeft * kSide / tile_px;
    cv::Mat smaller;
    cv::resize(part, smaller,
               {std::max(1, cvRound(part.cols * wanted)), std::max(1, cvRound(part.rows * wanted))},
               0, 0, cv::INTER_AREA);
    scale = {static_cast<double>(smaller.cols) / part.cols,
             static_cast<double>(smaller.rows) / part.rows};
    part = smaller;
  }
  Corners from;
  for (std::size_t i = 0; i < 4; ++i) {
    from[i] = {static_cast<float>((corners[i].x - around.x + 0.5) * scale.x - 0.5),
               static_cast<float>((corners[i].y - around.y + 0.5) * scale.y - 0.5)};
  }
  constexpr float kFirst = -0.5F, kLast = kSide - 0.5F;
  const Corners to = {{{kFirst, kFirst}, {kLast, kFirst}, {kLast, kLast}, {kFirst, kLast}}};
  cv::Mat flat;
  cv::warpPerspective(part, flat, cv::getPerspectiveTransform(to, from), {kSide, kSide},
                      cv::INTER_LINEAR | cv::WARP_INVERSE_MAP, cv::BORDER_REPLICATE);
  return flat;
}

Corners CornersOnPlane(const TablePlane& plane, LatticeCell cell) {
  Corners corners;
  const std::array<cv::Point, 4> square = {{{0, 0}, {1, 0}, {1, 1}, {0, 1}}};
  for (std::size_t i = 0; i < 4; ++i) {
    corners[i] =
        Through(plane.px_from_lattice, cv::Point2d(cell.x + square[i].x, cell.y + square[i].y));
  }
  return corners;
}

// One cell, with its tile or without; light not fitted yet.
void ViewCell(const cv::Mat& frame, LatticeCell cell, const NamedTile* tile, BoardView& view) {
  const cv::Rect area = view.Of(cell);
  const Corners corners = tile != nullptr ? tile->corners_px : CornersOnPlane(view.plane, cell);
  cv::Mat flat = cv::Mat::zeros(area.size(), CV_8UC3);
  if (SpanAnArea(corners)) {
    flat = LayFlat(frame, corners, view.plane.tile_px);
  } else {
    view.covered(area).setTo(255);
  }
  flat.copyTo(view.picture(area));
  view.on_tile(area).setTo(tile != nullptr ? 255 : 0);
  view.known(area).setTo(0);
  if (view.seen[0].empty()) return;
  const auto split = [&](const cv::Mat& colours, ColourPlanes& planes) {
    ColourPlanes of_cell;
    cv::split(colours, of_cell.data());
    for (std::size_t c = 0; c < 3; ++c) of_cell[c].convertTo(planes[c](area), CV_32F);
  };
  split(flat, view.seen);
  if (tile == nullptr || tile->expected.empty()) {
    for (cv::Mat& channel : view.reference) channel(area).setTo(0);
    return;
  }
  cv::Mat small;
  cv::resize(tile->expected, small, {kSide, kSide}, 0, 0, cv::INTER_AREA);
  split(small, view.reference);
  const cv::Rect inner(area.x + kSeam_px, area.y + kSeam_px, kSide - 2 * kSeam_px,
                       kSide - 2 * kSeam_px);
  view.known(inner).setTo(255);
  if (tile->held.empty()) return;
  cv::Mat held;
  cv::resize(tile->held, held, {kSide, kSide}, 0, 0, cv::INTER_NEAREST);
  view.known(area).setTo(0, held == 0);
  view.on_tile(area).setTo(0, held == 0);
}

// Fills `difference` within an area of whole cells, from the best of the near places.
void Compare(const cv::Rect& area, BoardView& view) {
  // Places beyond the print are out of the question.
  constexpr float kNever = 1e6F;
  constexpr int kBlock = 16;
  static_assert(kSide % kBlock == 0);
  cv::parallel_for_(cv::Range(area.y, area.br().y), [&](const cv::Range& rows) {
    std::array<float, kBlock> other{};
    for (int y = rows.start; y < rows.end; ++y) {
      float* out = view.difference.ptr<float>(y);
      DistanceFromPrint(RowOf(view.seen, y, area.x), RowOf(view.expected, y, area.x), area.width,
                        out + area.x);
      const uchar* known = view.known.ptr<uchar>(y);
      for (int x = area.x; x < area.br().x; x += kBlock) {
        const auto unlike = [&](int i) { return known[x + i] && out[x + i] > 1; };
        bool any = false;
        for (int i = 0; i < kBlock; ++i) any |= unlike(i);
        for (int dy = -kSlack_px; any && dy <= kSlack_px; ++dy) {
          for (int dx = -kSlack_px; dx <= kSlack_px; ++dx) {
            const uchar* print = view.known.ptr<uchar>(y + dy) + x + dx;
            DistanceFromPrint(RowOf(view.seen, y, x), RowOf(view.expected, y + dy, x + dx), kBlock,
                              other.data());
            for (int i = 0; i < kBlock; ++i) {
              out[x + i] =
                  std::min(out[x + i], print[i] ? other[static_cast<std::size_t>(i)] : kNever);
            }
          }
        }
        for (int i = 0; i < kBlock; ++i) out[x + i] = known[x + i] ? out[x + i] : 0;
      }
    }
  });
}

float MedianDifference(const BoardView& view) {
  std::vector<float> sample;
  for (int y = 0; y < view.difference.rows; y += 5) {
    for (int x = 0; x < view.difference.cols; x += 5) {
      if (view.known.at<uchar>(y, x)) sample.push_back(view.difference.at<float>(y, x));
    }
  }
  return sample.empty() ? 0 : Median(std::move(sample));
}

void LearnSeams(BoardView& view) {
  constexpr float kFloor = 8;  // levels that any seam may vary by
  // Seams are the darkest of what lies between the prints.
  const cv::Mat rim = view.on_tile & (view.known == 0);
  cv::Mat grey;
  cv::cvtColor(view.picture, grey, cv::COLOR_BGR2GRAY);
  cv::Scalar mean = cv::mean(grey, rim), spread;
  cv::meanStdDev(view.picture, mean, spread, rim & (grey < mean[0]));
  for (int c = 0; c < 3; ++c) {
    view.seam_mean[c] = static_cast<float>(mean[c]);
    view.seam_spread[c] = static_cast<float>(spread[c]) + kFloor;
  }
}

// Fills `away` within an area.
void SeeWhatIsAway(const cv::Rect& area, BoardView& view) {
  cv::parallel_for_(cv::Range(area.y, area.br().y), [&](const cv::Range& rows) {
    for (int y = rows.start; y < rows.end; ++y) {
      float* away = view.away.ptr<float>(y);
      view.Away(area.x, y, area.width, RowOf(view.seen, y, area.x), away + area.x);
      const uchar* known = view.known.ptr<uchar>(y);
      const float* difference = view.difference.ptr<float>(y);
      for (int x = area.x; x < area.br().x; ++x) {
        away[x] = known[x] ? std::min(away[x], difference[x]) : away[x];
      }
    }
  });
}

// Whether the cells that did not change show other colours than when they were viewed.
bool LightChanged(const cv::Mat& frame, const std::vector<NamedTile>& tiles,
                  const std::set<LatticeCell>& changed, const BoardView& view) {
  // Levels of a channel, the median over a tile; and the share of tiles.
  constexpr int kPoints = 5, kLevels = 5;
  constexpr double kMost = 0.25;
  int looked_at = 0, other = 0;
  for (const NamedTile& tile : tiles) {
    if (changed.contains(tile.cell)) continue;
    const cv::Point corner = view.Of(tile.cell).tl();
    std::array<std::array<int, kPoints * kPoints>, 3> differences{};
    for (int i = 0; i < kPoints * kPoints; ++i) {
      const float u = (static_cast<float>(i % kPoints) + 0.5F) / kPoints;
      const float v = (static_cast<float>(i / kPoints) + 0.5F) / kPoints;
      const Corners& c = tile.corners_px;
      const cv::Point2f p = (c[0] * (1 - u) + c[1] * u) * (1 - v) + (c[3] * (1 - u) + c[2] * u) * v;
      const cv::Point at(std::clamp(cvRound(p.x), 0, frame.cols - 1),
                         std::clamp(cvRound(p.y), 0, frame.rows - 1));
      const cv::Vec3b now = frame.at<cv::Vec3b>(at);
      const cv::Vec3b then = view.picture.at<cv::Vec3b>(
          corner + cv::Point(static_cast<int>(u * kSide), static_cast<int>(v * kSide)));
      for (int k = 0; k < 3; ++k) {
        differences[static_cast<std::size_t>(k)][static_cast<std::size_t>(i)] = now[k] - then[k];
      }
    }
    bool differs = false;
    for (auto& d : differences) {
      const auto middle = d.begin() + d.size() / 2;
      std::nth_element(d.begin(), middle, d.end());
      differs |= std::abs(*middle) > kLevels;
    }
    ++looked_at;
    other += differs ? 1 : 0;
  }
  return other > kMost * looked_at;
}

// The cells of the lattice from one corner to the other, both among them.
struct CellRange {
  LatticeCell low, high;
};

CellRange RangeOf(const std::vector<NamedTile>& tiles) {
  CellRange range{tiles.front().cell, tiles.front().cell};
  for (const NamedTile& tile : tiles) {
    range.low = {std::min(range.low.x, tile.cell.x), std::min(range.low.y, tile.cell.y)};
    range.high = {std::max(range.high.x, tile.cell.x), std::max(range.high.y, tile.cell.y)};
  }
  return range;
}

// What the picture shows of the table around these cells.
CellRange InPicture(const CellRange& board, cv::Size frame, const TablePlane& plane) {
  const cv::Matx33d px_from_lattice = plane.px_from_lattice;
  const auto shows = [&](int x, int y) {
    const cv::Vec3d at = px_from_lattice * cv::Vec3d(x + 0.5, y + 0.5, 1);
    const cv::Vec3d middle = px_from_lattice * cv::Vec3d(board.low.x + 0.5, board.low.y + 0.5, 1);
    if (at[2] * middle[2] <= 0) return false;  // beyond the horizon
    return cv::Rect2d(0, 0, frame.width, frame.height)
        .contains(cv::Point2d(at[0] / at[2], at[1] / at[2]));
  };
  CellRange range = board;
  for (int y = board.low.y - kFarthestBeside; y <= board.high.y + kFarthestBeside; ++y) {
    for (int x = board.low.x - kFarthestBeside; x <= board.high.x + kFarthestBeside; ++x) {
      if (!shows(x, y)) continue;
      range.low = {std::min(range.low.x, x), std::min(range.low.y, y)};
      range.high = {std::max(range.high.x, x), std::max(range.high.y, y)};
    }
  }
  return range;
}

}  // namespace

void BoardView::Away(int x, int y, int count, const ColourRow& colours, float* out) const {
  constexpr int kBlock = 64;  // places at a time, in buffers on the stack
  std::array<float, kBlock> other{}, a{}, b{}, c{}, d{}, e{}, f{};
  const ColourRow mean = {a.data(), b.data(), c.data()}, spread = {d.data(), e.data(), f.data()};
  for (int from = 0; from < count; from += kBlock) {
    const int n = std::min(kBlock, count - from);
    const ColourRow seen_here = {colours[0] + from, colours[1] + from, colours[2] + from};
    const uchar* tile = on_tile.ptr<uchar>(y) + x + from;
    const uchar* print = known.ptr<uchar>(y) + x + from;
    const int tiles = cv::countNonZero(cv::Mat(1, n, CV_8U, const_cast<uchar*>(tile)));
    const int prints = cv::countNonZero(cv::Mat(1, n, CV_8U, const_cast<uchar*>(print)));
    if (tiles > 0) {
      DistanceFromShadowedPrint(seen_here, RowOf(expected, y, x + from), n, out + from);
    }
    if (tiles > prints) {
      const auto fill = [n](std::array<float, kBlock>& row, float value) {
        std::fill_n(row.begin(), n, value);
      };
      fill(a, seam_mean[0]), fill(b, seam_mean[1]), fill(c, seam_mean[2]);
      fill(d, seam_spread[0]), fill(e, seam_spread[1]), fill(f, seam_spread[2]);
      DistanceInSpreads(seen_here, mean, spread, n, other.data());
      for (int i = 0; i < n; ++i) {
        const float seam = std::min(out[from + i], other[static_cast<std::size_t>(i)]);
        out[from + i] = print[i] ? out[from + i] : seam;
      }
    }
    if (tiles < n) {
      table.Around(x + from, y, n, {a.data(), b.data(), c.data(), d.data(), e.data(), f.data()});
      DistanceInSpreads(seen_here, mean, spread, n, other.data());
      for (int i = 0; i < n; ++i) {
        out[from + i] = tile[i] ? out[from + i] : other[static_cast<std::size_t>(i)];
      }
    }
  }
}

BoardView ViewBoard(const cv::Mat& frame, const std::vector<NamedTile>& tiles,
                    const TablePlane& plane, const cv::Mat& hand_mask, FigureGround ground) {
  BoardView view;
  if (tiles.empty() || frame.empty()) return view;
  auto [low, high] = RangeOf(tiles);
  if (ground == FigureGround::kBesideTiles) {
    const CellRange shown = InPicture({low, high}, frame.size(), plane);
    low = shown.low;
    high = shown.high;
  }
  if (high.x - low.x >= kLargestCells || high.y - low.y >= kLargestCells) return view;
  view.first = {low.x - 1, low.y - 1};
  view.cells_x = high.x - low.x + 3;
  view.cells_y = high.y - low.y + 3;
  view.plane = plane;
  const cv::Size size(view.cells_x * kSide, view.cells_y * kSide);
  view.picture.create(size, CV_8UC3);
  view.known.create(size, CV_8U);
  view.on_tile.create(size, CV_8U);
  view.covered = cv::Mat::zeros(size, CV_8U);
  view.hand = !hand_mask.empty();
  if (view.hand) {
    const double sx = static_cast<double>(hand_mask.cols) / frame.cols;
    const double sy = static_cast<double>(hand_mask.rows) / frame.rows;
    const cv::Matx33d mask_from_px(sx, 0, 0.5 * sx - 0.5, 0, sy, 0.5 * sy - 0.5, 0, 0, 1);
    cv::warpPerspective(hand_mask, view.covered, mask_from_px * view.PxFromView(), size,
                        cv::INTER_NEAREST | cv::WARP_INVERSE_MAP);
  }
  const bool by_pictures = std::any_of(
      tiles.begin(), tiles.end(), [](const NamedTile& tile) { return !tile.expected.empty(); });
  if (by_pictures) {
    for (ColourPlanes* planes : {&view.seen, &view.reference, &view.expected}) {
      for (cv::Mat& channel : *planes) channel.create(size, CV_32F);
    }
  }
  const auto by_cell = ByCell(tiles);
  cv::parallel_for_(cv::Range(0, view.cells_x * view.cells_y), [&](const cv::Range& range) {
    for (int i = range.start; i < range.end; ++i) {
      const LatticeCell cell{view.first.x + i % view.cells_x, view.first.y + i / view.cells_x};
      const auto tile = by_cell.find(cell);
      ViewCell(frame, cell, tile == by_cell.end() ? nullptr : tile->second, view);
    }
  });
  if (!by_pictures) {
    view.light = FigureLight::OfTiles(view.picture, view.on_tile, view.covered);
    return view;
  }
  if (ground == FigureGround::kSheet) view.covered |= view.on_tile == 0;
  const cv::Rect whole({}, size);
  view.light = FigureLight::Fit(view.seen, view.reference, view.known, view.covered);
  view.light.Apply(view.reference, whole, view.expected);
  view.difference.create(size, CV_32F);
  view.away.create(size, CV_32F);
  Compare(whole, view);
  view.noise = MedianDifference(view);
  view.table = BareTable::Learn(view.picture, (view.on_tile == 0) & (view.covered == 0), 2 * kSide);
  LearnSeams(view);
  SeeWhatIsAway(whole, view);
  return view;
}

bool ViewAgain(const cv::Mat& frame, const std::vector<NamedTile>& tiles,
               const std::set<LatticeCell>& changed, const std::set<LatticeCell>& beside,
               BoardView& view) {
  const cv::Rect inside(view.first.x + 1, view.first.y + 1, view.cells_x - 2, view.cells_y - 2);
  for (const NamedTile& tile : tiles) {
    if (!inside.contains({tile.cell.x, tile.cell.y})) return false;
  }
  if (view.picture.empty() || LightChanged(frame, tiles, changed, view)) return false;
  const auto by_cell = ByCell(tiles);
  std::set<LatticeCell> cells = changed;
  cells.insert(beside.begin(), beside.end());
  std::erase_if(cells, [&](const LatticeCell& cell) {
    return (view.Of(cell) & cv::Rect({}, view.size())) != view.Of(cell);
  });
  for (const LatticeCell& cell : cells) {
    const auto tile = by_cell.find(cell);
    ViewCell(frame, cell, tile == by_cell.end() ? nullptr : tile->second, view);
  }
  if (view.seen[0].empty()) return true;
  for (const LatticeCell& cell : cells) {
    const cv::Rect area = view.Of(cell);
    if (changed.contains(cell))
      view.light.FitAgain(view.seen, view.reference, view.known, view.covered, area);
    view.light.Apply(view.reference, area, view.expected);
    Compare(area, view);
    SeeWhatIsAway(area, view);
  }
  return true;
}

}  // namespace tilewarden::vision
