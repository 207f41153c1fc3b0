import UnderstudyJSON
import UnderstudySchema
package import UnderstudySockets

/// Plays the requests and the sockets of a session to a mock of planned files; `nil` if the files cannot be played.
package typealias PlanPlayer =
  @Sendable (_ plan: RecordingPlan, _ scenario: String?, _ session: PlayedSession) -> PlayedSession.Outcome?

/// The part of a session that clients sent, to be played against a mock.
package struct PlayedSession: Sendable {
  /// The requests in the order of the recording.
  package var requests: [Exchange]
  package var sockets: [PlayedSocket] = []

  /// The part of a session that the mock sent.
  package struct Outcome: Sendable {
    package var responses: [Exchange.Response]
    /// The outputs of each socket, in order.
    package var outputs: [[PlayedSocket.Output]]

    package init(responses: [Exchange.Response], outputs: [[PlayedSocket.Output]] = []) {
      (self.responses, self.outputs) = (responses, outputs)
    }
  }
}

/// The steps of a socket's client, and the outputs that the rules of the recording send.
package struct PlayedSocket: Sendable {
  package enum Action: Sendable {
    case connect
    case event(String, SocketArguments, id: Int?)
  }

  package struct Step: Sendable {
    /// Microseconds since 1970.
    package var time: Int
    package var namespace: String
    package var action: Action
  }

  /// An output as a client sees it.
  package struct Output: Sendable, Hashable {
    var namespace: String
    /// `emit`, `ack`, `disconnect`, `close`, `drop` or `refuse`.
    var kind: String
    /// The name of an event, or the reason of an end.
    var name = ""
    var value = JSONValue.null

    init(_ kind: String, _ name: String = "", _ value: JSON = .null, in namespace: String) {
      (self.kind, self.name, self.namespace) = (kind, name, namespace)
      self.value = JSONValue(value)
    }

    /// `nil` for the acceptance of a client.
    package init?(_ output: SocketOutput) {
      namespace = output.namespace
      switch output.action {
      case .accept: return nil
      case .emit(let name, let arguments, _), .cut(let name, let arguments), .malformed(let name, let arguments),
        .hold(let name, let arguments):
        (kind, self.name, value) = ("emit", name, arguments)
      case .acknowledge(_, let arguments, _): (kind, value) = ("ack", arguments)
      case .disconnect: kind = "disconnect"
      case .close(let code, let reason): (kind, name, value) = ("close", reason, .number(.init(Int(code.rawValue))))
      case .drop: kind = "drop"
      case .refuse(let message, let data): (kind, name, value) = ("refuse", message, data ?? .null)
      }
    }

    /// `emit chat`, as a report names it: without arguments, which may have secrets.
    var label: String { kind == "emit" ? "\(kind) \(name)" : kind }
  }

  package let description: SocketDescription
  package var steps: [Step] = []
  var outputs: [Output] = []

  init(_ description: SocketDescription) { self.description = description }

  /// The differences of the outputs from a replay, as ends of lines.
  func differences(from found: [Output]) -> [String] {
    // Namespaces share a connection, and no order.
    Set((outputs + found).map(\.namespace)).sorted().flatMap { namespace -> [String] in
      let own = outputs.filter { $0.namespace == namespace }
      let other = found.filter { $0.namespace == namespace }
      let pairs = zip(own, other).filter { $0 != $1 }
      let wrong = pairs.map {
        "expected `\($0.label)`, found \($0.label == $1.label ? "other values" : "`\($1.label)`")"
      }
      let lost = own.dropFirst(other.count).map { "expected `\($0.label)`, found nothing" }
      return wrong + lost + other.dropFirst(own.count).map { "found `\($0.label)`, expected nothing" }
    }
  }
}
