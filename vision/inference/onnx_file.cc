#include "vision/inference/onnx_file.h"

#include <cstring>
#include <utility>

namespace tilewarden::vision {
namespace {

// ONNX is protobuf: fields of a number and a type each, one after the other.
constexpr int kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5;

struct Field {
  int number = 0, type = 0;
  std::uint64_t value = 0;  // of a varint
  std::string_view bytes;   // of all others
};

// The fields of a message, front to back.
class Fields {
 public:
  explicit Fields(std::string_view bytes) : rest_(bytes) {}

  // Nothing at the end, and where the bytes are torn: then broken() is true.
  std::optional<Field> Next() {
    if (rest_.empty()) return std::nullopt;
    Field field;
    const std::optional<std::uint64_t> key = Varint();
    if (!key) return std::nullopt;
    field.number = static_cast<int>(*key >> 3);
    field.type = static_cast<int>(*key & 7);
    std::optional<std::uint64_t> size = 0;
    if (field.type == kVarint) {
      const std::optional<std::uint64_t> value = Varint();
      if (!value) return std::nullopt;
      field.value = *value;
      return field;
    }
    if (field.type == kBytes) {
      size = Varint();
    } else if (field.type == kFixed64 || field.type == kFixed32) {
      size = field.type == kFixed64 ? 8 : 4;
    } else {
      size.reset();
    }
    if (!size || *size > rest_.size()) {
      broken_ = true;
      return std::nullopt;
    }
    field.bytes = rest_.substr(0, *size);
    rest_.remove_prefix(*size);
    return field;
  }

  bool broken() const { return broken_; }

  std::optional<std::uint64_t> Varint() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
      const auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      value |= std::uint64_t{byte & 0x7FU} << shift;
      if (byte < 0x80) return value;
    }
    broken_ = true;
    return std::nullopt;
  }

  bool empty() const { return rest_.empty(); }

 private:
  std::string_view rest_;
  bool broken_ = false;
};

// Calls visit(field) for each field, which says whether it could be read.
template <typename Visit>
bool EachField(std::string_view message, const Visit& visit) {
  Fields fields(message);
  while (const std::optional<Field> field = fields.Next()) {
    if (!visit(*field)) return false;
  }
  return !fields.broken();
}

// Whole numbers, one by one or packed.
bool AddNumbers(const Field& field, std::vector<std::int64_t>& numbers) {
  if (field.type == kVarint) {
    numbers.push_back(static_cast<std::int64_t>(field.value));
    return true;
  }
  Fields packed(field.bytes);
  while (!packed.empty()) {
    const std::optional<std::uint64_t> value = packed.Varint();
    if (!value) return false;
    numbers.push_back(static_cast<std::int64_t>(*value));
  }
  return true;
}

bool ReadAttribute(std::string_view message, OnnxNode& node) {
  constexpr int kName = 1, kInt = 3, kInts = 8;
  std::string name;
  std::vector<std::int64_t> numbers;
  const bool read = EachField(message, [&](const Field& field) {
    if (field.number == kName) name = field.bytes;
    return (field.number != kInt && field.number != kInts) || AddNumbers(field, numbers);
  });
  if (read && !numbers.empty()) node.numbers.emplace(std::move(name), std::move(numbers));
  return read;
}

bool ReadNode(std::string_view message, OnnxNode& node) {
  constexpr int kInput = 1, kOutput = 2, kOperation = 4, kAttribute = 5;
  return EachField(message, [&](const Field& field) {
    if (field.number == kInput) node.inputs.emplace_back(field.bytes);
    if (field.number == kOutput) node.outputs.emplace_back(field.bytes);
    if (field.number == kOperation) node.operation = field.bytes;
    return field.number != kAttribute || ReadAttribute(field.bytes, node);
  });
}

bool ReadTensor(std::string_view message, std::string& name, OnnxTensor& tensor) {
  constexpr int kSizes = 1, kType = 2, kName = 8, kRaw = 9;
  constexpr std::uint64_t kFloat = 1;
  bool is_float = false;
  std::string_view raw;
  const bool read = EachField(message, [&](const Field& field) {
    if (field.number == kType) is_float = field.value == kFloat;
    if (field.number == kName) name = field.bytes;
    if (field.number == kRaw) raw = field.bytes;
    return field.number != kSizes || AddNumbers(field, tensor.sizes);
  });
  std::uint64_t count = 1;
  for (const std::int64_t size : tensor.sizes) {
    if (size <= 0 || static_cast<std::uint64_t>(size) > raw.size()) return false;
    count *= static_cast<std::uint64_t>(size);
    if (count > raw.size()) return false;
  }
  if (!read || !is_float || raw.size() != count * sizeof(float)) return false;
  tensor.values.resize(count);
  std::memcpy(tensor.values.data(), raw.data(), raw.size());  // both have the lowest byte first
  return true;
}

}  // namespace

std::optional<OnnxGraph> ParseOnnx(std::string_view bytes) {
  constexpr int kGraph = 7, kNode = 1, kLearned = 5;
  OnnxGraph graph;
  const auto add = [&](const Field& field) {
    if (field.number == kNode) return ReadNode(field.bytes, graph.nodes.emplace_back());
    if (field.number != kLearned) return true;
    std::string name;
    OnnxTensor tensor;
    if (!ReadTensor(field.bytes, name, tensor)) return false;
    graph.learned.emplace(std::move(name), std::move(tensor));
    return true;
  };
  const bool read = EachField(bytes, [&](const Field& field) {
    return field.number != kGraph || EachField(field.bytes, add);
  });
  if (!read || graph.nodes.empty()) return std::nullopt;
  return graph;
}

}  // namespace tilewarden::vision
