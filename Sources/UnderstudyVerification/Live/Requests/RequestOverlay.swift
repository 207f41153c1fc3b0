/// Changes a request so that it matches a `when`.
struct RequestOverlay {
  let subject: LiveOperation

  private enum Change {
    case keep, remove
    case text(String)
    case list([String])
    case json(JSON)
    case any
  }

  /// The most tokens of a pointer into a body.
  private static let depthLimit = 32

  /// Returns `nil` if a condition cannot be met; `variant` selects among the values that a condition allows.
  func draft(_ base: RequestDraft, _ matcher: RequestMatcher, _ variant: Int) -> RequestDraft? {
    var draft = base
    for condition in matcher.conditions {
      let isMet =
        switch condition.part {
        case .path: meet(condition, .path, variant, by: &draft)
        case .query: meet(condition, .query, variant, by: &draft)
        case .header: meet(condition, .header, variant, by: &draft)
        case .cookie: meet(condition, .cookie, variant, by: &draft)
        case .body: meetInBody(condition, variant, by: &draft)
        case .file, .fileType: false
        }
      guard isMet else { return nil }
    }
    for case .any(let matchers) in matcher.groups {
      guard let changed = self.draft(draft, matchers[variant % matchers.count], variant) else { return nil }
      draft = changed
    }
    return draft
  }

  private func change(_ test: RequestMatcher.Test, _ current: [String], _ variant: Int) -> Change? {
    switch test {
    case .present(false): return .remove
    case .present(true): return current.isEmpty ? .any : .keep
    case .equals(let text): return .text(text)
    case .oneOf(let texts): return texts.isEmpty ? nil : .text(texts[variant % texts.count])
    case .list(let texts): return .list(texts)
    case .value(let test): return test.only.map { .json($0) }
    case .contains(let part):
      if current.contains(where: { test.accepts($0) }) { return .keep }
      let known = current.first ?? ""
      return .text([known + part, part, part + known][variant % 3])
    case .matches(let pattern):
      if current.contains(where: { test.accepts($0) }) { return .keep }
      return subject.samples.generator(variant).sample(matching: pattern).map { .text($0) }
    }
  }

  private func meet(
    _ condition: RequestMatcher.Condition, _ location: Parameter.Location, _ variant: Int, by draft: inout RequestDraft
  ) -> Bool {
    if location == .header, FramingFields.contains(condition.name) { return false }
    let parameter =
      subject.operation.parameter(condition.name, in: location) ?? Self.undeclared(condition.name, location)
    let current = draft.index(of: parameter).map { draft.arguments[$0].value.requestTexts } ?? []
    let schema = parameter.schema ?? parameter.content?.schema
    switch change(condition.test, current, variant) {
    case nil: return false
    case .keep?: break
    case .remove?:
      if location == .header, subject.writer.credentials.isPlace(ofHeader: condition.name) { draft.credentials = .none }
      draft = draft.setting(parameter, to: nil)
    case .text(let text)?: draft = draft.setting(parameter, to: value(of: text, schema))
    case .list(let texts)?: draft = draft.setting(parameter, to: list(of: texts, schema))
    case .json?: return false
    case .any?: draft = draft.setting(parameter, to: sample(of: schema, variant))
    }
    return true
  }

  /// Fixtures may match parameters that the contract does not declare.
  static func undeclared(_ name: String, _ location: Parameter.Location) -> Parameter {
    Parameter(
      name, in: location, isRequired: location == .path, style: location == .query ? .form : .simple,
      allowEmptyValue: true)
  }

  private func meetInBody(
    _ condition: RequestMatcher.Condition, _ variant: Int, by draft: inout RequestDraft
  ) -> Bool {
    guard let (root, media) = body(of: draft, variant) else {
      if case .present(false) = condition.test { return true }
      return false
    }
    // Fields of a form have names, not pointers.
    let isPointer = condition.name.utf8.first == UInt8(ascii: "/") && MediaRange(media.range)?.syntax == .json
    let pointer =
      condition.path.map(\.pointer) ?? (isPointer ? JSONPointer(condition.name) : JSONPointer([condition.name]))
    guard let tokens = pointer?.tokens, tokens.count <= Self.depthLimit
    else { return false }
    let schema = schema(of: tokens, in: media)
    let current = root[JSONPointer(tokens)]?.requestTexts ?? []
    let value: JSON?
    switch change(condition.test, current, variant) {
    case nil: return false
    case .keep?: return true
    case .remove?: value = nil
    case .text(let text)?: value = self.value(of: text, schema)
    case .list(let texts)?: value = list(of: texts, schema)
    case .json(let json)?: value = json
    case .any?: value = sample(of: schema, variant)
    }
    guard let changed = root.setting(tokens[...], to: value) else { return false }
    draft.body = .value(changed, media)
    return true
  }

  /// The body of the draft, else a new one, of a type that a `when` can read.
  private func body(of draft: RequestDraft, _ variant: Int) -> (JSON, MediaTypeObject)? {
    if case .value(let value, let media)? = draft.body, Self.isReadable(media) { return (value, media) }
    guard let media = subject.operation.requestBody?.content.first(where: Self.isReadable) else { return nil }
    let value = media.schema.flatMap { subject.samples.generator(variant).sample(of: $0, direction: .request) }
    return (value ?? .object([]), media)
  }

  private static func isReadable(_ media: MediaTypeObject) -> Bool {
    let syntax = MediaRange(media.range)?.syntax
    return syntax == .json || syntax == .form
  }

  private func schema(of tokens: [String], in media: MediaTypeObject) -> JSON? {
    var schema = media.schema.map(subject.samples.schemas.resolved)
    for token in tokens {
      schema = schema.flatMap { $0.declaredProperty(token) ?? ($0.describesElements ? $0.element : nil) }
    }
    return schema?.node
  }

  /// A text as a value of its schema, else as a string, which the validator refuses.
  private func value(of text: String, _ schema: JSON?) -> JSON {
    schema.map { value(of: text, subject.samples.schemas.resolved($0)) } ?? .string(text)
  }

  /// Converts strings to the elements of an array; a single string may be a value of another type.
  private func list(of texts: [String], _ schema: JSON?) -> JSON {
    let resolved = schema.map(subject.samples.schemas.resolved)
    if texts.count == 1, resolved?.types.contains(.array) != true { return value(of: texts[0], schema) }
    let element = resolved?.element
    return .array(texts.map { text in element.map { value(of: text, $0) } ?? .string(text) })
  }

  private func value(of text: String, _ schema: ResolvedSchema) -> JSON {
    if schema.types.isDisjoint(with: .primitive), schema.types.contains(.array) {
      return [TypeCoercion.value(of: text, schema.element.types, prefersText: false) ?? .string(text)]
    }
    return TypeCoercion.value(of: text, schema.types, prefersText: false) ?? .string(text)
  }

  private func sample(of schema: JSON?, _ variant: Int) -> JSON {
    schema.flatMap { subject.samples.generator(variant).sample(of: $0, direction: .request) } ?? "understudy"
  }
}
