import Foundation

extension JSONValue {
  /// Decodes the value as a type of the test.
  public func decoded<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
    try JSONDecoder().decode(type, from: Data(text.utf8))
  }

  /// Parses a document; `nil` for data that is not JSON.
  init?(reading data: Data) {
    guard let value = try? JSONValue(parsing: String(decoding: data, as: UTF8.self)) else { return nil }
    self = value
  }

  /// Creates an object whose members are sorted by name.
  static func object(_ members: [String: JSONValue]) -> JSONValue {
    .object(members.sorted { $0.key < $1.key }.map { Member($0.key, $0.value) })
  }

  /// Creates an array of strings.
  static func array(_ elements: [String]) -> JSONValue { .array(elements.map(JSONValue.string)) }

  /// Creates an integer.
  static func int(_ value: Int) -> JSONValue { .number(Number(value)) }

  /// The members of an object by name, the last of duplicates; `nil` for any other value.
  var members: [String: JSONValue]? {
    object.map { Dictionary($0.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 }) }
  }

  /// The string that a form would send for a scalar; `nil` for any other value.
  var scalarText: String? {
    switch self {
    case .null, .array, .object: nil
    case .bool, .number, .string: plainText
    }
  }
}
