#include "services/gateway/static_files.h"

#include <algorithm>
#include <array>
#include <system_error>
#include <utility>

namespace tilewarden::services {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 13> kTypes = {{
    {".html", "text/html; charset=utf-8"},
    {".js", "text/javascript; charset=utf-8"},
    {".css", "text/css; charset=utf-8"},
    {".svg", "image/svg+xml"},
    {".png", "image/png"},
    {".jpg", "image/jpeg"},
    {".webp", "image/webp"},
    {".ico", "image/x-icon"},
    {".json", "application/json"},
    {".webmanifest", "application/manifest+json"},
    {".woff2", "font/woff2"},
    {".txt", "text/plain; charset=utf-8"},
    {".wasm", "application/wasm"},
}};

// The path of a target with percent signs resolved; nothing when malformed.
std::optional<std::string> DecodedPath(std::string_view target) {
  target = target.substr(0, target.find_first_of("?#"));
  if (target.empty() || target.front() != '/') return std::nullopt;
  const auto hex = [](char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
  };
  std::string path;
  for (std::size_t i = 0; i < target.size(); ++i) {
    char c = target[i];
    if (c == '%') {
      if (i + 2 >= target.size()) return std::nullopt;
      const int high = hex(target[i + 1]), low = hex(target[i + 2]);
      if (high < 0 || low < 0) return std::nullopt;
      c = static_cast<char>(high * 16 + low);
      i += 2;
    }
    if (static_cast<unsigned char>(c) < 0x20 || c == '\\') return std::nullopt;
    path += c;
  }
  return path;
}

}  // namespace

std::optional<StaticFile> FindStaticFile(const std::filesystem::path& folder,
                                         std::string_view target) {
  if (folder.empty()) return std::nullopt;
  auto path = DecodedPath(target);
  if (!path) return std::nullopt;
  if (path->back() == '/') *path += "index.html";
  std::error_code error;
  const auto root = std::filesystem::canonical(folder, error);
  if (error) return std::nullopt;
  const auto file = std::filesystem::canonical(root / path->substr(1), error);
  if (error || !std::filesystem::is_regular_file(file, error)) return std::nullopt;
  const auto [inside, rest] = std::mismatch(root.begin(), root.end(), file.begin(), file.end());
  if (inside != root.end()) return std::nullopt;
  const auto type = std::find_if(kTypes.begin(), kTypes.end(), [&](const auto& entry) {
    return entry.first == file.extension().string();
  });
  StaticFile found;
  found.path = file;
  found.content_type =
      type == kTypes.end() ? "application/octet-stream" : std::string(type->second);
  found.immutable = rest != file.end() && *rest == "assets";
  return found;
}

}  // namespace tilewarden::services
