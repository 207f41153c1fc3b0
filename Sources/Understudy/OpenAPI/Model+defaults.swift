/// Parts of the model made without a document, with the defaults of the specification.
extension Server {
  package init(_ url: String, variables: [Variable] = []) { self.init(url: url, variables: variables, node: nil) }
}

extension Server.Variable {
  package init(_ name: String, default value: String, values: [String] = []) {
    self.init(name: name, defaultValue: value, values: values)
  }
}

extension Parameter.Location {
  /// The style of a parameter that names none (OAS 3.1, 4.8.12.2).
  package var defaultStyle: Parameter.Style {
    switch self {
    case .path, .header: .simple
    case .query, .cookie, .querystring: .form
    }
  }
}

extension Parameter.Style {
  /// `explode` where a parameter does not say: only `form`, and 3.2's `cookie`, repeat the key.
  package var defaultExplode: Bool { self == .form || self == .cookie }
}

extension Parameter {
  package init(
    _ name: String, in location: Location, isRequired: Bool = false, style: Style? = nil, explode: Bool? = nil,
    allowEmptyValue: Bool = false, schema: JSON? = nil, content: MediaTypeObject? = nil
  ) {
    let style = style ?? location.defaultStyle
    self.init(
      name: name, location: location, isRequired: isRequired, isDeprecated: false, style: style,
      explode: explode ?? style.defaultExplode, allowReserved: false, allowEmptyValue: allowEmptyValue, schema: schema,
      content: content, examples: [], node: schema ?? .object([]))
  }
}

extension MediaTypeObject {
  package init(_ range: String, schema: JSON? = nil, encodings: [Encoding] = []) {
    self.init(
      range: range, schema: schema, itemSchema: nil, examples: [], encodings: encodings, node: schema ?? .object([]))
  }
}

extension Encoding {
  package init(
    _ property: String, contentType: String? = nil, style: Parameter.Style = .form, explode: Bool? = nil,
    node: JSON? = nil
  ) {
    self.init(
      property: property, contentType: contentType, style: style, explode: explode ?? style.defaultExplode,
      allowReserved: false, headers: [], node: node)
  }
}

extension SecurityScheme {
  package init(_ name: String, _ kind: Kind) { self.init(name: name, kind: kind, node: .object([])) }
}

extension SecurityRequirement {
  package init(_ schemes: [String]) { self.init(schemes: schemes.map { (name: $0, scopes: []) }, node: nil) }
}

extension Header {
  package init(_ name: String, isRequired: Bool = false, schema: JSON? = nil) {
    self.init(
      name: name, isRequired: isRequired, explode: false, schema: schema, content: nil, examples: [],
      node: schema ?? .object([]))
  }
}
