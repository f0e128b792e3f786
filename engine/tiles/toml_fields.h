// Typed fields of a TOML file. The first thing wrong is kept with its line and with what
// is being read, and everything after it is ignored. Internal to the tile sets' files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "engine/tiles/grid.h"

#define TOML_EXCEPTIONS 0
// Its parser asserts on some malformed files, which it then reports as errors.
#define TOML_ASSERT(expression) static_cast<void>(0)
#include <toml++/toml.h>

namespace tilewarden::engine {

class TomlFields {
 protected:
  explicit TomlFields(std::filesystem::path path) : path_(std::move(path)) {}

  void Fail(const toml::node& node, std::string_view what);
  void AllowOnly(const toml::table& table, std::initializer_list<std::string_view> keys);
  std::vector<const toml::table*> Tables(const toml::table& table, std::string_view key);
  std::string String(const toml::table& table, std::string_view key, bool required);
  int Integer(const toml::table& table, std::string_view key, int fallback, int low, int high);
  bool Boolean(const toml::table& table, std::string_view key);
  // Bits of a list of numbers below `limit`.
  std::uint32_t Bits(const toml::node& node, std::string_view key, int limit);
  std::uint8_t Sides(const toml::node& node, std::string_view key);
  Point Spot(const toml::node& node);

  std::filesystem::path path_;
  std::string context_;  // what is being read, for messages; empty: nothing to name
  absl::Status status_;
};

}  // namespace tilewarden::engine
