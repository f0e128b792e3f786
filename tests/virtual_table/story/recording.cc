#include "tests/virtual_table/story/recording.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "calibration/print/score_track.h"
#include "engine/tiles/tile_layout.h"
#include "tests/virtual_table/scene/score_track.h"
#include "tests/virtual_table/story/director.h"
#include "tests/virtual_table/story/game_truth.h"
#include "tests/virtual_table/story/still.h"
#include "tests/virtual_table/story/truth.h"

namespace tilewarden::virtual_table {
namespace {

using engine::Cell;
using engine::Game;
using nlohmann::json;

Game Fresh(const Game& game) {
  std::vector<std::string> colours;
  for (const auto& player : game.players()) colours.push_back(player.colour);
  return Game(game.shared_tile_set(), game.rules(), colours, game.PlacedTiles()[0].rotation);
}

// Where the next tile plainly does not fit: on the board's own ground, beside a
// tile, with as many edges wrong as can be.
std::optional<engine::Turn> WrongTurn(const Game& game, const engine::Turn& right,
                                      const BoardExtent& extent) {
  std::optional<engine::Turn> best;
  int most = 0;
  const auto& types = game.tile_set().types();
  for (const auto& laid : game.PlacedTiles()) {
    for (const engine::Side side : engine::kSides) {
      const Cell cell = engine::Neighbour(laid.cell, side);
      if (game.TileAt(cell) != nullptr || cell == right.cell) continue;
      if (std::abs(cell.x - extent.middle_x) > extent.columns / 2.0 ||
          std::abs(cell.y - extent.middle_y) > extent.rows / 2.0) {
        continue;
      }
      for (int rotation = 0; rotation < 4; ++rotation) {
        engine::Turn turn = right;
        turn.cell = cell;
        turn.rotation = rotation;
        turn.deployment.reset();
        const auto refusal = game.Check(turn);
        if (!refusal.has_value() || refusal->code != "edge-mismatch") continue;
        int wrong = 0;
        for (int s = 0; s < 4; ++s) {
          const auto* other = game.TileAt(engine::Neighbour(cell, static_cast<engine::Side>(s)));
          if (other == nullptr) continue;
          const char mine = types[static_cast<std::size_t>(turn.tile)]
                                .edges[static_cast<std::size_t>((s - rotation + 4) & 3)];
          const char theirs =
              types[static_cast<std::size_t>(other->tile)]
                  .edges[static_cast<std::size_t>((s + 2 - other->rotation + 4) & 3)];
          wrong += mine != theirs;
        }
        if (wrong > most) {
          most = wrong;
          best = turn;
        }
      }
    }
  }
  return best;
}

constexpr double kTrackGap_mm = 30;  // between board and score track

bool Contains(const std::vector<int>& numbers, int number) {
  return std::find(numbers.begin(), numbers.end(), number) != numbers.end();
}

// Keeps the truth of a recording while it is played.
class Recorder {
 public:
  Recorder(const RecordingPlan& plan, const Game& game, const Scene& scene, const HandLaid& hand,
           const TileBox& box, Director* director)
      : plan_(plan),
        scene_(scene),
        hand_(hand),
        box_(box),
        director_(director),
        now_(Fresh(game)) {}

  json Play(const Game& game, const BoardExtent& extent) {
    const auto start = now_.PlacedTiles()[0];
    AddTile(hand_.Lay(start, copies_[start.tile]++));
    director_->LayAtOnce(tiles_.back().card);
    if (plan_.score_track) {
      markers_ = Markers();
      for (const Figure& marker : markers_) director_->SetAtOnce(marker);
    }
    Look("start", plan_.look_frames + 4);
    for (std::size_t i = 0; i < game.turns().size(); ++i) {
      PlayTurn(game.turns()[i], static_cast<int>(i) + 1, extent);
    }
    Look("end", plan_.look_frames);
    truth_["tiles"] = tile_truth_;
    truth_["meeples"] = figure_truth_;
    truth_["looks"] = looks_;
    truth_["turns"] = turns_;
    truth_["mistakes"] = mistakes_;
    truth_["final"] = FinalTruth(now_);
    truth_["frame_count"] = director_->frames();
    return truth_;
  }

 private:
  void PlayTurn(const engine::Turn& turn, int number, const BoardExtent& extent) {
    const int copy = copies_[turn.tile]++;
    if (Contains(plan_.mistakes, number)) LayWrongly(turn, number, copy, extent);
    const TileOnBoard tile =
        hand_.Lay({turn.tile, turn.cell, turn.rotation, number, turn.player}, copy);
    const bool late = turn.deployment.has_value() && Contains(plan_.late_figures, number);
    director_->BringTile(turn.player, tile.card, turn.deployment.has_value() && !late);
    AddTile(tile);
    engine::Refusal refusal;
    const auto outcome = now_.Apply(turn, &refusal);
    if (late) Look("tile laid, figure not yet set", plan_.look_frames);
    if (turn.deployment.has_value()) {
      const FigureOnBoard figure =
          hand_.Set({turn.player, turn.deployment->kind, turn.cell, turn.deployment->segment},
                    now_.players()[static_cast<std::size_t>(turn.player)].colour, tile);
      director_->SetFigure(turn.player, figure.thing, !late);
      AddFigure(figure, tile);
    }
    turns_.push_back(TurnTruth(now_, turn, number, *outcome));
    turns_.back()["late_figure"] = late;
    Look(outcome->returned.empty() ? "turn played" : "turn played, figures not yet home",
         plan_.look_frames);
    turns_.back()["look"] = looks_.size() - 1;
    if (!outcome->returned.empty()) TakeHome(*outcome);
    if (plan_.score_track && !Contains(plan_.forgotten, number)) MoveMarkers();
  }

  void TakeHome(const engine::Outcome& outcome) {
    for (std::size_t p = 0; p < now_.players().size(); ++p) {
      std::vector<Figure> home;
      for (const auto& back : outcome.returned) {
        if (back.player != static_cast<int>(p)) continue;
        home.push_back(RemoveFigure(back));
      }
      if (!home.empty()) director_->TakeHome(static_cast<int>(p), home);
    }
    Look("figures home", plan_.look_frames);
  }

  // Where the markers stand once all are moved.
  std::vector<Figure> Markers() const {
    const auto sheet = std::find_if(scene_.props.begin(), scene_.props.end(), [](const Prop& prop) {
      return prop.kind == PropKind::kScoreTrack;
    });
    std::vector<TrackMarker> markers;
    for (const auto& player : now_.players()) {
      constexpr int kFields = calibration::ScoreTrack::kFields;
      markers.push_back({player.colour, player.score % kFields, player.score >= kFields});
    }
    return SetMarkers(sheet->stand, markers, plan_.game.seed);
  }

  void MoveMarkers() {
    const std::vector<Figure> now = Markers();
    bool moved = false;
    for (std::size_t p = 0; p < now.size(); ++p) {
      if (cv::norm(now[p].stand.at - markers_[p].stand.at) < 1e-3) continue;
      director_->MoveFigure(static_cast<int>(p), markers_[p], now[p]);
      moved = true;
    }
    markers_ = now;
    if (moved) Look("markers moved", plan_.look_frames);
  }

  void LayWrongly(const engine::Turn& turn, int number, int copy, const BoardExtent& extent) {
    const auto wrong = WrongTurn(now_, turn, extent);
    if (!wrong.has_value()) return;
    const auto refusal = now_.Check(*wrong);
    const TileOnBoard tile =
        hand_.Lay({turn.tile, wrong->cell, wrong->rotation, number, turn.player}, copy);
    director_->BringTile(turn.player, tile.card, false);
    AddTile(tile);
    const std::size_t first = looks_.size();
    Look("illegal placement", 2 * plan_.look_frames + 4);
    director_->TakeTile(turn.player, tile.card);
    RemoveTile();
    Look("illegal placement taken away", plan_.look_frames);
    mistakes_.push_back({{"turn", number},
                         {"player", turn.player},
                         {"tile", now_.tile_set().types()[static_cast<std::size_t>(turn.tile)].id},
                         {"cell", {wrong->cell.x, wrong->cell.y}},
                         {"rotation", wrong->rotation},
                         {"code", refusal->code},
                         {"cells", CellsOf(refusal->cells)},
                         {"look", first}});
  }

  void Look(const std::string& what, int frames) {
    const int first = director_->frames();
    director_->Look(static_cast<int>(looks_.size()), frames);
    looks_.push_back({{"first_frame", first},
                      {"last_frame", director_->frames() - 1},
                      {"turns", now_.turns().size()},
                      {"what", what}});
  }

  void AddTile(const TileOnBoard& tile) {
    tiles_.push_back(tile);
    json truth = TileTruth(scene_.camera, box_.tiles(), tile);
    truth["first_look"] = looks_.size();
    truth["last_look"] = nullptr;
    tile_truth_.push_back(std::move(truth));
  }
  // The one that was laid last.
  void RemoveTile() {
    tiles_.pop_back();
    tile_truth_.back()["last_look"] = looks_.size() - 1;
  }

  void AddFigure(const FigureOnBoard& figure, const TileOnBoard& tile) {
    json truth = FigureTruth(scene_.camera, box_.tiles(), tile, figure);
    truth["first_look"] = looks_.size();
    truth["last_look"] = nullptr;
    figures_.emplace_back(figure, figure_truth_.size());
    figure_truth_.push_back(std::move(truth));
  }
  Figure RemoveFigure(const engine::PlacedFigure& figure) {
    const auto it = std::find_if(figures_.begin(), figures_.end(),
                                 [&](const auto& f) { return f.first.figure == figure; });
    const Figure thing = it->first.thing;
    figure_truth_[it->second]["last_look"] = looks_.size() - 1;
    figures_.erase(it);
    return thing;
  }

  const RecordingPlan& plan_;
  const Scene& scene_;
  const HandLaid& hand_;
  const TileBox& box_;
  Director* director_;
  Game now_;
  std::map<int, int> copies_;
  std::vector<Figure> markers_;  // on the score track, by player
  std::vector<TileOnBoard> tiles_;
  std::vector<std::pair<FigureOnBoard, std::size_t>> figures_;
  json truth_, tile_truth_ = json::array(), figure_truth_ = json::array();
  json looks_ = json::array(), turns_ = json::array(), mistakes_ = json::array();
};

}  // namespace

json Record(const RecordingPlan& plan, TileBox* box, const FrameSink& sink) {
  const Game game = PlayGame(box->shared_tiles(), plan.game);
  const Neatness neat = NeatnessOf(plan.level);
  const double pitch = kTile_mm + neat.gap_mm;
  const BoardExtent extent = ExtentOf(game);
  const cv::Size2d board_mm(extent.columns * pitch, extent.rows * pitch);
  const cv::Size2d track_mm =
      plan.score_track ? kTrackSheet_mm + cv::Size2d(kTrackGap_mm, 0) : cv::Size2d();
  Scene scene =
      MakeSetting(plan.level, plan.game.seed, plan.size_px,
                  {board_mm.width + 2 * track_mm.width, std::max(board_mm.height, track_mm.height)},
                  plan.table);
  cv::RNG rng(plan.game.seed * 2654435761u + 3);
  rng.next();
  const HandLaid hand(box->tiles(), Centred(extent, rng.uniform(-0.08, 0.08), pitch), neat,
                      plan.game.seed);
  // Nothing may stand where a tile will lie, wrong ones included.
  std::vector<TileOnBoard> ground;
  for (int x = 0; x < extent.columns; ++x) {
    for (int y = 0; y < extent.rows; ++y) {
      const Cell cell = {x + static_cast<int>(extent.middle_x - (extent.columns - 1) / 2.0),
                         y + static_cast<int>(extent.middle_y - (extent.rows - 1) / 2.0)};
      ground.push_back(hand.Lay({0, cell, 0, 0, 0}, 0));
    }
  }
  if (plan.score_track) {
    const Stand sheet = {
        {static_cast<float>(board_mm.width + track_mm.width + kTrackGap_mm) / 2, 0, 0}, 0};
    scene.props.push_back({PropKind::kScoreTrack, sheet, {}});
    for (const double x : {-75.0, 0.0, 75.0}) {
      for (const double y : {-110.0, -37.0, 37.0, 110.0}) {
        ground.push_back({});
        ground.back().card.stand.at = sheet.ToWorld(x, y, 0);
      }
    }
  }
  std::vector<engine::PlayerState> players = game.players();
  for (auto& player : players) {
    player.Supply(engine::FigureKind::kFollower) =
        static_cast<std::int16_t>(game.rules().followers);
  }
  std::vector<Figure> figures;
  AddSurroundings(players, ground, plan.game.seed, 15, &scene, &figures);
  std::vector<std::vector<Figure>> supply(players.size());
  for (const Figure& figure : figures) {
    for (std::size_t p = 0; p < players.size(); ++p) {
      if (players[p].colour == figure.colour) supply[p].push_back(figure);
    }
  }
  Director director(plan, scene, std::move(supply), box, sink);
  Recorder recorder(plan, game, scene, hand, *box, &director);
  json truth = recorder.Play(game, extent);
  truth["schema"] = "tilewarden.recording/1";
  truth["tile_set"] = box->tiles().id();
  truth["box"] = box->box();
  truth["level"] = NameOf(plan.level);
  truth["seed"] = plan.game.seed;
  truth["fps"] = plan.fps;
  truth["colours"] = plan.game.colours;
  truth["start"] = {
      {"tile", box->tiles().types()[static_cast<std::size_t>(box->tiles().start_tile())].id},
      {"cell", {0, 0}},
      {"rotation", 0}};
  truth["camera"] = CameraTruth(scene.camera);
  return truth;
}

}  // namespace tilewarden::virtual_table
