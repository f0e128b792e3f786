// Tiles that no look is sure of. After looks enough such a tile is taken for the likeliest that may
// lie there, and people are asked which it is: the game goes on meanwhile, and nobody is accused of
// what hangs on it. Where none may lie there, people are told that it cannot be read.
#include <algorithm>
#include <utility>

#include "engine/referee/judging/judging.h"
#include "engine/referee/model.h"
#include "engine/tiles/index.h"
#include "engine/tiles/text.h"

namespace tilewarden::engine {
namespace {

// Readings that no rule can tell apart are one answer.
void DropAlike(const TileFaces& faces, std::vector<TileReading>* readings) {
  std::vector<TileReading> kept;
  for (const TileReading& reading : *readings) {
    const bool known = std::any_of(kept.begin(), kept.end(), [&](const TileReading& other) {
      return faces.Twins(other.tile, reading.tile) &&
             faces.Same(other.tile, other.rotation, reading.rotation);
    });
    if (!known) kept.push_back(reading);
  }
  *readings = std::move(kept);
}

std::vector<TileReading> AnswersFor(const Mind& mind, Cell cell, const CellView& view) {
  std::vector<TileReading> readings = LegalReadings(mind, cell, view);
  DropAlike(mind.faces, &readings);
  if (readings.empty() || readings.front().probability < kLeastDoubt) return {};
  // The second one at any rate: people are asked.
  const double least = kLeastDoubt * readings.front().probability;
  while (readings.size() > 2 && readings.back().probability < least) readings.pop_back();
  if (readings.size() > kMostAnswers) readings.resize(kMostAnswers);
  return readings;
}

bool BesideBoard(const Game& game, Cell cell) {
  return std::any_of(kSides.begin(), kSides.end(),
                     [&](Side side) { return game.TileAt(Neighbour(cell, side)) != nullptr; });
}

// The open question which tile lies on this cell; null: it is not asked.
const Question* AskedNow(const Ledger& ledger, Cell cell) {
  const std::vector<Question>& open = ledger.questions();
  const auto found = std::find_if(open.begin(), open.end(), [&](const Question& question) {
    return question.which_tile && question.answers.front().turn.cell == cell;
  });
  return found == open.end() ? nullptr : &*found;
}

Condition CannotBeRead(Cell cell) {
  return Wrong("tile-unread", Severity::kNote, {cell},
               Text("The tile ", Where(cell),
                    " cannot be read. Lay it straight, keep glare off it, or say which it is."),
               1);
}

// A new tile that cannot be taken down, or something that looks like one and is like none of the
// set: it lies across its cell, or is no tile of this box.
bool LongUnread(Mind& mind, Cell cell, const CellView& view) {
  if (!view.tile || view.hidden || !BesideBoard(mind.game(), cell)) return false;
  if (mind.ledger.taken_back().contains(cell)) return false;
  CellMemory& memory = mind.cells[cell];
  if (!view.straight || view.readings.empty()) memory.Unsure(mind.sightings);
  return memory.UnsureNow(mind.sightings) && memory.UnsureLooks() >= kPatience;
}

// It was taken for the only tile that may lie there, and looks are as unsure as before.
bool TakenUnread(const Mind& mind, Cell cell) {
  const CellMemory* seen = mind.cells.Find(cell);
  return seen != nullptr && seen->UnsureLooks() >= kPatience && !seen->OnceRead() &&
         !mind.ledger.AskedWhichTile(cell) && !mind.ledger.TileByHand(cell);
}

}  // namespace

std::optional<UnsureTile> LongUnsure(Mind& mind, const std::vector<Cell>& fresh, const Look& look) {
  std::optional<UnsureTile> first;
  for (const Cell cell : fresh) {
    if (Decide(mind, cell, look.At(cell), true).kind != Decision::Kind::kWait) continue;
    CellMemory& memory = mind.cells[cell];
    memory.Unsure(mind.sightings);
    if (memory.UnsureLooks() < kPatience) continue;
    std::vector<TileReading> readings = AnswersFor(mind, cell, look.At(cell));
    if (readings.empty()) continue;
    if (first && mind.cells[first->cell].FirstSettled() <= memory.FirstSettled()) continue;
    first = UnsureTile{cell, std::move(readings)};
  }
  return first;
}

Conclusions AskWhichTile(Mind& mind, const UnsureTile& unsure) {
  const PlacedTile* laid = mind.game().TileAt(unsure.cell);
  if (laid == nullptr || laid->turn < 1) return {};
  const int number = laid->turn;
  const Turn had = mind.game().turns()[At(number - 1)];
  Doubt doubt;
  doubt.about = Doubt::About::kWhichTile;
  doubt.text = Text("Which tile lies ", Where(unsure.cell), "?");
  for (const TileReading& reading : unsure.readings) {
    doubt.answers.push_back({Text(mind.tiles().types()[At(reading.tile)].id, ", turned by ",
                                  90 * (reading.rotation & 3), " degrees"),
                             {unsure.cell},
                             WithTile(mind.tiles(), had, reading.tile, reading.rotation),
                             reading.probability});
  }
  return Ask(&mind.ledger, number, std::move(doubt));
}

Conclusions ReadBesideAgain(Mind& mind, Cell cell, const TileReading& reading) {
  for (const Side side : kSides) {
    const Cell beside = Neighbour(cell, side);
    const Question* question = AskedNow(mind.ledger, beside);
    const PlacedTile* laid = mind.game().TileAt(beside);
    if (question == nullptr || laid == nullptr || laid->turn < 1) continue;
    const int number = laid->turn;
    std::vector<Turn> turns = mind.game().turns();
    const Turn had = turns[At(number - 1)];
    for (const Question::Answer& answer : question->answers) {
      Turn& other = turns[At(number - 1)];
      other = WithTile(mind.tiles(), had, answer.turn.tile, answer.turn.rotation);
      const std::optional<Game> story = mind.ledger.Replay(turns);
      if (!story || CheckLaying(*story, Laying(*story, reading.tile, cell, reading.rotation))) {
        continue;
      }
      const Turn better = other;
      return SetTurn(&mind.ledger, number, better, "a later tile fits this one only");
    }
  }
  return {};
}

Conclusions NoteUnread(Mind& mind, const Look& look) {
  Conclusions concluded;
  for (const auto& [cell, view] : look.cells) {
    const bool on_board = mind.game().TileAt(cell) != nullptr;
    if (on_board ? TakenUnread(mind, cell) : LongUnread(mind, cell, view)) {
      concluded += CannotBeRead(cell);
    }
  }
  return concluded;
}

bool HangsOnUnsure(const Mind& mind, const Finding& finding) {
  if (finding.severity == Severity::kNote || finding.cells.empty()) return false;
  if (AskedNow(mind.ledger, finding.cells.front()) != nullptr) return true;
  return finding.placement && std::any_of(kSides.begin(), kSides.end(), [&](Side side) {
           return AskedNow(mind.ledger, Neighbour(finding.placement->cell, side)) != nullptr;
         });
}

}  // namespace tilewarden::engine
