import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyTestSupport

struct ResponseSelectionTests {
  private static let contract = """
    openapi: 3.1.0
    info: {title: Things, version: "1"}
    paths:
      /thing:
        get:
          operationId: readThing
          responses:
            "202": {description: Later.}
            "200":
              description: The thing.
              headers: {X-Left: {schema: {type: integer}, example: 3}}
              content:
                application/json:
                  schema: {type: object, required: [n], properties: {n: {const: 7}}}
                  example: {n: 1}
                application/xml: {schema: {type: string}, example: <n>1</n>}
                text/csv: {schema: {const: "n"}}
            "4XX": {description: Your fault., content: {text/plain: {schema: {const: no}}}}
            default: {description: Anything., content: {application/json: {schema: {const: {any: thing}}}}}

    """

  @Test func `the lowest documented 2xx answers, by its fixture, else its example, else a sample`() throws {
    try ContractFixture(Self.contract).withMock { mock in
      #expect(mock.send("/thing").reason == "example readThing/200")
      #expect(mock.send("/thing").text == "{\"n\":1}")
      #expect(mock.send("/thing").header("X-Left") == "3")
      #expect(mock.send("/thing", ["Accept": "text/csv"]).text == "n")
      #expect(mock.send("/thing?__code=202").reason == "contract readThing/202 (preferred)")
    }
    try ContractFixture(Self.contract, fixtures: ["readThing/200.json": "{}", "readThing/201.json": "{}"]).withMock {
      mock in
      #expect(mock.send("/thing").reason == "fixture readThing/200")
      // A type that no fixture has may still be in the contract.
      #expect(mock.send("/thing", ["Accept": "application/xml"]).text == "<n>1</n>")
    }
  }

  private static let counted = """
    openapi: 3.1.0
    info: {title: Counted, version: "1"}
    paths:
      /things:
        get:
          operationId: listThings
          responses:
            "200":
              description: All.
              headers:
                X-Total: {required: true, schema: {type: integer}, example: 3}
                X-Left: {schema: {type: integer}, example: 1}
              content: {application/json: {schema: {type: array}}}

    """

  @Test(arguments: [
    ("200.json", "[]", "3"), ("200.yaml", "body: []\n", "3"), ("200.yaml", "headers: {x-total: 9}\nbody: []\n", "9"),
    ("200.yaml", "text: \"[]\"\ntemplate: true\ncontentType: application/json\n", "3"),
    ("200.yaml", "body: []\nviolates: [resp.header.missing]\n", nil),
  ])
  func `a fixture has the headers that the contract requires, unless it leaves them out on purpose`(
    file: String, text: String, total: String?
  ) throws {
    try ContractFixture(Self.counted, fixtures: ["listThings/\(file)": text]).withMock { mock in
      let reply = mock.send("/things")
      #expect(reply.reason == "fixture listThings/200")
      #expect(reply.text == "[]")
      #expect(reply.header("X-Total") == total)
      #expect(reply.header("X-Left") == nil)
    }
  }

  @Test func `an operation without statuses is reported as such`() throws {
    let bare = Self.counted.split(separator: "      responses:").first.map(String.init) ?? ""
    try ContractFixture(bare).withMock { mock in
      #expect(
        mock.send("/things", ["Prefer": "code=404"]).diagnostics.compactMap(\.help) == [
          "it has no status; any other status needs a fixture: listThings/404.yaml"
        ])
    }
  }

  @Test func `a sample is asked for, and the same seed gives the same bytes`() throws {
    try ContractFixture(Self.contract, fixtures: ["readThing/200.json": "{}"]).withMock { mock in
      #expect(mock.send("/thing", ["Prefer": "dynamic=true"]).text == "{\"n\":7}")
      let seeded = mock.send("/thing", ["Prefer": "dynamic=true, seed=5"])
      #expect(seeded.reason == "sample readThing/200")
      #expect(seeded.body == mock.send("/thing?__dynamic=true&__seed=5").body)
    }
    try ContractFixture(Self.contract, fixtures: ["readThing/200.json": "{}"]).withMock {
      $0.isDynamic = true
    } _: { mock in
      #expect(mock.send("/thing").text == "{\"n\":7}")
      #expect(mock.send("/thing", ["Prefer": "dynamic=false"]).text == "{}")
    }
  }

  @Test(arguments: [
    (404, "sample readThing/4XX", "no"), (503, "sample readThing/default", "{\"any\":\"thing\"}"),
    (200, "example readThing/200", "{\"n\":1}"),
  ])
  func `an exact status counts before its range, that before default`(code: Int, reason: String, body: String) throws {
    try ContractFixture(Self.contract).withMock { mock in
      let reply = mock.send("/thing", ["Prefer": "code=\(code)"])
      #expect(reply.status == code)
      #expect(reply.reason == reason + " (preferred)")
      #expect(reply.text == body)
    }
  }

  @Test func `a fixture of a range answers with the status that was asked for`() throws {
    try ContractFixture(Self.contract, fixtures: ["readThing/4XX.txt": "never", "readThing/default.json": "{}"])
      .withMock { mock in
        let reply = mock.send("/thing", ["Prefer": "code=451"])
        #expect(reply.status == 451)
        #expect(reply.text == "never")
        #expect(mock.send("/thing", ["Prefer": "code=500"]).reason == "fixture readThing/default (preferred)")
      }
  }

  @Test(arguments: [
    ("application/json", 200, "application/json"), ("text/*;q=0.5, application/xml", 200, "application/xml"),
    ("text/csv, */*;q=0.1", 200, "text/csv"), ("*/*", 200, "application/json"), ("image/png", 200, "application/json"),
    ("application/json;q=0, */*", 200, "application/xml"),
  ])
  func `the client's Accept is met, or answered as if it was absent`(
    accept: String, status: Int, type: String
  ) throws {
    try ContractFixture(Self.contract).withMock { mock in
      let reply = mock.send("/thing", ["Accept": accept])
      #expect(reply.status == status)
      #expect(reply.header("Content-Type") == type)
      // The example of the contract breaks its schema.
      #expect(reply.rules.filter { !$0.hasPrefix("resp.") } == (accept == "image/png" ? ["req.accept.unmet"] : []))
    }
  }

  @Test func `a name is sought in the success status first, then in the others in their order`() throws {
    let files = [
      "readThing/404.same.txt": "404", "readThing/200.same.json": "200", "readThing/410.only.txt": "410",
      "readThing/409.only.txt": "409",
    ]
    try ContractFixture(Self.contract, fixtures: files).withMock { mock in
      #expect(mock.send("/thing", ["Prefer": "example=same"]).text == "200")
      #expect(mock.send("/thing", ["Prefer": "example=only"]).text == "409")
      #expect(mock.send("/thing", ["Prefer": "code=404, example=same"]).text == "404")
    }
  }

  @Test(arguments: [
    ("code=200, example=smae", "readThing/200 has no fixture and no example called `smae`", "did you mean `same`?"),
    ("example=nobody", "readThing has no fixture and no example called `nobody`", "known: 200.same"),
    (
      "code=202, example=a", "readThing/202 has no fixture and no example called `a`",
      "this status has only its default"
    ),
    ("code=wat", "readThing has no status and no meaning `wat`", "it has 202, 200, 4XX, default"),
    (
      "code=1000", "`Prefer: code=1000` is not a status",
      "expected three digits from 100 to 599, or the meaning of a response"
    ),
  ])
  func `a preference that cannot be met is refused, never replaced`(
    prefer: String, message: String, help: String
  ) throws {
    try ContractFixture(Self.contract, fixtures: ["readThing/200.same.json": "{}"]).withMock { mock in
      let reply = mock.send("/thing", ["Prefer": prefer])
      #expect(reply.status == 422)
      #expect(reply.header("Content-Type") == "application/problem+json")
      #expect(reply.rules == ["req.preference.unmet"])
      #expect(reply.diagnostics.first?.message.hasPrefix(message) == true)
      #expect(reply.diagnostics.first?.help == help)
    }
  }

  @Test(arguments: ["-12", "+12", "-99", "000", "099", "600", "999", "1e2", "12"])
  func `a text that is not a status is refused in every form, although the contract has a default`(text: String) throws
  {
    let encoded = text.replacing("+", with: "%2B")
    try ContractFixture(Self.contract).withMock { mock in
      #expect(mock.send("/thing", ["Prefer": "code=\(text)"]).status == 422)
      #expect(mock.send("/thing", ["x-mock-response-code": text]).status == 422)
      #expect(mock.send("/thing?__code=\(encoded)").status == 422)
    }
    try ContractFixture(Self.contract).withMock {
      $0.forced = ["readThing=\(text)", "*=\(text)", "*=\(text).x"].compactMap { ForcingRule($0) }
    } _: { mock in
      #expect(mock.diagnostics.map(\.rule) == [.configInvalid, .configInvalid, .configInvalid])
      #expect(mock.send("/thing").status == 200)
    }
  }

  @Test func `a body that must not be is sent for a fixture of a range as well`() throws {
    let fixture = "text: illegal\nviolates: [resp.body.unexpected]\n"
    try ContractFixture(Self.contract, fixtures: ["readThing/2XX.x.yaml": fixture]).withMock { mock in
      let reply = mock.send("/thing", ["Prefer": "code=204, example=x"])
      #expect(reply.status == 204)
      guard case .prepared(let prepared) = reply.content else {
        Issue.record("expected a body that is forced")
        return
      }
      #expect(prepared.forcesBody && prepared.body == Array("illegal".utf8))
    }
  }

  @Test func `a preference in the query that cannot be met is reported there`() throws {
    try ContractFixture(Self.contract).withMock { mock in
      func pointers(_ target: String) -> [String?] { mock.send(target).diagnostics.map(\.location?.pointer) }
      #expect(pointers("/thing?__code=wat") == ["/query/__code"])
      #expect(pointers("/thing?__code=200&__example=none") == ["/query/__example"])
      #expect(pointers("/thing?__dynamic=1") == ["/query/__dynamic"])
    }
  }

  @Test(arguments: [
    ("application/x-ndjson", "{itemSchema: {const: {n: 1}}}", "{\"n\":1}\n{\"n\":1}\n"),
    ("application/x-ndjson", "{itemSchema: {const: 7}, schema: {maxItems: 1}}", "7\n"),
    ("application/json-seq", "{itemSchema: {const: 7}, schema: {minItems: 1}}", "\u{1E}7\n\u{1E}7\n"),
    (
      "text/event-stream",
      "{itemSchema: {required: [event, data], properties: {event: {const: tick}, data: {const: \"a\\nb\"}}}}",
      "event: tick\ndata: a\ndata: b\n\nevent: tick\ndata: a\ndata: b\n\n"
    ),
    (
      "text/event-stream", "{itemSchema: {type: object}, example: [{data: {n: 1}, id: 3}, {data: \"\", retry: 9}]}",
      "id: 3\ndata: {\"n\":1}\n\nretry: 9\ndata: \n\n"
    ),
  ])
  func `a sequence has items as itemSchema wants them`(type: String, media: String, body: String) throws {
    let contract = """
      openapi: 3.2.0
      info: {title: Ticks, version: "1"}
      paths:
        /ticks: {get: {operationId: ticks, responses: {"200": {description: Ticks., content: {\(type): \(media)}}}}}

      """
    try ContractFixture(contract).withMock { mock in
      #expect(mock.send("/ticks").text == body)
      let validator = mock.operations[0].compiled.responseValidator
      let request = HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: "/ticks")
      let view = RequestView(request: request, target: "/ticks", captures: [], body: [])
      let reply = mock.send("/ticks", ["Prefer": "dynamic=true, seed=4"])
      let response = HTTPResponse(status: 200, headerFields: [.contentType: reply.header("Content-Type") ?? ""])
      #expect(validator.validate(ResponseView(response, body: reply.body, to: view)).places == [])
    }
  }

  @Test func `a type that cannot be written gives way to the next one`() throws {
    let contract = """
      openapi: 3.0.3
      info: {title: Files, version: "1"}
      paths:
        /file:
          get:
            operationId: readFile
            responses:
              "200":
                description: The file.
                content:
                  application/vnd.example.object: {example: {n: 1}}
                  application/json: {example: {n: 2}}

      """
    try ContractFixture(contract).withMock { mock in
      #expect(mock.send("/file").text == "{\"n\":2}")
      #expect(mock.send("/file", ["Accept": "*/*"]).header("Content-Type") == "application/json")
      // If the client accepts nothing else, the JSON is sent under the type it asks for.
      let reply = mock.send("/file", ["Accept": "application/vnd.example.object"])
      #expect(reply.header("Content-Type") == "application/vnd.example.object")
      #expect(reply.text == "{\"n\":1}")
    }
  }

  @Test func `in Swagger 2-0 an error is JSON where the operation produces archives`() throws {
    let contract = """
      swagger: "2.0"
      info: {title: Archives, version: "1"}
      paths:
        /archive:
          get:
            operationId: readArchive
            produces: [application/x-tar]
            parameters: [{name: path, in: query, required: true, type: string}]
            responses:
              200: {description: The archive., schema: {type: string, format: binary}}
              400: {description: Which?, schema: {required: [message], properties: {message: {type: string}}}}

      """
    try ContractFixture(contract).withMock { mock in
      #expect(mock.send("/archive?path=a").header("Content-Type") == "application/x-tar")
      let refusal = mock.send("/archive")
      #expect(refusal.status == 400)
      #expect(refusal.header("Content-Type") == "application/x-tar")
      #expect(refusal.text == "{\"message\":\"A short message\"}")
    }
  }

  @Test func `a contract that only switches protocols has no final answer`() throws {
    let contract = """
      openapi: 3.1.0
      info: {title: Hijack, version: "1"}
      paths:
        /session:
          post:
            operationId: session
            responses: {"101": {description: Talk on.}, "400": {description: No.}}

      """
    try ContractFixture(contract).withMock { mock in
      #expect(mock.send(.post, "/session").reason == "problem 501 no final answer")
      #expect(mock.send(.post, "/session?__code=101").status == 422)
      #expect(mock.send(.post, "/session?__code=400").status == 400)
    }
  }
}
