import SourceText

/// What a decoder of text must know of a schema: the types a value may have, and those of its parts.
///
/// Types are looked up through `$ref` and `allOf` (OAS 3.2, appendix B) and, since that only widens what is tried,
/// through `anyOf` and `oneOf`. A schema without any type allows all of them.
package struct SchemaShape: Sendable {
  package struct Types: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let null = Types(rawValue: 1)
    package static let boolean = Types(rawValue: 2)
    package static let integer = Types(rawValue: 4)
    package static let number = Types(rawValue: 8)
    package static let string = Types(rawValue: 16)
    package static let array = Types(rawValue: 32)
    package static let object = Types(rawValue: 64)
    package static let all = Types(rawValue: 127)
    package static let primitive: Types = [.boolean, .integer, .number, .string]
  }

  package struct Property: Sendable {
    package var name: String
    package var shape: SchemaShape
  }

  package var types: Types = .all
  package var properties: [Property] = []
  /// Whether an object may hold names other than `properties`.
  package var allowsOthers = true
  /// The shape of elements; none or one.
  package var items: [SchemaShape] = []
  /// The shape of other members; none or one.
  package var others: [SchemaShape] = []
  /// The delimiter of a nested Swagger 2.0 array.
  package var delimiter: UInt8 = UInt8(ascii: ",")

  /// Any value.
  package static let any = SchemaShape()
  /// Text and nothing else.
  package static let text = SchemaShape(types: .string)

  package init(types: Types = .all) { self.types = types }

  package func property(_ name: String) -> SchemaShape? {
    properties.first { $0.name.utf8Equals(name) }?.shape
  }

  package var element: SchemaShape { items.first ?? .any }
  package var other: SchemaShape { others.first ?? .any }

  /// In which forms the value may be written, the likeliest first.
  package var forms: [Form] {
    if types == .all {
      return !properties.isEmpty ? [.object] : !items.isEmpty ? [.array] : [.primitive]
    }
    var forms: [Form] = []
    if types.contains(.object) { forms.append(.object) }
    if types.contains(.array) { forms.append(.array) }
    if !types.isDisjoint(with: .primitive) || forms.isEmpty { forms.append(.primitive) }
    return forms
  }

  package enum Form: Sendable { case primitive, array, object }

  /// The types in words: `integer or boolean`.
  package var typeNames: String {
    let names: [(Types, String)] = [
      (.integer, "integer"), (.number, "number"), (.boolean, "boolean"), (.string, "string"), (.array, "array"),
      (.object, "object"), (.null, "null"),
    ]
    return names.filter { types.contains($0.0) && !($0.0 == .integer && types.contains(.number)) }.map(\.1)
      .joined(separator: " or ")
  }
}
