#include "services/access/addresses.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <memory>
#include <sstream>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace tilewarden::services {
namespace {

// IPv4 of an address in either family that is one.
bool AsV4(const std::string& address, in_addr* v4) {
  if (inet_pton(AF_INET, address.c_str(), v4) == 1) return true;
  in6_addr v6{};
  if (inet_pton(AF_INET6, address.c_str(), &v6) != 1 || !IN6_IS_ADDR_V4MAPPED(&v6)) return false;
  std::memcpy(v4, v6.s6_addr + 12, sizeof *v4);
  return true;
}

std::string Text(int family, const void* address) {
  char text[INET6_ADDRSTRLEN] = "";
  return inet_ntop(family, address, text, sizeof text) == nullptr ? "" : text;
}

}  // namespace

std::string HostOf(const std::string& listen) {
  std::string host = listen.substr(0, listen.rfind(':'));
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
    host = host.substr(1, host.size() - 2);
  }
  return host;
}

bool IsLoopbackAddress(const std::string& address) {
  in_addr v4{};
  if (AsV4(address, &v4)) return ntohl(v4.s_addr) >> 24 == 127;
  in6_addr v6{};
  return inet_pton(AF_INET6, address.c_str(), &v6) == 1 && IN6_IS_ADDR_LOOPBACK(&v6);
}

bool IsPersonsPort(const std::string& address, std::uint16_t port, std::uint16_t listening) {
  // Accounts of people, as Debian numbers them, and those that systemd makes for a service while it
  // runs, as it does for ours.
  constexpr unsigned kFirst = 1000, kLast = 59'999, kFirstDynamic = 61'184, kLastDynamic = 65'519;
  in_addr v4{};
  in6_addr v6{};
  if (AsV4(address, &v4)) {
    v6.s6_addr[10] = v6.s6_addr[11] = 0xff;
    std::memcpy(v6.s6_addr + 12, &v4, sizeof v4);
  } else if (inet_pton(AF_INET6, address.c_str(), &v6) != 1) {
    return false;
  }
  std::array<std::uint32_t, 4> words{};
  std::memcpy(words.data(), &v6, sizeof v6);
  // As the kernel lists connections, "sl local:port remote:port st tx:rx tr:when retr uid ...": a
  // program may reach an address of IPv4 with either family.
  const std::string end = absl::StrFormat(":%04X", port);
  const std::string as_v4 = absl::StrFormat("%08X", words[3]) + end;
  const std::string as_v6 =
      absl::StrFormat("%08X%08X%08X%08X", words[0], words[1], words[2], words[3]) + end;
  for (const char* list : {"/proc/net/tcp", "/proc/net/tcp6"}) {
    std::ifstream file(list);
    std::string line, slot, local, remote, skipped;
    while (std::getline(file, line)) {
      // A busy machine lists thousands: only those of this port are read.
      if (!absl::StrContains(line, end)) continue;
      std::istringstream fields(line);
      unsigned uid = 0;
      fields >> slot >> local >> remote;
      if ((local != as_v4 && local != as_v6) ||
          !absl::EndsWith(remote, absl::StrFormat(":%04X", listening)) ||
          !(fields >> skipped >> skipped >> skipped >> skipped >> uid)) {
        continue;
      }
      return uid == geteuid() || (uid >= kFirst && uid <= kLast) ||
             (uid >= kFirstDynamic && uid <= kLastDynamic);
    }
  }
  return false;
}

bool IsLoopbackListener(const std::string& listen) {
  if (listen.empty() || absl::StartsWith(listen, "unix:")) return true;
  const std::string host = HostOf(listen);
  return host == "localhost" || IsLoopbackAddress(host);
}

std::string Household(const std::string& address) {
  in_addr v4{};
  if (AsV4(address, &v4)) return Text(AF_INET, &v4);
  in6_addr v6{};
  if (inet_pton(AF_INET6, address.c_str(), &v6) != 1) return address.substr(0, 64);
  if (IN6_IS_ADDR_LOOPBACK(&v6)) return address;
  std::memset(v6.s6_addr + 8, 0, 8);
  return absl::StrCat(Text(AF_INET6, &v6), "/64");
}

std::string ManyHouseholds(const std::string& household) {
  in6_addr v6{};
  const std::string address = household.substr(0, household.find('/'));
  if (address == household || inet_pton(AF_INET6, address.c_str(), &v6) != 1) return "";
  std::memset(v6.s6_addr + 6, 0, 10);
  return absl::StrCat(Text(AF_INET6, &v6), "/48");
}

std::vector<std::string> NetworkAddresses() {
  ifaddrs* first = nullptr;
  if (getifaddrs(&first) != 0) return {};
  const std::unique_ptr<ifaddrs, decltype(&freeifaddrs)> owner(first, freeifaddrs);
  std::vector<std::string> v4, v6;
  for (const ifaddrs* at = first; at != nullptr; at = at->ifa_next) {
    if (at->ifa_addr == nullptr || (at->ifa_flags & IFF_UP) == 0 ||
        (at->ifa_flags & IFF_LOOPBACK) != 0) {
      continue;
    }
    if (at->ifa_addr->sa_family == AF_INET) {
      v4.push_back(Text(AF_INET, &reinterpret_cast<const sockaddr_in*>(at->ifa_addr)->sin_addr));
    } else if (at->ifa_addr->sa_family == AF_INET6) {
      const auto& address = reinterpret_cast<const sockaddr_in6*>(at->ifa_addr)->sin6_addr;
      if (!IN6_IS_ADDR_LINKLOCAL(&address)) v6.push_back(Text(AF_INET6, &address));
    }
  }
  v4.insert(v4.end(), v6.begin(), v6.end());
  return v4;
}

std::string ReachableAddress(const std::string& listen) {
  const std::string host = HostOf(listen);
  if (host != "0.0.0.0" && host != "::") return listen;
  const auto addresses = NetworkAddresses();
  if (addresses.empty()) return "";
  const bool v6 = addresses.front().find(':') != std::string::npos;
  return absl::StrCat(v6 ? "[" : "", addresses.front(), v6 ? "]" : "",
                      listen.substr(listen.rfind(':')));
}

}  // namespace tilewarden::services
