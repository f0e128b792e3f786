// Clips of a table's disputed turns: when one is made, and what came of it.
#include "services/base/clock.h"
#include "services/table/table.h"

namespace tilewarden::services {
namespace {

bool Shows(const v1::EvidencePicture& picture, const v1::Cell& cell) {
  const v1::Point& corner = picture.north_west();
  return cell.x() + 1 > corner.x() && cell.x() < corner.x() + picture.columns() &&
         cell.y() + 1 > corner.y() && cell.y() < corner.y() + picture.rows();
}

}  // namespace

void Table::Saw(const v1::Sighting& sighting, const std::optional<engine::BoardFromLattice>& lies) {
  for (const Matter matter : evidence_.Saw(sighting, lies)) KeepClip(matter);
}

void Table::KeepClip(Matter matter) {
  if (clips_ == nullptr || !clips_->wanted()) return;
  const v1::GetFindingEvidenceResponse pictures = evidence_.Tell(matter);
  const std::lock_guard lock(change_mutex_);
  // A game that was deleted meanwhile gets none.
  if (!left_.ok() || !broken_.ok()) return;
  const v1::GameState state = StateWhileAnswering();
  v1::Clip clip;
  for (const v1::Finding& finding : state.findings()) {
    const Matter one{Matter::Kind::kFinding, finding.id()};
    if (one == matter) *clip.mutable_finding() = finding;
  }
  for (const v1::Question& question : state.questions()) {
    const Matter one{Matter::Kind::kQuestion, question.id()};
    if (one == matter) *clip.mutable_question() = question;
  }
  if (clip.about_case() == v1::Clip::ABOUT_NOT_SET || !pictures.has_now()) return;
  clip.set_game_id(header_.id);
  clip.set_turn(state.turn());
  clip.set_time_ms(NowMs());
  *clip.mutable_now() = pictures.now();
  if (pictures.has_before()) *clip.mutable_before() = pictures.before();
  for (const v1::PlacedTile& tile : state.tiles()) {
    if (Shows(clip.now(), tile.cell())) *clip.add_tiles() = tile;
  }
  for (const auto* figures : {&state.figures(), &state.neutral_figures()}) {
    for (const v1::PlacedFigure& figure : *figures) {
      if (Shows(clip.now(), figure.cell())) *clip.add_figures() = figure;
    }
  }
  clips_->Keep(clip);
}

void Table::SettleClipsLocked(const std::vector<engine::Event>& events, bool by_hand) {
  if (clips_ == nullptr) return;
  v1::ClipSettled settled;
  settled.set_time_ms(NowMs());
  settled.set_by_hand(by_hand);
  for (const engine::Event& event : events) {
    if (const auto* cleared = std::get_if<engine::FindingCleared>(&event)) {
      settled.clear_answer();
      clips_->Settle(header_.id, {Matter::Kind::kFinding, cleared->id}, settled);
    } else if (const auto* closed = std::get_if<engine::QuestionClosed>(&event)) {
      settled.clear_answer();
      if (closed->answer >= 0) settled.set_answer(static_cast<std::uint32_t>(closed->answer));
      clips_->Settle(header_.id, {Matter::Kind::kQuestion, closed->id}, settled);
    }
  }
}

}  // namespace tilewarden::services
