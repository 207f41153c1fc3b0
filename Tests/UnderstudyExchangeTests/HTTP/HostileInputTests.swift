import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyTestSupport

/// Random input of the characters that the grammars care about: nothing may trap, and work may grow only with the input.
struct HostileInputTests {
  static let alphabet = Array("/%2F3fa=&[]{}.;,+ \t\r\n\"\\-x:c?#|_0\u{FF}".utf8)

  static func bytes(_ generator: inout RepeatableGenerator, upTo limit: Int) -> [UInt8] {
    (0..<Int.random(in: 0...limit, using: &generator)).map { _ in alphabet.randomElement(using: &generator) ?? 0 }
  }

  static func text(_ generator: inout RepeatableGenerator, upTo limit: Int) -> String {
    String(decoding: bytes(&generator, upTo: limit), as: UTF8.self)
  }

  @Test(arguments: 0..<8)
  func `random text is read or refused`(seed: Int) throws {
    var generator = RepeatableGenerator(state: UInt64(seed))
    let schemas: [JSON] = [
      [:], ["type": "integer"], ["type": "array", "items": ["type": "integer"]],
      ["type": "object", "properties": ["a": ["type": "array"]]], ["type": ["array", "object", "string", "null"]],
    ]
    let styles: [Parameter.Style] = [
      .matrix, .label, .simple, .form, .spaceDelimited, .pipeDelimited, .deepObject, .cookie, .tabDelimited,
    ]
    var seen = 0
    for round in 0..<120 {
      let target = "/" + Self.text(&generator, upTo: 60)
      let templates = (0..<4).map { _ in Self.text(&generator, upTo: 12) }
      let router = Router(
        templates.enumerated().map {
          RouterEntry(
            operationIndex: $0.offset, method: "GET", template: $0.element,
            basePaths: [Self.text(&generator, upTo: 4)])
        })
      _ = router.route("GET", target)
      var fields = HTTPFields()
      for name in ["c", "Cookie", "Accept", "Prefer", "Authorization", "x-mock-response-code"] {
        fields.append(HTTPField(name: try #require(HTTPField.Name(name)), value: Self.text(&generator, upTo: 30)))
      }
      let input = ParameterInput(target: target, fields: fields, captures: [("c", 1..<target.utf8.count)])
      let parameters = [Parameter.Location.path, .query, .header, .cookie, .querystring].map { location in
        Parameter(
          "c", in: location, isRequired: true, style: styles.randomElement(using: &generator),
          explode: Bool.random(using: &generator), schema: schemas[round % schemas.count])
      }
      for specification in Specification.allCases {
        let results = OperationParameters(parameters, specification: specification, schemas: .of(specification)).decode(
          input)
        seen += results.count
      }
      _ = Preferences(fields, query: Query(of: target))
      _ = Negotiation.choose(accept: fields.lines(named: "accept"), among: [])
      let body = Self.bytes(&generator, upTo: 200)
      let content = [
        "multipart/form-data", "application/x-www-form-urlencoded", "application/json", "application/jsonl",
        "application/xml", "text/event-stream", "application/json-seq", "text/plain; charset=utf-16",
      ]
      let decoder = BodyDecoder(
        content.map { MediaTypeObject($0, schema: schemas[round % schemas.count]) }, specification: .openAPI31,
        schemas: .of(.openAPI31)
      )
      for type in content { _ = decoder.decode(body, contentType: type + "; boundary=-") }
      let bracketed = Array("<a>".utf8) + body + Array("</a>".utf8)
      _ = decoder.decode(bracketed, contentType: "application/xml")
      for coding in ["gzip", "deflate", "br"] {
        _ = decoder.decode(body, contentType: "application/json", codings: [coding])
      }
      _ = TokenCheckTests.noon.check(String(decoding: body, as: UTF8.self))
      _ = BasePaths.from(Server(target, variables: [Server.Variable("a", default: "%", values: ["/", "//"])]))
      let schemes = [SecurityScheme("k", .apiKey(name: "c", in: .cookie)), SecurityScheme("b", .http(scheme: "basic"))]
      _ = SecurityCheck([SecurityRequirement(["k", "b"])], schemes: schemes).check(fields, input).sentence
    }
    #expect(seen > 0)
  }

  private static let object: JSON = ["type": "object", "additionalProperties": ["type": "string"]]

  @Test(arguments: [(Parameter.Style.form, "k#=#", 3_000), (.deepObject, "c[k#]=#", 0)])
  func `the names of a query are looked up once each`(style: Parameter.Style, pair: String, lookups: Int) throws {
    let target = "/?" + (0..<3_000).map { pair.replacing("#", with: "\($0)") }.joined(separator: "&")
    let parameter = Parameter("c", in: .query, style: style, explode: true, schema: Self.object)
    let decoder = ParameterDecoder(parameter, specification: .openAPI31, schemas: .of(.openAPI31))
    var steps = 0
    let decoded = decoder.decode(ParameterInput(target: target, fields: HTTPFields(), captures: [])) { _ in
      steps += 1
      return false
    }
    #expect(decoded.readings.first?.count == 3_000)
    #expect(steps == lookups)
  }

  @Test func `the fields of a form are written once each`() throws {
    let form = (0..<3_000).map { "k\($0)=\($0)" }.joined(separator: "&")
    let decoded = FormBodyTests.decode(form, Self.object)
    let object = try #require(decoded.readings.first)
    #expect(decoded.readings.count == 1 && object.count == 3_000)
    // The object, and a name and a value for each field.
    #expect(object.document.nodes.count == 6_001)
  }
}
