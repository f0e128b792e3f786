// Who has been let in: tokens of devices and pairing codes, in one SQLite file
// beside the games, which the engine service and `tilewarden access` open at the
// same time.
//
// A token is 256 random bits and an id; a code is 30 random bits and an id of
// 10. Both are kept as their SHA-256 alone and compared in constant time.
//
// Thread safe; blocks on the disk. UNAVAILABLE when that fails.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tilewarden/v1/access.pb.h"

struct sqlite3;

namespace tilewarden::services {

// What a token allows.
struct Grant {
  v1::Role role = v1::ROLE_UNSPECIFIED;
  // Cameras: the name of the games that it may report to; empty: all.
  std::string table;
  friend bool operator==(const Grant&, const Grant&) = default;
};

struct Token {
  std::string id;
  Grant grant;
  // What people call the device; empty when nobody said.
  std::string device;
  // Milliseconds since 1970; seen_ms is right to the hour, 0: never.
  std::int64_t made_ms = 0, expires_ms = 0, seen_ms = 0;
  bool revoked = false;
};

class TokenFile {
 public:
  static constexpr const char* kFile = "access.sqlite";
  static constexpr std::int64_t kCodeLife_ms = 10 * 60'000;
  static constexpr int kCodeTries = 5, kMostCodes = 20, kTokenDays = 365, kLongestDevice = 100;

  // Makes it when it is not there, for its owner's eyes only. FAILED_PRECONDITION:
  // it cannot be opened, or is of a newer version.
  static absl::StatusOr<std::unique_ptr<TokenFile>> Open(const std::filesystem::path& file);
  ~TokenFile();

  // The token's text, which is never given again. INVALID_ARGUMENT: no role, a
  // table for another role than a camera, days that are not 1 to 3650, or a
  // device name of more than 100 characters.
  absl::StatusOr<std::string> Make(const Grant& grant, const std::string& device, int days,
                                   std::int64_t now_ms);

  struct Verdict {
    enum { kGood, kUnknown, kRevoked, kExpired } is = kUnknown;
    Token token;  // but for kUnknown
  };
  absl::StatusOr<Verdict> Check(std::string_view token, std::int64_t now_ms);
  // The same for one that was good before.
  absl::StatusOr<Verdict> CheckAgain(const std::string& id, std::int64_t now_ms);

  // All that have not run out, newest first.
  absl::StatusOr<std::vector<Token>> List(std::int64_t now_ms);
  // NOT_FOUND: no token has this id.
  absl::Status Revoke(const std::string& id);
  // Puts other words in the place of names of devices, and of tables that cameras and codes belong
  // to, and leaves nothing of the old ones behind in the file; whether any changed.
  using Words = std::function<std::string(const std::string&)>;
  absl::StatusOr<bool> Reword(const Words& words);

  struct Code {
    std::string text;  // "K7QF-9M2X"
    std::int64_t expires_ms = 0;
  };
  // INVALID_ARGUMENT as Make. More than kMostCodes: the oldest is forgotten.
  absl::StatusOr<Code> MakeCode(const Grant& grant, std::int64_t now_ms);
  struct Paired {
    std::string token;
    Grant grant;
    std::int64_t expires_ms = 0;
  };
  // A code for a token, once. INVALID_ARGUMENT: wrong, used or run out.
  absl::StatusOr<Paired> Exchange(const std::string& code, const std::string& device,
                                  std::int64_t now_ms);

 private:
  explicit TokenFile(std::filesystem::path file) : file_(std::move(file)) {}
  absl::Status OpenLocked();
  absl::Status Failed(const std::string& doing) const;
  absl::Status Run(const char* sql);
  absl::StatusOr<std::string> MakeLocked(const Grant& grant, const std::string& device, int days,
                                         std::int64_t now_ms);
  absl::StatusOr<Paired> ExchangeLocked(const std::string& code, const std::string& device,
                                        std::int64_t now_ms);
  absl::StatusOr<Verdict> FindLocked(const std::string& id, const std::string* hash,
                                     std::int64_t now_ms);

  const std::filesystem::path file_;
  std::mutex mutex_;
  sqlite3* db_ = nullptr;
};

}  // namespace tilewarden::services
