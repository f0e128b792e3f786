// Which addresses are this machine's own, and which ones others can reach.
#pragma once

#include <string>
#include <vector>

namespace tilewarden::services {

// "192.168.1.5:8080", "[::1]:8080", "localhost:0": the part before the port,
// without brackets.
std::string HostOf(const std::string& listen);

// An IP address that only this machine reaches: 127.0.0.0/8 and ::1, also as
// IPv4 in IPv6. False for names and for what is not an address.
bool IsLoopbackAddress(const std::string& address);

// Where to listen: only this machine can connect there. True for loopback
// addresses, "localhost" and Unix sockets.
bool IsLoopbackListener(const std::string& listen);

// The address as attempts are counted: IPv4 as it is, of IPv6 the first 64 bits;
// at most 64 characters of what is no address.
std::string Household(const std::string& address);

// This machine's addresses in its networks, IPv4 first; without loopback and
// link-local ones. Asks the system, does not block.
std::vector<std::string> NetworkAddresses();
// Where others reach a service that listens there: of "0.0.0.0:50551" this
// machine's first address in its networks.
std::string ReachableAddress(const std::string& listen);

}  // namespace tilewarden::services
