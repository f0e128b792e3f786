#include "services/access/addresses.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

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
  if (addresses.empty()) return listen;
  const bool v6 = addresses.front().find(':') != std::string::npos;
  return absl::StrCat(v6 ? "[" : "", addresses.front(), v6 ? "]" : "",
                      listen.substr(listen.rfind(':')));
}

}  // namespace tilewarden::services
