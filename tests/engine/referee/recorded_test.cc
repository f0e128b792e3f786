// The referee follows the recorded tables exactly: every turn, figure and score,
// no false finding.
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/referee/look.h"
#include "engine/referee/referee.h"
#include "gtest/gtest.h"
#include "tests/engine/referee/recorded_table.h"

namespace tilewarden::engine {
namespace {

std::string Text(const Finding& finding) { return finding.code + ": " + finding.text; }

std::map<std::string, int> Scores(const Game& game) {
  std::map<std::string, int> scores;
  for (const PlayerState& player : game.players()) scores[player.colour] = player.score;
  return scores;
}

class RecordedTableTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(TILEWARDEN_SHARED) / "tables" / GetParam();
    if (!std::filesystem::exists(folder_ / "truth.json")) {
      GTEST_SKIP() << "the recorded table " << GetParam() << " is not here";
    }
    auto tiles = TileSet::Load("base.c1");
    ASSERT_TRUE(tiles.ok()) << tiles.status();
    tiles_ = *tiles;
  }

  // Plays the frames for which `keep` holds and checks the end; `every` also
  // each settled frame.
  template <typename Keep>
  void Follow(const RecordedTable& table, bool every, Keep keep) {
    std::vector<Event> log;
    auto referee = Referee::Create(tiles_, *Rules::Preset("c1"), {}, false, &log);
    ASSERT_TRUE(referee.ok()) << referee.status();
    for (const RecordedFrame& frame : table.frames) {
      if (!keep(frame)) continue;
      for (Event& event : referee->Observe(frame.sighting)) {
        if (const auto* raised = std::get_if<FindingRaised>(&event)) {
          ADD_FAILURE() << "frame " << frame.sighting.sequence << ": " << Text(raised->finding);
        }
        log.push_back(std::move(event));
      }
      if (frame.settled && every) {
        SCOPED_TRACE("frame " + std::to_string(frame.sighting.sequence));
        ASSERT_NO_FATAL_FAILURE(ExpectState(*referee, table, frame));
      }
    }
    ASSERT_NO_FATAL_FAILURE(ExpectState(*referee, table, table.frames.back()));
    ASSERT_NO_FATAL_FAILURE(ExpectMovers(*referee, table, every));
    auto restored = Referee::Restore(tiles_, log);
    ASSERT_TRUE(restored.ok()) << restored.status();
    EXPECT_EQ(restored->game()->turns(), referee->game()->turns());
    EXPECT_EQ(restored->game()->players(), referee->game()->players());
    EXPECT_EQ(restored->to_move(), referee->to_move());
  }

  void ExpectState(const Referee& referee, const RecordedTable& table,
                   const RecordedFrame& frame) const {
    ASSERT_NE(referee.game(), nullptr);
    const Game& game = *referee.game();
    ASSERT_EQ(game.turns().size(), static_cast<std::size_t>(frame.state));
    const TileFaces faces(*tiles_);
    // The board lies as the first sighting's lattice did.
    const int turned = game.TileAt({})->rotation - table.start_rotation + 4;
    const auto on_board = [turned](Cell cell) {
      for (int i = 0; i < turned % 4; ++i) cell = {-cell.y, cell.x};
      return cell;
    };
    for (std::size_t i = 0; i < game.turns().size(); ++i) {
      const Turn& turn = game.turns()[i];
      EXPECT_EQ(tiles_->types()[static_cast<std::size_t>(turn.tile)].id, table.moves[i].tile);
      EXPECT_EQ(turn.cell, on_board(table.moves[i].cell)) << "turn " << i + 1;
      EXPECT_TRUE(faces.Same(turn.tile, turn.rotation, table.moves[i].rotation + turned));
    }
    std::set<std::string> expected, found;
    for (const auto& figure : frame.figures) {
      const Cell cell = on_board(figure.cell);
      expected.insert(figure.colour + " " + std::string(ToString(figure.on)) + " " +
                      std::to_string(cell.x) + "," + std::to_string(cell.y));
    }
    for (const PlacedFigure& figure : game.Figures()) {
      const PlacedTile* tile = game.TileAt(figure.cell);
      const Segment& segment = tiles_->types()[static_cast<std::size_t>(tile->tile)]
                                   .segments[static_cast<std::size_t>(figure.segment)];
      found.insert(game.players()[static_cast<std::size_t>(figure.player)].colour + " " +
                   std::string(ToString(segment.kind)) + " " + std::to_string(figure.cell.x) + "," +
                   std::to_string(figure.cell.y));
    }
    EXPECT_EQ(found, expected);
    std::map<std::string, int> scores = table.scores[static_cast<std::size_t>(frame.state)];
    for (const auto& [colour, score] : Scores(game)) EXPECT_EQ(score, scores[colour]) << colour;
  }

  static void ExpectMovers(const Referee& referee, const RecordedTable& table, bool every) {
    const Game& game = *referee.game();
    std::vector<std::string> players;
    for (const PlayerState& player : game.players()) players.push_back(player.colour);
    // A player who joins before the order is known takes the last place in the list.
    if (every) {
      EXPECT_EQ(players, table.players);
    }
    for (std::size_t i = 0; i < game.turns().size(); ++i) {
      ASSERT_GE(game.turns()[i].player, 0) << "turn " << i + 1;
      EXPECT_EQ(players[static_cast<std::size_t>(game.turns()[i].player)], table.moves[i].colour)
          << "turn " << i + 1;
    }
    ASSERT_GE(referee.to_move(), 0);
    EXPECT_EQ(players[static_cast<std::size_t>(referee.to_move())],
              table.players[game.turns().size() % players.size()]);
  }

  std::filesystem::path folder_;
  std::shared_ptr<const TileSet> tiles_;
};

TEST_P(RecordedTableTest, EveryFrameExact) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const RecordedTable table = ReadRecordedTable(folder_, *tiles_, {seed});
    ASSERT_NO_FATAL_FAILURE(Follow(table, true, [](const RecordedFrame&) { return true; }));
  }
}

TEST_P(RecordedTableTest, EveryThirdFrameDropped) {
  RecordedNoise noise;
  noise.glimpses = true;
  const RecordedTable table = ReadRecordedTable(folder_, *tiles_, noise);
  const std::uint64_t last = table.frames.back().sighting.sequence;
  ASSERT_NO_FATAL_FAILURE(Follow(table, false, [&](const RecordedFrame& frame) {
    return frame.sighting.sequence % 3 != 0 || frame.sighting.sequence == last;
  }));
}

INSTANTIATE_TEST_SUITE_P(Tables, RecordedTableTest,
                         testing::Values("sequence_scoring", "sequence"));

}  // namespace
}  // namespace tilewarden::engine
