/// `x-understudy`: which of the contract's own statuses answers which violation.
///
/// It may stand at the root and in an operation; the operation's entries win. `ignore` serves the request all the same.
package struct ViolationMap: Sendable {
  private var answers: [Violation: Answer] = [:]

  package enum Answer: Hashable, Sendable {
    case status(Int)
    /// Recorded, but answered as if nothing were wrong.
    case ignore
  }

  package init() {}

  /// Reads the extension of a root or operation object.
  package init(_ node: JSON, diagnostics: inout [Diagnostic]) {
    guard let map = node["x-understudy"] else { return }
    guard map.isObject else {
      diagnostics.append(Diagnostic(.specUnderstudyExtension, "expected a mapping, found \(map.kindName)", at: map))
      return
    }
    let known = Violation.allCases.map(\.rawValue)
    for member in map.members {
      guard let violation = Violation(rawValue: member.name) else {
        diagnostics.append(
          Diagnostic(
            .specUnderstudyExtension, "unknown key `\(member.name)`", at: member.key,
            help: Suggestion.phrase(for: member.name, among: known) ?? "known: \(known.joined(separator: ", "))"))
        continue
      }
      switch (violation, member.value.string) {
      case (.unknownPath, "ignore"), (.unknownMethod, "ignore"), (.unknownUser, "ignore"):
        diagnostics.append(
          Diagnostic(
            .specUnderstudyExtension, "`\(violation.rawValue)` cannot be ignored: there is nothing else to serve",
            at: member.value))
      case (_, "ignore"): answers[violation] = .ignore
      default:
        guard let status = member.value.int ?? member.value.string.flatMap({ Int($0) }), 200...599 ~= status else {
          diagnostics.append(
            Diagnostic(
              .specUnderstudyExtension,
              "expected a status from 200 to 599 or `ignore`, found \(JSONWriter.text(member.value))", at: member.value)
          )
          continue
        }
        answers[violation] = .status(status)
      }
    }
  }

  /// The answer to a violation; an unsupported media type without one of its own is an invalid request like any other.
  package subscript(violation: Violation) -> Answer? {
    answers[violation] ?? (violation == .unsupportedMediaType ? answers[.invalidRequest] : nil)
  }

  /// This map with the entries of a nearer one on top.
  package func overridden(by nearer: ViolationMap) -> ViolationMap {
    var result = self
    result.answers.merge(nearer.answers) { _, near in near }
    return result
  }
}
