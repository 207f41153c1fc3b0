/// Makes the requests that fixtures answer: valid requests, changed so that they match the `when` of a fixture.
///
/// The mock's own matcher and validator check each request as it goes over the wire. Where contract and fixture agree on
/// accepting it, it is a request like any other of its kind; where they do not, only its answer is validated.
struct FixtureRequests {
  let subject: LiveOperation
  let base: RequestDraft

  /// The requests that are tried for a fixture, with other values where its `when` allows several.
  private static let variants = 8

  func add(to plan: inout LivePlan, _ mode: LiveSettings.Mode) {
    for fixture in subject.fixtures {
      guard let matcher = fixture.when else { continue }
      guard fixture.faults.allSatisfy({ $0.fault == nil }) else {
        plan.skip("a request of a fixture with a fault")
        continue
      }
      guard let call = call(of: fixture, matcher) else {
        plan.skip("no request could be made that matches the `when` of a fixture")
        continue
      }
      guard mode != (call.violation == nil ? .negative : .positive) else { continue }
      plan.add(call)
    }
  }

  /// The first valid request that matches, else the first that matches.
  private func call(of fixture: Fixture, _ matcher: RequestMatcher) -> LiveCall? {
    let reference = FixtureReference(fixture)
    let overlay = RequestOverlay(subject: subject)
    var broken: LiveCall?
    for variant in 0..<Self.variants {
      guard let draft = overlay.draft(base, matcher, variant),
        var call = subject.call(draft, .valid, "the request of fixture \(reference.name)"),
        let view = subject.view(of: call.wire), matcher.matches(view)
      else { continue }
      call.fixture = reference
      if call.violation == nil {
        call.purpose = reference.isSuccess && call.validated.isValid ? .valid : .answerOnly
        return call
      }
      guard broken == nil else { continue }
      call.purpose = reference.isSuccess ? .answerOnly : Self.rule(for: call).map { .invalid($0) } ?? .answerOnly
      broken = call
    }
    return broken
  }

  /// The rule that a server breaks by accepting such a request; `nil` where it may.
  private static func rule(for call: LiveCall) -> Rule? {
    let broken = call.validated.findings.filter { $0.violation != nil && !isOverlooked($0) }
    switch broken.compactMap(\.violation).min() {
    case nil: return nil
    case .unauthorized?: return .providerAuthIgnored
    case .unsupportedMediaType?: return .providerMediaUnsupported
    // A server may ignore `Accept` (RFC 9110, 12.5.1).
    case .notAcceptable?: return nil
    default: break
    }
    let isHeaderOnly = broken.allSatisfy { finding in
      finding.rule == .requestParamMissing
        && finding.location?.pointer?.hasPrefix("/header/") == true
    }
    return isHeaderOnly ? .providerHeaderIgnored : .providerInvalidAccepted
  }

  /// Servers may ignore keys that they do not know.
  private static func isOverlooked(_ diagnostic: Diagnostic) -> Bool {
    let keyword = diagnostic.notes.first?.location?.pointer ?? ""
    return ["/additionalProperties", "/unevaluatedProperties"].contains { keyword.hasSuffix($0) }
  }
}

struct FixtureReference: Sendable {
  /// `readChat/200.empty.yaml`
  let name: String
  let status: Response.Status

  init(_ fixture: Fixture) {
    name = "\(fixture.operationId)/\(Path.name(of: fixture.source.path))"
    status = fixture.status
  }

  var isSuccess: Bool { 200...399 ~= status.code }

  func expects(_ code: Int) -> Bool {
    switch status {
    case .code(let expected): code == expected
    case .range(let hundreds): code / 100 == hundreds
    case .default: !(200...399 ~= code)
    }
  }
}
