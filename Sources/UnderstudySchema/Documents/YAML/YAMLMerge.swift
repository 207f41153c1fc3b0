/// Resolves merge keys: `<<: *base` adds the members of `base` that the object does not have itself.
///
/// Merged members take the position of the `<<`. The first of several sources wins (yaml.org/type/merge.html).
struct YAMLMerge {
  /// The kind that marks a merge key in the document of the reader; other keys are strings.
  static let keyKind = JSON.Kind.null

  /// The document without merge keys; throws if the value of one is not an object or a list of objects.
  static func resolve(_ document: JSONDocument) throws(TextProblem) -> JSONDocument {
    var merge = YAMLMerge(document)
    try merge.run()
    return JSONDocument(
      nodes: merge.nodes, bytes: document.bytes, ranges: merge.ranges, source: document.source,
      duplicates: document.duplicates)
  }

  private enum Step {
    case copy(Int)
    /// The object or array at this index of the result is complete.
    case close(Int)
  }

  private let old: JSONDocument
  private var nodes: [JSONDocument.Node] = []
  private var ranges: [JSONDocument.SourceRange] = []

  private init(_ document: JSONDocument) { old = document }

  /// Copies the values by a list of steps, without recursion.
  private mutating func run() throws(TextProblem) {
    var steps = [Step.copy(0)]
    while let step = steps.popLast() {
      switch step {
      case .close(let index): nodes[index].offset = UInt32(nodes.count)
      case .copy(let index):
        let value = JSON(document: old, index: index)
        let position = nodes.count
        nodes.append(value.node)
        if let range = old.ranges?[index] { ranges.append(range) }
        switch value.kind {
        case .array:
          steps.append(.close(position))
          steps += value.elements.map { .copy($0.index) }.reversed()
        case .object:
          let keys = try members(of: value)
          nodes[position].count = UInt32(keys.count)
          steps.append(.close(position))
          for key in keys.reversed() { steps += [.copy(key + 1), .copy(key)] }
        default: break
        }
      }
    }
  }

  /// The indices of the keys that an object has after merging, in order.
  private func members(of object: JSON) throws(TextProblem) -> [Int] {
    guard object.members.contains(where: { $0.key.kind == Self.keyKind }) else {
      return object.members.map(\.key.index)
    }
    // First find the owner of each name, the nearest object that has it; then list the keys of the owners in order.
    var owners: [[UInt8]: Int] = [:]
    try visit(object) { object in
      for member in object.members.reversed() where member.key.kind != Self.keyKind {
        let name = member.key.bytes
        if owners[name] == nil { owners[name] = member.key.index }
      }
    }
    var keys: [Int] = []
    var pending = Array(object.members.reversed())
    while let member = pending.popLast() {
      if member.key.kind == Self.keyKind {
        for source in try sources(member.value).reversed() { pending += source.members.reversed() }
      } else if owners[member.key.bytes] == member.key.index {
        keys.append(member.key.index)
      }
    }
    return keys
  }

  /// Calls `body` with the object and the objects merged into it, the nearest first.
  private func visit(_ object: JSON, _ body: (JSON) -> Void) throws(TextProblem) {
    var pending = [object]
    while let object = pending.popLast() {
      body(object)
      var merged: [JSON] = []
      for member in object.members where member.key.kind == Self.keyKind { merged += try sources(member.value) }
      pending += merged.reversed()
    }
  }

  private func sources(_ value: JSON) throws(TextProblem) -> [JSON] {
    let sources = value.isArray ? Array(value.elements) : [value]
    for source in sources where !source.isObject {
      throw TextProblem(
        .syntax, "a merge key `<<` needs a mapping or a list of mappings, found \(source.kindName)",
        at: source.range ?? 0..<0, help: "quote the key if `<<` is meant as a name")
    }
    return sources
  }
}
