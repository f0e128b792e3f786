#include "vision/figures/figure_colours.h"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace tilewarden::vision {
namespace {

TEST(FigureColours, NamesPaintUnderAnyLight) {
  const cv::Vec3f daylight(255, 255, 255), lamp(140, 200, 245);
  const std::vector<std::pair<cv::Vec3f, std::string>> paints = {
      {{40, 30, 200}, "red"},     {{160, 75, 45}, "blue"}, {{60, 105, 45}, "green"},
      {{55, 180, 220}, "yellow"}, {{40, 38, 36}, "black"}, {{165, 100, 205}, "pink"}};
  for (const auto& [paint, name] : paints) {
    for (const cv::Vec3f& light : {daylight, lamp}) {
      const cv::Vec3f seen = paint.mul(light) / 255;
      const auto colours = NameColours({PaintOf(seen, light)}, {}).front();
      EXPECT_EQ(colours.front().colour, name) << light;
      double sum = 0;
      for (const ColourProbability& c : colours) sum += c.probability;
      EXPECT_NEAR(sum, 1, 1e-9);
    }
  }
  // Only the colours that play.
  const auto two = NameColours({PaintOf({40, 30, 200}, daylight)}, {"blue", "pink"}).front();
  ASSERT_EQ(two.size(), 2U);
  EXPECT_EQ(two.front().colour, "pink");
}

// What white shows is guessed; the figures of a board tell by how much it errs.
TEST(FigureColours, FiguresOfOneBoardTellTheLight) {
  const cv::Vec3f white(255, 255, 255), cast(0.6F, 1, 1.1F);
  const std::vector<std::pair<cv::Vec3f, std::string>> paints = {{{40, 30, 200}, "red"},
                                                                 {{160, 75, 45}, "blue"},
                                                                 {{60, 105, 45}, "green"},
                                                                 {{55, 180, 220}, "yellow"},
                                                                 {{40, 38, 36}, "black"}};
  std::vector<FigureTone> tones;
  for (const auto& [paint, name] : paints) tones.push_back({paint.mul(cast), white});
  const FigureTone blue = tones[1];
  EXPECT_NE(NameColours({PaintOf(blue.seen, white)}, {}).front().front().colour, "blue");
  const auto named = NameColours(PaintsOf(tones, {}), {});
  for (std::size_t i = 0; i < paints.size(); ++i) {
    EXPECT_EQ(named[i].front().colour, paints[i].second);
  }
  EXPECT_TRUE(PaintsOf({}, {}).empty());
}

// A program that made the picture nicer lifted what is dark: the paints are taken for lighter ones.
TEST(FigureColours, FiguresOfOneBoardTellThatThePictureWasBrightened) {
  const cv::Vec3f white(255, 255, 255);
  const auto brightened = [](cv::Vec3f paint) {
    for (int c = 0; c < 3; ++c) paint[c] = 255 * std::pow(paint[c] / 255, 0.65F);
    return paint;
  };
  std::vector<PaintColour> apart;
  std::vector<FigureTone> tones;
  for (const cv::Vec3f& paint : {cv::Vec3f(105, 55, 30),
                                 {100, 50, 28},
                                 {110, 58, 33},
                                 {40, 30, 200},
                                 {60, 105, 45},
                                 {40, 38, 36},
                                 {42, 40, 37}}) {
    tones.push_back({brightened(paint), white});
    apart.push_back(PaintOf(tones.back().seen, white));
  }
  const auto light_of = [](const std::vector<PaintColour>& paints) {
    double sum = 0;
    for (const PaintColour& paint : paints) sum += paint.lightness / 7;
    return sum;
  };
  const std::vector<PaintColour> together = PaintsOf(tones, {});
  EXPECT_LT(light_of(together), light_of(apart) - 5);
}

TEST(FigureColours, ThoseWhoPlayTellWhoOneInDoubtBelongsTo) {
  const cv::Vec3f daylight(255, 255, 255);
  const PaintColour red = PaintOf({40, 30, 200}, daylight),
                    pink = PaintOf({170, 110, 220}, daylight),
                    between = PaintOf({106, 78, 216}, daylight);
  EXPECT_EQ(NameColours({between, red, red, red, red}, {}).front().front().colour, "red");
  EXPECT_EQ(NameColours({between, pink, pink, pink, pink}, {}).front().front().colour, "pink");
}

TEST(FigureColours, PaintAndLookAreWeighedTogether) {
  const cv::Vec3f daylight(255, 255, 255);
  const PaintColour blue = PaintOf({160, 75, 45}, daylight), red = PaintOf({40, 30, 200}, daylight);
  const std::vector<ColourProbability> doubtful = {{"black", 0.55}, {"blue", 0.45}},
                                       clear = {{"black", 1}};
  EXPECT_EQ(NameColours({blue}, {doubtful}, {}).front().front().colour, "blue");
  // What looks alike to the network is told by the paint.
  EXPECT_EQ(NameColours({blue}, {{{"purple", 1}}}, {}).front().front().colour, "blue");
  // Only the colours that play.
  const auto named = NameColours({red, blue}, {clear, clear}, {"black", "green"});
  ASSERT_EQ(named.size(), 2U);
  EXPECT_EQ(named[0].size(), 2U);
  EXPECT_EQ(named[0].front().colour, "black");
  EXPECT_TRUE(NameColours({}, {}, {}).empty());
}

}  // namespace
}  // namespace tilewarden::vision
