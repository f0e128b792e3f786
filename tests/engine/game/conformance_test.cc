// Random games of every kind: what must hold after every turn, whatever is
// played, and agreement with the slow scorer.
#include <algorithm>
#include <cstdlib>
#include <map>
#include <random>
#include <sstream>

#include "gtest/gtest.h"
#include "tests/engine/game/random_game.h"
#include "tests/engine/game/slow_scorer.h"

namespace tilewarden::engine {
namespace {

// Games of each kind; a nightly run asks for more.
int GamesOfEach() {
  const char* games = std::getenv("TILEWARDEN_GAMES");
  return games != nullptr ? std::max(1, std::atoi(games)) : 50;
}

// Everything that can be seen of a game, as text.
std::string Portrait(const Game& game) {
  std::ostringstream out;
  for (std::size_t i = 0; i < game.players().size(); ++i) {
    const PlayerState& p = game.players()[i];
    out << p.colour << ' ' << p.score;
    for (const std::int16_t supply : p.supply) out << ' ' << supply;
    for (const auto& [goods, count] : game.TokensOf(static_cast<int>(i))) {
      out << ' ' << ToString(goods) << count;
    }
    out << '\n';
  }
  for (const PlacedTile& t : game.PlacedTiles()) {
    out << t.tile << '@' << t.cell.x << ',' << t.cell.y << '/' << t.rotation << ':' << t.turn << ':'
        << t.player << '\n';
  }
  for (const PlacedFigure& f : game.Figures()) {
    out << f.player << '#' << static_cast<int>(f.kind) << '@' << f.cell.x << ',' << f.cell.y << '.'
        << f.segment << '\n';
  }
  if (game.ark()) out << "ark " << game.ark()->x << ',' << game.ark()->y << '\n';
  if (const auto he = game.gingerbread_man()) {
    out << "gingerbread man " << he->cell.x << ',' << he->cell.y << '.' << he->segment << '\n';
  }
  for (const ScoreItem& i : game.score_items()) {
    out << i.player << '+' << i.points << ' ' << i.kind << ' ' << i.reason << ' ' << i.turn << ' '
        << i.cells.size() << '\n';
  }
  for (const auto& [cell, segment] : game.AllFeatures()) {
    const Game::Feature f = game.FeatureAt(cell, segment);
    out << cell.x << ',' << cell.y << '.' << segment << ' ' << f.complete << ' ' << f.open_edges
        << ' ' << f.cells.size() << ' ' << f.figures.size() << ' ' << f.owners.size() << ' '
        << f.worth_now << ' ' << f.worth_complete << '\n';
  }
  for (int tile = 0; tile < static_cast<int>(game.tile_set().types().size()); ++tile) {
    out << game.TilesLeft(tile) << ':' << game.LegalPlacements(tile).size() << ' ';
  }
  return out.str();
}

// (player, kind) to points: the editions may split a farm's points differently.
using Totals = std::map<std::pair<int, std::string>, int>;

Totals TotalsOf(const std::vector<ScoreItem>& items) {
  Totals totals;
  for (const ScoreItem& item : items) totals[{item.player, item.kind}] += item.points;
  return totals;
}

Totals TotalsOf(const std::vector<SlowScorer::Event>& events) {
  Totals totals;
  for (const auto& [player, points, kind] : events) totals[{player, kind}] += points;
  return totals;
}

class Conformance : public ::testing::TestWithParam<GameConfig> {};

const TileType& TypeOf(const Game& game, const Turn& turn) {
  return game.tile_set().types()[static_cast<std::size_t>(turn.tile)];
}

void CheckInvariants(const Game& game) {
  std::vector<int> sums(game.players().size());
  for (const ScoreItem& item : game.score_items()) {
    EXPECT_EQ(item.points > 0, item.kind != "tile.bought");
    EXPECT_FALSE(item.cells.empty());
    sums[static_cast<std::size_t>(item.player)] += item.points;
  }
  for (std::size_t i = 0; i < sums.size(); ++i) {
    EXPECT_EQ(game.players()[i].score, sums[i]);
    const std::vector<PlacedFigure> figures = game.Figures();
    for (const FigureKindEntry& entry : AllFigureKinds()) {
      if (entry.used_once) continue;
      const auto own = [&](const PlacedFigure& figure) {
        return figure.kind == entry.kind && figure.player == static_cast<int>(i);
      };
      EXPECT_EQ(
          game.players()[i].Supply(entry.kind) + std::count_if(figures.begin(), figures.end(), own),
          entry.supply(game.rules()))
          << entry.word;
    }
  }
  const auto& types = game.tile_set().types();
  for (const PlacedTile& tile : game.PlacedTiles()) {
    for (const Side side : kSides) {
      const PlacedTile* other = game.TileAt(Neighbour(tile.cell, side));
      if (other == nullptr) continue;
      EXPECT_EQ(types[static_cast<std::size_t>(tile.tile)]
                    .edges[static_cast<std::size_t>(Rotated(side, -tile.rotation))],
                types[static_cast<std::size_t>(other->tile)]
                    .edges[static_cast<std::size_t>(Rotated(Opposite(side), -other->rotation))]);
    }
  }
}

void CompareWithSlow(const Game& game, const SlowScorer& slow) {
  for (const auto& [cell, segment] : game.AllFeatures()) {
    const Game::Feature feature = game.FeatureAt(cell, segment);
    const auto walked = slow.FeatureOf({cell, segment});
    std::set<Cell> cells;
    for (const Place& place : walked) cells.insert(place.cell);
    EXPECT_EQ(std::vector<Cell>(cells.begin(), cells.end()), feature.cells);
    EXPECT_EQ(slow.Complete(walked), feature.complete);
  }
  EXPECT_EQ(game.Figures(), slow.figures());
  EXPECT_EQ(game.gingerbread_man().has_value(), slow.gingerbread_man().has_value());
  EXPECT_EQ(game.ark(), slow.ark());
  for (int player = 0; player < static_cast<int>(game.players().size()); ++player) {
    EXPECT_EQ(game.TokensOf(player), slow.TokensOf(player));
  }
}

// Whoever may take another turn does so three times out of four.
void LetMoveAgain(const Game& game, const Outcome& outcome, RandomPlayer* player) {
  if (outcome.extra_turn && game.turns().size() % 4 != 0) {
    player->SetNextPlayer(game.turns().back().player);
  }
}

// What shows on a board at the end: goods do not.
Totals OnBoard(Totals totals) {
  std::erase_if(totals, [](const auto& entry) { return entry.first.second == "goods"; });
  return totals;
}

// The board as somebody finds it who does not know in which order it was laid.
Game AsFound(const Game& game, int seed) {
  std::vector<std::string> colours;
  for (const PlayerState& player : game.players()) colours.push_back(player.colour);
  std::vector<PlacedTile> board = game.PlacedTiles();
  std::shuffle(board.begin(), board.end(), std::mt19937(static_cast<unsigned>(seed)));
  return Game::AsFound(game.shared_tile_set(), game.rules(), std::move(colours), board,
                       game.Figures());
}

TEST_P(Conformance, RandomGamesAgreeWithTheSlowScorer) {
  std::size_t turns = 0, items = 0;
  for (int seed = 1; seed <= GamesOfEach(); ++seed) {
    SCOPED_TRACE(seed);
    const int players = 2 + seed % 5;
    Game game = NewGame(GetParam(), players);
    SlowScorer slow(game.shared_tile_set(), game.rules(), players, 0);
    RandomPlayer player(game, static_cast<std::uint64_t>(seed));
    while (const std::optional<Turn> turn = player.NextTurnOrSetAside(game)) {
      const bool thorough = (game.turns().size() + static_cast<std::size_t>(seed)) % 16 == 0;
      if (thorough) {
        const auto legal = game.LegalPlacements(turn->tile);
        EXPECT_EQ(std::set<Placement>(legal.begin(), legal.end()), slow.Fits(turn->tile));
      }
      const std::optional<Outcome> outcome = game.Apply(*turn);
      ASSERT_TRUE(outcome.has_value());
      ASSERT_EQ(TotalsOf(outcome->items), TotalsOf(slow.Play(*turn)));
      if (!turn->set_aside && !game.rules().hole_extra_turn && !TypeOf(game, *turn).HasRiver()) {
        ASSERT_EQ(outcome->extra_turn, slow.double_turn());
      }
      LetMoveAgain(game, *outcome, &player);
      if (thorough) {
        ASSERT_EQ(TotalsOf(game.ScoreIfEndedNow()), TotalsOf(slow.Final()));
        ASSERT_EQ(TotalsOf(AsFound(game, seed).ScoreIfEndedNow()), OnBoard(TotalsOf(slow.Final())));
        CheckInvariants(game);
      }
      if (::testing::Test::HasFailure()) return;
    }
    ASSERT_EQ(TotalsOf(game.ScoreIfEndedNow()), TotalsOf(slow.Final()));
    CheckInvariants(game);
    CompareWithSlow(game, slow);
    ASSERT_EQ(TotalsOf(AsFound(game, seed).ScoreIfEndedNow()), OnBoard(TotalsOf(slow.Final())));
    if (::testing::Test::HasFailure()) return;
    turns += game.turns().size();
    items += game.score_items().size() + game.ScoreIfEndedNow().size();
  }
  // The games are whole ones, and something happens in them.
  EXPECT_GT(turns, 65U * static_cast<std::size_t>(GamesOfEach()));
  EXPECT_GT(items, 2U * static_cast<std::size_t>(GamesOfEach()));
  RecordProperty("turns", static_cast<int>(turns));
  RecordProperty("items", static_cast<int>(items));
}

TEST_P(Conformance, UndoGoesBackExactlyToTheStart) {
  const int games = std::max(2, GamesOfEach() / 10);
  for (int seed = 1; seed <= games; ++seed) {
    Game game = NewGame(GetParam(), 2 + seed % 5);
    RandomPlayer player(game, static_cast<std::uint64_t>(1000 + seed));
    std::vector<std::string> portraits = {Portrait(game)};
    while (const std::optional<Turn> turn = player.NextTurnOrSetAside(game)) {
      const std::optional<Outcome> outcome = game.Apply(*turn);
      ASSERT_TRUE(outcome.has_value());
      LetMoveAgain(game, *outcome, &player);
      portraits.push_back(Portrait(game));
    }
    const std::vector<Turn> turns = game.turns();
    for (std::size_t left = turns.size(); left > 0; --left) {
      ASSERT_TRUE(game.Undo());
      ASSERT_EQ(Portrait(game), portraits[left - 1]);
    }
    EXPECT_FALSE(game.Undo());
    // Replaying the log gives the same state.
    for (const Turn& turn : turns) ASSERT_TRUE(game.Apply(turn).has_value());
    EXPECT_EQ(Portrait(game), portraits.back());
  }
}

TEST_P(Conformance, RefusedTurnsChangeNothing) {
  Game game = NewGame(GetParam(), 3);
  RandomPlayer player(game, 7);
  std::mt19937 random(7);
  int refused = 0;
  while (const std::optional<Turn> turn = player.NextTurnOrSetAside(game)) {
    for (int i = 0; i < 20; ++i) {
      // Anything at all: cells far and near, tiles and segments that are none.
      Turn wild;
      wild.player = static_cast<int>(random() % 5) - 1;
      wild.tile = static_cast<int>(random() % (game.tile_set().types().size() + 2)) - 1;
      wild.cell = {static_cast<int>(random() % 13) - 6, static_cast<int>(random() % 13) - 6};
      if (i == 0) wild.cell = {1 << 30, -(1 << 30)};
      wild.rotation = static_cast<int>(random() % 6) - 1;
      if (random() % 2) {
        wild.deployment = {static_cast<FigureKind>(random() % 9),
                           static_cast<int>(random() % 12) - 1};
      }
      if (random() % 5 == 0) wild.recall = wild.cell;
      const std::optional<Refusal> why = game.Check(wild);
      if (!why) continue;
      ++refused;
      const std::string before = Portrait(game);
      Refusal refusal;
      EXPECT_FALSE(game.Apply(wild, &refusal).has_value());
      EXPECT_EQ(refusal.code, why->code);
      EXPECT_FALSE(refusal.text.empty());
      ASSERT_EQ(Portrait(game), before);
      if (i > 1) break;
    }
    ASSERT_TRUE(game.Apply(*turn).has_value());
  }
  EXPECT_GT(refused, 50);
}

TEST_P(Conformance, LegalDeploymentsAreThoseThatCheckAllows) {
  Game game = NewGame(GetParam(), 2);
  RandomPlayer player(game, 11);
  while (std::optional<Turn> turn = player.NextTurnOrSetAside(game)) {
    const Turn played = *turn;
    if (turn->set_aside) {
      ASSERT_TRUE(game.Apply(played).has_value());
      continue;
    }
    const auto legal =
        game.LegalDeployments(turn->player, turn->tile, {turn->cell, turn->rotation});
    const auto& segments = game.tile_set().types()[static_cast<std::size_t>(turn->tile)].segments;
    std::vector<Deployment> allowed;
    turn->recall.reset();
    turn->ark_path.clear();
    for (int segment = 0; segment < static_cast<int>(segments.size()); ++segment) {
      for (const FigureKindEntry& entry : AllFigureKinds()) {
        turn->deployment = {entry.kind, segment};
        if (!game.Check(*turn)) allowed.push_back(*turn->deployment);
      }
    }
    EXPECT_EQ(legal, allowed);
    ASSERT_TRUE(game.Apply(played).has_value());
  }
}

// The random games bring up every reason for points that there is.
TEST(RandomGames, BringUpEveryKindOfPoint) {
  std::set<std::string> kinds;
  for (const GameConfig& config : AllConfigs()) {
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      Game game = NewGame(config, 3);
      RandomPlayer player(game, seed);
      while (const std::optional<Turn> turn = player.NextTurnOrSetAside(game)) game.Apply(*turn);
      for (const ScoreItem& item : game.score_items()) kinds.insert(item.kind);
      for (const ScoreItem& item : game.ScoreIfEndedNow()) kinds.insert(item.kind);
    }
  }
  // But for completed monasteries and gardens, which are seldom surrounded at
  // random; the rule rows have them.
  for (const char* kind :
       {"ark", "ark.first", "ark.temple", "city", "city.incomplete", "field", "garden.incomplete",
        "garden.recall", "gingerbread", "monastery.incomplete", "monastery.recall", "road", "goods",
        "road.incomplete", "temple", "temple.incomplete"}) {
    EXPECT_TRUE(kinds.count(kind)) << kind;
  }
}

INSTANTIATE_TEST_SUITE_P(Every, Conformance, ::testing::ValuesIn(AllConfigs()),
                         [](const auto& instance) {
                           std::string name = instance.param.name;
                           std::replace(name.begin(), name.end(), ' ', '_');
                           return name;
                         });

}  // namespace
}  // namespace tilewarden::engine
