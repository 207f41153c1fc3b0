/// A JSON value: a node of an immutable document.
///
/// It keeps the order of members, the spelling of numbers and duplicate keys. Strings compare by Unicode scalars rather
/// than by canonical equivalence, and numbers by value: `1 == 1.0` (JSON Schema Core 2020-12, 4.2.2).
public struct JSON: Sendable {
  package let document: JSONDocument
  package let index: Int

  package init(document: JSONDocument, index: Int) {
    self.document = document
    self.index = index
  }

  /// The JSON type of a value; containers come last.
  package enum Kind: UInt8, Sendable { case null, `false`, `true`, number, string, array, object }

  package var node: JSONDocument.Node { document.nodes[index] }

  /// The JSON type of this value.
  package var kind: Kind { node.kind }

  package var isNull: Bool { kind == .null }
  package var isObject: Bool { kind == .object }
  package var isArray: Bool { kind == .array }
  package var isString: Bool { kind == .string }

  /// The value of `true` or `false`; `nil` for anything else.
  public var bool: Bool? {
    switch kind {
    case .true: true
    case .false: false
    default: nil
    }
  }

  /// The text of a string; `nil` for anything else.
  public var string: String? {
    guard kind == .string else { return nil }
    return text
  }

  /// The text of a string, or the spelling of a number; empty for anything else.
  package var text: String {
    guard kind == .string || kind == .number else { return "" }
    return document.withBytes(of: index) { String(decoding: $0, as: UTF8.self) }
  }

  /// The value of a number.
  package var number: JSONNumber? {
    guard kind == .number else { return nil }
    return document.withBytes(of: index) { JSONNumber(spelling: Array($0)) }
  }

  /// The value of a number; `nil` for anything else. The nearest double, infinite where the number is out of range.
  public var double: Double? { number?.double }

  /// The value of a number that is a mathematical integer within `Int`, such as `1.0`; `nil` for anything else.
  public var int: Int? {
    let node = node
    guard node.kind == .number else { return nil }
    return node.isSmallInteger ? Int(Int32(bitPattern: node.hash)) : number?.int
  }

  /// The number of elements or members; 0 for anything else.
  package var count: Int {
    switch kind {
    case .array, .object: Int(node.count)
    default: 0
    }
  }

  /// The name of the type for messages.
  package var kindName: String {
    switch kind {
    case .null: "null"
    case .true, .false: "boolean"
    case .number: "number"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    }
  }
}

// MARK: - Children

extension JSON {
  /// The value of the member `key` of an object; the last one of duplicate keys, `nil` without one.
  public subscript(key: String) -> JSON? {
    member(named: key)?.value
  }

  /// The element of an array at `position`, from 0; `nil` if it has none.
  public subscript(position: Int) -> JSON? {
    guard kind == .array, position >= 0, position < count else { return nil }
    var child = index + 1
    for _ in 0..<position { child = document.end(of: child) }
    return JSON(document: document, index: child)
  }

  /// The elements of an array; `nil` for anything else.
  public var array: [JSON]? { isArray ? Array(elements) : nil }

  package func member(utf8 key: UnsafeBufferPointer<UInt8>) -> Member? {
    guard kind == .object else { return nil }
    let hash = JSONDocument.hash(key)
    var found: Member?
    var child = index + 1
    for _ in 0..<count {
      let node = document.nodes[child]
      if node.hash == hash, Int(node.count) == key.count, document.withBytes(of: child, { utf8Equals($0, key) }) {
        found = Member(document: document, index: child)
        if document.duplicates.isEmpty { break }
      }
      child = document.end(of: child + 1)
    }
    return found
  }

  package func member(named name: String) -> Member? {
    var name = name
    return name.withUTF8 { member(utf8: $0) }
  }

  /// The key of a member, as a value with a position.
  package func key(_ name: String) -> JSON? { member(named: name)?.key }

  /// The elements of an array, in order; empty for anything else.
  package var elements: Elements { Elements(document: document, child: index + 1, count: isArray ? count : 0) }

  /// The members of an object, in order; empty for anything else.
  package var members: Members {
    Members(keys: Elements(document: document, child: index + 1, count: isObject ? count : 0))
  }

  /// One member of an object.
  package struct Member: Sendable {
    let document: JSONDocument
    package let index: Int

    /// The key, as a string value with a position.
    package var key: JSON { JSON(document: document, index: index) }
    /// The name of the key.
    package var name: String { key.text }
    /// The value.
    package var value: JSON { JSON(document: document, index: index + 1) }
  }

  /// The elements of an array.
  package struct Elements: Sequence, IteratorProtocol, Sendable {
    fileprivate let document: JSONDocument
    fileprivate var child: Int
    /// The number of elements left.
    package fileprivate(set) var count: Int

    package mutating func next() -> JSON? {
      guard count > 0 else { return nil }
      count -= 1
      defer { child = document.end(of: child) }
      return JSON(document: document, index: child)
    }
  }

  /// The members of an object.
  package struct Members: Sequence, IteratorProtocol, Sendable {
    fileprivate var keys: Elements

    /// The number of members left.
    package var count: Int { keys.count }

    package mutating func next() -> Member? {
      guard let key = keys.next() else { return nil }
      defer { keys.child = keys.document.end(of: keys.child) }
      return Member(document: key.document, index: key.index)
    }
  }
}

// MARK: - Equality

extension JSON: Equatable {
  /// Deep equality: numbers by value, strings by scalars, objects without order.
  public static func == (a: JSON, b: JSON) -> Bool {
    if a.document === b.document, a.index == b.index { return true }
    guard a.kind == b.kind else { return false }
    switch a.kind {
    case .null, .true, .false: return true
    case .string: return a.hasSameBytes(as: b)
    case .number: return a.hasSameBytes(as: b) || a.number == b.number
    case .array: return a.count == b.count && zip(a.elements, b.elements).allSatisfy(==)
    case .object:
      return a.count == b.count
        && a.members.allSatisfy { member in
          member.key.document.withBytes(of: member.key.index) { b.member(utf8: $0)?.value } == member.value
        }
    }
  }

  private func hasSameBytes(as other: JSON) -> Bool {
    document.withBytes(of: index) { mine in other.document.withBytes(of: other.index) { mine.elementsEqual($0) } }
  }

  /// Whether this is a string of exactly these scalars.
  package func isString(_ text: String) -> Bool {
    isString && document.withBytes(of: index) { $0.elementsEqual(text.utf8) }
  }
}

// MARK: - Positions

extension JSON {
  /// The byte offsets of the value in its source; `nil` without a source map.
  package var range: Range<Int>? {
    guard let range = document.ranges?[index] else { return nil }
    return Int(range.start)..<max(Int(range.start), Int(range.end))
  }

  /// The pointer from the document's root to this value, or to the value of this key.
  package var pointer: JSONPointer {
    var tokens: [String] = []
    var current = 0
    // Children follow their parent in order, so comparing indices finds the path. Numbers alone, since objects have thousands
    // of members.
    while current < index {
      let isObject = document.nodes[current].kind == .object
      let end = document.end(of: current)
      var (child, position) = (current + 1, 0)
      while child < end, case let next = document.end(of: isObject ? child + 1 : child), next <= index {
        (child, position) = (next, position + 1)
      }
      guard child < end else { break }
      tokens.append(isObject ? JSON(document: document, index: child).text : String(position))
      if isObject, child == index { break }
      current = isObject ? child + 1 : child
    }
    return JSONPointer(tokens)
  }
}
