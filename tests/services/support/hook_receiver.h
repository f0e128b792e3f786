// The receiver of a webhook: an HTTP server of the test's own, which answers as it is told.
#pragma once

#include <boost/asio.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/beast.hpp>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "nlohmann/json.hpp"
#include "services/access/certificate.h"

namespace tilewarden::services {

class HookReceiver {
 public:
  struct Post {
    std::string event, delivery, timestamp, signature, content_type, body;
    nlohmann::json message;
    int status = 0;  // that it was answered with
  };
  static constexpr int kHang = 0;  // never answers
  // The status for a post, given how often its delivery has come, from 1. Called from the
  // receiver's thread.
  using Answer = std::function<int(const Post&, int tries)>;

  explicit HookReceiver(Answer answer = nullptr, int port = 0,
                        const std::optional<Certificate>& certificate = std::nullopt)
      : answer_(std::move(answer)),
        acceptor_(context_, Tcp::endpoint(boost::asio::ip::address_v4::loopback(),
                                          static_cast<std::uint16_t>(port))) {
    if (certificate) {
      tls_.emplace(boost::asio::ssl::context::tls_server);
      tls_->use_certificate_chain(boost::asio::buffer(certificate->chain));
      tls_->use_private_key(boost::asio::buffer(certificate->key), boost::asio::ssl::context::pem);
    }
    boost::asio::co_spawn(context_, Accept(), boost::asio::detached);
    thread_ = std::thread([this] { context_.run(); });
  }
  HookReceiver(const HookReceiver&) = delete;
  HookReceiver& operator=(const HookReceiver&) = delete;
  ~HookReceiver() {
    context_.stop();
    thread_.join();
  }

  int port() const { return acceptor_.local_endpoint().port(); }
  std::string url() const {
    return absl::StrCat(tls_ ? "https" : "http", "://127.0.0.1:", port(), "/hook?of=test");
  }
  std::vector<Post> posts() {
    const std::lock_guard lock(mutex_);
    return posts_;
  }
  // The event numbers of a game that were taken, in the order in which they came.
  std::vector<std::uint64_t> Taken(const std::string& game) {
    std::vector<std::uint64_t> out;
    for (const Post& post : posts()) {
      if (post.status == 200 && post.message["game_id"] == game) {
        out.push_back(post.message["number"]);
      }
    }
    return out;
  }

 private:
  using Tcp = boost::asio::ip::tcp;
  using Nothing = boost::asio::awaitable<void>;

  Nothing Accept() {
    while (true) {
      Tcp::socket socket = co_await acceptor_.async_accept(boost::asio::use_awaitable);
      boost::asio::co_spawn(context_, Connection(std::move(socket)), boost::asio::detached);
    }
  }
  Nothing Connection(Tcp::socket socket) {
    try {
      if (tls_) {
        boost::asio::ssl::stream<Tcp::socket> stream(std::move(socket), *tls_);
        co_await stream.async_handshake(boost::asio::ssl::stream_base::server,
                                        boost::asio::use_awaitable);
        co_await Serve(&stream);
      } else {
        co_await Serve(&socket);
      }
    } catch (const boost::system::system_error&) {
      // The other side has left.
    }
  }
  template <typename Stream>
  Nothing Serve(Stream* stream) {
    namespace http = boost::beast::http;
    boost::beast::flat_buffer buffer;
    while (true) {
      http::request<http::string_body> request;
      co_await http::async_read(*stream, buffer, request, boost::asio::use_awaitable);
      const int status = Take(request);
      if (status == kHang) {
        boost::asio::steady_timer never(context_, std::chrono::steady_clock::time_point::max());
        co_await never.async_wait(boost::asio::use_awaitable);
      }
      http::response<http::string_body> response(static_cast<http::status>(status), 11);
      response.body() = "whatever";
      response.prepare_payload();
      co_await http::async_write(*stream, response, boost::asio::use_awaitable);
    }
  }
  template <typename Request>
  int Take(const Request& request) {
    const auto header = [&](const char* name) { return std::string(request[name]); };
    Post post{header("X-Tilewarden-Event"),
              header("X-Tilewarden-Delivery"),
              header("X-Tilewarden-Timestamp"),
              header("X-Tilewarden-Signature"),
              header("Content-Type"),
              request.body(),
              nlohmann::json::parse(request.body(), nullptr, false)};
    post.status = answer_ ? answer_(post, ++tries_[post.delivery]) : 200;
    const std::lock_guard lock(mutex_);
    posts_.push_back(post);
    return post.status;
  }

  const Answer answer_;
  boost::asio::io_context context_;
  Tcp::acceptor acceptor_;
  std::optional<boost::asio::ssl::context> tls_;
  std::map<std::string, int> tries_;
  std::mutex mutex_;
  std::vector<Post> posts_;
  std::thread thread_;
};

}  // namespace tilewarden::services
