/// Copies a value with only the last one of duplicate names.
///
/// Nothing here recurses: a value may be nested deeper than a small stack holds.
enum UniqueMembers {
  /// An array or object that is being copied.
  private struct Container {
    /// The node after its last descendant.
    let end: Int
    let sourceEnd: Int?
    /// The keys of an object that count.
    let keys: Set<Int>?
  }

  static func copy(_ value: JSON) -> JSON {
    let document = value.document
    var builder = JSONBuilder(withRanges: document.ranges != nil)
    var open: [Container] = []
    var index = value.index
    let end = document.end(of: index)
    while true {
      while let last = open.last, index >= last.end {
        builder.end(upTo: last.sourceEnd)
        open.removeLast()
      }
      guard index < end else { break }
      if let keys = open.last?.keys {
        guard keys.contains(index) else {
          index = document.end(of: index + 1)
          continue
        }
        let key = JSON(document: document, index: index)
        builder.append(key: key.bytes, at: key.range)
        index += 1
      }
      let next = JSON(document: document, index: index)
      if next.isArray || next.isObject {
        builder.begin(next.kind, at: next.range)
        let keys = next.isObject ? lastKeys(of: next) : nil
        open.append(Container(end: document.end(of: index), sourceEnd: next.range?.upperBound, keys: keys))
      } else {
        builder.append(next)
      }
      index += 1
    }
    return builder.finish(source: document.source).root
  }

  /// The nodes of the keys that no later one shadows.
  private static func lastKeys(of object: JSON) -> Set<Int> {
    var last: [[UInt8]: Int] = [:]
    for member in object.members { last[member.key.bytes] = member.key.index }
    return Set(last.values)
  }
}
