#include "services/boxes/enrolment_record.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "calibration/common/checksum.h"
#include "calibration/common/save_file.h"
#include "services/base/whole_file.h"

// As engine/tiles/tile_set_file.cc has it: one program, one kind of parser.
#define TOML_EXCEPTIONS 0
#define TOML_ASSERT(expression) static_cast<void>(0)
#include <toml++/toml.h>

namespace tilewarden::services {
namespace {

constexpr int kFormat = 1;
constexpr const char* kNoTile = "none";

absl::StatusOr<std::string> Bytes(const std::filesystem::path& file) {
  auto bytes = ReadFile(file);
  if (bytes) return *std::move(bytes);
  return absl::NotFoundError(absl::StrCat(file.string(), ": cannot be read"));
}

// A text as TOML has it, letters beyond ASCII as escapes: the parser's behaviour
// is undefined on most of them. Bytes that are no UTF-8 are left out.
std::string Quoted(const std::string& text) {
  std::string out = "\"";
  for (std::size_t i = 0; i < text.size();) {
    const auto first = static_cast<unsigned char>(text[i]);
    const std::size_t length = first < 0x80   ? 1
                               : first < 0xC0 ? 0
                               : first < 0xE0 ? 2
                               : first < 0xF0 ? 3
                                              : 4;
    if (length == 0 || i + length > text.size()) {
      ++i;
      continue;
    }
    if (first == '"' || first == '\\') out += '\\';
    if (length == 1 && first >= 0x20) {
      out += text[i];
    } else {
      std::uint32_t letter = length == 1 ? first : first & (0x7FU >> length);
      for (std::size_t k = 1; k < length; ++k) {
        letter = letter << 6 | (static_cast<unsigned char>(text[i + k]) & 0x3FU);
      }
      absl::StrAppendFormat(&out, "\\U%08X", letter);
    }
    i += length;
  }
  return out + "\"";
}

// Reads a parsed file; the first thing wrong is kept with its line.
class Reader {
 public:
  explicit Reader(const std::filesystem::path& file) : file_(file) {}

  absl::StatusOr<EnrolmentRecord> Read(const toml::table& root) {
    EnrolmentRecord record;
    if (root["format"].value<int>() != kFormat) {
      Refuse(root, absl::StrCat("format must be ", kFormat));
    }
    record.tile_set = Text(root, "set");
    for (const toml::table* look : Tables(root, "look")) record.looks.push_back(ReadLook(*look));
    if (record.looks.empty()) Refuse(root, "it has no [[look]]");
    if (!status_.ok()) return status_;
    return record;
  }
  void Refuse(const toml::node& where, const std::string& why) {
    Refuse(where.source().begin.line, why);
  }
  void Refuse(std::size_t line, const std::string& why) {
    if (!status_.ok()) return;
    status_ = absl::InvalidArgumentError(
        absl::StrCat(file_.string(), ":", line, ": ", why,
                     "; fix it, or run tilewarden enrol on the pictures again"));
  }
  const absl::Status& status() const { return status_; }

 private:
  EnrolmentRecord::Look ReadLook(const toml::table& table) {
    EnrolmentRecord::Look look{Text(table, "picture"), Text(table, "checksum"), {}};
    for (const toml::table* tile : Tables(table, "tiles")) look.tiles.push_back(ReadTile(*tile));
    return look;
  }
  EnrolmentRecord::Tile ReadTile(const toml::table& table) {
    EnrolmentRecord::Tile tile;
    tile.number = table["number"].value_or(0);
    tile.tile = Text(table, "tile");
    if (tile.tile == kNoTile) tile.tile.clear();
    if (table.contains("turns")) {
      tile.turns = table["turns"].value<int>();
      if (!tile.turns || *tile.turns < 0 || *tile.turns > 3) {
        Refuse(table, "turns are quarter turns clockwise, 0 to 3");
      }
    }
    tile.confirmed = table["confirmed"].value_or(false);
    const toml::array* corners = table["corners_px"].as_array();
    bool good = corners != nullptr && corners->size() == tile.corners_px.size();
    for (std::size_t i = 0; good && i < tile.corners_px.size(); ++i) {
      const toml::array* point = corners->get(i)->as_array();
      good = point != nullptr && point->size() == 2;
      if (!good) break;
      constexpr double kFarthest = 1e5;
      const double x = point->get(0)->value_or(1e9), y = point->get(1)->value_or(1e9);
      good = std::abs(x) < kFarthest && std::abs(y) < kFarthest;
      tile.corners_px[i] = {static_cast<float>(x), static_cast<float>(y)};
    }
    if (!good) Refuse(table, "corners_px must be four points [x, y]");
    return tile;
  }
  std::string Text(const toml::table& table, const char* key) {
    const auto text = table[key].value<std::string>();
    if (!text) Refuse(table, absl::StrCat(key, " is missing, or is not text"));
    return text.value_or("");
  }
  std::vector<const toml::table*> Tables(const toml::table& table, const char* key) {
    std::vector<const toml::table*> tables;
    const toml::array* list = table[key].as_array();
    if (list == nullptr) {
      Refuse(table, absl::StrCat(key, " is missing, or is not a list"));
      return tables;
    }
    for (const toml::node& node : *list) {
      if (node.as_table() == nullptr) {
        Refuse(node, absl::StrCat(key, " holds something else"));
        break;
      }
      tables.push_back(node.as_table());
    }
    return tables;
  }

  const std::filesystem::path& file_;
  absl::Status status_;
};

}  // namespace

absl::StatusOr<std::string> FileChecksum(const std::filesystem::path& file) {
  const auto bytes = Bytes(file);
  if (!bytes.ok()) return bytes.status();
  return absl::StrFormat("%016x", calibration::Checksum(*bytes));
}

absl::StatusOr<EnrolmentRecord> EnrolmentRecord::Load(const std::filesystem::path& file) {
  const auto text = Bytes(file);
  if (!text.ok()) return text.status();
  Reader reader(file);
  const auto bad =
      std::find_if(text->begin(), text->end(), [](unsigned char c) { return c >= 0x80 || c == 0; });
  if (bad != text->end()) {
    reader.Refuse(static_cast<std::size_t>(1 + std::count(text->begin(), bad, '\n')),
                  "only plain letters are allowed in this file");
    return reader.status();
  }
  const toml::parse_result parsed = toml::parse(*text);
  if (!parsed) {
    reader.Refuse(parsed.error().source().begin.line, std::string(parsed.error().description()));
    return reader.status();
  }
  return reader.Read(parsed.table());
}

absl::Status EnrolmentRecord::Save(const std::filesystem::path& file,
                                   const std::vector<std::string>& head) const {
  std::string out;
  for (const std::string& line : head) absl::StrAppend(&out, "# ", line, "\n");
  std::replace_if(
      out.begin(), out.end(), [](unsigned char c) { return c >= 0x80; }, '?');
  absl::StrAppend(&out, "format = ", kFormat, "\nset = ", Quoted(tile_set), "\n");
  for (const Look& look : looks) {
    absl::StrAppend(&out, "\n[[look]]\npicture = ", Quoted(look.picture),
                    "\nchecksum = ", Quoted(look.checksum), "\ntiles = [\n");
    for (const Tile& tile : look.tiles) {
      if (!tile.doubt.empty()) absl::StrAppend(&out, "  # ", tile.doubt, "\n");
      absl::StrAppendFormat(&out, "  { number = %d, tile = %s, ", tile.number,
                            Quoted(tile.tile.empty() ? kNoTile : tile.tile));
      if (tile.turns) absl::StrAppendFormat(&out, "turns = %d, ", *tile.turns);
      if (tile.confirmed) absl::StrAppend(&out, "confirmed = true, ");
      absl::StrAppend(&out, "corners_px = [");
      for (std::size_t i = 0; i < tile.corners_px.size(); ++i) {
        absl::StrAppendFormat(&out, "%s[%.2f, %.2f]", i == 0 ? "" : ", ",
                              double{tile.corners_px[i].x}, double{tile.corners_px[i].y});
      }
      absl::StrAppend(&out, "] },\n");
    }
    absl::StrAppend(&out, "]\n");
  }
  const absl::Status saved = calibration::SaveFile(file, out);
  if (saved.ok()) return saved;
  return absl::PermissionDeniedError(
      absl::StrCat(saved.message(), "; name a file in a folder that is writable"));
}

}  // namespace tilewarden::services
