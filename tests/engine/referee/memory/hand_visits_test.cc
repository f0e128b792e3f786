#include "engine/referee/memory/hand_visits.h"

#include "gtest/gtest.h"

namespace tilewarden::engine {
namespace {

constexpr double kCertainty = 0.5;

CellView Laid() {
  CellView view;
  view.tile = true;
  return view;
}
CellView Covered() {
  CellView view;
  view.covered = true;
  return view;
}

TEST(HandVisits, AHandThatComesBackOverAnOpenTileCoversItAgain) {
  HandVisits visits;
  visits.Remember(Covered(), 1, 1000, 5, kCertainty);
  EXPECT_FALSE(visits.CoveredAgain());
  visits.Remember(Laid(), 2, 2000, 0, kCertainty);
  EXPECT_FALSE(visits.CoveredAgain());
  visits.Remember(Covered(), 3, 4500, 5, kCertainty);
  EXPECT_TRUE(visits.CoveredAgain());
  EXPECT_EQ(visits.CoveredLooks(), 2);
  EXPECT_EQ(visits.Duration_ms(), 3500);
}

TEST(HandVisits, ATileBesideAHandIsAViewAndOneFarFromItIsNone) {
  HandVisits visits;
  visits.Remember(Laid(), 1, 1000, 0, kCertainty);
  EXPECT_TRUE(visits.views().empty());
  visits.Remember(Laid(), 2, 2000, 2, kCertainty);
  ASSERT_EQ(visits.views().size(), 1U);
  EXPECT_TRUE(visits.views()[0].laid);
}

TEST(HandVisits, FiguresAreKeptWhereTheyAreBelieved) {
  HandVisits visits;
  CellView view = Laid();
  view.figures.resize(2);
  view.figures[0].seen.probability = 0.9;
  view.figures[1].seen.probability = 0.3;
  visits.Remember(view, 1, 1000, 0, kCertainty);
  visits.Remember(Covered(), 2, 2000, 5, kCertainty);
  EXPECT_EQ(visits.figures().size(), 1U);
  visits.ForgetAllButFigures();
  EXPECT_EQ(visits.figures().size(), 1U);
  EXPECT_EQ(visits.CoveredLooks(), 0);
  visits.Forget();
  EXPECT_TRUE(visits.figures().empty());
}

}  // namespace
}  // namespace tilewarden::engine
