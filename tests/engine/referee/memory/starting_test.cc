#include "engine/referee/memory/starting.h"

#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace tilewarden::engine {
namespace {

Starting::Board BoardOf(std::vector<std::string> colours) {
  Starting::Board board;
  board.found.colours = std::move(colours);
  return board;
}

TEST(Starting, TwoLooksThatAgreeMakeABoardSure) {
  Starting starting;
  EXPECT_FALSE(starting.SawBoard(BoardOf({"red"})));
  EXPECT_FALSE(starting.SawBoard(BoardOf({"red", "blue"})));
  EXPECT_TRUE(starting.SawBoard(BoardOf({"red", "blue"})));
  starting.Begun();
  EXPECT_FALSE(starting.board());
}

TEST(Starting, LooksOfWhichNoTwoAgreeAreNotWaitedForForever) {
  Starting starting;
  EXPECT_FALSE(starting.SawBoard(BoardOf({"red"})));
  EXPECT_FALSE(starting.SawBoard(BoardOf({"blue"})));
  EXPECT_FALSE(starting.SawBoard(BoardOf({"green"})));
  EXPECT_TRUE(starting.SawBoard(BoardOf({"black"})));
  EXPECT_EQ(starting.board()->found.colours, std::vector<std::string>{"black"});
}

TEST(Starting, CountsLooksAtTiles) {
  Starting starting;
  EXPECT_EQ(starting.SawTiles(), 1);
  EXPECT_EQ(starting.SawTiles(), 2);
}

}  // namespace
}  // namespace tilewarden::engine
