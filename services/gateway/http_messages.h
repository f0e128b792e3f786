// HTTP messages read from and written to a connection. They are put together here, apart from
// waiting: Boost.Beast's own reading and writing is compiled anew for every kind of body.
#pragma once

#include "boost/asio/awaitable.hpp"
#include "boost/beast/core/flat_buffer.hpp"
#include "boost/beast/http/empty_body.hpp"
#include "boost/beast/http/file_body.hpp"
#include "boost/beast/http/message.hpp"
#include "boost/beast/http/parser.hpp"
#include "boost/beast/http/string_body.hpp"
#include "services/client/wire.h"

namespace tilewarden::services {

using HttpRequestParser = boost::beast::http::request_parser<boost::beast::http::string_body>;

// Waits until the request's head is whole, or all of it; what came behind stays in the buffer.
// end_of_stream: the other side closed between requests; partial_message: in the midst of one. Else
// what is wrong with it.
enum class Until { kHead, kEnd };
boost::asio::awaitable<boost::system::error_code> ReadRequest(Wire* wire,
                                                              boost::beast::flat_buffer* buffer,
                                                              HttpRequestParser* parser,
                                                              Until until);

// False: the browser has gone, takes nothing, or the file cannot be read.
boost::asio::awaitable<bool> WriteHeader(
    Wire* wire, boost::beast::http::response<boost::beast::http::empty_body>* response);
boost::asio::awaitable<bool> WriteResponse(
    Wire* wire, boost::beast::http::response<boost::beast::http::string_body>* response);
boost::asio::awaitable<bool> WriteResponse(
    Wire* wire, boost::beast::http::response<boost::beast::http::file_body>* response,
    bool only_header);

}  // namespace tilewarden::services
