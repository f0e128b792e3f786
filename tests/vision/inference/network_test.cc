#include "vision/inference/network.h"

#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "gtest/gtest.h"
#include "opencv2/dnn.hpp"
#include "vision/picture/models_folder.h"

namespace tilewarden::vision {
namespace {

struct Shipped {
  const char* file;
  int pictures, height, width, channels;
};
constexpr std::array<Shipped, 4> kShipped = {{{"finder_network.onnx", 1, 80, 112, 3},
                                              {"tile_network.onnx", 11, 64, 64, 3},
                                              {"figure_network.onnx", 2, 72, 40, 6},
                                              {"figure_kind_network.onnx", 3, 80, 80, 4}}};

std::vector<cv::Mat> Noise(const Shipped& network) {
  cv::RNG random(7);
  std::vector<cv::Mat> pictures;
  for (int n = 0; n < network.pictures; ++n) {
    cv::Mat& picture =
        pictures.emplace_back(network.height, network.width, CV_32FC(network.channels));
    random.fill(picture, cv::RNG::NORMAL, 0, 1);
  }
  return pictures;
}

// As OpenCV takes pictures: planes by picture and channel.
cv::Mat Planes(const std::vector<cv::Mat>& pictures) {
  const cv::Mat& first = pictures.front();
  const std::array<int, 4> shape = {static_cast<int>(pictures.size()), first.channels(), first.rows,
                                    first.cols};
  cv::Mat planes(4, shape.data(), CV_32F);
  for (int n = 0; n < shape[0]; ++n) {
    for (int c = 0; c < shape[1]; ++c) {
      cv::Mat plane(first.rows, first.cols, CV_32F, planes.ptr<float>(n, c));
      cv::extractChannel(pictures[static_cast<std::size_t>(n)], plane, c);
    }
  }
  return planes;
}

TEST(Network, EveryKernelSaysWhatOpenCvSays) {
  for (const Shipped& shipped : kShipped) {
    const std::vector<cv::Mat> pictures = Noise(shipped);
    cv::dnn::Net other = cv::dnn::readNetFromONNX((ModelsFolder() / shipped.file).string());
    other.setInput(Planes(pictures));
    const cv::Mat theirs = other.forward();
    for (const Kernel& kernel : Kernels()) {
      const auto network = Network::Load(ModelsFolder() / shipped.file, kernel);
      ASSERT_TRUE(network.ok()) << network.status();
      const std::vector<cv::Mat> ours = network->Run(pictures);
      ASSERT_EQ(ours.size(), pictures.size());
      ASSERT_EQ(theirs.total(), ours.size() * ours.front().total() *
                                    static_cast<std::size_t>(ours.front().channels()));
      double furthest = 0;
      const float* said = theirs.ptr<float>();
      for (const cv::Mat& one : ours) {
        for (int c = 0; c < one.channels(); ++c) {
          for (int y = 0; y < one.rows; ++y) {
            for (int x = 0; x < one.cols; ++x, ++said) {
              const float value = one.ptr<float>(y)[x * one.channels() + c];
              furthest = std::max<double>(furthest, std::abs(value - *said));
            }
          }
        }
      }
      EXPECT_LT(furthest, 1e-3) << shipped.file << ", " << kernel.name;
    }
  }
}

TEST(Network, SaysOfEachPictureWhatItSaysOfItAlone) {
  const auto network = Network::Load(ModelsFolder() / "tile_network.onnx");
  ASSERT_TRUE(network.ok()) << network.status();
  const std::vector<cv::Mat> pictures = Noise(kShipped[1]);
  const std::vector<cv::Mat> together = network->Run(pictures);
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    EXPECT_EQ(cv::norm(network->Run({pictures[i]}).front(), together[i], cv::NORM_INF), 0);
  }
}

TEST(Network, NothingForPicturesThatDoNotSuit) {
  const auto network = Network::Load(ModelsFolder() / "tile_network.onnx");
  ASSERT_TRUE(network.ok()) << network.status();
  EXPECT_TRUE(network->Run({cv::Mat::zeros(64, 64, CV_32FC4)}).empty());
  EXPECT_TRUE(network->Run({cv::Mat::zeros(64, 64, CV_8UC3)}).empty());
  EXPECT_TRUE(network->Run({cv::Mat::zeros(16, 16, CV_32FC3)}).empty());
  EXPECT_TRUE(network->Run({cv::Mat::zeros(64, 64, CV_32FC3)}, "no such layer").empty());
}

TEST(Network, TellsTornFilesFromMissingOnes) {
  const auto file = std::filesystem::path(testing::TempDir()) / "torn_network.onnx";
  std::ifstream whole(ModelsFolder() / "tile_network.onnx", std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(whole)), {});
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{100}, bytes.size() / 2, bytes.size() - 1}) {
    std::ofstream(file, std::ios::binary) << bytes.substr(0, size);
    EXPECT_EQ(Network::Load(file).status().code(), absl::StatusCode::kDataLoss) << size;
  }
  std::filesystem::remove(file);
  EXPECT_EQ(Network::Load(file).status().code(), absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace tilewarden::vision
