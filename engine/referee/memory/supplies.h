// The figures beside the board, where looks show any: with those on the board and those that came
// home they must add up for each colour. A supply that is one short since a turn says that a figure
// was set in it that no look shows; one that is whole says that none was.
#pragma once

#include <map>
#include <string>

namespace tilewarden::engine {

// A value; not thread safe.
class Supplies {
 public:
  // A look after so many turns showed so many figures of this colour beside the board; by the game,
  // so many lie there.
  void Saw(const std::string& colour, int turns, int seen, int expected);
  // How much the looks after the turns `from` to `to`, both among them, speak for one figure of
  // this colour that lies on the board besides those of the game: a factor of odds. 1: they do not
  // tell.
  double SpeakForAnother(const std::string& colour, int from, int to) const;

 private:
  struct Count {
    int seen = 0, expected = 0;
    int Short() const { return expected - seen; }
  };
  // By colour and turns: the look that showed most.
  std::map<std::string, std::map<int, Count>> seen_;
};

}  // namespace tilewarden::engine
