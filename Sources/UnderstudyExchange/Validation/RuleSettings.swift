/// The levels of rules about requests and answers, for all operations and for single ones.
package struct RuleSettings: Sendable {
  package enum Level: String, CaseIterable, Sendable {
    /// Nothing is reported; a request is answered as if the rule did not exist.
    case off
    case info, warning
    /// A request that breaks the rule is refused.
    case error

    var severity: Severity? { Severity(rawValue: rawValue) }
  }

  package struct Scope: Sendable {
    package var operationId: String
    package var levels: [Rule: Level]
    /// Takes precedence over that of all operations.
    package var timeLimit: Duration?
    package var location: Location?

    package init(
      operationId: String, levels: [Rule: Level], timeLimit: Duration? = nil, location: Location? = nil
    ) {
      self.operationId = operationId
      self.levels = levels
      self.timeLimit = timeLimit
      self.location = location
    }
  }

  /// For every operation, and for requests that reach none.
  package var levels: [Rule: Level]
  /// The longest time that an answer may take; `nil` for no limit.
  package var timeLimit: Duration?
  /// For one operation each; they take precedence.
  package var scopes: [Scope]

  package init(levels: [Rule: Level] = [:], timeLimit: Duration? = nil, scopes: [Scope] = []) {
    (self.levels, self.timeLimit, self.scopes) = (levels, timeLimit, scopes)
  }

  /// The options of an operation, or of requests that reach none.
  package func validationOptions(for operationId: String? = nil) -> ValidationOptions {
    var options = ValidationOptions()
    options.levels = levels
    options.timeLimit = timeLimit
    for scope in scopes where operationId.map({ scope.operationId.utf8.elementsEqual($0.utf8) }) == true {
      options.levels.merge(scope.levels) { _, near in near }
      options.timeLimit = scope.timeLimit ?? options.timeLimit
    }
    options.optional = Rule.optional.filter { options.levels[$0].map { $0 != .off } ?? false }
    return options
  }

  /// The findings about scopes whose operation no contract has.
  package func unknownOperations(among ids: [String]) -> [Diagnostic] {
    scopes.filter { scope in !ids.contains { $0.utf8.elementsEqual(scope.operationId.utf8) } }.map { scope in
      Diagnostic(
        .configInvalid, "`operations` names `\(scope.operationId)`, which no contract has", at: scope.location,
        help: Suggestion.phrase(for: scope.operationId, among: ids) ?? "`understudy routes` lists them")
    }
  }
}

extension ValidationOptions {
  /// Gives every finding the level that is set for its rule; rules that are off have none.
  package func weigh(_ result: inout ValidationResult) {
    guard !levels.isEmpty else { return }
    result.findings = result.findings.compactMap(weighed)
  }

  /// `nil` for a rule that is off.
  package func weighed(_ finding: Diagnostic) -> Diagnostic? {
    guard let level = levels[finding.rule] else { return finding }
    guard let severity = level.severity else { return nil }
    var finding = finding
    finding.severity = severity
    return finding
  }
}
