// The page for the devices of a house: encrypted, beside the one for this machine alone. It is
// opened by one confirmation, on the page or in the terminal, and again at each start after that.
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <string>

#include "absl/status/statusor.h"
#include "services/access/certificate.h"
#include "services/client/engines.h"
#include "services/gateway/gateway.h"
#include "tilewarden/v1/access.pb.h"

namespace tilewarden::services {

// Thread safe. Blocks on the disk.
class House {
 public:
  struct Options {
    // As the page of this machine, but for where it listens.
    Gateway::Options page;
    std::string listen = "0.0.0.0:8443";
    NetworkOptions network;
    std::filesystem::path data;
  };
  House(Options options, Engines engines);

  // Whether somebody has said yes or no before.
  bool IsDecided() const;
  bool WasOpened() const;
  // Not this time and not later, until somebody opens it on the page.
  void Decline();
  // Opens it, if it is not open, and remembers that. Errors as Gateway::Start and CertificateFor.
  absl::StatusOr<v1::OpenHouseResponse> Open();
  // The page of this machine, which tells of this one once it is open. It outlives this.
  void TellOn(Gateway* here);
  // Null: it is not open.
  const Gateway* gateway();

 private:
  const Options options_;
  const Engines engines_;
  std::mutex mutex_;
  Gateway* here_ = nullptr;
  std::unique_ptr<Gateway> gateway_;
};

}  // namespace tilewarden::services
