// A connection of a browser, with TLS or without: one type for whoever reads and
// writes it. As Boost.Beast's streams.
#pragma once

#include <memory>
#include <utility>

#include "boost/asio/ip/tcp.hpp"
#include "boost/asio/ssl/context.hpp"
#include "boost/asio/ssl/stream.hpp"
#include "boost/beast/core/tcp_stream.hpp"

namespace tilewarden::services {

class Wire {
 public:
  using executor_type = boost::beast::tcp_stream::executor_type;

  explicit Wire(boost::asio::ip::tcp::socket socket) : tcp_(std::move(socket)) {}

  // From now on everything is encrypted; hands are to be shaken first.
  using Tls = boost::asio::ssl::stream<boost::beast::tcp_stream&>;
  Tls& StartTls(boost::asio::ssl::context& context) {
    tls_ = std::make_unique<Tls>(tcp_, context);
    return *tls_;
  }
  bool encrypted() const { return tls_ != nullptr; }
  // Timeouts, the socket, closing.
  boost::beast::tcp_stream& tcp() { return tcp_; }

  executor_type get_executor() { return tcp_.get_executor(); }
  template <typename Buffers, typename Token>
  auto async_read_some(const Buffers& buffers, Token&& token) {
    return tls_ ? tls_->async_read_some(buffers, std::forward<Token>(token))
                : tcp_.async_read_some(buffers, std::forward<Token>(token));
  }
  template <typename Buffers, typename Token>
  auto async_write_some(const Buffers& buffers, Token&& token) {
    return tls_ ? tls_->async_write_some(buffers, std::forward<Token>(token))
                : tcp_.async_write_some(buffers, std::forward<Token>(token));
  }

 private:
  boost::beast::tcp_stream tcp_;
  std::unique_ptr<Tls> tls_;
};

}  // namespace tilewarden::services
