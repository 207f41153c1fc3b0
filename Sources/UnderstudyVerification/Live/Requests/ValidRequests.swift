/// Makes valid requests: from samples, from examples, and at the boundaries of schemas.
struct ValidRequests {
  let subject: LiveOperation
  let count: Int
  let known: KnownValues

  private var operation: Operation { subject.operation }

  /// The variants that every operation is asked with: all optional parts, none, and every media type.
  var basics: Range<Int> { 0..<max(2, operation.requestBody?.content.count ?? 0) }

  /// A valid request: with known values where that keeps it valid.
  func call(_ variant: Int) -> LiveCall? {
    let label = "generated request \(variant + 1)"
    func valid(_ plain: RequestDraft?) -> LiveCall? {
      plain.flatMap { subject.validCall(applied(to: $0, variant), .valid, label) }
        ?? plain.flatMap { subject.validCall($0, .valid, label) }
    }
    return valid(plainDraft(variant)) ?? (variant == 1 ? valid(plainDraft(variant, isSmall: false)) : nil)
  }

  /// A call with the first example of a body that the contract allows.
  func firstExample() -> LiveCall? {
    guard let base = draft(0) ?? draft(1) else { return nil }
    for media in operation.requestBody?.content ?? [] {
      for example in media.examples where !(example.name.map(isOfRefusal) ?? false) {
        guard case .data(let value) = example.value,
          let call = subject.validCall(
            base.with(body: .value(value, media)), .example, "the example\(Self.named(example)) of the body")
        else { continue }
        return call
      }
    }
    return nil
  }

  /// A draft with known values, not validated yet; also variant 1 has some optional members in its body.
  func draft(_ variant: Int) -> RequestDraft? {
    plainDraft(variant, isSmall: false).map { applied(to: $0, variant) }
  }

  /// From the fourth on, every other variant keeps its invented ids: what a server answers to them is documented too.
  private func applied(to draft: RequestDraft, _ variant: Int) -> RequestDraft {
    variant > 2 && variant % 2 == 1
      ? draft : known.applied(to: draft, of: operation, variant, subject.samples.schemas)
  }

  /// A variant that no valid request has, and for which examples of the contract do not count.
  private static let unsent = 1_009

  /// A draft with invented values in its path, which no server knows.
  func inventingPath(of draft: RequestDraft) -> RequestDraft {
    draft.arguments.reduce(draft) { draft, argument in
      guard argument.parameter.location == .path, let value = value(of: argument.parameter, Self.unsent) else {
        return draft
      }
      return draft.setting(argument.parameter, to: value)
    }
  }

  /// - Parameter isSmall: Whether the body of variant 1 has no optional members.
  private func plainDraft(_ variant: Int, isSmall: Bool = true) -> RequestDraft? {
    let media = operation.requestBody?.content ?? []
    return draft(variant, media.isEmpty ? nil : media[variant % media.count], isSmall: isSmall && variant == 1)
  }

  /// Variant 0 has all optional parts, 1 none, the others some.
  private func draft(_ variant: Int, _ media: MediaTypeObject?, isSmall: Bool) -> RequestDraft? {
    var draft = RequestDraft(method: operation.method)
    for parameter in subject.parameters where !FramingFields.contains(parameter) {
      let isNeeded = parameter.isRequired || parameter.location == .path
      // It is unknown which values are valid.
      guard isNeeded || parameter.isDescribed else { continue }
      let isWanted =
        isNeeded
        || (variant == 0 && !parameter.isDeprecated)
        || (variant > 1 && subject.samples.choice(parameter.name, variant, below: 2) == 0)
      guard isWanted else { continue }
      let value = value(of: parameter, variant)
      if let value, ParameterEncoder(parameter).encode(value) != nil {
        draft.arguments.append(RequestDraft.Argument(parameter: parameter, value: value))
      } else if parameter.isRequired || parameter.location == .path {
        return nil
      }
    }
    guard let media else { return draft }
    let isWanted = operation.requestBody?.isRequired == true || variant != 1
    guard isWanted else { return draft }
    guard let body = body(media, variant, isSmall: isSmall) else {
      return operation.requestBody?.isRequired == true ? nil : draft
    }
    draft.body = body
    return draft
  }

  private func value(of parameter: Parameter, _ variant: Int) -> JSON? {
    // Examples name existing data: `petId: 10`.
    if variant < 2,
      let example = (parameter.examples + (parameter.content?.examples ?? [])).lazy.compactMap(\.data).first(where: {
        ParameterEncoder(parameter).encode($0) != nil
      })
    {
      return example
    }
    // Where nothing describes the values, a number fits as well as a text.
    guard let schema = parameter.schema ?? parameter.content?.schema, parameter.isDescribed else {
      return variant % 2 == 0 ? "understudy" : "1"
    }
    let described = DescribedValues.of(parameter, in: operation, subject.samples.schemas)
    if !described.isEmpty, variant < 3 || variant % 2 == 0 { return described[variant % described.count] }
    let sample = subject.samples.generator(variant).sample(of: schema, direction: .request)
    guard !subject.isSafe else { return sample }
    if parameter.location == .path, let sample, let number = sample.int { return foreign(sample, number, schema) }
    let resolved = subject.samples.schemas.resolved(schema)
    return sample.map { HarmlessPaths.applied(to: $0, named: parameter.name, by: resolved) }
  }

  /// The sample, or a large number in its place if the request changes data: small numbers are often ids of existing data.
  private func foreign(_ sample: JSON, _ number: Int, _ schema: JSON) -> JSON {
    guard ["PUT", "PATCH", "DELETE"].contains(operation.method), -999_999...999_999 ~= number else { return sample }
    let large = JSON.integer(900_000_000 + number)
    return subject.samples.schemas.schema(at: schema, direction: .request).accepts(large) ? large : sample
  }

  private func body(_ media: MediaTypeObject, _ variant: Int, isSmall: Bool) -> RequestDraft.Content? {
    let generator = subject.samples.generator(variant)
    guard let schema = media.schema else {
      guard let items = media.itemSchema else { return .value("understudy", media) }
      return generator.sample(of: items, direction: .request).map { .value([$0], media) }
    }
    // A form without any field is no body to many servers.
    let resolved = subject.samples.schemas.resolved(schema)
    func content(_ value: JSON) -> RequestDraft.Content {
      let named = DescribedValues.applied(to: value, by: resolved, variant)
      return .value(subject.isSafe ? named : HarmlessPaths.applied(to: named, by: resolved), media)
    }
    if isSmall, let smallest = generator.smallestSample(of: schema, direction: .request),
      !Self.isForm(media) || smallest.count > 0
    {
      return content(smallest)
    }
    return generator.sample(of: schema, direction: .request).map(content)
  }

  /// The most parameters that are tried alone.
  private static let loneLimit = 8

  /// Requests with one optional parameter, where the contract has its value: as default, example or list.
  func lone() -> [LiveCall] {
    guard let base = draft(1) else { return [] }
    return optionals.prefix(Self.loneLimit).compactMap { parameter, value in
      subject.validCall(
        base.setting(parameter, to: value), .valid, "\(parameter.location.rawValue) `\(parameter.name)` alone")
    }
  }

  private var optionals: [(parameter: Parameter, value: JSON)] {
    operation.parameters.filter { !$0.isRequired && $0.location != .path && !FramingFields.contains($0) }.compactMap {
      parameter in
      let schema = parameter.schema.map(subject.samples.schemas.resolved)
      let value =
        parameter.examples.lazy.compactMap(\.data).first ?? defaultValue(of: parameter)
        ?? schema?.enumeration?.first
        ?? DescribedValues.of(parameter, in: operation, subject.samples.schemas).first
      return value.map { (parameter, $0) }
    }
  }

  private func defaultValue(of parameter: Parameter) -> JSON? {
    guard let schema = parameter.schema else { return nil }
    return subject.samples.schemas.resolved(schema).parts.lazy.compactMap { $0.schema["default"] }.first {
      !$0.isNull && !$0.isEmptyOnTheWire
    }
  }

  /// Each member of a body that may be `null`.
  private func nullableMembers(of schema: JSON, in media: MediaTypeObject) -> [CombinedEdges.Edge] {
    guard let whole = subject.samples.generator(0).sample(of: schema, direction: .request), whole.isObject else {
      return []
    }
    let schemas = subject.samples.schemas
    let members = schemas.resolved(schema).properties.filter { property in
      schemas.schema(at: property.schema, direction: .request).accepts(.null)
    }
    return members.map { member in
      CombinedEdges.Edge(place: "body/\(member.name)") { draft in
        var value = whole
        if case .value(let known, let own)? = draft.body, own.range.utf8Equals(media.range) { value = known }
        return draft.with(body: .value(value.setting([member.name], to: .null) ?? value, media))
      }
    }
  }

  private static func isForm(_ media: MediaTypeObject) -> Bool {
    let syntax = MediaRange(media.range)?.syntax
    return syntax == .form || syntax == .multipart
  }

  /// Adds the examples of parameters and bodies; invalid ones are not sent.
  func examples(into plan: inout LivePlan) {
    guard let base = draft(0) ?? draft(1) else { return }
    func add(_ draft: RequestDraft, _ label: String, _ name: String?) {
      if name.map(isOfRefusal) ?? false { return plan.skip("an example of a request that is meant to be refused") }
      guard let call = subject.validCall(draft, .example, label) else {
        return plan.skip("an example of a request that breaks the contract")
      }
      plan.add(call)
    }
    for parameter in operation.parameters where !FramingFields.contains(parameter) {
      for example in parameter.examples + (parameter.content?.examples ?? []) {
        guard let value = example.data else { continue }
        let place = "\(parameter.location.rawValue) `\(parameter.name)`"
        add(base.setting(parameter, to: value), "the example\(Self.named(example)) of \(place)", example.name)
      }
    }
    for media in operation.requestBody?.content ?? [] {
      for example in media.examples {
        let label = "the example\(Self.named(example)) of the body"
        switch example.value {
        case .data(let value): add(base.with(body: .value(value, media)), label, example.name)
        case .serialized(let text):
          add(base.with(body: .bytes(Array(text.utf8), contentType: media.range)), label, example.name)
        case .external: continue
        }
      }
    }
  }

  /// Whether only unsuccessful answers have an example of that name, so that the request is meant to fail.
  private func isOfRefusal(_ name: String) -> Bool {
    let statuses = operation.responses.filter { response in
      response.content.contains { $0.examples.contains { $0.name?.utf8Equals(name) == true } }
    }.map(\.status.code)
    return !statuses.isEmpty && !statuses.contains { 200...299 ~= $0 }
  }

  private static func named(_ example: Example) -> String { example.name.map { " `\($0)`" } ?? "" }

  /// Requests with every value at its first edge, at its second, and so on; a value and the values within it are apart, and so is
  /// `null`, which servers refuse for other reasons.
  func boundaries(around base: RequestDraft) -> [CombinedEdges] {
    let generator = subject.samples.generator(0)
    var columns: [[CombinedEdges.Edge]] = []
    for parameter in operation.parameters where !FramingFields.contains(parameter) {
      guard let schema = parameter.schema ?? parameter.content?.schema else { continue }
      let place = "\(parameter.location.rawValue) `\(parameter.name)`"
      // An empty value is an absent one to many servers.
      let edges = generator.boundaries(of: schema, direction: .request).filter { !$0.value.isEmptyOnTheWire }
      columns.append(
        edges.map { edge in CombinedEdges.Edge(place: place) { $0.setting(parameter, to: edge.value) } })
    }
    var nulls: [CombinedEdges.Edge] = []
    if let media = operation.requestBody?.content.first, let schema = media.schema {
      let isForm = Self.isForm(media)
      let edges = generator.boundaries(of: schema, direction: .request).filter { edge in
        !isForm || edge.value[edge.instance]?.isEmptyOnTheWire != true
      }
      for instance in edges.map(\.instance).unique() {
        let own = edges.filter { $0.instance == instance }.map { edge in
          let applied = CombinedEdges.Edge(place: "body\(instance)") { draft in
            guard let part = edge.value[instance], case .value(let value, let own)? = draft.body,
              own.range.utf8Equals(media.range), let changed = value.setting(instance.tokens[...], to: part)
            else { return draft.with(body: .value(edge.value, media)) }
            return draft.with(body: .value(changed, media))
          }
          return (edge: applied, isNull: !instance.tokens.isEmpty && edge.value[instance]?.isNull == true)
        }
        columns.append(own.filter { !$0.isNull }.map(\.edge))
      }
      nulls = isForm ? [] : nullableMembers(of: schema, in: media)
    }
    let turns = (columns.map(\.count).max() ?? 0)
    let defaults = operation.parameters.filter { !$0.isRequired && !FramingFields.contains($0) }.compactMap {
      parameter in
      defaultValue(of: parameter).map { value in
        CombinedEdges.Edge(place: "\(parameter.location.rawValue) `\(parameter.name)`") {
          $0.setting(parameter, to: value)
        }
      }
    }
    let first = defaults.isEmpty ? [] : [CombinedEdges(edges: defaults, what: "at its default")]
    let absent = CombinedEdges(edges: nulls, what: "as null", isApart: true)
    return first + (nulls.isEmpty ? [] : absent.layers)
      + (0..<min(turns, 3 * count)).flatMap { turn in
        CombinedEdges(edges: columns.compactMap { $0.indices.contains(turn) ? $0[turn] : nil }).layers
      }
  }
}
