// gRPC to an engine service behind its front (front.h): gRPC connects to a socket of this machine,
// and what it says there is carried through a connection that showed a token. Each new connection
// of gRPC is a new one to the front, so that gRPC finds a service again as it always does.
//
//   gRPC channel -- socket --> tunnel -- TLS, GET /tunnel --> front -- socket pair --> gRPC server
//
// Whoever is refused there hears why with each call. Thread safe, never blocks.
#pragma once

#include <memory>
#include <string>

#include "services/client/known_engines.h"

namespace tilewarden::services {

class Tunnel {
 public:
  Tunnel(std::string address, KnownEngine engine);
  ~Tunnel();  // takes no more connections; those that stand end with their channel

  // Where gRPC connects to; only this user's processes are let in.
  const std::string& target() const { return target_; }

 private:
  class Relay;
  std::string target_;
  std::shared_ptr<Relay> relay_;
};

}  // namespace tilewarden::services
