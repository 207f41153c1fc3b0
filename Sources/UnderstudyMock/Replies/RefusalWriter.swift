/// Writes the answers to requests that are refused or whose preference cannot be met.
struct RefusalWriter {
  let options: Mock.Options
  let operation: MockOperation
  let selection: ResponseSelection
  let diagnostics: [Diagnostic]

  /// The answer to a request that breaks the contract: the contract's own where it has one.
  func reply(to violation: Violation) -> Reply { reply(to: violation, diagnostics) }

  /// The answer to a preference or an `Accept` that cannot be met; no other answer replaces it silently.
  func reply(to problem: SelectionProblem) -> Reply {
    switch problem.kind {
    case .notAcceptable: return notAcceptable(problem)
    case .noBody, .noForm, .noSample:
      let title = "No body to send"
      var reply = self.problem(500, title, "no-body", "\(problem.message) (\(problem.help))", diagnostics)
      reply.source.content = .problem(status: 500, title: title.lowercased(), detail: problem.message)
      return reply
    case .noStatus, .noName:
      let finding = Diagnostic(
        .requestPreference, problem.message, at: Location(exchange: problem.place ?? "/header/Prefer"),
        help: problem.help)
      return self.problem(
        422, "Preference not met", "preference", Problem.detail([finding]), diagnostics + [finding])
    }
  }

  /// Neither the contract nor a fixture has an answer for the operation.
  func undocumented() -> Reply {
    problem(
      501, "No response", "no-response",
      "\(operation.id) documents no response, and no fixture has one; write \(operation.id)/200.json", diagnostics)
  }

  /// Instead of an example of the contract that breaks its schema, as Prism's `--errors` has it; `nil` for any other reply.
  func reply(toBroken reply: Reply) -> Reply? {
    let broken = reply.diagnostics.filter { $0.owner == .contract && $0.severity == .error }
    guard !broken.isEmpty else { return nil }
    return problem(
      500, "Answer breaks the contract", "answer-invalid", "\(reply.source): \(Problem.detail(broken))",
      reply.diagnostics)
  }

  /// The answer where only 1xx is documented: without an upgrade a client waits for a final answer (RFC 9110, 15.2.2).
  func interimOnly() -> Reply {
    problem(
      501, "No final answer", "no-final-answer",
      "\(operation.id) documents no success but \(operation.successCode), and the mock does not switch protocols; "
        + "ask for another status by `Prefer: code=`", diagnostics)
  }

  private func notAcceptable(_ problem: SelectionProblem) -> Reply {
    let finding = operation.options.weighed(
      Diagnostic(.requestNotAcceptable, problem.message, at: Location(exchange: "/header/Accept"), help: problem.help))
    // The validator has it already, unless a fixture offers less than the contract.
    let isKnown = diagnostics.contains { $0.rule == .requestNotAcceptable }
    let diagnostics = isKnown ? diagnostics : diagnostics + [finding].compactMap(\.self)
    let isRefused =
      switch operation.compiled.violations[.notAcceptable] {
      case .ignore?: false
      case .status?: finding != nil
      case nil: finding?.violation != nil
      }
    if options.onInvalid == .warn || !isRefused, let answer = answer(operation.successCode) {
      return answer.reply(of: operation, diagnostics)
    }
    return reply(to: .notAcceptable, diagnostics)
  }

  private func reply(to violation: Violation, _ diagnostics: [Diagnostic]) -> Reply {
    var status = violation.statuses[0]
    if options.onInvalid == .contract {
      if case .status(let mapped)? = operation.compiled.violations[violation] {
        status = mapped
      } else if let documented = violation.statuses.first(where: { operation.cell(for: $0)?.response != nil }) {
        status = documented
      }
      if operation.cell(for: status) != nil, let answer = answer(status) {
        return challenging(answer, status).reply(of: operation, diagnostics, by: .refusal(violation))
      }
    }
    return problem(
      status, violation.title, violation.rawValue, Problem.detail(diagnostics), diagnostics,
      headers: challenge(status))
  }

  /// The response of a status in any media type: `Accept` is about the success, and any error is better than none.
  private func answer(_ code: Int) -> Selection? {
    var lenient = selection
    lenient.accept = []
    return try? lenient.answer(code: code, name: nil)
  }

  private func problem(
    _ status: Int, _ title: String, _ code: String, _ detail: String, _ diagnostics: [Diagnostic],
    headers: [(HTTPField.Name, String)] = []
  ) -> Reply {
    Problem.reply(
      status: status, title: title, code: code, detail: detail, diagnostics: diagnostics, operation: operation,
      headers: headers)
  }

  /// An answer made from the contract with a challenge, which few contracts document; a fixture stays as it is.
  private func challenging(_ selection: Selection, _ status: Int) -> Selection {
    var response: HTTPResponse
    let body: [UInt8]
    switch selection.content {
    case .made(let made, let bytes): (response, body) = (made, bytes)
    case .prepared(let made) where made.index == nil && !made.forcesBody: (response, body) = (made.response, made.body)
    case .prepared, .streamed: return selection
    }
    let challenge = challenge(status)
    guard !challenge.isEmpty, response.headerFields[.wwwAuthenticate] == nil else { return selection }
    for (name, value) in challenge { response.headerFields[name] = value }
    var selection = selection
    selection.content = .made(response, body: body)
    return selection
  }

  /// A 401 states how to authenticate (RFC 9110, 15.5.2).
  private func challenge(_ status: Int) -> [(HTTPField.Name, String)] {
    status == 401 ? operation.challenge.map { [(.wwwAuthenticate, $0)] } ?? [] : []
  }
}
