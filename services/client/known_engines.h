// Engine services on other machines that this device knows: their certificates,
// and the tokens with which they let it in. `tilewarden access join` keeps them.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace tilewarden::services {

struct KnownEngine {
  // One of the three; none: plain text, as on loopback.
  std::string fingerprint = {};  // of its certificate, "3A:9F:..."
  std::string authority = {};    // PEM of who signed its certificate
  bool plain_text = false;       // on a network, because somebody said so
  // Empty: none.
  std::string token = {};
};

// One JSON file, for its owner's eyes only. Blocks on the disk.
class KnownEngines {
 public:
  // tilewarden/engines.json in the user's configuration folder.
  static std::filesystem::path DefaultFile();
  explicit KnownEngines(std::filesystem::path file = DefaultFile()) : file_(std::move(file)) {}

  // By address and port, "192.168.1.5:50551". FAILED_PRECONDITION: the file is not
  // in order, or the engine service is on another machine and not known.
  absl::StatusOr<KnownEngine> Find(const std::string& address) const;
  // UNAVAILABLE: the file cannot be written.
  absl::Status Keep(const std::string& address, const KnownEngine& engine) const;

 private:
  const std::filesystem::path file_;
};

}  // namespace tilewarden::services
