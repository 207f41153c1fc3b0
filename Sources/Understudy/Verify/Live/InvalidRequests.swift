import JSONSchema

/// Makes requests that break the contract in one place, out of one that keeps it.
///
/// Each is validated as it goes over the wire, by the validator of the mock and the proxy; one that turns out valid there - `123`
/// for a text, one item for a list - is dropped.
struct InvalidRequests {
  let subject: LiveOperation
  let base: RequestDraft

  private var operation: Operation { subject.operation }

  /// From every place in turn, so that a limit leaves none of them out.
  func calls(limit: Int) -> [LiveCall] {
    var groups = [missing(), credentials(), media()] + operation.parameters.map { misses($0, limit: limit) }
    groups += bodies(limit: 2 * limit)
    if subject.options.wants(.providerDuplicateParam) { groups.append(duplicates()) }
    groups.removeAll(where: \.isEmpty)
    var calls: [LiveCall] = []
    for turn in 0..<(groups.map(\.count).max() ?? 0) {
      for group in groups where turn < group.count && calls.count < limit { calls.append(group[turn]) }
    }
    return calls
  }

  // MARK: - Parameters

  private func missing() -> [LiveCall] {
    let parameters = operation.parameters.filter { $0.isRequired && $0.location != .path }
    var calls = parameters.compactMap { parameter in
      subject.invalidCall(
        base.setting(parameter, to: nil),
        parameter.location == .header ? .providerHeaderIgnored : .providerInvalidAccepted,
        "\(parameter.location.rawValue) `\(parameter.name)` left out")
    }
    if operation.requestBody?.isRequired == true {
      calls += subject.invalidCall(base.with(body: nil), .providerInvalidAccepted, "body left out").map { [$0] } ?? []
    }
    return calls
  }

  private func misses(_ parameter: Parameter, limit: Int) -> [LiveCall] {
    guard let schema = parameter.schema ?? parameter.content?.schema else { return [] }
    let generator = subject.samples.generator(0)
    return generator.invalidSamples(of: schema, direction: .request, limit: limit).compactMap { miss in
      // Servers pass over keys that they do not know.
      guard miss.keyword != "additionalProperties", miss.keyword != "unevaluatedProperties" else { return nil }
      let place = "\(parameter.location.rawValue) `\(parameter.name)`"
      return subject.invalidCall(
        base.setting(parameter, to: miss.value), .providerInvalidAccepted, "\(place) breaks `\(miss.keyword)`")
    }
  }

  /// Not invalid: the first value counts. What two readers make of it is another matter.
  private func duplicates() -> [LiveCall] {
    operation.parameters.filter { $0.location == .query && $0.content == nil }.compactMap { parameter in
      guard let schema = parameter.schema,
        subject.samples.schemas.resolved(schema).forms == [.primitive],
        let first = base.index(of: parameter).map({ base.arguments[$0].value })
          ?? subject.samples.generator(0).sample(of: schema, direction: .request),
        let second = (1...4).lazy.compactMap({
          subject.samples.generator($0).sample(of: schema, direction: .request)
        }).first(where: { $0 != first })
      else { return nil }
      var draft = base.setting(parameter, to: first)
      draft.repeated = [RequestDraft.Argument(parameter: parameter, value: second)]
      return subject.validCall(draft, .duplicate, "query `\(parameter.name)` twice")
    }
  }

  // MARK: - Bodies

  private func bodies(limit: Int) -> [[LiveCall]] {
    (operation.requestBody?.content ?? []).compactMap { media in
      guard let schema = media.schema else { return nil }
      let generator = subject.samples.generator(0)
      var calls = generator.invalidSamples(of: schema, direction: .request, limit: limit).compactMap { miss in
        subject.invalidCall(
          base.with(body: .value(miss.value, media)), .providerInvalidAccepted,
          "body\(miss.instance) breaks `\(miss.keyword)`")
      }
      if MediaRange(media.range)?.syntax == .json {
        let cut = RequestDraft.Content.bytes(Array("{\"cut".utf8), contentType: media.range)
        if let call = subject.invalidCall(base.with(body: cut), .providerInvalidAccepted, "body cut off") {
          calls.insert(call, at: 0)
        }
      }
      return calls
    }
  }

  /// A media type that the operation does not take, around the bytes of one that it does.
  private func media() -> [LiveCall] {
    guard let written = subject.writer.write(base), !written.body.isEmpty else { return [] }
    let candidates = ["application/x-understudy", "text/csv", "application/xml", "application/json"]
    return candidates.lazy.compactMap { type in
      subject.invalidCall(
        base.with(body: .bytes(written.body, contentType: type)), .providerMediaUnsupported, "body as \(type)")
    }.first.map { [$0] } ?? []
  }

  // MARK: - Credentials and methods

  private func credentials() -> [LiveCall] {
    guard !operation.security.isEmpty else { return [] }
    var none = base
    none.credentials = .none
    var calls = subject.invalidCall(none, .providerAuthIgnored, "without credentials").map { [$0] } ?? []
    if !calls.isEmpty, subject.writer.credentials.areGiven(for: operation) {
      var wrong = base
      wrong.credentials = .wrong
      // Nothing in the contract tells a wrong token from a good one; that another one was given does.
      if let call = subject.call(wrong, .invalid(.providerAuthIgnored), "with made-up credentials") {
        calls.append(call)
      }
    }
    return calls
  }

  /// Methods that the path does not have.
  func methods(allowsUnsafe: Bool) -> [LiveCall] {
    let methods = allowsUnsafe ? ["GET", "POST", "PUT", "PATCH", "DELETE"] : ["GET"]
    return methods.compactMap { method in
      guard operation.pathNode[method.lowercased()] == nil else { return nil }
      var draft = base
      draft.method = method
      if LiveOperation.safeMethods.contains(method) { draft.body = nil }
      return subject.call(draft, .method, "\(method), which the path does not have")
    }
  }
}
