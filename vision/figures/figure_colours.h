// The colours that figures have, and which of them a patch of the picture shows
// once the light is divided out. Pure functions, values.
#pragma once

#include <string>
#include <vector>

#include "opencv2/core.hpp"
#include "vision/sighting.h"

namespace tilewarden::vision {

// Colour of paint with the light divided out, as people name colours: hue in
// degrees (0 red-purple, 90 yellow, 180 green-blue, -90 blue), how much of the
// colour is not grey, and how light it is (0 to 100).
struct PaintColour {
  double hue_deg = 0;
  double saturation = 0;
  double lightness = 0;
};

// seen and light: BGR, 0 to 255; light is what a white surface would show.
PaintColour PaintOf(const cv::Vec3f& seen, const cv::Vec3f& light);

// All that figures come in.
std::vector<std::string> FigureColours();
// Figures of this colour may look like that, and none of another colour does so much more.
bool MayBe(const PaintColour& paint, const std::string& colour);

// What a piece shows: its lit side, the brightest, which may shine, left out; and
// the sides turned away. Where the picture is overexposed, the one does not follow
// from the other.
struct Tones {
  cv::Vec3f lit, shade;
};

// picture: CV_8UC3. mask: not 0 on the piece; its first pixel lies at `corner`.
Tones TonesOf(const cv::Mat& picture, const cv::Mat& mask, cv::Point corner);

// What is seen of a figure, and of a white surface in the same place.
struct FigureTone {
  cv::Vec3f seen, white;
};

// Their paints in one light: what white shows is known but roughly, and errs alike all over a
// board. The error that makes the figures together look most like `allowed` colours (empty: all
// that figures come in) is taken out.
std::vector<PaintColour> PaintsOf(const std::vector<FigureTone>& tones,
                                  const std::vector<std::string>& allowed);

// For each paint every colour of `allowed` (empty: all that figures come in) with
// its probability, most likely first; they sum to 1. Figures of one colour look
// alike on one table: the sure ones tell how their colour looks in this light, and
// which colours are played with, and so help to name the others.
std::vector<std::vector<ColourProbability>> NameColours(const std::vector<PaintColour>& paints,
                                                        const std::vector<std::string>& allowed);

// The same where each figure's look by itself tells how likely each colour is, too.
// looks: of as many figures, or none.
std::vector<std::vector<ColourProbability>> NameColours(
    const std::vector<PaintColour>& paints,
    const std::vector<std::vector<ColourProbability>>& looks,
    const std::vector<std::string>& allowed);

}  // namespace tilewarden::vision
