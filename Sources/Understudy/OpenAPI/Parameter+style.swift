extension Parameter.Style {
  /// The style of a location where none is given (OAS 3.x, Parameter Object).
  package static func standard(in location: Parameter.Location) -> Parameter.Style {
    switch location {
    case .path, .header: .simple
    case .query, .cookie, .querystring: .form
    }
  }

  /// `explode` where it is not given.
  package var explodesByDefault: Bool { self == .form || self == .cookie }

  /// Whether the table of "Style Values" lets this style stand in a location.
  package func isAllowed(in location: Parameter.Location, _ specification: Specification) -> Bool {
    switch (self, location) {
    case (.matrix, .path), (.label, .path), (.simple, .path), (.simple, .header): true
    case (.form, .query), (.form, .cookie): true
    case (.spaceDelimited, .query), (.pipeDelimited, .query), (.deepObject, .query): true
    case (.cookie, .cookie): specification >= .openAPI32
    default: false
    }
  }
}
