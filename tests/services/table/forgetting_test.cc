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
