#include "tests/virtual_table/story/director.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace tilewarden::virtual_table {
namespace {

constexpr double kHoverHeight_mm = 26;

cv::Vec3d Mixed(const cv::Vec3d& a, const cv::Vec3d& b, double t) { return a + (b - a) * t; }

double Eased(double t) { return t * t * (3 - 2 * t); }

}  // namespace

Director::Director(const RecordingPlan& plan, Scene scene, std::vector<std::vector<Figure>> supply,
                   TileBox* box, FrameSink sink)
    : plan_(plan),
      scene_(std::move(scene)),
      supply_(std::move(supply)),
      vacated_(supply_.size()),
      sink_(std::move(sink)),
      renderer_(scene_, box),
      reach_(scene_, supply_.size(), box) {
  cards_ = scene_.cards;
  Settle();
}

void Director::Settle() {
  if (!IsDrawn()) return;
  std::vector<Figure> figures = figures_;
  for (const auto& supply : supply_) figures.insert(figures.end(), supply.begin(), supply.end());
  renderer_.Settle(cards_, figures, scene_.props);
}

void Director::LayAtOnce(const Card& card) {
  cards_.push_back(card);
  Settle();
}

void Director::SetAtOnce(const Figure& figure) {
  figures_.push_back(figure);
  Settle();
}

void Director::MoveFigure(int player, const Figure& from, const Figure& to) {
  const std::string what = "hand moves a marker";
  const int way = std::max(1, plan_.way_frames - 2);
  Travel(player, reach_.Home(player), Reach::TipFor(from), way, kHoverHeight_mm, {}, what);
  LiftFigure(from);
  Travel(player, Reach::TipFor(from), Reach::TipFor(to), way, kHoverHeight_mm, {std::nullopt, to},
         what);
  SetAtOnce(to);
  Travel(player, Reach::TipFor(to), reach_.Home(player), way, kHoverHeight_mm, {}, "hand leaves");
}

void Director::LiftFigure(const Figure& figure) {
  std::erase_if(figures_, [&](const Figure& f) {
    return f.colour == figure.colour && cv::norm(f.stand.at - figure.stand.at) < 1e-3;
  });
  Settle();
}

void Director::Look(int look, int count) {
  const bool was_drawn = IsDrawn();
  next_look_ = look;
  if (IsDrawn() && !was_drawn) Settle();
  for (int i = 0; i < count; ++i) {
    cv::Mat frame;
    if (IsDrawn()) frame = renderer_.Frame({}, static_cast<std::uint64_t>(frame_));
    sink_(frame, {frame_, true, look, "look"});
    ++frame_;
  }
}

void Director::Show(int player, const cv::Vec3d& tip, double twist, const Carried& carried,
                    const std::string& what) {
  cv::Mat frame;
  if (IsDrawn()) {
    frame =
        renderer_.Frame(reach_.At(player, tip, twist, carried), static_cast<std::uint64_t>(frame_));
  }
  sink_(frame, {frame_, false, -1, what});
  ++frame_;
}

void Director::Travel(int player, cv::Vec3d from, cv::Vec3d to, int count, double lift,
                      const Carried& carried, const std::string& what) {
  for (int i = 1; i <= count; ++i) {
    const double t = 1.0 * i / (count + 1);
    cv::Vec3d tip = Mixed(from, to, Eased(t));
    tip[2] += lift * std::sin(std::numbers::pi * t);
    Show(player, tip, 0.25 * (1 - Eased(t)), carried, what);
  }
}

void Director::BringTile(int player, const Card& card, bool stay) {
  const std::string what = "hand brings the tile";
  const cv::Vec3d tip = reach_.TipFor(player, card);
  const Carried held{card, std::nullopt};
  Travel(player, reach_.Home(player), tip, plan_.way_frames, kHoverHeight_mm, held, what);
  Show(player, tip, 0, held, what);
  cards_.push_back(card);
  Settle();
  if (!stay) {
    Travel(player, tip, reach_.Home(player), plan_.way_frames - 1, kHoverHeight_mm, {},
           "hand leaves");
  }
  near_ = tip;
}

void Director::TakeTile(int player, const Card& card) {
  const cv::Vec3d tip = reach_.TipFor(player, card);
  Travel(player, reach_.Home(player), tip, plan_.way_frames, kHoverHeight_mm, {},
         "hand takes the tile");
  const auto same = [&](const Card& c) {
    return c.type == card.type && cv::norm(c.stand.at - card.stand.at) < 1e-3;
  };
  cards_.erase(std::remove_if(cards_.begin(), cards_.end(), same), cards_.end());
  Settle();
  const Carried held{card, std::nullopt};
  Show(player, tip, 0, held, "hand takes the tile");
  Travel(player, tip, reach_.Home(player), plan_.way_frames, kHoverHeight_mm, held,
         "hand takes the tile");
}

void Director::SetFigure(int player, const Figure& figure, bool from_near) {
  const std::string what = "hand sets the meeple";
  auto& supply = supply_[static_cast<std::size_t>(player)];
  const Figure taken = supply.back();
  const cv::Vec3d from = Reach::TipFor(taken), to = Reach::TipFor(figure);
  const int way = std::max(1, plan_.way_frames - 1);
  Travel(player, from_near ? near_ : reach_.Home(player), from, way, kHoverHeight_mm, {}, what);
  supply.pop_back();
  vacated_[static_cast<std::size_t>(player)].push_back(taken.stand);
  Settle();
  const Carried held{std::nullopt, figure};
  Travel(player, from, to, way, kHoverHeight_mm, held, what);
  Show(player, to, 0, held, what);
  figures_.push_back(figure);
  Settle();
  Travel(player, to, reach_.Home(player), way, kHoverHeight_mm, {}, "hand leaves");
}

void Director::TakeHome(int player, const std::vector<Figure>& figures) {
  const std::string what = "hand takes figures home";
  const int way = std::max(1, plan_.way_frames - 2);
  cv::Vec3d at = reach_.Home(player);
  for (const Figure& figure : figures) {
    const cv::Vec3d tip = Reach::TipFor(figure);
    Travel(player, at, tip, way + 1, kHoverHeight_mm, {}, what);
    LiftFigure(figure);
    auto& places = vacated_[static_cast<std::size_t>(player)];
    Figure back = figure;
    back.stand = places.back();
    back.lying = frame_ % 3 == 0;
    places.pop_back();
    const cv::Vec3d to = Reach::TipFor(back);
    Figure carried = back;
    Travel(player, tip, to, way + 1, kHoverHeight_mm, {std::nullopt, carried}, what);
    supply_[static_cast<std::size_t>(player)].push_back(back);
    Settle();
    at = to;
  }
  Travel(player, at, reach_.Home(player), way, kHoverHeight_mm, {}, "hand leaves");
}

}  // namespace tilewarden::virtual_table
