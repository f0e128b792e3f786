// An HTTP connection for tests, with TLS or without: what a browser, or an attacker,
// sends.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <openssl/ssl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "services/gateway/grpc_web.h"

namespace tilewarden::services {

class RawHttp {
 public:
  // url: "http://127.0.0.1:4711/" or https; always of this machine. `host`: what is
  // asked for, when it is another name than the url's. `newest`: of TLS, 0: all.
  explicit RawHttp(const std::string& url, const std::string& host = "", int newest = 0)
      : host_(host.empty() ? HostOf(url) : host) {
    socket_ = socket(AF_INET, SOCK_STREAM, 0);
    const timeval limit{10, 0};
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    const std::string at = HostOf(url);
    address.sin_port =
        htons(static_cast<std::uint16_t>(std::atoi(at.substr(at.rfind(':') + 1).c_str())));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    if (url.compare(0, 5, "https") == 0) ShakeHands(newest);
  }
  RawHttp(const RawHttp&) = delete;
  RawHttp& operator=(const RawHttp&) = delete;
  ~RawHttp() {
    SSL_free(tls_);
    SSL_CTX_free(context_);
    close(socket_);
  }

  const std::string& host() const { return host_; }
  // "TLSv1.3"; empty: the other side does not speak that.
  std::string tls_version() const { return shaken_ ? SSL_get_version(tls_) : ""; }

  void Send(const std::string& bytes) {
    std::size_t sent = 0;
    while (sent < bytes.size()) {
      const char* from = bytes.data() + sent;
      const ssize_t n = tls_ != nullptr
                            ? SSL_write(tls_, from, static_cast<int>(bytes.size() - sent))
                            : send(socket_, from, bytes.size() - sent, MSG_NOSIGNAL);
      if (n <= 0) return;
      sent += static_cast<std::size_t>(n);
    }
  }
  void Get(const std::string& target, const std::string& more_headers = "") {
    Send(absl::StrCat("GET ", target, " HTTP/1.1\r\nHost: ", host_, "\r\n", more_headers, "\r\n"));
  }
  // A gRPC-Web call of GameService, or "AccessService/Pair", with one framed message.
  void Call(const std::string& method, const std::string& message,
            const std::string& more_headers = "") {
    Post(method, MessageHeader(message.size()) + message, more_headers);
  }
  void Post(const std::string& method, const std::string& body,
            const std::string& more_headers = "") {
    const std::string path =
        method.find('/') == std::string::npos ? "GameService/" + method : method;
    Send(absl::StrCat("POST /tilewarden.v1.", path, " HTTP/1.1\r\nHost: ", host_,
                      "\r\nContent-Type: application/grpc-web+proto\r\n", more_headers,
                      "Content-Length: ", body.size(), "\r\n\r\n", body));
  }

  // The head of the answer, without the empty line.
  std::string ReadHead() { return ReadUntil("\r\n\r\n"); }
  int ReadStatus() {
    head_ = ReadHead();
    return head_.size() < 12 ? 0 : std::atoi(head_.substr(9, 3).c_str());
  }
  const std::string& head() const { return head_; }

  // The next gRPC-Web frame of a chunked body: its flags and content.
  std::pair<int, std::string> ReadFrame() {
    while (body_.size() < 5 || body_.size() < 5 + FrameSize()) {
      const std::string length = ReadUntil("\r\n");
      const auto size = static_cast<std::size_t>(std::strtoul(length.c_str(), nullptr, 16));
      if (size == 0) return {-1, ""};
      while (bytes_.size() < size + 2) {
        if (!Fill()) return {-1, ""};
      }
      body_ += bytes_.substr(0, size);
      bytes_.erase(0, size + 2);
    }
    const std::size_t size = FrameSize();
    std::pair<int, std::string> frame = {static_cast<unsigned char>(body_[0]),
                                         body_.substr(5, size)};
    body_.erase(0, 5 + size);
    return frame;
  }
  // After the last frame: the end of the chunked body.
  void ReadEnd() { EXPECT_EQ(ReadUntil("\r\n\r\n"), "0"); }
  // All until the other side closes.
  std::string ReadRest() {
    while (Fill()) {
    }
    return bytes_;
  }
  bool Closed() { return bytes_.empty() && !Fill(); }

 private:
  static std::string HostOf(const std::string& url) {
    const auto from = url.find("//") + 2;
    return url.substr(from, url.size() - from - 1);
  }
  void ShakeHands(int newest) {
    context_ = SSL_CTX_new(TLS_client_method());
    SSL_CTX_set_max_proto_version(context_, newest);
    // Old versions are offered although this machine's OpenSSL would not.
    SSL_CTX_set_min_proto_version(context_, TLS1_VERSION);
    SSL_CTX_set_cipher_list(context_, "ALL:@SECLEVEL=0");
    tls_ = SSL_new(context_);
    SSL_set_fd(tls_, socket_);
    shaken_ = SSL_connect(tls_) == 1;
  }
  std::size_t FrameSize() const {
    std::size_t size = 0;
    for (std::size_t i = 1; i < 5; ++i) size = size << 8 | static_cast<unsigned char>(body_[i]);
    return size;
  }
  std::string ReadUntil(const std::string& end) {
    while (bytes_.find(end) == std::string::npos) {
      if (!Fill()) return "";
    }
    const auto at = bytes_.find(end);
    std::string out = bytes_.substr(0, at);
    bytes_.erase(0, at + end.size());
    return out;
  }
  bool Fill() {
    char buffer[4096];
    const ssize_t n = tls_ != nullptr ? SSL_read(tls_, buffer, sizeof buffer)
                                      : recv(socket_, buffer, sizeof buffer, 0);
    if (n <= 0) return false;
    bytes_.append(buffer, static_cast<std::size_t>(n));
    return true;
  }

  const std::string host_;
  int socket_ = -1;
  SSL_CTX* context_ = nullptr;
  SSL* tls_ = nullptr;
  bool shaken_ = false;
  std::string bytes_, body_, head_;
};

}  // namespace tilewarden::services
