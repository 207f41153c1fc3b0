/// `color[R]=100&color[G]=200` (queries). Deeper nesting and lists are undefined; `a[b][c]=1`, `a[b]=1&a[b]=2`,
/// `a[b][]=1` and `a[b][0]=1` are read and reported.
enum DeepObjectStyle {
  private static let depthLimit = 8

  static func split(
    _ pairs: WirePairs, _ declaration: WireDeclaration, _ notes: inout [DecodingProblem]
  ) throws(DecodingProblem) -> SerializedValue? {
    var root = Node()
    var isNested = false
    for item in pairs.items(below: declaration.name) {
      guard let keys = keys(of: item.name, below: declaration.name) else { continue }
      guard keys.count <= depthLimit else {
        throw DecodingProblem(.limit, item.name, "`\(item.name)` is nested more than \(depthLimit) levels deep")
      }
      isNested = isNested || keys.count > 1 || keys == [""]
      root.insert(item.raw, at: keys[...])
    }
    if root.isEmpty {
      guard let value = pairs.values(of: declaration.name).first else { return nil }
      let shown = String(decoding: value.raw.prefix(40), as: UTF8.self)
      throw declaration.problem(
        .style,
        "the \(declaration.label) has style deepObject; expected `\(declaration.name)[key]=value`, not "
          + "`\(declaration.name)=\(shown)`")
    }
    guard let value = root.value(isRoot: true) else {
      throw declaration.problem(.style, "the \(declaration.label) gives one key both a value and members")
    }
    if isNested || root.hasList {
      notes.append(
        declaration.problem(
          .style, "the \(declaration.label) nests in deepObject style, which no version of OpenAPI defines",
          isRecovered: true))
    }
    return value
  }

  /// `color[a][b]` as `a`, `b`; `nil` for other names.
  static func keys(of name: String, below prefix: String) -> [String]? {
    guard name.utf8.starts(with: prefix.utf8) else { return nil }
    var rest = name.utf8.dropFirst(prefix.utf8.count)
    var keys: [String] = []
    while !rest.isEmpty {
      guard rest.first == UInt8(ascii: "["), let close = rest.firstIndex(of: UInt8(ascii: "]")) else { return nil }
      keys.append(String(decoding: rest.dropFirst().prefix(upTo: close), as: UTF8.self))
      rest = rest[rest.index(after: close)...]
    }
    return keys.isEmpty ? nil : keys
  }

  private struct Node {
    var values: [ArraySlice<UInt8>] = []
    var members: [(name: String, node: Node)] = []
    var indices: [WireName: Int] = [:]

    var isEmpty: Bool { values.isEmpty && members.isEmpty }
    var hasList: Bool { values.count > 1 || members.contains { $0.node.hasList } }

    mutating func insert(_ raw: ArraySlice<UInt8>, at keys: ArraySlice<String>) {
      guard let key = keys.first else { return values.append(raw) }
      if let index = indices[WireName(key)] {
        members[index].node.insert(raw, at: keys.dropFirst())
      } else {
        indices[WireName(key)] = members.count
        members.append((key, Node()))
        members[members.count - 1].node.insert(raw, at: keys.dropFirst())
      }
    }

    /// `nil` when a key has both a value and members.
    func value(isRoot: Bool = false) -> SerializedValue? {
      guard members.isEmpty || values.isEmpty else { return nil }
      if let first = values.first { return values.count == 1 ? .text(first) : .list(values.map { .text($0) }) }
      var parts: [(name: String, value: SerializedValue)] = []
      for (name, node) in members {
        guard let value = node.value() else { return nil }
        parts.append((name, value))
      }
      let isList = parts.allSatisfy { part in part.name.utf8.allSatisfy { 48...57 ~= $0 } }
      guard isList, !isRoot else { return .members(parts) }
      // `a[]=1&a[]=2` collects its values under one empty key.
      return .list(parts.flatMap { part in if case .list(let inner) = part.value { inner } else { [part.value] } })
    }
  }
}
