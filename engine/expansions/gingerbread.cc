#include "engine/expansions/gingerbread.h"

#include "engine/game/scoring.h"
#include "engine/tiles/text.h"

namespace tilewarden::engine {
namespace {

constexpr std::int32_t kBesideTheBoard = -1;

struct Where {
  std::int32_t node = kBesideTheBoard;
};

class GingerbreadMan final : public PartWithState<GingerbreadMan, Where> {
 public:
  void SetUp(const Position& position) override {
    const auto& parts = position.TileOf(0).parts;
    const auto city = std::find_if(parts.begin(), parts.end(), [](const CompiledTile::Part& part) {
      return part.kind == SegmentKind::kCity;
    });
    if (city != parts.end()) {
      state_.node = position.NodeAt(0, static_cast<int>(city - parts.begin()));
    }
  }

  bool RefusesLater(const Turn&) const override { return true; }

  std::optional<Refusal> BeforeScoring(const Playing& playing,
                                       const Position::Completed& completed) override {
    if (Stands() && completed.Has(City(playing.position))) PayKnights(playing.position);
    return playing.position.rules().gingerbread_moves_first ? Move(playing, completed)
                                                            : std::nullopt;
  }
  std::optional<Refusal> AfterScoring(const Playing& playing,
                                      const Position::Completed& completed) override {
    return playing.position.rules().gingerbread_moves_first ? std::nullopt
                                                            : Move(playing, completed);
  }

  std::optional<Place> Standing(const Position& position, FigureKind kind) const override {
    if (kind != FigureKind::kGingerbreadMan || !Stands()) return std::nullopt;
    return position.PlaceOf(state_.node);
  }
  bool MayMove(const Position&, FigureKind kind, int /*tile*/) const override {
    return kind == FigureKind::kGingerbreadMan;
  }
  std::vector<Place> Targets(const Position& position,
                             const Position::Completed& completed) const override {
    const bool must = (Stands() && completed.Has(City(position))) || ShowsHisSymbol(position) ||
                      (!Stands() && position.rules().gingerbread_next_city);
    return must ? OpenCities(position) : std::vector<Place>{};
  }

  void Describe(const Position& position, const Position::Item& item,
                ScoreItem* out) const override {
    if (item.part != number()) return;
    out->kind = "gingerbread";
    out->reason = Text("Gingerbread Man leaves a city of ", Counted(item.tiles, "tile", "tiles"),
                       " with ", Counted(item.extras, "knight", "knights"));
    out->cells = {position.CellOf(item.node)};
  }

 private:
  bool Stands() const { return state_.node != kBesideTheBoard; }
  int City(const Position& position) const { return position.features().Find(state_.node); }
  static bool ShowsHisSymbol(const Position& position) {
    const int tile = position.laid().back().tile;
    return position.tile_set().types()[static_cast<std::size_t>(tile)].gingerbread;
  }

  // Whether this city is one he may go to.
  bool MayGoTo(const Position& position, int root) const {
    const Features& features = position.features();
    if (features.at(root).kind != SegmentKind::kCity || position.IsComplete(root)) return false;
    if (Stands() && City(position) == root) return false;
    if (position.rules().gingerbread_to_new_tile) return true;
    bool on_new_tile = false;
    features.ForEach(
        root, [&](int node) { on_new_tile |= features.at(node).tile == position.LastTile(); });
    return !on_new_tile;
  }

  std::vector<Place> OpenCities(const Position& position) const {
    std::vector<Place> out;
    for (int node = 0; node < position.features().size(); ++node) {
      if (position.features().at(node).parent == node && MayGoTo(position, node)) {
        out.push_back(position.PlaceOf(node));
      }
    }
    return out;
  }

  // Each knight in his city gives its player 1 point a tile; coats of arms
  // count nothing and there is no majority.
  void PayKnights(Position& position) const {
    const int root = City(position);
    const int tiles = static_cast<int>(position.CellsOf(root).size());
    for (int player = 0; player < static_cast<int>(position.players().size()); ++player) {
      const auto is_knight = [&](const Position::Figure& figure) {
        return figure.player == player && position.StrengthOf(figure.kind) > 0 &&
               position.features().Find(figure.node) == root;
      };
      const auto& figures = position.figures();
      const int knights =
          static_cast<int>(std::count_if(figures.begin(), figures.end(), is_knight));
      if (knights == 0) continue;
      position.AddItem(For(0, root, player, knights * tiles, tiles, knights));
    }
  }

  std::optional<Refusal> Move(const Playing& playing, const Position::Completed& completed) {
    Position& position = playing.position;
    const Turn& turn = playing.turn;
    const auto refuse = [&](std::string code, std::string text) {
      return Refusal{std::move(code), std::move(text), {turn.cell}};
    };
    std::size_t used = 0;
    std::optional<Refusal> why;
    // Moves him to the next target that the turn names. False: he must not move
    // because there is nowhere to go, or the target is wrong (`why`).
    const auto move = [&] {
      if (OpenCities(position).empty()) return false;
      if (used == turn.gingerbread.size()) {
        why = refuse("gingerbread-must-move",
                     "The Gingerbread Man must go to another unfinished city (Gingerbread Man).");
        return false;
      }
      const int node = position.NodeAt(turn.gingerbread[used]);
      if (node < 0 || !MayGoTo(position, position.features().Find(node))) {
        why = refuse("gingerbread-bad-target",
                     "The Gingerbread Man goes only to another city that is unfinished "
                     "(Gingerbread Man).");
        return false;
      }
      ++used;
      state_.node = node;
      return true;
    };
    const bool was_aside = !Stands();
    const bool finished = !was_aside && completed.Has(City(position));
    bool moved = false;
    if (finished) {
      moved = move();
      // No other unfinished city: beside the board, until he is brought back.
      if (!moved && !why) state_.node = kBesideTheBoard;
    }
    const bool symbol = ShowsHisSymbol(position);
    if (!why && symbol && (!moved || position.rules().gingerbread_moves_twice)) {
      if (Stands() && !OpenCities(position).empty() && used < turn.gingerbread.size()) {
        PayKnights(position);
      }
      moved = move();
    }
    if (!why && !symbol && was_aside && position.rules().gingerbread_next_city) move();
    if (!why && used < turn.gingerbread.size()) {
      why = refuse("gingerbread-bad-target",
                   "The Gingerbread Man does not move in this turn (Gingerbread Man).");
    }
    return why;
  }
};

}  // namespace

const PartEntry kGingerbreadPart = {
    "Gingerbread Man", [](const TileSet&, const Rules& rules, bool) { return rules.gingerbread; },
    MakePart<GingerbreadMan>,
    [](const Turn& turn) -> std::optional<Refusal> {
      if (turn.gingerbread.empty()) return std::nullopt;
      return Refusal{"gingerbread-bad-target",
                     "This game is played without the Gingerbread Man (option gingerbread).",
                     {turn.cell}};
    }};

}  // namespace tilewarden::engine
