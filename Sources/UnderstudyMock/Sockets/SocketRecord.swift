import UnderstudyJSON
package import UnderstudySockets
import UnderstudySystem
import UnderstudyText

/// What a socket sends and receives while it is open, for the journal and the log; its exchange is reported at its end.
package final class SocketRecord: Sendable {
  /// Where the records of a server go.
  package struct Sinks: Sendable {
    /// Notes an exchange that has begun; it is open as long as the result is held.
    let open: @Sendable (ServedRequest) -> OpenStream?
    let message: @Sendable (SocketMessage, SocketIdentity) -> Void
    let report: @Sendable (ServedRequest) -> Void

    package init(
      open: @escaping @Sendable (ServedRequest) -> OpenStream?,
      message: @escaping @Sendable (SocketMessage, SocketIdentity) -> Void,
      report: @escaping @Sendable (ServedRequest) -> Void
    ) {
      (self.open, self.message, self.report) = (open, message, report)
    }
  }

  /// Makes the record of a socket from its number.
  package typealias Maker = @Sendable (Int) -> SocketRecord?

  private let transcript: SocketTranscript
  private let exchange: ServedRequest
  private let stream: OpenStream?
  private let sinks: Sinks
  private let start = ContinuousClock.now
  private let isSocketIO: Bool

  /// - Parameters:
  ///   - handshake: The request that opened it, with the response.
  ///   - isRelayed: Whether the upstream has the other end.
  ///   - isRecorded: Whether all messages are held, up to higher limits.
  package init(
    _ id: Int, _ description: SocketDescription, lane: String?, _ handshake: ServedRequest, isRelayed: Bool = false,
    isRecorded: Bool = false, _ sinks: Sinks
  ) {
    let identity = SocketIdentity(id, lane: lane, description, handshake)
    transcript = SocketTranscript(identity, isRecorded ? .recording : .usual)
    var reply = handshake.reply
    reply.source = isRelayed ? ReplySource(.upstream) : ReplySource(.socket(id))
    reply.lane = lane
    exchange = handshake.with(reply: reply, transcript: transcript)
    stream = sinks.open(exchange)
    self.sinks = sinks
    isSocketIO = description.kind == .socketio
  }

  package func note(_ message: SocketMessage) {
    let noted = transcript.append(message, at: Timestamp.microseconds())
    sinks.message(noted, transcript.identity)
  }

  func remember(_ value: JSONValue, as name: String) { transcript.identity.remember(value, as: name) }

  /// - Parameter findings: The rules that the client breaks by the event.
  func note(_ event: SocketEvent, _ findings: [Diagnostic]) {
    switch event {
    case .connecting(_, _, let namespace, let auth, _):
      // The handshake of other sockets is their request.
      guard isSocketIO else { return }
      note(SocketMessage(.connect, isFromClient: true, in: namespace, Self.list(auth.map { [$0] } ?? [])))
    case .event(_, let namespace, let name, let arguments, let number):
      var message = SocketMessage(
        .event, isFromClient: true, in: namespace, event: name, Self.list(arguments.values),
        attachments: arguments.attachments)
      message.acknowledgement = isSocketIO ? number : nil
      message.findings = findings
      note(message)
    case .disconnected(_, let namespace):
      if isSocketIO { note(SocketMessage(.disconnect, isFromClient: true, in: namespace, [])) }
    case .answered, .command, .time: break
    }
  }

  func noteAcknowledgement(_ number: Int, _ arguments: SocketArguments, in namespace: String) {
    var message = SocketMessage(
      .acknowledgement, isFromClient: true, in: namespace, Self.list(arguments.values),
      attachments: arguments.attachments)
    message.acknowledgement = number
    note(message)
  }

  /// - Parameter written: The text of the arguments before, which the outputs of a broadcast share.
  func note(_ output: SocketOutput, _ written: inout WrittenArguments) {
    func message(
      _ kind: SocketMessage.Kind, _ arguments: [UInt8] = [], event: String? = nil, _ attachments: [[UInt8]] = []
    )
      -> SocketMessage
    {
      SocketMessage(
        kind, isFromClient: false, in: output.namespace, event: event, arguments, attachments: attachments)
    }
    switch output.action {
    case .accept: if isSocketIO { note(message(.connect)) }
    case .refuse(let text, let data):
      let error = JSONValue.object(
        [JSONValue.Member("message", .string(text))] + (data.map { [JSONValue.Member("data", $0)] } ?? []))
      note(message(.refusal, JSONValue.array([error]).bytes))
    case .emit(let name, let arguments, let attachments):
      note(message(.event, written.bytes(of: arguments), event: name, attachments))
    case .acknowledge(let number, let arguments, let attachments):
      var answer = message(.acknowledgement, written.bytes(of: arguments), attachments)
      answer.acknowledgement = isSocketIO ? number : nil
      note(answer)
    case .disconnect: note(message(.disconnect))
    case .close(let code, let reason):
      note(message(.close, Self.list([.integer(Int(code.rawValue))] + (reason.isEmpty ? [] : [.string(reason)]))))
    case .drop: note(message(.drop))
    case .cut(let name, let arguments): note(message(.cut, written.bytes(of: arguments), event: name))
    case .hold(let name, let arguments): note(message(.held, written.bytes(of: arguments), event: name))
    case .malformed(let name, let arguments):
      note(message(.event, SocketFault.cut(written.bytes(of: arguments)), event: name))
    }
  }

  /// - Parameters:
  ///   - problem: The reason that a part of the traffic could not be decoded.
  ///   - findings: The findings about the connection itself.
  package func end(undecoded problem: String? = nil, findings: [Diagnostic] = []) {
    var reply = exchange.reply
    reply.diagnostics = findings + transcript.findings
    if let problem {
      reply.notValidated = [
        ValidationResult.NotValidated(pointer: "", reason: "messages of the socket cannot be read: \(problem)")
      ]
    }
    let ended = exchange.with(reply: reply, after: ContinuousClock.now - start, openNumber: stream?.number)
    // Held until the exchange is reported, so that it is never in neither list.
    withExtendedLifetime(stream) { sinks.report(ended) }
  }

  private static func list(_ values: [JSON]) -> [UInt8] { JSONWriter.bytes(.array(values)) }
}

/// The text of the last arguments that were sent: the outputs of a broadcast share their arguments, which are written once.
struct WrittenArguments {
  private var arguments = JSONValue.null
  private var text: [UInt8] = []

  mutating func bytes(of arguments: JSONValue) -> [UInt8] {
    // Arrays that share their storage are equal at once.
    if arguments != self.arguments { (self.arguments, text) = (arguments, arguments.bytes) }
    return text
  }
}
