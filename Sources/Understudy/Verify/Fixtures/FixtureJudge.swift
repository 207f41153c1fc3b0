import HTTPTypes
import JSONSchema
import SourceText
import Synchronization

/// Judges the fixtures of one operation as the answers they will be.
final class FixtureJudge: Sendable {
  private let operation: Operation
  private let schemas: SchemaLibrary
  private let options: JudgeOptions
  /// Tells what is always told and what was asked for, each rule at its own weight: levels come afterwards.
  private let judge: ResponseJudge
  /// Tells the optional rules too: for fixtures that may mean to break one.
  private let strictJudge: ResponseJudge
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

  init(_ operation: Operation, _ api: API, _ schemas: SchemaLibrary, _ options: JudgeOptions) {
    self.operation = operation
    self.schemas = schemas
    self.options = options
    var unweighed = options
    unweighed.levels = [:]
    judge = JudgeCompiler(api, schemas: schemas, options: unweighed).responseJudge(for: operation)
    unweighed.optional = Rule.optional
    strictJudge = JudgeCompiler(api, schemas: schemas, options: unweighed).responseJudge(for: operation)
  }

  /// `told` is what reading the fixture found.
  func verdict(on fixture: Fixture, told: [Diagnostic]) -> Verdict {
    let judgement = (fixture.violates.isEmpty ? judge : strictJudge).judge(answer(of: fixture))
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

  /// What a client would get; a fault on the way is no part of what the file says.
  private func answer(of fixture: Fixture) -> ResponseView {
    let code = Self.code(of: fixture.status, in: operation)
    var fields = HTTPFields()
    let headers = fixture.headers(under: operation.response(for: code), samples: SampleHeaders(schemas: schemas))
    for (name, value) in headers {
      if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
    }
    let body: [UInt8] =
      switch fixture.body {
      case .bytes(let bytes, _): bytes
      case .template(let template): template.render(sampleRequest, now: "2022-12-06T11:02:15.120Z")
      }
    return ResponseView(
      status: code, fields: fields, body: body, method: operation.method, hadBody: true, askedForPart: true)
  }

  private var sampleRequest: SampleRequest {
    request.withLock { known in
      if let known { return known }
      let made = SampleRequest(operation, schemas)
      known = made
      return made
    }
  }

  /// A status that a fixture of a range or of `default` answers: one that no narrower response has.
  static func code(of status: Response.Status, in operation: Operation) -> Int {
    let codes: any Sequence<Int>
    switch status {
    case .code(let code): return code
    case .range(let hundreds): codes = hundreds * 100...hundreds * 100 + 99
    case .default: codes = [500, 400, 300, 200] + Array(100...599)
    }
    for code in codes where operation.response(for: code)?.status == status { return code }
    return status.code
  }
}
