// One prepared statement of SQLite. Not thread safe.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <string>

namespace tilewarden::services {

class Statement {
 public:
  Statement(sqlite3* db, const char* sql) { sqlite3_prepare_v2(db, sql, -1, &statement_, nullptr); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;
  ~Statement() { sqlite3_finalize(statement_); }

  // Parameters count from 1, columns from 0.
  Statement& Text(int i, const std::string& value) {
    sqlite3_bind_text(statement_, i, value.data(), static_cast<int>(value.size()),
                      SQLITE_TRANSIENT);
    return *this;
  }
  Statement& Blob(int i, const std::string& value) {
    sqlite3_bind_blob64(statement_, i, value.data(), value.size(), SQLITE_TRANSIENT);
    return *this;
  }
  Statement& Int(int i, std::int64_t value) {
    sqlite3_bind_int64(statement_, i, value);
    return *this;
  }
  int Step() { return statement_ == nullptr ? SQLITE_ERROR : sqlite3_step(statement_); }
  std::int64_t IntAt(int column) { return sqlite3_column_int64(statement_, column); }
  std::string BytesAt(int column) {
    const void* data = sqlite3_column_blob(statement_, column);
    const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_, column));
    return data == nullptr ? std::string() : std::string(static_cast<const char*>(data), size);
  }

 private:
  sqlite3_stmt* statement_ = nullptr;
};

}  // namespace tilewarden::services
