// A name taken out of what people wrote, and nothing else.
#include "services/table/forgetting.h"

#include "gtest/gtest.h"

namespace tilewarden::services {
namespace {

TEST(Forgetting, ANameGoesWhereItIsAWord) {
  EXPECT_EQ(WithoutName("Anna's evening", "Anna"), "…'s evening");
  EXPECT_EQ(WithoutName("Anna’s evening, “Anna”", "Anna"), "…’s evening, “…”");
  EXPECT_EQ(WithoutName("Annas Spiel", "Anna"), "… Spiel");
  EXPECT_EQ(WithoutName("ANNA gegen anna", "Anna"), "… gegen …");
  EXPECT_EQ(WithoutName("Friday with Anna", "Anna"), "Friday with …");
  EXPECT_EQ(WithoutName("Jörg zählt", "Jörg"), "… zählt");
  EXPECT_EQ(WithoutName("Anna Maria und Anna", "Anna Maria"), "… und Anna");
  EXPECT_EQ(WithoutName("太郎の家", "太郎"), "…の家");
}

TEST(Forgetting, ReadsAllThatPeopleWroteInARecord) {
  v1::LogRecord record;
  record.mutable_referee_called()->mutable_call()->set_referee("Anna's phone");
  EXPECT_EQ(TextsThatMention(record, "Anna").size(), 1U);
  record.mutable_points_changed()->set_reason("Anna forgot a road");
  EXPECT_EQ(TextsThatMention(record, "Anna").size(), 1U);
  record.mutable_labelled()->set_name("Anna and Ben");
  EXPECT_EQ(TextsThatMention(record, "Anna").size(), 1U);
  record.mutable_started()->set_name("Anna's table");
  EXPECT_EQ(TextsThatMention(record, "Anna").size(), 1U);
  EXPECT_TRUE(TextsThatMention(record, "Ben").empty());
}

TEST(Forgetting, OtherWordsAndNamesStay) {
  for (const char* text : {"Annabel's evening", "Johanna", "Annaß", "éAnna", "Annaé", "Annas1"}) {
    EXPECT_EQ(WithoutName(text, "Anna"), text);
  }
  EXPECT_EQ(WithoutName("Alps", "Al"), "Alps");
  EXPECT_EQ(WithoutName("", "Anna"), "");
  EXPECT_EQ(WithoutName("Anna", ""), "Anna");
}

}  // namespace
}  // namespace tilewarden::services
