#include "services/gateway/grpc_web.h"

#include <fstream>

#include "gtest/gtest.h"
#include "services/gateway/static_files.h"
#include "tests/services/support/temp_folder.h"

namespace tilewarden::services {
namespace {

TEST(GrpcWeb, TakesExactlyOneWholeMessage) {
  const std::string body = MessageHeader(3) + "abc";
  ASSERT_TRUE(UnframedRequest(body).ok());
  EXPECT_EQ(*UnframedRequest(body), "abc");
  EXPECT_EQ(*UnframedRequest(MessageHeader(0)), "");
  for (const std::string& wrong :
       {std::string(), std::string("abc"), MessageHeader(4) + "abc", MessageHeader(2) + "abc",
        body + body, std::string("\x80\0\0\0\0", 5)}) {
    EXPECT_EQ(UnframedRequest(wrong).status().code(), absl::StatusCode::kInvalidArgument);
  }
  EXPECT_EQ(UnframedRequest(std::string("\x01\0\0\0\0", 5)).status().code(),
            absl::StatusCode::kUnimplemented);
}

TEST(GrpcWeb, TrailersCarryTheStatusAsAscii) {
  const std::string frame =
      TrailerFrame({grpc::StatusCode::NOT_FOUND, "100% of the tiles\nare grün"});
  EXPECT_EQ(frame[0], '\x80');
  EXPECT_EQ(frame.substr(5),
            "grpc-status: 5\r\ngrpc-message: 100%25 of the tiles%0Aare gr%C3%BCn\r\n");
  EXPECT_EQ(static_cast<std::size_t>(frame[4]), frame.size() - 5);
}

TEST(GrpcWeb, KnowsMethodPaths) {
  EXPECT_TRUE(IsMethodPath("/tilewarden.v1.GameService/GetGame"));
  for (const char* wrong :
       {"", "/", "//", "/a", "/a/", "//b", "a/b", "/a/b/c", "/a/b?c", "/../b c", "/a/\r\nb"}) {
    EXPECT_FALSE(IsMethodPath(wrong)) << wrong;
  }
}

TEST(GrpcWeb, ParsesTimeouts) {
  EXPECT_EQ(ParseTimeout("5S"), std::chrono::seconds(5));
  EXPECT_EQ(ParseTimeout("250m"), std::chrono::milliseconds(250));
  EXPECT_EQ(ParseTimeout("1M"), std::chrono::minutes(1));
  for (const char* wrong : {"", "S", "5", "5x", "-5S", "123456789S", "5 S"}) {
    EXPECT_FALSE(ParseTimeout(wrong)) << wrong;
  }
}

class StaticFiles : public testing::Test {
 protected:
  StaticFiles() : page_(folder_.path() / "page") {
    std::filesystem::create_directories(page_ / "assets");
    for (const auto& file : {page_ / "index.html", page_ / "assets" / "app-1234.js",
                             page_ / "two words.svg", folder_.path() / "secret.txt"}) {
      std::ofstream(file) << "content";
    }
    std::filesystem::create_symlink(folder_.path() / "secret.txt", page_ / "link.txt");
  }

  TempFolder folder_;
  const std::filesystem::path page_;
};

TEST_F(StaticFiles, FindsWhatIsThere) {
  EXPECT_EQ(FindStaticFile(page_, "/")->content_type, "text/html; charset=utf-8");
  EXPECT_FALSE(FindStaticFile(page_, "/index.html?game=1#x")->immutable);
  EXPECT_TRUE(FindStaticFile(page_, "/assets/app-1234.js")->immutable);
  EXPECT_EQ(FindStaticFile(page_, "/two%20words.svg")->content_type, "image/svg+xml");
}

TEST_F(StaticFiles, NeverLeavesTheFolder) {
  for (const char* target :
       {"/../secret.txt", "/%2e%2e/secret.txt", "/assets/../../secret.txt", "/..%2fsecret.txt",
        "/link.txt", "//etc/passwd", "/..\\secret.txt", "/index.html%00.js", "/%zz", "/%2", "",
        "index.html", "http://host/index.html", "/assets", "/assets/", "/none.html"}) {
    EXPECT_FALSE(FindStaticFile(page_, target)) << target;
  }
  EXPECT_FALSE(FindStaticFile("", "/index.html"));
}

}  // namespace
}  // namespace tilewarden::services
