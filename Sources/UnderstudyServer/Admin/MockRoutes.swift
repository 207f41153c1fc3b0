import HTTPTypes
import Understudy

/// The requests about the mock as a whole: health, operations, scenarios, metrics.
struct MockRoutes {
  private let admin: AdminRequest
  private var mock: Mock { admin.mock }
  private var journal: Journal { admin.host.journal }

  init(_ admin: AdminRequest) throws(LaneProblem) {
    self.admin = admin
    try admin.requireParameters([])
  }

  func health() -> Reply {
    admin.answer(
      .object(
        ("status", "up"), ("version", .string(ServerVersion.current)),
        ("uptimeInSeconds", .integer((Timestamp.microseconds() - admin.host.startedAt) / 1_000_000)),
        ("contracts", .array(mock.contracts.map { .string($0.api.name) })),
        ("operations", .integer(mock.operations.count)), ("requests", .integer(journal.totals.exchanges))))
  }

  /// The matrix: for each operation the cells, what answers in them, and how often they were served.
  func operations() -> Reply {
    let totals = journal.totals
    let forced = admin.host.lanes.unnamed.value.forced
    var position = 0
    var rows: [JSON] = []
    for contract in mock.contracts {
      for compiled in contract.compiled.operations {
        let operation = mock.operations[position]
        position += 1
        let cells = contract.cells(of: compiled).map { cell in
          JSON.object(
            ("status", .string(cell.cell.status.description)),
            ("meaning", cell.cell.explicitMeaning.map { .string($0) }),
            ("answer", .string(RouteListing.answer(cell).rawValue)),
            ("names", .array(cell.names.map { .string($0) })),
            ("served", .integer(totals.count(of: operation, status: cell.cell.status))))
        }
        let own = forced.last { compiled.isNamed($0.operation) }
        rows.append(
          .object(
            ("id", .string(compiled.id)), ("contract", .string(contract.api.name)),
            ("method", .string(compiled.operation.method)),
            ("path", .string(compiled.basePath + compiled.operation.path)),
            ("forced", (own?.answer ?? operation.forced?.label).map { .string($0) }),
            ("forcedTimes", own?.times.map { .integer($0) }), ("cells", .array(cells))))
      }
    }
    return admin.answer(.object(("operations", .array(rows))))
  }

  func scenarios() -> Reply {
    let played = admin.host.lanes.unnamed.value.scenario
    let names = Set(mock.contracts.flatMap { $0.scenarios.map(\.name) }).sorted()
    return admin.answer(
      .object(
        (
          "scenarios",
          .array(
            names.map { name in
              .object(("name", .string(name)), ("isPlayed", JSON(booleanLiteral: name == played)))
            })
        )))
  }

  /// Begins anew: the lane without a name, and the journal.
  func reset() -> Reply {
    admin.host.lanes.unnamed.update { state in
      state = (state.origin ?? LaneOpening()).state(of: mock, isNamed: false)
    }
    journal.clear()
    return health()
  }

  func metrics() -> Reply {
    var text = MetricsText()
    text.add(journal.totals)
    let size = journal.size
    for (name, kind, help, value) in [
      ("lanes", "gauge", "Open lanes with a name.", admin.host.lanes.names.count),
      ("journal_requests", "gauge", "Requests that the journal holds.", size.exchanges),
      ("journal_bytes", "gauge", "What the journal holds, in bytes.", size.bytes),
      ("journal_dropped_total", "counter", "Requests that the journal no longer holds.", size.dropped),
      ("operations", "gauge", "Operations of the contracts.", mock.operations.count),
    ] {
      text.metric(name, kind, help)
      text.sample(name, [], "\(value)")
    }
    text.metric("info", "gauge", "The version of the program.")
    text.sample("info", [("version", ServerVersion.current)], "1")
    return admin.answer(Array(text.text.utf8), "text/plain; version=0.0.4; charset=utf-8")
  }
}

/// The version that the admin API states.
package enum ServerVersion {
  package static let current = "0.1.0"
}
