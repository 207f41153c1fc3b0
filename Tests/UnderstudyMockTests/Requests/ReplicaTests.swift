import Testing
import UnderstudyMock
import UnderstudyTestSupport

/// An event loop with a mock of its own answers as the others do.
@Suite struct ReplicaTests {
  @Test(arguments: ["slp", "petstore", "assistant", "firebase", "admin"])
  func `a replica answers every cell, variant and bad request as its mock does`(name: String) throws {
    let mock = try Mock.load(Project.path("specs/\(name).yaml"))
    let replica = try #require(mock.replica())
    var count = 0
    for operation in mock.operations {
      let path = (operation.compiled.basePath + operation.compiled.operation.path)
        .replacing(/\{[^}]*\}/, with: "7")
      let method = try #require(HTTPRequest.Method(operation.compiled.operation.method))
      let preferences = [nil] + operation.cells.map { "code=\(operation.code(of: $0))" }
      for preference in preferences + operation.variants.map({ "example=\($0)" }) {
        for (type, body) in [("", ""), ("application/json", "{}"), ("application/json", "{"), ("text/plain", "a")] {
          for token in ["", "Bearer x"] {
            var headers = ["Authorization": token, "Content-Type": type, "Prefer": preference ?? ""]
            headers = headers.filter { !$0.value.isEmpty }
            let request = Mock.request(method, path, headers, body: body)
            func replies() -> (Reply, Reply) {
              (mock.reply(to: request, body: Array(body.utf8)), replica.reply(to: request, body: Array(body.utf8)))
            }
            var (one, other) = replies()
            // A token holds the second in which it was made.
            if one.body != other.body { (one, other) = replies() }
            #expect(one.response == other.response && one.body == other.body, "\(method) \(path) \(headers)")
            #expect(one.reason == other.reason && one.operation?.key == other.operation?.key)
            #expect(one.diagnostics.map { "\($0)" } == other.diagnostics.map { "\($0)" })
            #expect(one.notValidated.map(\.reason) == other.notValidated.map(\.reason))
            count += 1
          }
        }
      }
    }
    #expect(count > 50)
    for path in ["/nowhere", "/", "*"] { #expect(mock.send(path).body == replica.send(path).body) }
  }

  @Test func `a replica shares neither operations nor validators nor the bytes of fixtures`() throws {
    let mock = try Mock.load(Project.path("specs/slp.yaml"))
    let replica = try #require(mock.replica())
    #expect(mock.operations.count == replica.operations.count)
    for (one, other) in zip(mock.operations, replica.operations) {
      #expect(one !== other && one.compiled !== other.compiled)
      #expect(one.compiled.requestValidator !== other.compiled.requestValidator)
    }
    let bodies = (mock.send("/v1/chat/7").body, replica.send("/v1/chat/7").body)
    let places = (bodies.0.withUnsafeBytes(\.baseAddress), bodies.1.withUnsafeBytes(\.baseAddress))
    #expect(bodies.0 == bodies.1 && places.0 != places.1)
  }

  @Test func `a replica acts on the collections of a lane as its mock does`() throws {
    let mock = try Mock.load(Project.path("specs/petstore.yaml")) { $0.isStateful = true }
    let replica = try #require(mock.replica())
    let lane = Lane(mock.newState())
    func send(_ mock: Mock, _ method: HTTPRequest.Method, _ path: String, _ body: String = "") -> Reply {
      let request = Mock.request(
        method, path, ["Content-Type": "application/json", "X-Api-Key": "k"], body: body)
      return mock.reply(to: request, body: Array(body.utf8), in: lane)
    }
    let added = send(replica, .post, "/api/pets", #"{"name": "Rex", "kind": "dog"}"#)
    #expect(added.status == 201, "\(added.reason): \(added.text)")
    let id = try #require(try JSON(parsing: added.text)["id"]).text
    for each in [mock, replica, mock] {
      let found = send(each, .get, "/api/pets/\(id)")
      #expect(found.status == 200 && found.text.contains("Rex"), "\(found.reason): \(found.text)")
      #expect(each.operations.contains { $0 === found.operation })
    }
  }

  /// A sequence, and a machine that remembers a header and answers by a template with random values.
  private static let fixtures = [
    "_scenarios/play.yaml": """
    sequence: {writeNote: [204, 409]}
    machine:
      states:
        early: {on: {readNote: {answer: 404, to: late, set: {who: "{{request.header.who}}"}}}}
        late: {on: {readNote: 200.turn}}
    checks: [retry-storm]

    """,
    "readNote/200.turn.yaml": "template: true\ntext: '{{var.who}} {{random}} {{uuid}} {{now}}'\n",
  ]

  @Test func `requests that a mock and its replica answer in turn leave the state that the mock alone leaves`() throws {
    let mock = try ContractFixture(MockContract.notes, fixtures: Self.fixtures).mock {
      $0.scenario = "play"
      $0.fault("readNote", "reset@50%")
    }
    let replica = try #require(mock.replica())
    var alone = mock.newState()
    alone.forced = [ForcedReply(operation: "readNote", answer: "404", times: 1)]
    var shared = alone
    for number in 0..<12 {
      let request = Mock.request(number % 3 == 0 ? .post : .get, "/notes/1", ["who": "me"])
      let time = Mock.Instant(microsecondsSince1970: alone.openedAt + number * 1_000_000)
      let expected = mock.reply(to: request, in: &alone, at: time)
      let reply = (number % 2 == 0 ? replica : mock).reply(to: request, in: &shared, at: time)
      #expect(reply.text == expected.text && reply.reason == expected.reason)
      #expect("\(reply.fault, default: "none")" == "\(expected.fault, default: "none")")
    }
    #expect(alone == shared)
    #expect(alone.machines != [:] && alone.positions != [:] && alone.turns != [:] && alone.requests == 12)
  }

  @Test func `large contracts, an upstream and examples in files have no replica`() throws {
    let paths = (0...250).map { "  /p\($0): {get: {operationId: o\($0), responses: {\"204\": {description: d}}}}\n" }
    #expect(try ContractFixture(ContractFixture.text(paths: paths.joined())).mock().replica() == nil)
    #expect(try ContractFixture(ContractFixture.text(paths: paths.dropLast().joined())).mock().replica() != nil)
    let external = """
        /p:
          get:
            operationId: o
            responses:
              "200": {description: d, content: {application/json: {examples: {a: {externalValue: a.json}}}}}

      """
    #expect(try ContractFixture(ContractFixture.text(paths: external)).mock().replica() == nil)
  }
}
