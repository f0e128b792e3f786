// What people see and type to get a device in.

#include <qrencode.h>

#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "services/access/pairing_text.h"
#include "services/access/token_file.h"
#include "services/table/table.h"
#include "tests/services/support/process_fixture.h"

namespace tilewarden::services {
namespace {

TEST(PairingText, TheQrCodeHoldsThePagesAddressWithTheCodeBehindTheHash) {
  const Pairing pairing{v1::ROLE_DISPLAY, "K7QF-9M2X", 0, "https://192.168.178.123:8080/", "", ""};
  EXPECT_EQ(PairingAddress(pairing), "https://192.168.178.123:8080/#/pair/K7QF9M2X");
  const auto lines = DrawQrCode(PairingAddress(pairing));
  ASSERT_FALSE(lines.empty());
  // The terminal's half blocks, taken apart again.
  std::vector<std::string> rows;
  for (const std::string& line : lines) {
    EXPECT_TRUE(absl::StartsWith(line, "\x1b[30;47m") && absl::EndsWith(line, "\x1b[0m"));
    const std::string cells = line.substr(8, line.size() - 12);
    std::string upper, lower;
    for (std::size_t i = 0; i < cells.size();) {
      const std::string cell = cells.substr(i, cells[i] == ' ' ? 1 : 3);
      upper += cell == "\u2588" || cell == "\u2580" ? '#' : ' ';
      lower += cell == "\u2588" || cell == "\u2584" ? '#' : ' ';
      i += cell.size();
    }
    rows.push_back(upper);
    rows.push_back(lower);
  }
  // Four light modules around the code, and the code itself within.
  QRcode* code = QRcode_encodeString8bit(PairingAddress(pairing).c_str(), 0, QR_ECLEVEL_L);
  const auto side = static_cast<std::size_t>(code->width);
  ASSERT_GE(rows.size(), side + 8);
  for (std::size_t y = 0; y < side + 8; ++y) {
    ASSERT_EQ(rows[y].size(), side + 8);
    for (std::size_t x = 0; x < side + 8; ++x) {
      const bool inside = x >= 4 && y >= 4 && x < side + 4 && y < side + 4;
      const bool dark = inside && (code->data[(y - 4) * side + x - 4] & 1) != 0;
      EXPECT_EQ(rows[y][x] == '#', dark) << x << "," << y;
    }
  }
  QRcode_free(code);
  EXPECT_TRUE(DrawQrCode(std::string(5000, 'x')).empty());
}

TEST(PairingText, SaysWhatToDoAndShowsTheFingerprint) {
  Pairing pairing{v1::ROLE_REFEREE, "K7QF-9M2X", 0, "https://192.168.1.5:8080/", "", "3A:9F"};
  const std::string page = PairingText(pairing);
  for (const char* words : {"referee", "https://192.168.1.5:8080/", "K7QF-9M2X", "3A:9F"}) {
    EXPECT_TRUE(absl::StrContains(page, words)) << page;
  }
  pairing.page = "";
  pairing.engine = "192.168.1.5:50551";
  EXPECT_TRUE(absl::StrContains(PairingText(pairing),
                                "tilewarden access join 192.168.1.5:50551 --code K7QF-9M2X"));
}

class AccessCommandTest : public ProcessTest {
 protected:
  AccessCommandTest() { setenv("XDG_CONFIG_HOME", (folder_.path() / "config").c_str(), 1); }

  std::string data() const { return " --data " + (folder_.path() / "data").string(); }
  std::string Output(const std::string& arguments) {
    const auto out = folder_.path() / "out";
    const std::string line =
        absl::StrCat(TILEWARDEN_PROGRAM, " ", arguments, " > ", out.string(), " 2>&1");
    status_ = WEXITSTATUS(std::system(line.c_str()));
    return Bytes(out);
  }
  int status_ = 0;
};

TEST_F(AccessCommandTest, TokensAreMadeListedAndRevoked) {
  EXPECT_TRUE(absl::StrContains(Output("access list" + data()), "No device has been let in yet"));
  const std::string made =
      Output("access make --role display --device \"Wall, left\" --days 30" + data());
  EXPECT_EQ(status_, 0) << made;
  const auto at = made.find("tw_");
  ASSERT_NE(at, std::string::npos) << made;
  const std::string id = made.substr(at + 3, 10), secret = made.substr(at + 14, 43);
  const std::string listed = Output("access list" + data());
  EXPECT_TRUE(absl::StrContains(listed, id)) << listed;
  EXPECT_TRUE(absl::StrContains(listed, "Wall, left")) << listed;
  EXPECT_FALSE(absl::StrContains(listed, secret)) << listed;
  Output("access revoke " + id + data());
  EXPECT_EQ(status_, 0);
  EXPECT_TRUE(absl::StrContains(Output("access list" + data()), "revoked"));
  ExpectError("access revoke NONE" + data(), "there is no token NONE");
  EXPECT_NE(Run("access make --role king" + data()).status, 0);
  ExpectError("access make --role display --table 3" + data(), "only cameras");
}

// The whole way: an engine service on the network, a code at its machine, another
// device that joins, and that device's calls.
TEST_F(AccessCommandTest, ADeviceJoinsWithACodeAndIsKnownFromThenOn) {
  auto engine = ChildProcess::Start({TILEWARDEN_PROGRAM, "engine", "--listen", "0.0.0.0:0",
                                     "--data", (folder_.path() / "data").string()});
  ASSERT_TRUE(engine.ok());
  const auto line = engine->ReadLine();
  ASSERT_TRUE(line.has_value());
  const auto colon = line->find("0.0.0.0:") + 7;
  const std::string address = "127.0.0.1" + line->substr(colon, line->find(',') - colon);

  ExpectError("export --engine " + address, "no engine service answers on");
  const std::string shown = Output("access pair --role display" + data());
  EXPECT_EQ(status_, 0) << shown;
  const auto at = shown.find("--code ") + 7;
  const std::string code = shown.substr(at, 9);
  std::string fingerprint;
  for (const std::string& word : std::vector<std::string>(absl::StrSplit(shown, ' '))) {
    const std::string bare(absl::StripAsciiWhitespace(word));
    if (bare.size() == 95) fingerprint = bare;
  }
  ASSERT_EQ(fingerprint.size(), 95u) << shown;

  const std::string join = absl::StrCat("access join ", address, " --device Export --code ", code);
  std::string wrong = fingerprint;
  wrong[0] = wrong[0] == 'A' ? 'B' : 'A';
  ExpectError(join + " --fingerprint " + wrong, "shows another certificate");
  ExpectError(join + " < /dev/null", "say which certificate is right");
  const std::string joined = Output(join + " --fingerprint " + fingerprint);
  EXPECT_EQ(status_, 0) << joined;
  EXPECT_TRUE(absl::StrContains(joined, "as display")) << joined;
  ExpectError(join + " --fingerprint " + fingerprint,
              "this code is wrong, has been used or has expired");
  // It is let in now, and there is no game yet.
  ExpectError("export --engine " + address, "there is no game");
  const std::string listed = Output("access list" + data());
  EXPECT_TRUE(absl::StrContains(listed, "Export")) << listed;
  const auto id = listed.find("display");
  Output("access revoke " + listed.substr(id - 12, 10) + data());
  ExpectError("export --engine " + address, "not let in any more");
  ExpectStops(&*engine, SIGTERM);
}

TEST_F(AccessCommandTest, AnEngineElsewhereThatIsNotKnownIsTold) {
  ExpectError("export --engine 192.0.2.5:50551", "run tilewarden access join 192.0.2.5:50551");
  ExpectError("vision " + Pictures(1) + " --pack " + Pack() + " --engine 192.0.2.5:50551",
              "run tilewarden access join 192.0.2.5:50551");
  ExpectError("gateway --page-listen 127.0.0.1:0 --engine 192.0.2.5:50551",
              "run tilewarden access join 192.0.2.5:50551");
  ExpectError("vision " + Pictures(1) + " --pack " + Pack() + " --listen 0.0.0.0:0",
              "only answers on its own machine");
}

TEST_F(AccessCommandTest, EveryCommandHelpsWithAnExample) {
  for (const char* command : {"", "list", "make", "revoke", "pair", "join"}) {
    EXPECT_TRUE(absl::StrContains(Output(absl::StrCat("access ", command, " --help")),
                                  "Example: tilewarden access "))
        << command;
  }
}

}  // namespace
}  // namespace tilewarden::services
