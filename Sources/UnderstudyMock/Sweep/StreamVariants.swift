import UnderstudyJSON
import UnderstudySockets

/// The stream of an operation, and what can happen to it.
struct StreamVariants {
  typealias Variant = (kind: SweepCase.Kind, script: EventStreamScript, isUnusable: Bool)

  let type: String
  /// Whether a contract declares it, so that rules send it; otherwise it is the body of the default response.
  let isDeclared: Bool
  private let events: EventStreamScript
  private let error: JSONValue

  /// `nil` if the response is not a stream.
  ///
  /// - Parameter sockets: Those of the mock.
  init?(_ usual: Reply, of operation: MockOperation, _ sockets: MockSockets?) {
    if let sockets, let (number, environment) = usual.declaredStream(of: operation, sockets) {
      type = sockets.type(ofStream: number)
      isDeclared = true
      events = sockets.events(ofStream: number, environment)
    } else {
      guard let field = usual.response.headerFields[.contentType], let range = MediaRange(field),
        range.syntax == .eventStream || range.syntax == .jsonSequence
      else { return nil }
      type = field
      isDeclared = false
      events = EventStreamScript(body: usual.body, isSSE: range.syntax == .eventStream)
    }
    error = sockets?.errorData() ?? ["error": ["message": "the server failed"]]
  }

  private var isSSE: Bool { MediaRange(type)?.syntax == .eventStream }

  var body: [UInt8] { events.bytes(isSSE: isSSE) }

  /// In the order of the table; those of an event are missing where the stream has none.
  var all: [Variant] {
    let steps = events.steps
    let (first, next) = (steps.prefix(1), steps.dropFirst().first ?? steps.first)
    let names = steps.compactMap { if case .event(let name, _) = $0 { name } else { nil } }
    // A stream without types has none for an error either.
    let error = EventStreamScript.Step.event(names.isEmpty || !isSSE ? nil : "error", error)
    var all: [Variant] = []
    func add(_ kind: SweepCase.Kind, _ steps: [EventStreamScript.Step], isUnusable: Bool = false) {
      all.append((kind, EventStreamScript(steps), isUnusable))
    }
    if !steps.isEmpty { add(.streamWhole, steps) }
    add(.streamEmpty, [])
    if steps.count > 1 { add(.streamShort, Array(steps.prefix(steps.count / 2))) }
    add(.streamError, first + [error])
    if case .event(let name, let data)? = next {
      let malformed = EventStreamScript.Step.text(name, SocketFault.cut(data.plainText))
      add(.streamMalformed, steps.count > 1 ? first + [malformed] + steps.dropFirst(2) : [malformed])
    }
    add(.streamStall, first + [.stall])
    if case .event(let name, let data)? = next {
      add(.streamCut, (steps.count > 1 ? Array(first) : []) + [.cut(name, data)], isUnusable: true)
    }
    add(.streamLost, first + [.drop], isUnusable: true)
    return all
  }
}

extension Reply {
  fileprivate func declaredStream(of operation: MockOperation, _ sockets: MockSockets) -> (Int, JSON)? {
    if case .stream(let number, _, let environment)? = self.sockets { return (number, environment) }
    // That of the journal has become a body in pieces.
    guard case .streamed = content, !source.isWritten else { return nil }
    return sockets.stream(of: operation.id).map { ($0, .object([])) }
  }
}
