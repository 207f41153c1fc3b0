/// A JSON value that a state stores, an event carries or a reply holds.
///
/// A value keeps the spelling of its numbers, the order of its members and duplicate names, but two values are equal if they
/// mean the same: numbers are compared by value (`1`, `1.0` and `1e0` are equal) and objects without order. Strings are
/// compared byte for byte: a composed character differs from a decomposed one.
public enum JSONValue: Sendable {
  /// `null`
  case null
  /// `true` or `false`
  case bool(Bool)
  /// A number of any size.
  case number(Number)
  /// A string.
  case string(String)
  /// The elements of an array, in order.
  case array([JSONValue])
  /// The members of an object, in order.
  case object([Member])

  /// A member of an object.
  public struct Member: Sendable {
    /// The name of the member.
    public var name: String
    /// The value of the member.
    public var value: JSONValue

    /// Creates a member from its name and its value.
    public init(_ name: String, _ value: JSONValue) { (self.name, self.value) = (name, value) }
  }

  /// A number by its spelling.
  public struct Number: Sendable {
    /// The number as it was written: `1.50`, `-0`, `1E400`.
    public let spelling: String

    /// Creates the number of an integer.
    public init(_ value: Int) { spelling = String(value) }

    /// Creates a number that is known to match the JSON grammar.
    package init(valid spelling: String) { self.spelling = spelling }

    /// The value of a decimal integer within `Int`; `nil` for a fraction, an exponent or a larger number.
    public var int: Int? { Int(spelling) }

    /// The nearest double; infinite if the number is out of range.
    public var double: Double { Double(spelling) ?? .nan }
  }
}

extension JSONValue {
  /// The text of a string; `nil` for any other value.
  public var string: String? { if case .string(let text) = self { text } else { nil } }

  /// The value of an integer within `Int`; `nil` for any other value.
  public var int: Int? { if case .number(let number) = self { number.int } else { nil } }

  /// The value of `true` or `false`; `nil` for any other value.
  public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

  /// The elements of an array; `nil` for any other value.
  public var array: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }

  /// The members of an object; `nil` for any other value.
  public var object: [Member]? { if case .object(let members) = self { members } else { nil } }

  /// The value of the last member with a name; `nil` without such a member.
  public subscript(name: String) -> JSONValue? { object?.last { $0.name.hasSameBytes(as: name) }?.value }

  /// The element of an array at a position, from 0; `nil` without such an element.
  public subscript(position: Int) -> JSONValue? {
    guard let array, array.indices.contains(position) else { return nil }
    return array[position]
  }

  /// The value at a JSON Pointer (RFC 6901), such as `/user/nick`; `nil` if there is none.
  public func at(_ pointer: String) -> JSONValue? {
    guard pointer.hasPrefix("/") else { return pointer.isEmpty ? self : nil }
    return pointer.dropFirst().split(separator: "/", omittingEmptySubsequences: false).reduce(self as JSONValue?) {
      value, token in
      if case .array? = value { return Int(token).flatMap { value?[$0] } }
      return value?[String(token).replacing("~1", with: "/").replacing("~0", with: "~")]
    }
  }

  /// Returns whether containers are nested deeper than a limit.
  package func isNested(deeperThan limit: Int) -> Bool {
    switch self {
    case .null, .bool, .number, .string: false
    case .array(let elements): limit < 1 || elements.contains { $0.isNested(deeperThan: limit - 1) }
    case .object(let members): limit < 1 || members.contains { $0.value.isNested(deeperThan: limit - 1) }
    }
  }

  /// Returns whether the value contains a string or a member name.
  package func mentions(_ name: String) -> Bool {
    switch self {
    case .null, .bool, .number: false
    case .string(let text): text.hasSameBytes(as: name)
    case .array(let elements): elements.contains { $0.mentions(name) }
    case .object(let members): members.contains { $0.name.hasSameBytes(as: name) || $0.value.mentions(name) }
    }
  }
}

extension JSONValue: Hashable {
  /// Returns whether two values mean the same.
  public static func == (one: JSONValue, other: JSONValue) -> Bool {
    switch (one, other) {
    case (.null, .null): true
    case (.bool(let one), .bool(let other)): one == other
    case (.number(let one), .number(let other)): one == other
    case (.string(let one), .string(let other)): one.hasSameBytes(as: other)
    case (.array(let one), .array(let other)): one == other
    case (.object(let one), .object(let other)): one.sorted == other.sorted
    default: false
    }
  }

  /// Hashes the kind and the content of the value.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let value): hasher.combine(value)
    case .number(let number): hasher.combine(number)
    case .string(let text): hasher.combine(text)
    case .array(let elements): hasher.combine(elements)
    case .object(let members): hasher.combine(members.sorted)
    }
  }
}

extension JSONValue.Member: Hashable {
  /// Returns whether two members have the same name and the same value.
  public static func == (one: Self, other: Self) -> Bool {
    one.name.hasSameBytes(as: other.name) && one.value == other.value
  }

  /// Hashes the name and the value.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(value)
  }
}

extension [JSONValue.Member] {
  /// The members by name; duplicates keep their order.
  fileprivate var sorted: [JSONValue.Member] {
    enumerated().sorted { one, other in
      if one.element.name.hasSameBytes(as: other.element.name) { return one.offset < other.offset }
      return one.element.name.utf8.lexicographicallyPrecedes(other.element.name.utf8)
    }.map(\.element)
  }
}

extension JSONValue.Number: Hashable {
  /// Returns whether two numbers have the same value: `1`, `1.0` and `10e-1` are equal.
  public static func == (one: Self, other: Self) -> Bool {
    one.spelling == other.spelling || one.decimal == other.decimal
  }

  /// Hashes the value of the number.
  public func hash(into hasher: inout Hasher) { hasher.combine(decimal) }

  /// A value as digits without zeros at both ends, times a power of ten.
  private struct Decimal: Hashable {
    var isNegative = false
    var digits: [UInt8] = []
    var exponent = 0
  }

  /// An exponent beyond `Int` is taken for the nearest one.
  private var decimal: Decimal {
    var number = Decimal()
    let parts = spelling.utf8.split(maxSplits: 1) { $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "E") }
    var fraction: Int?
    for byte in parts[0] {
      switch byte {
      case UInt8(ascii: "-"): number.isNegative = true
      case UInt8(ascii: "."): fraction = 0
      default:
        number.digits.append(byte)
        fraction? += 1
      }
    }
    let power = parts.count > 1 ? String(decoding: parts[1], as: UTF8.self) : "0"
    // Half of the range, so that the positions of digits can be added.
    let limit = Int.max / 2
    number.exponent =
      (Int(power).map { Swift.min(Swift.max($0, -limit), limit) } ?? (power.hasPrefix("-") ? -limit : limit))
      - (fraction ?? 0)
    while number.digits.last == UInt8(ascii: "0") {
      number.digits.removeLast()
      number.exponent += 1
    }
    number.digits = Array(number.digits.drop { $0 == UInt8(ascii: "0") })
    return number.digits.isEmpty ? Decimal() : number
  }
}

extension String {
  /// Returns whether two strings have the same UTF-8; `==` also accepts canonically equivalent strings.
  fileprivate func hasSameBytes(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}

/// Values written in Swift: `["uid": "u1", "count": 3, "tags": []]`.
extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByFloatLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// Creates a string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Creates an integer.
  public init(integerLiteral value: Int) { self = .number(Number(value)) }
  /// Creates the number with the shortest spelling of a double; `null` for infinity and NaN.
  public init(floatLiteral value: Double) { self = value.isFinite ? .number(Number(valid: "\(value)")) : .null }
  /// Creates `true` or `false`.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// Creates an array.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  /// Creates an object, whose members keep their order.
  public init(dictionaryLiteral members: (String, JSONValue)...) { self = .object(members.map { Member($0, $1) }) }
}
