import SourceText

/// A type of values, as `type` names it.
enum SchemaType: String, CaseIterable, Sendable {
  case object, array, string, integer, number, boolean, null

  /// Whether a value is of the type.
  func admits(_ value: JSON) -> Bool {
    switch value.kind {
    case .object: self == .object
    case .array: self == .array
    case .string: self == .string
    case .number: self == .number || self == .integer && value.number?.isInteger == true
    case .true, .false: self == .boolean
    case .null: self == .null
    }
  }
}
