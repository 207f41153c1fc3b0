import SourceText

/// Says what an answer shows, of itself and of the request that it answers.
struct LiveJudge: Sendable {
  let subject: LiveOperation

  private var operation: Operation { subject.operation }

  func judge(_ call: LiveCall, _ answer: LiveAnswer) -> LiveVerdict {
    var verdict = LiveVerdict()
    let status = statusKey(answer.status)
    let isJudged = judgeAnswer(call, answer, status, &verdict)
    judgeAdmission(call, answer, status, &verdict)
    verdict.complaints = verdict.complaints.compactMap { complaint in
      subject.options.weighed(Finding(nil, complaint.diagnostic)).map { finding in
        var weighed = complaint
        weighed.diagnostic = finding.diagnostic
        return weighed
      }
    }
    verdict.holds =
      isJudged && keepsContract(call, answer.status)
      && !verdict.complaints.contains { $0.diagnostic.severity == .error }
    return verdict
  }

  /// Whether a request keeps the contract, or was refused where it does not.
  private func keepsContract(_ call: LiveCall, _ status: Int) -> Bool {
    guard call.judged.isWhole else { return false }
    return call.violation.map { subject.refusals.isRefusal(status, of: $0) } ?? call.judged.isValid
  }

  /// The documented status that an answer falls under, else its own.
  func statusKey(_ status: Int) -> String { operation.response(for: status)?.status.description ?? String(status) }

  // MARK: - The answer

  /// Gives back whether the answer is documented and was judged to its end.
  private func judgeAnswer(
    _ call: LiveCall, _ answer: LiveAnswer, _ status: String, _ verdict: inout LiveVerdict
  ) -> Bool {
    let view = RequestView(request: call.wire.request, target: call.wire.target, captures: [], body: call.wire.body)
    let response = ResponseView(answer.response, body: answer.body, to: view, duration: answer.duration)
    var judgement: Judgement
    let documented = operation.response(for: answer.status)
    if call.purpose == .method {
      judgement = Judgement()
      ResponseSemantics(operation: operation, options: subject.options).judge(response, &judgement)
    } else {
      judgement = subject.compiled.exchangeJudge(subject.options).answer(
        response, breaksContract: call.violation != nil)
    }
    if let reason = answer.unread { judgement.withdrawBody(reason) }
    verdict.notJudged += judgement.notJudged.map(\.reason)
    let headers = call.purpose == .method ? 0 : documented?.headers.count ?? 0
    let fixed = call.purpose == .method ? 1 : 2
    verdict.count(.http, status, 1)
    if call.purpose != .method { verdict.count(.status, status, 1) }
    verdict.count(.headers, status, headers)
    verdict.count(.body, status, max(0, judgement.checked - headers - fixed))
    for finding in judgement.findings where isOfInterest(finding.diagnostic.rule, call, answer.status) {
      let check = LiveCheck(of: finding.diagnostic.rule)
      verdict.complaints.append(LiveComplaint(check, finding.diagnostic, status: status))
    }
    return documented != nil && judgement.isWhole
  }

  /// What is told elsewhere, or is just what the contract asks for, is left out.
  private func isOfInterest(_ rule: Rule, _ call: LiveCall, _ status: Int) -> Bool {
    switch rule {
    case .responseServerError:
      !subject.refusals.means(status, call.violation) && call.fixture?.expects(status) != true
    // A server that failed did not choose its status.
    case .responseStatusUndocumented: !((500...599).contains(status) && subject.options.wants(.responseServerError))
    // The first is told as `prov.auth.open`; the second is the contract's doing, not the server's.
    case .responseStatusMisuse:
      !(status == 401 && operation.security.isEmpty) && !operation.responses.contains { $0.status == .code(status) }
    case .responseContentTypeUndocumented: !isUnnamedError(call, status)
    // No registered challenge is about API keys.
    case .responseChallengeMissing: subject.writer.credentials.knowsChallenge(for: operation)
    default: true
    }
  }

  /// Whether Swagger 2.0 had no way to name the type of this answer: `produces` counts for every answer of an operation, and
  /// one that produces archives has its errors there too, which are objects.
  private func isUnnamedError(_ call: LiveCall, _ status: Int) -> Bool {
    guard subject.compiled.api.specification == .swagger2, !(200...299).contains(status),
      let response = operation.response(for: status)
    else { return false }
    return response.content.allSatisfy { MediaRange($0.range)?.syntax == .binary }
  }

  // MARK: - Who was let in

  private func judgeAdmission(_ call: LiveCall, _ answer: LiveAnswer, _ status: String, _ verdict: inout LiveVerdict) {
    let refusals = subject.refusals
    let isSuccess = (200...299).contains(answer.status)
    switch call.purpose {
    case .valid, .example:
      let rule: Rule = call.purpose == .example ? .providerExample : .providerValidRejected
      verdict.count(.rule(rule), nil, 1)
      guard refusals.blamesForm(answer.status) else { break }
      let message = "\(operation.id) refused a valid request with \(answer.status): \(call.label)"
      verdict.complaints.append(
        LiveComplaint(
          .rule(rule),
          Diagnostic(
            rule, message, at: Location(exchange: "/status"), notes: Self.note(operation.node),
            help: Self.excerpt(answer.body).map { "the answer says: \($0)" }), status: status))
    case .invalid(let rule):
      verdict.count(.rule(rule), nil, 1)
      guard let violation = call.violation, !refusals.isRefusal(answer.status, of: violation) else { break }
      verdict.complaints.append(LiveComplaint(.rule(rule), admission(call, answer.status, rule), status: status))
    case .recorded: break
    case .method:
      verdict.count(.rule(.providerMethodUnsupported), nil, 1)
      guard !refusals.isRefusal(answer.status, of: .unknownMethod) else { break }
      let message = "`\(operation.path)` has no \(call.draft.method), and \(call.draft.method) got \(answer.status)"
      verdict.complaints.append(
        LiveComplaint(
          .rule(.providerMethodUnsupported),
          Diagnostic(
            .providerMethodUnsupported, message, at: Location(exchange: "/method"), notes: Self.note(operation.pathNode)
          ),
          status: status))
    case .duplicate:
      guard subject.options.wants(.providerDuplicateParam) else { break }
      verdict.count(.rule(.providerDuplicateParam), nil, 1)
      guard isSuccess else { break }
      verdict.complaints.append(
        LiveComplaint(
          .rule(.providerDuplicateParam),
          Diagnostic(
            .providerDuplicateParam, "\(operation.id) answered \(answer.status) to \(call.label)",
            at: call.judged.findings.first?.diagnostic.location), status: status))
    }
    if call.isValid, operation.security.isEmpty {
      verdict.count(.rule(.providerAuthOpen), nil, 1)
      guard answer.status == 401 else { return }
      verdict.complaints.append(
        LiveComplaint(
          .rule(.providerAuthOpen),
          Diagnostic(
            .providerAuthOpen, "\(operation.id) answered 401, and the contract asks for no credentials",
            at: Location(exchange: "/status"), notes: Self.note(operation.node)), status: status))
    }
  }

  private func admission(_ call: LiveCall, _ status: Int, _ rule: Rule) -> Diagnostic {
    let broken = call.judged.findings.first { $0.violation != nil }?.diagnostic
    let why = broken.map { ": \($0.message)" } ?? ""
    return Diagnostic(
      rule, "\(operation.id) answered \(status) to a request that breaks the contract, \(call.label)\(why)",
      at: broken?.location ?? Location(exchange: "/header"),
      notes: broken?.notes ?? Self.note(operation.security.first?.node ?? operation.node))
  }

  private static func note(_ node: JSON) -> [Diagnostic.Note] {
    node.range == nil ? [] : [Diagnostic.Note("the contract", at: Location(start: node))]
  }

  /// The start of a body on one line; `nil` where there is none.
  private static func excerpt(_ body: [UInt8]) -> String? {
    guard !body.isEmpty else { return nil }
    let text = String(decoding: body.prefix(160), as: UTF8.self)
    let line = text.unicodeScalars.map { $0.value < 0x20 ? " " : String($0) }.joined()
    return "`\(line)`" + (body.count > 160 ? " and more" : "")
  }
}
