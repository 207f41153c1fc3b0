import Testing
import UnderstudySchema
import UnderstudySockets
import UnderstudyText

struct SocketReaderTests {
  private func yaml(_ text: String) throws -> JSON {
    try TextDocument.read(SourceFile(path: "sockets.yaml", bytes: Array(text.utf8))).root
  }

  @Test(arguments: [
    ("{trnsport: sse}", "unknown key `trnsport`"), ("{transport: tcp}", "`tcp` is not a transport"),
    ("{transport: websocket}", "a WebSocket needs a `path`"), ("{transport: sse}", "a stream needs its `operation`"),
    ("{namespaces: [1]}", "expected a list of strings for `namespaces`, found array"),
    ("{transports: [poling, websocket]}", "`poling` is not a transport of Engine.IO"),
    ("{transports: polling}", "expected a list of strings for `transports`, found string"),
    ("{maxPayload: 0}", "expected a whole number from 1 for `maxPayload`, found `0`"),
    ("{ids: perhaps}", "expected `true` or `false` for `ids`, found string"),
    ("{heartbeat: soon}", "`soon` is not a time"), ("{path: 7}", "expected text for `path`, found number"),
    ("{events: {a: {arguments: []}}}", "an event needs `from: client`, `from: server` or `from: both`"),
    ("{events: {a: {from: client, arguments: 1}}}", "expected a list of schemas, found number"),
  ])
  func `a mistake in a declaration is reported`(declaration: String, message: String) throws {
    var reader = SocketReader()
    _ = reader.descriptions(try yaml(declaration))
    #expect(reader.problems.map(\.message) == [message])
  }

  @Test(arguments: [
    ("{do: [{emit: a}]}", "a rule needs `on`: connect, disconnect, or an event, an operation or a timer"),
    ("{on: connect}", "a rule needs `do` or `remember`"),
    ("{on: connect, do: [{emit: a}], times: 0}", "expected a whole number from 1 for `times`, found `0`"),
    ("{on: connect, do: [{emit: a}], times: twice}", "expected a whole number from 1 for `times`, found `twice`"),
    ("{on: connect, do: [{emit: a}], order: befor}", "expected `before` or `after` for `order`, found `befor`"),
    ("{on: connect, do: [{emit: a}], if: yes please}", "expected a mapping for `if`, found string"),
    ("{on: {operation: a, status: 2YY}, do: [{emit: a}]}", "`2YY` is not a status"),
    (
      "{on: connect, to: everyone, do: [{emit: a}]}",
      "expected `self`, `others`, `all`, or values that sockets remember, found string"
    ),
    ("{on: connect, do: [{emit: a, arguments: b}]}", "expected a list of arguments, found string"),
    ("{on: connect, do: [{emit: a, fixture: [b]}]}", "expected the name of a fixture"),
    ("{on: connect, do: [{emit: a, fxture: b}]}", "unknown key `fxture`"),
    ("{on: connect, do: [{drop: perhaps}]}", "expected `true`, found string"),
    ("{on: connect, remember: {uid: '{{quth.uid}}'}}", "nothing gives `quth.uid` a value"),
    ("{on: connect, do: [{emit: a, argument: 'at {{request.querys.x}}'}]}", "nothing gives `request.querys.x` a value"),
    ("{on: connect, do: [{emit: a, to: {uid: '{{scket.uid}}'}}]}", "nothing gives `scket.uid` a value"),
    ("{on: connect, do: [{emit: a}], if: {evnt.0: x}}", "nothing gives `evnt.0` a value"),
    ("{on: connect, do: [{close: 1005}]}", "the close code 1005 cannot be sent"),
    ("{on: connect, do: [{close: soon}]}", "expected a close code, found string"),
    (
      "{on: connect, do: [{emit: a, broadcast: b}]}",
      "an action has one of `emit`, `broadcast`, `ack`, `disconnect`, `close`, `drop`, `wait`, `refuse`, `cut`"
    ),
  ])
  func `a mistake in a rule is reported`(rule: String, message: String) throws {
    var reader = SocketReader()
    _ = reader.rules(try yaml("[\(rule)]"))
    #expect(reader.problems.map(\.message) == [message])
  }

  @Test func `names that have a value are no mistake`() throws {
    var reader = SocketReader()
    let rule = """
      {on: {event: a}, if: {event.0.kind: x, auth.uid: y}, remember: {uid: "{{event.0}}"}, to: {uid: "{{ request.path.uid }}"},
      do: [{emit: b, argument: {all: "{{event}}", of: "{{namespace}} {{name}} {{socket.uid}} {{response.status}}"}}]}
      """
    #expect(reader.rules(try yaml("[\(rule)]")).count == 1)
    #expect(reader.problems.isEmpty)
  }

  @Test(arguments: [
    "{transport: smoke}", "{transport: websocket}", "{transport: sse}", "{namespaces: []}", "{nonsense: 1}",
    "{events: {chat: {from: nowhere}}}", "{rules: {on: connect}}", "{rules: [{do: []}]}",
    "{rules: [{on: connect, do: [{explode: true}]}]}", "{rules: [{on: connect, do: [{close: 1005}]}]}",
    "{rules: [{on: connect, do: [{wait: soon}]}]}", "{heartbeat: {interval: x}}", "3",
  ])
  func `a mistake in a declaration is reported where it is`(text: String) throws {
    var reader = SocketReader()
    _ = reader.descriptions(try yaml(text))
    #expect(reader.problems.count == 1)
    #expect(reader.problems.first?.location?.range != nil)
  }
}

extension SocketReader {
  /// A reader whose rule stands for the rules of the modules above.
  init() { self.init(Rule("test.invalid", .error, owner: .contract, "A mistake in a declaration", help: "")) }
}
