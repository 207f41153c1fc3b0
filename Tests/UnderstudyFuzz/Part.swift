import HTTPTypes
import UnderstudySchema
import UnderstudyVerification

/// The parts of the program that read what strangers write. The order is that of the seeds' first bytes.
enum Part: CaseIterable {
  case json
  case yaml
  case description
  case schema
  case pattern
  case wire

  func run(_ bytes: [UInt8]) {
    switch self {
    case .json: Self.readJSON(bytes)
    case .yaml: _ = try? YAMLReader.parse(SourceFile(path: "text.yaml", bytes: bytes))
    case .description: Self.readDescription(bytes)
    case .schema: Self.validate(bytes)
    case .pattern: Self.match(bytes)
    case .wire: Self.decode(bytes)
    }
  }

  /// What was read is written and read again; the two must be equal.
  private static func readJSON(_ bytes: [UInt8]) {
    guard let document = try? JSONParser.parse(bytes), document.duplicates.isEmpty else { return }
    let again = try? JSONParser.parse(JSONWriter.bytes(document.root))
    precondition(again?.root == document.root, "written otherwise than read")
  }

  private static func readDescription(_ bytes: [UInt8]) {
    let store = DocumentStore(load: { path in
      guard path == "api.yaml" else { return .failure(.unreadable("no such file")) }
      let source = SourceFile(path: path, bytes: bytes)
      do throws(TextProblem) {
        return .success(try TextDocument.read(source))
      } catch {
        return .failure(.unparsable(error, source))
      }
    })
    guard let api = OpenAPIReader.read("api.yaml", from: store).api else { return }
    let printer = DiagnosticPrinter(style: .plain)
    for diagnostic in Linter.lint(api, options: .init(patternProblem: Pattern.problem)) { _ = printer.text(diagnostic) }
    let library = SchemaLibrary(of: api, store)
    for operation in api.operations {
      for response in operation.responses {
        for content in response.content {
          if let schema = content.schema { check(library, schema) }
        }
      }
    }
  }

  /// An array of a dialect's number, a schema and instances.
  private static func validate(_ bytes: [UInt8]) {
    guard let root = try? JSONParser.parse(SourceFile(path: "schema.json", bytes: bytes)).root else { return }
    let dialects: [Dialect] = [
      .draft4, .draft6, .draft7, .draft2019, .draft2020, .openAPI31, .openAPI30, .swagger2,
    ]
    let number = root[0]?.int ?? 4
    guard let node = root[1] else { return }
    let library = SchemaLibrary(
      dialect: dialects[abs(number % dialects.count)], assertsFormats: number < 0 ? .always : .byDefaultTable,
      assertsContent: true)
    let schema = library.schema(at: node)
    for instance in root.elements.dropFirst(2) {
      precondition(schema.accepts(instance) == schema.failures(instance).isEmpty, "the two verdicts differ")
    }
    check(library, node)
  }

  private static func check(_ library: SchemaLibrary, _ node: JSON) {
    let schema = library.schema(at: node)
    for seed in ["0", "1"] {
      let generator = SampleGenerator(schemas: library, seed: seed)
      guard let sample = generator.sample(of: node, direction: .either) else {
        precondition(generator.conflict(of: node) != nil, "no sample, and no reason")
        return
      }
      precondition(schema.accepts(sample), "a sample that does not fit")
      for invalid in generator.invalidSamples(of: node, direction: .either).prefix(20) {
        precondition(!schema.accepts(invalid.value), "an invalid sample that fits")
      }
    }
  }

  /// A pattern, a line break, and a text.
  private static func match(_ bytes: [UInt8]) {
    let parts = bytes.split(separator: 10, maxSplits: 1, omittingEmptySubsequences: false)
    let text = String(decoding: parts[0], as: UTF8.self)
    guard let pattern = try? Pattern(ecma: text) else { return }
    _ = pattern.matches(parts.count > 1 ? String(decoding: parts[1], as: UTF8.self) : "")
    check(SchemaLibrary(dialect: .draft2020), ["type": "string", "pattern": .string(text)])
  }

  /// A target, a cookie and a body on lines of their own, through every style of every version.
  private static func decode(_ bytes: [UInt8]) {
    let lines = bytes.split(separator: 10, maxSplits: 3, omittingEmptySubsequences: false)
    func line(_ number: Int) -> String {
      number < lines.count ? String(decoding: lines[number], as: UTF8.self) : ""
    }
    let target = "/" + line(0)
    let reference = URIReference(line(0))
    _ = reference.resolved(against: URIReference(line(1))).description
    _ = Router([RouterEntry(operationIndex: 0, method: "GET", template: line(1), basePaths: [""])]).route("GET", target)
    var fields = HTTPFields()
    for name in [HTTPField.Name.cookie, .accept, .authorization] {
      fields.append(HTTPField(name: name, value: line(1)))
    }
    let input = ParameterInput(target: target, fields: fields, captures: [("c", 1..<target.utf8.count)])
    let schemas = SchemaLibrary(dialect: .openAPI31)
    let types: [JSON] = [
      ["type": "integer"], ["type": "array", "items": ["type": "integer"]],
      ["type": "object", "properties": ["a": ["type": "array"]]],
    ]
    let styles: [Parameter.Style] = [
      .matrix, .label, .simple, .form, .spaceDelimited, .pipeDelimited, .deepObject, .cookie, .tabDelimited,
    ]
    for type in types {
      for style in styles {
        let parameters = [Parameter.Location.path, .query, .header, .cookie, .querystring].map {
          Parameter("c", in: $0, isRequired: true, style: style, explode: true, schema: type)
        }
        _ = OperationParameters(parameters, specification: .openAPI31, schemas: schemas).decode(input)
      }
      let content = ["multipart/form-data", "application/x-www-form-urlencoded", "application/json"]
      let decoder = BodyDecoder(
        content.map { MediaTypeObject($0, schema: type) }, specification: .openAPI31, schemas: schemas)
      let body = lines.count > 3 ? Array(lines[3]) : bytes
      for name in content { _ = decoder.decode(body, contentType: name + "; boundary=" + line(2)) }
    }
    _ = Preferences(fields, query: Query(of: target))
    _ = Negotiation.choose(accept: [line(1)], among: [])
  }
}
