import SourceText
import Synchronization

/// Judges the fixtures of one operation as the answers they will be.
final class FixtureJudge: Sendable {
  private let operation: CompiledOperation
  private let options: JudgeOptions
  /// With each rule at its own weight: levels come afterwards.
  private let unweighed: JudgeOptions
  /// With the optional rules too: for fixtures that may mean to break one.
  private let strict: JudgeOptions
  private let request = Mutex<SampleRequest?>(nil)

  /// What is to be said of one fixture.
  struct Verdict {
    var findings: [Diagnostic] = []
    var notJudged: [String] = []
    var checked = 0
  }

  /// Advice to servers, which a file that stands for an answer need not follow; it counts where `violates` names it.
  private static let advice: Set<Rule> = [
    .responseChallengeMissing, .responseAllowMissing, .responseAllowMismatch, .responseStatusMisuse,
  ]

  init(_ operation: CompiledOperation, _ options: JudgeOptions) {
    self.operation = operation
    self.options = options
    var settings = options
    settings.levels = [:]
    unweighed = settings
    settings.optional = Rule.optional
    strict = settings
  }

  /// `told` is what reading the fixture found.
  func verdict(on fixture: Fixture, told: [Diagnostic]) -> Verdict {
    let judgement = operation.responseJudge.judge(answer(of: fixture), fixture.violates.isEmpty ? unweighed : strict)
    let meant = Set(fixture.violates)
    let broken = judgement.findings.filter { finding in
      let rule = finding.diagnostic.rule
      return meant.contains(rule.id)
        || (!Self.advice.contains(rule) && (!Rule.optional.contains(rule) || options.wants(rule)))
    }
    let unmeant = broken.filter { !meant.contains($0.diagnostic.rule.id) }.compactMap(options.weighed)
    var verdict = Verdict(checked: judgement.checked + meant.count)
    verdict.notJudged = judgement.notJudged.map(\.reason)
    verdict.findings = merge(told, unmeant.map(\.diagnostic))
    let kept = fixture.violates.filter { id in !broken.contains { $0.diagnostic.rule.id == id } }
    if verdict.findings.isEmpty, kept.isEmpty { return verdict }
    // Only now positions are worth their cost.
    let places = FixturePlaces(fixture)
    verdict.findings = verdict.findings.map(places.placed)
    for id in kept {
      if let reason = Self.liveOnly[id] {
        verdict.notJudged.append(reason)
        continue
      }
      verdict.findings.append(
        Diagnostic(
          .fixtureViolatesKept, "\(fixture.label) says that it breaks `\(id)`, and it does not",
          at: places.violates(id),
          help: unmeant.first.map { "it breaks `\($0.diagnostic.rule.id)`" } ?? "take it out of the list, or break it"))
    }
    return verdict
  }

  /// Rules that no file can break, by why.
  private static let liveOnly = [
    Rule.responseTime.id: "how long an answer takes shows when it is served",
    Rule.requestExpectedInvalid.id: "a fixture has no request",
  ]

  /// Reading and judging may say the same in two ways; here one of them is left.
  private func merge(_ told: [Diagnostic], _ judged: [Diagnostic]) -> [Diagnostic] {
    let rules = Set(judged.map(\.rule))
    let read = told.filter { diagnostic in
      switch diagnostic.rule {
      case .fixtureBodySyntax: !rules.contains(.responseBodyUnparsable)
      case .fixtureBodyForbidden: !rules.contains(.responseBodyUnexpected)
      default: true
      }
    }
    let isUndocumented = told.contains { $0.rule == .fixtureStatusUndocumented }
    return read + judged.filter { !isUndocumented || $0.rule != .responseStatusUndocumented }
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
