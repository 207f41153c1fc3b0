/// A parameter of any location; body and formData parameters of Swagger 2.0 are a `RequestBody` here.
package struct Parameter: Sendable {
  package var name: String
  package var location: Location
  package var isRequired: Bool
  package var isDeprecated = false
  package var style: Style
  package var explode: Bool
  package var allowReserved = false
  package var allowEmptyValue: Bool
  /// In Swagger 2.0 the parameter object itself, which has the keywords of a schema.
  package var schema: JSON?
  /// The only entry of `content`, which replaces `schema`.
  package var content: MediaTypeObject?
  package var examples: [Example] = []
  package var node: JSON
  /// `allowEmptyValue: false` is written (Swagger 2.0). If it is only the default, the schema alone decides, because many
  /// contracts do not consider it.
  package var forbidsEmptyValue = false

  package enum Location: String, Sendable {
    case path, query, header, cookie, querystring

    /// The style of a parameter that names none (OAS 3.1, 4.8.12.2).
    package var defaultStyle: Style {
      switch self {
      case .path, .header: .simple
      case .query, .cookie, .querystring: .form
      }
    }
  }

  /// OAS 3.x "Style Values"; `tabDelimited` is Swagger 2.0's `tsv`.
  package enum Style: String, Sendable {
    case matrix, label, simple, form, spaceDelimited, pipeDelimited, deepObject, cookie
    case tabDelimited

    /// `explode` of a parameter that does not set it: only `form` and 3.2's `cookie` repeat the key.
    package var defaultExplode: Bool { self == .form || self == .cookie }

    /// Whether the table "Style Values" allows this style in a location.
    package func isAllowed(in location: Location, _ specification: Specification) -> Bool {
      switch (self, location) {
      case (.matrix, .path), (.label, .path), (.simple, .path), (.simple, .header): true
      case (.form, .query), (.form, .cookie): true
      case (.spaceDelimited, .query), (.pipeDelimited, .query), (.deepObject, .query): true
      case (.cookie, .cookie): specification >= .openAPI32
      default: false
      }
    }
  }
}

extension Parameter {
  package init(
    _ name: String, in location: Location, isRequired: Bool = false, style: Style? = nil, explode: Bool? = nil,
    allowEmptyValue: Bool = false, schema: JSON? = nil, content: MediaTypeObject? = nil
  ) {
    let style = style ?? location.defaultStyle
    self.init(
      name: name, location: location, isRequired: isRequired, style: style, explode: explode ?? style.defaultExplode,
      allowEmptyValue: allowEmptyValue, schema: schema, content: content, node: schema ?? .object([]))
  }
}
