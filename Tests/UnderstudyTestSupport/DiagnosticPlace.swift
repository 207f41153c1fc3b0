package import UnderstudyMock

extension Diagnostic {
  /// `rule line:column`.
  package var place: String { "\(rule.id) \(location?.start.map { "\($0.line):\($0.column)" } ?? "")" }
}
