#include "tests/virtual_table/scene/scene.h"

#include "calibration/print/score_track.h"
#include "services/boxes/printable_set.h"
#include "tests/virtual_table/scene/clutter.h"
#include "tests/virtual_table/scene/score_track.h"
#include "tests/virtual_table/scene/wooden_figures.h"

namespace tilewarden::virtual_table {
namespace {

constexpr int kFaceSide_px = 384;

std::shared_ptr<const Texture> PrintedTrack() {
  constexpr double kPx_per_mm = 5;
  static const auto printed = std::make_shared<const Texture>(
      calibration::PaintScoreTrack(calibration::Paper::kA4, kPx_per_mm));
  return printed;
}

// Dark on light dice, white on dark ones.
cv::Vec3f PipsOn(const cv::Vec3f& colour) {
  constexpr float kLight = 0.35F;
  return colour[1] > kLight ? LinearBgr(24, 24, 26) : LinearBgr(236, 234, 228);
}

}  // namespace

std::string NameOf(PropKind kind) {
  switch (kind) {
    case PropKind::kMug:
      return "mug";
    case PropKind::kPhone:
      return "phone";
    case PropKind::kPen:
      return "pen";
    case PropKind::kPage:
      return "rules";
    case PropKind::kScoreTrack:
      return "score-track";
    case PropKind::kDie:
      return "die";
    case PropKind::kCoin:
      return "coin";
    case PropKind::kBead:
      return "bead";
    case PropKind::kFinger:
      return "finger";
    case PropKind::kScoreSheet:
      break;
  }
  return "score";
}

double RadiusOf(PropKind kind) {
  switch (kind) {
    case PropKind::kMug:
      return 75;
    case PropKind::kPhone:
      return 90;
    case PropKind::kPen:
      return 75;
    case PropKind::kPage:
      return 130;
    case PropKind::kScoreTrack:
      return 182;
    case PropKind::kDie:
      return kDie_mm * 0.71;
    case PropKind::kCoin:
      return kCoin_mm / 2;
    case PropKind::kBead:
      return kBead_mm / 2;
    case PropKind::kFinger:
      return kFingerLength_mm;
    case PropKind::kScoreSheet:
      break;
  }
  return 150;
}

cv::Vec3f FigurePaint(const std::string& colour) {
  static const std::map<std::string, cv::Vec3f> paints = {
      {"red", LinearBgr(196, 26, 30)},     {"blue", LinearBgr(28, 66, 166)},
      {"green", LinearBgr(36, 128, 52)},   {"yellow", LinearBgr(238, 186, 28)},
      {"black", LinearBgr(36, 35, 38)},    {"pink", LinearBgr(232, 92, 152)},
      {"white", LinearBgr(232, 228, 216)}, {"orange", LinearBgr(232, 112, 24)},
      {"purple", LinearBgr(110, 58, 150)}, {"grey", LinearBgr(128, 128, 130)},
      {"brown", LinearBgr(124, 74, 38)},   {"wood", LinearBgr(206, 166, 112)}};
  const auto it = paints.find(colour);
  return it != paints.end() ? it->second : paints.at("grey");
}

TileBox::TileBox(std::shared_ptr<const engine::TileSet> tiles, std::uint64_t box)
    : tiles_(std::move(tiles)), box_(box) {}

std::shared_ptr<const Texture> TileBox::Face(int type, int copy) {
  auto& face = faces_[{type, type < 0 ? 0 : copy}];
  if (face == nullptr) {
    const cv::Mat picture =
        type < 0 ? calibration::PaintBack({.seed = box_, .side_px = kFaceSide_px})
                 : services::PaintCopy(tiles_->types()[static_cast<std::size_t>(type)], copy, box_,
                                       kFaceSide_px);
    face = std::make_shared<const Texture>(picture);
  }
  return face;
}

Shape Build(const Card& card, TileBox* box, float gloss, bool on_table) {
  return MakeCard(card.stand, box->Face(card.type, card.copy), on_table, gloss);
}

Shape Build(const Figure& figure) {
  if (figure.of_card) return MakeArkCard(figure.stand);
  return MakeFigure(figure.stand, FigurePaint(figure.colour), figure.lying, figure.kind);
}

Shape Build(const Prop& prop) {
  switch (prop.kind) {
    case PropKind::kMug:
      return MakeMug(prop.stand, prop.colour);
    case PropKind::kPhone:
      return MakePhone(prop.stand);
    case PropKind::kPen:
      return MakePen(prop.stand, prop.colour);
    case PropKind::kPage:
      return MakeSheet(prop.stand, kPage_mm, std::make_shared<const Texture>(MakePage(7)));
    case PropKind::kScoreTrack:
      return MakeSheet(prop.stand, kTrackSheet_mm, PrintedTrack());
    case PropKind::kDie:
      return MakeDie(prop.stand, prop.colour, PipsOn(prop.colour));
    case PropKind::kCoin:
      return MakeCoin(prop.stand, prop.colour);
    case PropKind::kBead:
      return MakeBead(prop.stand, prop.colour);
    case PropKind::kFinger:
      return MakeFinger(prop.stand, prop.colour);
    case PropKind::kScoreSheet:
      break;
  }
  return MakeSheet(prop.stand, {250, 175}, std::make_shared<const Texture>(MakeScoreSheet()));
}

}  // namespace tilewarden::virtual_table
