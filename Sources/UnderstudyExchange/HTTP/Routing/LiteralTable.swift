/// A flat hash table with open addressing from a node and the text of a segment to the next node.
struct LiteralTable: Sendable {
  private struct Edge {
    var parent: Int32
    var child: Int32
    var offset: Int32
    var length: Int32
  }

  private var bytes: [UInt8] = []
  private var edges: [Edge] = []
  /// Indices of edges, -1 where free; the count is a power of two, at least twice that of the edges.
  private var slots: [Int32] = [-1, -1]

  @inline(__always)
  func child(of node: Int, _ segment: UnsafeBufferPointer<UInt8>) -> Int? {
    var slot = Self.hash(node, segment) & (slots.count - 1)
    while slots[slot] >= 0 {
      let edge = edges[Int(slots[slot])]
      if Int(edge.parent) == node, Int(edge.length) == segment.count, text(of: edge, equals: segment) {
        return Int(edge.child)
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  mutating func insert(_ segment: [UInt8], from parent: Int, to child: Int) {
    edges.append(
      Edge(parent: Int32(parent), child: Int32(child), offset: Int32(bytes.count), length: Int32(segment.count)))
    bytes += segment
    if edges.count * 2 > slots.count {
      slots = Array(repeating: -1, count: slots.count * 4)
      for index in edges.indices { place(index) }
    } else {
      place(edges.count - 1)
    }
  }

  private mutating func place(_ index: Int) {
    let edge = edges[index]
    let hash = bytes[Int(edge.offset)..<Int(edge.offset + edge.length)].withUnsafeBufferPointer {
      Self.hash(Int(edge.parent), $0)
    }
    var slot = hash & (slots.count - 1)
    while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
    slots[slot] = Int32(index)
  }

  @inline(__always)
  private func text(of edge: Edge, equals segment: UnsafeBufferPointer<UInt8>) -> Bool {
    let start = Int(edge.offset)
    for position in 0..<segment.count where bytes[start + position] != segment[position] { return false }
    return true
  }

  @inline(__always)
  private static func hash(_ node: Int, _ segment: UnsafeBufferPointer<UInt8>) -> Int {
    let mixed = (UInt64(JSONDocument.hash(segment)) ^ UInt64(truncatingIfNeeded: node)) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: mixed >> 33)
  }
}
