import HTTPTypes
import UnderstudyMock

/// The requests about the mock as a whole: health, metrics, reset, reload.
struct MockRoutes: ParameterlessRoutes {
  let admin: AdminRequest
  private var journal: Journal { admin.host.journal }

  func health() -> Reply {
    admin.answer(
      .object(
        ("status", "up"), ("version", .string(ServerVersion.current)),
        ("uptimeInSeconds", .integer((Timestamp.microseconds() - admin.host.startedAt) / 1_000_000)),
        ("contracts", .array(mock.contracts.map { .string($0.api.name) })),
        ("operations", .integer(mock.operations.count)), ("requests", .integer(journal.totals.exchanges)),
        ("store", admin.host.lanes.storeFacts.map { .string($0.summary) }),
        ("replica", admin.host.replicas.map { .string($0.name) }),
        ("cutOff", admin.host.replicas.map { JSON(booleanLiteral: $0.isCutOff) })))
  }

  /// What a client can expect of this mock.
  func version() -> Reply {
    admin.answer(
      .object(
        ("api", 1), ("program", .string(ServerVersion.current)),
        ("features", .array(Self.features.map { .string($0) }))))
  }

  /// What the admin API has beyond its first version; names are added, and none is removed.
  private static let features = [
    "arrivals", "dynamic", "events", "limit", "port", "replies", "routes", "sockets", "states", "variants", "version",
    "wait", "webhooks",
  ]

  /// Begins anew: the lane without a name, and the journal.
  func reset() throws(LaneProblem) -> Reply {
    try admin.host.lanes.unnamed.change(.reset(isNamed: false), by: mock)
    try admin.host.clearJournal()
    try admin.host.restartUnnamed()
    return health()
  }

  /// Reads the contracts and fixtures again.
  func reload() -> Reply {
    let admin = admin
    return admin.answer(later: {
      switch await admin.host.reloadAll() {
      case true?: return admin.answer(.object(("reloaded", true)))
      case false?:
        return LaneProblem(
          .conflict, "the files have errors, so that the last valid state is served", help: "the log names them"
        ).reply
      case nil:
        return LaneProblem(.conflict, "this mock was not loaded from files", help: "replace it where it was made").reply
      }
    })
  }

  func metrics() -> Reply {
    var text = MetricsText()
    text.add(journal.totals)
    let size = journal.size
    for (name, kind, help, value) in [
      ("lanes", "gauge", "Open lanes with a name.", admin.host.lanes.names.count),
      ("connections", "gauge", "Open connections of clients.", admin.host.connections.count),
      ("journal_requests", "gauge", "Requests that the journal holds.", size.exchanges),
      ("journal_bytes", "gauge", "What the journal holds, in bytes.", size.bytes),
      ("journal_dropped_total", "counter", "Requests that the journal no longer holds.", size.dropped),
      ("sockets", "gauge", "Open sockets.", admin.host.sockets.count),
      ("socket_messages_total", "counter", "Messages that sockets have sent and received.", journal.traffic.newest),
      ("operations", "gauge", "Operations of the contracts.", mock.operations.count),
    ] {
      text.metric(name, kind, help)
      text.sample(name, [], "\(value)")
    }
    if let store = admin.host.lanes.storeFacts { text.add(store) }
    let tally = admin.host.sockets.tally
    text.metric("socket_ends_total", "counter", "Ended WebSockets, by the code of the close frame; 1006 for none.")
    for (code, count) in tally.ends.sorted(by: { $0.key < $1.key }) {
      text.sample("socket_ends_total", [("code", "\(code)")], "\(count)")
    }
    text.metric("socket_refusals_total", "counter", "Refused requests for sockets, by status.")
    for (status, count) in tally.refusals.sorted(by: { $0.key < $1.key }) {
      text.sample("socket_refusals_total", [("status", "\(status)")], "\(count)")
    }
    text.metric("info", "gauge", "The version of the program.")
    text.sample("info", [("version", ServerVersion.current)], "1")
    return admin.answer(Array(text.text.utf8), "text/plain; version=0.0.4; charset=utf-8")
  }
}
