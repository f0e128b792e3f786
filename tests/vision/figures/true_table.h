// Rendered tables as their truth has them: tiles with their true corners and names, and the
// pictures of their types.
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "nlohmann/json.hpp"
#include "opencv2/core.hpp"
#include "vision/picture/named_tile.h"
#include "vision/picture/table_plane.h"
#include "vision/sighting.h"

namespace tilewarden::vision {

nlohmann::json LoadJson(const std::filesystem::path& path);
cv::Point2f PointOf(const nlohmann::json& point);
std::array<cv::Point2f, 4> CornersOf(const nlohmann::json& corners);

// Cut out of the picture of the types, whose truth this is.
std::map<std::string, cv::Mat> LoadReferences(const std::filesystem::path& types, const char* name,
                                              const char* corners);

// One tile of the truth: its corners in the order of its canonical picture.
struct TrueTile {
  LatticeCell cell;
  std::string name;
  int rotation = 0;
  std::array<cv::Point2f, 4> corners_px;
};

// Tiles as if somebody had named them without a mistake, and where they lie.
struct Table {
  std::vector<NamedTile> tiles;
  TablePlane plane;
};

Table TableOf(const std::vector<TrueTile>& tiles, const std::map<std::string, cv::Mat>& references);

struct VirtualStill {
  nlohmann::json truth;
  Table table;
  cv::Mat picture;
};

// types, still: the truth of pictures of our own virtual table, which lie beside
// it; the types of a box in rows, and a board of that box.
VirtualStill LoadVirtualStill(const std::filesystem::path& types,
                              const std::filesystem::path& still);

}  // namespace tilewarden::vision
