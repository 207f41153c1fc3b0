import UnderstudySockets
import UnderstudyText

/// The body of a response that sends events one after the other, with pauses, as a test, a sweep or a recording writes it.
package struct EventStreamScript: Sendable {
  package enum Step: Sendable {
    /// An event with its type, which is `message` where it is `nil`, and its data.
    case event(String?, JSON)
    /// The same, which is not JSON although it should be.
    case text(String?, String)
    case wait(Duration)
    /// Bytes of the body as they are.
    case bytes([UInt8])
    case comment
    /// The stream stays open, and nothing follows.
    case stall
    /// Half of an event, and the end of the connection.
    case cut(String?, JSON)
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

  /// An end on purpose, within the response.
  private struct Cut: Error {}

  /// The body, whose pieces follow while it is read.
  ///
  /// - Parameter isSSE: Whether it has server-sent events; otherwise lines of JSON.
  func body(isSSE: Bool) -> Body {
    let (pieces, continuation) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
    let task = Task {
      for step in steps {
        switch step {
        case .event(let name, let data): continuation.yield(Self.bytes(name, data, isSSE))
        case .text(let name, let text): continuation.yield(Self.bytes(name, text, isSSE))
        case .bytes(let bytes): continuation.yield(bytes)
        case .wait(let pause): try await Task.sleep(for: pause, tolerance: .zero)
        case .comment: continuation.yield(isSSE ? ServerSentEvent.comment() : [0x0A])
        case .stall: try await Task.sleep(for: .seconds(86_400))
        case .cut(let name, let data):
          let bytes = Self.bytes(name, data, isSSE)
          continuation.yield(Array(bytes.prefix(max(1, bytes.count / 2))))
          return continuation.finish(throwing: Cut())
        case .drop: return continuation.finish(throwing: Cut())
        }
      }
      continuation.finish()
    }
    continuation.onTermination = { _ in task.cancel() }
    return Body(length: nil, pieces)
  }

  private static func bytes(_ name: String?, _ data: JSON, _ isSSE: Bool) -> [UInt8] {
    isSSE ? ServerSentEvent(event: name, data: SocketTemplate.text(data)).bytes : JSONLines.line(data)
  }

  private static func bytes(_ name: String?, _ text: String, _ isSSE: Bool) -> [UInt8] {
    isSSE ? ServerSentEvent(event: name, data: text).bytes : Array(text.utf8) + [0x0A]
  }
}

extension Forward {
  /// Sends a reply whose body is a script.
  package convenience init(_ script: EventStreamScript, _ reply: Reply, to request: HTTPRequest) {
    let type = reply.response.headerFields[.contentType].flatMap { MediaRange($0) }
    let isSSE = type?.syntax != .jsonSequence
    self.init(request: request) {
      var reply = reply
      var response = reply.response
      response.headerFields[.contentLength] = nil
      response.headerFields[.cacheControl] = "no-cache"
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
