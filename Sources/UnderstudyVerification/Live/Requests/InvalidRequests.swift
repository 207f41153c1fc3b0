/// Makes requests that break the contract in one place, out of one that the server accepted, if there is any: a server that
/// refuses the rest of a request shows nothing about the broken place.
///
/// Each is validated as it goes over the wire; a request that is valid there (`123` for a text, one item for a list) is
/// dropped.
struct InvalidRequests {
  let subject: LiveOperation
  let base: RequestDraft
  /// Of those with a body.
  let baseWithBody: RequestDraft

  private var operation: Operation { subject.operation }
  /// The parameters that a client can get wrong.
  private var own: [Parameter] { subject.parameters.filter { !FramingFields.contains($0) } }

  /// Calls by the place that they break: a server that accepts one of them does not look at the place.
  func calls(limit: Int) -> [Group] {
    var groups = (missing() + credentials() + media()).map { Group(calls: [$0]) }
    groups += own.map { Group(calls: shared(invalid($0, limit: limit), $0)[...]) }
    groups += bodies(limit: 2 * limit).map { Group(calls: $0[...], isOfBody: true) }
    groups += numberForBoolean().map { [Group(calls: [$0])] } ?? []
    if subject.options.wants(.providerDuplicateParam) { groups += duplicates().map { Group(calls: [$0]) } }
    return groups.filter { !$0.calls.isEmpty }
  }

  struct Group {
    var calls: ArraySlice<LiveCall>
    var isOfBody = false
  }

  /// What many operations have under one name, one reader reads: together, in turn, they break it in every way.
  private func shared(_ calls: [LiveCall], _ parameter: Parameter) -> [LiveCall] {
    subject.turn(of: parameter)?.share(of: calls) ?? calls
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
      let call = subject.invalidCall(baseWithBody.with(body: nil), .providerInvalidAccepted, "body omitted")
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
      // `lang=` is absent to many servers.
      if parameter.location == .query, sample.value.isEmptyOnTheWire { return nil }
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
    (operation.requestBody?.content ?? []).flatMap { media -> [[LiveCall]] in
      guard let schema = media.schema else { return [] }
      let samples = subject.samples.generator(0).invalidSamples(of: schema, direction: .request, limit: limit)
      let good = good(media)
      func call(_ sample: InvalidSample) -> LiveCall? {
        [sample.breaking(good), sample.value].lazy.compactMap(\.self).compactMap { value in
          subject.invalidCall(
            baseWithBody.with(body: .value(value, media)), .providerInvalidAccepted,
            "body\(sample.instance) breaks `\(sample.keyword)`")
        }.first
      }
      let calls = samples.map(\.instance).unique().map { instance in
        samples.filter { $0.instance == instance }.compactMap(call)
      }
      guard MediaRange(media.range)?.syntax == .json else { return calls }
      let cut = RequestDraft.Content.bytes(Array("{\"cut".utf8), contentType: media.range)
      return [
        [subject.invalidCall(baseWithBody.with(body: cut), .providerInvalidAccepted, "body cut off")]
          .compactMap(\.self)
      ] + calls
    }
  }

  /// A body with 0 in place of its first boolean: lenient readers take it for one, and no other value of a wrong type.
  private func numberForBoolean() -> LiveCall? {
    guard let media = operation.requestBody?.content.first, MediaRange(media.range)?.syntax == .json,
      let schema = media.schema
    else { return nil }
    let resolved = subject.samples.schemas.resolved(schema)
    let flag = resolved.properties.first { property in
      let types = resolved.schema(of: property).types
      return types.contains(.boolean) && types.isDisjoint(with: [.string, .number])
    }
    guard let flag, let value = good(media) ?? subject.samples.generator(0).sample(of: schema, direction: .request),
      let changed = value.setting([flag.name], to: 0)
    else { return nil }
    return subject.invalidCall(
      baseWithBody.with(body: .value(changed, media)), .providerInvalidAccepted,
      "body/\(flag.name) with a number for a boolean")
  }

  /// The body of the base, if it is of a media type.
  private func good(_ media: MediaTypeObject) -> JSON? {
    guard case .value(let value, let own)? = baseWithBody.body, own.range.utf8Equals(media.range) else { return nil }
    return value
  }

  /// A media type that the operation does not accept, with the bytes of a valid body.
  private func media() -> [LiveCall] {
    guard let written = subject.writer.write(baseWithBody), !written.body.isEmpty else { return [] }
    let candidates = ["application/x-understudy", "text/csv", "application/xml", "application/json"]
    return candidates.lazy.compactMap { type in
      subject.invalidCall(
        baseWithBody.with(body: .bytes(written.body, contentType: type)), .providerMediaUnsupported, "body as \(type)")
    }.prefix(1).map(\.self)
  }

  private func credentials() -> [LiveCall] {
    // An empty requirement makes credentials optional (OAS 3.0.3, Security Requirement Object).
    guard !operation.security.isEmpty, !operation.security.contains(where: { $0.schemes.isEmpty }) else { return [] }
    var none = base
    none.credentials = .none
    guard let without = subject.invalidCall(none, .providerAuthIgnored, "without credentials") else { return [] }
    guard subject.writer.credentials.areGiven(for: operation) else { return [without] }
    var wrong = base
    wrong.credentials = .wrong
    return [without, subject.call(wrong, .invalid(.providerAuthIgnored), "with made-up credentials")].compactMap(\.self)
  }

  /// Methods that the path does not have, and the question which ones it has.
  func methods(allowsUnsafe: Bool) -> [LiveCall] {
    let usual = (allowsUnsafe ? ["GET", "POST", "PUT", "PATCH", "DELETE"] : ["GET"])
    var methods = usual.filter { operation.pathNode[$0.lowercased()] == nil }
    // A path that has them all still refuses some method.
    if methods.isEmpty, allowsUnsafe { methods = ["TRACE"] }
    let calls = (methods + ["OPTIONS"]).compactMap(undeclared)
    return subject.hasFewPaths ? calls : subject.share(of: calls, as: operation.path)
  }

  /// TRACE, and a method that no server knows.
  func callsOfUnknownMethods() -> [LiveCall] { Self.unknownMethods.compactMap(undeclared) }

  static let unknownMethods = ["TRACE", "UNDERSTUDY"]

  private func undeclared(_ method: String) -> LiveCall? {
    guard operation.pathNode[method.lowercased()] == nil else { return nil }
    var draft = base
    draft.method = method
    if SafeMethods.contains(method) || !Self.methodsWithBody.contains(method) { draft.body = nil }
    return subject.call(draft, method == "OPTIONS" ? .options : .method, "\(method), which the path does not have")
  }

  private static let methodsWithBody: Set<String> = ["POST", "PUT", "PATCH", "DELETE"]
}

extension InvalidSample {
  /// A good value, broken in the place of the sample alone; `nil` if it lacks the place.
  fileprivate func breaking(_ good: JSON?) -> JSON? {
    guard let good, let part = value[instance], good[JSONPointer(Array(instance.tokens.dropLast()))] != nil else {
      return nil
    }
    guard keyword == "required" else { return good.setting(instance.tokens[...], to: part) }
    guard let whole = good[instance], whole.isObject else { return nil }
    let fewer = whole.distinctMembers.filter { part[$0.name] != nil }.map { ($0.name, $0.value) }
    return good.setting(instance.tokens[...], to: .object(fewer))
  }
}
