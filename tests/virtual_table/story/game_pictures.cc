#include "tests/virtual_table/story/game_pictures.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

#include "tests/virtual_table/picture/renderer.h"
#include "tests/virtual_table/scene/reach.h"
#include "tests/virtual_table/scene/wooden_figures.h"

namespace tilewarden::virtual_table {
namespace {

using engine::Cell;
using engine::SimulatedTable;
using nlohmann::json;

// Share of turns in which the tile is tried out first, turned or beside another one, and
// seen on its way; and of figures that are fiddled with when they are set.
constexpr double kTriedOut = 0.25, kOnItsWay = 0.25, kFiddled = 0.2;
constexpr double kHover_mm = 5, kIdle_mm = 24;
// At hostile tables: how often a hand lingers, for how many looks at most, and how far away.
constexpr double kLingers = 0.3, kAway_mm = 30;
constexpr int kMostLooks = 3;

bool Same(const SimulatedTable::Tile& a, const SimulatedTable::Tile& b) {
  return a.cell == b.cell && a.tile == b.tile && a.rotation == b.rotation;
}

bool Same(const SimulatedTable::Figure& a, const SimulatedTable::Figure& b) {
  return a.cell == b.cell && a.segment == b.segment && a.colour == b.colour && a.lying == b.lying;
}

// What lies on this cell in one list and not in the other.
template <typename Thing>
std::optional<Thing> Only(const std::vector<Thing>& in, const std::vector<Thing>& not_in,
                          Cell cell) {
  for (const Thing& thing : in) {
    if (thing.cell != cell) continue;
    if (std::none_of(not_in.begin(), not_in.end(),
                     [&](const Thing& other) { return Same(thing, other); })) {
      return thing;
    }
  }
  return std::nullopt;
}

bool operator==(const Stand& a, const Stand& b) { return a.at == b.at && a.yaw_rad == b.yaw_rad; }
bool SameThing(const Card& a, const Card& b) {
  return a.type == b.type && a.copy == b.copy && a.stand == b.stand;
}
bool SameThing(const Figure& a, const Figure& b) {
  return a.colour == b.colour && a.lying == b.lying && a.stand == b.stand;
}

// Shows a story's moments, frame by frame.
class Pictures {
 public:
  Pictures(const WholeGamePlan& plan, const Story& story, Scene scene, LaidTable table,
           TileBox* box, const FrameSink& sink)
      : plan_(plan),
        story_(story),
        scene_(std::move(scene)),
        table_(std::move(table)),
        box_(box),
        sink_(sink),
        reach_(scene_, story.game[0].players().size(), box,
               plan.hostile ? HostileHands(plan.story.seed) : UsualHands()),
        renderer_(std::make_unique<Renderer>(scene_, box)),
        rng_(plan.story.seed * 977 + 5) {
    rng_.next();
  }

  json Show(const Nudge& nudge, const Lights& other_light) {
    const std::size_t count = story_.moments.size();
    const std::size_t bump = plan_.bump ? SettledNear(count / 4) : count;
    const std::size_t lamp = plan_.lamp ? SettledNear(count / 2) : count;
    const std::size_t push = plan_.push ? SettledNear(count * 5 / 8) : count;
    for (std::size_t i = 0; i < count; ++i) {
      at_ = i;
      first_frame_.push_back(frame_);
      if (i == bump) Bump(nudge);
      if (i == push) Push();
      table_.Take(story_.moments[i]);
      if (i == lamp) SwitchLamp(other_light);
      Settle();
      if (story_.moments[i].hand) {
        ShowHand(*story_.moments[i].hand);
      } else {
        Emit({}, true, "look");
      }
    }
    json mistakes = json::array();
    for (const StoryMistake& mistake : story_.mistakes) {
      mistakes.push_back({{"kind", mistake.kind},
                          {"codes", mistake.codes},
                          {"made_frame", first_frame_[mistake.made]},
                          {"plain_frame", first_frame_[mistake.plain]},
                          {"over_frame", first_frame_[mistake.over]}});
    }
    return {{"mistakes", mistakes}, {"events", events_}, {"frame_count", frame_}};
  }

 private:
  // A settled moment by chance in the quarter of the game after this one.
  std::size_t SettledNear(std::size_t from) {
    std::size_t i = from + static_cast<std::size_t>(rng_.uniform(
                               0, std::max(1, static_cast<int>(story_.moments.size() / 4))));
    while (i + 1 < story_.moments.size() && story_.moments[i].hand) ++i;
    return i;
  }

  // Something happens to the table as a whole while nobody plays; all is drawn anew.
  void Anew(const char* what) {
    events_.push_back({{"what", what}, {"frame", frame_}});
    renderer_ = std::make_unique<Renderer>(scene_, box_);
    drawn_ = false;
  }
  void Bump(const Nudge& nudge) {
    scene_.camera = scene_.camera.Moved(nudge);
    Anew("camera bumped");
  }
  void SwitchLamp(const Lights& other) {
    // A webcam takes a moment to suit the new light: one look is too bright or too dark.
    const double before = renderer_->exposure();
    scene_.lights = other;
    Anew("lamp switched");
    Settle();
    const double suits = renderer_->exposure();
    renderer_->set_exposure(std::sqrt(before * suits));
    Emit({}, true, "lamp just switched");
    renderer_->set_exposure(suits);
  }
  void Push() {
    events_.push_back({{"what", "board pushed"}, {"frame", frame_}});
    const double direction = rng_.uniform(0.0, 2 * std::numbers::pi);
    const double by_mm = rng_.uniform(5.0, 12.0);
    table_.Push({by_mm * std::cos(direction), by_mm * std::sin(direction)},
                rng_.uniform(-0.02, 0.02));
    drawn_ = false;
  }

  // Draws what has changed since.
  void Settle() {
    std::vector<Card> cards = scene_.cards;
    cards.insert(cards.end(), table_.cards().begin(), table_.cards().end());
    std::vector<Figure> figures = table_.figures();
    if (!drawn_) {
      renderer_->Settle(cards, figures, scene_.props);
    } else {
      std::vector<Shape> changed;
      const auto compare = [&](const auto& is, const auto& was, const auto& build) {
        for (const auto& [in, not_in] : {std::pair{&is, &was}, std::pair{&was, &is}}) {
          for (const auto& thing : *in) {
            if (std::none_of(not_in->begin(), not_in->end(),
                             [&](const auto& other) { return SameThing(thing, other); })) {
              changed.push_back(build(thing));
            }
          }
        }
      };
      compare(cards, cards_, [&](const Card& card) {
        return Build(card, box_, scene_.card_gloss, card.stand.at[2] < 0.1);
      });
      compare(figures, figures_, [](const Figure& figure) { return Build(figure); });
      if (!changed.empty()) renderer_->Settle(cards, figures, scene_.props, changed);
    }
    drawn_ = true;
    cards_ = std::move(cards);
    figures_ = std::move(figures);
  }

  void Emit(const Shape& moving, bool settled, const char* what) {
    const auto noise = static_cast<std::uint64_t>(frame_);
    sink_(moving.meshes.empty() ? renderer_->StillFrame(noise) : renderer_->Frame(moving, noise),
          {frame_, settled, static_cast<int>(at_), what, SpecialFigures()});
    ++frame_;
  }

  std::vector<std::pair<std::string, Cell>> SpecialFigures() const {
    std::vector<std::pair<std::string, Cell>> special;
    for (const SimulatedTable::Figure& figure : story_.moments[at_].figures) {
      if (figure.kind == engine::FigureKind::kFollower) continue;
      special.emplace_back(NameOf(figure.kind), figure.cell);
    }
    return special;
  }

  void ShowHand(Cell cell) {
    const Moment& now = story_.moments[at_];
    const Moment& before = story_.moments[at_ == 0 ? 0 : at_ - 1];
    const Moment& next = story_.moments[std::min(at_ + 1, story_.moments.size() - 1)];
    if (const auto tile = Only(next.tiles, now.tiles, cell);
        tile && !Only(now.tiles, next.tiles, cell)) {
      return BringTile(*tile, now.player);
    }
    if (const auto set = Only(now.figures, before.figures, cell)) {
      SetFigure(*set);
      return Linger(MoverOf(*set), cell, {});
    }
    if (const auto gone = Only(now.figures, next.figures, cell)) return AtFigure(*gone, {}, 0);
    if (const auto gone = Only(now.tiles, next.tiles, cell)) return AtTile(*gone, now.player);
    if (const auto laid = Only(now.tiles, before.tiles, cell)) return AtTile(*laid, now.player);
    if (const auto comes = Only(next.figures, now.figures, cell)) {
      return AtFigure(*comes, table_.FigureFor(*comes), kHover_mm);
    }
    const cv::Point2d over = table_.Middle(cell);
    Emit(reach_.At(now.player, {over.x, over.y, kIdle_mm}, 0, {}), false, "hand over the board");
  }

  void BringTile(const SimulatedTable::Tile& tile, int player) {
    const Card card = table_.CardFor(tile);
    const cv::Vec3d tip = reach_.TipFor(player, card);
    if (rng_.uniform(0.0, 1.0) < kOnItsWay) {
      const cv::Vec3d home = reach_.Home(player);
      cv::Vec3d way = home + (tip - home) * rng_.uniform(0.35, 0.7);
      way[2] = 30;
      Emit(reach_.At(player, way, rng_.uniform(-0.4, 0.4), {card, {}}), false,
           "hand brings the tile");
    }
    if (rng_.uniform(0.0, 1.0) < kTriedOut) {
      SimulatedTable::Tile turned = tile;
      turned.rotation = (tile.rotation + 1 + rng_.uniform(0, 3)) & 3;
      Emit(reach_.At(player, tip + cv::Vec3d(0, 0, rng_.uniform(0.0, kHover_mm)), 0,
                     {table_.CardFor(turned), {}}),
           false, "hand tries the tile out");
    }
    Linger(player, tile.cell, {card, {}});
    Emit(reach_.At(player, tip, 0, {card, {}}), false, "hand lays the tile");
  }
  // The hand stays where it was, a little back, with what it holds, while people think.
  void Linger(int player, Cell cell, const Carried& carried) {
    if (!plan_.hostile || rng_.uniform(0.0, 1.0) > kLingers) return;
    const cv::Point2d over = table_.Middle(cell);
    cv::Vec3d back = reach_.Home(player) - cv::Vec3d(over.x, over.y, 0);
    back[2] = 0;
    back *= kAway_mm / std::max(1.0, cv::norm(back));
    for (int look = rng_.uniform(1, kMostLooks + 1); look > 0; --look) {
      const cv::Vec3d tip = cv::Vec3d(over.x, over.y, kIdle_mm) + back +
                            cv::Vec3d(rng_.gaussian(1.0), rng_.gaussian(1.0), 0);
      Emit(reach_.At(player, tip, 0.2, carried), false, "hand lingers");
    }
  }
  void AtTile(const SimulatedTable::Tile& tile, int player) {
    Emit(reach_.At(player, reach_.TipFor(player, table_.CardFor(tile)), 0, {}), false,
         "hand at a tile");
  }
  void SetFigure(const SimulatedTable::Figure& figure) {
    AtFigure(figure, {}, 0);
    if (rng_.uniform(0.0, 1.0) > kFiddled) return;
    table_.Fiddle(figure);
    table_.Take(story_.moments[at_]);
    Settle();
    AtFigure(figure, {}, 0);
  }
  // Figures that belong to nobody are moved by whose turn it is.
  int MoverOf(const SimulatedTable::Figure& figure) const {
    return figure.colour.empty() ? story_.moments[at_].player : table_.PlayerOf(figure.colour);
  }
  void AtFigure(const SimulatedTable::Figure& figure, const std::optional<Figure>& carried,
                double lift_mm) {
    const cv::Vec3d tip = Reach::TipFor(table_.FigureFor(figure)) + cv::Vec3d(0, 0, lift_mm);
    Emit(reach_.At(MoverOf(figure), tip, 0, {{}, carried}), false, "hand at a figure");
  }

  const WholeGamePlan& plan_;
  const Story& story_;
  Scene scene_;
  LaidTable table_;
  TileBox* box_;
  const FrameSink& sink_;
  Reach reach_;
  std::unique_ptr<Renderer> renderer_;
  cv::RNG rng_;
  bool drawn_ = false;
  std::vector<Card> cards_;
  std::vector<Figure> figures_;
  std::size_t at_ = 0;  // moment
  int frame_ = 0;
  std::vector<int> first_frame_;  // by moment
  json events_ = json::array();
};

}  // namespace

json ShowGame(const WholeGamePlan& plan, const Story& story, Scene scene, LaidTable table,
              TileBox* box, const FrameSink& sink, const Nudge& nudge, const Lights& other_light) {
  Pictures pictures(plan, story, std::move(scene), std::move(table), box, sink);
  return pictures.Show(nudge, other_light);
}

}  // namespace tilewarden::virtual_table
