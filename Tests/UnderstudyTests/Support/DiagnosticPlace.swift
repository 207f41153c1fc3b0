import Understudy

extension Diagnostic {
  /// `rule line:column`.
  var place: String { "\(rule.id) \(location?.start.map { "\($0.line):\($0.column)" } ?? "")" }
}
