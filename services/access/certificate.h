// The certificate with which a service proves on networks that it is itself: its
// own, made at its first start, or one that somebody gives.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "absl/status/statusor.h"

struct x509_st;

namespace tilewarden::services {

// This machine's own, in the data folder.
inline constexpr const char* kOwnCertificate = "tls.pem";

struct Certificate {
  // PEM; its key is a secret.
  std::string chain, key;
  // SHA-256 of the certificate, "3A:9F:...": what people compare.
  std::string fingerprint;
};

// Of the first certificate in a PEM text; empty when there is none.
std::string FingerprintOf(const std::string& pem);
// Of OpenSSL's X509; empty for none.
std::string FingerprintOf(const x509_st* certificate);
// As somebody typed it: capitals, with colons; empty when it is not a SHA-256.
std::string PlainFingerprint(const std::string& typed);

// A new self-signed one for 825 days (browsers refuse longer ones), for this
// machine's names and addresses. Takes some milliseconds.
absl::StatusOr<Certificate> MakeCertificate(std::int64_t now_ms);

// A machine without a clock of its own starts in 1970, until it has asked a network: it is no
// earlier than when this program was written to its disk.
std::int64_t NoEarlierThanThisProgram(std::int64_t now_ms);

// This machine's own, from a file that is made when it is not there and renewed at
// a start within 30 days of its end. FAILED_PRECONDITION: the file cannot be read
// or written, or holds something else. Blocks on the disk.
absl::StatusOr<Certificate> OwnCertificate(const std::filesystem::path& file, std::int64_t now_ms);

// From PEM files; `chain` begins with the service's own. FAILED_PRECONDITION: they
// cannot be read, or the key belongs to another certificate.
absl::StatusOr<Certificate> LoadCertificate(const std::filesystem::path& chain,
                                            const std::filesystem::path& key);

// The fingerprint of the certificate that is shown on "192.168.1.5:50551". Nothing
// else is asked. UNAVAILABLE: nobody answers there, or not with TLS. Blocks for up
// to ten seconds.
absl::StatusOr<std::string> FingerprintAt(const std::string& address);

// How a service listens where other machines reach it.
struct NetworkOptions {
  // PEM files; empty: this machine's own certificate.
  std::filesystem::path certificate, key;
  // Without TLS: everybody in the network can read along, tokens too.
  bool plain_text = false;
};

// The certificate for an address: none on loopback, or where plain text was asked
// for. Errors as above.
absl::StatusOr<std::optional<Certificate>> CertificateFor(const std::string& listen,
                                                          const NetworkOptions& network,
                                                          const std::filesystem::path& data);

}  // namespace tilewarden::services
