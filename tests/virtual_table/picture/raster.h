// Draws meshes as a camera sees them, in linear light.
#pragma once

#include <vector>

#include "opencv2/core.hpp"
#include "tests/virtual_table/picture/camera.h"
#include "tests/virtual_table/picture/lighting.h"
#include "tests/virtual_table/picture/mesh.h"

namespace tilewarden::virtual_table {

// Pictures of the camera's size, each pixel the mean of its samples.
struct Layers {
  cv::Mat all;    // CV_32FC3, linear blue green red; times the cover
  cv::Mat lamp;   // CV_32FC3, the lamp's part
  cv::Mat cover;  // CV_32F, share of the pixel that is covered
};

// `samples` along each side of a pixel. Draws over this part of `layers`, which have the
// camera's size; of it, rows that the meshes do not reach are left. Uses all cores.
void Rasterize(const TableCamera& camera, const std::vector<const Mesh*>& meshes,
               const Lighting& lighting, int samples, cv::Rect part, Layers* layers);

}  // namespace tilewarden::virtual_table
