/// The kind of a difference of two schemas, which has a rule for requests and a rule for responses.
package enum DifferenceKind: String, CaseIterable, Sendable {
  /// A JSON type, or integers against numbers.
  case type
  case null
  case enumeration = "enum"
  /// `minimum`, `maximum` and their exclusive forms, and the range of an integer format.
  case range
  case multiple
  /// The length of a string.
  case length
  case pattern
  case format
  /// The media type or the encoding of a string, which annotate it.
  case content
  /// The number of elements or properties.
  case size
  case unique
  /// A required property.
  case required
  /// A required property with a default.
  case requiredDefault = "required-default"
  /// A property that only the tested side declares, and the other side accepts.
  case propertyOpen = "property-open"
  /// A property that only the tested side declares, and the other side refuses.
  case propertyClosed = "property-closed"
  /// A property that the tested side does not declare, and the other side restricts.
  case propertyUndeclared = "property-undeclared"
  /// Members that no property names.
  case additional
  /// The names of properties.
  case names
  /// Properties that another property requires.
  case dependent
  /// An alternative of `anyOf` or `oneOf`.
  case alternative
  /// A property that the tested side never sends, by `readOnly` or `writeOnly`.
  case hidden
  /// The property that tells alternatives apart, or its values.
  case discriminator
  /// The default, which refuses no value.
  case `default`
  /// A value of `x-extensible-enum`, which refuses no value.
  case extensible = "extensible-enum"
  /// A keyword that is not compared.
  case keyword
}
