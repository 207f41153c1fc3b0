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

  /// The types of a type name, `integer` among them.
  init?(typeName: String) {
    switch typeName {
    case "null": self = .null
    case "boolean": self = .boolean
    case "number": self = .number
    case "integer": self = .integer
    case "string": self = .string
    case "array": self = .array
    case "object": self = .object
    default: return nil
    }
  }

  /// The names people use, in a fixed order.
  var names: [String] {
    let all: [(Kinds, String)] = [
      (.string, "string"), (.integer, "integer"), (.number, "number"), (.boolean, "boolean"), (.object, "object"),
      (.array, "array"), (.null, "null"),
    ]
    return all.filter { !isDisjoint(with: $0.0) }.map(\.1)
  }
}
