import Synchronization

/// Validates the fixtures of one operation as the answers they will be.
final class FixtureValidator: Sendable {
  private let operation: CompiledOperation
  private let options: ValidationOptions
  /// With each rule at its own weight: levels come afterwards.
  private let unweighed: ValidationOptions
  /// With the optional rules too: for fixtures that may mean to break one.
  private let strict: ValidationOptions
  private let request = Mutex<SampleRequest?>(nil)

  /// Advice to servers, which a file that stands for an answer need not follow; it counts where `violates` names it.
  private static let advice: Set<Rule> = [
    .responseChallengeMissing, .responseAllowMissing, .responseAllowMismatch, .responseStatusMisuse,
  ]

  init(_ operation: CompiledOperation, _ options: ValidationOptions) {
    self.operation = operation
    self.options = options
    var settings = options
    settings.levels = [:]
    unweighed = settings
    settings.optional = Rule.optional
    strict = settings
  }

  /// `told` is what reading the fixture found. Whatever the rule, the author of the file mends it.
  func validate(_ fixture: Fixture, told: [Diagnostic]) -> ValidationResult {
    var result = operation.responseValidator.validate(
      answer(of: fixture), fixture.violates.isEmpty ? unweighed : strict)
    let meant = Set(fixture.violates)
    let broken = result.findings.filter { finding in
      let rule = finding.rule
      return meant.contains(rule.id)
        || (!Self.advice.contains(rule) && (!Rule.optional.contains(rule) || options.wants(rule)))
    }
    let unmeant = broken.filter { !meant.contains($0.rule.id) }.compactMap(options.weighed)
    result.checked += meant.count
    result.findings = merge(told, unmeant).map { $0.owned(by: .fixture) }
    let kept = fixture.violates.filter { id in !broken.contains { $0.rule.id == id } }
    if result.findings.isEmpty, kept.isEmpty { return result }
    // Only now positions are worth their cost.
    let places = FixturePlaces(fixture)
    result.findings = result.findings.map(places.placed)
    for id in kept {
      if let reason = Self.liveOnly[id] {
        result.skip("", reason)
        continue
      }
      result.findings.append(
        Diagnostic(
          .fixtureViolatesKept, "\(fixture.label) says that it breaks `\(id)`, and it does not",
          at: places.violates(id),
          help: unmeant.first.map { "it breaks `\($0.rule.id)`" } ?? "take it out of the list, or break it"))
    }
    return result
  }

  /// Rules that no file can break, by why.
  private static let liveOnly = [
    Rule.responseTime.id: "how long an answer takes shows when it is served",
    Rule.requestExpectedInvalid.id: "a fixture has no request",
  ]

  /// Reading and validating may say the same in two ways; here one of them is left.
  private func merge(_ told: [Diagnostic], _ validated: [Diagnostic]) -> [Diagnostic] {
    let rules = Set(validated.map(\.rule))
    let read = told.filter { diagnostic in
      switch diagnostic.rule {
      case .fixtureBodySyntax: !rules.contains(.responseBodyUnparsable)
      case .fixtureBodyForbidden: !rules.contains(.responseBodyUnexpected)
      default: true
      }
    }
    let isUndocumented = told.contains { $0.rule == .fixtureStatusUndocumented }
    return read + validated.filter { !isUndocumented || $0.rule != .responseStatusUndocumented }
  }

  // MARK: - The answer

  private func answer(of fixture: Fixture) -> ResponseView {
    switch fixture.body {
    case .bytes(let bytes, _): fixture.answer(bytes, in: operation)
    case .template(let template):
      fixture.answer(template.render(sampleRequest, now: "2022-12-06T11:02:15.120Z"), in: operation)
    }
  }

  private var sampleRequest: SampleRequest {
    request.withLock { known in
      if let known { return known }
      let made = SampleRequest(operation.operation, operation.schemas)
      known = made
      return made
    }
  }
}
