extension Location {
  /// A value or key in a document.
  package init(_ value: JSON) {
    self.init(value.document.source, value.range, pointer: value.pointer.description)
  }

  /// The value, or the first character of a container, whose whole text is too long for an excerpt.
  package init(start value: JSON) {
    self.init(value)
    guard value.isObject || value.isArray, let whole = range else { return }
    range = whole.lowerBound..<min(whole.lowerBound + 1, whole.upperBound)
  }
}

extension Diagnostic {
  package init(_ rule: Rule, _ message: String, at value: JSON, notes: [Note] = [], help: String? = nil) {
    self.init(rule, message, at: Location(value), notes: notes, help: help)
  }
}
