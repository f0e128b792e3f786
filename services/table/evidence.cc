#include "services/table/evidence.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "services/convert/convert.h"
#include "services/table/board_picture.h"
#include "vision/show/cut_out.h"

namespace tilewarden::services {
namespace {

constexpr std::size_t kMostLooks = 4;
constexpr std::size_t kMostFindings = 16, kMostQuestions = 8;
constexpr double kEvenOdds = 0.5;
// Around the cells, in cells: what lies beside helps to recognise the place.
constexpr double kAround = 0.5;

std::vector<engine::Cell> CellsOf(const engine::Finding& finding) {
  if (finding.cells.empty() && finding.placement) return {finding.placement->cell};
  return finding.cells;
}

// Where it is about, and where each answer is.
std::vector<engine::Cell> CellsOf(const engine::Question& question) {
  std::set<engine::Cell> cells(question.cells.begin(), question.cells.end());
  for (const engine::Question::Answer& answer : question.answers) {
    cells.insert(answer.cells.begin(), answer.cells.end());
  }
  return {cells.begin(), cells.end()};
}

// The newest of them.
template <typename All>
auto Newest(const All& all, std::size_t most) {
  return std::next(all.begin(),
                   static_cast<std::ptrdiff_t>(all.size() - std::min(all.size(), most)));
}

bool Covers(const v1::BoardPicture& picture, engine::Cell cell) {
  const engine::Cell corner = FromProto(picture.north_west());
  return cell.x >= corner.x && cell.x < corner.x + static_cast<int>(picture.columns()) &&
         cell.y >= corner.y && cell.y < corner.y + static_cast<int>(picture.rows());
}

// Absent: the picture cannot be opened.
std::optional<v1::EvidencePicture> CutOutOf(const v1::BoardPicture& picture,
                                            const std::vector<engine::Cell>& cells) {
  const engine::Cell corner = FromProto(picture.north_west());
  const auto [west, east] = std::minmax_element(
      cells.begin(), cells.end(), [](engine::Cell a, engine::Cell b) { return a.x < b.x; });
  const auto [north, south] = std::minmax_element(
      cells.begin(), cells.end(), [](engine::Cell a, engine::Cell b) { return a.y < b.y; });
  const double left = std::max(0.0, west->x - kAround - corner.x);
  const double top = std::max(0.0, north->y - kAround - corner.y);
  const double right = std::min<double>(picture.columns(), east->x + 1 + kAround - corner.x);
  const double bottom = std::min<double>(picture.rows(), south->y + 1 + kAround - corner.y);
  const auto turns = static_cast<int>(picture.quarter_turns());
  auto columns = static_cast<int>(picture.columns()), rows = static_cast<int>(picture.rows());
  if (turns % 2 != 0) std::swap(columns, rows);
  auto jpeg =
      vision::CutOut(picture.jpeg(), columns, rows, turns, {left, top, right - left, bottom - top});
  if (!jpeg) return std::nullopt;
  v1::EvidencePicture out;
  out.set_jpeg(*std::move(jpeg));
  *out.mutable_north_west() = ToProto(engine::Point{corner.x + left, corner.y + top});
  out.set_columns(right - left);
  out.set_rows(bottom - top);
  return out;
}

}  // namespace

Evidence::Look Evidence::LookOf(const v1::Sighting& sighting,
                                const engine::BoardFromLattice& lies) {
  Look look;
  look.picture = OnBoard(sighting.top_view(), lies);
  for (const v1::Cell& cell : sighting.hidden_cells()) look.hidden.insert(lies(FromProto(cell)));
  for (const v1::SightedTile& tile : sighting.tiles()) {
    const engine::Cell cell = lies(FromProto(tile.cell()));
    if (tile.hidden() > kEvenOdds) look.hidden.insert(cell);
    if (tile.candidates().empty()) continue;
    const v1::TileCandidate& likeliest = tile.candidates(0);
    const int rotation = (static_cast<int>(likeliest.rotation()) + lies.turn) & 3;
    look.read[cell].insert(absl::StrCat("tile ", likeliest.tile(), " ", rotation));
  }
  for (const v1::SightedFigure& figure : sighting.figures()) {
    if (!figure.has_cell() || figure.probability() < kEvenOdds || figure.colours().empty())
      continue;
    const bool stands = figure.standing_probability() >= kEvenOdds;
    look.read[lies(FromProto(figure.cell()))].insert(
        absl::StrCat(figure.colours(0).colour(), stands ? " stands" : " lies"));
  }
  return look;
}

bool Evidence::Look::Shows(const Cells& cells) const {
  return std::all_of(cells.begin(), cells.end(), [&](engine::Cell cell) {
    return Covers(picture, cell) && hidden.count(cell) == 0;
  });
}

bool Evidence::Look::ReadsSame(const Look& other, const Cells& cells) const {
  const auto read_there = [](const Look& look, engine::Cell cell) {
    const auto found = look.read.find(cell);
    return found == look.read.end() ? std::multiset<std::string>() : found->second;
  };
  return std::all_of(cells.begin(), cells.end(), [&](engine::Cell cell) {
    return read_there(*this, cell) == read_there(other, cell);
  });
}

void Evidence::FollowOne(Matter matter, Cells cells, std::map<Matter, Kept>* before) {
  if (cells.empty()) return;
  const auto known = before->find(matter);
  open_[matter] = known == before->end() ? Kept{std::move(cells), {}} : std::move(known->second);
}

void Evidence::Follow(const std::vector<engine::Finding>& findings,
                      const std::vector<engine::Question>& questions) {
  const std::lock_guard lock(mutex_);
  std::map<Matter, Kept> before = std::exchange(open_, {});
  for (auto one = Newest(findings, kMostFindings); one != findings.end(); ++one) {
    FollowOne({Matter::Kind::kFinding, one->id}, CellsOf(*one), &before);
  }
  for (auto one = Newest(questions, kMostQuestions); one != questions.end(); ++one) {
    FollowOne({Matter::Kind::kQuestion, one->id}, CellsOf(*one), &before);
  }
}

std::vector<Matter> Evidence::Saw(const v1::Sighting& sighting,
                                  const std::optional<engine::BoardFromLattice>& lies) {
  const std::lock_guard lock(mutex_);
  if (!sighting.settled()) newest_lasts_ = false;
  if (sighting.settled() && sighting.has_top_view() && lies) {
    if (newest_lasts_) looks_.pop_back();
    looks_.push_back(LookOf(sighting, *lies));
    if (looks_.size() > kMostLooks) looks_.pop_front();
    newest_lasts_ = true;
  }
  std::vector<Matter> complete;
  if (!newest_lasts_) return complete;
  for (auto& [matter, kept] : open_) {
    if (kept.pictures.has_now()) continue;
    if (!Cut(&kept)) {
      looks_.pop_back();
      newest_lasts_ = false;
      break;
    }
    if (kept.pictures.has_now()) complete.push_back(matter);
  }
  return complete;
}

bool Evidence::Cut(Kept* kept) const {
  const Look& now = looks_.back();
  if (!now.Shows(kept->cells)) return true;
  auto cut = CutOutOf(now.picture, kept->cells);
  if (!cut) return false;
  *kept->pictures.mutable_now() = *std::move(cut);

  const auto clear = [&](const Look& look) { return look.Shows(kept->cells); };
  const auto otherwise = [&](const Look& look) {
    return clear(look) && !look.ReadsSame(now, kept->cells);
  };
  const auto earlier = std::next(looks_.rbegin());
  auto before = std::find_if(earlier, looks_.rend(), otherwise);
  if (before == looks_.rend()) before = std::find_if(earlier, looks_.rend(), clear);
  if (before == looks_.rend()) return true;
  cut = CutOutOf(before->picture, kept->cells);
  if (cut) *kept->pictures.mutable_before() = *std::move(cut);
  return true;
}

void Evidence::Forget() {
  const std::lock_guard lock(mutex_);
  looks_.clear();
  newest_lasts_ = false;
  open_.clear();
}

v1::GetFindingEvidenceResponse Evidence::Tell(Matter matter) const {
  const std::lock_guard lock(mutex_);
  const auto found = open_.find(matter);
  return found == open_.end() ? v1::GetFindingEvidenceResponse() : found->second.pictures;
}

}  // namespace tilewarden::services
