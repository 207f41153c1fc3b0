import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyTestSupport

/// The callbacks that responses cause.
struct CallbackOrderTests {
  static let contract = """
    openapi: 3.1.0
    info: {title: Events, version: "1"}
    paths:
      /subscriptions/{id}:
        parameters:
          - {name: id, in: path, required: true, schema: {type: string}}
          - {name: back, in: query, schema: {type: string}}
          - {name: x-back, in: header, schema: {type: string}}
        post:
          operationId: subscribe
          requestBody:
            content:
              application/json: {schema: {type: object}}
              application/x-www-form-urlencoded: {schema: {type: object}}
          responses:
            "201":
              description: d
              headers: {X-Self: {required: true, schema: {const: "http://127.0.0.1/self"}}}
              content: {application/json: {schema: {type: object, required: [id], properties: {id: {const: 7}}}}}
            "400": {description: d}
          callbacks:
            onEvent:
              "URL":
                post:
                  requestBody:
                    content:
                      application/json:
                        schema: {type: object, required: [kind], properties: {kind: {enum: [made]}}}
                  responses:
                    "204": {description: d}
    webhooks:
      newPet:
        post:
          requestBody:
            content: {application/json: {example: {name: Rex}, schema: {type: object}}}
          responses:
            "200": {description: d, content: {application/json: {schema: {type: object, required: [ok]}}}}

    """

  static func mock(
    _ url: String = "{$request.body#/url}", fixtures: [String: String] = [:],
    configure: (inout Mock.Options) -> Void = { $0.sendsCallbacks = true }
  ) throws -> Mock {
    try ContractFixture(contract.replacing("URL", with: url), fixtures: fixtures).mock(configure: configure)
  }

  private static let json = ["Content-Type": "application/json", "x-back": "http://127.0.0.1/h"]

  @Test(arguments: [
    ("{$request.body#/url}", "http://127.0.0.1:1/a"), ("$request.body#/url", "http://127.0.0.1:1/a"),
    ("{$request.body#/url}/x?id={$response.body#/id}&s={$statusCode}", "http://127.0.0.1:1/a/x?id=7&s=201"),
    ("{$request.query.back}", "http://127.0.0.1/q"), ("{$request.header.X-Back}", "http://127.0.0.1/h"),
    ("http://127.0.0.1/{$request.path.id}/{$method}", "http://127.0.0.1/9/POST"),
    ("{$response.header.X-Self}", "http://127.0.0.1/self"), ("http://127.0.0.1:7/fixed", "http://127.0.0.1:7/fixed"),
    ("{$url}", "http://localhost/subscriptions/9?back=http://127.0.0.1/q"),
  ])
  func `the URL of a callback has the values of the exchange`(expression: String, url: String) throws {
    let reply = try Self.mock(expression).send(
      .post, "/subscriptions/9?back=http://127.0.0.1/q", Self.json, body: #"{"url": "http://127.0.0.1:1/a"}"#)
    #expect(reply.status == 201)
    #expect(reply.callbacks.map(\.url) == [url])
    #expect(reply.callbacks.map(\.operation.name) == ["subscribe.onEvent"])
    #expect(reply.notValidated.isEmpty)
  }

  @Test func `a form gives the URL by the name of its field`() throws {
    let reply = try Self.mock().send(.post, "/subscriptions/9", body: "url=http%3A%2F%2F127.0.0.1%2Fa")
    #expect(reply.callbacks.map(\.url) == ["http://127.0.0.1/a"])
  }

  @Test func `a request without the URL causes no callback, and the reason is named`() throws {
    let reply = try Self.mock().send(.post, "/subscriptions/9", Self.json, body: "{}")
    #expect(reply.callbacks.isEmpty)
    #expect(
      reply.notValidated.map(\.reason)
        == ["`subscribe.onEvent` is not sent: the exchange has no `$request.body#/url`"])
  }

  @Test func `an error, and a mock without the option, cause no callback`() throws {
    let body = #"{"url": "http://127.0.0.1:1/a"}"#
    let refused = try Self.mock().send(.post, "/subscriptions/9?__code=400", Self.json, body: body)
    #expect(refused.status == 400 && refused.callbacks.isEmpty)
    let silent = try Self.mock { _ in }.send(.post, "/subscriptions/9", Self.json, body: body)
    #expect(silent.status == 201 && silent.callbacks.isEmpty)
  }

  @Test func `callbacks that cause each other end`() throws {
    let via = Array(repeating: "1.1 understudy", count: 5).joined(separator: ", ")
    let reply = try Self.mock().send(
      .post, "/subscriptions/9", Self.json.merging(["Via": via]) { $1 }, body: #"{"url": "http://127.0.0.1:1/a"}"#)
    #expect(reply.callbacks.isEmpty)
    #expect(
      reply.notValidated.map(\.reason) == ["`subscribe.onEvent` is not sent: 5 callbacks have caused each other"])
  }

  @Test func `a callback that is declared and not sent is named with its reason`() throws {
    func unsent(_ mock: Mock) -> [String] { mock.unsentCallbacks.map { "\($0.names) \($0.reason)" } }
    let webhook = #"["newPet"] a webhook has no URL: `understudy ctl webhook` or a scenario sends it"#
    #expect(try unsent(Self.mock { _ in }) == [#"["subscribe.onEvent"] `--callbacks` is not given"#, webhook])
    #expect(try unsent(Self.mock()) == [webhook])
    #expect(
      try unsent(Self.mock("onEvent"))
        == [#"["subscribe.onEvent"] `onEvent` is neither a URL nor a runtime expression"#, webhook])
    #expect(
      try unsent(Self.mock { $0.upstream = Upstream("http://127.0.0.1:1") })
        == [#"["subscribe.onEvent"] the upstream sends its own callbacks"#, webhook])
    #expect(try ContractFixture(MockContract.notes).mock().unsentCallbacks.isEmpty)
  }

  @Test func `a scenario sends callbacks and webhooks after its responses`() throws {
    let scenario = """
      machine:
        states:
          new:
            on:
              subscribe:
                answer: 201
                to: made
                send: [subscribe.onEvent, {name: newPet, to: "http://127.0.0.1:9/{{request.path.id}}"}]
          made: {final: true, on: {subscribe: {answer: 400}}}

      """
    let mock = try Self.mock(fixtures: ["_scenarios/s.yaml": scenario]) { $0.scenario = "s" }
    #expect(mock.complaints == [])
    let lane = LaneClient(mock)
    let body = #"{"url": "http://127.0.0.1:1/a"}"#
    let first = lane.send(.post, "/subscriptions/9", Self.json, body: body)
    #expect(
      first.callbacks.map { "\($0.operation.name) \($0.url) \($0.reason)" } == [
        "subscribe.onEvent http://127.0.0.1:1/a by scenario", "newPet http://127.0.0.1:9/9 by scenario",
      ])
    #expect(lane.send(.post, "/subscriptions/9", Self.json, body: body).callbacks.isEmpty)
  }

  @Test(arguments: [
    ("newPte", "no callback and no webhook of the contract is called `newPte`", "did you mean `newPet`?"),
    ("newPet", "the webhook `newPet` has no URL", "expected `send: {name: newPet, to: http://127.0.0.1:9000}`"),
  ])
  func `a scenario that sends what it cannot is reported`(send: String, message: String, help: String) throws {
    let scenario = "machine: {states: {new: {final: true, on: {subscribe: {send: \(send), answer: 201}}}}}\n"
    let mock = try Self.mock(fixtures: ["_scenarios/s.yaml": scenario]) { $0.scenario = "s" }
    let found = mock.contracts.flatMap { $0.scenarios.flatMap(\.diagnostics) }.filter { $0.message == message }
    #expect(found.map(\.help) == [help])
    #expect(found.first?.location != nil)
  }

  @Test func `names of several operations have their methods`() throws {
    let contract = """
      openapi: 3.1.0
      info: {title: Hooks, version: "1"}
      paths: {}
      webhooks:
        pet:
          post: {responses: {"200": {description: d}}}
          delete: {responses: {"200": {description: d}}}

      """
    #expect(try ContractFixture(contract).mock().sent.map(\.name).sorted() == ["pet.delete", "pet.post"])
  }
}
