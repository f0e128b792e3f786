#include "engine/referee/memory/score_track.h"

#include <algorithm>
#include <utility>

#include "engine/referee/conclusions.h"
#include "engine/referee/model.h"
#include "engine/tiles/text.h"

namespace tilewarden::engine {
namespace {

constexpr char kCode[] = "score-track";
// Fields of the track: a marker goes round once for every 50 points.
constexpr int kFields = 50;

// Whether this is a field that a marker passes from one score to another, both included.
bool OnTheWay(int field, int from, int to) {
  const int low = std::min(from, to), high = std::max(from, to);
  if (high - low >= kFields) return true;
  return (field - low % kFields + kFields) % kFields <= high - low;
}

// The one marker of this colour, if its colour and its field are clear.
const SightedMarker* ClearMarker(const SightedScoreTrack& track, const std::string& colour,
                                 double certainty) {
  const SightedMarker* clear = nullptr;
  for (const SightedMarker& marker : track.markers) {
    if (marker.fields.empty() || marker.colours.empty()) continue;
    const auto named = std::find_if(marker.colours.begin(), marker.colours.end(),
                                    [&](const ColourProbability& c) { return c.colour == colour; });
    if (named == marker.colours.end() || named->probability < kColourPossible) continue;
    // Another figure that may be of this colour: which is the marker?
    if (clear != nullptr) return nullptr;
    clear = &marker;
    if (marker.probability < certainty || named->probability < kSureMarker ||
        marker.fields.front().probability < kSureMarker) {
      return nullptr;
    }
  }
  return clear;
}

std::string Sentence(const std::string& colour, const MarkerAstray& astray) {
  const std::string the_marker = Text("The ", colour, " marker ");
  const std::string points =
      Text(colour, " has ", astray.points, astray.points == 1 ? " point: " : " points: ");
  const int field = astray.points % kFields;
  if (astray.field == field) {
    return Text(the_marker, "is lying down on the score track, which adds 50 points, but ", points,
                "stand it up.");
  }
  return Text(the_marker, "is on ", astray.field, " of the score track, but ", points,
              "move it to ", field, ".");
}

}  // namespace

void ScoreTrackMemory::Scored(std::size_t turns, std::map<std::string, int> scores) {
  if (turns != turns_) before_ = now_;
  turns_ = turns;
  now_ = std::move(scores);
}

std::optional<Finding> ScoreTrackMemory::Review(const std::string& colour, const Asked& look) {
  const auto told = [&] { return look.open != nullptr ? std::optional(*look.open) : std::nullopt; };
  const SightedMarker* seen = ClearMarker(*look.track, colour, look.certainty);
  if (seen == nullptr) return told();  // nobody saw it corrected
  const int score = now_.at(colour);
  const auto before = before_.find(colour);
  const int from = before == before_.end() ? score : before->second;
  const int field = seen->fields.front().field;
  const bool fallen = seen->standing_probability < 1 - kSurePoseOnTrack && score < kFields;
  Marker& marker = markers_[colour];
  if (marker.field != field || marker.fallen != fallen) {
    marker = {field, fallen, turns_, 0, look.time_ms};
  }
  if (OnTheWay(field, from, score) && !fallen) {
    marker.wrong_looks = 0;
    return std::nullopt;
  }
  if (marker.wrong_looks++ == 0) marker.wrong_since_ms = look.time_ms;

  Finding finding;
  finding.code = kCode;
  finding.severity = Severity::kNote;
  finding.marker = MarkerAstray{colour, field, score};
  finding.text = Sentence(colour, *finding.marker);
  if (look.open != nullptr && KeyOf(*look.open) == KeyOf(finding)) return told();
  const std::vector<int>& hidden = look.track->hidden_fields;
  const bool may_stand_hidden =
      std::find(hidden.begin(), hidden.end(), score % kFields) != hidden.end();
  // It stood so before the last tile was laid, and a while since.
  const bool sure = marker.since_turns < turns_ && marker.wrong_looks >= kTrackLooks &&
                    look.time_ms - marker.wrong_since_ms >= kMovingMarkers_ms &&
                    !may_stand_hidden && !look.scores_open;
  return sure ? std::optional(std::move(finding)) : std::nullopt;
}

}  // namespace tilewarden::engine
