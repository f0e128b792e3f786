// Compares the score track with the scores.
#include <algorithm>
#include <cstddef>

#include "engine/referee/state.h"

namespace tilewarden::engine {

std::map<std::string, int> Referee::State::Scores() const {
  std::map<std::string, int> scores;
  for (const PlayerState& player : game().players()) scores[player.colour] = player.score;
  for (const PointsChanged& change : ledger.points_by_hand()) {
    scores[change.colour] += change.points;
  }
  return scores;
}

void Referee::State::ReviewScoreTrack(const Look& look) {
  const std::map<std::string, int> scores = Scores();
  score_track.Scored(game().turns().size(), scores);
  if (!look.score_track) return score_track.OutOfView();
  for (const auto& [colour, score] : scores) {
    if (score < 0) continue;
    const auto open = std::find_if(
        ledger.findings().begin(), ledger.findings().end(),
        [&, &mine = colour](const Finding& f) { return f.marker && f.marker->colour == mine; });
    const std::optional<Finding> astray = score_track.Review(
        colour, {&*look.score_track, look.time_ms, options.figure_certainty,
                 open == ledger.findings().end() ? nullptr : &*open, !ledger.questions().empty()});
    if (astray) conditions.push_back({*astray, 1});
  }
}

}  // namespace tilewarden::engine
