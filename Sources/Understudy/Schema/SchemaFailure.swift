/// One way in which a value breaks its schema.
package struct SchemaFailure: Sendable {
  /// The keyword that is broken: `minLength`, `required`, `additionalProperties`.
  package var keyword: String
  /// The way from the judged value to the one that breaks the schema.
  package var instance: JSONPointer
  /// The value that breaks the schema.
  package var value: JSON
  /// The keyword's value in the schema, for the sake of its position.
  package var schema: JSON
  /// What was expected and what was found, in one sentence without a final stop.
  package var message: String
  /// What to do next, where that is not obvious.
  package var help: String?
  /// Whether nothing is known to be wrong, and the schema or its cost only kept the value from being judged.
  package var isNotJudged = false
}
