import UnderstudyMock

/// The parts of a target with the name of a lane: `/~alice/v1/user?a=1`.
package struct LaneTarget {
  package let name: String
  /// The rest, which is the target in the lane.
  package let path: String

  /// - Parameter target: Begins with `/~`.
  package init(_ target: String) {
    // As bytes: a combining mark after a slash belongs to the path.
    let rest = target.utf8.dropFirst(2)
    let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex
    name = String(target[rest.startIndex..<end])
    let tail = target[end...]
    path = tail.utf8.first == UInt8(ascii: "/") ? String(tail) : "/" + tail
  }

  /// The target that names a lane. A name with other characters than a lane may have is encoded, and refused later; a target
  /// that has a lane keeps it.
  static func path(_ target: String, in lane: String) -> String {
    guard target.utf8.first == UInt8(ascii: "/"), !target.hasPrefix("/~") else { return target }
    return "/~" + PercentEncoding.encode(lane, keeping: "") + target
  }
}
