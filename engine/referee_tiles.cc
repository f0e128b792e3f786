// What the tiles on the table tell: known ones that changed, and new ones.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <tuple>

#include "engine/referee_model.h"
#include "engine/referee_state.h"
#include "engine/text.h"

namespace tilewarden::engine {
namespace {

// The table as it must lie for a tile on this cell, where house rules let people
// shift the board or add a table: moved or made larger as little as need be.
std::optional<PlayingArea> TableFor(const Game& game, Cell cell) {
  if (!game.area() || Contains(*game.area(), cell)) return std::nullopt;
  PlayingArea table = *game.area();
  const int dx = std::min(0, cell.x - table.west) + std::max(0, cell.x - table.east);
  const int dy = std::min(0, cell.y - table.north) + std::max(0, cell.y - table.south);
  switch (game.rules().board_shift) {
    case BoardShift::kRefused:
      return std::nullopt;
    case BoardShift::kSecondTable:
      (dx < 0 ? table.west : table.east) += dx;
      (dy < 0 ? table.north : table.south) += dy;
      return table;
    case BoardShift::kAllowed:
      break;
  }
  table = {table.west + dx, table.north + dy, table.east + dx, table.south + dy};
  for (const PlacedTile& laid : game.PlacedTiles()) {
    if (!Contains(table, laid.cell)) return std::nullopt;
  }
  return table;
}

// Where house rules let people shift the board, a tile beyond the table's edge
// tells that they did.
Turn Laying(const Game& on, int tile, Cell cell, int rotation) {
  Turn turn;
  turn.player = -1;
  turn.tile = tile;
  turn.cell = cell;
  turn.rotation = rotation;
  turn.table = TableFor(on, cell);
  return turn;
}

}  // namespace

double Referee::State::Touched(Cell cell, std::uint64_t since) const {
  const auto found = memory.find(cell);
  const std::uint64_t covered = found == memory.end() ? 0 : found->second.last_covered;
  return last_hand != 0 && covered < since ? kUntouched : 1;
}

bool Referee::State::NearBoard(Cell cell) const {
  if (game().PlacedTiles().empty()) return cell == Cell{};
  for (int dx = -kBoardReach; dx <= kBoardReach; ++dx) {
    for (int dy = -kBoardReach; dy <= kBoardReach; ++dy) {
      if (game().TileAt({cell.x + dx, cell.y + dy}) != nullptr) return true;
    }
  }
  return false;
}

void Referee::State::AddEvidence(Cell cell, const CellView& view) {
  CellMemory& cell_memory = MemoryOf(cell);
  const bool swapped = !view.readings.empty() &&
                       view.readings.front().probability >= kClearReading &&
                       !cell_memory.log_evidence.empty() &&
                       std::none_of(cell_memory.log_evidence.begin(),
                                    cell_memory.log_evidence.end(), [&](const auto& entry) {
                                      return entry.first.first == view.readings.front().tile &&
                                             faces.Same(entry.first.first, entry.first.second,
                                                        view.readings.front().rotation) &&
                                             entry.second > std::log(kNotThisTile);
                                    });
  if (swapped && game().TileAt(cell) == nullptr) {
    // Not the tile that lay here before: somebody turned or changed it.
    cell_memory.log_evidence.clear();
    cell_memory.looks = 0;
  }
  const double weight = cell_memory.looks++ == 0 ? 1.0 : kRepeatedLook;
  // Readings not listed before were not seen in any earlier look.
  const double never = std::log(kReadingFloor) * (1 + kRepeatedLook * (cell_memory.looks - 2));
  for (const TileReading& reading : view.readings) {
    const bool listed = std::any_of(
        cell_memory.log_evidence.begin(), cell_memory.log_evidence.end(), [&](const auto& entry) {
          return entry.first.first == reading.tile &&
                 faces.Same(reading.tile, entry.first.second, reading.rotation);
        });
    if (!listed) {
      cell_memory.log_evidence[{reading.tile, reading.rotation}] =
          cell_memory.looks > 1 ? never : 0;
    }
  }
  for (auto& [reading, log_likelihood] : cell_memory.log_evidence) {
    const double p = view.ProbabilityOf(faces, reading.first, reading.second);
    log_likelihood =
        std::max(log_likelihood + weight * std::log(p + kReadingFloor), kLeastLogLikelihood);
  }
}

bool Referee::State::ReviewBoard(const Look& look) {
  if (game().PlacedTiles().empty()) return true;
  // A cleared table, a picture of a part: conclude nothing.
  std::size_t differing = 0, visible = 0;
  for (const PlacedTile& laid : game().PlacedTiles()) {
    const CellView& view = look.At(laid.cell);
    if (view.hidden) continue;
    ++visible;
    if (!view.tile || view.ProbabilityOf(faces, laid.tile, laid.rotation) < kNotThisTile) {
      ++differing;
    }
  }
  const auto most = std::max(2.0, kMostDiffering * static_cast<double>(visible));
  if (static_cast<double>(differing) > most || differing == visible) return false;

  for (const PlacedTile& laid : game().PlacedTiles()) {
    const CellView& view = look.At(laid.cell);
    if (view.hidden) continue;
    CellMemory& cell_memory = MemoryOf(laid.cell);
    if (!view.tile) {
      ++cell_memory.absent_looks;
      continue;
    }
    cell_memory.absent_looks = 0;
    const double right = view.ProbabilityOf(faces, laid.tile, laid.rotation);
    cell_memory.clearest = std::max(cell_memory.clearest, right);
    if (right >= kNotThisTile) cell_memory.last_right = sightings;
    AddEvidence(laid.cell, view);
  }
  // The last tile may be taken up again, turned or moved until the next one is
  // laid: that is no mistake, only a turn that was not over.
  ReviewLastTile(look);
  return true;
}

bool Referee::State::ReviewLastTile(const Look& look) {
  if (game().turns().empty() || !may_take_back) return false;
  const Turn last = game().turns().back();
  const int number = static_cast<int>(game().turns().size());
  const CellView& view = look.At(last.cell);
  if (view.hidden || ledger.SetByHand(last.cell)) return false;

  const bool absent = !view.tile;
  const double same = view.ProbabilityOf(faces, last.tile, last.rotation);
  const bool changed = !absent && !view.readings.empty() && same < kNotThisTile &&
                       view.readings.front().probability >= kThatTile;
  if (!absent && !changed) return false;

  Game before = game();
  before.Undo();
  std::optional<Turn> instead;
  const CellView* there = &view;
  if (changed) {
    instead = Laying(before, view.readings.front().tile, last.cell, view.readings.front().rotation);
  } else {
    for (const auto& [cell, other] : look.cells) {
      if (!other.tile || other.hidden || !other.straight || other.readings.empty() ||
          game().TileAt(cell) != nullptr || !NearBoard(cell)) {
        continue;
      }
      const TileReading& best = other.readings.front();
      if (best.tile != last.tile || best.probability < kThatTile) continue;
      instead = Laying(before, best.tile, cell, best.rotation);
      there = &other;
      break;
    }
    if (!instead && MemoryOf(last.cell).absent_looks < 2) return false;
  }

  may_take_back = false;
  memory.erase(last.cell);
  if (instead && !CheckOn(before, *instead)) {
    bool inferred = false;
    instead->player = -1;
    FillNeutral(&*instead, before, look);
    const Turn turn = CompleteTurn(*instead, before, number, last.player, *there, &inferred);
    may_take_back = SetTurn(number, turn, "the last tile was laid differently");
    NoteClaim(number);
    return true;
  }
  return Emit(TurnsRevised{number, {}, "the last tile was taken up again"});
}

void Referee::State::ReviewTile(const PlacedTile& laid, const Look& look) {
  const CellView& view = look.At(laid.cell);
  if (view.hidden || ledger.SetByHand(laid.cell)) return;
  CellMemory& cell_memory = MemoryOf(laid.cell);
  const double weight = kHalf * Touched(laid.cell, cell_memory.last_right);
  if (!view.tile) {
    for (const auto& [cell, other] : look.cells) {
      double alike = 0;
      for (const TileReading& reading : other.readings) {
        if (reading.tile == laid.tile) alike += reading.probability;
      }
      if (other.tile && !other.hidden && game().TileAt(cell) == nullptr && NearBoard(cell) &&
          alike >= kLikelyThatTile) {
        Assert("tile-moved", Severity::kIllegal, {laid.cell, cell},
               Text("A laid tile was moved: put it back to ", Where(laid.cell), "."), weight);
        return;
      }
    }
    Assert("tile-taken", Severity::kIllegal, {laid.cell},
           Text("The tile ", Where(laid.cell), " is gone: put it back."), weight);
    return;
  }
  if (view.readings.empty()) return;
  const TileReading& other = view.readings.front();
  const double same = view.ProbabilityOf(faces, laid.tile, laid.rotation);
  if (same >= kNotThisTile || other.probability < kLikelyThatTile) return;

  // Read wrongly so far, or changed since? Only what was once clear has changed.
  if (laid.turn > 0 && cell_memory.taken_by_sight && cell_memory.clearest < kClearReading) {
    const auto evidence = [&](int tile, int rotation) {
      double best = std::log(kReadingFloor) * cell_memory.looks;
      for (const auto& [reading, log_likelihood] : cell_memory.log_evidence) {
        if (reading.first == tile && faces.Same(tile, reading.second, rotation)) {
          best = std::max(best, log_likelihood);
        }
      }
      return best;
    };
    const bool better =
        evidence(other.tile, other.rotation) >= evidence(laid.tile, laid.rotation) + kRevisingLead;
    if (better && ReadAgain(laid, other, view)) return;
    if (!better && weight < kHalf) return;
  }
  if (other.tile == laid.tile) {
    Assert("tile-turned", Severity::kIllegal, {laid.cell},
           Text("The tile ", Where(laid.cell), " was turned: turn it back."), weight);
  } else {
    Assert("tile-changed", Severity::kIllegal, {laid.cell},
           Text("Another tile lies ", Where(laid.cell), " than was laid: put the laid one back."),
           weight);
  }
}

// Replaces the reading of a tile, and finds again where its figure stands: the
// segments of the other tile have other numbers.
bool Referee::State::ReadAgain(const PlacedTile& laid, const TileReading& reading,
                               const CellView& view) {
  const std::vector<Turn>& turns = game().turns();
  Turn turn = turns[static_cast<std::size_t>(laid.turn - 1)];
  const bool had_figure = turn.deployment.has_value();
  turn.tile = reading.tile;
  turn.rotation = reading.rotation;
  turn.deployment.reset();
  const std::optional<Game> before = ledger.Replay({turns.begin(), turns.begin() + laid.turn - 1});
  if (!before) return false;
  for (const FigureView& figure : view.figures) {
    if (figure.seen.probability < options.figure_certainty) continue;
    const auto choice = ReadFigure(figure, *before, turn, turn.player);
    if (!choice || choice->refusal || choice->player < 0) continue;
    if (had_figure && choice->player != turn.player) continue;
    turn.player = choice->player;
    turn.deployment = choice->deployment;
    break;
  }
  if (had_figure && !turn.deployment) return false;
  return SetTurn(laid.turn, turn, "the tile was read better");
}

Referee::State::Decision Referee::State::Decide(Cell cell, const CellView& view, bool patient) {
  const CellMemory& cell_memory = memory[cell];
  double named = 0;
  for (const TileReading& reading : view.readings) named += reading.probability;
  const double unlisted = std::max(0.0, 1 - named) * kUnlisted;
  double camera_total = unlisted, total = unlisted;
  double camera_illegal = 0;
  Decision legal, illegal;
  for (const auto& [reading, log_likelihood] : cell_memory.log_evidence) {
    const auto [tile, rotation] = reading;
    const auto refusal = CheckLaying(Laying(game(), tile, cell, rotation));
    const double likelihood = std::exp(log_likelihood);
    double weight = likelihood * (refusal ? kIllegalTileRate : 1 - kIllegalTileRate);
    if (game().TilesLeft(tile) <= 0) weight *= kNoCopiesLeft;
    camera_total += likelihood;
    total += weight;
    if (refusal) camera_illegal = std::max(camera_illegal, likelihood);
    Decision& best = refusal ? illegal : legal;
    if (weight > best.reading.probability) {
      best.reading = {tile, rotation, weight};
      best.refusal = refusal;
    }
  }
  legal.kind = Decision::Kind::kLegal;
  illegal.kind = Decision::Kind::kIllegal;
  legal.reading.probability /= total;
  illegal.reading.probability /= total;
  camera_illegal /= camera_total;
  if (camera_illegal >= (cell_memory.looks > 1 ? kClearReading : kClearAtOnce)) return illegal;
  if (camera_illegal < kRulesMayDecide || cell_memory.looks >= kPatience || !patient) {
    if (legal.reading.probability >= options.tile_certainty) return legal;
    if (illegal.reading.probability >= kSureIllegal) return illegal;
  }
  return {};
}

// Tiles that lie beside the board since a turn: set aside, as the next one is laid.
void Referee::State::ReviewAside(const Look& look) {
  for (const auto& [cell, view] : look.cells) {
    if (!view.tile || view.hidden || view.readings.empty() || game().TileAt(cell) != nullptr ||
        NearBoard(cell)) {
      continue;
    }
    if (!furniture_known) furniture.insert(cell);
    if (furniture.contains(cell)) continue;
    // What all looks at it say: one may be doubtful.
    AddEvidence(cell, view);
    const CellMemory& seen = MemoryOf(cell);
    const auto best =
        std::max_element(seen.log_evidence.begin(), seen.log_evidence.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    double total = 0;
    for (const auto& entry : seen.log_evidence) total += std::exp(entry.second - best->second);
    if (1 / total < kThatTile) continue;
    const std::size_t since = aside.try_emplace(cell, game().turns().size()).first->second;
    if (game().turns().size() <= since) continue;
    const int tile = best->first.first;
    const double weight = seen.looks >= kPatience ? 1 : kHalf;
    const std::vector<Placement> places = game().LegalPlacements(tile);
    if (places.empty()) {
      Assert("tile-set-aside", Severity::kNote, {cell},
             "The tile beside the board fits nowhere: rightly set aside.", weight);
    } else {
      Assert("tile-fits", Severity::kWarning, {cell, places.front().cell},
             Text("The tile beside the board fits, for example ", Where(places.front().cell),
                  ": it must be laid."),
             weight);
    }
  }
  furniture_known = true;
  const auto gone = [&](Cell cell) {
    const CellView& view = look.At(cell);
    return !view.hidden && !view.tile;
  };
  std::erase_if(furniture, gone);
  std::erase_if(aside, [&](const auto& entry) {
    return gone(entry.first) || game().TileAt(entry.first) != nullptr;
  });
}

// More copies of a tile lie on the table than the box has.
void Referee::State::AssertCounts() {
  for (std::size_t tile = 0; tile < tiles().types().size(); ++tile) {
    if (game().TilesLeft(static_cast<int>(tile)) >= 0) continue;
    const auto& laid = game().PlacedTiles();
    const auto last = std::find_if(laid.rbegin(), laid.rend(), [&](const PlacedTile& placed) {
      return placed.tile == static_cast<int>(tile);
    });
    Assert("no-copies-left", Severity::kWarning, {last->cell},
           Text("Every copy of the tile ", Where(last->cell),
                " lies already: does it belong to this box?"),
           kHalf);
  }
}

void Referee::State::AssertIllegal(Cell cell, const Decision& decision) {
  const TileReading& reading = decision.reading;
  double weight = 1;
  if (decision.refusal->code == "not-adjacent") {
    // A tile put down beside the board while somebody thinks touches nothing.
    // Beside a tile that is itself not accepted, that one is told first.
    weight = kHalf;
    for (int dx = -1; dx <= 1; ++dx) {
      for (int dy = -1; dy <= 1; ++dy) {
        if (game().TileAt({cell.x + dx, cell.y + dy}) != nullptr) weight = 1;
      }
    }
    for (const Finding& open : ledger.findings()) {
      if (!open.placement) continue;
      for (const Side side : kSides) {
        if (Neighbour(cell, side) == open.placement->cell) return;
      }
    }
  }
  Assert(decision.refusal->code, Severity::kIllegal, decision.refusal->cells,
         Text("The tile ", Where(cell), " may not lie there. ", decision.refusal->text,
              " Turn it or lay it elsewhere."),
         weight);
  conditions.back().finding.placement = Placement{cell, reading.rotation};
  conditions.back().finding.tile = tiles().types()[static_cast<std::size_t>(reading.tile)].id;
}

Turn Referee::State::TurnAt(Cell cell) const {
  const auto& turns = game().turns();
  return *std::find_if(turns.begin(), turns.end(),
                       [&](const Turn& turn) { return turn.cell == cell && !turn.set_aside; });
}

int Referee::State::NumberByFirstSight(Cell cell) const {
  const std::uint64_t seen = memory.at(cell).first_settled;
  int number = static_cast<int>(game().turns().size()) + 1;
  while (number > 1) {
    const auto before = memory.find(game().turns()[static_cast<std::size_t>(number - 2)].cell);
    if (before == memory.end() || !before->second.taken_by_sight ||
        before->second.first_settled <= seen) {
      break;
    }
    --number;
  }
  return number;
}

// Takes down the turn that laid this tile; where later tiles were read before
// it, in front of their turns.
bool Referee::State::TakeDown(Cell cell, const TileReading& reading, const Look& look,
                              int expected) {
  const CellView& view = look.At(cell);
  const int last = static_cast<int>(game().turns().size()) + 1;
  bool inferred = false;
  if (const int number = NumberByFirstSight(cell); number < last) {
    const std::vector<Turn> turns = game().turns();
    const std::optional<Game> before = ledger.Replay({turns.begin(), turns.begin() + number - 1});
    Turn turn = Laying(before ? *before : game(), reading.tile, cell, reading.rotation);
    if (before) FillNeutral(&turn, *before, look);
    if (before && !before->Check(turn)) {
      const int mover = turns[static_cast<std::size_t>(number - 1)].player;
      turn = CompleteTurn(turn, *before, number, mover, view, &inferred);
      doubt.reset();
      claim_for_later.reset();
      std::vector<Turn> after = {turn};
      // A join may have moved the players' places.
      after.insert(after.end(), game().turns().begin() + number - 1, game().turns().end());
      for (Turn& later : after) {
        if (!later.deployment && !later.recall) later.player = -1;
      }
      if (Emit(TurnsRevised{number, std::move(after), "a tile was laid before the last one"})) {
        FillMovers();
        return true;
      }
    }
  }
  Turn turn = Laying(game(), reading.tile, cell, reading.rotation);
  FillNeutral(&turn, game(), look);
  turn = CompleteTurn(turn, game(), last, expected, view, &inferred);
  Game after = game();
  std::optional<Outcome> outcome = after.Apply(turn);
  if (!outcome || !Emit(TurnPlayed{turn, inferred, false, *std::move(outcome)})) {
    claim_for_later.reset();
    doubt.reset();
    return false;
  }
  if (inferred) claims_concluded.insert(cell);
  NoteClaim(last);
  return true;
}

void Referee::State::TakeNewTiles(const Look& look) {
  std::vector<Cell> fresh;
  for (const auto& [cell, view] : look.cells) {
    if (!view.tile || view.hidden || !view.straight || view.readings.empty() ||
        game().TileAt(cell) != nullptr || !NearBoard(cell)) {
      continue;
    }
    const auto taken_back = ledger.taken_back().find(cell);
    if (taken_back != ledger.taken_back().end() &&
        faces.Same(view.readings.front().tile, taken_back->second.rotation,
                   view.readings.front().rotation)) {
      continue;
    }
    const bool moved =
        std::any_of(conditions.begin(), conditions.end(), [&, at = cell](const Condition& c) {
          return c.finding.code == "tile-moved" && c.finding.cells.back() == at;
        });
    if (moved) continue;
    CellMemory& cell_memory = MemoryOf(cell);
    if (cell_memory.first_seen == 0) cell_memory.first_seen = sightings;
    if (cell_memory.first_settled == 0) cell_memory.first_settled = sightings;
    AddEvidence(cell, view);
    fresh.push_back(cell);
  }

  // One turn after the other, in the order that the colours of their figures
  // and the first sight of each tile tell.
  several_new = fresh.size() > 1;
  Batch batch;
  batch.first = static_cast<int>(game().turns().size()) + 1;
  while (!fresh.empty()) {
    const int expected = ledger.order().next;
    std::optional<std::size_t> next;
    Decision next_decision;
    std::tuple<std::uint64_t, int, std::uint64_t> next_rank;
    // Once a later tile is read, an earlier one is not waited for any longer.
    std::uint64_t latest = 0;
    for (const Cell cell : fresh) latest = std::max(latest, memory[cell].first_seen);
    for (std::size_t i = 0; i < fresh.size(); ++i) {
      const CellView& view = look.At(fresh[i]);
      const Decision decision = Decide(fresh[i], view, memory[fresh[i]].first_seen == latest);
      if (decision.kind != Decision::Kind::kLegal) continue;
      int late = 1;  // no figure tells whose turn it was
      for (const FigureView& figure : view.figures) {
        if (figure.seen.probability < options.figure_certainty || expected < 0) continue;
        const std::string& colour = game().players()[static_cast<std::size_t>(expected)].colour;
        late = 2;
        for (const ColourProbability& c : figure.seen.colours) {
          if (c.colour == colour && c.probability >= kColourPossible) late = 0;
        }
      }
      const std::tuple rank = {memory[fresh[i]].first_settled, late, memory[fresh[i]].first_seen};
      if (!next || rank < next_rank) {
        next = i;
        next_rank = rank;
        next_decision = decision;
      }
    }
    if (!next) break;
    const Cell cell = fresh[*next];
    fresh.erase(fresh.begin() + static_cast<std::ptrdiff_t>(*next));
    const CellView& view = look.At(cell);
    if (!TakeDown(cell, next_decision.reading, look, expected)) break;
    const Turn turn = TurnAt(cell);
    CellMemory& cell_memory = MemoryOf(cell);
    cell_memory.clearest = view.ProbabilityOf(faces, turn.tile, turn.rotation);
    cell_memory.taken_by_sight = true;
    batch.first_seen[cell] = cell_memory.first_seen;
    cell_memory.last_right = sightings;
  }
  if (batch.first_seen.size() > 1) {
    batches.push_back(std::move(batch));
    if (batches.size() > kKeptBatches) batches.pop_front();
  }
  undecided = false;
  for (const Cell cell : fresh) {
    const Decision decision = Decide(cell, look.At(cell), true);
    undecided = undecided || decision.kind != Decision::Kind::kIllegal;
    if (decision.kind == Decision::Kind::kIllegal) AssertIllegal(cell, decision);
  }
}

}  // namespace tilewarden::engine
