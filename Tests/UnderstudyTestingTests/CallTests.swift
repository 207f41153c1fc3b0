import UnderstudySchema
import UnderstudyTestSupport
import UnderstudyTesting

/// The values of a request as its contract types them.
struct CallTests {
  private static let contract = """
    openapi: 3.1.0
    info: {title: Shops, version: "1"}
    paths:
      /shops/{ids}:
        post:
          operationId: search
          parameters:
            - {name: ids, in: path, required: true, schema: {type: array, items: {type: integer}}}
            - {name: tag, in: query, schema: {type: array, items: {type: string}}}
            - name: filter
              in: query
              style: deepObject
              explode: true
              schema: {type: object, properties: {open: {type: boolean}, lat: {type: number}}}
            - {name: zip, in: query, schema: {type: string}}
            - {name: size, in: query, schema: {anyOf: [{type: string, pattern: "^[0-9]+x$"}, {type: integer}]}}
            - {name: X-Page, in: header, schema: {type: integer}}
          requestBody:
            content:
              application/json: {schema: {}}
              application/x-www-form-urlencoded:
                schema:
                  type: object
                  properties: {lat: {type: number}, names: {type: array, items: {type: string}}}
          responses: {"200": {description: Done}}

    """

  /// The call of one request.
  private static func call(
    _ target: String, _ fields: String = "", body: String? = nil
  ) async throws -> Call {
    let folder = try TemporaryFolder(["shops.yaml": contract])
    let api = try await Understudy.start("\(folder.path)/shops.yaml") { _ in }
    try send("POST", target, fields, body: body, to: api)
    try await api.stop()
    return try #require(api.calls.first)
  }

  @Test func `parameters are split by their style and typed by their schema`() async throws {
    let call = try await Self.call(
      "/shops/1,2?tag=a&tag=b%20c&filter%5Bopen%5D=true&filter%5Blat%5D=37.5&zip=007&size=12", "X-Page: 3\r\n")
    #expect(call.findings == [])
    let ids: JSON = [1, 2]
    let tags: JSON = ["a", "b c"]
    let filter: JSON = ["open": true, "lat": 37.5]
    #expect(call.value("ids") == ids && call.value("tag") == tags && call.value("filter") == filter)
    #expect(call.value("zip") == "007")
    #expect(call.value("size") == 12)
    // Names of header fields have no case.
    #expect(call.value("x-page") == 3)
    // The texts stay.
    #expect(call.parameter("ids") == "1,2" && call.parameter("tag") == "a" && call.parameters("tag") == ["a", "b c"])
  }

  @Test func `a parameter that is absent, undeclared or not of its schema has no value`() async throws {
    let call = try await Self.call("/shops/a?other=1")
    for name in ["ids", "tag", "other"] { #expect(call.value(name)?.description == nil, "\(name)") }
    #expect(call.parameter("ids") == "a" && call.parameter("other") == "1")
    #expect(call.findings.contains { $0.rule == "req.param.schema" && $0.location == "/path/ids" })
  }

  @Test(
    arguments: [
      ("application/x-www-form-urlencoded", "lat=37.5&names=a&names=b", #"{"lat":37.5,"names":["a","b"]}"#),
      ("application/json", #"{"lat": [1, null]}"#, #"{"lat":[1,null]}"#), ("application/json", "{", nil),
      ("text/csv", "a", nil),
    ] as [(String, String, String?)])
  func `a body is typed by its media type and schema`(type: String, body: String, value: String?) async throws {
    let call = try await Self.call("/shops/1", "Content-Type: \(type)\r\n", body: body)
    #expect(call.bodyValue?.description == value)
    #expect(call.text == body)
  }

  @Test func `without a body there is no value of it`() async throws {
    #expect(try await Self.call("/shops/1").bodyValue?.description == nil)
  }
}
