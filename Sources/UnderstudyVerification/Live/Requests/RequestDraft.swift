/// A request as values, before it is written, so that it can be varied, broken and shrunk.
struct RequestDraft: Sendable {
  var method: String
  var arguments: [Argument] = []
  var body: Content?
  var credentials = Credentials.good
  /// Sent after the others: a query parameter for the second time.
  var repeated: [Argument] = []

  struct Argument: Sendable {
    var parameter: Parameter
    var value: JSON
  }

  enum Content: Sendable {
    case value(JSON, MediaTypeObject)
    case bytes([UInt8], contentType: String)
  }

  enum Credentials: Sendable { case good, none, wrong }

  func index(of parameter: Parameter) -> Int? {
    arguments.firstIndex {
      $0.parameter.location == parameter.location && $0.parameter.name.utf8.elementsEqual(parameter.name.utf8)
    }
  }

  var withoutOptionalQuery: RequestDraft {
    var draft = self
    draft.arguments.removeAll { $0.parameter.location == .query && !$0.parameter.isRequired }
    return draft
  }

  /// The same with another value for a parameter, or without one.
  func setting(_ parameter: Parameter, to value: JSON?) -> RequestDraft {
    var draft = self
    switch (index(of: parameter), value) {
    case (let index?, let value?): draft.arguments[index].value = value
    case (let index?, nil): draft.arguments.remove(at: index)
    case (nil, let value?): draft.arguments.append(Argument(parameter: parameter, value: value))
    case (nil, nil): break
    }
    return draft
  }

  func with(body: Content?) -> RequestDraft {
    var draft = self
    draft.body = body
    return draft
  }
}

extension JSON {
  /// Whether a parameter with the value has no text, which many servers take for an absent parameter.
  var isEmptyOnTheWire: Bool { requestTexts.allSatisfy(\.isEmpty) }
}

extension Operation {
  /// The parameter of a name; those of headers ignore case.
  func parameter(_ name: String, in location: Parameter.Location) -> Parameter? {
    parameters.first { parameter in
      guard parameter.location == location else { return false }
      return location == .header
        ? FieldSyntax.equalIgnoringCase(parameter.name.utf8, name.utf8) : parameter.name.utf8Equals(name)
    }
  }
}
