// Compares the score track with the scores.
#include <algorithm>
#include <map>
#include <string>

#include "engine/referee/judging/judging.h"

namespace tilewarden::engine {

std::map<std::string, int> Scores(const Ledger& ledger) {
  std::map<std::string, int> scores;
  for (const PlayerState& player : ledger.game()->players()) scores[player.colour] = player.score;
  for (const PointsChanged& change : ledger.points_by_hand()) {
    scores[change.colour] += change.points;
  }
  return scores;
}

Conclusions ReviewScoreTrack(Mind& mind, const Look& look) {
  const std::map<std::string, int> scores = Scores(mind.ledger);
  mind.score_track.Scored(mind.game().turns().size(), scores);
  Conclusions concluded;
  if (!look.score_track) {
    mind.score_track.OutOfView();
    return concluded;
  }
  const std::vector<Finding>& findings = mind.ledger.findings();
  for (const auto& [colour, score] : scores) {
    if (score < 0) continue;
    const auto open = std::find_if(
        findings.begin(), findings.end(),
        [&, &mine = colour](const Finding& f) { return f.marker && f.marker->colour == mine; });
    const std::optional<Finding> astray = mind.score_track.Review(
        colour, {&*look.score_track, look.time_ms, mind.options.figure_certainty,
                 open == findings.end() ? nullptr : &*open, !mind.ledger.questions().empty()});
    if (astray) concluded += Condition{*astray, 1};
  }
  return concluded;
}

}  // namespace tilewarden::engine
