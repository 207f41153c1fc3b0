import UnderstudyMock

/// The requests to `/__admin/operations` and `/__admin/coverage`.
struct OperationRoutes: ParameterlessRoutes {
  let admin: AdminRequest

  /// The matrix: for each operation the cells, what answers in them, and how often they were served.
  func list() throws(LaneProblem) -> Reply {
    let counts = try admin.host.requestCounts()
    let forced = try admin.host.lanes.unnamed.value.forced
    var position = 0
    var rows: [JSON] = []
    for contract in mock.contracts {
      for compiled in contract.compiled.operations {
        let operation = mock.operations[position]
        position += 1
        let cells = contract.cells(of: compiled).map { cell in
          JSON.object(
            ("status", .string(cell.cell.status.description)),
            ("meaning", cell.cell.meaning.map { .string($0) }),
            ("answer", .string(RouteListing.answer(cell).rawValue)),
            ("names", .array(cell.names.map { .string($0) })),
            ("served", .integer(JournalTotals.count(of: operation, status: cell.cell.status, in: counts))))
        }
        let own = forced.last { compiled.isNamed($0.operation) }
        rows.append(
          .object(
            ("id", .string(compiled.id)), ("contract", .string(contract.api.name)),
            ("method", .string(compiled.operation.method)),
            ("path", .string(compiled.basePath + compiled.operation.path)),
            ("summary", compiled.operation.summary.map { .string($0) }),
            ("tags", compiled.operation.tags.isEmpty ? nil : .array(compiled.operation.tags.map { .string($0) })),
            ("forced", own.map { .string($0.answer) }),
            ("forcedAtStart", operation.forced.map { .string($0.label) }),
            ("forcedTimes", own?.times.map { .integer($0) }), ("cells", .array(cells))))
      }
    }
    return admin.answer(.object(("operations", .array(rows)), ("events", .array(eventCells.map(event)))))
  }

  private var eventCells: [EventCell] { mock.contracts.flatMap(\.eventCells) }

  private func event(_ cell: EventCell) -> JSON {
    .object(
      ("contract", .string(cell.contract)), ("name", .string(cell.event)), ("status", .string(cell.status)),
      ("transport", .string(cell.transport)), ("path", .string(cell.path)),
      ("files", .array(cell.files.map { .string($0) })),
      ("served", .integer(admin.host.journal.traffic.count(of: cell))))
  }

  /// A request of an operation, as a form with a value for every part.
  func read() throws(LaneProblem) -> Reply {
    let name = PercentEncoding.decode(admin.path[1]) ?? admin.path[1]
    guard let operation = mock.operations.first(where: { $0.key.utf8Equals(name) || $0.id.utf8Equals(name) }) else {
      throw LaneProblem(
        .unknown, "no operation is called `\(VisibleText.shortened(name, to: 100))`",
        help: Suggestion.phrase(for: name, among: mock.operations.map(\.id))
          ?? "GET \(admin.root)/operations lists them")
    }
    let form = admin.host.access?.settings.tools?.requestForm(operation, mock.options.seed) ?? []
    return admin.answer(
      .object(
        present: [
          ("id", .string(operation.id)), ("contract", .string(operation.compiled.api.name)),
          ("method", .string(operation.compiled.operation.method)),
          ("path", .string(operation.compiled.basePath + operation.compiled.operation.path)),
        ] + form))
  }

  /// How many cells have answered since the start, and which have not.
  func coverage() throws(LaneProblem) -> Reply {
    let counts = try admin.host.requestCounts()
    var missing: [JSON] = []
    var cells = 0
    for operation in mock.operations + mock.coveredCallbacks(counts) {
      for cell in operation.cells where cell.response != nil {
        cells += 1
        guard JournalTotals.count(of: operation, status: cell.status, in: counts) == 0 else { continue }
        missing.append(
          .object(
            ("contract", .string(operation.compiled.api.name)), ("operation", .string(operation.id)),
            ("status", .string(cell.status.description))))
      }
    }
    for cell in eventCells {
      cells += 1
      guard admin.host.journal.traffic.count(of: cell) == 0 else { continue }
      missing.append(
        .object(
          ("contract", .string(cell.contract)), ("operation", .string(cell.event)), ("status", .string(cell.status))))
    }
    return admin.answer(
      .object(("cells", .integer(cells)), ("served", .integer(cells - missing.count)), ("missing", .array(missing))))
  }
}
