#include "services/commands/house.h"

#include <utility>

#include "services/base/whole_file.h"
#include "spdlog/spdlog.h"

namespace tilewarden::services {
namespace {

// In the data folder.
constexpr char kDecision[] = "house";
constexpr char kOpen[] = "open\n", kClosed[] = "closed\n";

void Remember(const std::filesystem::path& data, const char* decision) {
  const auto status = WritePrivateFile(data / kDecision, decision, IfThere::kReplace);
  if (!status.ok()) spdlog::warn("this will be asked again: {}", std::string(status.message()));
}

}  // namespace

House::House(Options options, Engines engines)
    : options_(std::move(options)), engines_(std::move(engines)) {}

bool House::IsDecided() const { return ReadFile(options_.data / kDecision).has_value(); }

bool House::WasOpened() const { return ReadFile(options_.data / kDecision) == kOpen; }

void House::Decline() { Remember(options_.data, kClosed); }

absl::StatusOr<v1::OpenHouseResponse> House::Open() {
  const std::lock_guard lock(mutex_);
  if (gateway_ == nullptr) {
    Gateway::Options page = options_.page;
    page.listen = options_.listen;
    auto certificate = CertificateFor(page.listen, options_.network, options_.data);
    if (!certificate.ok()) return certificate.status();
    page.certificate = *std::move(certificate);
    auto gateway = Gateway::Start(page, engines_);
    if (!gateway.ok()) return gateway.status();
    gateway_ = *std::move(gateway);
    Remember(options_.data, kOpen);
    if (here_ != nullptr) here_->TellOf(*gateway_);
  }
  v1::OpenHouseResponse response;
  for (const std::string& address : gateway_->addresses()) response.add_addresses(address);
  response.set_fingerprint(gateway_->fingerprint());
  return response;
}

void House::TellOn(Gateway* here) {
  const std::lock_guard lock(mutex_);
  here_ = here;
  if (gateway_ != nullptr && here_ != nullptr) here_->TellOf(*gateway_);
}

const Gateway* House::gateway() {
  const std::lock_guard lock(mutex_);
  return gateway_.get();
}

}  // namespace tilewarden::services
