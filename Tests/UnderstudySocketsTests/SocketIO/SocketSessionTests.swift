import Testing
import UnderstudyJSON
import UnderstudySchema
import UnderstudySockets

struct SocketSessionTests {
  private func session(_ version: EngineVersion = .four) -> SocketSession {
    SocketSession(version, engineID: "E1", connectTimeout: .seconds(1), at: .zero)
  }

  private func joined(_ namespaces: String...) -> SocketSession {
    var session = session()
    for namespace in namespaces {
      session.receive(.text(namespace == "/" ? "0" : "0\(namespace),"))
      session.accept(namespace, id: "S1")
    }
    _ = session.allActions()
    return session
  }

  @Test func `nothing is joined implicitly in version 5, and the client is told its identifier`() {
    var session = session()
    #expect(session.allActions() == [])
    session.receive(.text(#"0{"token":"x"}"#))
    #expect(session.allActions() == [.connecting("/", auth: ["token": "x"])])
    session.accept("/", id: "S1")
    #expect(session.allActions() == [.send([.text(#"0{"sid":"S1"}"#)])])
    #expect(session.joined == ["/"])
  }

  @Test func `the form of the Swift client gets the canonical answer`() {
    var session = session()
    session.receive(.text("0/,"))
    session.accept("/", id: "S1")
    #expect(session.allActions().last == .send([.text(#"0{"sid":"S1"}"#)]))
  }

  @Test func `in version 4 the main namespace is joined unasked`() {
    var session = session(.three)
    #expect(session.allActions() == [.connecting("/", auth: nil)])
    session.accept("/", id: "ignored")
    #expect(session.allActions() == [.send([.text("0")])])
    session.receive(.text("0/admin?token=1"))
    #expect(session.allActions() == [.connecting("/admin", auth: nil)])
    session.accept("/admin", id: "ignored")
    #expect(session.allActions() == [.send([.text("0/admin,")])])
  }

  @Test func `a refused namespace leaves the connection open`() {
    var session = session()
    session.receive(.text("0/random"))
    session.refuse("/random", message: "Invalid namespace")
    #expect(session.allActions().last == .send([.text(#"4/random,{"message":"Invalid namespace"}"#)]))
    session.receive(.text("0"))
    #expect(session.allActions() == [.connecting("/", auth: nil)])
    var old = self.session(.three)
    old.refuse("/", message: "Not authorized")
    #expect(old.allActions().last == .send([.text(#"4"Not authorized""#)]))
  }

  @Test func `a client that joins no namespace in time is closed`() {
    var session = session()
    session.advance(to: .milliseconds(999))
    #expect(session.allActions() == [])
    session.advance(to: .seconds(1))
    #expect(session.allActions() == [.close(reason: "the client joined no namespace in time")])
    var joined = joined("/")
    joined.advance(to: .seconds(9))
    #expect(joined.allActions() == [])
  }

  @Test func `an event is echoed with the spelling of its arguments`() {
    var session = joined("/")
    session.receive(.text(#"2["message",1.50,"2",{"b":1,"a":[true]}]"#))
    guard case .event("/", name: "message", let arguments, id: nil)? = session.nextAction() else {
      return #expect(Bool(false))
    }
    session.emit("message-back", JSONValue(.array(arguments.values)), to: "/")
    #expect(session.nextAction() == .send([.text(#"2["message-back",1.50,"2",{"b":1,"a":[true]}]"#)]))
  }

  @Test func `a binary event is acknowledged with its attachments`() {
    var session = joined("/")
    session.receive(.text(#"51-789["message",{"_placeholder":true,"num":0}]"#))
    session.receive(.binary([1, 2]))
    guard case .event("/", name: "message", let arguments, id: 789)? = session.nextAction() else {
      return #expect(Bool(false))
    }
    session.acknowledge(789, JSONValue(.array(arguments.values)), attachments: arguments.attachments, to: "/")
    #expect(
      session.nextAction() == .send([.text(#"61-789[{"_placeholder":true,"num":0}]"#), .binary([1, 2])]))
  }

  @Test func `an acknowledgement without arguments has an empty list`() {
    var session = joined("/")
    session.acknowledge(5, [], to: "/")
    #expect(session.nextAction() == .send([.text("35[]")]))
  }

  @Test func `acknowledgements that the server asks for are numbered for each namespace`() {
    var session = joined("/", "/a")
    #expect(session.emit("x", [], to: "/", asksForAck: true) == 0)
    #expect(session.emit("x", [], to: "/", asksForAck: true) == 1)
    #expect(session.emit("x", [], to: "/a", asksForAck: true) == 0)
    _ = session.allActions()
    session.receive(.text("3/a,0[1]"))
    #expect(session.allActions() == [.acknowledged("/a", id: 0, SocketArguments([1]))])
  }

  @Test func `nothing is sent to a namespace that is not joined`() {
    var session = session()
    session.receive(.text("0"))
    _ = session.allActions()
    session.emit("early", [], to: "/")
    session.acknowledge(1, [], to: "/")
    session.disconnect("/")
    #expect(session.allActions() == [])
  }

  @Test func `a client leaves a namespace, and stays in the others`() {
    var session = joined("/", "/custom")
    session.receive(.text("1/custom"))
    #expect(session.allActions() == [.disconnected("/custom")])
    session.receive(.text(#"2["a"]"#))
    #expect(session.allActions() == [.event("/", name: "a", SocketArguments(), id: nil)])
    session.receive(.text("1/custom"))
    #expect(session.allActions() == [])
  }

  @Test func `the server disconnects a namespace with a packet`() {
    var session = joined("/")
    session.disconnect("/")
    #expect(session.allActions() == [.send([.text("1")]), .disconnected("/")])
  }

  @Test(arguments: ["abc", #"2/other,["a"]"#, "0", "4{\"message\":\"x\"}"])
  func `a packet that does not fit the state closes the connection, and leaves all namespaces`(text: String) {
    var session = joined("/", "/a")
    session.receive(.text(text))
    let actions = session.allActions()
    #expect(actions.prefix(2) == [.disconnected("/"), .disconnected("/a")])
    guard case .close? = actions.last else { return #expect(Bool(false), "\(actions)") }
    session.receive(.text(#"2["a"]"#))
    #expect(session.allActions() == [])
  }

  @Test func `a client that leaves before it has joined is reported as well`() {
    var session = session()
    session.receive(.text("0"))
    session.closed()
    #expect(session.allActions() == [.connecting("/", auth: nil), .disconnected("/")])
    session.accept("/", id: "S1")
    #expect(session.allActions() == [])
  }

  @Test func `an event before a namespace closes the connection`() {
    var session = session()
    session.receive(.text(#"2["a"]"#))
    guard case .close? = session.nextAction() else { return #expect(Bool(false)) }
  }
}

extension SocketSession {
  mutating func allActions() -> [Action] {
    var actions: [Action] = []
    while let action = nextAction() { actions.append(action) }
    return actions
  }
}
