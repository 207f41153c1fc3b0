import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudySchema
import UnderstudyTestSupport

/// One API that is published in two versions of the specification: a request is right or wrong by both.
@Suite(.enabled(if: Corpora.isPresent, "skipped: no corpora"))
struct TwinDocumentTests {
  static let requestCount = 200

  static func validator(_ file: String) throws -> TextValidator {
    try TextValidator(Corpora.path("Bungie-net+api/\(file)"), from: DocumentStore())
  }

  @Test func `the same requests get the same verdict by OpenAPI 3-0 and Swagger 2-0`() throws {
    let new = try Self.validator("openapi.json")
    let old = try Self.validator("openapi-2.json")
    var count = 0
    var refused = 0
    for (position, operation) in new.contract.operations.enumerated() where count < Self.requestCount {
      for (request, body) in Self.requests(for: operation.operation, operation.schemas, seed: String(position % 7)) {
        guard let first = new.match(request, body: body), let second = old.match(request, body: body), first.isExact,
          second.isExact
        else {
          Issue.record("\(request.method) \(request.path ?? "") is in one document only")
          continue
        }
        // The older document leaves out every JSON body, so of those there is nothing to compare.
        let comparesBodies =
          first.operation.operation.requestBody == nil || second.operation.operation.requestBody != nil
        let mine = Self.verdict(first.operation.requestValidator.validation(of: first.view), comparesBodies)
        let theirs = Self.verdict(second.operation.requestValidator.validation(of: second.view), comparesBodies)
        #expect(mine == theirs, "\(request.method) \(request.path ?? "") \(String(decoding: body, as: UTF8.self))")
        count += 1
        refused += mine.isEmpty ? 0 : 1
      }
    }
    #expect(count >= Self.requestCount)
    // A verdict that never falls proves nothing.
    #expect(refused > 40 && refused < count - 40, "\(refused) of \(count) refused")
  }

  /// What makes a request wrong, and where.
  private static func verdict(_ validation: ValidationResult, _ comparesBodies: Bool) -> [String] {
    validation.findings.filter { $0.violation != nil }.map {
      "\($0.rule.id) \($0.location?.pointer ?? "")"
    }.filter { comparesBodies || !$0.contains(" /body") }.sorted()
  }

  /// A right request, and some that miss by one thing.
  private static func requests(
    for operation: Operation, _ schemas: SchemaLibrary, seed: String
  ) -> [(HTTPRequest, [UInt8])] {
    let generator = SampleGenerator(schemas: schemas, seed: seed)
    func sample(_ parameter: Parameter) -> String {
      parameter.schema.flatMap { generator.sample(of: $0, direction: .request) }.map {
        HeaderText.simple($0, explode: false)
      } ?? "x"
    }
    var path = operation.path
    for parameter in operation.parameters where parameter.location == .path {
      path = path.replacing("{\(parameter.name)}", with: PercentEncoding.encode(sample(parameter)))
    }
    let queries = operation.parameters.filter { $0.location == .query }
    var pairs = queries.map { "\($0.name)=\(PercentEncoding.encode(sample($0), keeping: ","))" }
    let schema = operation.requestBody?.content.first?.schema
    let body = schema.flatMap { generator.sample(of: $0, direction: .request) }.map { JSONWriter.bytes($0) } ?? []
    func request(_ pairs: [String], _ body: [UInt8], _ path: String, isKnown: Bool = true) -> (HTTPRequest, [UInt8]) {
      var fields = HTTPFields()
      if isKnown { fields.append(HTTPField(name: .init("X-API-Key") ?? .accept, value: "key")) }
      fields[.authorization] = isKnown ? "Bearer token" : nil
      if !body.isEmpty { fields[.contentType] = "application/json" }
      let target = pairs.isEmpty ? path : path + "?" + pairs.joined(separator: "&")
      let method = HTTPRequest.Method(rawValue: operation.method) ?? .get
      return (
        HTTPRequest(method: method, scheme: "https", authority: "localhost", path: target, headerFields: fields), body
      )
    }
    var result = [request(pairs, body, path), request(pairs, body, path, isKnown: false)]
    if let first = operation.parameters.first(where: { $0.location == .path }), let schema = first.schema,
      let miss = generator.invalidSamples(of: schema, direction: .request).first
    {
      let text = PercentEncoding.encode(HeaderText.simple(miss.value, explode: false))
      let wrong = operation.path.replacing("{\(first.name)}", with: text.isEmpty ? "%20" : text)
        .replacing(/\{[^}]*\}/, with: "1")
      result.append(request(pairs, body, wrong))
    }
    if let schema {
      for miss in generator.invalidSamples(of: schema, direction: .request).prefix(3) {
        result.append(request(pairs, JSONWriter.bytes(miss.value), path))
      }
      result.append(request(pairs, Array("{".utf8), path))
    }
    if !pairs.isEmpty {
      pairs[0] = (queries.first?.name ?? "") + "=%zz"
      result.append(request(pairs, body, path))
      result.append(request(["nobody=1"], body, path))
    }
    return result
  }
}
