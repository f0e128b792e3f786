// Which addresses are this machine's own, and which ones others can reach.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tilewarden::services {

// "192.168.1.5:8080", "[::1]:8080", "localhost:0": the part before the port,
// without brackets.
std::string HostOf(const std::string& listen);

// An IP address that only this machine reaches: 127.0.0.0/8 and ::1, also as
// IPv4 in IPv6. False for names and for what is not an address.
bool IsLoopbackAddress(const std::string& address);

// Whoever holds the other end of a connection from this machine is one of its people, whoever runs
// this process, or one of our services: not a proxy or another service, which have accounts of
// their own and may call for strangers. `address` and `port` are of that end, `listening` is the
// port here. Asks the system, does not block.
bool IsPersonsPort(const std::string& address, std::uint16_t port, std::uint16_t listening);

// Where to listen: only this machine can connect there. True for loopback
// addresses, "localhost" and Unix sockets.
bool IsLoopbackListener(const std::string& listen);

// The address as attempts are counted: IPv4 as it is, of IPv6 the first 64 bits;
// at most 64 characters of what is no address.
std::string Household(const std::string& address);

// Of a household in IPv6 the network that a provider gives away at most, its first 48 bits: who has
// it has 65,536 households. Empty for any other.
std::string ManyHouseholds(const std::string& household);

// This machine's addresses in its networks, IPv4 first; without loopback and
// link-local ones. Asks the system, does not block.
std::vector<std::string> NetworkAddresses();
// Where others reach a service that listens there: of "0.0.0.0:50551" this
// machine's first address in its networks. Empty: it has none.
std::string ReachableAddress(const std::string& listen);

}  // namespace tilewarden::services
