import Testing
import UnderstudyMock
import UnderstudySockets
import UnderstudyTestSupport

/// Events of clients, held to the schemas of their contract.
struct EventValidatorTests {
  private static let contract = """
    openapi: 3.1.0
    info: {title: a, version: "1"}
    paths: {}
    components:
      schemas:
        Message: {type: object, required: [text], properties: {text: {type: string, maxLength: 5}}}
    x-understudy-events:
      - events:
          join: {from: client, arguments: [{type: string}]}
          say: {from: client, arguments: [{$ref: "#/components/schemas/Message"}, {type: integer}]}
          raw: {from: client}
          said: {from: server, arguments: [{$ref: "#/components/schemas/Message"}]}
          both: {from: both, arguments: []}
      - {transport: websocket, path: /ws, eventKey: type, events: {message: {from: client, arguments: [{type: object}]}}}
      - {transport: websocket, path: /free}

    """

  private func mock(_ rules: RuleSettings = RuleSettings()) throws -> Mock {
    var options = Mock.Options()
    options.rules = rules
    return Mock(contracts: [try Contract(Self.contract, name: "chat")], options: options)
  }

  private func found(_ name: String, _ arguments: String, of description: Int = 0) throws -> [String] {
    let values = try JSONParser.parse(Array(arguments.utf8)).root.array ?? []
    let sockets = try #require(try mock().sockets)
    return sockets.validate(name, SocketArguments(values), of: description).findings.map {
      "\($0.rule.id) \($0.placedMessage)"
    }
  }

  @Test(arguments: [
    ("join", #"["u1"]"#), ("say", #"[{"text": "hi", "more": 1}, 7]"#), ("raw", "[1, 2]"), ("both", "[]"),
  ])
  func `an event as its contract declares it has no findings`(name: String, arguments: String) throws {
    #expect(try found(name, arguments) == [])
  }

  @Test(arguments: [
    ("jion", "[]", "event.undeclared no event `jion` is declared `from: client`"),
    ("said", "[]", "event.undeclared no event `said` is declared `from: client`"),
    ("join", "[]", "event.arguments `join` has 0 arguments, expected 1"),
    ("join", "[7]", "event.schema /arguments/0: `join`: expected string, found number 7"),
    (
      "say", #"[{"text": "longer"}, 7]"#,
      "event.schema /arguments/0/text: `say`: expected at most 5 characters, found 6 in \"longer\""
    ),
    ("both", "[1]", "event.arguments `both` has 1 argument, expected 0"),
  ])
  func `an event that breaks its contract is found`(name: String, arguments: String, finding: String) throws {
    #expect(try found(name, arguments) == [finding])
  }

  @Test func `a message of a WebSocket is read as JSON where its schema refuses the text`() throws {
    #expect(try found("message", #"["{\"a\": 1}"]"#, of: 1) == [])
    #expect(
      try found("message", #"["[1]"]"#, of: 1) == ["event.schema /arguments/0: `message`: expected object, found array"]
    )
  }

  @Test(arguments: [("socketio", #"[{"pin": "Zq9hunter2"}]"#), ("websocket", #"["{\"pin\": \"Zq9hunter2\"}"]"#)])
  func `a finding about a secret of an argument does not show it`(transport: String, arguments: String) throws {
    let contract = """
      openapi: 3.1.0
      info: {title: a, version: "1"}
      paths: {}
      x-understudy-events:
        - transport: \(transport)
          path: /ws
          events:
            message: {from: client, arguments: [{type: object, properties: {pin: {x-secret: true, pattern: "^[0-9]+$"}}}]}

      """
    let sockets = try #require(try Mock(contracts: [Contract(contract, name: "chat")]).sockets)
    let values = try JSONParser.parse(Array(arguments.utf8)).root.array ?? []
    let findings = sockets.validate("message", SocketArguments(values), of: 0).findings
    #expect(
      findings.map(\.placedMessage) == [
        "/arguments/0/pin: `message`: the value breaks `pattern`; it is a secret and not shown"
      ])
  }

  @Test func `a socket that declares no events takes any`() throws {
    #expect(try found("anything", "[1]", of: 2) == [])
  }

  @Test func `bytes are not validated, and what is beside them is`() throws {
    let sockets = try #require(try mock().sockets)
    let placeholder = JSON.object([("_placeholder", true), ("num", 0)])
    let result = sockets.validate("say", SocketArguments([placeholder, "7"], attachments: [[1]]), of: 0)
    #expect(result.notValidated.map(\.pointer) == ["/arguments/0"])
    #expect(result.findings.map(\.location?.pointer) == ["/arguments/1"])
  }

  @Test func `what a client breaks is in the verdict of its lane, once with a count`() throws {
    let mock = try mock()
    let hub = SocketHub()
    let lane = Lane(mock.newState())
    let service = SocketService(mock, hub, split: { (nil, $0) }, open: { _, _ in lane })
    let place = try #require(
      service.place(of: .init(method: .get, scheme: "http", authority: "a", path: "/socket.io/")))
    place.apply(.connecting(3, description: 0, namespace: "/", auth: nil, request: .null))
    for _ in 0..<2 {
      place.apply(.event(3, namespace: "/", name: "join", SocketArguments([7]), id: nil))
    }
    let findings = mock.verdict(of: lane.value).findings
    #expect(findings.map(\.diagnostic.rule) == [.eventSchema])
    #expect(findings.map(\.count) == [2])
    #expect(findings.first?.diagnostic.notes.map(\.message) == ["the contract", "socket 3: join"])
  }

  @Test func `rules about events have levels`() throws {
    let mock = try mock(RuleSettings(levels: [.eventUndeclared: .off, .eventArguments: .warning]))
    let lane = Lane(mock.newState())
    let service = SocketService(mock, SocketHub(), split: { (nil, $0) }, open: { _, _ in lane })
    let place = try #require(
      service.place(of: .init(method: .get, scheme: "http", authority: "a", path: "/socket.io/")))
    for name in ["unknown", "join"] { place.apply(.event(3, namespace: "/", name: name, SocketArguments([]), id: nil)) }
    let findings = mock.verdict(of: lane.value).findings
    #expect(findings.map(\.diagnostic.rule) == [.eventArguments])
    #expect(findings.map(\.diagnostic.severity) == [.warning])
  }
}
