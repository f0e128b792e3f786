// The gateway: gRPC-Web on one side, gRPC on the other, and the display's files. It forwards the
// bytes of a call without reading them. It alone faces networks: gRPC does not bear attackers.
//
//   browser -- HTTP/1.1, application/grpc-web+proto --> gateway -- gRPC --> engine
//                                                               -- gRPC --> vision
//   camera or tool with a token -- HTTP/1.1, /tunnel --> gateway -- gRPC's bytes --> engine
//
// Connections, their time and what they send are bounded, for each address too (admission.h). More
// than a few kilobytes are only read from those who are let in.
//
// Where other machines reach it, it tells the engine service for whom it calls and
// passes on the page's token: the engine alone decides who is let in (the vision
// service asks it). The token is a header and no cookie: it is sent by this page
// alone, not by whatever page of another site or port a browser shows, and the
// gateway need not know it.
//
// Unary calls and server streams. A browser that leaves cancels its call; a
// slow one holds back its own stream (one message is in flight at a time).
// Runs on its own thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "services/access/certificate.h"
#include "services/base/metrics.h"
#include "services/client/engines.h"
#include "services/gateway/admission.h"

namespace tilewarden::services {

class Gateway {
 public:
  struct Options {
    // Host and port; port 0 takes a free one.
    std::string listen = "127.0.0.1:8080";
    // Folder with the built page (index.html); empty: no page, only calls.
    std::filesystem::path page;
    // Where a camera answers EnrolmentService; null: that goes to the engine service,
    // which answers that it has none.
    std::shared_ptr<grpc::Channel> vision;
    // Largest request body.
    std::size_t largest_request = 1 << 20;
    // Where a tunnel ends: takes over one end of a socket pair, with the address of whoever is
    // behind it, and speaks gRPC there. Null: no tunnels. Called from the gateway's thread.
    std::function<void(int handle, const std::string& address)> tunnel;
    // Else browsers of people on this machine need none.
    bool everybody_needs_token = false;
    Admission::Limits limits;
    // Encrypts everything; none: plain text.
    std::optional<Certificate> certificate;
    // What GET /metrics tells besides the gateway's own figures: those of an
    // engine service in the same process. Called from the gateway's thread.
    std::function<std::vector<Metric>()> more_metrics;
  };
  // UNAVAILABLE: the address is taken or cannot be listened on. FAILED_PRECONDITION:
  // the certificate is not in order.
  static absl::StatusOr<std::unique_ptr<Gateway>> Start(const Options& options, Engines engines);
  virtual ~Gateway() = default;  // stops; open calls are cancelled

  // "0.0.0.0:8080", with the port it got.
  virtual std::string address() const = 0;
  // Where it is opened, "http://127.0.0.1:8080/"; at all addresses of this machine:
  // the first that others reach.
  virtual std::string url() const = 0;
  // Other machines reach it.
  virtual bool on_network() const = 0;
  // Of the certificate that it shows; empty: none.
  virtual std::string fingerprint() const = 0;
  // Where others reach it, the likeliest first; none: only this machine does.
  virtual std::vector<std::string> addresses() const = 0;
  // The page tells from now on that others get in there, as this machine alone reaches this one.
  // Safe from any thread.
  virtual void TellOf(const Gateway& other) = 0;
};

}  // namespace tilewarden::services
