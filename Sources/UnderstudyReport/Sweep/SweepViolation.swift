/// What a request of a run breaks, in brief.
package struct SweepViolation: Sendable, Hashable, CustomStringConvertible {
  /// The id of the rule.
  package let rule: String
  package let message: String

  /// The errors of a request, less those of a redirect that was followed.
  static func all(in request: SweepRun.Request) -> [SweepViolation] {
    guard !request.followsRedirect else { return [] }
    return request.reply.diagnostics.filter { $0.owner == .client && $0.severity == .error }.map {
      SweepViolation(rule: $0.rule.id, message: $0.message)
    }
  }

  /// `the property `chat` is missing [req.body.schema]`
  package var description: String { "\(message) [\(rule)]" }
}
