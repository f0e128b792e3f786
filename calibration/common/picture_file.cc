#include "calibration/common/picture_file.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "opencv2/imgcodecs.hpp"

namespace tilewarden::calibration {
namespace {

// Bounds the memory that a hostile file can ask for; far more than a photograph has.
constexpr std::uintmax_t kLargestFile_bytes = 256U << 20;

using Bytes = std::vector<std::uint8_t>;
using Size = std::pair<std::uint64_t, std::uint64_t>;

bool StartsWith(const Bytes& bytes, std::string_view magic) {
  return bytes.size() >= magic.size() &&
         std::equal(magic.begin(), magic.end(), bytes.begin(),
                    [](char a, std::uint8_t b) { return static_cast<std::uint8_t>(a) == b; });
}

std::uint64_t BigEndian(const Bytes& bytes, std::size_t at, int count) {
  std::uint64_t value = 0;
  for (int i = 0; i < count; ++i) value = value << 8 | bytes[at + static_cast<std::size_t>(i)];
  return value;
}

// Where a JPEG's first segment of some kind begins, of those before its picture's data.
template <typename Kind>
std::optional<std::size_t> JpegSegment(const Bytes& bytes, const Kind& is) {
  std::size_t at = 2;
  while (at + 9 < bytes.size()) {
    if (bytes[at] != 0xFF) return std::nullopt;
    const std::uint8_t marker = bytes[at + 1];
    if (marker == 0xFF) {
      ++at;
      continue;
    }
    if (is(marker)) return at;
    at += 2 + static_cast<std::size_t>(BigEndian(bytes, at + 2, 2));
  }
  return std::nullopt;
}

// The size that a JPEG's frame header announces.
std::optional<Size> JpegSize(const Bytes& bytes) {
  const auto at = JpegSegment(bytes, [](std::uint8_t marker) {
    return marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
  });
  if (!at) return std::nullopt;
  return Size{BigEndian(bytes, *at + 7, 2), BigEndian(bytes, *at + 5, 2)};
}

std::uint64_t Number(const Bytes& bytes, std::size_t at, int count, bool big) {
  if (at + static_cast<std::size_t>(count) > bytes.size()) return 0;
  if (big) return BigEndian(bytes, at, count);
  std::uint64_t value = 0;
  for (int i = count; i-- > 0;) value = value << 8 | bytes[at + static_cast<std::size_t>(i)];
  return value;
}

// The size that a TIFF's first directory announces.
std::optional<Size> TiffSize(const Bytes& bytes) {
  const bool big = bytes[0] == 'M';
  const std::size_t directory = Number(bytes, 4, 4, big);
  Size size{0, 0};
  for (std::uint64_t i = 0; i < Number(bytes, directory, 2, big); ++i) {
    const std::size_t entry = directory + 2 + 12 * static_cast<std::size_t>(i);
    // 3: a number of two bytes, else of four.
    const int bytes_of = Number(bytes, entry + 2, 2, big) == 3 ? 2 : 4;
    const std::uint64_t value = Number(bytes, entry + 8, bytes_of, big);
    if (Number(bytes, entry, 2, big) == 256) size.first = value;
    if (Number(bytes, entry, 2, big) == 257) size.second = value;
  }
  if (size.first == 0 || size.second == 0) return std::nullopt;
  return size;
}

// "P6 4000 3000 255": of a PPM or PGM, comments aside.
std::optional<Size> PnmSize(const Bytes& bytes) {
  std::istringstream words(std::string(
      bytes.begin() + 2,
      bytes.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(bytes.size(), 512))));
  Size size{0, 0};
  while (words >> std::ws && words.peek() == '#') words.ignore(512, '\n');
  if (!(words >> size.first >> size.second)) return std::nullopt;
  return size;
}

// Of what is no JPEG: it is known before anything is decoded.
std::optional<Size> AnnouncedSize(const Bytes& bytes) {
  if (StartsWith(bytes, "II") || StartsWith(bytes, "MM")) return TiffSize(bytes);
  if (StartsWith(bytes, "P5") || StartsWith(bytes, "P6")) return PnmSize(bytes);
  if (StartsWith(bytes, "BM")) {
    const auto height = static_cast<std::int32_t>(Number(bytes, 22, 4, false));
    return Size{Number(bytes, 18, 4, false),
                static_cast<std::uint64_t>(std::abs(std::int64_t{height}))};
  }
  // WebP: no picture of it is larger than 16,383 pixels a side.
  if (StartsWith(bytes, "RIFF") && Number(bytes, 12, 4, false) == 0x58385056) {  // "VP8X"
    return Size{Number(bytes, 24, 3, false) + 1, Number(bytes, 27, 3, false) + 1};
  }
  if (StartsWith(bytes, "RIFF") && Number(bytes, 12, 4, false) == 0x20385056) {  // "VP8 "
    return Size{Number(bytes, 26, 2, false) & 0x3fff, Number(bytes, 28, 2, false) & 0x3fff};
  }
  if (StartsWith(bytes, "RIFF") && Number(bytes, 12, 4, false) == 0x4c385056) {  // "VP8L"
    const std::uint64_t bits = Number(bytes, 21, 4, false);
    return Size{(bits & 0x3fff) + 1, (bits >> 14 & 0x3fff) + 1};
  }
  return std::nullopt;
}

// A decoder fills what is missing of a torn file with grey and says nothing.
bool EndsWith(const Bytes& bytes, std::string_view mark, std::size_t from = 0) {
  const std::size_t tail = std::min<std::size_t>(bytes.size() - from, 65536);
  return std::search(bytes.end() - static_cast<std::ptrdiff_t>(tail), bytes.end(), mark.begin(),
                     mark.end(), [](std::uint8_t a, char b) {
                       return a == static_cast<std::uint8_t>(b);
                     }) != bytes.end();
}

// The small picture that cameras put before the picture itself has an end of its own.
bool IsWholeJpeg(const Bytes& bytes) {
  const auto data = JpegSegment(bytes, [](std::uint8_t marker) { return marker == 0xDA; });
  return data && EndsWith(bytes, "\xFF\xD9", *data);
}

// Empty: it cannot be.
cv::Mat Decoded(const Bytes& bytes) {
  try {
    return cv::imdecode(bytes, cv::IMREAD_COLOR);
  } catch (const cv::Exception&) {
    return {};
  }
}

absl::Status Refuse(const std::filesystem::path& path, const std::string& why) {
  return absl::InvalidArgumentError(absl::StrCat(path.string(), ": ", why));
}

}  // namespace

absl::StatusOr<cv::Mat> LoadPicture(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) {
    return absl::NotFoundError(absl::StrCat(path.string(), ": no such picture"));
  }
  if (!std::filesystem::is_regular_file(path, error)) return Refuse(path, "not a file");
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error) return Refuse(path, "cannot be read");
  if (size == 0) return Refuse(path, "an empty file, not a picture");
  if (size > kLargestFile_bytes) return Refuse(path, "larger than 256 MB; make it smaller first");
  Bytes bytes(static_cast<std::size_t>(size));
  std::ifstream file(path, std::ios::binary);
  if (!file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size))) {
    return Refuse(path, "cannot be read");
  }

  std::optional<Size> announced;
  const std::string kTorn = "torn: the end of the picture is missing; copy the file again";
  if (StartsWith(bytes, "\xFF\xD8")) {
    announced = JpegSize(bytes);
    if (!announced || !IsWholeJpeg(bytes)) return Refuse(path, kTorn);
  } else if (StartsWith(bytes, "\x89PNG")) {
    if (bytes.size() < 24 || !EndsWith(bytes, "IEND")) return Refuse(path, kTorn);
    announced = Size{BigEndian(bytes, 16, 4), BigEndian(bytes, 20, 4)};
  } else if (!StartsWith(bytes, "BM") && !StartsWith(bytes, "RIFF") && !StartsWith(bytes, "II") &&
             !StartsWith(bytes, "MM") && !StartsWith(bytes, "P5") && !StartsWith(bytes, "P6")) {
    return Refuse(path, "not a picture that can be read here (JPEG, PNG, WebP, TIFF or BMP)");
  } else {
    announced = AnnouncedSize(bytes);
    if (!announced) return Refuse(path, "it does not say how large it is; it may be damaged");
  }
  const auto too_large = [](double pixels) { return pixels > kLargestPicture_megapixels * 1e6; };
  if (announced &&
      too_large(static_cast<double>(announced->first) * static_cast<double>(announced->second))) {
    return Refuse(path, absl::StrCat(announced->first, " x ", announced->second,
                                     " pixels are too many; scale it to below ",
                                     kLargestPicture_megapixels, " megapixels"));
  }
  const cv::Mat picture = Decoded(bytes);
  if (picture.empty()) return Refuse(path, "cannot be decoded; it may be damaged");
  if (too_large(static_cast<double>(picture.total()))) return Refuse(path, "too many pixels");
  return picture;
}

absl::StatusOr<cv::Mat> DecodeJpeg(std::string_view jpeg, double most_megapixels) {
  const Bytes bytes(jpeg.begin(), jpeg.end());
  const std::optional<Size> size = StartsWith(bytes, "\xFF\xD8") ? JpegSize(bytes) : std::nullopt;
  if (!size || !IsWholeJpeg(bytes)) return absl::InvalidArgumentError("not a whole JPEG picture");
  if (static_cast<double>(size->first) * static_cast<double>(size->second) >
      most_megapixels * 1e6) {
    return absl::InvalidArgumentError(
        absl::StrCat(size->first, " x ", size->second, " pixels are too many"));
  }
  const cv::Mat picture = Decoded(bytes);
  if (picture.empty()) return absl::InvalidArgumentError("the picture cannot be decoded");
  return picture;
}

}  // namespace tilewarden::calibration
