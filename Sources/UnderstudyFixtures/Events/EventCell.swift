import UnderstudySockets

/// An event of a socket in one direction: what a status is to an operation.
package struct EventCell: Sendable, Hashable {
  package let contract: String
  package let event: String
  package let isFromClient: Bool
  package let transport: String
  package let path: String
  /// The names of its files in `_events`.
  package let files: [String]

  package var status: String { isFromClient ? "recv" : "sent" }
  /// Where a coverage lists it: the path of the socket with the event.
  package var place: String { "\(path)#\(event)" }
  /// The word in place of the method of an operation.
  package static let method = "EVENT"
}

extension Contract {
  /// The events that its sockets declare, in the order of their declaration.
  package var eventCells: [EventCell] {
    sockets.descriptions.filter(\.kind.isTwoWay).flatMap { description in
      description.events.map { event -> EventCell in
        let files = sockets.fixtures.map(\.name).filter {
          SocketContract.event(of: $0, sockets.descriptions)?.name == event.name
        }
        return EventCell(
          contract: api.name, event: event.name, isFromClient: event.isFromClient,
          transport: description.kind.rawValue, path: description.path, files: event.isFromClient ? [] : files)
      }.unique()
    }
  }

  package func hasBrokenFile(_ cell: EventCell, _ rules: RuleSettings) -> Bool {
    let options = rules.validationOptions()
    return sockets.fixtures.contains { cell.files.contains($0.name) && !sockets.verify($0, options).findings.isEmpty }
  }
}
