#include "engine/tiles/toml_fields.h"

#include <optional>

#include "engine/tiles/text.h"

namespace tilewarden::engine {

void TomlFields::Fail(const toml::node& node, std::string_view what) {
  if (!status_.ok()) return;
  status_ = absl::InvalidArgumentError(Text(path_.string(), ":", node.source().begin.line, ": ",
                                            context_.empty() ? "" : Text(context_, ": "), what));
}

void TomlFields::AllowOnly(const toml::table& table, std::initializer_list<std::string_view> keys) {
  for (const auto& [key, value] : table) {
    bool known = false;
    for (const std::string_view allowed : keys) known |= key.str() == allowed;
    if (!known) Fail(value, Text("unknown key \"", key.str(), "\""));
  }
}

std::vector<const toml::table*> TomlFields::Tables(const toml::table& table, std::string_view key) {
  std::vector<const toml::table*> out;
  const toml::node* node = table.get(key);
  if (node == nullptr) return out;
  if (!node->is_array()) {
    Fail(*node, Text(key, " must be an array of tables"));
    return out;
  }
  for (const toml::node& entry : *node->as_array()) {
    if (entry.is_table()) {
      out.push_back(entry.as_table());
    } else {
      Fail(entry, Text(key, " must hold tables"));
    }
  }
  return out;
}

std::string TomlFields::String(const toml::table& table, std::string_view key, bool required) {
  const toml::node* node = table.get(key);
  if (node == nullptr) {
    if (required) Fail(table, Text("\"", key, "\" is missing"));
    return "";
  }
  const auto value = node->value_exact<std::string>();
  if (!value) Fail(*node, Text("\"", key, "\" must be a text"));
  return value.value_or("");
}

int TomlFields::Integer(const toml::table& table, std::string_view key, int fallback, int low,
                        int high) {
  const toml::node* node = table.get(key);
  if (node == nullptr) return fallback;
  const auto value = node->value_exact<std::int64_t>();
  if (!value || *value < low || *value > high) {
    Fail(*node, Text("\"", key, "\" must be a number from ", low, " to ", high));
    return fallback;
  }
  return static_cast<int>(*value);
}

bool TomlFields::Boolean(const toml::table& table, std::string_view key) {
  const toml::node* node = table.get(key);
  if (node == nullptr) return false;
  const auto value = node->value_exact<bool>();
  if (!value) Fail(*node, Text("\"", key, "\" must be true or false"));
  return value.value_or(false);
}

std::uint32_t TomlFields::Bits(const toml::node& node, std::string_view key, int limit) {
  std::uint32_t bits = 0;
  if (!node.is_array()) {
    Fail(node, Text("\"", key, "\" must be a list of numbers"));
    return bits;
  }
  for (const toml::node& entry : *node.as_array()) {
    const auto value = entry.value_exact<std::int64_t>();
    if (!value || *value < 0 || *value >= limit) {
      Fail(entry, Text("\"", key, "\" holds numbers from 0 to ", limit - 1));
      return bits;
    }
    if (bits >> *value & 1) Fail(entry, Text("\"", key, "\" names ", *value, " twice"));
    bits |= 1U << *value;
  }
  return bits;
}

std::uint8_t TomlFields::Sides(const toml::node& node, std::string_view key) {
  constexpr std::string_view kNames = "NESW";
  unsigned sides = 0;
  const auto text = node.value_exact<std::string>();
  if (!text || text->empty()) {
    Fail(node, Text("\"", key, "\" must name sides, as in \"NE\""));
    return 0;
  }
  for (const char letter : *text) {
    const auto side = kNames.find(letter);
    if (side == std::string_view::npos || (sides >> side & 1)) {
      Fail(node, Text("\"", key, "\" must name sides N, E, S, W, each once"));
      return 0;
    }
    sides |= 1U << side;
  }
  return static_cast<std::uint8_t>(sides);
}

Point TomlFields::Spot(const toml::node& node) {
  const toml::array* pair = node.as_array();
  Point spot;
  for (std::size_t i = 0; i < 2; ++i) {
    const auto value =
        pair && pair->size() == 2 ? (*pair)[i].value<double>() : std::optional<double>();
    if (!value || !(*value >= 0 && *value <= 1)) {
      Fail(node, "\"spot\" must be two numbers from 0 to 1, as in [0.5, 0.25]");
      return {};
    }
    (i == 0 ? spot.x : spot.y) = *value;
  }
  return spot;
}

}  // namespace tilewarden::engine
