#include "engine/expansions/ark.h"

#include <cstdlib>

#include "engine/expansions/temples.h"
#include "engine/tiles/text.h"

namespace tilewarden::engine {
namespace {

constexpr int kLongestMove = 5;          // tiles (Moving the Ark)
constexpr int kPassedPoints = 1;         // to the owner of each figure passed (Moving the Ark)
constexpr int kFirstArkPoints = 2;       // to whoever brings it in (German edition)
constexpr int kReachedTemplePoints = 3;  // to whoever moves it onto a temple (German edition)
constexpr int kSheepPoints = 2;          // a sheep that no wolf eats, at the end (Sheep and wolves)

int Distance(Cell a, Cell b) { return std::abs(a.x - b.x) + std::abs(a.y - b.y); }

enum class ArkCause : std::uint8_t { kPassed, kFirst, kTemple };

struct ArkState {
  std::optional<Cell> cell;  // empty: it has not entered yet
  bool reached_temple = false;
};

class Ark final : public PartWithState<Ark, ArkState> {
 public:
  bool RefusesLater(const Turn&) const override { return true; }

  std::optional<Refusal> Act(const Playing& playing) override {
    if (playing.turn.ark_path.empty()) return std::nullopt;
    if (auto why = CheckMove(playing.position, playing.turn)) return why;
    Move(playing.position, playing.turn);
    return std::nullopt;
  }

  // The first completed city brings the Ark, on one of its tiles.
  std::optional<Refusal> AfterScoring(const Playing& playing,
                                      const Position::Completed& completed) override {
    const Turn& turn = playing.turn;
    Position& position = playing.position;
    const auto refuse = [&](std::string code, std::string text) {
      return Refusal{std::move(code), std::move(text), {turn.cell}};
    };
    std::vector<Place> cells;
    if (!state_.cell) cells = Targets(position, completed);
    if (!turn.ark_landing) {
      if (cells.empty() || turn.player < 0) return std::nullopt;
      return refuse("ark-must-be-placed",
                    "The first city is completed: the Ark must be put on one of its tiles (Moving "
                    "the Ark).");
    }
    if (std::find(cells.begin(), cells.end(), Place{*turn.ark_landing, 0}) == cells.end()) {
      return refuse("ark-bad-placement",
                    "The Ark enters on a tile of the first completed city only (Moving the Ark).");
    }
    state_.cell = turn.ark_landing;
    if (position.rules().ark_to_temples && turn.player >= 0) {
      position.AddItem(For(ArkCause::kFirst, NodeOfArk(position), turn.player, kFirstArkPoints, 1));
    }
    return std::nullopt;
  }

  std::optional<Place> Standing(const Position&, FigureKind kind) const override {
    if (kind != FigureKind::kArk || !state_.cell) return std::nullopt;
    return Place{*state_.cell, 0};
  }
  bool MayMove(const Position&, FigureKind kind, int /*tile*/) const override {
    return kind == FigureKind::kArk && !state_.cell;
  }
  // The tiles of the cities just completed.
  std::vector<Place> Targets(const Position& position,
                             const Position::Completed& completed) const override {
    std::vector<Place> places;
    for (std::size_t i = 0; i < completed.count; ++i) {
      const int root = completed.roots[i];
      if (position.features().at(root).kind != SegmentKind::kCity) continue;
      for (const Cell& cell : position.CellsOf(root)) places.push_back({cell, 0});
    }
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    return places;
  }

  // Fields are worth their sheep.
  bool Values(SegmentKind kind) const override { return kind == SegmentKind::kField; }
  Worth WorthOf(const GameView& view, int root, bool /*complete*/) const override {
    int sheep = 0, wolves = 0;
    view.position.features().ForEach(root, [&](int node) {
      sheep += view.position.SegmentAt(node).sheep;
      wolves += view.position.SegmentAt(node).wolves;
    });
    Worth worth;
    worth.tiles = std::max(0, sheep - wolves);
    worth.points = kSheepPoints * worth.tiles;
    return worth;
  }

  // Cities after the temples, but for the second edition.
  int Round(const Rules& rules, SegmentKind kind) const override {
    return kind == SegmentKind::kCity && !rules.temples_after_cities ? 2 : 0;
  }

  // Who has a prophet in a city.
  bool Doubles(const Position& position, int root, int player) const override {
    if (position.features().at(root).kind != SegmentKind::kCity) return false;
    const auto& figures = position.figures();
    return std::any_of(figures.begin(), figures.end(), [&](const Position::Figure& figure) {
      return figure.kind == FigureKind::kProphet && figure.player == player &&
             position.features().Find(figure.node) == root;
    });
  }

  void Describe(const Position& position, const Position::Item& item,
                ScoreItem* out) const override {
    if (item.part == 0) {
      const SegmentKind kind = position.features().at(item.node).kind;
      if (kind == SegmentKind::kField) {
        out->reason = Text("field with ", item.tiles, " sheep that no wolf eats");
      } else if (kind == SegmentKind::kCity && item.doubled) {
        out->reason += ", doubled by the prophet";
      }
    }
    if (item.part != number()) return;
    const auto cause = static_cast<ArkCause>(item.cause);
    out->kind = cause == ArkCause::kPassed  ? "ark"
                : cause == ArkCause::kFirst ? "ark.first"
                                            : "ark.temple";
    out->reason = cause == ArkCause::kPassed  ? "the Ark passes a follower"
                  : cause == ArkCause::kFirst ? "brings the Ark into the first city"
                                              : "the Ark reaches a temple";
    out->cells = {position.CellOf(item.node)};
  }

 private:
  int NodeOfArk(const Position& position) const {
    return position.NodeAt(position.board().At(*state_.cell), 0);
  }

  std::optional<Refusal> CheckMove(const Position& position, const Turn& turn) const {
    const Rules& rules = position.rules();
    const auto refuse = [&](std::string code, std::string text) {
      std::vector<Cell> cells = turn.ark_path;
      return Refusal{std::move(code), std::move(text), std::move(cells)};
    };
    if (!state_.cell) {
      return refuse("ark-not-placed",
                    "The Ark enters when the first city is completed (Moving the Ark).");
    }
    const std::vector<Cell> temples = TempleCells(position);
    if (rules.ark_to_temples && temples.empty()) {
      return refuse("ark-needs-temple",
                    "The Ark moves only once a temple has been laid (German edition).");
    }
    if (turn.ark_path.size() > static_cast<std::size_t>(kLongestMove)) {
      return refuse("ark-distance", "The Ark moves 1 to 5 tiles (Moving the Ark).");
    }
    std::vector<Cell> visited = {*state_.cell};
    for (std::size_t i = 0; i < turn.ark_path.size(); ++i) {
      const Cell to = turn.ark_path[i];
      if (Distance(visited.back(), to) != 1) {
        return refuse("ark-not-orthogonal",
                      "The Ark moves from tile to tile across edges (Moving the Ark).");
      }
      if (position.board().At(to) < 0) {
        return refuse("ark-off-board", "The Ark moves over laid tiles only (Moving the Ark).");
      }
      // Round and back to where it began is a question of its own; stepping
      // straight back is not.
      const bool round = i + 1 == turn.ark_path.size() && i >= 3 && to == *state_.cell;
      if (round && rules.ark_ends_elsewhere) {
        return refuse("ark-ends-on-start",
                      "The Ark may not end its move on the tile where it began (second edition).");
      }
      if (!round && std::find(visited.begin(), visited.end(), to) != visited.end()) {
        return refuse("ark-backtrack",
                      "The Ark may not go back over a tile of the same move (Moving the Ark).");
      }
      visited.push_back(to);
    }
    if (!rules.ark_to_temples) return std::nullopt;
    for (const Cell& temple : temples) {
      bool direct = true;
      for (std::size_t i = 1; i < visited.size(); ++i) {
        direct &= Distance(visited[i], temple) < Distance(visited[i - 1], temple);
      }
      if (direct) return std::nullopt;
    }
    return refuse("ark-needs-temple",
                  "The Ark moves only straight towards a temple (German edition).");
  }

  // Of laid tiles with a temple; only the German edition asks.
  static std::vector<Cell> TempleCells(const Position& position) {
    std::vector<Cell> cells;
    if (!position.rules().ark_to_temples) return cells;
    for (const PlacedTile& tile : position.laid()) {
      if (HasTemple(position.Type(tile.tile))) cells.push_back(tile.cell);
    }
    return cells;
  }

  // Each follower or prophet passed or ended on pays its owner 1. The tile where the Ark
  // starts pays nothing, unless the move ends there again ("If The Ark ends on a tile
  // with a follower, that follower scores 1 point").
  void Move(Position& position, const Turn& turn) {
    const Rules& rules = position.rules();
    for (const Cell& cell : turn.ark_path) {
      for (const Position::Figure& figure : position.figures()) {
        if (position.CellOf(figure.node) != cell || position.StrengthOf(figure.kind) == 0) continue;
        position.AddItem(For(ArkCause::kPassed, figure.node, figure.player, kPassedPoints, 1));
      }
    }
    state_.cell = turn.ark_path.back();
    const int node = NodeOfArk(position);
    if (!rules.ark_to_temples || !HasTemple(position.TileOf(position.board().At(*state_.cell))) ||
        (!rules.ark_temple_each_time && state_.reached_temple)) {
      return;
    }
    if (turn.player >= 0) {
      position.AddItem(For(ArkCause::kTemple, node, turn.player, kReachedTemplePoints, 1));
    }
    state_.reached_temple = true;
  }
};

}  // namespace

const PartEntry kArkPart = {
    "The Ark of the Covenant",
    [](const TileSet&, const Rules& rules, bool) { return rules.ark != ArkEdition::kNone; },
    MakePart<Ark>,
    [](const Turn& turn) -> std::optional<Refusal> {
      if (turn.ark_path.empty() && !turn.ark_landing) return std::nullopt;
      return Refusal{
          "ark-not-placed", "This game is played without the Ark (option ark).", {turn.cell}};
    }};

}  // namespace tilewarden::engine
