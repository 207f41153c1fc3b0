/// The operations of two versions, matched by method and by the shape of the path.
struct OperationPairs {
  private(set) var common: [(old: Operation, new: Operation)] = []
  private(set) var removed: [Operation] = []
  private(set) var added: [Operation] = []

  private struct Key: Hashable {
    let method: String
    let shape: [[PathTemplate.Part]]
  }

  init(_ old: [Operation], _ new: [Operation], _ options: ContractDiff.Options) {
    var left = Dictionary(grouping: old) { Self.key($0, options.oldPrefix) }
    for operation in new {
      let key = Self.key(operation, options.newPrefix)
      guard var same = left[key], !same.isEmpty else {
        added.append(operation)
        continue
      }
      let position = same.firstIndex { $0.path.utf8Equals(operation.path) } ?? 0
      common.append((same.remove(at: position), operation))
      left[key] = same
    }
    let rest = left.values.flatMap { $0 }
    removed = old.filter { operation in rest.contains { $0.node.id == operation.node.id && $0.path == operation.path } }
  }

  private static func key(_ operation: Operation, _ prefix: String) -> Key {
    let hasPrefix = !prefix.isEmpty && operation.path.hasUTF8Prefix(prefix)
    return Key(
      method: operation.method,
      shape: shape(hasPrefix ? String(operation.path.dropFirst(prefix.count)) : operation.path))
  }

  static func shape(_ path: String) -> [[PathTemplate.Part]] { PathTemplate(path).shape }
}

/// The path of a server's URL.
enum ServerBase {
  static func path(of url: String) -> String {
    let path = URIReference(url).path
    return path.utf8.last == UInt8(ascii: "/") ? String(path.dropLast()) : path
  }
}

extension Operation {
  /// The method's key in its path item, or the operation itself.
  var keyNode: JSON { pathNode.key(method.lowercased()) ?? node }
}

/// A media type or range without parameters that do not select a schema.
struct MediaRange: Hashable {
  let type: String
  let subtype: String
  let parameters: String

  init(_ text: String) {
    let pieces = text.lowercased().split(separator: ";").map { $0.filter { $0 != " " } }
    let names = (pieces.first ?? "").split(separator: "/", maxSplits: 1).map(String.init)
    type = names.first ?? ""
    subtype = names.count > 1 ? names[1] : "*"
    parameters = pieces.dropFirst().filter { !$0.hasPrefix("charset=") }.sorted().joined(separator: ";")
  }

  /// Whether it includes every media type of another range.
  func covers(_ other: MediaRange) -> Bool {
    (type == "*" || type == other.type) && (subtype == "*" || subtype == other.subtype)
      && (parameters.isEmpty || parameters == other.parameters)
  }
}

extension [MediaTypeObject] {
  /// The entry with a media type, or the narrowest range that covers it.
  func entry(for range: String) -> MediaTypeObject? {
    let wanted = MediaRange(range)
    return first { MediaRange($0.range) == wanted }
      ?? filter { MediaRange($0.range).covers(wanted) }.max { MediaRange($1.range).covers(MediaRange($0.range)) }
  }
}
