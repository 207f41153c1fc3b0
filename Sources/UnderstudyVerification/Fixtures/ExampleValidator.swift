struct ExampleValidator: Sendable {
  let specification: Specification
  let schemas: SchemaLibrary
  let access: FileAccess

  private static let failureLimit = 10

  func validate(_ site: ExampleSite) -> ValidationResult {
    switch site.holder {
    case .parameter(let parameter): validate(site.example, of: parameter)
    case .content(let content, let direction): validate(site.example, of: content, direction)
    }
  }

  private func validate(_ example: Example, of parameter: Parameter) -> ValidationResult {
    if parameter.location == .header, let text = example.fieldValue, !HeaderText.isValue(text) {
      return .failed(
        Diagnostic(
          .exampleSchema, "the example cannot be sent: a header field has no line ends and control characters",
          at: Location(example.node), severity: parameter.isRequired ? .error : nil,
          help: "a sample is sent in its place (RFC 9110, 5.5)"))
    }
    guard let node = parameter.schema else { return ValidationResult() }
    let schema = schemas.schema(at: node, direction: .either)
    let decoder = ParameterDecoder(parameter, specification: specification, schemas: schemas)
    /// Whether a text is valid on the wire: as the value, or with the name as in a query.
    func fits(_ text: String) -> Bool {
      for isEncoded in [false, true] {
        let decoded = decoder.decode(ParameterInput(parameter, text: text, isEncoded: isEncoded))
        if decoded.readings.contains(where: { schema.accepts($0) }) { return true }
      }
      guard parameter.location == .query else { return false }
      return decoder.decode(ParameterInput(target: "/?" + text)).readings.contains(where: { schema.accepts($0) })
    }
    switch example.value {
    case .external: return ValidationResult()
    case .serialized(let text):
      if fits(text) { return .passed }
      return .failed(
        Diagnostic(
          .exampleSchema, "the example, read as text on the wire, does not fit its schema", at: example.node,
          notes: [Diagnostic.Note("the schema", at: Location(start: node))]))
    case .data(let value):
      let isScalar = !value.isObject && !value.isArray && !value.isNull
      return schema.accepts(value) || (isScalar && fits(value.plainText)) ? .passed : failures(of: value, schema)
    }
  }

  private func validate(_ example: Example, of content: MediaTypeObject, _ direction: Direction) -> ValidationResult {
    guard content.schema != nil || content.itemSchema != nil else { return ValidationResult() }
    switch example.value {
    case .data(let value): return validate(value, of: content, direction)
    case .serialized(let text): return validate(Array(text.utf8), at: example.node, of: content, direction)
    case .external(let reference):
      guard let path = example.externalPath else { return .notValidated("`\(reference)` is on another machine") }
      // The linter reports missing files, forbidden ones, and those that are not regular.
      let access = access.available(to: example.node.path)
      guard access.allows(path), FileSystem.isRegular(path) else { return ValidationResult() }
      do {
        let bytes = try FileSystem.read(path, within: access).bytes
        return validate(bytes, at: example.node, of: content, direction)
      } catch {
        let place = example.node["externalValue"] ?? example.node
        return .failed(Diagnostic(LintRule.exampleExternal.rule, error.message, at: place))
      }
    }
  }

  private func validate(_ value: JSON, of content: MediaTypeObject, _ direction: Direction) -> ValidationResult {
    var result = ValidationResult.passed
    if let node = content.schema {
      let schema = schemas.schema(at: node, direction: direction)
      if !schema.accepts(value) {
        if value.isString, fitsAsText(value, content, direction) { return .passed }
        result = failures(of: value, schema)
        if isTextOfJSON(value, schema), var finding = result.findings.first {
          finding.help = "this is JSON inside a string: write it as data"
          result.findings = [finding]
        }
      }
    }
    // `schema` validates the whole, `itemSchema` each item (OAS 3.2, 4.14.3.1).
    if let node = content.itemSchema {
      let schema = schemas.schema(at: node, direction: direction)
      if value.isString, fitsAsText(value, content, direction) { return result }
      for element in value.isArray ? Array(value.elements) : [value] where !schema.accepts(element) {
        let more = failures(of: element, schema)
        result.findings += more.findings
        result.notValidated += more.notValidated
        result.checked = 1
      }
    }
    return result
  }

  /// In media types other than JSON a value may be the text itself (OAS 3.1, "Working With Examples").
  private func fitsAsText(_ value: JSON, _ content: MediaTypeObject, _ direction: Direction) -> Bool {
    guard let range = MediaRange(content.range), range.syntax != .json else { return false }
    if range.isRange {
      // Any type is possible; most often it is JSON.
      guard let node = content.schema, let document = try? JSONParser.parse(Array(value.text.utf8)) else {
        return false
      }
      return schemas.schema(at: node, direction: direction).accepts(document.root)
    }
    return validation(of: Array(value.text.utf8), content, direction).isValid
  }

  private func isTextOfJSON(_ value: JSON, _ schema: Schema) -> Bool {
    guard value.isString, let document = try? JSONParser.parse(Array(value.text.utf8)) else { return false }
    return schema.accepts(document.root)
  }

  /// Validates bytes as they would be sent; their findings are about the example as a whole.
  private func validate(
    _ bytes: [UInt8], at node: JSON, of content: MediaTypeObject, _ direction: Direction
  ) -> ValidationResult {
    if MediaRange(content.range)?.isRange != false {
      return .notValidated("`\(content.range)` does not define how an example is written")
    }
    var result = validation(of: bytes, content, direction)
    result.findings = result.findings.filter { $0.severity == .error }.map { finding in
      Diagnostic(.exampleSchema, finding.message, at: Location(start: node), notes: finding.notes)
    }
    result.checked = 1
    return result
  }

  private func validation(of bytes: [UInt8], _ content: MediaTypeObject, _ direction: Direction) -> ValidationResult {
    var result = ValidationResult()
    ContentValidator([content], specification, schemas, direction).validate(
      MessageBody(bytes, contentType: content.range, codings: []), ValidationOptions(), .unlimited,
      contract: content.node,
      into: &result)
    return result
  }

  /// Validates a value inside its schema, such as a default; it may fit requests or responses only.
  func validate(_ value: JSON, in node: JSON) -> ValidationResult {
    let schema = schemas.schema(at: node)
    let isValid =
      schema.accepts(value)
      || [Direction.request, .response].contains { schemas.schema(at: node, direction: $0).accepts(value) }
    return isValid ? .passed : failures(of: value, schema)
  }

  private func failures(of value: JSON, _ schema: Schema) -> ValidationResult {
    var result = ValidationResult()
    for failure in schema.failures(value, limit: Self.failureLimit, countsMore: true) {
      guard !failure.isNotValidated else {
        result.skip("", failure.message)
        continue
      }
      result.findings.append(
        Diagnostic(
          .exampleSchema, failure.message, at: failure.location, severity: failure.kind == .more ? .info : nil,
          notes: failure.schema.range == nil || failure.kind == .more
            ? [] : [Diagnostic.Note("the schema", at: Location(failure.schema))],
          help: failure.help))
    }
    result.checked = result.findings.isEmpty ? 0 : 1
    return result
  }
}

extension Example {
  /// The value as a header field has it; `nil` for an external one.
  fileprivate var fieldValue: String? {
    switch value {
    case .data(let value): HeaderText.simple(value, explode: false)
    case .serialized(let text): text
    case .external: nil
    }
  }
}

extension ValidationResult {
  fileprivate static var passed: Self {
    var result = Self()
    result.checked = 1
    return result
  }

  fileprivate static func failed(_ finding: Diagnostic) -> Self {
    var result = passed
    result.findings = [finding]
    return result
  }

  fileprivate static func notValidated(_ reason: String) -> Self {
    var result = Self()
    result.skip("", reason)
    return result
  }
}
