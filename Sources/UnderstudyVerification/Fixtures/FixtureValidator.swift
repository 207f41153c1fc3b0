import UnderstudySystem

/// Validates the fixtures of one operation as answers.
package final class FixtureValidator: Sendable {
  private let operation: CompiledOperation
  private let options: ValidationOptions
  /// Without levels, which apply afterwards.
  private let unweighed: ValidationOptions
  /// With the optional rules, for fixtures that may break them on purpose.
  private let strict: ValidationOptions
  private let request = Lock<SampleRequest?>(nil)

  /// Advice to servers, which applies to a fixture only where `violates` names it.
  private static let advice: Set<Rule> = [
    .responseChallengeMissing, .responseAllowMissing, .responseAllowMismatch, .responseStatusMisuse,
  ]

  package init(_ operation: CompiledOperation, _ options: ValidationOptions) {
    self.operation = operation
    self.options = options
    var settings = options
    settings.levels = [:]
    unweighed = settings
    settings.optional = Rule.optional
    strict = settings
  }

  /// Validates a fixture; the owner of all findings is the author of the file.
  func validate(_ fixture: Fixture, reading: [Diagnostic]) -> ValidationResult {
    var result = validated(fixture)
    let meant = Set(fixture.violates)
    let broken = broken(by: fixture, in: result)
    let unmeant = broken.filter { !meant.contains($0.rule.id) }.compactMap(options.weighed)
    result.checked += meant.count
    result.findings = merge(reading, unmeant).map { $0.owned(by: .fixture) }
    let kept = fixture.violates.filter { id in !broken.contains { $0.rule.id == id } }
    if result.findings.isEmpty, kept.isEmpty { return result }
    let places = FixturePlaces(fixture)
    result.findings = result.findings.map(places.placed)
    for id in kept {
      if let reason = Self.liveOnly[id] {
        result.skip("", reason)
      } else {
        result.findings.append(
          Diagnostic(
            .fixtureViolatesKept, "\(fixture.label) lists `\(id)` in `violates`, but does not break it",
            at: places.violates(id),
            help: unmeant.first.map { "it breaks `\($0.rule.id)`" } ?? "remove it from the list, or break it"))
      }
    }
    return result
  }

  /// The findings about a fixture, those that it lists in `violates` included.
  package func broken(by fixture: Fixture) -> [Diagnostic] { broken(by: fixture, in: validated(fixture)) }

  private func validated(_ fixture: Fixture) -> ValidationResult {
    do throws(ResponseTemplate.Failure) {
      let result = operation.responseValidator.validate(
        try fixture.answer(to: sampleRequest, in: operation), options(for: fixture))
      return advised(result, about: fixture)
    } catch {
      let finding = Diagnostic(
        .fixtureInvalid, "the template cannot be filled for a sample request: \(error.message)",
        at: Location(fixture.source))
      var result = ValidationResult()
      result.checked = 1
      result.findings = [finding]
      return result
    }
  }

  /// The result with advice about a name in the template that the sample request gives no value.
  private func advised(_ result: ValidationResult, about fixture: Fixture) -> ValidationResult {
    guard case .template(let body) = fixture.body, !result.findings.isEmpty,
      let missing = body.rendered(sampleRequest, .sample).missing
    else { return result }
    var result = result
    for index in result.findings.indices where result.findings[index].help == nil {
      result.findings[index].help =
        "`{{\(missing)}}` is empty: the sample request of this check has no value for it, "
        + "and `{{default \(missing) 'a value'}}` gives it one"
    }
    return result
  }

  /// A fixture of an undocumented 5xx breaks `resp.status.undocumented`, unless it names `resp.server-error`.
  private func options(for fixture: Fixture) -> ValidationOptions {
    guard !fixture.violates.isEmpty else { return unweighed }
    return fixture.violates.contains(Rule.responseServerError.id) ? strict.ofServer : strict
  }

  private func broken(by fixture: Fixture, in result: ValidationResult) -> [Diagnostic] {
    result.findings.filter { finding in
      let rule = finding.rule
      return fixture.violates.contains(rule.id)
        || (!Self.advice.contains(rule) && (!Rule.optional.contains(rule) || options.wants(rule)))
    }
  }

  /// The number of findings about a fixture; `nil` if it cannot be served.
  func findings(of reading: FixtureReading) -> Int? {
    reading.fixture.map { validate($0, reading: reading.diagnostics).findings.count }
  }

  /// Rules that no file can break, with the reason.
  private static let liveOnly = [
    Rule.responseTime.id: "the time of an answer is only known when it is served",
    Rule.requestExpectedInvalid.id: "a fixture has no request",
  ]

  /// Removes findings of reading that validating repeats under other rules, and the reverse.
  private func merge(_ reading: [Diagnostic], _ validated: [Diagnostic]) -> [Diagnostic] {
    let rules = Set(validated.map(\.rule))
    let read = reading.filter { diagnostic in
      switch diagnostic.rule {
      case .fixtureBodySyntax: !rules.contains(.responseBodyUnparsable)
      case .fixtureBodyForbidden: !rules.contains(.responseBodyUnexpected)
      default: true
      }
    }
    let isUndocumented = reading.contains { $0.rule == .fixtureStatusUndocumented }
    return read + validated.filter { !isUndocumented || $0.rule != .responseStatusUndocumented }
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
