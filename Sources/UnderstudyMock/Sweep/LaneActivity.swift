import UnderstudyJSON
import UnderstudySockets

/// The requests and the sockets of a client in a lane, in the order of their arrival.
package struct LaneActivity: Sendable {
  /// The requests that open no socket.
  package let requests: [ServedRequest]
  private let sockets: [SocketTranscript]

  /// The number of requests, with the handshakes of sockets.
  package var count: Int { requests.count + sockets.count }

  package init(of lane: LaneName, in journal: Journal) {
    // An exchange that ends between the two questions is in both lists.
    let streams = journal.streams
    let ended = journal.entries().map(\.served)
    let known = Set(ended.compactMap(\.openNumber))
    let all = (ended + streams.filter { !known.contains($0.number) }.map(\.exchange)).filter {
      ($0.reply.lane ?? LaneName.unnamed.text).utf8Equals(lane.text)
    }.sorted { $0.startedAt < $1.startedAt }
    requests = all.filter { $0.transcript == nil }
    sockets = all.compactMap(\.transcript)
  }

  /// The variants of the responses that the client got, each operation by its first one, and of the events of its sockets.
  ///
  /// - Parameters:
  ///   - operations: The ids of the operations whose responses vary; empty for all, with the events.
  ///   - seed: Selects the members where a body has more than a sweep changes.
  package func variants(of operations: [String], seed: String, by mock: Mock) -> [SweepVariant] {
    var known: Set<String> = []
    let responses = requests.flatMap { exchange -> [SweepVariant] in
      guard let operation = exchange.reply.operation, operations.isEmpty || operations.contains(operation.id),
        known.insert(operation.key).inserted
      else { return [] }
      return SweepPlan(operation, usual: exchange.reply, seed: seed, sockets: mock.sockets).variants
    }
    guard operations.isEmpty, let descriptions = mock.sockets?.descriptions else { return responses }
    let opened = descriptions.indices.filter { index in
      sockets.contains { socket in
        let description = socket.identity.description
        return description.kind == descriptions[index].kind && description.path.utf8Equals(descriptions[index].path)
      }
    }
    return responses + EventPlan(mock, opened: Set(opened), sent: events).variants
  }

  private static let eventLimit = 10

  /// The arguments of the first events that the sockets received, by the name of the event.
  private var events: [String: [JSON]] {
    var events: [String: [JSON]] = [:]
    for message in sockets.flatMap(\.messages) where !message.isFromClient && message.kind == .event && message.isWhole
    {
      guard let name = message.event, events[name, default: []].count < Self.eventLimit,
        let arguments = MessageBody(message.arguments).root
      else { continue }
      events[name, default: []].append(arguments)
    }
    return events
  }

  /// The number of requests before the event of a variant first concerned a socket; `nil` if it concerned none.
  package func position(of event: SweepVariant.EventChange) -> Int? {
    let times = sockets.compactMap { socket -> Int? in
      guard !event.isHidden else {
        return socket.identity.description.declares(event.name, isFromClient: false) ? socket.identity.startedAt : nil
      }
      return socket.messages.first { !$0.isFromClient && $0.event?.utf8Equals(event.name) == true }?.time
    }
    return times.min().map { time in requests.prefix { $0.startedAt < time }.count }
  }
}
