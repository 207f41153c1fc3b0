import JSONSchema

/// Validates the examples of a contract by the schemas beside them.
struct ExampleValidator: Sendable {
  let specification: Specification
  let schemas: SchemaLibrary

  /// Failures told of one example.
  private static let failureLimit = 10

  func validate(_ site: ExampleSite) -> ValidationResult {
    switch site.holder {
    case .parameter(let parameter): validate(site.example, of: parameter)
    case .content(let content, let direction): validate(site.example, of: content, direction)
    }
  }

  // MARK: - Parameters and headers

  private func validate(_ example: Example, of parameter: Parameter) -> ValidationResult {
    guard let node = parameter.schema else { return ValidationResult() }
    let schema = schemas.schema(at: node, direction: .either)
    let decoder = ParameterDecoder(parameter, specification: specification, schemas: schemas)
    /// The text on the wire: its value, or with its name as a query holds it.
    func fits(_ text: String) -> Bool {
      for isEncoded in [false, true] {
        let decoded = decoder.decode(ParameterInput(parameter, text: text, isEncoded: isEncoded))
        if decoded.readings.contains(where: schema.accepts) { return true }
      }
      guard parameter.location == .query else { return false }
      return decoder.decode(ParameterInput(target: "/?" + text)).readings.contains(where: schema.accepts)
    }
    switch example.value {
    case .external: return ValidationResult()
    case .serialized(let text):
      if fits(text) { return .passed }
      return .failed(
        Diagnostic(
          .exampleSchema, "read from the wire, the example does not fit its schema", at: example.node,
          notes: [Diagnostic.Note("the schema", at: Location(start: node))]))
    case .data(let value):
      let isScalar = !value.isObject && !value.isArray && !value.isNull
      if schema.accepts(value) || (isScalar && fits(value.isString ? value.text : JSONWriter.text(value))) {
        return .passed
      }
      return failures(of: value, schema)
    }
  }

  // MARK: - Bodies

  private func validate(_ example: Example, of content: MediaTypeObject, _ direction: Direction) -> ValidationResult {
    guard content.schema != nil || content.itemSchema != nil else { return ValidationResult() }
    switch example.value {
    case .data(let value): return validate(value, of: content, direction)
    case .serialized(let text): return told(Array(text.utf8), at: example.node, of: content, direction)
    case .external(let reference):
      guard let path = example.externalPath else {
        return .notValidated("`\(reference)` is on another machine")
      }
      // A file that is not there is the linter's finding.
      guard FileSystem.exists(path) else { return ValidationResult() }
      do {
        return told(try FileSystem.read(path, onlyRegular: true).bytes, at: example.node, of: content, direction)
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

  /// In media types that are no JSON a value may be the text itself (OAS 3.1, "Working With Examples").
  private func fitsAsText(_ value: JSON, _ content: MediaTypeObject, _ direction: Direction) -> Bool {
    guard let range = MediaRange(content.range), range.syntax != .json else { return false }
    if range.isRange {
      // It could be any type; JSON is what it is most often.
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

  /// Findings on bytes as they would travel; they have no places of their own.
  private func told(
    _ bytes: [UInt8], at node: JSON, of content: MediaTypeObject, _ direction: Direction
  ) -> ValidationResult {
    if MediaRange(content.range)?.isRange != false {
      return .notValidated("`\(content.range)` does not say how an example is written")
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
      MessageBody(bytes, contentType: content.range, codings: []), ValidationOptions(), contract: content.node,
      into: &result)
    return result
  }

  // MARK: - Schemas

  /// A value that stands in the schema it belongs to.
  func validate(_ value: JSON, in node: JSON) -> ValidationResult {
    let schema = schemas.schema(at: node)
    if schema.accepts(value) { return .passed }
    // A value that a schema shows may be one that is sent or one that comes.
    for direction in [Direction.request, .response] where schemas.schema(at: node, direction: direction).accepts(value)
    {
      return .passed
    }
    return failures(of: value, schema)
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

/// What comes of one example; nothing is checked where there is no schema to hold it against.
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
