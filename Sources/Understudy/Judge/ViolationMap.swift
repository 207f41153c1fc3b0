/// `x-understudy`: which of the contract's own statuses answers which violation.
///
/// It may stand at the root and in an operation; the operation's entries win.
package struct ViolationMap: Sendable {
  private var statuses: [Violation: Int] = [:]

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
      guard let status = member.value.int ?? member.value.string.flatMap({ Int($0) }), 200...599 ~= status else {
        diagnostics.append(
          Diagnostic(.specUnderstudyExtension, "expected a status from 200 to 599, found \(JSONWriter.text(member.value))", at: member.value))
        continue
      }
      statuses[violation] = status
    }
  }

  package subscript(violation: Violation) -> Int? { statuses[violation] }

  /// This map with the entries of a nearer one on top.
  package func overridden(by nearer: ViolationMap) -> ViolationMap {
    var result = self
    result.statuses.merge(nearer.statuses) { _, near in near }
    return result
  }
}
