/// Makes the requests that fixtures answer: what their `when` names, laid over a request that keeps the contract.
///
/// Whether a request is the one that a fixture means is for the mock's own matcher to say, as it goes over the wire; whether it
/// keeps the contract, for the validator. Where contract and fixture agree on whether it is let in, it is a request like any other of
/// its kind. Where they do not, only its answer is validated.
struct FixtureRequests {
  let subject: LiveOperation
  let base: RequestDraft

  /// Requests that are tried for a fixture, with other values where its `when` leaves a choice.
  private static let variants = 8

  func add(to planning: inout Planning, _ mode: LiveSettings.Mode) {
    for fixture in subject.fixtures {
      guard let matcher = fixture.when else { continue }
      guard fixture.fault == nil else {
        planning.skip("a request of a fixture that fails on the wire on purpose")
        continue
      }
      guard let call = call(of: fixture, matcher) else {
        planning.skip("no request could be made that the `when` of a fixture fits")
        continue
      }
      guard mode != (call.violation == nil ? .negative : .positive) else { continue }
      planning.add(call)
    }
  }

  /// The first request that fits and keeps the contract, else the first that fits.
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
        call.purpose = reference.isSuccess && call.validated.isValid ? .valid : .recorded
        return call
      }
      guard broken == nil else { continue }
      call.purpose = reference.isSuccess ? .recorded : Self.rule(for: call).map { .invalid($0) } ?? .recorded
      broken = call
    }
    return broken
  }

  /// The rule for letting such a request in; `nil` where that shows nothing.
  private static func rule(for call: LiveCall) -> Rule? {
    let broken = call.validated.findings.filter { $0.violation != nil && !isOverlooked($0) }
    switch broken.compactMap(\.violation).min() {
    case nil: return nil
    case .unauthorized?: return .providerAuthIgnored
    case .unsupportedMediaType?: return .providerMediaUnsupported
    // A server may answer in a type that nobody asked for (RFC 9110, 12.5.1).
    case .notAcceptable?: return nil
    default: break
    }
    let isHeaderOnly = broken.allSatisfy { finding in
      finding.rule == .requestParamMissing
        && finding.location?.pointer?.hasPrefix("/header/") == true
    }
    return isHeaderOnly ? .providerHeaderIgnored : .providerInvalidAccepted
  }

  /// Servers pass over keys that they do not know.
  private static func isOverlooked(_ diagnostic: Diagnostic) -> Bool {
    let keyword = diagnostic.notes.first?.location?.pointer ?? ""
    return ["/additionalProperties", "/unevaluatedProperties"].contains { keyword.hasSuffix($0) }
  }
}

/// The fixture that a request was made for.
struct FixtureReference: Sendable {
  /// `readChat/200.empty.yaml`
  let name: String
  let status: Response.Status

  init(_ fixture: Fixture) {
    name = "\(fixture.operationId)/\(Path.name(of: fixture.source.path))"
    status = fixture.status
  }

  var isSuccess: Bool { 200...399 ~= status.code }

  /// Whether an answer has the status that was written down.
  func expects(_ code: Int) -> Bool {
    switch status {
    case .code(let expected): code == expected
    case .range(let hundreds): code / 100 == hundreds
    case .default: !(200...399 ~= code)
    }
  }
}
