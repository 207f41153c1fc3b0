import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudySockets
import UnderstudyTestSupport

/// Suggestions where sockets and operations are taken for each other.
struct SocketSuggestionTests {
  private static let contract = """
    openapi: 3.1.0
    info: {title: a, version: "1"}
    paths:
      /chat:
        post: {operationId: sendChat, responses: {"204": {description: sent}}}
    x-understudy-events:
      - path: /chat/socket.io/
        events: {chat: {from: server, arguments: [{}]}}
      - transport: websocket
        path: /market
        events: {price: {from: server, arguments: [{}]}}

    """

  private func mock(_ configure: (inout Mock.Options) -> Void = { _ in }) throws -> Mock {
    var options = Mock.Options()
    configure(&options)
    return Mock(contracts: [try Contract(Self.contract, name: "chat")], options: options)
  }

  @Test(arguments: [
    ("chat", "reset", "did you mean `sockets/chat`, for an event of sockets?"),
    ("chta", "reset", "did you mean `sockets/chat`, for an event of sockets?"),
    ("sendChta", "reset", "did you mean `sendChat`?"),
    (
      "sendChat", "duplicate",
      "it is a fault of sockets: `sockets=duplicate`, or `sockets/sendChat=duplicate` for one event"
    ),
    ("sockets/sendChat", "duplicate", "did you mean the operation `sendChat`, as in `sendChat=reset`?"),
    ("sockets/sendChta", "duplicate", "did you mean the operation `sendChat`, as in `sendChat=reset`?"),
    ("sockets/chta", "duplicate", "did you mean `chat`?"),
    ("sockets/chat", "reset", "it is a fault of operations, as in `OPERATION=reset`"),
  ]) func `a fault of the other kind suggests the right spelling`(target: String, fault: String, help: String) throws {
    #expect(try mock { $0.fault(target, fault) }.diagnostics.map(\.help) == [help])
  }

  @Test func `a delay of an event suggests the fault`() throws {
    #expect(
      try mock { $0.delay("sockets/chat", by: "2s") }.diagnostics.map(\.help)
        == ["sockets take a fault instead: `sockets/chat=late:2s`"])
    let inFile = try mock {
      $0.faults = [
        FaultRule(
          target: "sockets/chat", plan: FaultPlan(latency: .fixed(.seconds(2)), text: "2s"), option: "delay",
          location: Location(path: "understudy.yaml"))
      ]
    }
    #expect(inFile.diagnostics.map(\.help) == ["did you mean `sockets/chat: late:2s` in `faults`?"])
  }

  @Test func `a stream of an unknown operation suggests the right one`() throws {
    let contract = try Contract(Self.contract + "  - {transport: sse, operation: sendChta}\n", name: "chat")
    #expect(contract.diagnostics.map(\.message) == ["no operation is called `sendChta`"])
    #expect(contract.diagnostics.map(\.help) == ["did you mean `sendChat`?"])
  }

  @Test(arguments: [
    ("/socket.io/?EIO=4&transport=polling", "", "did you mean `/chat/socket.io/`, where a socket is declared?"),
    ("/markets", "websocket", "did you mean `/market`, where a socket is declared?"),
  ]) func `a socket at an unknown path suggests the declared path`(
    path: String, upgrade: String, help: String
  ) throws {
    var request = HTTPRequest(method: .get, scheme: "http", authority: "a", path: path)
    request.headerFields[.upgrade] = upgrade.isEmpty ? nil : upgrade
    #expect(try mock().reply(to: request).diagnostics.map(\.help) == [help])
  }
}
