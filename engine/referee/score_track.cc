// The score track, where it is in view: whose marker was forgotten, moved wrongly or fell
// over. It is compared with the scores and never changes them.
#include <algorithm>
#include <cstddef>

#include "engine/referee/model.h"
#include "engine/referee/state.h"
#include "engine/tiles/text.h"

namespace tilewarden::engine {
namespace {

constexpr char kCode[] = "score-track";
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
    return Text(the_marker, "lies on the score track, as with 50 points more, but ", points,
                "stand it up.");
  }
  return Text(the_marker, "is on ", astray.field, " of the score track, but ", points,
              "move it to ", field, ".");
}

}  // namespace

std::map<std::string, int> Referee::State::Scores() const {
  std::map<std::string, int> scores;
  for (const PlayerState& player : game().players()) scores[player.colour] = player.score;
  for (const PointsChanged& change : ledger.points_by_hand()) {
    scores[change.colour] += change.points;
  }
  return scores;
}

void Referee::State::ReviewScoreTrack(const Look& look) {
  const std::size_t turns = game().turns().size();
  const std::map<std::string, int> scores = Scores();
  // What was scored before the last turn; while that lasts, people move their markers.
  if (turns != score_track.turns) score_track.before = score_track.now;
  score_track.turns = turns;
  score_track.now = scores;
  if (!look.score_track) {
    score_track.markers.clear();
    return;
  }
  for (const auto& [colour, score] : scores) {
    if (score < 0) continue;
    ReviewMarker(colour, score, look);
  }
}

void Referee::State::ReviewMarker(const std::string& colour, int score, const Look& look) {
  const auto open =
      std::find_if(ledger.findings().begin(), ledger.findings().end(),
                   [&](const Finding& f) { return f.marker && f.marker->colour == colour; });
  const auto hold = [&](const Finding& finding) { conditions.push_back({finding, 1}); };
  const SightedMarker* seen = ClearMarker(*look.score_track, colour, options.figure_certainty);
  if (seen == nullptr) {
    // Nobody saw that it was put right.
    if (open != ledger.findings().end()) hold(*open);
    return;
  }
  const auto before = score_track.before.find(colour);
  const int from = before == score_track.before.end() ? score : before->second;
  const int field = seen->fields.front().field;
  const bool fallen = seen->standing_probability < 1 - kSurePoseOnTrack && score < kFields;
  TrackMemory::Marker& marker = score_track.markers[colour];
  if (marker.field != field || marker.fallen != fallen) {
    marker = {field, fallen, score_track.turns, 0, look.time_ms};
  }
  if (OnTheWay(field, from, score) && !fallen) {
    marker.wrong_looks = 0;
    return;
  }
  if (marker.wrong_looks++ == 0) marker.wrong_since_ms = look.time_ms;

  Finding finding;
  finding.code = kCode;
  finding.severity = Severity::kNote;
  finding.marker = MarkerAstray{colour, field, score};
  finding.text = Sentence(colour, *finding.marker);
  if (open != ledger.findings().end() && KeyOf(*open) == KeyOf(finding)) return hold(*open);
  const std::vector<int>& hidden = look.score_track->hidden_fields;
  const bool may_stand_hidden =
      std::find(hidden.begin(), hidden.end(), score % kFields) != hidden.end();
  // It stood so before the last tile was laid, and a while since.
  if (marker.since_turns < score_track.turns && marker.wrong_looks >= kTrackLooks &&
      look.time_ms - marker.wrong_since_ms >= kMovingMarkers_ms && !may_stand_hidden &&
      ledger.questions().empty()) {
    hold(finding);
  }
}

}  // namespace tilewarden::engine
