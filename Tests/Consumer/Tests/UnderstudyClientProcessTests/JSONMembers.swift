import UnderstudyClient

extension JSONValue {
  /// Creates an object whose members are sorted by name.
  static func object(_ members: [String: JSONValue]) -> JSONValue {
    .object(members.sorted { $0.key < $1.key }.map { Member($0.key, $0.value) })
  }

  /// Creates an integer.
  static func int(_ value: Int) -> JSONValue { .number(Number(value)) }

  /// The members of an object by name; `nil` for any other value.
  var members: [String: JSONValue]? {
    object.map { Dictionary($0.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 }) }
  }
}
