#include "services/access/certificate.h"

#include <netdb.h>
#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <system_error>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "services/access/addresses.h"
#include "services/base/clock.h"
#include "services/base/secrets.h"
#include "services/base/whole_file.h"
#include "spdlog/spdlog.h"

namespace tilewarden::services {
namespace {

constexpr std::int64_t kDay_s = 86'400, kLife_s = 825 * kDay_s, kRenew_s = 30 * kDay_s;

template <auto Free>
struct Freed {
  template <typename T>
  void operator()(T* held) const {
    Free(held);
  }
};
using Bio = std::unique_ptr<BIO, Freed<BIO_free_all>>;
using Key = std::unique_ptr<EVP_PKEY, Freed<EVP_PKEY_free>>;
using X509Ptr = std::unique_ptr<X509, Freed<X509_free>>;
using Tls = std::unique_ptr<SSL, Freed<SSL_free>>;
using TlsContext = std::unique_ptr<SSL_CTX, Freed<SSL_CTX_free>>;
using Extension = std::unique_ptr<X509_EXTENSION, Freed<X509_EXTENSION_free>>;

Bio Reading(const std::string& text) {
  return Bio(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

std::string Written(BIO* bio) {
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio, &data);
  return size <= 0 ? std::string() : std::string(data, static_cast<std::size_t>(size));
}

X509Ptr ParseCertificate(const std::string& pem) {
  const Bio bio = Reading(pem);
  return X509Ptr(PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr));
}

// Never asks anybody for a password.
Key ParseKey(const std::string& pem) {
  const Bio bio = Reading(pem);
  return Key(PEM_read_bio_PrivateKey(
      bio.get(), nullptr, [](char*, int, int, void*) { return -1; }, nullptr));
}

// The names under which this machine is called.
std::string Names() {
  std::string names = "DNS:localhost,DNS:tilewarden,IP:127.0.0.1,IP:::1";
  char host[256] = "";
  if (gethostname(host, sizeof host - 1) == 0) {
    std::string name;
    for (const char c : std::string(host)) {
      if (absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '.') name += c;
    }
    if (!name.empty()) absl::StrAppend(&names, ",DNS:", name, ",DNS:", name, ".local");
  }
  for (const std::string& address : NetworkAddresses()) absl::StrAppend(&names, ",IP:", address);
  return names;
}

bool AddExtension(X509* certificate, int kind, const std::string& value) {
  const Extension extension(X509V3_EXT_conf_nid(nullptr, nullptr, kind, value.c_str()));
  return extension != nullptr && X509_add_ext(certificate, extension.get(), -1) == 1;
}

bool Fill(X509* certificate, EVP_PKEY* key, std::int64_t now_s) {
  std::string serial = RandomBytes(16);
  serial[0] = static_cast<char>(serial[0] & 0x7f);
  BIGNUM* number = BN_bin2bn(reinterpret_cast<const unsigned char*>(serial.data()),
                             static_cast<int>(serial.size()), nullptr);
  const bool numbered = BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate)) != nullptr;
  BN_free(number);
  X509_NAME* name = X509_get_subject_name(certificate);
  const auto* common = reinterpret_cast<const unsigned char*>("Tilewarden");
  return numbered && X509_set_version(certificate, X509_VERSION_3) == 1 &&
         // A day back: clocks in one house differ.
         ASN1_TIME_set(X509_getm_notBefore(certificate), now_s - kDay_s) != nullptr &&
         ASN1_TIME_set(X509_getm_notAfter(certificate), now_s - kDay_s + kLife_s) != nullptr &&
         X509_set_pubkey(certificate, key) == 1 &&
         X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, common, -1, -1, 0) == 1 &&
         X509_set_issuer_name(certificate, name) == 1 &&
         AddExtension(certificate, NID_subject_alt_name, Names()) &&
         AddExtension(certificate, NID_basic_constraints, "critical,CA:FALSE") &&
         AddExtension(certificate, NID_key_usage, "critical,digitalSignature") &&
         AddExtension(certificate, NID_ext_key_usage, "serverAuth") &&
         X509_sign(certificate, key, EVP_sha256()) > 0;
}

absl::StatusOr<std::string> FileText(const std::filesystem::path& file) {
  auto text = ReadFile(file);
  if (text) return *std::move(text);
  return absl::FailedPreconditionError(absl::StrCat(file.string(), " cannot be read"));
}

// From PEM texts that belong together.
absl::StatusOr<Certificate> Pair(const std::string& chain, const std::string& key,
                                 const std::string& where) {
  const X509Ptr certificate = ParseCertificate(chain);
  const Key parsed = ParseKey(key);
  if (certificate == nullptr || parsed == nullptr) {
    return absl::FailedPreconditionError(absl::StrCat(
        where, ": no ", certificate == nullptr ? "certificate" : "key without a password",
        " is in there; give PEM files, or neither, and one is made"));
  }
  if (X509_check_private_key(certificate.get(), parsed.get()) != 1) {
    return absl::FailedPreconditionError(
        absl::StrCat(where, ": the key belongs to another certificate"));
  }
  return Certificate{chain, key, FingerprintOf(chain)};
}

bool RunsOut(const std::string& chain, std::int64_t now_s) {
  const X509Ptr certificate = ParseCertificate(chain);
  if (certificate == nullptr) return false;
  std::time_t soon = static_cast<std::time_t>(now_s + kRenew_s);
  return X509_cmp_time(X509_get0_notAfter(certificate.get()), &soon) < 0;
}

// Another process that makes one at the same moment goes first, unless this one is to replace
// it.
absl::Status Keep(const std::filesystem::path& file, const std::string& text, bool replace) {
  const absl::Status kept =
      WritePrivateFile(file, text, replace ? IfThere::kReplace : IfThere::kLeave);
  if (kept.ok()) return kept;
  return absl::FailedPreconditionError(
      absl::StrCat(kept.message(), "; make the folder writable, or give --certificate and --key"));
}

// A connection, or -1.
int ConnectTo(const std::string& address) {
  const auto colon = address.rfind(':');
  if (colon == std::string::npos) return -1;
  addrinfo wanted{};
  wanted.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (getaddrinfo(HostOf(address).c_str(), address.c_str() + colon + 1, &wanted, &found) != 0) {
    return -1;
  }
  const std::unique_ptr<addrinfo, Freed<freeaddrinfo>> owner(found);
  for (const addrinfo* at = found; at != nullptr; at = at->ai_next) {
    const int handle = socket(at->ai_family, at->ai_socktype | SOCK_CLOEXEC, at->ai_protocol);
    const timeval limit{10, 0};
    setsockopt(handle, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    setsockopt(handle, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    if (handle >= 0 && connect(handle, at->ai_addr, at->ai_addrlen) == 0) return handle;
    if (handle >= 0) close(handle);
  }
  return -1;
}

}  // namespace

std::string FingerprintOf(const X509* certificate) {
  unsigned char hash[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  if (certificate == nullptr || X509_digest(certificate, EVP_sha256(), hash, &size) != 1) return "";
  return PlainFingerprint(absl::BytesToHexString({reinterpret_cast<const char*>(hash), size}));
}

std::string FingerprintOf(const std::string& pem) {
  return FingerprintOf(ParseCertificate(pem).get());
}

std::string PlainFingerprint(const std::string& typed) {
  std::string plain;
  int digits = 0;
  for (const char c : typed) {
    if (c == ':' || c == ' ' || c == '-') continue;
    if (!absl::ascii_isxdigit(static_cast<unsigned char>(c))) return "";
    if (digits > 0 && digits % 2 == 0) plain += ':';
    plain += absl::ascii_toupper(static_cast<unsigned char>(c));
    ++digits;
  }
  return digits == 64 ? plain : "";
}

absl::StatusOr<Certificate> MakeCertificate(std::int64_t now_ms) {
  const Key key(EVP_EC_gen("P-256"));
  const X509Ptr certificate(X509_new());
  const Bio chain(BIO_new(BIO_s_mem())), secret(BIO_new(BIO_s_mem()));
  if (key == nullptr || certificate == nullptr || chain == nullptr || secret == nullptr ||
      !Fill(certificate.get(), key.get(), now_ms / 1000) ||
      PEM_write_bio_X509(chain.get(), certificate.get()) != 1 ||
      PEM_write_bio_PKCS8PrivateKey(secret.get(), key.get(), nullptr, nullptr, 0, nullptr,
                                    nullptr) != 1) {
    return absl::InternalError("OpenSSL cannot make a certificate here");
  }
  return Pair(Written(chain.get()), Written(secret.get()), "the new certificate");
}

std::int64_t NoEarlierThanThisProgram(std::int64_t now_ms) {
  std::error_code error;
  const auto built = std::filesystem::last_write_time("/proc/self/exe", error);
  if (error) return now_ms;
  const auto since_1970 = std::chrono::file_clock::to_sys(built).time_since_epoch();
  return std::max(now_ms,
                  std::chrono::duration_cast<std::chrono::milliseconds>(since_1970).count());
}

absl::StatusOr<Certificate> OwnCertificate(const std::filesystem::path& file, std::int64_t now_ms) {
  std::error_code error;
  const bool there = std::filesystem::exists(file, error);
  if (there) {
    const auto text = FileText(file);
    if (!text.ok()) return text.status();
    auto own = Pair(*text, *text, file.string());
    if (!own.ok() || !RunsOut(*text, now_ms / 1000)) return own;
  }
  const auto made = MakeCertificate(NoEarlierThanThisProgram(now_ms));
  if (!made.ok()) return made.status();
  std::filesystem::create_directories(file.parent_path(), error);
  if (auto status = Keep(file, made->key + made->chain, there); !status.ok()) return status;
  if (there) {
    spdlog::warn(
        "the certificate had expired, so there is a new one: devices that know the old one have to "
        "be "
        "told the new fingerprint, {}",
        made->fingerprint);
  }
  const auto text = FileText(file);
  if (!text.ok()) return text.status();
  return Pair(*text, *text, file.string());
}

absl::StatusOr<Certificate> LoadCertificate(const std::filesystem::path& chain,
                                            const std::filesystem::path& key) {
  const auto chain_text = FileText(chain), key_text = FileText(key);
  if (!chain_text.ok()) return chain_text.status();
  if (!key_text.ok()) return key_text.status();
  return Pair(*chain_text, *key_text, absl::StrCat(chain.string(), " and ", key.string()));
}

absl::StatusOr<std::string> FingerprintAt(const std::string& address) {
  const TlsContext context(SSL_CTX_new(TLS_client_method()));
  const Tls tls(SSL_new(context.get()));
  const int handle = ConnectTo(address);
  std::string fingerprint;
  // Whether to trust it is for a person to say.
  if (handle >= 0 && SSL_set_fd(tls.get(), handle) == 1 && SSL_connect(tls.get()) == 1) {
    const X509Ptr shown(SSL_get1_peer_certificate(tls.get()));
    fingerprint = FingerprintOf(shown.get());
  }
  if (handle >= 0) close(handle);
  if (!fingerprint.empty()) return fingerprint;
  return absl::UnavailableError(absl::StrCat("nobody answers on ", address, " with TLS"));
}

absl::StatusOr<std::optional<Certificate>> CertificateFor(const std::string& listen,
                                                          const NetworkOptions& network,
                                                          const std::filesystem::path& data) {
  if (network.certificate.empty() != network.key.empty()) {
    return absl::FailedPreconditionError("give --certificate and --key together, or neither");
  }
  if (IsLoopbackListener(listen) || network.plain_text) return std::nullopt;
  auto certificate = network.certificate.empty()
                         ? OwnCertificate(data / kOwnCertificate, NowMs())
                         : LoadCertificate(network.certificate, network.key);
  if (!certificate.ok()) return certificate.status();
  return *std::move(certificate);
}

}  // namespace tilewarden::services
