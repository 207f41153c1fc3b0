import UnderstudyMock

/// The requests to `/__admin/sockets/messages`: what sockets have sent and received, in all lanes.
struct SocketTrafficRoutes {
  private let admin: AdminRequest

  private static let limits = 1...SocketTraffic.limit

  init(_ admin: AdminRequest) { self.admin = admin }

  /// The newest first.
  func list() throws(LaneProblem) -> Reply {
    try admin.requireParameters(["after", "lane", "limit"])
    let limit = try admin.number("limit", in: Self.limits) ?? SocketTraffic.limit
    let after = try admin.number("after", in: JournalFilter.numbers) ?? 0
    let lane = admin.text("lane")
    let entries = admin.host.journal.traffic.entries(after: after).reversed().lazy
      .filter { lane == nil || ($0.socket.lane ?? LaneName.unnamed.text) == lane }.prefix(limit)
    let chosen = Array(entries)
    return admin.answer(later: { [admin] in
      let printer = admin.host.printer()
      return admin.answer(Redacted.list(chosen.map { printer.summary($0) }).map { .object(("messages", .array($0))) })
    })
  }
}
