package struct ContentValidator: Sendable {
  let content: [MediaTypeObject]
  private let decoder: BodyDecoder
  /// In the order of `content`.
  private let schemas: [LazySchema?]
  private let itemSchemas: [LazySchema?]
  private let library: SchemaLibrary
  private let direction: Direction

  private static let failureLimit = 20

  package init(
    _ content: [MediaTypeObject], _ specification: Specification, _ library: SchemaLibrary, _ direction: Direction
  ) {
    self.content = content
    self.library = library
    self.direction = direction
    // In Swagger 2.0 `produces` holds for all responses of an operation: the errors of one that produces archives are data
    // under that type, and nothing else can be declared.
    let isDeclaredSo = specification == .swagger2 && direction == .response
    decoder = BodyDecoder(
      content, specification: specification, schemas: library, reportsHiddenJSON: !isDeclaredSo)
    let parts = content.map { ContentSchemas($0, library) }
    schemas = parts.map { $0.whole.map { LazySchema($0, library, direction) } }
    itemSchemas = parts.map { $0.item.map { LazySchema($0, library, direction) } }
  }

  /// - Parameters:
  ///   - budget: Pays for all evaluations.
  ///   - hint: Advice for a required member that is missing.
  package func validate(
    _ body: MessageBody, _ options: ValidationOptions, _ budget: WorkBudget, contract: JSON,
    into result: inout ValidationResult,
    hint: () -> String? = { nil }
  ) {
    let looksForUndeclared =
      !options.optional.isEmpty && options.wants(rule(.requestBodyUndeclared, .responseBodyUndeclared))
    result.checked += 1
    let outcome = decoder.decode(body)
    let decoded = outcome.decoded
    if !decoded.isFlawless { reportFlaws(of: decoded, body, contract, looksForUndeclared, budget, &result) }
    guard !decoded.problems.contains(where: { !$0.isRecovered }), let index = outcome.content else { return }
    if let items = itemSchemas[index], let whole = decoded.readings.first {
      for (position, item) in whole.elements.enumerated() {
        validate([item], items, at: "/body/\(position)", looksForUndeclared, budget, &result, hint: hint)
      }
    }
    guard let schema = schemas[index] else { return }
    validate(decoded.readings, schema, at: "/body", looksForUndeclared, budget, &result, hint: hint)
  }

  /// Reports problems of decoding and what could not be validated, and validates the parts of the body.
  private func reportFlaws(
    of decoded: Decoded, _ body: MessageBody, _ contract: JSON, _ looksForUndeclared: Bool,
    _ budget: WorkBudget, _ result: inout ValidationResult
  ) {
    for problem in decoded.problems {
      let isContentType = problem.kind == .contentType && problem.key.isEmpty
      let pointer = problem.key.isEmpty ? "/body" : "/body/\(JSONPointer.escape(problem.key))"
      result.report(
        rule(for: problem, body.contentType), problem, at: isContentType ? "/header/Content-Type" : pointer,
        contract: contract)
    }
    if case .unvalidated(let reason) = decoded.outcome {
      result.checked -= 1
      result.skip("/body", reason)
    }
    for part in decoded.parts {
      guard let schema = part.schema else { continue }
      let lazy = LazySchema(schema, library, direction)
      validate(part.readings, lazy, at: "/body" + part.pointer, looksForUndeclared, budget, &result) { nil }
    }
  }

  private func validate(
    _ readings: [JSON], _ lazy: LazySchema, at pointer: String, _ looksForUndeclared: Bool, _ budget: WorkBudget,
    _ result: inout ValidationResult, hint: () -> String?
  ) {
    guard let first = readings.first else { return }
    let schema = lazy.schema
    if let value = readings.first(where: { schema.accepts($0, within: budget) }) {
      return annotate(value, lazy, at: pointer, looksForUndeclared, budget, &result)
    }
    result.report(
      rule(.requestBodySchema, .responseBodySchema), failuresOf: first, by: schema, at: pointer,
      limit: Self.failureLimit, within: budget, help: { $0.keyword == "required" ? hint() : nil })
  }

  private func annotate(
    _ value: JSON, _ lazy: LazySchema, at pointer: String, _ looksForUndeclared: Bool, _ budget: WorkBudget,
    _ result: inout ValidationResult
  ) {
    let wanted: AnnotationSet = direction == .request ? .ofRequests : .ofResponses
    guard looksForUndeclared || !lazy.annotations.isDisjoint(with: wanted) else { return }
    var walk = AnnotationWalk(lazy, looksForUndeclared: looksForUndeclared, within: budget)
    walk.visit(value, [lazy.node])
    for note in walk.notes {
      let rule: Rule
      switch note.kind {
      case .hidden: rule = self.rule(.requestReadOnly, .responseBodyWriteOnly)
      case .undeclared: rule = self.rule(.requestBodyUndeclared, .responseBodyUndeclared)
      case .discriminator: rule = self.rule(.requestDiscriminator, .responseDiscriminator)
      case .format: rule = .responseFormat
      case .timeLimit: rule = .requestBodySchema
      // A server may go on sending what clients should no longer use.
      case .deprecated where direction == .response: continue
      case .deprecated: rule = .requestDeprecated
      }
      result.report(rule, note.message, at: pointer + note.pointer.description, contract: note.schema)
    }
  }

  private func rule(_ request: Rule, _ response: Rule) -> Rule { direction == .request ? request : response }

  private func rule(for problem: DecodingProblem, _ contentType: String?) -> Rule {
    switch problem.kind {
    case .contentType where problem.key.isEmpty: rule(.requestContentType, Self.contentTypeRule(contentType))
    case .contentType: rule(.requestContentType, .responseContentTypeUndocumented)
    case .syntax, .limit: rule(.requestBodyUnparsable, .responseBodyUnparsable)
    case .missing: rule(.requestBodyMissing, .responseBodyMissing)
    case .type: rule(.requestBodySchema, .responseBodySchema)
    case .encoding: rule(.requestEncoding, .responseEncoding)
    // Only the fields of a form have styles, repeat, or are percent-encoded.
    case .style, .percentEncoding, .duplicate: rule(.requestParamEncoding, .responseBodyUnparsable)
    }
  }

  private static func contentTypeRule(_ contentType: String?) -> Rule {
    guard let contentType else { return .responseContentTypeMissing }
    return MediaRange(contentType).map(\.isRange) == false
      ? .responseContentTypeUndocumented : .responseContentTypeMalformed
  }
}
