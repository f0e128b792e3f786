#include "calibration/box/reference_pack.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <limits>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "calibration/common/checksum.h"
#include "calibration/common/save_file.h"
#include "opencv2/imgcodecs.hpp"

namespace tilewarden::calibration {
namespace {

// File: magic, checksum of all that follows it, then length-prefixed fields:
// tile set, title, licence, number of pictures, and for each its code and PNG.
// Version 2 continues with the network's checksum, the number of descriptors, and for
// each its code and values (32-bit floats). Numbers are little-endian.
constexpr std::string_view kMagic = "TILEWARDEN PACK 1\n", kMagic2 = "TILEWARDEN PACK 2\n";
constexpr std::size_t kChecksumBytes = 8;
constexpr std::uintmax_t kLargestFile_bytes = 64U << 20;

void PutNumber(std::string& out, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out.push_back(static_cast<char>(value >> (8 * i) & 0xFF));
}

void PutField(std::string& out, std::string_view field) {
  PutNumber(out, field.size(), 4);
  out.append(field);
}

// As its header says.
bool IsPngOf(std::string_view png, int side_px) {
  if (png.size() < 24 || png.substr(1, 3) != "PNG") return false;
  const auto number = [&png](std::size_t at) {
    std::uint64_t value = 0;
    for (std::size_t i = at; i < at + 4; ++i) {
      value = value << 8 | static_cast<std::uint8_t>(png[i]);
    }
    return value;
  };
  const auto side = static_cast<std::uint64_t>(side_px);
  return number(16) == side && number(20) == side;
}

class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}

  std::optional<std::uint64_t> Number(std::size_t bytes) {
    if (rest_.size() < bytes) return std::nullopt;
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bytes; ++i) {
      value |= static_cast<std::uint64_t>(static_cast<std::uint8_t>(rest_[i])) << (8 * i);
    }
    rest_.remove_prefix(bytes);
    return value;
  }
  std::optional<std::string_view> Field() {
    const std::optional<std::uint64_t> size = Number(4);
    if (!size || *size > rest_.size()) return std::nullopt;
    const std::string_view field = rest_.substr(0, static_cast<std::size_t>(*size));
    rest_.remove_prefix(field.size());
    return field;
  }
  bool AtEnd() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

bool ReadDescriptors(Reader& reader, ReferencePack& pack) {
  const auto network = reader.Field();
  const auto count = reader.Number(4);
  if (!network || !count) return false;
  pack.descriptor_network = *network;
  for (std::uint64_t i = 0; i < *count; ++i) {
    const auto tile = reader.Field(), bytes = reader.Field();
    if (!tile || tile->empty() || !bytes || bytes->empty() || bytes->size() % 4 != 0) return false;
    ReferenceDescriptor descriptor{std::string(*tile), {}};
    Reader values(*bytes);
    while (!values.AtEnd()) {
      const float value = std::bit_cast<float>(static_cast<std::uint32_t>(*values.Number(4)));
      if (!(std::abs(value) <= 1.001F)) return false;
      descriptor.values.push_back(value);
    }
    pack.descriptors.push_back(std::move(descriptor));
  }
  return true;
}

void PutDescriptors(std::string& out, const ReferencePack& pack) {
  PutField(out, pack.descriptor_network);
  PutNumber(out, pack.descriptors.size(), 4);
  for (const ReferenceDescriptor& descriptor : pack.descriptors) {
    PutField(out, descriptor.tile);
    std::string values;
    for (const float value : descriptor.values) {
      PutNumber(values, std::bit_cast<std::uint32_t>(value), 4);
    }
    PutField(out, values);
  }
}

absl::Status Damaged(const std::filesystem::path& path, const char* how) {
  return absl::DataLossError(absl::StrCat(path.string(), ": this pack of tile pictures is ", how,
                                          "; enrol the tiles again"));
}

}  // namespace

absl::StatusOr<ReferencePack> ReferencePack::Load(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) {
    return absl::NotFoundError(absl::StrCat(
        path.string(), ": no such pack of tile pictures; make one with tilewarden enrol"));
  }
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error || size > kLargestFile_bytes) return Damaged(path, "far too large");
  std::string bytes(static_cast<std::size_t>(size), '\0');
  std::ifstream file(path, std::ios::binary);
  if (!file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()))) {
    return absl::NotFoundError(absl::StrCat(path.string(), ": cannot be read"));
  }
  std::string_view rest = bytes;
  const bool described = rest.starts_with(kMagic2);
  if (!described && !rest.starts_with(kMagic))
    return Damaged(path, "not a pack, or of another version");
  rest.remove_prefix(kMagic.size());
  const std::optional<std::uint64_t> checksum = Reader(rest).Number(kChecksumBytes);
  if (!checksum) return Damaged(path, "torn");
  rest.remove_prefix(kChecksumBytes);
  if (Checksum(rest) != *checksum) return Damaged(path, "torn or altered");

  Reader reader(rest);
  ReferencePack pack;
  const auto tile_set = reader.Field(), title = reader.Field(), licence = reader.Field();
  const auto count = reader.Number(4);
  if (!tile_set || !title || !licence || !count) return Damaged(path, "torn");
  pack.tile_set = *tile_set;
  pack.title = *title;
  pack.licence = *licence;
  for (std::uint64_t i = 0; i < *count; ++i) {
    const auto tile = reader.Field(), png = reader.Field();
    if (!tile || !png) return Damaged(path, "torn");
    // Looked at before it is decoded: one of 20,000 pixels a side would take a gigabyte.
    if (!IsPngOf(*png, kSide_px)) return Damaged(path, "altered: a picture is damaged");
    cv::Mat picture;
    try {
      const cv::Mat raw(1, static_cast<int>(png->size()), CV_8U,
                        const_cast<char*>(png->data()));  // cv::Mat has no read-only form
      picture = cv::imdecode(raw, cv::IMREAD_COLOR);
    } catch (const cv::Exception&) {
      picture.release();
    }
    if (tile->empty() || picture.rows != kSide_px || picture.cols != kSide_px) {
      return Damaged(path, "altered: a picture is damaged");
    }
    pack.pictures.push_back({std::string(*tile), std::move(picture)});
  }
  if (described && !ReadDescriptors(reader, pack)) return Damaged(path, "torn");
  if (!reader.AtEnd() || (pack.pictures.empty() && pack.descriptors.empty())) {
    return Damaged(path, "altered");
  }
  return pack;
}

absl::Status ReferencePack::Save(const std::filesystem::path& path) const {
  std::string body;
  PutField(body, tile_set);
  PutField(body, title);
  PutField(body, licence);
  PutNumber(body, pictures.size(), 4);
  for (const ReferencePicture& reference : pictures) {
    const cv::Mat& picture = reference.picture;
    if (reference.tile.empty() || picture.type() != CV_8UC3 || picture.rows != kSide_px ||
        picture.cols != kSide_px) {
      return absl::InvalidArgumentError(absl::StrCat("the picture of tile '", reference.tile,
                                                     "' is not ", kSide_px, " x ", kSide_px,
                                                     " 8-bit BGR"));
    }
    std::vector<std::uint8_t> png;
    cv::imencode(".png", picture, png);
    PutField(body, reference.tile);
    PutField(body, {reinterpret_cast<const char*>(png.data()), png.size()});
  }
  if (pictures.empty() && descriptors.empty()) {
    return absl::InvalidArgumentError("a pack needs pictures or descriptors");
  }
  if (!descriptors.empty()) PutDescriptors(body, *this);
  std::string head(descriptors.empty() ? kMagic : kMagic2);
  PutNumber(head, Checksum(body), kChecksumBytes);

  return SaveFile(path, head + body);
}

}  // namespace tilewarden::calibration
