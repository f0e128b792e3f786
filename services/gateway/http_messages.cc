#include "services/gateway/http_messages.h"

#include <memory>
#include <string>

#include "boost/asio/error.hpp"
#include "boost/beast/core/buffers_to_string.hpp"
#include "boost/beast/http/serializer.hpp"

namespace tilewarden::services {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using boost::system::error_code;

// A message in pieces, as it is written.
class Pieces {
 public:
  virtual ~Pieces() = default;
  // The next one; empty after the last. False: it cannot be read.
  virtual bool Next(std::string* piece) = 0;
};

template <typename Body>
class PiecesOf final : public Pieces {
 public:
  PiecesOf(http::response<Body>* response, bool only_header)
      : serializer_(*response), only_header_(only_header) {
    serializer_.split(only_header);
  }

  bool Next(std::string* piece) override {
    piece->clear();
    if (only_header_ ? serializer_.is_header_done() : serializer_.is_done()) return true;
    error_code error;
    serializer_.next(error, [piece](error_code&, const auto& buffers) {
      *piece = boost::beast::buffers_to_string(buffers);
    });
    if (error) return false;
    serializer_.consume(piece->size());
    return true;
  }

 private:
  http::response_serializer<Body> serializer_;
  const bool only_header_;
};

asio::awaitable<bool> Write(Wire* wire, std::unique_ptr<Pieces> pieces) {
  std::string piece;
  while (true) {
    if (!pieces->Next(&piece)) co_return false;
    if (piece.empty()) co_return true;
    const bool taken = co_await wire->Write(piece);
    if (!taken) co_return false;
  }
}

bool IsThere(const HttpRequestParser& parser, Until until) {
  return until == Until::kHead ? parser.is_header_done() : parser.is_done();
}

}  // namespace

asio::awaitable<error_code> ReadRequest(Wire* wire, boost::beast::flat_buffer* buffer,
                                        HttpRequestParser* parser, Until until) {
  parser->eager(until == Until::kEnd);
  while (true) {
    while (buffer->size() > 0 && !IsThere(*parser, until)) {
      error_code error;
      const std::size_t used = parser->put(buffer->data(), error);
      buffer->consume(used);
      if (error && error != http::error::need_more) co_return error;
      if (error == http::error::need_more || used == 0) break;
    }
    if (IsThere(*parser, until)) co_return error_code();
    error_code error = co_await wire->ReadSome(buffer);
    if (error == asio::error::eof) {
      if (!parser->got_some()) co_return make_error_code(http::error::end_of_stream);
      error = {};
      parser->put_eof(error);
      co_return error;
    }
    if (error) co_return error;
  }
}

asio::awaitable<bool> WriteHeader(Wire* wire, http::response<http::empty_body>* response) {
  return Write(wire, std::make_unique<PiecesOf<http::empty_body>>(response, true));
}

asio::awaitable<bool> WriteResponse(Wire* wire, http::response<http::string_body>* response) {
  return Write(wire, std::make_unique<PiecesOf<http::string_body>>(response, false));
}

asio::awaitable<bool> WriteResponse(Wire* wire, http::response<http::file_body>* response,
                                    bool only_header) {
  return Write(wire, std::make_unique<PiecesOf<http::file_body>>(response, only_header));
}

}  // namespace tilewarden::services
