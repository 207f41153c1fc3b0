/// A set of JSON types with integers apart from other numbers; testing a node takes one step.
package struct JSONTypeSet: OptionSet, BitwiseCopyable, Sendable, Hashable {
  package let rawValue: UInt8

  @inline(__always)
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The type that the kind of a node proves; it does not prove that a number is an integer.
  @inline(__always)
  init(_ kind: JSON.Kind) { rawValue = 1 << kind.rawValue }

  package static let null = JSONTypeSet(.null)
  package static let boolean: JSONTypeSet = [JSONTypeSet(.false), JSONTypeSet(.true)]
  /// `number`, integers included.
  package static let number = JSONTypeSet(rawValue: 1 << JSON.Kind.number.rawValue | 1 << 7)
  package static let string = JSONTypeSet(.string)
  package static let array = JSONTypeSet(.array)
  package static let object = JSONTypeSet(.object)
  /// Numbers that are mathematical integers, the only type that the kind of a node does not decide.
  package static let integer = JSONTypeSet(rawValue: 1 << 7)
  /// Every value.
  package static let any = JSONTypeSet(rawValue: .max)
  /// The types, other than `null`, that a text without quotes may have.
  package static let primitive: JSONTypeSet = [.boolean, .number, .string]
  /// Arrays and objects.
  package static let composite: JSONTypeSet = [.array, .object]

  // Other modules call these, not the generic ones of `SetAlgebra`, which are slow across a module boundary.
  package func contains(_ other: JSONTypeSet) -> Bool { rawValue & other.rawValue == other.rawValue }

  package func isDisjoint(with other: JSONTypeSet) -> Bool { rawValue & other.rawValue == 0 }

  package static func == (a: JSONTypeSet, b: JSONTypeSet) -> Bool { a.rawValue == b.rawValue }

  /// The type of a kind: both booleans, all numbers.
  init(naming kind: JSON.Kind) {
    switch kind {
    case .true, .false: self = .boolean
    case .number: self = .number
    case .null, .string, .array, .object: self.init(kind)
    }
  }

  /// The type of a value, with integers apart from other numbers.
  package init(of value: JSON) {
    if let number = value.number {
      self = number.isInteger ? .integer : .number.subtracting(.integer)
    } else {
      self.init(naming: value.kind)
    }
  }

  /// The names, in the order of messages.
  private static let named: [(String, JSONTypeSet)] = [
    ("string", .string), ("integer", .integer), ("number", .number), ("boolean", .boolean), ("object", .object),
    ("array", .array), ("null", .null),
  ]

  /// All names of types.
  package static let allNames = named.map(\.0)

  /// The names of the types, in a fixed order; `number` covers `integer`.
  package var names: [String] {
    let covered: JSONTypeSet = contains(.number) ? .integer : contains(.integer) ? .number : []
    return Self.named.filter { !isDisjoint(with: $0.1) && $0.1 != covered }.map(\.0)
  }
}

// MARK: - `type`

extension JSONTypeSet {
  /// The types that a schema object allows by `type`; `nil` without a restriction.
  ///
  /// `nullable` (OpenAPI 3.0.3, 4.7.24) and the extension `x-nullable` (Swagger 2.0) count only in their own dialect,
  /// and only add to the `type` in the same object. In JSON Schema and OpenAPI 3.1, `null` is a type name (Validation
  /// 2020-12, 6.1.1).
  package init?(schema: JSON, dialect: Dialect) {
    guard dialect.keywords.contains(.type), let type = schema[Keyword.type.name] else { return nil }
    self.init(
      type: type,
      isNullable: [.nullable, .xNullable].contains { (keyword: Keyword) in
        dialect.keywords.contains(keyword) && schema[keyword.name]?.bool == true
      })
  }

  /// The types of a `type`; `nil` without a restriction, as for an empty list, an unknown name, or `file`.
  init?(type: JSON, isNullable: Bool) {
    self.init(type: type.index, in: type.document, isNullable: isNullable)
  }

  /// The same for a node, without the reference counting of `JSON`, for the compiler.
  init?(type node: Int, in document: JSONDocument, isNullable: Bool) {
    if document.nodes[node].kind == .array {
      self = []
      var name = node + 1
      for _ in 0..<document.nodes[node].count {
        guard let types = JSONTypeSet(name: name, in: document) else { return nil }
        formUnion(types)
        name = document.end(of: name)
      }
    } else {
      guard let types = JSONTypeSet(name: node, in: document) else { return nil }
      self = types
    }
    if isNullable { insert(.null) }
    if isEmpty { return nil }
  }

  /// The types of a name; `nil` for anything else.
  init?(name: JSON) { self.init(name: name.index, in: name.document) }

  private init?(name node: Int, in document: JSONDocument) {
    guard document.nodes[node].kind == .string, let types = document.withBytes(of: node, Self.types) else { return nil }
    self = types
  }

  /// The types of a name, found by its first letter: a table would have to be looked up first.
  private static func types(named name: UnsafeBufferPointer<UInt8>) -> JSONTypeSet? {
    let (known, types): (StaticString, JSONTypeSet) =
      switch name.first {
      case UInt8(ascii: "s"): ("string", .string)
      case UInt8(ascii: "o"): ("object", .object)
      case UInt8(ascii: "i"): ("integer", .integer)
      case UInt8(ascii: "a"): ("array", .array)
      case UInt8(ascii: "b"): ("boolean", .boolean)
      case UInt8(ascii: "n") where name.count == 4: ("null", .null)
      default: ("number", .number)
      }
    return known.withUTF8Buffer { utf8Equals($0, name) } ? types : nil
  }
}
