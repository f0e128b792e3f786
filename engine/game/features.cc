#include "engine/game/features.h"

#include <utility>

namespace tilewarden::engine {

void Features::Join(int a, int b, int closes) {
  a = Find(a);
  b = Find(b);
  if (a == b) {
    if (closes == 0) return;
    AddOpen(a, -closes);
    log_.push_back({~a, closes});
    return;
  }
  if (at(a).size < at(b).size) std::swap(a, b);
  Node& root = Get(a);
  Node& child = Get(b);
  child.parent = a;
  root.size += child.size;
  root.open = static_cast<std::int16_t>(root.open + child.open - closes);
  root.figures += child.figures;
  std::swap(root.next, child.next);
  log_.push_back({b, closes});
}

void Features::UndoTo(std::size_t joins) {
  while (log_.size() > joins) {
    const Entry entry = log_.back();
    log_.pop_back();
    if (entry.root < 0) {
      AddOpen(~entry.root, entry.closes);
      continue;
    }
    Node& child = Get(entry.root);
    Node& root = Get(child.parent);
    std::swap(root.next, child.next);
    root.figures -= child.figures;
    root.open = static_cast<std::int16_t>(root.open - child.open + entry.closes);
    root.size -= child.size;
    child.parent = entry.root;
  }
}

void Features::InsertPlayer(int position) {
  const int shift = 8 * position;
  const std::uint64_t below = (std::uint64_t{1} << shift) - 1;
  for (Node& node : nodes_) {
    node.figures = (node.figures & below) | ((node.figures & ~below) << 8);
  }
}

}  // namespace tilewarden::engine
