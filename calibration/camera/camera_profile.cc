#include "calibration/camera/camera_profile.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <optional>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "calibration/common/save_file.h"

#define TOML_EXCEPTIONS 0
// Its parser asserts on some malformed files, which it then reports as errors.
#define TOML_ASSERT(expression) static_cast<void>(0)
#include <toml++/toml.h>

namespace tilewarden::calibration {
namespace {

// Reads values of a parsed file; the first thing wrong is kept with its line.
class ProfileReader {
 public:
  ProfileReader(const std::filesystem::path& file, const toml::table& root)
      : file_(file), root_(root) {}

  // The number at "table.key". A value that is missing or out of range is an error.
  double Number(const char* path, double low, double high) {
    const auto node = root_.at_path(path);
    return Checked(path, node.node(), node.value<double>(), low, high);
  }
  template <typename Numbers>
  void List(const char* path, double most, Numbers* numbers) {
    const toml::array* list = root_.at_path(path).as_array();
    if (list == nullptr || list->size() != std::size(*numbers)) {
      Refuse(root_.at_path(path).node(),
             absl::StrCat(path, " must be a list of ", std::size(*numbers), " numbers"));
      return;
    }
    for (std::size_t i = 0; i < list->size(); ++i) {
      (*numbers)[i] = Checked(path, list->get(i), list->get(i)->value<double>(), -most, most);
    }
  }
  void Refuse(const toml::node* where, const std::string& why) {
    if (!status_.ok()) return;
    const auto line = where == nullptr ? 0 : where->source().begin.line;
    status_ = absl::InvalidArgumentError(
        absl::StrCat(file_.string(), line > 0 ? absl::StrCat(":", line) : "", ": ", why,
                     "; fix it, or make a new one with tilewarden calibrate"));
  }
  const absl::Status& status() const { return status_; }

 private:
  double Checked(const char* path, const toml::node* node, std::optional<double> value, double low,
                 double high) {
    if (!value || !(*value >= low && *value <= high)) {
      Refuse(node, absl::StrCat(path, value ? " is " : " is missing, or is not a number",
                                value ? absl::StrCat(*value) : "", ", not ", low, " to ", high));
      return low;
    }
    return *value;
  }

  const std::filesystem::path& file_;
  const toml::table& root_;
  absl::Status status_;
};

absl::StatusOr<std::string> ReadText(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) {
    return absl::NotFoundError(absl::StrCat("there is no profile ", file.string(),
                                            ": make one with tilewarden calibrate"));
  }
  std::string text((std::istreambuf_iterator<char>(in)), {});
  // No profile needs other letters, and the parser's behaviour is undefined on
  // most of them.
  const auto bad =
      std::find_if(text.begin(), text.end(), [](unsigned char c) { return c >= 0x80 || c == 0; });
  if (bad != text.end()) {
    return absl::InvalidArgumentError(absl::StrCat(
        file.string(), ":", 1 + std::count(text.begin(), bad, '\n'),
        ": it holds characters that no profile has: did tilewarden calibrate write it?"));
  }
  return text;
}

}  // namespace

CameraProfile CameraProfile::Of(const LensFit& fit) {
  CameraProfile profile;
  profile.lens = fit.lens;
  profile.looks = fit.looks;
  profile.rms_px = fit.rms_px;
  profile.halves_px = fit.halves.rms_px;
  return profile;
}

absl::StatusOr<CameraProfile> CameraProfile::Load(const std::filesystem::path& file) {
  const auto text = ReadText(file);
  if (!text.ok()) return text.status();
  const toml::parse_result parsed = toml::parse(*text);
  if (!parsed) {
    return absl::InvalidArgumentError(absl::StrCat(file.string(), ":",
                                                   parsed.error().source().begin.line, ": ",
                                                   std::string(parsed.error().description())));
  }
  ProfileReader reader(file, parsed.table());
  const double version = reader.Number("version", 1, 1e6);
  if (version != kVersion) {
    reader.Refuse(
        parsed.table().at_path("version").node(),
        absl::StrCat("profile version ", version, "; this program reads version ", kVersion));
  }
  CameraProfile profile;
  constexpr double kLargest = 20000;  // pixels; no camera has more across
  profile.lens.size_px = {static_cast<int>(reader.Number("lens.width_px", 1, kLargest)),
                          static_cast<int>(reader.Number("lens.height_px", 1, kLargest))};
  profile.lens.focal_px = reader.Number("lens.focal_px", 1, 10 * kLargest);
  profile.lens.cx = reader.Number("lens.centre_x_px", -kLargest, 2 * kLargest);
  profile.lens.cy = reader.Number("lens.centre_y_px", -kLargest, 2 * kLargest);
  reader.List("lens.distortion", 100, &profile.lens.distortion);
  profile.looks = static_cast<int>(reader.Number("quality.pictures", 0, 1e6));
  profile.rms_px = reader.Number("quality.rms_px", 0, kLargest);
  profile.halves_px = reader.Number("quality.halves_px", 0, kLargest);
  if (!reader.status().ok()) return reader.status();
  return profile;
}

absl::Status CameraProfile::Save(const std::filesystem::path& file) const {
  std::string out = absl::StrFormat(
      "# A camera above a table, made by tilewarden calibrate.\nversion = %d\n\n"
      "[lens]\nwidth_px = %d\nheight_px = %d\n",
      kVersion, lens.size_px.width, lens.size_px.height);
  absl::StrAppendFormat(&out, "focal_px = %.4f\ncentre_x_px = %.4f\ncentre_y_px = %.4f\n",
                        lens.focal_px, lens.cx, lens.cy);
  absl::StrAppendFormat(&out,
                        "# k1, k2, p1, p2, k3\ndistortion = [%.8f, %.8f, %.8f, %.8f, %.8f]\n\n",
                        lens.distortion[0], lens.distortion[1], lens.distortion[2],
                        lens.distortion[3], lens.distortion[4]);
  absl::StrAppendFormat(&out, "[quality]\npictures = %d\nrms_px = %.4f\nhalves_px = %.4f\n", looks,
                        rms_px, halves_px);
  const absl::Status saved = SaveFile(file, out);
  if (saved.ok()) return saved;
  return absl::PermissionDeniedError(
      absl::StrCat(saved.message(), "; name another file with --out"));
}

}  // namespace tilewarden::calibration
