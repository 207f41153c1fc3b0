/// Makes requests that break the contract in one place, out of a valid one.
///
/// Each is validated as it goes over the wire; a request that is valid there (`123` for a text, one item for a list) is
/// dropped.
struct InvalidRequests {
  let subject: LiveOperation
  let base: RequestDraft

  private var operation: Operation { subject.operation }
  /// The parameters that a client can get wrong.
  private var own: [Parameter] { operation.parameters.filter { !FramingFields.contains($0) } }

  /// Calls from every place in turn, so that a limit omits none of the places.
  func calls(limit: Int) -> [LiveCall] {
    var groups = [missing(), credentials(), media()] + own.map { invalid($0, limit: limit) }
    groups += bodies(limit: 2 * limit)
    if subject.options.wants(.providerDuplicateParam) { groups.append(duplicates()) }
    groups.removeAll(where: \.isEmpty)
    var calls: [LiveCall] = []
    for turn in 0..<(groups.map(\.count).max() ?? 0) {
      for group in groups where turn < group.count && calls.count < limit { calls.append(group[turn]) }
    }
    return calls
  }

  private func missing() -> [LiveCall] {
    let parameters = own.filter { $0.isRequired && $0.location != .path }
    var calls = parameters.compactMap { parameter in
      subject.invalidCall(
        base.setting(parameter, to: nil),
        parameter.location == .header ? .providerHeaderIgnored : .providerInvalidAccepted,
        "\(parameter.location.rawValue) `\(parameter.name)` omitted")
    }
    if operation.requestBody?.isRequired == true,
      let call = subject.invalidCall(base.with(body: nil), .providerInvalidAccepted, "body omitted")
    {
      calls.append(call)
    }
    return calls
  }

  private func invalid(_ parameter: Parameter, limit: Int) -> [LiveCall] {
    guard let schema = parameter.schema ?? parameter.content?.schema else { return [] }
    let samples = subject.samples.generator(0).invalidSamples(of: schema, direction: .request, limit: limit)
    return samples.compactMap { sample in
      // Servers may ignore keys that they do not know.
      guard sample.keyword != "additionalProperties", sample.keyword != "unevaluatedProperties" else { return nil }
      return subject.invalidCall(
        base.setting(parameter, to: sample.value), .providerInvalidAccepted,
        "\(parameter.location.rawValue) `\(parameter.name)` breaks `\(sample.keyword)`")
    }
  }

  /// A repeated parameter is valid, but readers differ in which value they take.
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

  private func bodies(limit: Int) -> [[LiveCall]] {
    (operation.requestBody?.content ?? []).compactMap { media in
      guard let schema = media.schema else { return nil }
      let samples = subject.samples.generator(0).invalidSamples(of: schema, direction: .request, limit: limit)
      let calls = samples.compactMap { sample in
        subject.invalidCall(
          base.with(body: .value(sample.value, media)), .providerInvalidAccepted,
          "body\(sample.instance) breaks `\(sample.keyword)`")
      }
      guard MediaRange(media.range)?.syntax == .json else { return calls }
      let cut = RequestDraft.Content.bytes(Array("{\"cut".utf8), contentType: media.range)
      return [subject.invalidCall(base.with(body: cut), .providerInvalidAccepted, "body cut off")].compactMap(\.self)
        + calls
    }
  }

  /// A media type that the operation does not accept, with the bytes of a valid body.
  private func media() -> [LiveCall] {
    guard let written = subject.writer.write(base), !written.body.isEmpty else { return [] }
    let candidates = ["application/x-understudy", "text/csv", "application/xml", "application/json"]
    return candidates.lazy.compactMap { type in
      subject.invalidCall(
        base.with(body: .bytes(written.body, contentType: type)), .providerMediaUnsupported, "body as \(type)")
    }.prefix(1).map(\.self)
  }

  private func credentials() -> [LiveCall] {
    guard !operation.security.isEmpty else { return [] }
    var none = base
    none.credentials = .none
    guard let without = subject.invalidCall(none, .providerAuthIgnored, "without credentials") else { return [] }
    guard subject.writer.credentials.areGiven(for: operation) else { return [without] }
    var wrong = base
    wrong.credentials = .wrong
    return [without, subject.call(wrong, .invalid(.providerAuthIgnored), "with made-up credentials")].compactMap(\.self)
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
