#include "referee_simulation.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <functional>
#include <set>
#include <sstream>

#include "engine/referee.h"

namespace tilewarden::engine {
namespace {

constexpr std::array<const char*, 6> kColours = {"red", "blue", "green", "yellow", "black", "pink"};

std::size_t At(int i) { return static_cast<std::size_t>(i); }

Cell Turned(Cell cell, int turns) {
  for (int i = 0; i < (turns & 3); ++i) cell = {-cell.y, cell.x};
  return cell;
}

// People at a table: the truth, the table, and the referee that watches.
class Evening {
 public:
  Evening(std::shared_ptr<const TileSet> tiles, const SimulatedGame& options)
      : options_(options),
        tiles_(std::move(tiles)),
        faces_(*tiles_),
        table_(tiles_, options.errors, options.seed),
        truth_(tiles_, *Rules::Preset("c1"), Colours(options.players)),
        referee_(*Referee::Create(tiles_, *Rules::Preset("c1"), {}, false, &log_)) {
    table_.tiles.push_back({{0, 0}, tiles_->start_tile(), 0});
    for (std::size_t type = 0; type < tiles_->types().size(); ++type) {
      const int copies = tiles_->counts()[type] - (static_cast<int>(type) == tiles_->start_tile());
      for (int i = 0; i < copies; ++i) stack_.push_back(static_cast<int>(type));
    }
    std::shuffle(stack_.begin(), stack_.end(), std::mt19937(options.seed));
  }

  SimulationReport Play() {
    for (int i = 0; i < 3; ++i) Settle();
    for (int n = 0; n < options_.turns && !stack_.empty(); ++n) {
      const std::optional<Turn> turn = NextTurn();
      if (!turn) break;
      if (table_.Chance() < options_.mistakes) Mistake(*turn);
      TakeTurn(*turn);
      if (options_.restarts && table_.Chance() < 0.1) {
        Restart();
        Settle();
      }
    }
    Settle();
    Settle();
    Compare();
    return std::move(report_);
  }

 private:
  static std::vector<std::string> Colours(int n) {
    return {kColours.begin(), kColours.begin() + n};
  }

  std::string Colour(int player) const { return kColours[At(player)]; }

  std::optional<Turn> NextTurn() {
    while (!stack_.empty()) {
      Turn turn;
      turn.player = static_cast<int>(truth_.turns().size()) % options_.players;
      turn.tile = stack_.back();
      stack_.pop_back();
      const std::vector<Placement> legal = truth_.LegalPlacements(turn.tile);
      if (legal.empty()) continue;
      const Placement at = legal[At(table_.Pick(static_cast<int>(legal.size())))];
      turn.cell = at.cell;
      turn.rotation = at.rotation;
      const std::vector<Deployment> deployments =
          truth_.LegalDeployments(turn.player, turn.tile, at);
      if (!deployments.empty() && table_.Chance() < 0.7) {
        turn.deployment = deployments[At(table_.Pick(static_cast<int>(deployments.size())))];
      }
      return turn;
    }
    return std::nullopt;
  }

  void Observe(const Sighting& sighting) {
    // Processor time: other programs may run beside the test.
    const std::clock_t start = std::clock();
    std::vector<Event> events = referee_.Observe(sighting);
    const double took_ms = 1000.0 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    report_.slowest_ms = std::max(report_.slowest_ms, took_ms);
    ++report_.sightings;
    for (Event& event : events) {
      if (const auto* raised = std::get_if<FindingRaised>(&event)) {
        if (expected_.contains(raised->finding.code)) {
          told_.insert(raised->finding.code);
        } else {
          ++report_.false_accusations;
          ++report_.false_by_code[raised->finding.code];
          Note("after turn " + std::to_string(truth_.turns().size()) + ": " + raised->finding.text);
        }
      }
      log_.push_back(std::move(event));
    }
  }

  void Settle() { Observe(table_.Look()); }
  void Hand(Cell cell) { Observe(table_.Look(cell)); }

  // The first few only.
  void Note(const std::string& text) {
    if (report_.notes.size() < 4) {
      report_.notes.push_back("seed " + std::to_string(options_.seed) + ": " + text);
    }
  }

  std::string Describe(const Game& game, const Turn& turn) const {
    std::ostringstream out;
    out << (turn.player < 0 ? "nobody" : game.players()[At(turn.player)].colour) << " "
        << tiles_->types()[At(turn.tile)].id << " at " << turn.cell.x << "," << turn.cell.y
        << " turned " << turn.rotation;
    if (turn.deployment) out << " on segment " << turn.deployment->segment;
    return out.str();
  }

  void Restart() { referee_ = *Referee::Restore(tiles_, log_); }

  void TakeTurn(const Turn& turn) {
    Hand(turn.cell);
    table_.Lay(turn);
    if (turn.deployment && table_.Chance() < 0.3) Settle();  // thinks about it
    const std::optional<Outcome> outcome = truth_.Apply(turn);
    if (turn.deployment) {
      table_.Set(Colour(turn.player), turn.cell, turn.deployment->segment);
      Hand(turn.cell);
    }
    if (!outcome->returned.empty()) {
      const bool at_once = table_.Chance() < 0.5;
      if (!at_once) Settle();
      for (const PlacedFigure& figure : outcome->returned) {
        if (!at_once) Hand(figure.cell);
        table_.Take(Colour(figure.player), figure.cell);
      }
      if (at_once) Hand(turn.cell);
    }
    Settle();
    if (table_.Chance() < 0.3) Settle();
  }

  // The mistake lies there for two settled looks; then it is put right.
  void Plant(const std::string& kind, std::set<std::string> codes, Cell hand,
             const std::function<void()>& wrong, const std::function<void()>& right) {
    ++report_.planted[kind];
    expected_ = std::move(codes);
    told_.clear();
    Hand(hand);
    wrong();
    Settle();
    Settle();
    if (told_.empty()) {
      ++report_.missed[kind];
      Note("missed " + kind + " after turn " + std::to_string(truth_.turns().size()));
    }
    Hand(hand);
    right();
    Settle();
    Settle();
    for (const Finding& open : referee_.findings()) {
      if (expected_.contains(open.code)) ++report_.not_cleared;
    }
    expected_.clear();
  }

  // Something goes wrong before this turn is taken.
  void Mistake(const Turn& turn) {
    constexpr int kKinds = 9;
    switch (table_.Pick(kKinds)) {
      case 0:
        return IllegalTile(turn, "edge-mismatch");
      case 1:
        return IllegalTile(turn, "not-adjacent");
      case 2:
        return OccupiedFeature(turn);
      case 3:
        return FigureTaken();
      case 4:
        return TileTaken();
      case 5:
        return TileTurned();
      case 6:
        return SecondTile(turn);
      case 7:
        return OutOfTurn(turn);
      default:
        return FigureOnOldTile();
    }
  }

  void IllegalTile(const Turn& turn, const std::string& code) {
    std::vector<Turn> wrong;
    for (const PlacedTile& laid : truth_.PlacedTiles()) {
      for (int dx = -1; dx <= 1; ++dx) {
        for (int dy = -1; dy <= 1; ++dy) {
          for (int rotation = 0; rotation < 4; ++rotation) {
            Turn t = turn;
            t.deployment.reset();
            t.cell = {laid.cell.x + dx, laid.cell.y + dy};
            t.rotation = rotation;
            const auto refusal = truth_.Check(t);
            if (refusal && refusal->code == code) wrong.push_back(t);
          }
        }
      }
    }
    if (wrong.empty()) return;
    const Turn t = wrong[At(table_.Pick(static_cast<int>(wrong.size())))];
    Plant(
        code, {code}, t.cell, [&] { table_.Lay(t); }, [&] { table_.tiles.pop_back(); });
  }

  void OccupiedFeature(const Turn& turn) {
    if (truth_.players()[At(turn.player)].followers == 0) return;
    const auto& segments = tiles_->types()[At(turn.tile)].segments;
    for (std::size_t s = 0; s < segments.size(); ++s) {
      Turn t = turn;
      t.deployment = Deployment{FigureKind::kFollower, static_cast<int>(s)};
      const auto refusal = truth_.Check(t);
      if (!refusal || refusal->code != "feature-occupied") continue;
      Plant(
          "feature-occupied", {"feature-occupied"}, t.cell,
          [&] {
            table_.Lay(t);
            table_.Set(Colour(t.player), t.cell, static_cast<int>(s));
          },
          [&] {
            table_.Take(Colour(t.player), t.cell);
            table_.tiles.pop_back();
          });
      return;
    }
  }

  void FigureTaken() {
    if (table_.figures.empty()) return;
    const SimulatedTable::Figure figure =
        table_.figures[At(table_.Pick(static_cast<int>(table_.figures.size())))];
    Plant(
        "figure-taken-early", {"figure-taken-early"}, figure.cell,
        [&] { table_.Take(figure.colour, figure.cell); },
        [&] { table_.figures.push_back(figure); });
  }

  // Not the last one, which may be taken up again, nor one with a figure on it.
  SimulatedTable::Tile* OldTile() {
    std::vector<SimulatedTable::Tile*> old;
    for (std::size_t i = 0; i + 1 < table_.tiles.size(); ++i) {
      const Cell cell = table_.tiles[i].cell;
      if (std::none_of(table_.figures.begin(), table_.figures.end(),
                       [&](const auto& figure) { return figure.cell == cell; })) {
        old.push_back(&table_.tiles[i]);
      }
    }
    return old.empty() ? nullptr : old[At(table_.Pick(static_cast<int>(old.size())))];
  }

  void TileTaken() {
    SimulatedTable::Tile* old = OldTile();
    if (old == nullptr || table_.tiles.size() < 4) return;
    const SimulatedTable::Tile tile = *old;
    Plant(
        "tile-taken", {"tile-taken"}, tile.cell,
        [&] { std::erase_if(table_.tiles, [&](const auto& t) { return t.cell == tile.cell; }); },
        [&] { table_.tiles.insert(table_.tiles.begin(), tile); });
  }

  void TileTurned() {
    SimulatedTable::Tile* old = OldTile();
    if (old == nullptr || table_.tiles.size() < 4) return;
    const SimulatedTable::Tile tile = *old;
    if (faces_.Same(tile.tile, 0, 1)) return;
    Plant(
        "tile-turned", {"tile-turned"}, tile.cell,
        [&] { table_.TileAt(tile.cell)->rotation = (tile.rotation + 1) & 3; },
        [&] { table_.TileAt(tile.cell)->rotation = tile.rotation; });
  }

  // The player before lays another tile, and claims something on it.
  void SecondTile(const Turn& turn) { FalseTurn(turn, "two-tiles", turn.player - 1); }
  void OutOfTurn(const Turn& turn) {
    if (options_.players > 2) FalseTurn(turn, "out-of-turn", turn.player + 1);
  }
  void FalseTurn(const Turn& turn, const std::string& code, int by) {
    // The order is not known before every player has had two turns.
    if (static_cast<int>(truth_.turns().size()) < 3 * options_.players) return;
    Turn t = turn;
    t.player = (by + options_.players) % options_.players;
    const auto deployments = truth_.LegalDeployments(t.player, t.tile, {t.cell, t.rotation});
    if (deployments.empty()) return;
    t.deployment = deployments[At(table_.Pick(static_cast<int>(deployments.size())))];
    // What it completes would go home; keep to turns that complete nothing.
    Game after = truth_;
    if (!after.Apply(t)->returned.empty()) return;
    Plant(
        code, {code}, t.cell,
        [&] {
          table_.Lay(t);
          table_.Set(Colour(t.player), t.cell, t.deployment->segment);
        },
        [&] {
          table_.Take(Colour(t.player), t.cell);
          table_.tiles.pop_back();
        });
  }

  void FigureOnOldTile() {
    SimulatedTable::Tile* old = OldTile();
    if (old == nullptr) return;
    const Cell cell = old->cell;
    const std::string colour = Colour(table_.Pick(options_.players));
    Plant(
        "figure-not-on-last-tile", {"figure-not-on-last-tile", "figure-not-returned"}, cell,
        [&] { table_.Set(colour, cell, 0); }, [&] { table_.Take(colour, cell); });
  }

  void Compare() {
    report_.games = 1;
    report_.events = log_.size();
    bool exact = referee_.game() != nullptr;
    std::map<std::string, int> scores, found_scores;
    for (const PlayerState& player : truth_.players()) scores[player.colour] = player.score;
    if (exact) {
      const Game& game = *referee_.game();
      for (const PlayerState& player : game.players()) found_scores[player.colour] = player.score;
      const int turned = game.TileAt({})->rotation;  // the truth's start tile is upright
      const std::size_t turns = truth_.turns().size();
      exact = game.turns().size() == turns;
      report_.placements += static_cast<int>(turns);
      for (std::size_t i = 0; i < turns; ++i) {
        bool right = i < game.turns().size();
        if (right) {
          const Turn& is = game.turns()[i];
          const Turn& should = truth_.turns()[i];
          right = is.tile == should.tile && is.cell == Turned(should.cell, turned) &&
                  faces_.Same(is.tile, is.rotation, should.rotation + turned) && is.player >= 0 &&
                  game.players()[At(is.player)].colour == Colour(should.player) &&
                  is.deployment.has_value() == should.deployment.has_value();
          // A tile whose faces look the same may count its segments the other way round.
          if (right && is.deployment && is.rotation == ((should.rotation + turned) & 3)) {
            right = *is.deployment == *should.deployment;
          }
        }
        if (!right) {
          ++report_.wrong_placements;
          Note("turn " + std::to_string(i + 1) + " should be " +
               Describe(truth_, truth_.turns()[i]) +
               (i < game.turns().size() ? ", is " + Describe(game, game.turns()[i]) : ""));
        }
        exact = exact && right;
      }
    }
    const bool scores_right = scores == found_scores;
    report_.exact = exact && scores_right;
    report_.scores_right = scores_right;
    if (!report_.exact && report_.notes.empty()) {
      Note("scores or number of turns differ");
    }
  }

  SimulatedGame options_;
  std::shared_ptr<const TileSet> tiles_;
  TileFaces faces_;
  SimulatedTable table_;
  Game truth_;
  std::vector<Event> log_;
  Referee referee_;
  std::vector<int> stack_;
  std::set<std::string> expected_, told_;
  SimulationReport report_;
};

}  // namespace

void SimulationReport::Add(const SimulationReport& other) {
  games += other.games;
  exact += other.exact;
  scores_right += other.scores_right;
  placements += other.placements;
  wrong_placements += other.wrong_placements;
  false_accusations += other.false_accusations;
  not_cleared += other.not_cleared;
  for (const auto& [kind, n] : other.planted) planted[kind] += n;
  for (const auto& [kind, n] : other.missed) missed[kind] += n;
  for (const auto& [code, n] : other.false_by_code) false_by_code[code] += n;
  notes.insert(notes.end(), other.notes.begin(), other.notes.end());
  slowest_ms = std::max(slowest_ms, other.slowest_ms);
  sightings += other.sightings;
  events += other.events;
}

SimulationReport PlayGame(std::shared_ptr<const TileSet> tiles, const SimulatedGame& game) {
  return Evening(std::move(tiles), game).Play();
}

std::string SimulationReport::ToString() const {
  std::ostringstream out;
  out << games << " games, " << exact << " exact, " << scores_right << " with right scores; "
      << wrong_placements << " of " << placements << " placements wrong; " << false_accusations
      << " false accusations; " << not_cleared << " not cleared; " << sightings << " sightings, "
      << events << " events, slowest " << slowest_ms << " ms\n";
  for (const auto& [kind, n] : planted) {
    const auto miss = missed.find(kind);
    out << "  " << kind << ": planted " << n << ", missed "
        << (miss == missed.end() ? 0 : miss->second) << "\n";
  }
  for (const auto& [code, n] : false_by_code) out << "  falsely " << code << ": " << n << "\n";
  for (const std::string& note : notes) out << "  " << note << "\n";
  return out.str();
}

}  // namespace tilewarden::engine
