import JSONSchema

/// Sequences of requests: what links lead to, what was created, what was deleted.
///
/// They run one after the other, and after everything else, so that no other request changes what they see.
struct LinkedSequences {
  let subjects: LiveOperations
  let settings: LiveSettings
  let client: LiveClient
  let progress: LiveProgress

  /// Runs every sequence that starts with an operation that was reached, and adds what it shows to the results.
  func run(into results: inout [OperationResult]) async {
    for position in results.indices {
      guard let start = results[position].success else { continue }
      let subject = results[position].subject
      let hasLinks = subject.operation.response(for: start.answer.status)?.links.isEmpty == false
      let creates = subject.operation.method == "POST" && items(below: subject) != nil
      let isCreation = creates || start.answer.response.headerFields[.location] != nil
      guard hasLinks || (isCreation && !subject.isSafe) else { continue }
      guard progress.reasonToStop == nil else {
        results[position].notValidated.add("a sequence of requests that was not begun before the run ended")
        continue
      }
      let known = Self.errors(results)
      defer { progress.noteErrors(Self.errors(results) - known) }
      do {
        try await run(from: position, start.call, &results)
      } catch {
        progress.noteFailure(error)
        results[position].failures.append((start.call, error))
      }
    }
  }

  private static func errors(_ results: [OperationResult]) -> Int { results.reduce(0) { $0 + $1.findings.errors } }

  /// Where an answer leads.
  private struct LinkTarget {
    enum Origin { case link(String), location, identity(String) }

    var origin: Origin
    var target: LiveOperation
    var draft: RequestDraft

    var words: String {
      switch origin {
      case .link(let name): "the link `\(name)`"
      case .location: "`Location`"
      case .identity(let name): "the `\(name)` of its answer"
      }
    }
  }

  private func run(
    from position: Int, _ first: LiveCall, _ results: inout [OperationResult]
  ) async throws(UpstreamFailure) {
    let subject = results[position].subject
    guard let (call, answer) = try await success(of: subject, first) else { return }
    let documented = subject.operation.response(for: answer.status)
    var leads: [LinkTarget] = []
    for link in documented?.links ?? [] {
      guard let target = target(of: link) else { continue }
      guard let lead = lead(along: link, to: target, call, answer, &results[position]) else { continue }
      leads.append(lead)
    }
    if let lead = located(call, answer) { leads.append(lead) }
    if let lead = identified(subject, call, answer), !leads.contains(where: { $0.target.index == lead.target.index }) {
      leads.append(lead)
    }
    var created: (lead: LinkTarget, read: LiveCall)?
    for lead in leads where lead.target.isSafe {
      guard let read = lead.target.validCall(lead.draft, .valid, lead.words) else { continue }
      let found = try await send(read)
      add(found, of: read, to: lead.target, &results)
      let isCreation = !subject.isSafe && answer.status != 202
      if isCreation { validateCreation(lead, call, answer, read, found, &results[position]) }
      if created == nil, isCreation, (200...299).contains(found.status), isDeletable(lead) { created = (lead, read) }
    }
    // At last, since the other ways lead to nothing afterwards.
    if let created { try await delete(created.lead, after: (call, answer), created.read, &results) }
  }

  /// A fresh answer of 2xx: to the same request, or to others where that works only once.
  private func success(
    of subject: LiveOperation, _ first: LiveCall
  ) async throws(UpstreamFailure) -> (LiveCall, LiveAnswer)? {
    let others = ValidRequests(subject: subject, count: settings.count + 3).drafts().suffix(3)
    let calls = [first] + others.compactMap { subject.validCall($0, .valid, "generated request") }
    for call in calls {
      let answer = try await send(call)
      if (200...299).contains(answer.status) { return (call, answer) }
    }
    return nil
  }

  // MARK: - Leads

  private func target(of link: Link) -> LiveOperation? {
    if let id = link.operationId {
      return subjects.all.first { $0.operation.operationId?.utf8.elementsEqual(id.utf8) == true }
    }
    guard let reference = link.node["operationRef"],
      case .success(let node) = subjects.contract.api.resolver.target(of: reference)
    else { return nil }
    return subjects.all.first { $0.operation.node.id == node.id }
  }

  /// What a link leads to; an expression without a value is told.
  private func lead(
    along link: Link, to target: LiveOperation, _ call: LiveCall, _ answer: LiveAnswer, _ result: inout OperationResult
  ) -> LinkTarget? {
    let source = LinkValue(call, answer)
    var validation = LiveValidation(
      .stateLinkUnresolvable, about: result.subject.subject(answeredWith: answer.status))
    defer { result.add(validation, of: call, reproduction: call.wire.curl(settings.redaction)) }
    var draft = base(of: target, from: call)
    for member in link.parameters?.members ?? JSON.object([]).members {
      guard let value = source.value(of: member.value) else {
        validation.findings.append(
          Diagnostic(
            .stateLinkUnresolvable,
            "the link `\(link.name)` of \(result.subject.operation.id) takes `\(member.name)` from `\(member.value.text)`, "
              + "which the answer does not have", at: Location(exchange: "/body"),
            notes: [Diagnostic.Note("the contract", at: Location(member.value))]))
        return nil
      }
      guard let parameter = Self.parameter(member.name, of: target.operation) else { continue }
      draft = draft?.setting(parameter, to: value)
    }
    if let node = link.requestBody, let value = source.value(of: node),
      let media = target.operation.requestBody?.content.first
    {
      draft = draft?.with(body: .value(value, media))
    }
    return draft.map { LinkTarget(origin: .link(link.name), target: target, draft: $0) }
  }

  /// `id`, or `path.id` where the location is named too.
  private static func parameter(_ name: String, of operation: Operation) -> Parameter? {
    operation.parameters.first { "\($0.location.rawValue).\($0.name)".utf8.elementsEqual(name.utf8) }
      ?? operation.parameters.first { $0.name.utf8.elementsEqual(name.utf8) }
  }

  /// The operation that reads what `Location` names, on the same server.
  private func located(_ call: LiveCall, _ answer: LiveAnswer) -> LinkTarget? {
    guard let location = answer.response.headerFields[.location] else { return nil }
    let resolved = URIReference(location).resolved(against: URIReference(call.wire.url))
    guard settings.target.isOrigin(of: resolved), let router = subjects.all.first?.router else { return nil }
    let path = resolved.path
    guard case .match(let match) = router.route("GET", path), !match.isHeadForGet,
      let target = subjects.all.first(where: { $0.index == match.operation }), var draft = base(of: target, from: call)
    else { return nil }
    for capture in match.captures {
      guard
        let parameter = target.operation.parameters.first(where: {
          $0.location == .path && $0.name.utf8.elementsEqual(capture.name.utf8)
        }), let text = PercentEncoding.decode(Array(path.utf8)[capture.range])
      else { continue }
      draft = draft.setting(parameter, to: .string(text))
    }
    return LinkTarget(origin: .location, target: target, draft: draft)
  }

  /// `POST /pets` answers with an `id`, and there is `GET /pets/{petId}`.
  private func identified(_ subject: LiveOperation, _ call: LiveCall, _ answer: LiveAnswer) -> LinkTarget? {
    guard subject.operation.method == "POST", let (target, parameter) = items(below: subject),
      let value = LinkValue(call, answer).identity(for: parameter.name), let draft = base(of: target, from: call)
    else { return nil }
    return LinkTarget(origin: .identity(parameter.name), target: target, draft: draft.setting(parameter, to: value))
  }

  private func items(below subject: LiveOperation) -> (LiveOperation, Parameter)? {
    for candidate in subjects.all where candidate.operation.method == "GET" {
      guard let parameter = candidate.operation.parameters.last(where: { $0.location == .path }) else { continue }
      let path = "\(subject.operation.path)/{\(parameter.name)}"
      if candidate.operation.path.utf8.elementsEqual(path.utf8) { return (candidate, parameter) }
    }
    return nil
  }

  /// A valid request of an operation, with the path parameters that it shares with another call.
  private func base(of target: LiveOperation, from call: LiveCall) -> RequestDraft? {
    guard var draft = ValidRequests(subject: target, count: 2).drafts().last else { return nil }
    for argument in call.draft.arguments where argument.parameter.location == .path {
      if let index = draft.index(of: argument.parameter) { draft.arguments[index].value = argument.value }
    }
    return draft
  }

  // MARK: - Create, read, delete, read

  private func validateCreation(
    _ lead: LinkTarget, _ call: LiveCall, _ answer: LiveAnswer, _ read: LiveCall, _ found: LiveAnswer,
    _ result: inout OperationResult
  ) {
    var validation = LiveValidation(
      .stateCreateUnavailable, about: result.subject.subject(answeredWith: answer.status))
    if [404, 410].contains(found.status) {
      let operation = result.subject.operation
      validation.findings.append(
        Diagnostic(
          .stateCreateUnavailable,
          "\(operation.id) answered \(answer.status), and \(lead.target.operation.id) answers \(found.status) for "
            + lead.words, at: Location(exchange: "/status"),
          notes: .contract(operation.node)))
    }
    result.add(validation, of: call, reproduction: transcript([(call, answer), (read, found)]))
  }

  /// Whether what a read leads to has a DELETE.
  private func isDeletable(_ lead: LinkTarget) -> Bool {
    subjects.all.contains { $0.operation.method == "DELETE" && $0.operation.path == lead.target.operation.path }
  }

  private func delete(
    _ lead: LinkTarget, after creation: (call: LiveCall, answer: LiveAnswer), _ read: LiveCall,
    _ results: inout [OperationResult]
  ) async throws(UpstreamFailure) {
    guard settings.allowsUnsafe,
      let position = results.firstIndex(where: {
        $0.subject.operation.method == "DELETE" && $0.subject.operation.path == lead.target.operation.path
      })
    else { return }
    let subject = results[position].subject
    guard let control = control(lead, read) else {
      return results[position].notValidated.add("use after delete, as there is no second id to compare with")
    }
    guard !(200...299).contains(try await send(control).status) else {
      // A stub, or a server that makes up what it is asked for.
      return results[position].notValidated.add(
        "use after delete, as the server answers for what was never created as well")
    }
    guard var draft = base(of: subject, from: read) else { return }
    for argument in lead.draft.arguments where argument.parameter.location == .path {
      draft = draft.setting(argument.parameter, to: argument.value)
    }
    guard let call = subject.validCall(draft, .valid, "after \(lead.words)") else { return }
    let deleted = try await send(call)
    add(deleted, of: call, to: subject, &results)
    // 202 promises to delete later (RFC 9110, 15.3.3).
    guard (200...299).contains(deleted.status), deleted.status != 202 else { return }
    let again = try await send(read)
    var validation = LiveValidation(
      .stateUseAfterDelete, about: subject.subject(status: lead.target.subject(answeredWith: again.status).status))
    if (200...299).contains(again.status) {
      validation.findings.append(
        Diagnostic(
          .stateUseAfterDelete,
          "\(subject.operation.id) answered \(deleted.status), and \(lead.target.operation.id) still answers "
            + "\(again.status)", at: Location(exchange: "/status"),
          notes: .contract(subject.operation.node)))
    }
    results[position].add(
      validation, of: call, reproduction: transcript([creation, (call, deleted), (read, again)]))
  }

  /// The same read of something that nobody created.
  private func control(_ lead: LinkTarget, _ read: LiveCall) -> LiveCall? {
    guard let parameter = lead.target.operation.parameters.last(where: { $0.location == .path }),
      let index = lead.draft.index(of: parameter), let schema = parameter.schema
    else { return nil }
    let known = lead.draft.arguments[index].value
    let generated = (1...4).lazy.compactMap {
      lead.target.samples.generator(1_000 + $0).sample(of: schema, direction: .request)
    }
    let candidates: [JSON] = [987_654_321, "987654321", "understudy-none"] + Array(generated)
    return candidates.lazy.filter { HeaderText.simple($0, explode: false) != HeaderText.simple(known, explode: false) }
      .compactMap { lead.target.validCall(lead.draft.setting(parameter, to: $0), .valid, "control") }.first
  }

  // MARK: - Parts

  private func send(_ call: LiveCall) async throws(UpstreamFailure) -> LiveAnswer {
    let answer = try await client.send(call.wire)
    progress.noteAnswer()
    return answer
  }

  /// An answer on the way is validated like any other.
  private func add(
    _ answer: LiveAnswer, of call: LiveCall, to subject: LiveOperation, _ results: inout [OperationResult]
  ) {
    guard let position = results.firstIndex(where: { $0.subject.index == subject.index }) else { return }
    var validation = LiveResponseValidator(subject: subject).validate(call, answer)
    // Whether it was refused is what the sequence is about.
    validation.findings.removeAll { $0.rule == .providerValidRejected }
    results[position].note(call, answer, validation)
    results[position].reproduceRest(settings.redaction)
  }

  private func transcript(_ steps: [(call: LiveCall, answer: LiveAnswer)]) -> String {
    steps.map { "\($0.call.wire.curl(settings.redaction)) # \($0.answer.status)" }.joined(separator: "\n")
  }
}
