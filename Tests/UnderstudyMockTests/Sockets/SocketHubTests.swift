import HTTPTypes
import Synchronization
import Testing
import UnderstudyMock
import UnderstudySockets
import UnderstudyTestSupport

struct SocketHubTests {
  private final class Transport: SocketTransport {
    let reasons = Mutex<[String]>([])
    let events = Mutex<[String]>([])

    func perform(_ action: SocketOutput.Action, in namespace: String) {
      if case .emit(let name, let arguments, _) = action { events.withLock { $0.append("\(name) \(arguments)") } }
    }
    func close(_ reason: String) { reasons.withLock { $0.append(reason) } }

    var closings: [String] { reasons.withLock { $0 } }
  }

  @Test func `the end of a lane closes its own sockets, those that come later too`() {
    let (hub, lane, other) = (SocketHub(), Lane(LaneState()), Lane(LaneState()))
    let (own, late, foreign) = (Transport(), Transport(), Transport())
    hub.add(own, 1, in: LaneHandle(lane))
    hub.add(foreign, 2, in: other)
    hub.close(lane)
    hub.add(late, 3, in: lane)
    #expect(own.closings == ["the lane is closed"] && late.closings == own.closings && foreign.closings == [])
    hub.closeAll()
    #expect(foreign.closings == ["the server shuts down"])
  }

  private static let contract = """
    openapi: 3.1.0
    info: {title: a, version: "1"}
    paths:
      /chat:
        post:
          operationId: send
          parameters: [{name: text, in: query, schema: {type: string}}]
          responses: {"204": {description: sent}}
    x-understudy-events:
      events:
        chat: {from: server, arguments: [{}]}
      rules:
        - {on: {operation: send}, to: all, do: [{emit: chat, argument: "{{request.query.text}}"}]}

    """

  @Test(arguments: ["late:60m", "duplicate", "missed", ""])
  func `a command counts the events that it causes, late ones too`(fault: String) throws {
    let mock = Mock(contracts: [try Contract(Self.contract, name: "chat")])
    let (hub, lane) = (SocketHub(), Lane(mock.newState()))
    hub.add(Transport(), 1, in: lane)
    try hub.apply(.connecting(1, description: 0, namespace: "/", auth: nil, request: .null), by: mock, in: lane)
    let faults = fault.isEmpty ? [] : [try SocketFault(fault)]
    lane.update { $0.sockets.faults = faults }
    var rule = SocketRule(.connect, at: .null)
    rule.actions = [.emit("chat", .arguments(["hi"]), to: .all)]
    #expect(try hub.apply(.command(rule), by: mock, in: lane) == ["missed": 0, "duplicate": 2][fault, default: 1])
  }

  @Test func `events come in the order in which their lane has stored the messages, whoever responds first`() throws {
    let mock = Mock(contracts: [try Contract(Self.contract, name: "chat")])
    let (hub, lane, listener) = (SocketHub(), Lane(mock.newState()), Transport())
    hub.add(listener, 1, in: lane)
    try hub.apply(
      .connecting(1, description: 0, namespace: "/", auth: nil, request: .null), by: mock, in: lane)
    let held = ["a", "b", "c"].map { text -> Int? in
      let request = HTTPRequest(method: .post, scheme: "http", authority: "a", path: "/chat?text=\(text)")
      guard case .outputs(let held)? = mock.reply(to: request, body: [], in: lane).sockets else { return nil }
      return held
    }
    #expect(!held.contains(nil))
    // Each response is sent by the loop of its connection.
    for number in held.reversed() {
      hub.beginResponse(number, by: mock, in: lane)
      hub.release(number, by: mock, in: lane)
    }
    #expect(listener.events.withLock { $0 } == [#"chat ["a"]"#, #"chat ["b"]"#, #"chat ["c"]"#])
  }
}
