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
  package var fullName: String { sweepCase.fullName }
}
