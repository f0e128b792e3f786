// Which segments of laid tiles belong together: a union-find whose unions can
// be taken back exactly, last first. Each segment of each tile is a node; each
// feature is known by its root. A value; not thread safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/tiles/tile_set.h"

namespace tilewarden::engine {

class Features {
 public:
  struct Node {
    std::int32_t parent;  // itself: a root
    std::int32_t next;    // the feature's nodes form a ring
    std::int32_t tile;    // number of the tile laid
    std::int32_t size;    // nodes below a root
    // Of a root: edges, or neighbours of a plot, still missing.
    std::int16_t open;
    SegmentKind kind;
    // Of a root: what its figures count for, by player, one byte each.
    std::uint64_t figures;
    friend bool operator==(const Node&, const Node&) = default;
  };

  int Add(int tile, SegmentKind kind, int open) {
    const auto id = static_cast<std::int32_t>(nodes_.size());
    nodes_.push_back({id, id, tile, 1, static_cast<std::int16_t>(open), kind, 0});
    return id;
  }
  // Room for so many more segments.
  void Reserve(std::size_t more) {
    nodes_.reserve(nodes_.size() + more);
    log_.reserve(log_.size() + more);
  }
  // Removes the nodes from this one on; no union may hold them any more.
  void Drop(int first) { nodes_.resize(static_cast<std::size_t>(first)); }

  int Find(int node) const {
    while (at(node).parent != node) node = at(node).parent;
    return node;
  }

  // Joins two segments across an edge; `closes` open ends meet there.
  void Join(int a, int b, int closes);
  // Unions so far; and going back to that many.
  std::size_t joins() const { return log_.size(); }
  void UndoTo(std::size_t joins);

  void AddOpen(int root, int change) {
    Get(root).open = static_cast<std::int16_t>(Get(root).open + change);
  }
  void AddFigure(int root, int player, std::uint64_t strength) {
    Get(root).figures += strength << (8 * player);
  }
  void RemoveFigure(int root, int player, std::uint64_t strength) {
    Get(root).figures -= strength << (8 * player);
  }
  // Makes room for a player at this place in the order.
  void InsertPlayer(int position);

  const Node& at(int node) const { return nodes_[static_cast<std::size_t>(node)]; }
  int size() const { return static_cast<int>(nodes_.size()); }

  // Calls visit(node) for every segment of a feature.
  template <typename Visit>
  void ForEach(int node, Visit visit) const {
    int i = node;
    do {
      visit(i);
      i = at(i).next;
    } while (i != node);
  }

  std::size_t MemoryUsed() const {
    return nodes_.capacity() * sizeof(Node) + log_.capacity() * sizeof(Entry);
  }

 private:
  Node& Get(int node) { return nodes_[static_cast<std::size_t>(node)]; }

  // What Join did: the root that lost its place, or the complement of the root
  // whose own ends met; with the ends that closed.
  struct Entry {
    std::int32_t root;
    std::int32_t closes;
  };
  std::vector<Node> nodes_;
  std::vector<Entry> log_;
};

}  // namespace tilewarden::engine
