/// One way in which a value breaks its schema.
public struct SchemaFailure: Sendable {
  /// The keyword that is broken: `minLength`, `required`, `additionalProperties`.
  public var keyword: String
  /// The path from the validated value to the one that breaks the schema.
  package var instance: JSONPointer
  /// The value that breaks the schema.
  package var value: JSON
  /// The keyword's value in the schema, for the sake of its position.
  package var schema: JSON
  /// The expected and the found value, in one sentence without a final stop.
  public var message: String
  /// Advice, where the next step is not obvious.
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
    /// No failure of its own: a closing message that there are more failures than are listed.
    case more
  }

  /// Where the broken value is, as a JSON Pointer from the validated value (RFC 6901); empty for the value itself.
  public var pointer: String { instance.description }

  package var isNotValidated: Bool { kind == .notValidated }

  /// Where to point in the text of the value: at the name of a property that may not be there, at the start of a
  /// container, else at the value.
  package var location: Location {
    let isUndeclared = keyword == "additionalProperties" || keyword == "unevaluatedProperties"
    guard isUndeclared, value.index > 0 else { return Location(start: value) }
    // The key of a member stands directly before its value.
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
  /// Which entry into a schema it was, among all that were made.
  package var entry: Int
}
