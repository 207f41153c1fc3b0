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
  ) async throws -> (lane: Lane, call: Call) {
    let folder = try TemporaryFolder(["shops.yaml": contract])
    let lane = try await Lane.open(on: .start("\(folder.path)/shops.yaml"))
    try send("POST", target, fields, body: body, to: lane)
    let call = try #require(try await lane.calls().first)
    try await lane.close(checking: false)
    return (lane, call)
  }

  @Test func `parameters are split by their style and typed by their schema`() async throws {
    let (lane, call) = try await Self.call(
      "/shops/1,2?tag=a&tag=b%20c&filter%5Bopen%5D=true&filter%5Blat%5D=37.5&zip=007&size=12", "X-Page: 3\r\n")
    #expect(call.findings == [])
    let ids: JSONValue = [1, 2]
    let tags: JSONValue = ["a", "b c"]
    let filter: JSONValue = ["open": true, "lat": 37.5]
    #expect(
      lane.value("ids", of: call) == ids && lane.value("tag", of: call) == tags
        && lane.value("filter", of: call) == filter)
    #expect(lane.value("zip", of: call) == "007")
    #expect(lane.value("size", of: call) == 12)
    // Names of header fields have no case.
    #expect(lane.value("x-page", of: call) == 3)
    // The texts stay.
    #expect(call.parameter("ids") == "1,2" && call.parameter("tag") == "a" && call.parameters("tag") == ["a", "b c"])
  }

  @Test func `a parameter that is absent, undeclared or not of its schema has no value`() async throws {
    let (lane, call) = try await Self.call("/shops/a?other=1")
    for name in ["ids", "tag", "other"] { #expect(lane.value(name, of: call) == nil, "\(name)") }
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
    let (lane, call) = try await Self.call("/shops/1", "Content-Type: \(type)\r\n", body: body)
    #expect(lane.body(of: call)?.text == value)
    #expect(call.text == body)
  }

  @Test func `without a body there is no value of it`() async throws {
    let (lane, call) = try await Self.call("/shops/1")
    #expect(lane.body(of: call) == nil)
  }
}
