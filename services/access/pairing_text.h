// What the engine's screen says to let a device in. Pure functions but for the
// local time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tilewarden/v1/access.pb.h"

namespace tilewarden::services {

struct Pairing {
  v1::Role role = v1::ROLE_UNSPECIFIED;
  std::string code = {};  // "K7QF-9M2X"
  std::int64_t expires_ms = 0;
  // The page, "https://192.168.1.5:8080/"; empty: the code is for a camera or a
  // program, which join the engine service.
  std::string page = {};
  // Where cameras join, "192.168.1.5:50551"; empty: unknown.
  std::string engine = {};
  // Of the certificate that the device will be shown; empty: plain text.
  std::string fingerprint = {};
};

// The page's address with the code behind the #, which no server is sent.
std::string PairingAddress(const Pairing& pairing);

// A QR code in half blocks, dark on light with its quiet zone, for terminals with
// colours; lines without their ends. Empty: the text is too long.
std::vector<std::string> DrawQrCode(const std::string& text);

// Everything, with the QR code where there is a page.
std::string PairingText(const Pairing& pairing);
// In one line.
std::string PairingLine(const Pairing& pairing);

}  // namespace tilewarden::services
