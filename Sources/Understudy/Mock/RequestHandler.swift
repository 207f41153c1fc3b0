/// One validated request on its way to its answer: forced, preferred, scenario, `when`, refusal, default - in this order.
struct RequestHandler {
  let mock: Mock
  let operation: MockOperation
  let request: RequestView
  let result: ValidationResult

  /// The answer, with what was found and, where that refuses nothing, listed for the client.
  func reply() -> Reply {
    var reply = decided()
    guard !result.notValidated.isEmpty || !reply.diagnostics.isEmpty else { return reply }
    reply.notValidated = result.notValidated
    let isWarned = mock.options.onInvalid == .warn && !reply.diagnostics.isEmpty
    return isWarned ? reply.listingViolations() : reply
  }

  /// The refusal of a request that breaks the contract; `nil` where it is to be answered.
  func refusal() -> Reply? {
    guard mock.options.onInvalid != .warn, let worst else { return nil }
    var reply = refusals(selection(Preferences(request.request.headerFields))).reply(to: worst)
    reply.notValidated = result.notValidated
    return reply
  }

  private var diagnostics: [Diagnostic] { result.findings }

  /// The class of the findings that the contract answers.
  private var worst: Violation? {
    result.findings.isEmpty
      ? nil
      : result.findings.compactMap(\.violation).filter { operation.compiled.violations[$0] != .ignore }.min()
  }

  private func selection(_ preferences: Preferences) -> ResponseSelection {
    ResponseSelection(
      operation: operation, accept: request.request.headerFields.lines(named: "Accept"),
      isDynamic: preferences.isDynamic ?? mock.options.isDynamic, seed: preferences.seed ?? mock.options.seed,
      values: request)
  }

  private func refusals(_ selection: ResponseSelection) -> RefusalWriter {
    RefusalWriter(options: mock.options, operation: operation, selection: selection, diagnostics: diagnostics)
  }

  private func decided() -> Reply {
    let preferences = Preferences(request.request.headerFields, query: request.query)
    let diagnostics = diagnostics
    let selection = selection(preferences)
    do throws(SelectionProblem) {
      if let forced = operation.forced {
        return Reply(try selection.answer(code: forced.code, name: forced.name), operation, diagnostics, why: "forced")
      }
      if let preferred = try preferred(preferences, selection) {
        return Reply(preferred, operation, diagnostics, why: "preferred")
      }
      // A stub for some field of the body does not switch authentication off, so that comes first.
      let worst = worst
      let isLetIn = worst != .unauthorized || mock.options.onInvalid == .warn
      if isLetIn, let step = mock.play?.next(operation.compiled) {
        return played(try selection.answer(code: step.forcing.code, name: step.forcing.name), step.label, diagnostics)
      }
      if isLetIn,
        let variant = operation.conditional.first(where: { $0.fixture.when?.matches(request) == true })
      {
        return Reply(selection.answer(variant), operation, diagnostics, why: "when")
      }
      if let worst, mock.options.onInvalid != .warn { return refusals(selection).reply(to: worst) }
      if operation.successCode < 200 { return refusals(selection).interimOnly() }
      return Reply(try selection.answer(code: operation.successCode, name: nil), operation, diagnostics)
    } catch {
      var problem = error
      let place = error.kind == .noName ? preferences.examplePlace : preferences.statusPlace
      problem.place = problem.place ?? place
      return refusals(selection).reply(to: problem)
    }
  }

  /// What `Prefer` and its twins ask for; `nil` when they ask for no particular answer.
  private func preferred(
    _ preferences: Preferences, _ selection: ResponseSelection
  ) throws(SelectionProblem) -> Selection? {
    if let problem = preferences.problems.first {
      throw SelectionProblem(kind: .noStatus, message: problem.message, help: problem.help, place: problem.place)
    }
    switch preferences.status {
    case .code(let code): return try selection.answer(code: code, name: preferences.example)
    case .named(let preference):
      guard let code = operation.code(named: preference) else {
        let meanings = operation.cells.compactMap(\.meaning)
        throw SelectionProblem(
          kind: .noStatus, message: "\(operation.id) has no status and no meaning `\(preference)`",
          help: Suggestion.phrase(for: preference, among: meanings)
            ?? "meanings: \(meanings.joined(separator: ", "))")
      }
      return try selection.answer(code: code, name: preferences.example)
    case nil:
      guard let name = preferences.example else { return nil }
      return try selection.answer(name: name)
    }
  }

  /// The header of a scenario's answer names the step as well.
  private func played(_ selection: Selection, _ label: String, _ diagnostics: [Diagnostic]) -> Reply {
    var reply = Reply(selection, operation, diagnostics)
    reply.reason = "\(label), \(selection.reason)"
    reply.add(.understudyReply, PercentEncoding.encode(reply.reason, keeping: " /:*{}=,"))
    return reply
  }
}

extension Reply {
  /// A chosen answer of an operation; `why` stands behind its reason.
  init(_ selection: Selection, _ operation: MockOperation, _ diagnostics: [Diagnostic], why: String? = nil) {
    self.init(
      selection.content, delay: selection.delay, fault: selection.fault, operation: operation,
      reason: why.map { "\(selection.reason) (\($0))" } ?? selection.reason, diagnostics: diagnostics)
  }
}
