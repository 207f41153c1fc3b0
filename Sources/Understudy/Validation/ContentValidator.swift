import JSONSchema

/// Validates the body of one message by the `content` of its contract.
struct ContentValidator: Sendable {
  /// Under which rules a direction tells what it finds.
  struct Rules: Sendable {
    let contentTypeMissing: Rule
    let contentTypeMalformed: Rule
    let contentTypeUndocumented: Rule
    let missing: Rule
    let unparsable: Rule
    let schema: Rule
    let encoding: Rule
    let hidden: Rule
    let undeclared: Rule
    let discriminator: Rule
  }

  let content: [MediaTypeObject]
  private let decoder: BodyDecoder
  /// In the order of `content`.
  private let schemas: [LazySchema?]
  private let itemSchemas: [LazySchema?]
  private let library: SchemaLibrary
  private let direction: Direction

  /// Failures told of one body.
  private static let failureLimit = 20

  init(
    _ content: [MediaTypeObject], _ specification: Specification, _ library: SchemaLibrary, _ direction: Direction
  ) {
    self.content = content
    self.library = library
    self.direction = direction
    decoder = BodyDecoder(content, specification: specification, schemas: library)
    schemas = content.map { $0.schema.map { LazySchema($0, library, direction) } }
    itemSchemas = content.map { $0.itemSchema.map { LazySchema($0, library, direction) } }
  }

  /// `hint` gives a word of help for a required member that is missing.
  func validate(
    _ body: MessageBody, _ options: ValidationOptions, contract: JSON, into result: inout ValidationResult,
    hint: () -> String? = { nil }
  ) {
    let looksForUndeclared = options.wants(direction == .request ? .requestBodyUndeclared : .responseBodyUndeclared)
    result.checked += 1
    let outcome = decoder.decode(body)
    let decoded = outcome.decoded
    if !decoded.isFlawless { tell(decoded, of: body, contract, looksForUndeclared, &result) }
    guard !decoded.problems.contains(where: { !$0.isRecovered }), let index = outcome.content else { return }
    if let items = itemSchemas[index], let whole = decoded.readings.first {
      for (position, item) in whole.elements.enumerated() {
        validate([item], items, at: "/body/\(position)", looksForUndeclared, &result, hint: hint)
      }
    }
    guard let schema = schemas[index] else { return }
    validate(decoded.readings, schema, at: "/body", looksForUndeclared, &result, hint: hint)
  }

  /// What there is to say of a body beside its value.
  private func tell(
    _ decoded: Decoded, of body: MessageBody, _ contract: JSON, _ looksForUndeclared: Bool,
    _ result: inout ValidationResult
  ) {
    for problem in decoded.problems { result.findings.append(finding(problem, body.contentType, contract)) }
    if case .unvalidated(let reason) = decoded.outcome {
      result.checked -= 1
      result.skip("/body", reason)
    }
    for part in decoded.parts {
      guard let schema = part.schema else { continue }
      let lazy = LazySchema(schema, library, direction)
      validate(part.readings, lazy, at: "/body" + part.pointer, looksForUndeclared, &result) { nil }
    }
  }

  private func validate(
    _ readings: [JSON], _ lazy: LazySchema, at pointer: String, _ looksForUndeclared: Bool,
    _ result: inout ValidationResult, hint: () -> String?
  ) {
    guard let first = readings.first else { return }
    let schema = lazy.schema
    if let fit = readings.first(where: { schema.accepts($0) }) {
      return annotate(fit, lazy, at: pointer, looksForUndeclared, &result)
    }
    for failure in schema.failures(first, limit: Self.failureLimit, countsMore: true) {
      let place = pointer + failure.instance.description
      switch failure.kind {
      case .broken: break
      case .notValidated:
        result.skip(place, failure.message)
        continue
      case .more:
        result.report(rules.schema, failure.message, at: place, severity: .info)
        continue
      }
      let help = failure.help ?? (failure.keyword == "required" ? hint() : nil)
      result.report(rules.schema, failure.message, at: place, contract: failure.schema, help: help)
    }
  }

  // MARK: - What no keyword validates

  private func annotate(
    _ value: JSON, _ lazy: LazySchema, at pointer: String, _ looksForUndeclared: Bool, _ result: inout ValidationResult
  ) {
    let wanted: AnnotationSet = [direction == .request ? .readOnly : .writeOnly, .deprecated, .discriminator]
    guard looksForUndeclared || !lazy.annotations.isDisjoint(with: wanted) else { return }
    var walk = AnnotationWalk(lazy, looksForUndeclared: looksForUndeclared)
    walk.visit(value, [lazy.node])
    for note in walk.notes {
      let rule: Rule
      switch note.kind {
      case .hidden: rule = rules.hidden
      case .undeclared: rule = rules.undeclared
      case .discriminator: rule = rules.discriminator
      case .deprecated:
        // A server may go on sending what clients should no longer use.
        guard direction == .request else { continue }
        rule = .requestDeprecated
      }
      result.report(rule, note.message, at: pointer + note.pointer.description, contract: note.schema)
    }
  }

  // MARK: - Problems of decoding

  private func finding(_ problem: DecodingProblem, _ contentType: String?, _ contract: JSON) -> Diagnostic {
    var pointer = problem.key.isEmpty ? "/body" : "/body/\(JSONPointer.escape(problem.key))"
    let rule: Rule
    switch problem.kind {
    case .contentType:
      rule = problem.key.isEmpty ? contentTypeRule(contentType) : rules.contentTypeUndocumented
      if problem.key.isEmpty { pointer = "/header/Content-Type" }
    case .syntax, .limit: rule = rules.unparsable
    case .missing: rule = rules.missing
    case .type: rule = rules.schema
    case .encoding: rule = rules.encoding
    // Only the fields of a form have styles, repeat, or are percent-encoded.
    case .style, .percentEncoding, .duplicate: rule = direction == .request ? .requestParamEncoding : rules.unparsable
    }
    return Diagnostic(
      rule, problem.sentence, at: pointer, contract: contract,
      severity: problem.isRecovered ? .warning : nil)
  }

  private func contentTypeRule(_ contentType: String?) -> Rule {
    guard let contentType else { return rules.contentTypeMissing }
    return MediaRange(contentType).map(\.isRange) == false ? rules.contentTypeUndocumented : rules.contentTypeMalformed
  }

  private var rules: Rules { direction == .request ? .request : .response }
}

extension ContentValidator.Rules {
  static let request = Self(
    contentTypeMissing: .requestContentType, contentTypeMalformed: .requestContentType,
    contentTypeUndocumented: .requestContentType, missing: .requestBodyMissing, unparsable: .requestBodyUnparsable,
    schema: .requestBodySchema, encoding: .requestEncoding, hidden: .requestReadOnly,
    undeclared: .requestBodyUndeclared, discriminator: .requestDiscriminator)

  static let response = Self(
    contentTypeMissing: .responseContentTypeMissing, contentTypeMalformed: .responseContentTypeMalformed,
    contentTypeUndocumented: .responseContentTypeUndocumented, missing: .responseBodyMissing,
    unparsable: .responseBodyUnparsable, schema: .responseBodySchema, encoding: .responseEncoding,
    hidden: .responseBodyWriteOnly, undeclared: .responseBodyUndeclared, discriminator: .responseDiscriminator)
}
