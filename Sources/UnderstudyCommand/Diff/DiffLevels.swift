import ArgumentParser
import UnderstudyVerification

/// The severities of the rules of a comparison: by policy, and by a file.
struct DiffLevels {
  /// The party that a comparison protects.
  enum Policy: String, CaseIterable, ExpressibleByArgument {
    /// Sets of values alone.
    case contract
    /// Clients that ignore unknown values, alternatives and properties.
    case tolerantReader = "tolerant-reader"
    /// Clients whose code is generated: names matter.
    case codegen

    var severities: [String: Severity] {
      switch self {
      case .contract: [:]
      case .tolerantReader:
        [
          "diff.response.enum": .info, "diff.response.alternative": .info, "diff.response.additional": .info,
          "diff.response.property-closed": .info, "diff.response.success-added": .info,
        ]
      case .codegen: ["diff.operation.id": .warning, "diff.param.path-renamed": .warning]
      }
    }
  }

  private let policy: Policy
  /// The severities of the file; `nil` for `off`.
  private var chosen: [String: Severity?] = [:]

  init(policy: Policy, file: String?, _ common: CommonOptions) throws {
    self.policy = policy
    guard let file else { return }
    let source = try FileProblem.asFailure { () throws(FileProblem) in try FileSystem.read(file) }
    let root: JSON
    do throws(TextProblem) {
      root = try TextDocument.read(source).root
    } catch {
      common.report([Diagnostic(.configInvalid, error, in: source)])
      throw CommandFailure(.usage)
    }
    var problems: [Diagnostic] = []
    if !root.isObject, !root.isNull {
      problems.append(
        Diagnostic(
          .configInvalid, "expected a rule and its severity on each line, as in `diff.param.removed: error`", at: root))
    }
    let known = Rule.diff.map(\.id)
    for member in root.members {
      guard known.contains(where: { $0.utf8Equals(member.name) }) else {
        problems.append(
          Diagnostic(
            .configUnknownKey, "unknown rule `\(member.name)`", at: member.key,
            help: Suggestion.phrase(for: member.name, among: known) ?? "`understudy explain 'diff.*'` lists them"))
        continue
      }
      guard !chosen.keys.contains(member.name) else {
        problems.append(
          Diagnostic(
            .configInvalid, "the rule `\(member.name)` has a severity already: expected each rule once", at: member.key)
        )
        continue
      }
      let text = member.value.bool == false ? "off" : member.value.text
      if text == "off" {
        chosen[member.name] = .some(nil)
      } else if let severity = Severity(rawValue: text) {
        chosen[member.name] = severity
      } else {
        problems.append(
          Diagnostic(
            .configInvalid, "unknown severity `\(text)`: expected `error`, `warning`, `info` or `off`",
            at: member.value))
      }
    }
    guard problems.isEmpty else {
      common.report(problems)
      throw CommandFailure(.usage)
    }
  }

  /// The severity of a finding; `nil` if its rule is off.
  func severity(of diagnostic: Diagnostic) -> Severity? {
    if let chosen = chosen[diagnostic.rule.id] { return chosen }
    return policy.severities[diagnostic.rule.id] ?? diagnostic.severity
  }
}
