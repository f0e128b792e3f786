// When a board that is known is kept, and when another one is believed instead.
#include "vision/board/known_board.h"

#include <map>
#include <memory>
#include <string>

#include "gtest/gtest.h"
#include "opencv2/imgproc.hpp"

namespace tilewarden::vision {
namespace {

// A table on which somebody finds so many tiles, as often as he looks.
struct Table {
  int found = 0;         // from nothing
  int left = 0;          // when looked at again
  bool kept = true;      // then
  int looks = 0;         // from nothing
  int beside = 1;        // places after them
  bool more = false;     // beyond them something lies that looks like a tile
  double clear = 1;      // how surely each is a tile, from nothing
  double again = 1;      // and when looked at again
  float width_px = 100;  // of those that are found from nothing
};

class Looker final : public BoardReader {
 public:
  explicit Looker(Table& table) : table_(table) {}

  absl::Status Find(const cv::Mat&, const PicturePyramid&, StageClock&) override {
    ++table_.looks;
    // A place for each tile and the one after them.
    view_.cover.probability = cv::Mat(1, 64, CV_32F, cv::Scalar(table_.more ? 1 : 0));
    view_.cover.place_from_px = {0.01, 0, 0, 0, 0, 0, 0, 0, 1};
    tiles_ = table_.found;
    clear_ = table_.clear;
    width_px_ = table_.width_px;
    return absl::OkStatus();
  }
  absl::StatusOr<bool> Update(const cv::Mat&, const PicturePyramid&, const CellWatch::Change&,
                              StageClock&) override {
    tiles_ = table_.left;
    clear_ = table_.again;
    return table_.kept;
  }
  void Carry(const cv::Matx33d& px_now_from_px_before) override {
    shift_px_ += static_cast<float>(px_now_from_px_before(0, 2));
  }
  BoardPlaces Places() const override {
    BoardPlaces places;
    for (int x = 0; x < tiles_; ++x) {
      const float west_px = width_px_ * static_cast<float>(x) + shift_px_;
      places.tiles[{x, 0}] = {"B.A", {width_px_, 0, west_px, 0, 100, 0, 0, 0, 1}, clear_, clear_};
    }
    for (int x = tiles_; tiles_ > 0 && x < tiles_ + table_.beside; ++x) {
      const float west_px = 100.F * static_cast<float>(x) + shift_px_;
      places.beside[{x, 0}] = {100, 0, west_px, 0, 100, 0, 0, 0, 1};
    }
    return places;
  }
  const TableView& View() const override { return view_; }
  const Lattice& lattice() const override { return lattice_; }
  absl::Status Describe(const cv::Mat&, const cv::Mat&, const Options&, StageClock&,
                        Sighting*) override {
    return absl::OkStatus();
  }
  absl::StatusOr<std::optional<LooseReading>> ReadLoose(
      const cv::Mat&, const PicturePyramid&, const std::array<cv::Point2f, 4>&) override {
    return std::nullopt;
  }

 private:
  Table& table_;
  TableView view_;
  Lattice lattice_;
  int tiles_ = 0;
  double clear_ = 1;
  float shift_px_ = 0, width_px_ = 100;
};

class KnownBoardTest : public testing::Test {
 protected:
  void LookForMore(int found, bool untouched = false) {
    table_.found = found;
    ASSERT_TRUE(board_.LookForMore(picture_, pyramid_, untouched, clock_).ok());
  }
  bool LookAgain(int left, bool kept) {
    table_.left = left;
    table_.kept = kept;
    return *board_.LookAgain(picture_, pyramid_, {}, clock_);
  }

  // In a picture that shows this colour on the place after four tiles.
  bool LookAgain(int left, const cv::Scalar& colour) {
    cv::Mat picture = picture_.clone();
    cv::rectangle(picture, {410, 10}, {490, 90}, colour, cv::FILLED);
    table_.left = left;
    table_.beside = 2;
    return *board_.LookAgain(picture, PicturePyramid(picture), {}, clock_);
  }

  Table table_;
  KnownBoard board_{[this] { return std::make_unique<Looker>(table_); }};
  const cv::Mat picture_{100, 2000, CV_8UC3, cv::Scalar(90, 110, 140)};
  const PicturePyramid pyramid_{picture_};
  std::map<std::string, double> stage_ms_;
  StageClock clock_{stage_ms_};
};

TEST_F(KnownBoardTest, TwoTilesCutAskewIntoThreeAreNotMore) {
  LookForMore(2);
  table_.width_px = 66;
  LookForMore(3);
  EXPECT_EQ(board_.places().tiles.size(), 2U);
  table_.width_px = 100;
  LookForMore(3);
  EXPECT_EQ(board_.places().tiles.size(), 3U);
}

TEST_F(KnownBoardTest, ATileThatIsReadNoMoreIsCoveredUntilTheBareTableShowsThere) {
  const cv::Scalar wood(150, 190, 220), table(90, 110, 140);
  LookForMore(5);
  EXPECT_TRUE(LookAgain(4, wood));
  ASSERT_EQ(board_.covered().size(), 1U);
  EXPECT_EQ(board_.covered().begin()->first, (LatticeCell{4, 0}));
  EXPECT_TRUE(LookAgain(4, wood));
  EXPECT_EQ(board_.covered().size(), 1U) << "as long as it lies there";
  EXPECT_TRUE(LookAgain(4, table));
  EXPECT_TRUE(board_.covered().empty()) << "it is gone";
}

TEST_F(KnownBoardTest, ATileThatWasCoveredAndIsReadAgainLiesThere) {
  const cv::Scalar wood(150, 190, 220);
  LookForMore(5);
  EXPECT_TRUE(LookAgain(4, wood));
  EXPECT_TRUE(LookAgain(5, wood));
  EXPECT_TRUE(board_.covered().empty());
}

TEST_F(KnownBoardTest, NothingIsKnownUntilATileIsFound) {
  EXPECT_FALSE(board_.known());
  LookForMore(0);
  EXPECT_FALSE(board_.known());
  LookForMore(1);
  EXPECT_TRUE(board_.known());
}

TEST_F(KnownBoardTest, AFewTilesAreDoubtful) {
  LookForMore(3);
  EXPECT_TRUE(board_.doubtful()) << "they may be a tile beside the board and its neighbours";
  EXPECT_FALSE(board_.tells_little());
  LookForMore(4);
  EXPECT_FALSE(board_.doubtful());
}

TEST_F(KnownBoardTest, ALargerBoardIsBelievedASmallerOneNever) {
  LookForMore(2);
  LookForMore(1);
  EXPECT_EQ(board_.places().tiles.size(), 2U);
  LookForMore(7, true);
  EXPECT_EQ(board_.places().tiles.size(), 7U);
}

TEST_F(KnownBoardTest, AsManyTilesAreBelievedOnlyWhereSomethingHappened) {
  LookForMore(2);
  const BoardReader* first = &board_.reader();
  LookForMore(2, /*untouched=*/true);
  EXPECT_EQ(&board_.reader(), first);
  LookForMore(2, /*untouched=*/false);
  EXPECT_NE(&board_.reader(), first);
}

TEST_F(KnownBoardTest, TilesThatGrewDoubtfulAreLookedForAnewAndBelievedWhereThatIsClearer) {
  LookForMore(8);
  EXPECT_FALSE(board_.may_have_more());
  table_.again = 0.5;
  EXPECT_TRUE(LookAgain(8, true));
  EXPECT_TRUE(board_.may_have_more()) << "an outline may have gone astray";
  const BoardReader* astray = &board_.reader();
  LookForMore(8, /*untouched=*/true);
  EXPECT_NE(&board_.reader(), astray);
  EXPECT_FALSE(board_.may_have_more());
}

TEST_F(KnownBoardTest, DoubtThatAnotherLookDoesNotTakeAwayIsNotLookedAtAgain) {
  LookForMore(8);
  table_.again = table_.clear = 0.5;
  EXPECT_TRUE(LookAgain(8, true));
  const BoardReader* known = &board_.reader();
  LookForMore(8, /*untouched=*/true);
  EXPECT_EQ(&board_.reader(), known);
  EXPECT_FALSE(board_.may_have_more());
}

TEST_F(KnownBoardTest, ALookThatLosesTheBoardChangesNothing) {
  LookForMore(8);
  EXPECT_TRUE(LookAgain(9, true));
  EXPECT_EQ(board_.places().tiles.size(), 9U);
  EXPECT_FALSE(LookAgain(1, false));
  EXPECT_EQ(board_.places().tiles.size(), 9U);
  board_.Forget();
  EXPECT_FALSE(board_.known());
}

TEST_F(KnownBoardTest, WhatOneLookDoesNotReadIsLookedForAFewTimesMore) {
  table_.more = true;
  LookForMore(5);
  ASSERT_EQ(board_.not_read().size(), 1U);
  for (int look = 1; look < 4; ++look) {
    ASSERT_TRUE(board_.may_have_more()) << look;
    LookForMore(5, /*untouched=*/true);
  }
  EXPECT_FALSE(board_.may_have_more()) << "each look costs as much as finding the board";
  EXPECT_EQ(board_.not_read().size(), 1U) << "and yet it is told";
  EXPECT_TRUE(LookAgain(5, true));
  EXPECT_TRUE(board_.may_have_more()) << "something happened";
  table_.more = false;
  LookForMore(6, /*untouched=*/true);
  EXPECT_EQ(board_.places().tiles.size(), 6U);
  EXPECT_TRUE(board_.not_read().empty());
}

TEST_F(KnownBoardTest, ItIsCarriedToWhereItLies) {
  LookForMore(5);
  board_.Carry({1, 0, 30, 0, 1, 0, 0, 0, 1});
  EXPECT_FLOAT_EQ(board_.places().tiles.at({1, 0}).px_from_tile(0, 2), 130);
}

TEST_F(KnownBoardTest, WhoLooksAnewIsAskedAndNotBelieved) {
  LookForMore(5);
  table_.found = 6;
  EXPECT_EQ(*board_.TilesFoundAnew(picture_, pyramid_), 6U);
  EXPECT_EQ(board_.places().tiles.size(), 5U);
  EXPECT_EQ(table_.looks, 2);
}

}  // namespace
}  // namespace tilewarden::vision
