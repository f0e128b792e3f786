#include "services/access/bounds.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "google/protobuf/descriptor.h"
#include "services/base/check_text.h"

namespace tilewarden::services {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

// Texts are names, ids and reasons; lists are what lies on a table.
constexpr std::size_t kLongestBytes = 512 << 10;
constexpr int kLongestText = 200, kLongestList = 2000, kMostMessages = 50'000, kDeepest = 12;
// No board is larger: every cell of a box of tiles in one row, and some.
constexpr std::int64_t kLargestCell = 1000;

// What may be longer than the others.
constexpr std::array<std::pair<std::string_view, int>, 1> kLists = {{
    {"tilewarden.v1.Sighting.hidden_cells", 20'000},
}};
constexpr std::array<std::pair<std::string_view, int>, 1> kTexts = {{
    {"tilewarden.v1.ChooseCameraRequest.source", 1000},  // an address with a path and a password
}};

template <std::size_t N>
int LongestOf(const std::array<std::pair<std::string_view, int>, N>& longer,
              const FieldDescriptor& field, int others) {
  const auto found = std::find_if(longer.begin(), longer.end(), [&](const auto& entry) {
    return entry.first == field.full_name();
  });
  return found == longer.end() ? others : found->second;
}

class Bounds {
 public:
  absl::Status Check(const Message& message, int depth) {
    if (++messages_ > kMostMessages || depth > kDeepest) {
      return absl::InvalidArgumentError("the request holds more than any table can");
    }
    const Reflection& reflection = *message.GetReflection();
    const bool cell = message.GetDescriptor()->full_name() == "tilewarden.v1.Cell";
    std::vector<const FieldDescriptor*> fields;
    reflection.ListFields(message, &fields);
    for (const FieldDescriptor* field : fields) {
      const int count = field->is_repeated() ? reflection.FieldSize(message, field) : 1;
      if (const int most = LongestOf(kLists, *field, kLongestList); count > most) {
        return Wrong(*field, absl::StrCat("at most ", most, " of them"));
      }
      if (auto status = CheckField(message, *field, count, depth); !status.ok()) return status;
      if (cell && std::abs(std::int64_t{reflection.GetInt32(message, field)}) > kLargestCell) {
        return Wrong(*field, "it lies too far away to be on a table");
      }
    }
    return absl::OkStatus();
  }

 private:
  static absl::Status Wrong(const FieldDescriptor& field, const std::string& what) {
    return absl::InvalidArgumentError(absl::StrCat(field.name(), ": ", what));
  }

  absl::Status CheckField(const Message& message, const FieldDescriptor& field, int count,
                          int depth) {
    const Reflection& reflection = *message.GetReflection();
    for (int i = 0; i < count; ++i) {
      if (field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
        const Message& inner = field.is_repeated()
                                   ? reflection.GetRepeatedMessage(message, &field, i)
                                   : reflection.GetMessage(message, &field);
        if (auto status = Check(inner, depth + 1); !status.ok()) return status;
      } else if (field.cpp_type() == FieldDescriptor::CPPTYPE_STRING) {
        std::string scratch;
        const std::string& text =
            field.is_repeated()
                ? reflection.GetRepeatedStringReference(message, &field, i, &scratch)
                : reflection.GetStringReference(message, &field, &scratch);
        if (auto status = CheckOne(field, text); !status.ok()) return status;
      }
    }
    return absl::OkStatus();
  }

  static absl::Status CheckOne(const FieldDescriptor& field, const std::string& text) {
    if (field.type() == FieldDescriptor::TYPE_BYTES) {
      if (text.size() <= kLongestBytes) return absl::OkStatus();
      return Wrong(field, absl::StrCat("at most ", kLongestBytes / 1024, " KiB"));
    }
    return CheckText(field.name().c_str(), text,
                     static_cast<std::size_t>(LongestOf(kTexts, field, kLongestText)));
  }

  int messages_ = 0;
};

}  // namespace

absl::Status CheckBounds(const Message& request) { return Bounds().Check(request, 0); }

}  // namespace tilewarden::services
