// The figures beside the board, where looks show any: with those on the board and those that came
// home they must add up for each colour. Looks may miss some of them all evening, because another
// hides them or the camera does not reach so far, and take other things for figures; so what tells
// is the change. A supply that is one shorter since a turn says that a figure was set in it that no
// look shows; one that is not says that none was.
//
// A hidden Markov model: as many stay missing from turn to turn, but for now and then; and a look
// counts wrongly now and then. How often is learned in the game: three rates of each are weighed by
// how well they explain its counts.
//
// A figure that is set and taken home again is back before the table rests. But it is away while
// the hand is there, which looks may show. How often they do, and how often one is away for
// nothing, is learned as well.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace tilewarden::engine {

// A value; not thread safe.
class Supplies {
 public:
  // A settled look after so many turns showed so many figures of this colour beside the board, and
  // so many on it that have scored and are yet to be taken home.
  void Saw(const std::string& colour, int turns, int beside, int to_take_home);
  // Looks showed some.
  bool Any() const { return !seen_.empty(); }

  // What is seen while hands are at the table. A settled look shows so many of this colour; a look
  // with a hand in view does, and hides so many; the settled look is over.
  void Rests(const std::string& colour, int beside);
  void UnderHand(const std::string& colour, int beside, int hidden);
  void EndLook();
  // kStillAway: one was away and is not back; kOne: one was, and is.
  enum class Away { kNotLooked, kNone, kStillAway, kOne };
  // What hands did since the settled look before this one.
  Away WasAway(const std::string& colour) const;
  // A look with a hand may have shown that one was away. `set`: a figure was set then; else none
  // was.
  void Learn(bool set, Away seen);
  // How much what was seen speaks for a figure that was set and taken home: a factor of odds.
  double SpeakForOneAtOnce(Away seen) const;

  // How much the looks speak for one figure of this colour that lies on the board besides those of
  // the game, from after some turn to after the turn `to`: factors of odds, by the turn from which
  // on. 1: they do not tell. `supply`: by the game, after 0 turns, 1 turn and so on.
  std::vector<double> SpeakForAnother(const std::string& colour, const std::vector<int>& supply,
                                      int to) const;

 private:
  // What the last two looks after a turn showed: the one before may be of a figure not yet set.
  struct Seen {
    int last = 0, before = 0;
  };
  std::map<std::string, std::map<int, Seen>> seen_;  // by colour and turns
  struct Watched {
    int before = 0, now = 0;   // in the settled look before, and in this one
    int least = 0, looks = 0;  // with a hand in view, between them, what it hid counted in
    bool hidden = false;       // it hid some
  };
  std::map<std::string, Watched> watched_;
  struct Share {
    double away = 0, of = 0;
  };
  Share set_, not_set_;  // turns that set a figure, and others: in which one was seen to be away
};

}  // namespace tilewarden::engine
