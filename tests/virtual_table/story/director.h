// Moves the hands and the things on the table, and renders the frames. The
// recording says what happens; this shows it. Internal to the virtual table.
#pragma once

#include <string>
#include <vector>

#include "tests/virtual_table/picture/renderer.h"
#include "tests/virtual_table/scene/board.h"
#include "tests/virtual_table/scene/reach.h"
#include "tests/virtual_table/story/recording.h"

namespace tilewarden::virtual_table {

class Director {
 public:
  // `scene` holds the cards of the stacks and the props; `supply` the figures
  // beside the board by player.
  Director(const RecordingPlan& plan, Scene scene, std::vector<std::vector<Figure>> supply,
           TileBox* box, FrameSink sink);

  int frames() const { return frame_; }

  // Settled frames; numbers the look.
  void Look(int look, int count);
  // A hand brings a tile to where it shall lie and leaves, or stays near.
  void BringTile(int player, const Card& card, bool stay);
  // Takes a lying tile away, out of view.
  void TakeTile(int player, const Card& card);
  // Takes a figure from the player's supply and sets it.
  void SetFigure(int player, const Figure& figure, bool from_near);
  // Takes figures from the board to the player's supply.
  void TakeHome(int player, const std::vector<Figure>& figures);
  // Sets a figure that stands on the table elsewhere.
  void MoveFigure(int player, const Figure& from, const Figure& to);
  // A tile or a figure that is there from the start.
  void LayAtOnce(const Card& card);
  void SetAtOnce(const Figure& figure);

 private:
  bool IsDrawn() const { return next_look_ >= plan_.first_look; }
  void Settle();
  void LiftFigure(const Figure& figure);
  // Frames on the way, neither end included; `lift` is the height of its arc.
  void Travel(int player, cv::Vec3d from, cv::Vec3d to, int count, double lift,
              const Carried& carried, const std::string& what);
  void Show(int player, const cv::Vec3d& tip, double twist, const Carried& carried,
            const std::string& what);

  RecordingPlan plan_;
  Scene scene_;
  std::vector<std::vector<Figure>> supply_;
  std::vector<std::vector<Stand>> vacated_;  // places in the supply
  FrameSink sink_;
  Renderer renderer_;
  Reach reach_;
  std::vector<Card> cards_;
  std::vector<Figure> figures_;
  cv::Vec3d near_;  // where a hand that stays waits
  int frame_ = 0;
  int next_look_ = 0;
};

}  // namespace tilewarden::virtual_table
