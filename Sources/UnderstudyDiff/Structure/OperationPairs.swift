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
    let rest = Set(left.values.joined().map { Place(path: $0.path, node: $0.node.id) })
    removed = old.filter { rest.contains(Place(path: $0.path, node: $0.node.id)) }
  }

  /// An operation of one path; several paths may share a path item.
  private struct Place: Hashable {
    let path: String
    let node: NodeID
  }

  private static func key(_ operation: Operation, _ prefix: String) -> Key {
    Key(method: operation.method, shape: shape(Self.path(operation.path, without: prefix)))
  }

  /// The path below a prefix of whole segments.
  private static func path(_ path: String, without prefix: String) -> String {
    guard !prefix.isEmpty, path.hasUTF8Prefix(prefix) else { return path }
    let rest = String(decoding: path.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
    let isWhole = prefix.utf8.last == UInt8(ascii: "/") || rest.isEmpty || rest.utf8.first == UInt8(ascii: "/")
    return isWhole ? rest.utf8.first == UInt8(ascii: "/") ? rest : "/\(rest)" : path
  }

  static func shape(_ path: String) -> [[PathTemplate.Part]] { PathTemplate(path).shape }
}

/// The path of a server's URL.
enum ServerBase {
  static func path(of server: Server) -> String {
    let url = server.variables.reduce(server.url) { url, variable in
      url.replacing("{\(variable.name)}", with: variable.defaultValue)
    }
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

  var isMultipart: Bool { type == "multipart" }

  /// Whether its properties are parts with encodings.
  var isForm: Bool { isMultipart || subtype == "x-www-form-urlencoded" }

  /// The range as written, without a charset.
  var name: String { "\(type)/\(subtype)" + (parameters.isEmpty ? "" : ";\(parameters)") }

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
