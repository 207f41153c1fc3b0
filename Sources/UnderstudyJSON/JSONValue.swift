/// A JSON value that a state stores, an event carries or a reply holds.
///
/// A value keeps the spelling of its numbers, the order of its members and duplicate names. Two values are equal if their
/// JSON texts are equal byte for byte: `1` differs from `1.0`, `{"a":1,"b":2}` from `{"b":2,"a":1}`, and a composed from a
/// decomposed character. The schema engine, which compares numbers by value and objects without order, has a type of its own.
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
  public struct Number: Sendable, Hashable {
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
  /// Returns whether the JSON texts of two values are equal.
  public static func == (one: JSONValue, other: JSONValue) -> Bool {
    switch (one, other) {
    case (.null, .null): true
    case (.bool(let one), .bool(let other)): one == other
    case (.number(let one), .number(let other)): one == other
    case (.string(let one), .string(let other)): one.hasSameBytes(as: other)
    case (.array(let one), .array(let other)): one == other
    case (.object(let one), .object(let other)): one == other
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
    case .object(let members): hasher.combine(members)
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

extension String {
  /// Returns whether two strings have the same UTF-8; `==` also accepts canonically equivalent strings.
  fileprivate func hasSameBytes(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}

/// Values written in Swift: `["uid": "u1", "count": 3, "tags": []]`.
extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// Creates a string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Creates an integer.
  public init(integerLiteral value: Int) { self = .number(Number(value)) }
  /// Creates `true` or `false`.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// Creates an array.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  /// Creates an object, whose members keep their order.
  public init(dictionaryLiteral members: (String, JSONValue)...) { self = .object(members.map { Member($0, $1) }) }
}
