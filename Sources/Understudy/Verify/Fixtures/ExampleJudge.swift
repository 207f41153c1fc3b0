import JSONSchema
import SourceText

/// Judges the examples of a contract by the schemas beside them.
struct ExampleJudge: Sendable {
  let specification: Specification
  let schemas: SchemaLibrary

  /// What came of one example; `nil` findings where there was nothing to hold it against.
  struct Verdict {
    var findings: [Diagnostic]? = []
    var notJudged: [String] = []
  }

  /// Failures told of one example.
  private static let failureLimit = 10

  func verdict(on site: ExampleSite) -> Verdict {
    switch site.holder {
    case .parameter(let parameter): verdict(site.example, of: parameter)
    case .content(let content, let direction): verdict(site.example, of: content, direction)
    }
  }

  // MARK: - Parameters and headers

  private func verdict(_ example: Example, of parameter: Parameter) -> Verdict {
    guard let node = parameter.schema else { return Verdict(findings: nil) }
    let schema = schemas.schema(at: node, direction: .either)
    let decoder = ParameterDecoder(parameter, specification: specification, resolve: schemas.target(ofReference:))
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
    case .external: return Verdict(findings: nil)
    case .serialized(let text):
      if fits(text) { return Verdict() }
      return Verdict(findings: [
        Diagnostic(
          .exampleSchema, "read from the wire, the example does not fit its schema", at: example.node,
          notes: [Diagnostic.Note("the schema", at: Location(start: node))])
      ])
    case .data(let value):
      let isScalar = !value.isObject && !value.isArray && !value.isNull
      if schema.accepts(value) || (isScalar && fits(value.isString ? value.text : JSONWriter.text(value))) {
        return Verdict()
      }
      return failures(of: value, schema)
    }
  }

  // MARK: - Bodies

  private func verdict(_ example: Example, of content: MediaTypeObject, _ direction: Direction) -> Verdict {
    guard content.schema != nil || content.itemSchema != nil else { return Verdict(findings: nil) }
    switch example.value {
    case .data(let value): return verdict(value, of: content, direction)
    case .serialized(let text): return told(Array(text.utf8), at: example.node, of: content, direction)
    case .external(let reference):
      guard let path = example.externalPath else {
        return Verdict(findings: nil, notJudged: ["`\(reference)` is on another machine"])
      }
      // A file that is not there is the linter's finding.
      guard FileSystem.exists(path) else { return Verdict(findings: nil) }
      do {
        return told(try FileSystem.read(path, onlyRegular: true).bytes, at: example.node, of: content, direction)
      } catch {
        let place = example.node["externalValue"] ?? example.node
        return Verdict(findings: [Diagnostic(.exampleExternal, error.message, at: place)])
      }
    }
  }

  private func verdict(_ value: JSON, of content: MediaTypeObject, _ direction: Direction) -> Verdict {
    var verdict = Verdict()
    if let node = content.schema {
      let schema = schemas.schema(at: node, direction: direction)
      if !schema.accepts(value) {
        if value.isString, fitsAsText(value, content, direction) { return Verdict() }
        verdict = failures(of: value, schema)
        if isTextOfJSON(value, schema) {
          let help = "this is JSON inside a string: write it as data"
          verdict.findings = verdict.findings?.prefix(1).map { finding in
            var finding = finding
            finding.help = help
            return finding
          }
        }
      }
    }
    // `schema` judges the whole, `itemSchema` each item (OAS 3.2, 4.14.3.1).
    if let node = content.itemSchema {
      let schema = schemas.schema(at: node, direction: direction)
      if value.isString, fitsAsText(value, content, direction) { return verdict }
      for element in value.isArray ? Array(value.elements) : [value] where !schema.accepts(element) {
        let more = failures(of: element, schema)
        verdict.findings = (verdict.findings ?? []) + (more.findings ?? [])
        verdict.notJudged += more.notJudged
      }
    }
    return verdict
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
    return judgement(of: Array(value.text.utf8), content, direction).isValid
  }

  private func isTextOfJSON(_ value: JSON, _ schema: Schema) -> Bool {
    guard value.isString, let document = try? JSONParser.parse(Array(value.text.utf8)) else { return false }
    return schema.accepts(document.root)
  }

  /// Findings on bytes as they would travel; they have no places of their own.
  private func told(_ bytes: [UInt8], at node: JSON, of content: MediaTypeObject, _ direction: Direction) -> Verdict {
    if MediaRange(content.range)?.isRange != false {
      return Verdict(findings: nil, notJudged: ["`\(content.range)` does not say how an example is written"])
    }
    let judgement = judgement(of: bytes, content, direction)
    return Verdict(
      findings: judgement.findings.map(\.diagnostic).filter { $0.severity == .error }.map { finding in
        Diagnostic(.exampleSchema, finding.message, at: Location(start: node), notes: finding.notes)
      }, notJudged: judgement.notJudged.map(\.reason))
  }

  private func judgement(of bytes: [UInt8], _ content: MediaTypeObject, _ direction: Direction) -> Judgement {
    var judgement = Judgement()
    ContentJudge([content], specification, schemas, direction).judge(
      MessageBody(bytes, contentType: content.range, codings: []), JudgeOptions(), contract: content.node,
      into: &judgement)
    return judgement
  }

  // MARK: - Schemas

  /// A value that stands in the schema it belongs to.
  func verdict(on value: JSON, in node: JSON) -> Verdict {
    let schema = schemas.schema(at: node)
    if schema.accepts(value) { return Verdict() }
    // A value that a schema shows may be one that is sent or one that comes.
    for direction in [Direction.request, .response] where schemas.schema(at: node, direction: direction).accepts(value)
    {
      return Verdict()
    }
    return failures(of: value, schema)
  }

  private func failures(of value: JSON, _ schema: Schema) -> Verdict {
    var verdict = Verdict()
    for failure in schema.failures(value, limit: Self.failureLimit, tellsMore: true) {
      guard !failure.isNotJudged else {
        verdict.notJudged.append(failure.message)
        continue
      }
      verdict.findings?.append(
        Diagnostic(
          .exampleSchema, failure.message, at: failure.location, severity: failure.kind == .more ? .info : nil,
          notes: failure.schema.range == nil || failure.kind == .more
            ? [] : [Diagnostic.Note("the schema", at: Location(failure.schema))],
          help: failure.help))
    }
    if verdict.findings?.isEmpty == true { verdict.findings = nil }
    return verdict
  }
}
