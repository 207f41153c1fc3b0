import Foundation

/// What requests of a client break.
public struct Finding: Sendable, Hashable, CustomStringConvertible {
  /// The id of the rule: `req.param.missing`.
  public let rule: String
  /// The problem and what was expected, in one sentence.
  public let message: String
  /// The part of the request: `/query/lastchatDate`.
  public let location: String?
  /// Advice for the next step.
  public let help: String?
  /// Whether it fails a test; the others are warnings and notes.
  public let isError: Bool
  /// The id of the operation, in a verdict.
  public let operation: String?
  /// The number of requests that have it, in a verdict.
  public let count: Int
  /// The requests that prove it: `request 3: POST /v1/chat/u2 -> 501`.
  let proof: [String]

  package init?(_ value: JSONValue) {
    guard let rule = value["rule"]?.string, let message = value["message"]?.string else { return nil }
    self.rule = rule
    self.message = message
    location = value["pointer"]?.string
    help = value["help"]?.string
    isError = value["severity"]?.string == "error"
    operation = value["operation"]?.string
    count = value["count"]?.int ?? 1
    proof = value["requests"]?.array?.compactMap(\.string) ?? []
  }

  /// `the header `idtoken` is required and missing [req.param.missing]`
  public var description: String { "\(message) [\(rule)]" }

  /// The message after the member of a body, or the argument of an event, that it is about.
  private var placedMessage: String {
    guard let location else { return message }
    if location.hasPrefix("/arguments/") { return "\(location): \(message)" }
    return location.hasPrefix("/body/") ? "\(location.dropFirst("/body".count)): \(message)" : message
  }

  /// For the failure of a test: the request, the problem, the advice.
  var report: String {
    let request = proof.last?.components(separatedBy: ": ").dropFirst().joined(separator: ": ")
    let subject = [request?.components(separatedBy: " -> ").first, operation.map { "(\($0))" }].compactMap { $0 }
    let isAboutSequences = rule.hasPrefix("check.")
    return (subject.isEmpty ? "" : subject.joined(separator: " ") + ": ") + placedMessage
      + (count > 1 ? ", in \(count) requests" : "") + " [\(rule)]"
      + (isAboutSequences ? proof.map { "\n  \($0)" }.joined() : "") + (help.map { "\n  help: \($0)" } ?? "")
  }
}
