package import UnderstudyJSON
import UnderstudySockets
import UnderstudyText

/// The body of a response that sends events one after the other, with pauses, as a test, a sweep or a recording writes it.
package struct EventStreamScript: Sendable, Hashable {
  package enum Step: Sendable, Hashable {
    /// An event with its type, which is `message` where it is `nil`, and its data.
    case event(String?, JSONValue)
    /// The same, which is not JSON although it should be.
    case text(String?, String)
    case wait(Duration)
    /// Bytes of the body as they are.
    case bytes([UInt8])
    case comment
    case stall
    /// Half of an event, and the end of the connection.
    case cut(String?, JSONValue)
    /// The end of the connection within the response.
    case drop
  }

  package var steps: [Step]

  package init(_ steps: [Step]) { self.steps = steps }

  /// The body of a fixture with its pauses; `nil` where it has none.
  init?(_ fixture: Fixture, type: MediaRange?, speed: PlaybackSpeed) {
    guard !fixture.pauses.isEmpty, case .bytes(let bytes, _) = fixture.body, let records = StreamRecords(bytes, type)
    else { return nil }
    steps = []
    for (pause, record) in zip(fixture.pauses, records.records) {
      let pause = speed.scaled(pause)
      if pause > .zero { steps.append(.wait(pause)) }
      steps.append(.bytes(record))
    }
  }

  /// The body, whose chunks follow while it is read: server-sent events, or lines of JSON.
  func body(isSSE: Bool) -> Body {
    let (chunks, continuation) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
    let plan = plan(isSSE: isSSE)
    let task = Task {
      try await plan.transmit { continuation.yield($0) }
      if plan.end == .hang { try await Task.sleep(for: Self.hangLimit) }
      continuation.finish(plan.end)
    }
    continuation.onTermination = { _ in task.cancel() }
    return Body(length: nil, chunks)
  }

  /// The maximum time that a stream stays open after its last event.
  private static let hangLimit: Duration = .seconds(86_400)

  /// The bytes of the steps, up to one that ends the stream or after which nothing follows.
  private func plan(isSSE: Bool) -> TransmissionPlan {
    let encoder = StreamEncoder(isSSE: isSSE)
    var plan = TransmissionPlan()
    for step in steps {
      switch step {
      case .event(let name, let data): plan.append(body: encoder.event(name, data))
      case .text(let name, let text): plan.append(body: encoder.event(name, text: text))
      case .bytes(let bytes): plan.append(body: bytes)
      case .wait(let pause): plan.wait(pause)
      case .comment: plan.append(body: encoder.heartbeat)
      case .stall: plan.append(body: [], .hang)
      case .cut(let name, let data): plan.append(body: encoder.event(name, data), .truncate)
      case .drop: plan.append(body: [], .close)
      }
      if plan.end != nil { break }
    }
    return plan
  }
}

private struct ConnectionCut: Error {}

extension AsyncThrowingStream.Continuation where Element == [UInt8], Failure == any Error {
  package func send(_ message: [UInt8], _ fault: Fault? = nil) {
    let plan = TransmissionPlan(body: message, fault)
    let bytes = plan.bytes
    if !bytes.isEmpty { yield(bytes) }
    if plan.end != nil { finish(plan.end) }
  }

  fileprivate func finish(_ end: Fault.Ending?) {
    if end == nil { finish() } else { finish(throwing: ConnectionCut()) }
  }
}

extension EventStreamScript {
  /// The events of a body: server-sent events, or lines of JSON.
  package init(body: [UInt8], isSSE: Bool) {
    guard isSSE else {
      var parser = JSONLinesParser()
      let items = parser.receive(body) + [parser.finish()].compactMap(\.self)
      self.init(items.compactMap { if case .value(let value) = $0 { .event(nil, JSONValue(value)) } else { nil } })
      return
    }
    var parser = ServerSentEventParser()
    self.init(
      parser.receive(body).compactMap { item in
        guard case .event(let event) = item else { return nil }
        return .event(event.event, .string(event.data))
      })
  }

  /// The body of its whole events, all at once: server-sent events, or lines of JSON.
  package func bytes(isSSE: Bool) -> [UInt8] {
    EventStreamScript(steps.filter { if case .cut = $0 { false } else { true } }).plan(isSSE: isSSE).bytes
  }
}

extension MockSockets {
  package func type(ofStream number: Int) -> String { descriptions[number].encoder.mediaType }

  /// The most events, and the longest time, of a stream that goes on without an end.
  private static let stepLimit = 100
  private static let timeLimit = 3_600_000_000

  /// The events that the rules of a stream send by themselves in the exchange that opens it.
  package func events(ofStream number: Int, _ environment: JSON) -> EventStreamScript {
    var (state, steps, now) = (SocketState(), [EventStreamScript.Step](), 0)
    let script = script(for: nil)
    let request = environment["request"] ?? .object([])
    script.apply(
      .connecting(1, description: number, namespace: "/", auth: nil, request: request), to: &state, at: now)
    while true {
      for output in state.takeOutputs() {
        switch output.action {
        case .emit(let name, let arguments, _), .cut(let name, let arguments), .malformed(let name, let arguments):
          steps.append(.event(name == "message" ? nil : name, arguments[0] ?? .null))
        case .disconnect, .close, .drop, .refuse: return EventStreamScript(steps)
        case .accept, .acknowledge, .hold: break
        }
      }
      guard let due = state.nextDue, due <= Self.timeLimit, steps.count < Self.stepLimit else { break }
      now = max(now + 1, due)
      script.apply(.time, to: &state, at: now)
    }
    return EventStreamScript(steps)
  }

  /// The data of an event, for an error within a stream: a file of the event, else an object.
  package func errorData() -> JSONValue {
    let files = fixtures.filter { $0.key == "error" || $0.key.hasPrefix("error.") }
    let file = files.min { $0.key < $1.key }?.value[0]
    return file.map { JSONValue($0) } ?? ["error": ["message": "the server failed", "type": "server_error"]]
  }
}

extension Forward {
  package convenience init(_ script: EventStreamScript, _ reply: Reply, to request: HTTPRequest) {
    let type = reply.response.headerFields[.contentType].flatMap { MediaRange($0) }
    let isSSE = type?.syntax != .jsonSequence
    self.init(request: request) {
      var reply = reply
      var response = reply.response
      response.headerFields[.contentLength] = nil
      if !reply.omitsBody { reply.content = .streamed(response, script.body(isSSE: isSSE)) }
      return reply
    }
  }
}

extension MockOperation {
  /// The media type of the streams of its success: that of lines of JSON where it declares no events.
  package var streamType: String {
    let types = cells.filter { "\($0.status)".hasPrefix("2") }.flatMap { $0.cell.content.map(\.range) }
    let lines = types.first { MediaRange($0)?.syntax == .jsonSequence }
    let hasEvents = types.contains { MediaRange($0)?.syntax == .eventStream }
    return hasEvents ? "text/event-stream" : lines ?? "text/event-stream"
  }
}
