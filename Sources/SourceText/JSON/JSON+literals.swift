/// Values written in Swift: `["payload": [], "count": 3]`.
extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// A string.
  public init(stringLiteral value: String) { self = .make { $0.append(value) } }
  /// An integer.
  public init(integerLiteral value: Int) { self = .make { $0.append(value) } }
  /// `true` or `false`.
  public init(booleanLiteral value: Bool) { self = .make { $0.append(value) } }
  /// `null`.
  public init(nilLiteral: ()) { self = .make { $0.append(.null) } }
  /// An array.
  public init(arrayLiteral elements: JSON...) { self = .array(elements) }
  /// An object, in the order written.
  public init(dictionaryLiteral members: (String, JSON)...) { self = .object(members) }

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
