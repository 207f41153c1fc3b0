import HTTPTypes
import UnderstudyJSON
package import UnderstudySockets

/// A case of a sweep with the reply, or the change of an event, that produces it.
package struct SweepVariant: Sendable {
  package let sweepCase: SweepCase
  package let override: ReplyOverride
  /// The change of an event; `nil` for a variant of a response.
  package let event: EventChange?

  /// A fault of an event, and the event itself where nothing sends it.
  package struct EventChange: Sendable {
    package let name: String
    /// The positions of the descriptions of the sockets that declare it.
    package let sockets: Set<Int>
    /// `nil` for the event as it is.
    package let fault: SocketFault?
    /// The arguments that each socket gets once it is connected; `nil` where rules send the event.
    package let sent: JSON?

    /// Whether a client may never see the event under its name.
    package var isHidden: Bool {
      switch fault?.kind {
      case .missed?, .renamed?, .late?: true
      default: false
      }
    }

    /// The faults of a lane that change the event so.
    package var faults: [SocketFault] {
      [fault, sent.map { SocketFault(sending: name, $0, on: sockets) }].compactMap(\.self)
    }
  }

  init(_ kind: SweepCase.Kind, _ detail: String = "", _ event: EventChange) {
    self.init(kind, detail, of: "\(EventCell.method) \(event.name)", ReplyOverride(), event)
  }

  init(
    _ kind: SweepCase.Kind, _ detail: String = "", of operation: String, status: Int? = nil, isUnusable: Bool = false,
    _ override: ReplyOverride, _ event: EventChange? = nil
  ) {
    sweepCase = SweepCase(operation: operation, kind: kind, detail: detail, status: status, isUnusable: isUnusable)
    self.override = override
    self.event = event
  }

  package var operation: String { sweepCase.operation }
  package var kind: SweepCase.Kind { sweepCase.kind }
  package var detail: String { sweepCase.detail }
  package var status: Int? { sweepCase.status }
  package var isUnusable: Bool { sweepCase.isUnusable }
  package var name: String { sweepCase.name }
  /// Whether the connection closes within the head, which ends every process with a `URLSession` on Linux.
  package var closesInHead: Bool { override.fault == .close(at: .head) }
  package var fullName: String { sweepCase.fullName }
}

extension SweepVariant {
  /// The fields that the server adds to each response.
  private static let added: [HTTPField.Name] = [.understudyReply, .contentLength, .date]

  /// Changes the lane of a run, in which the replies that a test has chosen stay late or broken responses.
  package func apply(to state: inout LaneState, of mock: Mock) {
    if let event { state.sockets.faults = event.faults + state.sockets.faults }
    guard let operation = mock.operations.first(where: { $0.id.utf8Equals(self.operation) }) else { return }
    var step = LaneReply.Step()
    step.delay = override.delay
    step.fault = override.fault.map { FaultPlan(fault: $0, text: "\($0)") }
    switch override.answer {
    case .usual: return state.change(repliesTo: operation, by: step)
    case .cell(let forcing): step.cell = forcing.name.map { "\(forcing.code).\($0)" } ?? "\(forcing.code)"
    case .stream(let script, let status, _):
      step.stream = LaneReply.Stream(status: status, events: JSONValue(LaneReplyEvents.list(script)), script)
    case .response(let response, let body, _):
      step.response = LaneReply.Response(
        status: response.status.code,
        headers: response.headerFields.filter { !Self.added.contains($0.name) }
          .map { LaneReply.Response.Field($0.name.rawName, $0.value) }, body: body)
    }
    state.add(LaneReply(to: operation, steps: [step]))
  }
}
