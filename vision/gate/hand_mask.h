// Which parts of what differs from a table's background are hands. Pictures are CV_32FC3, reduced
// as the gate does, the background in the picture's light; masks are CV_8U, 255 on what they tell.
// Vision-internal (cv:: types).
#pragma once

#include <array>
#include <vector>

#include "opencv2/core.hpp"

namespace tilewarden::vision {

// Where a tile may be laid: its corners in the reduced picture.
using TilePlace = std::array<cv::Point2f, 4>;

// Hands in a mask of what differs. What covers such places is no hand where little else differs
// beside it.
cv::Mat HandsAmong(const cv::Mat& foreign, const cv::Mat& picture, const cv::Mat& background,
                   const std::vector<TilePlace>& places = {});

// Parts that look like skin. Where a hand is known: of one much like the table only its sleeve and
// parts may show.
cv::Mat PartsOfHands(const cv::Mat& foreign, const cv::Mat& picture);

// Takes away what hands that have gone left behind in the background, and what only lies in another
// light. The table's colours, where nothing is `foreign`, tell which of the two shows the table;
// outlines where those do not. `light_change`: LightChange::Mean from the background to the
// picture. `new_since`: mask of what differs from the table as it was before the last large change;
// empty: not known. True where something was dropped.
bool DropGhosts(const cv::Mat& picture, const cv::Mat& background, double light_change,
                const cv::Mat& foreign, const cv::Mat& new_since, cv::Mat& hands);

// Takes away what is as it was on an older table, from before several large changes, and no more
// like skin and no less of the table's colours, where nothing is `foreign`, than the background,
// which may show hands that were missed. True where something was dropped.
bool DropWhatIsBack(const cv::Mat& picture, const cv::Mat& background, const cv::Mat& foreign,
                    const cv::Mat& new_since, cv::Mat& hands);

// Whether there is more of the colour of skin than in the background, on a table that is not of
// that colour itself.
bool ShowsSkin(const cv::Mat& hand, const cv::Mat& picture, const cv::Mat& background);

// With nothing to compare to: skin that reaches in from the border where most
// of the border is something else.
cv::Mat SkinFromBorder(const cv::Mat& picture);

}  // namespace tilewarden::vision
