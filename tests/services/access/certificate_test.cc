#include "services/access/certificate.h"

#include <sys/stat.h>

#include <fstream>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "services/access/addresses.h"
#include "services/base/clock.h"
#include "services/client/channel.h"
#include "services/client/known_engines.h"
#include "tests/services/support/network_fixture.h"
#include "tests/services/support/raw_http.h"
#include "tests/services/support/temp_folder.h"

namespace tilewarden::services {
namespace {

constexpr std::int64_t kDay = 86'400'000;

TEST(Certificate, IsMadeOnceForItsOwnersEyes) {
  const TempFolder folder;
  const auto file = folder.path() / "data" / "tls.pem";
  const auto made = OwnCertificate(file, NowMs());
  ASSERT_TRUE(made.ok()) << made.status();
  EXPECT_EQ(made->fingerprint.size(), 32 * 3 - 1u);
  struct stat about {};
  ASSERT_EQ(stat(file.c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 0777, 0600u);
  const auto again = OwnCertificate(file, NowMs());
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(again->fingerprint, made->fingerprint);
  // Before it runs out another one takes its place.
  EXPECT_EQ(OwnCertificate(file, NowMs() + 700 * kDay)->fingerprint, made->fingerprint);
  EXPECT_NE(OwnCertificate(file, NowMs() + 800 * kDay)->fingerprint, made->fingerprint);
  EXPECT_NE(MakeCertificate(NowMs())->fingerprint, MakeCertificate(NowMs())->fingerprint);
}

TEST(Certificate, AGivenOneIsReadAndAWrongOneIsTold) {
  const TempFolder folder;
  const auto one = MakeCertificate(NowMs()), other = MakeCertificate(NowMs());
  const auto chain = folder.path() / "chain.pem", key = folder.path() / "key.pem";
  std::ofstream(chain) << one->chain;
  std::ofstream(key) << one->key;
  EXPECT_EQ(LoadCertificate(chain, key)->fingerprint, one->fingerprint);
  const auto told = [&](const std::string& words) {
    const auto status = LoadCertificate(chain, key).status();
    EXPECT_TRUE(absl::IsFailedPrecondition(status));
    EXPECT_TRUE(absl::StrContains(status.message(), words)) << status;
  };
  std::ofstream(key) << other->key;
  told("belongs to another certificate");
  std::ofstream(key) << "no key";
  told("no key");
  std::filesystem::remove(key);
  told("key.pem cannot be read");
  std::ofstream(folder.path() / "tls.pem") << "torn";
  EXPECT_TRUE(absl::IsFailedPrecondition(OwnCertificate(folder.path() / "tls.pem", 0).status()));
}

TEST(Certificate, IsShownOnNetworksAlone) {
  const TempFolder folder;
  for (const char* listen : {"127.0.0.1:0", "localhost:50551", "[::1]:0", "127.9.9.9:1", ""}) {
    EXPECT_FALSE(CertificateFor(listen, {}, folder.path())->has_value()) << listen;
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  for (const char* listen : {"0.0.0.0:0", "[::]:0", "192.168.1.5:50551", "example.org:1", "1"}) {
    EXPECT_TRUE(CertificateFor(listen, {}, folder.path())->has_value()) << listen;
  }
  NetworkOptions options;
  options.plain_text = true;
  EXPECT_FALSE(CertificateFor("0.0.0.0:0", options, folder.path())->has_value());
  options = {};
  options.key = "key.pem";
  EXPECT_FALSE(CertificateFor("0.0.0.0:0", options, folder.path()).ok());
  // Where none can be made nothing is started in plain text instead.
  std::ofstream(folder.path() / "file") << "";
  EXPECT_FALSE(CertificateFor("0.0.0.0:0", {}, folder.path() / "file").ok());
}

TEST(Certificate, FingerprintsAreTakenAsTyped) {
  const std::string plain = MakeCertificate(NowMs())->fingerprint;
  std::string typed = absl::AsciiStrToLower(plain);
  std::erase(typed, ':');
  EXPECT_EQ(PlainFingerprint(typed), plain);
  EXPECT_EQ(PlainFingerprint(absl::StrCat(" ", plain)), plain);
  EXPECT_EQ(PlainFingerprint(plain.substr(3)), "");
  EXPECT_EQ(PlainFingerprint(absl::StrCat("x", typed.substr(1))), "");
}

// Issue: a first start in 1970, before the clock is set, left a certificate that had run out.
TEST(OwnCertificate, MadeBeforeTheClockWasSetIsGoodAfterwards) {
  const TempFolder folder;
  const auto file = folder.path() / kOwnCertificate;
  const auto made = OwnCertificate(file, 60'000);
  ASSERT_TRUE(made.ok()) << made.status();
  const auto later = OwnCertificate(file, NowMs());
  ASSERT_TRUE(later.ok()) << later.status();
  EXPECT_EQ(later->fingerprint, made->fingerprint);
}

TEST(Addresses, LoopbackIsTold) {
  for (const char* address : {"127.0.0.1", "127.255.0.9", "::1", "::ffff:127.0.0.1"}) {
    EXPECT_TRUE(IsLoopbackAddress(address)) << address;
  }
  for (const char* address : {"192.168.1.5", "::ffff:10.0.0.1", "::", "0.0.0.0", "localhost",
                              "127.0.0.1.example.org", ""}) {
    EXPECT_FALSE(IsLoopbackAddress(address)) << address;
  }
}

class TrustTest : public NetworkTest {
 protected:
  absl::StatusCode Ask(const KnownEngine& engine) {
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(5));
    v1::GetAccessResponse response;
    const auto status = v1::AccessService::NewStub(ChannelTo(address(), engine))
                            ->GetAccess(&context, {}, &response);
    return static_cast<absl::StatusCode>(status.error_code());
  }
};

TEST_F(TrustTest, OnlyTheCertificateThatIsKnownIsTrusted) {
  const std::string token = MakeToken(v1::ROLE_DISPLAY), right = engine_->fingerprint();
  const std::string wrong = MakeCertificate(NowMs())->fingerprint;
  EXPECT_EQ(*FingerprintAt(address()), right);
  EXPECT_EQ(Ask({.fingerprint = right, .authority = "", .token = token}), absl::StatusCode::kOk);
  EXPECT_EQ(Ask({.fingerprint = right, .authority = "", .token = ""}),
            absl::StatusCode::kUnauthenticated);
  EXPECT_EQ(Ask({.fingerprint = wrong, .authority = "", .token = token}),
            absl::StatusCode::kUnavailable);
  EXPECT_TRUE(absl::IsUnavailable(FingerprintAt("127.0.0.1:9").status()));
  // By who signed it: here itself.
  const auto own = OwnCertificate(folder_.path() / kOwnCertificate, NowMs());
  EXPECT_EQ(Ask({.fingerprint = "", .authority = own->chain, .token = token}),
            absl::StatusCode::kOk);
  EXPECT_EQ(Ask({.fingerprint = "", .authority = MakeCertificate(NowMs())->chain, .token = token}),
            absl::StatusCode::kUnavailable);
  // In plain text nobody answers.
  EXPECT_EQ(Ask({.fingerprint = "", .authority = "", .plain_text = true, .token = token}),
            absl::StatusCode::kUnavailable);
}

TEST_F(TrustTest, OldTlsIsRefused) {
  const std::string url = "https://" + address() + "/";
  EXPECT_EQ(RawHttp(url, "", TLS1_VERSION).tls_version(), "");
  EXPECT_EQ(RawHttp(url, "", TLS1_1_VERSION).tls_version(), "");
  EXPECT_EQ(RawHttp(url, "", TLS1_2_VERSION).tls_version(), "TLSv1.2");
  EXPECT_EQ(RawHttp(url).tls_version(), "TLSv1.3");
}

TEST(KnownEngines, AreKeptForTheirOwnersEyes) {
  const TempFolder folder;
  const auto file = folder.path() / "config" / "engines.json";
  const KnownEngines known(file);
  EXPECT_TRUE(known.Find("127.0.0.1:50551").ok());
  EXPECT_TRUE(absl::IsFailedPrecondition(known.Find("192.168.1.5:50551").status()));
  ASSERT_TRUE(
      known.Keep("192.168.1.5:50551", {.fingerprint = "3A", .authority = "", .token = "tw"}).ok());
  ASSERT_TRUE(known.Keep("127.0.0.1:1", {.fingerprint = "", .authority = "pem", .token = ""}).ok());
  const auto found = known.Find("192.168.1.5:50551");
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_EQ(found->fingerprint, "3A");
  EXPECT_EQ(found->token, "tw");
  EXPECT_FALSE(found->plain_text);
  EXPECT_EQ(known.Find("127.0.0.1:1")->authority, "pem");
  struct stat about {};
  ASSERT_EQ(stat(file.c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 0777, 0600u);
  std::ofstream(file) << "torn {";
  EXPECT_TRUE(absl::IsFailedPrecondition(known.Find("127.0.0.1:1").status()));
  EXPECT_FALSE(known.Keep("127.0.0.1:1", {}).ok());
}

}  // namespace
}  // namespace tilewarden::services
