// Labelled photographs and rendered tables as patches for the naming network, each with what lies
// there in truth.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "nlohmann/json.hpp"
#include "opencv2/core.hpp"

namespace tilewarden::vision {

struct Labelled {
  std::string picture;
  std::string tile;   // plain type; empty: no tile lies here
  std::string edges;  // n e s w as cut
  bool figure = false;
  cv::Mat patch;
  bool between = false;  // no tile, but half of one at least
};

nlohmann::json LoadJson(const std::filesystem::path& path);

// The tiles of a photograph, and places beside the board and between them.
std::vector<Labelled> LabelledPhotograph(const std::filesystem::path& labels_path);

// The rendered tables' letters have their own upright, which `art.json` tells.
std::vector<Labelled> LabelledRendering(const std::filesystem::path& truth,
                                        const nlohmann::json& tiles, const cv::Mat& picture);

// Squares of about a tile's size anywhere in the picture, in any turn, that lie on none of its
// tiles (a twelfth of one at most).
std::vector<cv::Mat> SquaresWithoutTile(const cv::Mat& picture, const nlohmann::json& tiles,
                                        std::size_t count, cv::RNG& rng);

}  // namespace tilewarden::vision
