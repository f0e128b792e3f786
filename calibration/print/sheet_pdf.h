// A PDF true to scale: pages of paper in millimetres, each with a heading and a
// ruler to check the print with. Or a picture of one such page.
//
// Millimetres from the paper's upper left corner, x right and y down. Not
// thread safe.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "opencv2/core.hpp"

namespace tilewarden::calibration {

enum class Paper { kA4, kLetter };
cv::Size2d SizeOf_mm(Paper paper);
// What is between heading and ruler, and as far from the sides as printers need.
cv::Rect2d Content_mm(Paper paper);
// A rectangle of this size in the middle of that.
cv::Rect2d CentredOnPage(Paper paper, cv::Size2d size_mm);

struct Ink {
  double r = 0, g = 0, b = 0;  // 0 to 1
};
inline constexpr Ink kGrey = {0.55, 0.55, 0.55};  // lines to cut along and labels

// A picture that may be drawn many times and is kept in the file once.
class SheetPicture {
 public:
  // 8-bit BGR; kept as JPEG of high quality.
  explicit SheetPicture(const cv::Mat& picture);
  ~SheetPicture();
  SheetPicture(SheetPicture&&) noexcept;

 private:
  friend class SheetPdf;
  struct Surface;
  std::unique_ptr<Surface> surface_;
};

class SheetPdf {
 public:
  SheetPdf(const std::filesystem::path& file, Paper paper);
  // No file: what is drawn is painted.
  SheetPdf(Paper paper, double px_per_mm);
  ~SheetPdf();

  Paper paper() const { return paper_; }
  cv::Size2d page_mm() const { return page_mm_; }

  // As one area: where rectangles touch there is no seam.
  void Fill(const std::vector<cv::Rect2d>& areas, cv::Point2d origin = {}, Ink ink = {});
  void FillOutline(const std::vector<cv::Point2d>& outline, Ink ink);
  void Line(cv::Point2d from, cv::Point2d to, double width_mm, Ink ink = {}, bool dashed = false);
  void Frame(const cv::Rect2d& area, double width_mm, Ink ink = {});
  void Picture(const cv::Rect2d& area, const SheetPicture& picture);
  // Centred on a point; height of its capital letters about 0.7 of the size.
  void Text(cv::Point2d middle, double size_mm, const std::string& text, Ink ink = {});

  // Adds heading and ruler and begins a new page with the next drawing.
  void EndPage(const std::string& heading);
  // Writes the file. PERMISSION_DENIED: it cannot be written.
  absl::Status Close();
  // The one page, 8-bit BGR.
  cv::Mat Painted() const;

 private:
  void Ruler();

  struct Drawing;
  const std::filesystem::path file_;
  const Paper paper_;
  const cv::Size2d page_mm_;
  std::unique_ptr<Drawing> drawing_;
};

}  // namespace tilewarden::calibration
