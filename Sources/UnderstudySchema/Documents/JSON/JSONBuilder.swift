/// Builds a document value by value, in document order.
package struct JSONBuilder {
  package var nodes: [JSONDocument.Node] = []
  package var bytes: [UInt8] = []
  package private(set) var ranges: [JSONDocument.SourceRange]?
  /// The innermost open array or object; -1 for none. Until it ends, its `hash` holds the index of the enclosing one.
  private var open = -1
  package private(set) var depth = 0

  /// - Parameter withRanges: Whether to build a source map; each value then needs a range.
  package init(withRanges: Bool = false) { ranges = withRanges ? [] : nil }

  /// Reserves memory for a text of `count` bytes; memory that is not touched costs nothing.
  package mutating func reserve(forText count: Int, nodes nodeCount: Int? = nil) {
    let nodeCount = nodeCount ?? count / 24 + 4
    bytes.reserveCapacity(count)
    nodes.reserveCapacity(nodeCount)
    ranges?.reserveCapacity(nodeCount)
  }

  package mutating func append(_ value: JSON.Kind, at range: Range<Int>? = nil) {
    push(JSONDocument.Node(kind: value), at: range)
  }

  package mutating func append(_ value: Bool, at range: Range<Int>? = nil) {
    append(value ? JSON.Kind.true : .false, at: range)
  }

  package mutating func append(_ value: Int) { append(number: Array(String(value).utf8)) }

  package mutating func append(string: some Collection<UInt8>, at range: Range<Int>? = nil) {
    push(JSONDocument.Node(kind: .string, count: UInt32(string.count), offset: UInt32(bytes.count)), at: range)
    bytes.append(contentsOf: string)
  }

  /// As the generic one, which is not specialized for callers in other modules.
  package mutating func append(text: ArraySlice<UInt8>) { append(string: text) }

  package mutating func append(_ value: String) {
    var value = value
    value.withUTF8 { append(string: $0) }
  }

  package mutating func append(key: some Collection<UInt8>, at range: Range<Int>? = nil) {
    let start = bytes.count
    append(string: key, at: range)
    let hash = bytes.withUnsafeBufferPointer { JSONDocument.hash(UnsafeBufferPointer(rebasing: $0[start...])) }
    nodes[nodes.count - 1].hash = hash
  }

  package mutating func append(key: String) {
    var key = key
    key.withUTF8 { append(key: $0) }
  }

  /// `spelling` must match the JSON grammar of numbers.
  package mutating func append(number spelling: some Collection<UInt8>, at range: Range<Int>? = nil) {
    var node = JSONDocument.Node(kind: .number, count: UInt32(spelling.count), offset: UInt32(bytes.count))
    if let value = Self.smallInteger(spelling) {
      node.isSmallInteger = true
      node.hash = UInt32(bitPattern: value)
    }
    push(node, at: range)
    bytes.append(contentsOf: spelling)
  }

  /// As the generic one, which is not specialized for callers in other modules.
  package mutating func append(decimal spelling: ArraySlice<UInt8>) { append(number: spelling) }

  /// The value of a spelling such as `-12`; `nil` for fractions, exponents and what does not fit.
  private static func smallInteger(_ spelling: some Collection<UInt8>) -> Int32? {
    guard spelling.count <= 10 else { return nil }
    var value: Int64 = 0
    let isNegative = spelling.first == UInt8(ascii: "-")
    for byte in spelling.dropFirst(isNegative ? 1 : 0) {
      guard 48...57 ~= byte else { return nil }
      value = value * 10 + Int64(byte - 48)
    }
    return Int32(exactly: isNegative ? -value : value)
  }

  /// Opens an array or object; `end` closes it.
  package mutating func begin(_ kind: JSON.Kind, at range: Range<Int>? = nil) {
    push(JSONDocument.Node(kind: kind, hash: UInt32(open + 1)), at: range)
    open = nodes.count - 1
    depth += 1
  }

  package mutating func end(upTo sourceEnd: Int? = nil) {
    let index = open
    open = Int(nodes[index].hash) - 1
    depth -= 1
    nodes[index].hash = 0
    nodes[index].offset = UInt32(nodes.count)
    // Keys were counted like values.
    if nodes[index].kind == .object { nodes[index].count /= 2 }
    if let sourceEnd { ranges?[index].end = UInt32(sourceEnd) }
  }

  /// Copies a value of any document with all its descendants.
  package mutating func append(_ value: JSON) {
    let source = value.document
    let end = source.end(of: value.index)
    let shift = nodes.count - value.index
    for index in value.index..<end {
      var node = source.nodes[index]
      switch node.kind {
      case .array, .object: node.offset = UInt32(Int(node.offset) + shift)
      case .string, .number:
        let start = bytes.count
        source.withBytes(of: index) { bytes.append(contentsOf: $0) }
        node.offset = UInt32(start)
      default: break
      }
      nodes.append(node)
      ranges?.append(source.ranges?[index] ?? JSONDocument.SourceRange(start: 0, end: 0))
    }
    if open >= 0 { nodes[open].count += 1 }
  }

  /// Repeats a complete value of this document; only its root gets the new range. Returns its nesting depth.
  mutating func repeatValue(at index: Int, range: Range<Int>) -> Int {
    let root = nodes[index]
    let end = root.kind == .array || root.kind == .object ? Int(root.offset) : index + 1
    let copy = nodes.count
    var ends: [Int] = []
    var height = 0
    for source in index..<end {
      while let last = ends.last, source >= last { ends.removeLast() }
      var node = nodes[source]
      if node.kind == .array || node.kind == .object {
        ends.append(Int(node.offset))
        height = max(height, ends.count)
        node.offset += UInt32(copy - index)
      }
      nodes.append(node)
      if let range = ranges?[source] { ranges?.append(range) }
    }
    // A former key may now be a value.
    if root.kind == .string { nodes[copy].hash = 0 }
    ranges?[copy] = JSONDocument.SourceRange(start: range.lowerBound, end: range.upperBound)
    if open >= 0 { nodes[open].count += 1 }
    return height
  }

  /// A state to return to.
  package struct Mark {
    fileprivate let nodes: Int
    fileprivate let bytes: Int
    fileprivate let open: Int
    fileprivate let depth: Int
    fileprivate let siblings: UInt32
  }

  package var mark: Mark {
    Mark(
      nodes: nodes.count, bytes: bytes.count, open: open, depth: depth, siblings: open >= 0 ? nodes[open].count : 0)
  }

  /// Removes all values since a mark.
  package mutating func rewind(to mark: Mark) {
    let surplus = nodes.count - mark.nodes
    nodes.removeLast(surplus)
    ranges?.removeLast(surplus)
    bytes.removeLast(bytes.count - mark.bytes)
    (open, depth) = (mark.open, mark.depth)
    if open >= 0 { nodes[open].count = mark.siblings }
  }

  package mutating func finish(source: SourceFile? = nil, duplicates: [TextProblem] = []) -> JSONDocument {
    precondition(open < 0 && !nodes.isEmpty, "a document has exactly one root")
    return JSONDocument(nodes: nodes, bytes: bytes, ranges: ranges, source: source, duplicates: duplicates)
  }

  private mutating func push(_ node: JSONDocument.Node, at range: Range<Int>?) {
    if open >= 0 { nodes[open].count += 1 }
    nodes.append(node)
    ranges?.append(JSONDocument.SourceRange(start: range?.lowerBound ?? 0, end: range?.upperBound ?? 0))
  }
}

// MARK: - Literals

/// Values written in Swift: `["payload": [], "count": 3, "next": .null]`.
extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// A string.
  public init(stringLiteral value: String) { self = .make { $0.append(value) } }
  /// An integer.
  public init(integerLiteral value: Int) { self = .make { $0.append(value) } }
  /// A number.
  public init(floatLiteral value: Double) { self = .make { $0.append(number: Array("\(value)".utf8)) } }
  /// `true` or `false`.
  public init(booleanLiteral value: Bool) { self = .make { $0.append(value) } }
  /// An array.
  public init(arrayLiteral elements: JSON...) { self = .array(elements) }
  /// An object; its members keep their order.
  public init(dictionaryLiteral members: (String, JSON)...) { self = .object(members) }

  /// `null`, which has no literal: `nil` in a conditional expression would be a value instead of none.
  public static let null = JSON.make { $0.append(.null) }

  package static func string(_ value: String) -> JSON { JSON(stringLiteral: value) }

  package static func array(_ elements: some Sequence<JSON>) -> JSON {
    make { builder in
      builder.begin(.array)
      for element in elements { builder.append(element) }
      builder.end()
    }
  }

  package static func object(_ members: some Sequence<(String, JSON)>) -> JSON {
    make { builder in
      builder.begin(.object)
      for (name, value) in members {
        builder.append(key: name)
        builder.append(value)
      }
      builder.end()
    }
  }

  /// An object without the members whose value is `nil`.
  package static func object(_ members: (String, JSON?)...) -> JSON { .object(present: members) }

  package static func object(present members: [(String, JSON?)]) -> JSON {
    .object(members.compactMap { name, value in value.map { (name, $0) } })
  }

  package static func integer(_ value: Int) -> JSON { JSON(integerLiteral: value) }

  package static func make(_ build: (inout JSONBuilder) -> Void) -> JSON {
    var builder = JSONBuilder()
    build(&builder)
    return builder.finish().root
  }
}
