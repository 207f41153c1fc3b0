import Foundation

/// A JSON value.
public enum JSON: Sendable, Hashable {
  /// `null`
  case null
  /// `true` and `false`
  case bool(Bool)
  /// A number without a fraction that fits 64 bits.
  case int(Int)
  /// Any other number.
  case number(Double)
  /// A text.
  case string(String)
  /// A list.
  case array([JSON])
  /// Members by name.
  case object([String: JSON])

  /// The text, if it is one.
  public var string: String? { if case .string(let value) = self { value } else { nil } }
  /// The whole number, if it is one.
  public var int: Int? { if case .int(let value) = self { value } else { nil } }
  /// The truth value, if it is one.
  public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  /// The elements, if it is a list.
  public var array: [JSON]? { if case .array(let value) = self { value } else { nil } }
  /// The members, if it is an object.
  public var object: [String: JSON]? { if case .object(let value) = self { value } else { nil } }

  /// The member of a name.
  public subscript(_ name: String) -> JSON? { object?[name] }

  /// The element at a position.
  public subscript(_ position: Int) -> JSON? {
    guard let array, array.indices.contains(position) else { return nil }
    return array[position]
  }

  /// The value at a JSON pointer (RFC 6901): `/user/nick`.
  public func at(_ pointer: String) -> JSON? {
    guard pointer.hasPrefix("/") else { return pointer.isEmpty ? self : nil }
    return pointer.dropFirst().split(separator: "/", omittingEmptySubsequences: false).reduce(self as JSON?) {
      value, part in
      let name = part.replacingOccurrences(of: "~1", with: "/").replacingOccurrences(of: "~0", with: "~")
      if let array = value?.array { return Int(name).flatMap { array.indices.contains($0) ? array[$0] : nil } }
      return value?[name]
    }
  }

  /// The value as a type of the test.
  public func decoded<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
    try JSONDecoder().decode(type, from: data)
  }

  /// Reads a document.
  init(reading data: Data) throws { self = try JSONDecoder().decode(JSON.self, from: data) }

  /// As a document. Coding can only fail for numbers that JSON does not have.
  var data: Data { (try? JSONEncoder().encode(self)) ?? Data("null".utf8) }

  /// A scalar as text: what a form would send in its place.
  var text: String? {
    switch self {
    case .null, .array, .object: nil
    case .bool(let value): "\(value)"
    case .int(let value): "\(value)"
    case .number(let value): "\(value)"
    case .string(let value): value
    }
  }
}

extension JSON: Codable {
  /// Reads any value.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int.self) {
      self = .int(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([JSON].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSON].self))
    }
  }

  /// Writes the value.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .int(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .array(let value): try container.encode(value)
    case .object(let value): try container.encode(value)
    }
  }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByFloatLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
  /// A text.
  public init(stringLiteral value: String) { self = .string(value) }
  /// A whole number.
  public init(integerLiteral value: Int) { self = .int(value) }
  /// A truth value.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// A number.
  public init(floatLiteral value: Double) { self = .number(value) }
  /// A list.
  public init(arrayLiteral elements: JSON...) { self = .array(elements) }
  /// An object; of a repeated name the last value counts.
  public init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(Dictionary(elements, uniquingKeysWith: { $1 }))
  }
  /// `null`
  public init(nilLiteral: ()) { self = .null }
}
