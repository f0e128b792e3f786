#include "services/client/wire.h"

#include <array>
#include <tuple>
#include <utility>

#include "boost/asio/experimental/awaitable_operators.hpp"
#include "boost/asio/write.hpp"
#include "boost/beast/core/detect_ssl.hpp"
#include "boost/beast/core/read_size.hpp"
#include "boost/beast/http/error.hpp"

namespace tilewarden::services {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;

// At once.
constexpr std::size_t kMost = 64 << 10;

}  // namespace

Wire::Wire(asio::ip::tcp::socket socket) : tcp_(std::move(socket)) {}

asio::awaitable<Wire::Encryption> Wire::Encrypt(asio::ssl::context& context,
                                                beast::flat_buffer* buffer) {
  const auto [unread, asked] = co_await beast::async_detect_ssl(tcp_, *buffer, kTuple);
  if (unread) co_return Encryption::kFailed;
  if (!asked) co_return Encryption::kNotAskedFor;
  tls_ = std::make_unique<asio::ssl::stream<beast::tcp_stream&>>(tcp_, context);
  const asio::const_buffer read(buffer->data());
  const auto [error, used] =
      co_await tls_->async_handshake(asio::ssl::stream_base::server, read, kTuple);
  buffer->consume(used);
  co_return error ? Encryption::kFailed : Encryption::kDone;
}

asio::awaitable<bool> Wire::EncryptAsClient(asio::ssl::context& context,
                                            const std::function<bool(SSL*)>& trusted) {
  tls_ = std::make_unique<asio::ssl::stream<beast::tcp_stream&>>(tcp_, context);
  const auto [error] = co_await tls_->async_handshake(asio::ssl::stream_base::client, kTuple);
  co_return !error && trusted(tls_->native_handle());
}

asio::awaitable<boost::system::error_code> Wire::ReadSome(beast::flat_buffer* buffer) {
  const std::size_t room = beast::read_size(*buffer, kMost);
  if (room == 0) co_return make_error_code(beast::http::error::buffer_overflow);
  const asio::mutable_buffer into(buffer->prepare(room));
  std::tuple<boost::system::error_code, std::size_t> read;
  if (tls_) {
    read = co_await tls_->async_read_some(into, kTuple);
  } else {
    read = co_await tcp_.async_read_some(into, kTuple);
  }
  buffer->commit(std::get<1>(read));
  co_return std::get<0>(read);
}

asio::awaitable<bool> Wire::Write(std::string_view bytes) {
  const asio::const_buffer from(bytes.data(), bytes.size());
  std::tuple<boost::system::error_code, std::size_t> written;
  if (tls_) {
    written = co_await asio::async_write(*tls_, from, kTuple);
  } else {
    written = co_await asio::async_write(tcp_, from, kTuple);
  }
  co_return !std::get<0>(written);
}

asio::awaitable<void> Wire::Splice(asio::local::stream_protocol::socket* local,
                                   beast::flat_buffer* buffer) {
  using asio::experimental::awaitable_operators::operator&&;
  tcp_.expires_never();
  co_await (CarryIn(local, buffer) && CarryOut(local));
}

asio::awaitable<void> Wire::CarryIn(asio::local::stream_protocol::socket* local,
                                    beast::flat_buffer* buffer) {
  while (true) {
    if (buffer->size() > 0) {
      const asio::const_buffer from(buffer->data());
      const auto [error, written] = co_await asio::async_write(*local, from, kTuple);
      if (error) break;
      buffer->consume(written);
    }
    if (co_await ReadSome(buffer)) break;
  }
  boost::system::error_code ignored;
  local->close(ignored);
  tcp_.close();
}

asio::awaitable<void> Wire::CarryOut(asio::local::stream_protocol::socket* local) {
  std::array<char, 16 << 10> bytes{};
  while (true) {
    const auto [error, read] = co_await local->async_read_some(asio::buffer(bytes), kTuple);
    if (error || !co_await Write({bytes.data(), read})) break;
  }
  boost::system::error_code ignored;
  local->close(ignored);
  tcp_.close();
}

}  // namespace tilewarden::services
