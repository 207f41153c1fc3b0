/// A view of a schema: types, properties and elements, with references, `allOf` and alternatives resolved.
///
/// All readers except the compiler use this view. Like the compiler it ignores keywords that the dialect does not
/// define or a `$ref` hides. The library caches the contents; a view itself is two references.
package struct ResolvedSchema: Sendable {
  private let contents: Contents
  let library: SchemaLibrary?

  init(_ contents: Contents, in library: SchemaLibrary?) {
    self.contents = contents
    self.library = library
  }

  /// Any value.
  package static let any = ResolvedSchema(Contents(), in: nil)

  /// An array whose elements have a schema.
  package static func array(of element: ResolvedSchema) -> ResolvedSchema {
    ResolvedSchema(Contents(arrayOf: element.node), in: element.library)
  }

  /// A schema object that applies to every value.
  package struct Part: Sendable {
    package let schema: JSON
    /// The keywords that its dialect defines.
    let keywords: KeywordSet

    /// The value of a keyword, if the dialect defines it.
    package subscript(keyword: Keyword) -> JSON? { keywords.contains(keyword) ? schema[keyword.name] : nil }

    /// The first value of some keywords that has a property.
    func first(of keywords: Keyword..., where holds: (JSON) -> Bool) -> JSON? {
      keywords.lazy.compactMap { self[$0] }.first(where: holds)
    }

    /// The elements of the list under a keyword.
    package func elements(of keyword: Keyword) -> [JSON] { self[keyword].map { Array($0.elements) } ?? [] }
  }

  /// A name under `properties`.
  package struct Property: Sendable {
    package let name: String
    package let schema: JSON
  }

  /// The schema as written in its document.
  package var node: JSON { contents.chain[0] }

  /// The schema, the target of its reference or the only part of its `allOf`, and so on: one schema under several
  /// names.
  package var chain: [JSON] { contents.chain }

  /// The schema objects that apply to every value: the schema, the targets of references, and `allOf`, in this order.
  package var parts: [Part] { contents.parts }

  /// The branches of each `anyOf` and `oneOf` of the parts.
  package var alternatives: [JSON] { parts.flatMap { $0.elements(of: .anyOf) + $0.elements(of: .oneOf) } }

  /// The views of `alternatives`.
  package var branches: [ResolvedSchema] { alternatives.map { library?.resolved($0) ?? .any } }

  /// The types that `type`, `enum` and `const` allow.
  package var types: JSONTypeSet { contents.types }

  /// The values of the first `enum`.
  package var enumeration: [JSON]? { parts.lazy.compactMap { $0[.enum] }.first.map { Array($0.elements) } }

  /// Whether a part has one of some keywords.
  package func has(_ keywords: Keyword...) -> Bool {
    parts.contains { part in keywords.contains { part[$0] != nil } }
  }

  /// Whether a part has a format.
  package func hasFormat(_ name: String) -> Bool { parts.contains { $0[.format]?.isString(name) == true } }

  /// Whether a part has `true` under a keyword.
  package func sets(_ keyword: Keyword) -> Bool { parts.contains { $0[keyword]?.bool == true } }
}

// MARK: - Objects and arrays

extension ResolvedSchema {
  /// The properties that the parts declare, and after them those of the alternatives; of one name the first.
  package var properties: [Property] { contents.properties }

  /// The properties that the parts declare.
  package var declaredProperties: ArraySlice<Property> { contents.properties.prefix(contents.declaredCount) }

  /// The view of one of `properties`.
  package func schema(of property: Property) -> ResolvedSchema { library?.resolved(property.schema) ?? .any }

  /// The view of a property that a part or an alternative declares.
  package func property(_ name: String) -> ResolvedSchema? {
    properties.first { $0.name.utf8Equals(name) }.map(schema(of:))
  }

  /// The view of a property that a part declares.
  package func declaredProperty(_ name: String) -> ResolvedSchema? {
    declaredProperties.first { $0.name.utf8Equals(name) }.map(schema(of:))
  }

  /// The entry of `required` that lists a name.
  package func requirement(of name: String) -> JSON? {
    parts.lazy.compactMap { $0[.required]?.elements.first { $0.isString(name) } }.first
  }

  /// The `additionalProperties: false` of a part.
  package var closure: JSON? { parts.lazy.compactMap { $0[.additionalProperties] }.first { $0.bool == false } }

  /// The schema of members that no property names.
  package var other: ResolvedSchema { contents.others.flatMap { library?.resolved($0) } ?? .any }

  /// The views of the schemas that apply to some members that no property names.
  package var patternSchemas: [ResolvedSchema] {
    parts.flatMap { part in
      (part[.patternProperties]?.members.map(\.value) ?? []) + [part[.unevaluatedProperties]].compactMap(\.self)
    }.map { library?.resolved($0) ?? .any }
  }

  /// The views of the schemas that apply to some values: `if`, `then`, `else`, `not` and the schemas in
  /// `dependentSchemas`.
  package var conditionalSchemas: [ResolvedSchema] {
    parts.flatMap { part in
      [part[.if], part[.then], part[.else], part[.not]].compactMap(\.self)
        + (part[.dependentSchemas]?.members.map(\.value) ?? [])
    }.map { library?.resolved($0) ?? .any }
  }

  /// The views of the schemas of member names.
  package var nameSchemas: [ResolvedSchema] {
    parts.compactMap { $0[.propertyNames] }.map { library?.resolved($0) ?? .any }
  }

  /// The view of the schema of the JSON text in a string.
  package var content: ResolvedSchema? {
    parts.lazy.compactMap { $0[.contentSchema] }.first.map { library?.resolved($0) ?? .any }
  }

  /// Whether members that no property names have a schema.
  package var describesOthers: Bool { contents.others != nil }

  /// The schema of elements.
  package var element: ResolvedSchema { contents.items.flatMap { library?.resolved($0) } ?? .any }

  /// The schema of the element at a position, which `prefixItems` may name.
  package func element(at position: Int) -> ResolvedSchema {
    let named = parts.lazy.map { $0.elements(of: .prefixItems) }.first { position < $0.count }
    return named.map { library?.resolved($0[position]) ?? .any } ?? element
  }

  /// The views of the schemas that apply to some elements: `contains`, `unevaluatedItems` and `additionalItems`.
  package var possibleElements: [ResolvedSchema] {
    parts.flatMap { [$0[.contains], $0[.unevaluatedItems], $0[.additionalItems]].compactMap(\.self) }
      .map { library?.resolved($0) ?? .any }
  }

  /// Whether elements have a schema.
  package var describesElements: Bool { contents.items != nil }

  /// Whether a keyword describes elements, or the elements at some positions.
  package var describesArray: Bool { describesElements || has(.items, .prefixItems) }
}
