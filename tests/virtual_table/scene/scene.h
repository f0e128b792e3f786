// What lies on the table and how it is seen: all that a picture is made from.
// Plain values; the same scene gives the same picture.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/referee/sighting.h"
#include "engine/tiles/tile_set.h"
#include "opencv2/core.hpp"
#include "tests/virtual_table/picture/camera.h"
#include "tests/virtual_table/picture/lighting.h"
#include "tests/virtual_table/picture/mesh.h"
#include "tests/virtual_table/picture/texture.h"

namespace tilewarden::virtual_table {

struct Card {
  int type = -1;  // index in the tile set; -1: face down
  int copy = 0;
  Stand stand;  // of its bottom; yaw of the canonical picture's upper side
};

struct Figure {
  std::string colour;
  bool lying = false;
  Stand stand;
  engine::FigureKind kind = engine::FigureKind::kFollower;
  bool of_card = false;  // the Ark that is no wooden piece
};

enum class PropKind {
  kMug,
  kPhone,
  kPen,
  kPage,
  kScoreSheet,
  kScoreTrack,
  kDie,
  kCoin,
  kBead,
  kFinger
};

// A page of rules.
inline const cv::Size2d kPage_mm = {148, 210};

struct Prop {
  PropKind kind = PropKind::kMug;
  Stand stand;
  cv::Vec3f colour{0.1F, 0.1F, 0.1F};
};
// Name in truth files, and the radius that it needs on the table.
std::string NameOf(PropKind kind);
double RadiusOf(PropKind kind);

// The sensor and the lens behind the camera's geometry.
struct Sensor {
  double white = 0.82;     // how bright a white card in the middle comes out, 0 to 1
  double noise = 1.5;      // standard deviation, of 255
  double vignette = 0.15;  // light lost in the corners
  double blur_px = 0.5;    // standard deviation
  int jpeg_quality = 92;
};

struct Scene {
  TableCamera camera;
  // The part of the table that is drawn, mm; empty: what the camera sees, and some more.
  cv::Rect2d area_mm;
  Lights lights;
  TableKind table = TableKind::kWood;
  std::uint64_t table_seed = 1;
  float table_gloss = 0.03F, card_gloss = 0.08F;
  Sensor sensor;
  std::vector<Card> cards;
  std::vector<Figure> figures;
  std::vector<Prop> props;
};

// Paint of wooden figures, linear blue green red. Unknown names are grey.
cv::Vec3f FigurePaint(const std::string& colour);

// A printed box, painted as its tiles are asked for.
class TileBox {
 public:
  TileBox(std::shared_ptr<const engine::TileSet> tiles, std::uint64_t box);

  const engine::TileSet& tiles() const { return *tiles_; }
  const std::shared_ptr<const engine::TileSet>& shared_tiles() const { return tiles_; }
  std::uint64_t box() const { return box_; }
  // Picture of a copy, or the back for type -1.
  std::shared_ptr<const Texture> Face(int type, int copy);

 private:
  std::shared_ptr<const engine::TileSet> tiles_;
  std::uint64_t box_;
  std::map<std::pair<int, int>, std::shared_ptr<const Texture>> faces_;
};

Shape Build(const Card& card, TileBox* box, float gloss, bool on_table = true);
Shape Build(const Figure& figure);
Shape Build(const Prop& prop);

}  // namespace tilewarden::virtual_table
