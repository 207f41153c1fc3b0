import SourceText

/// A set of JSON types, as a mask that tests a node in one step.
struct Kinds: OptionSet, Sendable, Hashable {
  let rawValue: UInt8

  @inline(__always)
  init(rawValue: UInt8) { self.rawValue = rawValue }

  @inline(__always)
  init(_ kind: JSON.Kind) { rawValue = 1 << kind.rawValue }

  static let null = Kinds(.null)
  static let boolean: Kinds = [Kinds(.false), Kinds(.true)]
  static let number = Kinds(.number)
  static let string = Kinds(.string)
  static let array = Kinds(.array)
  static let object = Kinds(.object)
  /// Numbers that are mathematical integers; the one type that a node's kind alone does not decide.
  static let integer = Kinds(rawValue: 1 << 7)
  static let any: Kinds = [.null, .boolean, .number, .string, .array, .object]

  /// The types of the type names, `integer` among them.
  static let byName = KnownNames<Kinds>([
    ("null", .null), ("boolean", .boolean), ("number", .number), ("integer", .integer), ("string", .string),
    ("array", .array), ("object", .object),
  ])

  /// The names people use, in a fixed order.
  var names: [String] {
    let all: [(Kinds, String)] = [
      (.string, "string"), (.integer, "integer"), (.number, "number"), (.boolean, "boolean"), (.object, "object"),
      (.array, "array"), (.null, "null"),
    ]
    return all.filter { !isDisjoint(with: $0.0) }.map(\.1)
  }
}
