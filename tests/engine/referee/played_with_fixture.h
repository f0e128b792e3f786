// A game without a kind of figure that stands on the table, and people who answer what they are
// asked.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "tests/engine/referee/referee_fixture.h"

namespace tilewarden::engine {

class PlayingWithTest : public RefereeTest {
 protected:
  using RefereeTest::RefereeTest;

  void Take(std::vector<Event> events) { log_.insert(log_.end(), events.begin(), events.end()); }
  void Answer(int answer) {
    ASSERT_EQ(referee_.questions().size(), 1U);
    auto judged = referee_.Answer(referee_.questions().front().id, answer);
    ASSERT_TRUE(std::holds_alternative<std::vector<Event>>(judged));
    Take(std::get<std::vector<Event>>(std::move(judged)));
  }
  static constexpr int kYes = 0, kNo = 1;

  FigureKind KindOn(Cell cell) const {
    for (const PlacedFigure& figure : referee_.game()->Figures()) {
      if (figure.cell == OnBoard(cell)) return figure.kind;
    }
    return FigureKind::kArk;  // none stands there
  }
  // A restarted referee agrees.
  void ExpectRestored() {
    const auto again = Referee::Restore(tiles_, log_);
    ASSERT_TRUE(again.ok()) << again.status();
    EXPECT_EQ(again->rules(), referee_.rules());
    EXPECT_EQ(again->game()->turns(), referee_.game()->turns());
    EXPECT_EQ(again->game()->Figures(), referee_.game()->Figures());
    EXPECT_EQ(again->questions().size(), referee_.questions().size());
    EXPECT_EQ(again->undo_playing_with(), referee_.undo_playing_with());
  }
  void Restart() { referee_ = *Referee::Restore(tiles_, log_); }
};

}  // namespace tilewarden::engine
