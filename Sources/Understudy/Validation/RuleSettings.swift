/// What a user wants of the rules about requests and answers: which are told, how much they weigh, and where.
package struct RuleSettings: Sendable {
  /// How a rule is told.
  package enum Level: String, CaseIterable, Sendable {
    /// Not at all; a request is answered as if the rule did not exist.
    case off
    case info, warning
    /// A request that breaks the rule is refused.
    case error

    var severity: Severity? { Severity(rawValue: rawValue) }
  }

  /// The levels in one operation.
  package struct Scope: Sendable {
    package var operationId: String
    package var levels: [Rule: Level]
    /// Wins over that of all operations.
    package var timeLimit: Duration?
    /// Where the operation is named, to complain about a name that no contract has.
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

  /// In every operation, and for requests that reach none.
  package var levels: [Rule: Level]
  /// What an answer may take before `resp.time` is told of it; `nil` for as long as it likes.
  package var timeLimit: Duration?
  /// In one operation each; they win.
  package var scopes: [Scope]

  package init(levels: [Rule: Level] = [:], timeLimit: Duration? = nil, scopes: [Scope] = []) {
    self.levels = levels
    self.timeLimit = timeLimit
    self.scopes = scopes
  }

  /// The rules that have a level: those about requests, answers, running servers and the use of fixtures.
  package static let rules = Rule.request + Rule.response + Rule.provider + Rule.state + [.fixtureUnused]

  /// What holds in an operation, or for requests that reach none.
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

  /// What is to be said of scopes whose operation no contract has.
  package func unknownOperations(among ids: [String]) -> [Diagnostic] {
    scopes.filter { scope in !ids.contains { $0.utf8.elementsEqual(scope.operationId.utf8) } }.map { scope in
      Diagnostic(
        .configInvalid, "`operations` names `\(scope.operationId)`, which no contract has", at: scope.location,
        help: Suggestion.phrase(for: scope.operationId, among: ids) ?? "`understudy routes` lists them")
    }
  }
}

extension ValidationOptions {
  /// Gives every finding the weight that was set for its rule. Of what was set, only an error refuses a request.
  func weigh(_ result: inout ValidationResult) {
    guard !levels.isEmpty else { return }
    result.findings = result.findings.compactMap(weighed)
  }

  /// `nil` for a rule that is off.
  func weighed(_ finding: Diagnostic) -> Diagnostic? {
    guard let level = levels[finding.rule] else { return finding }
    guard let severity = level.severity else { return nil }
    var finding = finding
    finding.severity = severity
    return finding
  }
}
