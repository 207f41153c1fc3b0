/// One way in which a value breaks its schema.
public struct SchemaFailure: Sendable {
  /// The keyword that is broken: `minLength`, `required`, `additionalProperties`.
  public var keyword: String
  /// The path from the validated value to the one that breaks the schema.
  package var instance: JSONPointer
  /// The value that breaks the schema.
  package var value: JSON
  /// The keyword's value in the schema, with its position.
  package var schema: JSON
  /// The expected and the found value, in one sentence without a final stop.
  public var message: String
  /// Advice, if the next step is not obvious.
  public var help: String?
  package var kind = Kind.broken
  /// The schemas that were entered on the way, outermost first; empty unless the library traces.
  package var trace: [TracedSchema] = []

  /// The kind of failure.
  package enum Kind: Sendable {
    /// A keyword is broken.
    case broken
    /// This part of the value was not validated, because of the schema or the cost; it may be valid.
    case notValidated
    /// A closing message about failures that are not listed.
    case more
  }

  /// The JSON Pointer from the validated value to the broken one (RFC 6901); empty for the value itself.
  public var pointer: String { instance.description }

  package var isNotValidated: Bool { kind == .notValidated }

  /// The start of the message about a value that could not be validated.
  static let notValidatedStart = "not validated: "

  /// The message without that start, for readers with words of their own for it.
  package var reason: String { isNotValidated ? String(message.dropFirst(Self.notValidatedStart.count)) : message }

  /// The location in the text of the value: the name of an undeclared property, the start of a container, or the value.
  package var location: Location {
    let isUndeclared = keyword == "additionalProperties" || keyword == "unevaluatedProperties"
    guard isUndeclared, value.index > 0 else { return Location(start: value) }
    // A key is directly before its value.
    var location = Location(JSON(document: value.document, index: value.index - 1))
    location.pointer = instance.description
    return location
  }
}

/// A schema that was entered on the way to a failure.
package struct TracedSchema: Sendable {
  package var schema: JSON
  /// The keywords that led to it, references included (Core 2020-12, 12.3.2).
  package var route: JSONPointer
  /// The value that it was applied to.
  package var instance: JSONPointer
  /// The number of this entry among all entries into schemas.
  package var entry: Int
}
