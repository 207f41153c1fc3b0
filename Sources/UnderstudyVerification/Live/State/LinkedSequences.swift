/// Sequences of requests: along links, and create, read, delete, read; one at a time and last, alone with their data.
struct LinkedSequences {
  let subjects: LiveOperations
  let settings: LiveSettings
  let client: LiveClient
  let progress: LiveProgress
  let known: KnownValues

  /// Runs the sequences that start with a successful operation, and adds their findings to the results.
  func run(into results: inout [OperationResult]) async {
    for position in results.indices {
      guard let start = results[position].success else { continue }
      let subject = results[position].subject
      let hasLinks = subject.operation.response(for: start.answer.status)?.links.isEmpty == false
      let creates = subject.operation.method == "POST" && items(below: subject) != nil
      let writes = results[position].validAnswers[201] != nil && reader(of: subject) != nil
      let isCreation = creates || writes || start.answer.fields[.location] != nil
      guard hasLinks || (isCreation && !subject.isSafe) else { continue }
      guard progress.reasonToStop == nil else {
        results[position].notValidated.add("a sequence of requests that was not started before the run ended")
        continue
      }
      let errors = { (results: [OperationResult]) in results.reduce(0) { $0 + $1.findings.errors } }
      let known = errors(results)
      defer { progress.noteErrors(errors(results) - known) }
      do throws(Interruption) {
        try await run(from: position, start.call, &results)
      } catch {
        await note(error, of: position, &results)
      }
    }
  }

  /// The end of a sequence at a request without an answer that counts.
  private struct Interruption: Error {
    let call: LiveCall
    let subject: LiveOperation
    /// The requests before it.
    let steps: [Step]
    /// `nil` where the credentials stopped working.
    let failure: UpstreamFailure?
  }

  private func note(_ end: Interruption, of position: Int, _ results: inout [OperationResult]) async {
    guard let failure = end.failure else {
      return results[position].notValidated.add("a sequence of requests that was not finished before the run ended")
    }
    switch await SilenceCheck(client: client, progress: progress).report(of: failure, at: end.call, of: end.subject) {
    case .serverLost: break
    case .answered: results[position].notValidated.add("a sequence with a request that got no response at first")
    case .unclear: results[position].failures.append((end.call, failure))
    case .finding(let validation):
      let index = results.firstIndex { $0.subject.index == end.subject.index } ?? position
      results[index].add(validation, of: LiveEvidence(end.call), reproduction: transcript(end.steps, then: end.call))
    }
  }

  /// A request that an answer leads to.
  private struct LinkTarget {
    enum Origin { case link(String), location, identity(String), path }

    var origin: Origin
    var target: LiveOperation
    var draft: RequestDraft

    var description: String {
      switch origin {
      case .link(let name): "the link `\(name)`"
      case .location: "`Location`"
      case .identity(let name): "the `\(name)` of its answer"
      case .path: "the path of its request"
      }
    }
  }

  private func run(
    from position: Int, _ first: LiveCall, _ results: inout [OperationResult]
  ) async throws(Interruption) {
    let subject = results[position].subject
    guard let (call, answer) = try await success(of: subject, first) else { return }
    let documented = subject.operation.response(for: answer.status)
    var links = (documented?.links ?? []).compactMap { link in
      target(of: link).flatMap { follow(link, to: $0, call, answer, &results[position]) }
    }
    if let link = located(call, answer) { links.append(link) }
    for link in [identified(subject, call, answer), written(subject, call)].compactMap(\.self)
    where !links.contains(where: { $0.target.index == link.target.index }) {
      links.append(link)
    }
    var created: (link: LinkTarget, read: LiveCall)?
    for link in links where link.target.isSafe {
      guard let read = link.target.validCall(link.draft, .valid, link.description) else { continue }
      let found = try await send(read, of: link.target, after: [(call, answer)])
      add(found, of: read, to: link.target, after: [(call, answer)], &results)
      guard !subject.isSafe, answer.status != 202 else { continue }
      validateCreation(link, (call, answer), (read, found), &results[position])
      if created == nil, (200...299).contains(found.status) { created = (link, read) }
    }
    guard let created else { return }
    try await change(created.link, after: (call, answer), created.read, &results)
    // At the end, since the other requests find nothing afterwards.
    try await delete(created.link, after: (call, answer), created.read, &results)
  }

  /// A new answer of 2xx: to the same request, or to others where that succeeds only once.
  private func success(
    of subject: LiveOperation, _ first: LiveCall
  ) async throws(Interruption) -> (LiveCall, Exchange.Response)? {
    let valid = ValidRequests(subject: subject, count: settings.count, known: known)
    let calls = [first] + (settings.count..<settings.count + 3).compactMap { valid.call($0) }
    for call in calls {
      let answer = try await send(call, of: subject)
      if (200...299).contains(answer.status) { return (call, answer) }
    }
    return nil
  }

  // MARK: - Links

  private func target(of link: Link) -> LiveOperation? {
    if let id = link.operationId {
      return subjects.allowed.first { $0.operation.operationId?.utf8Equals(id) == true }
    }
    guard let reference = link.node["operationRef"],
      case .success(let node) = subjects.contract.api.resolver.target(of: reference)
    else { return nil }
    return subjects.allowed.first { $0.operation.node.id == node.id }
  }

  /// The target of a link; an expression without a value is a finding.
  private func follow(
    _ link: Link, to target: LiveOperation, _ call: LiveCall, _ answer: Exchange.Response,
    _ result: inout OperationResult
  ) -> LinkTarget? {
    let source = LinkValue(call, answer)
    var validation = LiveValidation(
      .stateLinkUnresolvable, about: result.subject.subject(answeredWith: answer.status))
    defer { result.add(validation, of: LiveEvidence(call, answer), reproduction: call.wire.curl(settings.redactor)) }
    var draft = base(of: target, from: call)
    for member in link.parameters?.members ?? JSON.object([]).members {
      guard let value = source.value(of: member.value) else {
        validation.report(
          .stateLinkUnresolvable,
          "the link `\(link.name)` of \(result.subject.operation.id) takes `\(member.name)` from `\(member.value.text)`, "
            + "which the answer does not have", at: "/body", contract: member.value)
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

  /// The parameter of `id`, or of `path.id`.
  private static func parameter(_ name: String, of operation: Operation) -> Parameter? {
    operation.parameters.first { "\($0.location.rawValue).\($0.name)".utf8Equals(name) }
      ?? operation.parameters.first { $0.name.utf8Equals(name) }
  }

  /// The operation that reads the resource of `Location`, on the same server.
  private func located(_ call: LiveCall, _ answer: Exchange.Response) -> LinkTarget? {
    guard let location = answer.fields[.location] else { return nil }
    let resolved = URIReference(location).resolved(against: URIReference(call.wire.url))
    guard settings.target.isOrigin(of: resolved), let router = subjects.allowed.first?.router else { return nil }
    let path = resolved.path
    guard case .match(let match) = router.route("GET", path), !match.isHeadForGet,
      let target = subjects.allowed.first(where: { $0.index == match.operation }),
      var draft = base(of: target, from: call)
    else { return nil }
    for capture in match.captures {
      let parameters = target.operation.parameters
      guard let parameter = parameters.first(where: { $0.location == .path && $0.name.utf8Equals(capture.name) }),
        let text = PercentEncoding.decode(Array(path.utf8)[capture.range])
      else { continue }
      draft = draft.setting(parameter, to: .string(text))
    }
    return LinkTarget(origin: .location, target: target, draft: draft)
  }

  /// `POST /pets` answers with an `id`, and there is `GET /pets/{petId}`.
  private func identified(_ subject: LiveOperation, _ call: LiveCall, _ answer: Exchange.Response) -> LinkTarget? {
    guard subject.operation.method == "POST", let (target, parameter) = items(below: subject),
      let value = LinkValue(call, answer).identity(for: parameter.name), let draft = base(of: target, from: call)
    else { return nil }
    return LinkTarget(origin: .identity(parameter.name), target: target, draft: draft.setting(parameter, to: value))
  }

  /// `PUT /notes/{id}` creates what `GET /notes/{id}` reads.
  private func written(_ subject: LiveOperation, _ call: LiveCall) -> LinkTarget? {
    guard let target = reader(of: subject), let draft = base(of: target, from: call) else { return nil }
    return LinkTarget(origin: .path, target: target, draft: draft)
  }

  /// The operation that reads what a PUT writes.
  private func reader(of subject: LiveOperation) -> LiveOperation? {
    guard subject.operation.method == "PUT" else { return nil }
    return subjects.allowed.first {
      $0.operation.method == "GET" && $0.operation.path.utf8Equals(subject.operation.path)
    }
  }

  private func items(below subject: LiveOperation) -> (LiveOperation, Parameter)? {
    subjects.allowed.lazy.filter { $0.operation.method == "GET" }.compactMap { candidate in
      guard let parameter = candidate.operation.parameters.last(where: { $0.location == .path }),
        candidate.operation.path.utf8Equals("\(subject.operation.path)/{\(parameter.name)}")
      else { return nil }
      return (candidate, parameter)
    }.first
  }

  /// A valid request of an operation, with the path parameters of another call.
  private func base(of target: LiveOperation, from call: LiveCall) -> RequestDraft? {
    guard var draft = ValidRequests(subject: target, count: 2, known: known).draft(1) else { return nil }
    for argument in call.draft.arguments where argument.parameter.location == .path {
      if let index = draft.index(of: argument.parameter) { draft.arguments[index].value = argument.value }
    }
    return draft
  }

  // MARK: - Create, read, delete, read

  private typealias Step = (call: LiveCall, answer: Exchange.Response)

  private func validateCreation(_ link: LinkTarget, _ creation: Step, _ read: Step, _ result: inout OperationResult) {
    var validation = LiveValidation(
      .stateCreateUnavailable, about: result.subject.subject(answeredWith: creation.answer.status))
    if [404, 410].contains(read.answer.status) {
      let operation = result.subject.operation
      validation.report(
        .stateCreateUnavailable,
        "\(operation.id) answered \(creation.answer.status), but \(link.target.operation.id) answers "
          + "\(read.answer.status) for \(link.description)", contract: operation.node)
    }
    result.add(
      validation, of: LiveEvidence(creation.call, creation.answer), reproduction: transcript([creation, read]))
  }

  private static let changeLimit = 8

  /// Sends PUT, PATCH and POST to what was created, and to what is below it.
  private func change(
    _ link: LinkTarget, after creation: Step, _ read: LiveCall, _ results: inout [OperationResult]
  ) async throws(Interruption) {
    let path = link.target.operation.path
    let subjects = results.map(\.subject).filter { subject in
      ["PUT", "PATCH", "POST"].contains(subject.operation.method)
        && (subject.operation.path.utf8Equals(path) || subject.operation.path.hasPrefix(path + "/"))
    }
    for subject in subjects.prefix(Self.changeLimit) {
      guard var draft = base(of: subject, from: creation.call) else { continue }
      for argument in read.draft.arguments where argument.parameter.location == .path {
        draft = draft.setting(argument.parameter, to: argument.value)
      }
      guard let call = subject.validCall(draft, .valid, "to \(link.description)") else { continue }
      let changed = try await send(call, of: subject, after: [creation])
      add(changed, of: call, to: subject, after: [creation], &results)
      guard subject.operation.path.utf8Equals(path), (200...299).contains(changed.status) else { continue }
      let again = try await send(read, of: link.target, after: [creation, (call, changed)])
      add(again, of: read, to: link.target, after: [creation, (call, changed)], &results)
    }
  }

  private func delete(
    _ link: LinkTarget, after creation: Step, _ read: LiveCall, _ results: inout [OperationResult]
  ) async throws(Interruption) {
    guard settings.allowsUnsafe,
      let position = results.firstIndex(where: {
        $0.subject.operation.method == "DELETE" && $0.subject.operation.path == link.target.operation.path
      })
    else { return }
    let subject = results[position].subject
    guard let control = control(link) else {
      return results[position].notValidated.add("use after delete, as no second id could be made to compare with")
    }
    guard !(200...299).contains(try await send(control, of: link.target, after: [creation]).status) else {
      // A stub, or a server that invents its data.
      return results[position].notValidated.add(
        "use after delete, as the server also answers for resources that were never created")
    }
    guard var draft = base(of: subject, from: read) else { return }
    for argument in link.draft.arguments where argument.parameter.location == .path {
      draft = draft.setting(argument.parameter, to: argument.value)
    }
    guard let call = subject.validCall(draft, .valid, "after \(link.description)") else { return }
    let deleted = try await send(call, of: subject, after: [creation])
    add(deleted, of: call, to: subject, after: [creation], &results)
    // 202 promises to delete later (RFC 9110, 15.3.3).
    guard (200...299).contains(deleted.status), deleted.status != 202 else { return }
    let again = try await send(read, of: link.target, after: [creation, (call, deleted)])
    var validation = LiveValidation(
      .stateUseAfterDelete, about: subject.subject(status: link.target.subject(answeredWith: again.status).status))
    if (200...299).contains(again.status) {
      validation.report(
        .stateUseAfterDelete,
        "\(subject.operation.id) answered \(deleted.status), but \(link.target.operation.id) still answers "
          + "\(again.status)", contract: subject.operation.node)
    }
    results[position].add(
      validation, of: LiveEvidence(call, deleted),
      reproduction: transcript([creation, (call, deleted), (read, again)]))
  }

  /// The same read of a resource that does not exist.
  private func control(_ link: LinkTarget) -> LiveCall? {
    guard let parameter = link.target.operation.parameters.last(where: { $0.location == .path }),
      let index = link.draft.index(of: parameter), let schema = parameter.schema
    else { return nil }
    let known = link.draft.arguments[index].value
    let generated = (1...4).lazy.compactMap {
      link.target.samples.generator(1_000 + $0).sample(of: schema, direction: .request)
    }
    let candidates: [JSON] = [987_654_321, "987654321", "understudy-none"] + Array(generated)
    return candidates.lazy.filter { HeaderText.simple($0, explode: false) != HeaderText.simple(known, explode: false) }
      .compactMap { link.target.validCall(link.draft.setting(parameter, to: $0), .valid, "control") }.first
  }

  // MARK: - Parts

  private func send(
    _ call: LiveCall, of subject: LiveOperation, after steps: [Step] = []
  ) async throws(Interruption) -> Exchange.Response {
    let answer: Exchange.Response
    do throws(UpstreamFailure) {
      answer = try await client.send(call, of: subject, as: .sequence, after: steps.map { Ledger.Base($0.call) })
    } catch {
      throw Interruption(call: call, subject: subject, steps: steps, failure: error)
    }
    guard await !progress.credentialsStopped(at: call, answer, of: subject, client) else {
      throw Interruption(call: call, subject: subject, steps: steps, failure: nil)
    }
    progress.noteAnswer(call, answer, of: subject)
    return answer
  }

  /// Validates an answer like any other.
  private func add(
    _ answer: Exchange.Response, of call: LiveCall, to subject: LiveOperation, after steps: [Step],
    _ results: inout [OperationResult]
  ) {
    var call = call
    call.phase = .stateful
    guard let position = results.firstIndex(where: { $0.subject.index == subject.index }) else { return }
    var validation = LiveResponseValidator(subject: subject).validate(call, answer)
    // The sequence itself evaluates refusals.
    validation.findings.removeAll { $0.rule == .providerValidRejected }
    results[position].note(call, answer, validation)
    results[position].reproduceRest(by: transcript(steps + [(call, answer)]))
  }

  /// - Parameter last: A request without an answer.
  private func transcript(_ steps: [Step], then last: LiveCall? = nil) -> String {
    var lines = steps.map { "\($0.call.wire.curl(settings.redactor)) # \($0.answer.status)" }
    if let last { lines.append(last.wire.curl(settings.redactor)) }
    return known.withoutSecrets(lines.joined(separator: "\n"), of: steps.map(\.answer))
  }
}
