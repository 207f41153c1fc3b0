import HTTPTypes
import Synchronization
import Testing
import UnderstudyMock
import UnderstudySockets
import UnderstudyTestSupport

/// What sockets send and receive, as the journal holds and shows it.
struct SocketTranscriptTests {
  private static func handshake(_ fields: HTTPFields = [:]) -> ServedRequest {
    let request = HTTPRequest(
      method: .get, scheme: "http", authority: "localhost", path: "/socket.io/?EIO=4&transport=websocket",
      headerFields: fields)
    let reply = Reply(.made(HTTPResponse(status: .switchingProtocols), body: []), source: ReplySource(.plain(101)))
    return ServedRequest(
      startedAt: 1_000_000, microseconds: 0, request: SharedRequest(request), body: [], reply: reply, status: 101)
  }

  /// A record whose sinks put everything here.
  private final class Sink: Sendable {
    let messages = Mutex<[SocketMessage]>([])
    let ended = Mutex<[ServedRequest]>([])
    let journal = Journal()

    /// The exchange of the first socket that has ended.
    var first: ServedRequest? { ended.withLock { $0.first } }

    var sinks: SocketRecord.Sinks {
      SocketRecord.Sinks(
        open: { self.journal.open($0) },
        message: { message, socket in
          self.messages.withLock { $0.append(message) }
          self.journal.traffic.append(message, of: socket)
        }, report: { exchange in self.ended.withLock { $0.append(exchange) } })
    }
  }

  private final class Transport: SocketTransport {
    func perform(_ action: SocketOutput.Action, in namespace: String) {}
    func close(_ reason: String) {}
  }

  private static let contract = """
    openapi: 3.1.0
    info: {title: a, version: "1"}
    paths: {}
    x-understudy-events:
      events:
        join: {from: client, arguments: [{type: string}]}
        login: {from: client, arguments: [{type: object}]}
        shout: {from: client, arguments: [{}]}
        hello: {from: server, arguments: [{}]}
      rules:
        - {on: {event: join}, do: [{ack: [1]}, {emit: hello, argument: {to: "{{event.0}}"}}]}
        - {on: {event: shout}, do: [{emit: hello, argument: "{{event.0}}", to: all}, {emit: hello}]}
        - {on: {event: login}, do: [{close: {code: 4001, reason: bye}}]}

    """

  /// Runs events of a socket, and ends it.
  private func run(_ sink: Sink, _ fields: HTTPFields = [:], _ events: [SocketEvent]) throws -> Mock {
    let mock = Mock(contracts: [try Contract(Self.contract, name: "chat")])
    let (hub, lane) = (SocketHub(), Lane(mock.newState()))
    let service = SocketService(mock, hub, split: { (nil, $0) }, open: { _, _ in lane })
    let place = try #require(
      service.place(of: .init(method: .get, scheme: "http", authority: "a", path: "/socket.io/")))
    let record = SocketRecord(3, place.description, lane: "a", Self.handshake(fields), sink.sinks)
    hub.add(Transport(), 3, in: lane, record)
    for event in events { place.apply(event) }
    #expect(sink.journal.streams.count == 1)
    hub.remove(3)
    return mock
  }

  private static let session: [SocketEvent] = [
    .connecting(3, description: 0, namespace: "/", auth: ["token": "s3cr3t-of-mine"], request: .null),
    .event(3, namespace: "/", name: "join", SocketArguments(["u1"]), id: 7),
    .event(3, namespace: "/", name: "jion", SocketArguments([]), id: nil),
    .event(3, namespace: "/", name: "login", SocketArguments([["password": "hunter2-of-mine"]]), id: nil),
  ]

  @Test func `messages of both directions are noted in their order, and the exchange once at the end`() throws {
    let sink = Sink()
    _ = try run(sink, [:], Self.session)
    let noted = sink.messages.withLock { $0.map { "\($0.isFromClient ? ">" : "<") \($0.kind) \($0.event ?? "")" } }
    #expect(
      noted == [
        "> connect ", "< connect ", "> event join", "< acknowledgement ", "< event hello", "> event jion",
        "> event login", "< close ",
      ])
    let numbers = sink.messages.withLock { $0.map(\.number) }
    #expect(numbers == Array(1...8))
    let ended = sink.ended.withLock { $0 }
    #expect(ended.map(\.reply.diagnostics.first?.rule) == [.eventUndeclared])
    #expect(ended.first?.reply.lane == "a" && "\(ended[0].reply.source)" == "socket 3")
    #expect(sink.journal.streams.isEmpty)
  }

  @Test func `a HAR has the frames as Chrome writes them, without secrets`() throws {
    let sink = Sink()
    let mock = try run(sink, [:], Self.session)
    var redactor = Redactor(mock.contracts.map(\.compiled.secrets), style: .marker)
    let exchange = try #require(sink.first)
    let entry = try JSONParser.parse(try #require(HARWriter(version: "1").entry(exchange, &redactor)).value).root
    let frames = entry["_webSocketMessages"]?.array ?? []
    #expect(
      frames.map { "\($0["type"]?.text ?? "") \($0["opcode"]?.text ?? "") \($0["data"]?.text ?? "")" } == [
        #"send 1 40{"token":"[redacted]"}"#, "receive 1 40", #"send 1 427["join","u1"]"#, "receive 1 437[1]",
        #"receive 1 42["hello",{"to":"u1"}]"#, #"send 1 42["jion"]"#, #"send 1 42["login",{"password":"[redacted]"}]"#,
      ])
    #expect(entry["_resourceType"]?.text == "websocket" && entry["response"]?["status"]?.int == 101)
    #expect(entry["request"]?["url"]?.text == "ws://localhost/socket.io/?EIO=4&transport=websocket")
    #expect(!JSONWriter.text(entry).contains("of-mine"))
  }

  @Test func `the journal shows messages without secrets, those of the handshake included`() throws {
    let sink = Sink()
    let name = try #require(HTTPField.Name("idtoken"))
    let token = "7f3a91c2d4e5b6a7980cffee"
    let event = SocketEvent.event(3, namespace: "/", name: "join", SocketArguments([.string(token)]), id: nil)
    let mock = try run(sink, [name: token], [Self.session[0], event])
    let printer = JournalPrinter(
      Redactor(mock.contracts.map(\.compiled.secrets), style: .marker), version: "1")
    let shown = sink.journal.traffic.entries().map { printer.summary($0).value }
    #expect(shown.map { $0["title"]?.text } == ["connect", "connect", "join", "hello"])
    #expect(shown.first?["text"]?.text == #"{"token":"[redacted]"}"#)
    #expect(shown[2]["text"]?.text == #""[redacted]""#)
    #expect(!shown.map { JSONWriter.text($0) }.joined().contains(token))
  }

  @Test func `the records of a broadcast share one text of its arguments`() throws {
    let sink = Sink()
    let mock = Mock(contracts: [try Contract(Self.contract, name: "chat")])
    let (hub, lane) = (SocketHub(), Lane(mock.newState()))
    let service = SocketService(mock, hub, split: { (nil, $0) }, open: { _, _ in lane })
    let place = try #require(
      service.place(of: .init(method: .get, scheme: "http", authority: "a", path: "/socket.io/")))
    for id in 1...3 {
      hub.add(Transport(), id, in: lane, SocketRecord(id, place.description, lane: nil, Self.handshake(), sink.sinks))
      place.apply(.connecting(id, description: 0, namespace: "/", auth: nil, request: .null))
    }
    place.apply(.event(2, namespace: "/", name: "shout", SocketArguments(["a long string as an argument"]), id: nil))
    let sent = sink.messages.withLock { $0.filter { !$0.isFromClient && $0.event == "hello" } }
    let texts = sent.map { String(decoding: $0.arguments, as: UTF8.self) }
    #expect(texts == Array(repeating: #"["a long string as an argument"]"#, count: 3) + ["[]"])
    let storages = sent.prefix(3).map { $0.arguments.withUnsafeBytes(\.baseAddress) }
    #expect(storages.first != nil && Set(storages).count == 1)
  }

  @Test func `binary events have their bytes in frames of their own`() throws {
    let sink = Sink()
    let placeholder = JSON.object([("_placeholder", true), ("num", 0)])
    let event = SocketEvent.event(
      3, namespace: "/", name: "raw", SocketArguments([placeholder], attachments: [[1, 2]]), id: nil)
    let mock = try run(sink, [:], [Self.session[0], event])
    var redactor = Redactor(mock.contracts.map(\.compiled.secrets))
    let exchange = try #require(sink.first)
    let entry = try JSONParser.parse(try #require(HARWriter(version: "1").entry(exchange, &redactor)).value).root
    #expect(
      entry["_webSocketMessages"]?.array?.suffix(2).map { $0["data"]?.text ?? "" } == [
        #"451-["raw",{"_placeholder":true,"num":0}]"#, "AQI=",
      ])
  }

  @Test func `a socket that is not open is no request without an operation`() throws {
    let sink = Sink()
    _ = try run(sink, [:], [])
    let entry = JournalEntry(number: 1, try #require(sink.first))
    #expect(!entry.isUnmatched)
  }

  @Test func `the last messages are held, and all are counted`() throws {
    let sink = Sink()
    let event = SocketEvent.event(3, namespace: "/", name: "many", SocketArguments([7]), id: nil)
    _ = try run(sink, [:], Array(repeating: event, count: 2_500))
    let transcript = try #require(sink.first?.transcript)
    #expect(transcript.messages.map(\.number) == Array(2_301...2_500))
    #expect(transcript.totals.count == 2_500)
    #expect(transcript.findings.count == 1)
    let traffic = sink.journal.traffic
    #expect(traffic.newest == 2_500 && traffic.entries().map(\.number) == Array(1_501...2_500))
    #expect(traffic.entries(after: 2_498).map(\.number) == [2_499, 2_500])
    #expect(traffic.entries(after: 2_500).isEmpty && traffic.entries(after: 9_999).isEmpty)
  }

  @Test func `of a long message the beginning is held, and its length`() throws {
    let sink = Sink()
    let long = JSON.string(String(repeating: "a", count: 100_000))
    let event = SocketEvent.event(3, namespace: "/", name: "long", SocketArguments([long]), id: nil)
    _ = try run(sink, [:], Array(repeating: event, count: 100))
    let transcript = try #require(sink.first?.transcript)
    #expect(transcript.messages.allSatisfy { $0.arguments.count == SocketMessage.limit && $0.size == 100_004 })
    #expect(transcript.totals.held <= SocketTranscript.Limits.usual.bytes)
    #expect(transcript.totals.bytes == 10_000_400)
  }
}
