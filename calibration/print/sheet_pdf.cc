#include "calibration/print/sheet_pdf.h"

#include <cairo-pdf.h>

#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "opencv2/imgcodecs.hpp"
#include "opencv2/imgproc.hpp"

namespace tilewarden::calibration {
namespace {

constexpr double kPoints_per_mm = 72 / 25.4;
// Most printers leave 5 mm white.
constexpr double kSide_mm = 8, kTop_mm = 10, kBottom_mm = 20;
constexpr double kRuler_mm = 100;
constexpr int kJpegQuality = 94;

}  // namespace

cv::Size2d SizeOf_mm(Paper paper) {
  return paper == Paper::kA4 ? cv::Size2d{210, 297} : cv::Size2d{215.9, 279.4};
}

cv::Rect2d Content_mm(Paper paper) {
  const cv::Size2d page = SizeOf_mm(paper);
  return {kSide_mm, kTop_mm, page.width - 2 * kSide_mm, page.height - kTop_mm - kBottom_mm};
}

cv::Rect2d CentredOnPage(Paper paper, cv::Size2d size_mm) {
  const cv::Rect2d room = Content_mm(paper);
  return {room.x + (room.width - size_mm.width) / 2, room.y + (room.height - size_mm.height) / 2,
          size_mm.width, size_mm.height};
}

struct SheetPicture::Surface {
  cairo_surface_t* image = nullptr;
  ~Surface() { cairo_surface_destroy(image); }
};

SheetPicture::SheetPicture(const cv::Mat& picture) : surface_(std::make_unique<Surface>()) {
  // The PDF holds the JPEG as it is; the surface only says how large it is.
  std::vector<uchar> jpeg;
  cv::imencode(".jpg", picture, jpeg, {cv::IMWRITE_JPEG_QUALITY, kJpegQuality});
  surface_->image = cairo_image_surface_create(CAIRO_FORMAT_RGB24, picture.cols, picture.rows);
  auto* bytes = static_cast<uchar*>(std::malloc(jpeg.size()));
  std::memcpy(bytes, jpeg.data(), jpeg.size());
  cairo_surface_set_mime_data(surface_->image, CAIRO_MIME_TYPE_JPEG, bytes, jpeg.size(), std::free,
                              bytes);
}
SheetPicture::~SheetPicture() = default;
SheetPicture::SheetPicture(SheetPicture&&) noexcept = default;

struct SheetPdf::Drawing {
  cairo_surface_t* surface = nullptr;
  cairo_t* to = nullptr;

  // Takes the surface, of so many units a millimetre.
  Drawing(cairo_surface_t* taken, double per_mm) : surface(taken), to(cairo_create(taken)) {
    cairo_scale(to, per_mm, per_mm);
    cairo_select_font_face(to, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
  }
  ~Drawing() {
    cairo_destroy(to);
    cairo_surface_destroy(surface);
  }
  Drawing(const Drawing&) = delete;
  Drawing& operator=(const Drawing&) = delete;

  void Use(Ink ink) { cairo_set_source_rgb(to, ink.r, ink.g, ink.b); }
};

SheetPdf::SheetPdf(const std::filesystem::path& file, Paper paper)
    : file_(file),
      paper_(paper),
      page_mm_(SizeOf_mm(paper)),
      drawing_(std::make_unique<Drawing>(
          cairo_pdf_surface_create(file.c_str(), page_mm_.width * kPoints_per_mm,
                                   page_mm_.height * kPoints_per_mm),
          kPoints_per_mm)) {}
SheetPdf::SheetPdf(Paper paper, double px_per_mm)
    : paper_(paper),
      page_mm_(SizeOf_mm(paper)),
      drawing_(std::make_unique<Drawing>(
          cairo_image_surface_create(CAIRO_FORMAT_RGB24, cvRound(page_mm_.width * px_per_mm),
                                     cvRound(page_mm_.height * px_per_mm)),
          px_per_mm)) {
  Fill({{{}, page_mm_}}, {}, {1, 1, 1});
}
SheetPdf::~SheetPdf() = default;

void SheetPdf::Fill(const std::vector<cv::Rect2d>& areas, cv::Point2d origin, Ink ink) {
  drawing_->Use(ink);
  for (const cv::Rect2d& area : areas) {
    cairo_rectangle(drawing_->to, origin.x + area.x, origin.y + area.y, area.width, area.height);
  }
  cairo_fill(drawing_->to);
}

void SheetPdf::FillOutline(const std::vector<cv::Point2d>& outline, Ink ink) {
  drawing_->Use(ink);
  for (const cv::Point2d& p : outline) cairo_line_to(drawing_->to, p.x, p.y);
  cairo_close_path(drawing_->to);
  cairo_fill(drawing_->to);
}

void SheetPdf::Line(cv::Point2d from, cv::Point2d to, double width_mm, Ink ink, bool dashed) {
  drawing_->Use(ink);
  const double dash = 1;
  cairo_set_dash(drawing_->to, &dash, dashed ? 1 : 0, 0);
  cairo_set_line_width(drawing_->to, width_mm);
  cairo_move_to(drawing_->to, from.x, from.y);
  cairo_line_to(drawing_->to, to.x, to.y);
  cairo_stroke(drawing_->to);
}

void SheetPdf::Frame(const cv::Rect2d& area, double width_mm, Ink ink) {
  drawing_->Use(ink);
  cairo_set_dash(drawing_->to, nullptr, 0, 0);
  cairo_set_line_width(drawing_->to, width_mm);
  cairo_rectangle(drawing_->to, area.x, area.y, area.width, area.height);
  cairo_stroke(drawing_->to);
}

void SheetPdf::Picture(const cv::Rect2d& area, const SheetPicture& picture) {
  cairo_surface_t* image = picture.surface_->image;
  cairo_save(drawing_->to);
  cairo_translate(drawing_->to, area.x, area.y);
  cairo_scale(drawing_->to, area.width / cairo_image_surface_get_width(image),
              area.height / cairo_image_surface_get_height(image));
  cairo_set_source_surface(drawing_->to, image, 0, 0);
  cairo_paint(drawing_->to);
  cairo_restore(drawing_->to);
}

void SheetPdf::Text(cv::Point2d middle, double size_mm, const std::string& text, Ink ink) {
  drawing_->Use(ink);
  cairo_set_font_size(drawing_->to, size_mm);
  cairo_text_extents_t extent;
  cairo_text_extents(drawing_->to, text.c_str(), &extent);
  cairo_move_to(drawing_->to, middle.x - extent.width / 2 - extent.x_bearing,
                middle.y + 0.35 * size_mm);
  cairo_show_text(drawing_->to, text.c_str());
}

void SheetPdf::Ruler() {
  const double x0 = (page_mm_.width - kRuler_mm) / 2, y = page_mm_.height - 10;
  for (int mm = 0; mm <= kRuler_mm; ++mm) {
    const double length = mm % 10 == 0 ? 4 : mm % 5 == 0 ? 3 : 2;
    Line({x0 + mm, y - length}, {x0 + mm, y}, 0.15);
    if (mm % 10 == 0) Text({x0 + mm, y - 5.5}, 2.4, std::to_string(mm));
  }
  Line({x0, y}, {x0 + kRuler_mm, y}, 0.15);
  Text({page_mm_.width / 2, y + 3}, 2.8,
       "100 mm: print at 100 % (actual size), then check with a ruler");
}

void SheetPdf::EndPage(const std::string& heading) {
  Text({page_mm_.width / 2, kTop_mm - 4}, 3, heading);
  Ruler();
  cairo_show_page(drawing_->to);
}

absl::Status SheetPdf::Close() {
  cairo_surface_finish(drawing_->surface);
  const cairo_status_t status = cairo_surface_status(drawing_->surface);
  if (status == CAIRO_STATUS_SUCCESS) return absl::OkStatus();
  return absl::PermissionDeniedError(
      absl::StrCat(file_.string(), " cannot be written (", cairo_status_to_string(status),
                   "): give another folder with --out, or free some room"));
}

cv::Mat SheetPdf::Painted() const {
  cairo_surface_t* surface = drawing_->surface;
  cairo_surface_flush(surface);
  const cv::Mat pixels(cairo_image_surface_get_height(surface),
                       cairo_image_surface_get_width(surface), CV_8UC4,
                       cairo_image_surface_get_data(surface),
                       static_cast<std::size_t>(cairo_image_surface_get_stride(surface)));
  cv::Mat picture;
  cv::cvtColor(pixels, picture, cv::COLOR_BGRA2BGR);
  return picture;
}

}  // namespace tilewarden::calibration
