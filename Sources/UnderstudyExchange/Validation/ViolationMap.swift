/// `x-understudy`: the contract's own answer to each violation, at the root or in an operation, which takes precedence.
package struct ViolationMap: Sendable {
  private var answers: [Violation: Answer] = [:]
  /// Whether the contract asks for its formats to be asserted, or not; `nil` if it says nothing.
  package private(set) var formats: FormatAssertion?
  /// Whether mocks of the contract remember what requests create and change, without an option.
  package private(set) var isStateful = false

  package enum Answer: Hashable, Sendable {
    case status(Int)
    /// Recorded, but answered as a valid request.
    case ignore
  }

  package init() {}

  /// Reads the extension of a root or operation object.
  package init(_ node: JSON, isRoot: Bool = false, diagnostics: inout [Diagnostic]) {
    guard let map = node["x-understudy"] else { return }
    var findings = MappingReader(.specUnderstudyExtension)
    defer { diagnostics += findings.all }
    let keys = Violation.allCases.map(\.rawValue) + (isRoot ? ["formats", "stateful"] : [])
    guard findings.isMapping(map, keys: keys) else { return }
    for member in map.members {
      switch (Violation(rawValue: member.name), member.value.string) {
      case (nil, let text) where isRoot && member.name == "formats":
        formats = text.flatMap { FormatAssertion(named: $0) }
        if formats == nil { findings.report("expected `assert` or `annotate`", at: member.value) }
      case (nil, _) where isRoot && member.name == "stateful":
        isStateful = member.value.bool ?? false
        if member.value.bool == nil { findings.report("expected `true` or `false`", at: member.value) }
      case (nil, _): continue
      case (.unknownPath, "ignore"), (.unknownMethod, "ignore"), (.unknownUser, "ignore"):
        findings.report("`\(member.name)` cannot be ignored: there is nothing else to serve", at: member.value)
      case (let violation?, "ignore"): answers[violation] = .ignore
      case (let violation?, let text):
        if let status = member.value.int ?? text.flatMap({ Int($0) }), 200...599 ~= status {
          answers[violation] = .status(status)
        } else {
          let found = JSONWriter.text(member.value)
          findings.report("expected a status from 200 to 599 or `ignore`, found \(found)", at: member.value)
        }
      }
    }
  }

  /// The answer to a violation; an unsupported media type without its own answer counts as an invalid request.
  package subscript(violation: Violation) -> Answer? {
    answers[violation] ?? (violation == .unsupportedMediaType ? answers[.invalidRequest] : nil)
  }

  /// Whether a status is the contract's own answer to a violation, or to one that only a server can see.
  package func means(_ status: Int, _ violation: Violation?) -> Bool {
    let seen: [Violation] = [.unauthorized, .unknownUser, .invalidRequest]
    return (seen + [violation].compactMap(\.self)).contains { self[$0] == .status(status) }
  }

  /// This map with the entries of a nearer one, which take precedence.
  package func overridden(by nearer: ViolationMap) -> ViolationMap {
    var result = self
    result.answers.merge(nearer.answers) { _, near in near }
    return result
  }
}
