#include "services/access/token_file.h"

#include <sys/stat.h>

#include <fstream>
#include <iterator>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "services/access/attempts.h"
#include "services/base/secrets.h"
#include "tests/services/support/temp_folder.h"

namespace tilewarden::services {
namespace {

constexpr std::int64_t kNow = 1'700'000'000'000, kDay = 86'400'000;
using Verdict = TokenFile::Verdict;

class TokenFileTest : public testing::Test {
 protected:
  std::unique_ptr<TokenFile> Open() {
    auto tokens = TokenFile::Open(file_);
    EXPECT_TRUE(tokens.ok()) << tokens.status();
    return *std::move(tokens);
  }
  int Judge(TokenFile* tokens, const std::string& token, std::int64_t now = kNow) {
    const auto verdict = tokens->Check(token, now);
    EXPECT_TRUE(verdict.ok()) << verdict.status();
    return verdict->is;
  }
  TempFolder folder_;
  const std::filesystem::path file_ = folder_.path() / "access.sqlite";
};

TEST_F(TokenFileTest, ATokenIsGoodUntilItRunsOut) {
  const auto tokens = Open();
  const auto token = tokens->Make({v1::ROLE_DISPLAY, ""}, "Wall", 30, kNow);
  ASSERT_TRUE(token.ok());
  EXPECT_EQ(Judge(tokens.get(), *token), Verdict::kGood);
  EXPECT_EQ(Judge(tokens.get(), *token, kNow + 30 * kDay - 1), Verdict::kGood);
  EXPECT_EQ(Judge(tokens.get(), *token, kNow + 30 * kDay), Verdict::kExpired);
  EXPECT_EQ(tokens->Check(*token, kNow)->token.grant, (Grant{v1::ROLE_DISPLAY, ""}));
  EXPECT_EQ(tokens->List(kNow)->front().device, "Wall");
  EXPECT_TRUE(tokens->List(kNow + 30 * kDay)->empty());
}

TEST_F(TokenFileTest, ARevokedTokenIsShutOutAlsoForWhoHasTheFileOpen) {
  const auto engine = Open(), command = Open();
  const auto token = engine->Make({v1::ROLE_REFEREE, ""}, "", 1, kNow);
  const std::string id = engine->List(kNow)->front().id;
  ASSERT_TRUE(command->Revoke(id).ok());
  EXPECT_EQ(Judge(engine.get(), *token), Verdict::kRevoked);
  EXPECT_EQ(engine->CheckAgain(id, kNow)->is, Verdict::kRevoked);
  EXPECT_EQ(command->Revoke("none").code(), absl::StatusCode::kNotFound);
}

TEST_F(TokenFileTest, OtherWordsTakeThePlaceOfAllThatPeopleWrote) {
  const auto tokens = Open();
  const std::string camera =
      *tokens->Make({v1::ROLE_CAMERA, "Zoe's table"}, "Zoe's phone", 1, kNow);
  ASSERT_TRUE(tokens->MakeCode({v1::ROLE_CAMERA, "Zoe's table"}, kNow).ok());
  ASSERT_TRUE(tokens->Make({v1::ROLE_DISPLAY, ""}, "Kitchen", 1, kNow).ok());
  const auto words = [](const std::string& text) {
    return absl::StrContains(text, "Zoe") ? "…" + text.substr(3) : text;
  };
  EXPECT_EQ(*tokens->Reword(words), true);
  EXPECT_EQ(*tokens->Reword(words), false);
  EXPECT_EQ(tokens->Check(camera, kNow)->token.device, "…'s phone");
  EXPECT_EQ(tokens->Check(camera, kNow)->token.grant.table, "…'s table");
  EXPECT_EQ(tokens->List(kNow)->front().device, "Kitchen");
  for (const char* part : {"", "-wal"}) {
    std::ifstream file(file_.string() + part, std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(file), {});
    EXPECT_FALSE(absl::StrContains(bytes, "Zoe")) << part;
  }
}

TEST_F(TokenFileTest, WhatIsNoTokenIsUnknown) {
  const auto tokens = Open();
  const std::string token = *tokens->Make({v1::ROLE_ADMIN, ""}, "", 1, kNow);
  for (std::size_t i = 0; i < token.size(); ++i) {
    std::string other = token;
    other[i] = other[i] == 'A' ? 'B' : 'A';
    // The character between id and secret says nothing.
    if (token[i] == '_' && i == 13) continue;
    EXPECT_EQ(Judge(tokens.get(), other), Verdict::kUnknown) << i;
  }
  for (const std::string& other : {std::string(), std::string("tw_"), token + "A", token.substr(1),
                                   std::string(100'000, 'A'), "' OR 1=1 --" + token}) {
    EXPECT_EQ(Judge(tokens.get(), other), Verdict::kUnknown);
  }
}

TEST_F(TokenFileTest, NeitherTokensNorCodesLieInTheFileAndNobodyElseReadsIt) {
  std::string token, code;
  {
    const auto tokens = Open();
    token = *tokens->Make({v1::ROLE_ADMIN, ""}, "Ann", 1, kNow);
    code = tokens->MakeCode({v1::ROLE_ADMIN, ""}, kNow)->text;
  }
  std::string bytes;
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
    std::ifstream in(entry.path(), std::ios::binary);
    bytes.append(std::istreambuf_iterator<char>(in), {});
    struct stat about {};
    ASSERT_EQ(stat(entry.path().c_str(), &about), 0);
    EXPECT_EQ(about.st_mode & 077, 0u) << entry.path();
  }
  EXPECT_TRUE(absl::StrContains(bytes, "Ann"));
  EXPECT_FALSE(absl::StrContains(bytes, token.substr(14)));
  EXPECT_FALSE(absl::StrContains(bytes, PlainCode(code)));
}

TEST_F(TokenFileTest, TokensAreThereAfterOpeningAgain) {
  const std::string token = *Open()->Make({v1::ROLE_CAMERA, "Table 3"}, "", 1, kNow);
  const auto tokens = Open();
  EXPECT_EQ(tokens->Check(token, kNow)->token.grant, (Grant{v1::ROLE_CAMERA, "Table 3"}));
}

TEST_F(TokenFileTest, WrongGrantsAreRefused) {
  const auto tokens = Open();
  for (const Grant& grant : {Grant{}, Grant{v1::ROLE_DISPLAY, "Table 3"}}) {
    EXPECT_TRUE(absl::IsInvalidArgument(tokens->Make(grant, "", 1, kNow).status()));
    EXPECT_TRUE(absl::IsInvalidArgument(tokens->MakeCode(grant, kNow).status()));
  }
  const Grant display{v1::ROLE_DISPLAY, ""};
  EXPECT_TRUE(
      absl::IsInvalidArgument(tokens->Make(display, std::string(101, 'x'), 1, kNow).status()));
  EXPECT_TRUE(absl::IsInvalidArgument(
      tokens->Make(display, "Tablet\r\nADMIN00000  admin", 1, kNow).status()))
      << "it would forge a row of the list";
  EXPECT_TRUE(absl::IsInvalidArgument(tokens->Make(display, "", 0, kNow).status()));
  EXPECT_TRUE(absl::IsInvalidArgument(tokens->Make(display, "", 3651, kNow).status()));
}

TEST_F(TokenFileTest, ACodeIsGoodOnceAndForMinutes) {
  const auto tokens = Open();
  const auto code = tokens->MakeCode({v1::ROLE_CAMERA, "Table 3"}, kNow);
  ASSERT_TRUE(code.ok());
  // As people type it.
  std::string typed = " " + code->text + " ";
  for (char& c : typed) c = static_cast<char>(std::tolower(c == '0' ? 'o' : c == '1' ? 'l' : c));
  const auto paired = tokens->Exchange(typed, "Camera", kNow + 1);
  ASSERT_TRUE(paired.ok()) << paired.status();
  EXPECT_EQ(paired->grant, (Grant{v1::ROLE_CAMERA, "Table 3"}));
  EXPECT_EQ(Judge(tokens.get(), paired->token), Verdict::kGood);
  EXPECT_TRUE(absl::IsInvalidArgument(tokens->Exchange(code->text, "", kNow + 2).status()));
  EXPECT_EQ(tokens->List(kNow)->size(), 1u);

  const auto late = tokens->MakeCode({v1::ROLE_DISPLAY, ""}, kNow);
  EXPECT_TRUE(absl::IsInvalidArgument(
      tokens->Exchange(late->text, "", kNow + TokenFile::kCodeLife_ms).status()));
}

TEST_F(TokenFileTest, ACodeIsSpentAfterFewWrongTries) {
  const auto tokens = Open();
  const auto spent = tokens->MakeCode({v1::ROLE_DISPLAY, ""}, kNow);
  const auto untouched = tokens->MakeCode({v1::ROLE_DISPLAY, ""}, kNow);
  std::string wrong = spent->text;
  wrong.back() = wrong.back() == 'A' ? 'B' : 'A';
  for (int i = 0; i < TokenFile::kCodeTries; ++i) {
    EXPECT_FALSE(tokens->Exchange(wrong, "", kNow).ok());
  }
  EXPECT_FALSE(tokens->Exchange(spent->text, "", kNow).ok());
  EXPECT_TRUE(tokens->Exchange(untouched->text, "", kNow).ok());
}

TEST_F(TokenFileTest, ADeviceNameThatIsTooLongCostsNoCode) {
  const auto tokens = Open();
  const auto code = tokens->MakeCode({v1::ROLE_DISPLAY, ""}, kNow);
  EXPECT_FALSE(tokens->Exchange(code->text, std::string(101, 'x'), kNow).ok());
  EXPECT_TRUE(tokens->Exchange(code->text, "", kNow).ok());
}

TEST_F(TokenFileTest, OldCodesGiveWayToNewOnes) {
  const auto tokens = Open();
  const auto first = tokens->MakeCode({v1::ROLE_DISPLAY, ""}, kNow);
  TokenFile::Code last;
  for (int i = 0; i < TokenFile::kMostCodes; ++i) {
    last = *tokens->MakeCode({v1::ROLE_DISPLAY, ""}, kNow);
  }
  EXPECT_FALSE(tokens->Exchange(first->text, "", kNow).ok());
  EXPECT_TRUE(tokens->Exchange(last.text, "", kNow).ok());
}

TEST_F(TokenFileTest, AFileThatIsNoneIsTold) {
  std::ofstream(file_) << std::string(9000, '?');
  const auto tokens = TokenFile::Open(file_);
  EXPECT_EQ(tokens.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_TRUE(absl::StrContains(tokens.status().message(), "move it away")) << tokens.status();
}

TEST(Secrets, AreNotTheSameTwice) {
  EXPECT_NE(RandomBytes(32), RandomBytes(32));
  EXPECT_EQ(RandomBytes(32).size(), 32u);
  EXPECT_TRUE(SameSecret("abc", "abc"));
  EXPECT_FALSE(SameSecret("abc", "abd"));
  EXPECT_FALSE(SameSecret("abc", "abcd"));
}

TEST(Attempts, AreBlockedForAWhileByAddress) {
  Attempts attempts;
  for (int i = 0; i < 10; ++i) {
    EXPECT_FALSE(attempts.Blocked("192.168.1.7", kNow)) << i;
    attempts.Failed("192.168.1.7", kNow);
  }
  EXPECT_TRUE(attempts.Blocked("192.168.1.7", kNow));
  EXPECT_FALSE(attempts.Blocked("192.168.1.8", kNow));
  EXPECT_TRUE(attempts.Blocked("192.168.1.7", kNow + 5'000));
  EXPECT_FALSE(attempts.Blocked("192.168.1.7", kNow + 6'001));
  attempts.Failed("192.168.1.7", kNow + 6'001);
  EXPECT_TRUE(attempts.Blocked("192.168.1.7", kNow + 6'001));
  EXPECT_FALSE(attempts.Blocked("192.168.1.7", kNow + 3'600'000));
  // Who goes on meanwhile waits longer, but not for ever.
  for (int i = 0; i < 1000; ++i) attempts.Failed("192.168.1.7", kNow + 6'001);
  EXPECT_TRUE(attempts.Blocked("192.168.1.7", kNow + 66'000));
  EXPECT_FALSE(attempts.Blocked("192.168.1.7", kNow + 73'000));
  // A clock that is set back opens no door.
  EXPECT_TRUE(attempts.Blocked("192.168.1.7", kNow - 3'600'000));
}

// Issue: whoever has a /48 guessed 65,536 times as often as a household.
TEST(Attempts, ManyHouseholdsOfOneStrangerAreCountedTogether) {
  Attempts attempts;
  const auto household = [](int i) { return absl::StrCat("2001:db8:7:", absl::Hex(i), "::/64"); };
  int guessed = 0;
  while (guessed < 1000 && !attempts.Failed(household(guessed + 1), kNow)) ++guessed;
  EXPECT_EQ(guessed, 80);
  EXPECT_TRUE(attempts.Blocked(household(5000), kNow));
  EXPECT_FALSE(attempts.Blocked("2001:db8:8:1::/64", kNow));
  EXPECT_FALSE(attempts.Blocked("192.168.1.7", kNow));
  EXPECT_FALSE(attempts.Blocked(household(5000), kNow + 60'000));
}

TEST(Attempts, OfManyAddressesTheOldestAreForgotten) {
  Attempts attempts;
  for (int i = 0; i < 10; ++i) attempts.Failed("first", kNow);
  for (int i = 0; i < 5'000; ++i) attempts.Failed(absl::StrCat("other ", i), kNow + 1);
  EXPECT_FALSE(attempts.Blocked("first", kNow + 1));
  for (int i = 0; i < 9; ++i) attempts.Failed("other 4999", kNow + 1);
  EXPECT_TRUE(attempts.Blocked("other 4999", kNow + 1));
}

}  // namespace
}  // namespace tilewarden::services
