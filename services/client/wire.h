// A connection, with TLS or without: one type for whoever reads and writes it, at either end.
// All on one thread; whoever awaits is not kept waiting by others. Timeouts and closing are
// tcp()'s.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "boost/asio/as_tuple.hpp"
#include "boost/asio/awaitable.hpp"
#include "boost/asio/ip/tcp.hpp"
#include "boost/asio/local/stream_protocol.hpp"
#include "boost/asio/ssl/context.hpp"
#include "boost/asio/ssl/stream.hpp"
#include "boost/asio/use_awaitable.hpp"
#include "boost/beast/core/flat_buffer.hpp"
#include "boost/beast/core/tcp_stream.hpp"

namespace tilewarden::services {

// Awaiting with it gives an error as a value: (error, ...), and throws nothing.
inline constexpr auto kTuple = boost::asio::as_tuple(boost::asio::use_awaitable);

class Wire {
 public:
  explicit Wire(boost::asio::ip::tcp::socket socket);

  enum class Encryption { kDone, kNotAskedFor, kFailed };
  // Shakes hands where the other side speaks TLS; from then on everything is
  // encrypted. What was read of it otherwise is in the buffer.
  boost::asio::awaitable<Encryption> Encrypt(boost::asio::ssl::context& context,
                                             boost::beast::flat_buffer* buffer);
  // The same as whoever connected. False: no TLS there, or `trusted` does not take what it shows.
  boost::asio::awaitable<bool> EncryptAsClient(boost::asio::ssl::context& context,
                                               const std::function<bool(SSL*)>& trusted);
  bool encrypted() const { return tls_ != nullptr; }
  boost::beast::tcp_stream& tcp() { return tcp_; }
  boost::asio::any_io_executor get_executor() { return tcp_.get_executor(); }

  // Waits for bytes and puts them behind those in the buffer: asio::error::eof at the end,
  // http::error::buffer_overflow where it is full.
  boost::asio::awaitable<boost::system::error_code> ReadSome(boost::beast::flat_buffer* buffer);
  // All of them. False: the other side has gone, or takes nothing.
  boost::asio::awaitable<bool> Write(std::string_view bytes);
  // Carries bytes both ways between this and a socket of this machine until either ends; then both
  // are closed. What was read of this before is in the buffer.
  boost::asio::awaitable<void> Splice(boost::asio::local::stream_protocol::socket* local,
                                      boost::beast::flat_buffer* buffer);

 private:
  boost::asio::awaitable<void> CarryIn(boost::asio::local::stream_protocol::socket* local,
                                       boost::beast::flat_buffer* buffer);
  boost::asio::awaitable<void> CarryOut(boost::asio::local::stream_protocol::socket* local);

  boost::beast::tcp_stream tcp_;
  std::unique_ptr<boost::asio::ssl::stream<boost::beast::tcp_stream&>> tls_;
};

}  // namespace tilewarden::services
