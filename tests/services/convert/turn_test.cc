// Every field of a turn, from the rules to a message and back, for viewers and for the log.
#include <google/protobuf/message.h>

#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "services/convert/convert.h"
#include "tests/services/support/full_turn.h"

namespace tilewarden::services {
namespace {

using engine::Turn;
using testing::IsEmpty;

class ConvertTurn : public testing::Test {
 protected:
  ConvertTurn() : set_(*engine::TileSet::Load("base.c1")), referee_(Begin()) {}

  // As a viewer is told it and sends it back; as the log keeps it.
  Turn ToViewerAndBack(const Turn& turn) const {
    v1::Turn arrived;
    EXPECT_TRUE(arrived.ParseFromString(ToProto(turn, *referee_.game()).SerializeAsString()));
    const auto back = FromProto(arrived, referee_);
    EXPECT_TRUE(back.ok()) << back.status();
    return back.value_or(Turn());
  }
  Turn ToLogAndBack(const Turn& turn) const {
    v1::LoggedMove kept;
    EXPECT_TRUE(kept.ParseFromString(ToLog(turn, *set_).SerializeAsString()));
    const auto back = FromLog(kept, *set_);
    EXPECT_TRUE(back.ok()) << back.status();
    return back.value_or(Turn());
  }

  const std::shared_ptr<const engine::TileSet> set_;
  const engine::Referee referee_;

 private:
  engine::Referee Begin() const {
    std::vector<engine::Event> events;
    return *engine::Referee::Create(set_, engine::Rules(), {"red", "blue", "green"}, true, &events);
  }
};

// Copies one field of a turn.
using Field = void (*)(const Turn& from, Turn* to);
const std::vector<std::pair<const char*, Field>>& Fields() {
  static const auto* const kFields = new std::vector<std::pair<const char*, Field>>{
      {"colour", [](const Turn& from, Turn* to) { to->player = from.player; }},
      {"tile", [](const Turn& from, Turn* to) { to->tile = from.tile; }},
      {"cell", [](const Turn& from, Turn* to) { to->cell = from.cell; }},
      {"rotation", [](const Turn& from, Turn* to) { to->rotation = from.rotation; }},
      {"deployment", [](const Turn& from, Turn* to) { to->deployment = from.deployment; }},
      {"recall", [](const Turn& from, Turn* to) { to->recall = from.recall; }},
      {"ark_path", [](const Turn& from, Turn* to) { to->ark_path = from.ark_path; }},
      {"ark_landing", [](const Turn& from, Turn* to) { to->ark_landing = from.ark_landing; }},
      {"gingerbread", [](const Turn& from, Turn* to) { to->gingerbread = from.gingerbread; }},
      {"table", [](const Turn& from, Turn* to) { to->table = from.table; }},
      {"purchase", [](const Turn& from, Turn* to) { to->purchase = from.purchase; }},
      {"set_aside", [](const Turn& from, Turn* to) { to->set_aside = from.set_aside; }}};
  return *kFields;
}

TEST_F(ConvertTurn, EachFieldGoesRoundAlone) {
  const Turn full = FullTurn(*set_);
  for (const auto& [name, copy] : Fields()) {
    Turn turn;
    copy(full, &turn);
    EXPECT_FALSE(turn == Turn()) << name;
    EXPECT_TRUE(ToViewerAndBack(turn) == turn) << name;
    EXPECT_TRUE(ToLogAndBack(turn) == turn) << name;
  }
}

TEST_F(ConvertTurn, AllFieldsGoRoundTogether) {
  const Turn full = FullTurn(*set_);
  Turn copied;
  for (const auto& [name, copy] : Fields()) copy(full, &copied);
  EXPECT_TRUE(copied == full) << "a field is not in the list of this test";
  EXPECT_TRUE(ToViewerAndBack(full) == full);
  EXPECT_TRUE(ToLogAndBack(full) == full);
}

TEST_F(ConvertTurn, ATurnOfNobodyStaysNobodysInTheLog) {
  Turn turn;
  turn.player = -1;
  EXPECT_TRUE(ToLogAndBack(turn) == turn);
  EXPECT_EQ(ToProto(turn, *referee_.game()).colour(), "");
}

// Fields that have their default, in every message within this one.
void FindUnset(const google::protobuf::Message& message, const std::string& path,
               std::vector<std::string>* unset) {
  const auto* type = message.GetDescriptor();
  const auto* look = message.GetReflection();
  for (int i = 0; i < type->field_count(); ++i) {
    const auto* field = type->field(i);
    const std::string name = path + std::string(field->name());
    // Told with the event that a turn was played, not with the turn.
    if (name == "deployment.inferred") continue;
    const bool set =
        field->is_repeated() ? look->FieldSize(message, field) > 0 : look->HasField(message, field);
    if (!set) {
      unset->push_back(name);
    } else if (field->message_type() != nullptr) {
      FindUnset(field->is_repeated() ? look->GetRepeatedMessage(message, field, 0)
                                     : look->GetMessage(message, field),
                name + ".", unset);
    }
  }
}

TEST_F(ConvertTurn, AFullTurnSetsEveryFieldOfItsMessages) {
  const Turn full = FullTurn(*set_);
  std::vector<std::string> told, kept;
  FindUnset(ToProto(full, *referee_.game()), "", &told);
  EXPECT_THAT(told, IsEmpty());
  FindUnset(ToLog(full, *set_), "", &kept);
  EXPECT_THAT(kept, IsEmpty());
  EXPECT_EQ(Fields().size(), static_cast<std::size_t>(v1::Turn::descriptor()->field_count()));
}

TEST_F(ConvertTurn, WhatAStrangerAsksForIsChecked) {
  v1::Turn good;
  good.set_tile("B.W");
  ASSERT_TRUE(FromProto(good, referee_).ok());
  EXPECT_EQ(FromProto(good, referee_)->player, referee_.to_move());
  v1::Turn nobody = good, no_tile = good, turned = good, no_kind = good, no_segment = good,
           no_seller = good;
  nobody.set_colour("pink");
  no_tile.set_tile("Z.9");
  turned.set_rotation(4);
  no_kind.mutable_deployment()->set_segment(0);
  no_segment.mutable_deployment()->set_kind(v1::FIGURE_KIND_FOLLOWER);
  no_segment.mutable_deployment()->set_segment(99);
  no_seller.mutable_purchase()->set_seller("pink");
  for (const v1::Turn& wrong : {nobody, no_tile, turned, no_kind, no_segment, no_seller}) {
    EXPECT_EQ(FromProto(wrong, referee_).status().code(), absl::StatusCode::kInvalidArgument)
        << wrong.DebugString();
  }
}

}  // namespace
}  // namespace tilewarden::services
