// A small part of a straightened picture (top_view.h), for people to look at.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tilewarden::vision {

// In cells, from the top left corner of the whole picture once it is turned.
struct CutOutArea {
  double x = 0, y = 0;
  double columns = 0, rows = 0;
};

struct CutOutOptions {
  int largest_px = 480;  // either way; what is smaller stays as it is
  std::size_t most_bytes = 48 * 1024;
  int quality = 85;  // of the JPEG, 1 to 100; less where it would be too large
};

// `jpeg`: a picture of `columns` times `rows` cells, as TopView has it; it is turned clockwise
// by `quarter_turns`, and the area cut out. A JPEG again. Nothing when it is no JPEG, has
// more than 16 megapixels, or the area does not lie in it. Pure; some 10 ms.
std::optional<std::string> CutOut(std::string_view jpeg, int columns, int rows, int quarter_turns,
                                  const CutOutArea& area, const CutOutOptions& options = {});

}  // namespace tilewarden::vision
