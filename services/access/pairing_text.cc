#include "services/access/pairing_text.h"

#include <qrencode.h>

#include <ctime>
#include <memory>

#include "absl/strings/str_cat.h"
#include "services/access/rules.h"
#include "services/base/secrets.h"

namespace tilewarden::services {
namespace {

constexpr int kQuiet = 4;  // modules around a QR code

std::string Clock(std::int64_t ms) {
  const std::time_t seconds = static_cast<std::time_t>(ms / 1000);
  std::tm local{};
  char text[16] = "";
  if (localtime_r(&seconds, &local) != nullptr) std::strftime(text, sizeof text, "%H:%M", &local);
  return text;
}

}  // namespace

std::string PairingAddress(const Pairing& pairing) {
  return absl::StrCat(pairing.page, "#/pair/", PlainCode(pairing.code));
}

std::vector<std::string> DrawQrCode(const std::string& text) {
  const std::unique_ptr<QRcode, decltype(&QRcode_free)> code(
      QRcode_encodeString8bit(text.c_str(), 0, QR_ECLEVEL_L), &QRcode_free);
  std::vector<std::string> lines;
  if (code == nullptr) return lines;
  const auto dark = [&](int x, int y) {
    return x >= 0 && y >= 0 && x < code->width && y < code->width &&
           (code->data[y * code->width + x] & 1) != 0;
  };
  for (int y = -kQuiet; y < code->width + kQuiet; y += 2) {
    std::string line = "\x1b[30;47m";
    for (int x = -kQuiet; x < code->width + kQuiet; ++x) {
      const bool upper = dark(x, y), lower = dark(x, y + 1);
      line += upper ? (lower ? "\u2588" : "\u2580") : (lower ? "\u2584" : " ");
    }
    lines.push_back(line + "\x1b[0m");
  }
  return lines;
}

std::string PairingText(const Pairing& pairing) {
  std::string out;
  const std::string who = NameOf(pairing.role);
  if (!pairing.page.empty()) {
    for (const std::string& line : DrawQrCode(PairingAddress(pairing))) {
      absl::StrAppend(&out, line, "\n");
    }
    absl::StrAppend(&out, "\nTo let a device in as ", who, ", scan this, or open ", pairing.page,
                    " there and enter\n\n    ", pairing.code, "\n");
  } else {
    absl::StrAppend(&out, "\nTo let a ", who, " in, run there\n\n    tilewarden access join ",
                    pairing.engine.empty() ? "ADDRESS:PORT" : pairing.engine, " --code ",
                    pairing.code, "\n");
  }
  absl::StrAppend(&out, "\nThe code is good once, until ", Clock(pairing.expires_ms), ".");
  if (!pairing.fingerprint.empty()) {
    absl::StrAppend(
        &out, " The browser there will warn of the certificate, as this computer made it itself.\n",
        "Choose \"Advanced\" and go on, if the certificate that it shows is\n\n    ",
        pairing.fingerprint, "\n");
  }
  return out + "\n";
}

std::string PairingLine(const Pairing& pairing) {
  return absl::StrCat("Code for a ", NameOf(pairing.role), ", good once until ",
                      Clock(pairing.expires_ms), ": ", pairing.code);
}

}  // namespace tilewarden::services
