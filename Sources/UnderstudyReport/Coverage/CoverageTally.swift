/// Counts exchanges into the rows of a coverage.
package struct CoverageTally: Sendable {
  package private(set) var coverage = Coverage()
  /// The rows of each operation, in the order of the contracts.
  private var operations: [OperationRows] = []
  private var undocumented: [Coverage.Undocumented: Int] = [:]
  /// The rows of events; empty until a socket is counted.
  private var events: [(cell: EventCell, row: Int)] = []

  private struct OperationRows: Sendable {
    var operation: Operation
    var rows: Range<Int>
    var requestTypes: [MediaRange]
    /// Parsed from the rows, in their order.
    var keys: [Key]
  }

  private struct Key: Sendable {
    var request: MediaRange?
    var status: Response.Status
    var response: MediaRange?
  }

  /// The most undocumented statuses that are listed.
  package static let undocumentedLimit = 1000

  /// One row for each documented answer of each operation, without marks.
  package init(_ contracts: [CompiledContract]) {
    for compiled in contracts.flatMap(\.operations) {
      let operation = compiled.operation
      let contract = compiled.api.name
      let start = coverage.rows.count
      var keys: [Key] = []
      let requestTypes = Self.types(operation.requestBody?.content ?? [])
      for requestType in requestTypes {
        for response in operation.responses {
          for responseType in Self.types(response.content) {
            coverage.rows.append(
              Coverage.Row(
                contract: contract, operation: operation.id, method: operation.method, path: operation.path,
                requestType: requestType, status: response.status.description, meaning: response.explicitMeaning,
                responseType: responseType, isDeprecated: operation.isDeprecated, marks: [], tried: 0, seen: 0))
            keys.append(
              Key(
                request: requestType.flatMap { MediaRange($0) }, status: response.status,
                response: responseType.flatMap { MediaRange($0) }))
          }
        }
      }
      operations.append(
        OperationRows(
          operation: operation, rows: start..<coverage.rows.count,
          requestTypes: requestTypes.compactMap { $0.flatMap { MediaRange($0) } }, keys: keys))
    }
  }

  /// The media types of a body; one `nil` if there are none.
  private static func types(_ content: [MediaTypeObject]) -> [String?] {
    content.isEmpty ? [nil] : content.map(\.range)
  }

  /// Counts an exchange of an operation.
  ///
  /// A request without a body, or with an undocumented media type, counts for all documented types; otherwise a 401 or
  /// a 415 could not be reached.
  /// - Parameters:
  ///   - index: The operation's position in the order of the contracts.
  ///   - holds: Whether the exchange was validated in both directions and found valid.
  package mutating func count(
    operation index: Int, requestType: MediaRange?, status: Int, responseType: MediaRange?, holds: Bool
  ) {
    guard operations.indices.contains(index) else { return }
    let operation = operations[index]
    let sent = requestType.flatMap { type in
      MediaRange.mostSpecific(of: operation.requestTypes, for: type).map { operation.requestTypes[$0] }
    }
    let cell = operation.operation.response(for: status)?.status
    let answers = operation.keys.filter { $0.status == cell }.compactMap(\.response)
    let got = responseType.flatMap { type in MediaRange.mostSpecific(of: answers, for: type).map { answers[$0] } }
    // A response without a body has no type. If only one type is documented, the response has that one.
    let isOnly = Set(answers).count <= 1 && responseType == nil
    for (row, key) in zip(operation.rows, operation.keys) where sent == nil || key.request == sent {
      coverage.rows[row].tried += 1
      guard key.status == cell, key.response == got || isOnly else { continue }
      coverage.rows[row].seen += 1
      coverage.rows[row].marks.insert(.served)
      if holds { coverage.rows[row].marks.insert(.asserted) }
    }
    guard cell == nil else { return }
    count(
      undocumented: status, operation.operation.method, operation.operation.path,
      contract: operation.rows.first.map { coverage.rows[$0].contract })
  }

  /// Adds a row for each event that the sockets of contracts declare, once. A mock that no client has opened a socket of
  /// has none, so that clients without sockets lack nothing.
  package mutating func addEvents(of contracts: [Contract], rules: RuleSettings) {
    guard events.isEmpty else { return }
    for contract in contracts {
      for cell in contract.eventCells {
        events.append((cell, coverage.rows.count))
        // Only what the mock sends needs a file.
        var marks: Set<Coverage.Mark> = cell.isFromClient || !cell.files.isEmpty ? [.fixture] : []
        if !marks.isEmpty, !contract.hasBrokenFile(cell, rules) { marks.insert(.valid) }
        coverage.rows.append(
          Coverage.Row(
            contract: cell.contract, operation: cell.event, method: EventCell.method, path: cell.place,
            requestType: nil, status: cell.status, meaning: nil, responseType: nil, isDeprecated: false, marks: marks,
            tried: 1, seen: 0))
      }
    }
  }

  /// Counts an event of a socket.
  ///
  /// - Parameter holds: Whether it was validated and found valid.
  package mutating func count(event: String, isFromClient: Bool, contract: String, holds: Bool) {
    for (cell, row) in events
    where cell.event == event && cell.isFromClient == isFromClient && cell.contract.utf8Equals(contract) {
      coverage.rows[row].seen += 1
      coverage.rows[row].marks.insert(.served)
      if holds { coverage.rows[row].marks.insert(.asserted) }
    }
  }

  /// Counts an exchange that belongs to no documented cell.
  package mutating func count(undocumented status: Int, _ method: String, _ path: String, contract: String?) {
    let item = Coverage.Undocumented(contract: contract, method: method, path: path, status: status, count: 0)
    guard undocumented[item] != nil || undocumented.count < Self.undocumentedLimit else { return }
    undocumented[item, default: 0] += 1
  }

  /// Marks the rows that have a fixture or an example, and those whose fixtures and examples are all valid.
  /// - Parameter contracts: The contracts of the rows, with their fixtures.
  package mutating func markFixtures(of contracts: [Contract], rules: RuleSettings) {
    let all = contracts.lazy.flatMap { contract in
      contract.compiled.operations.lazy.map { FixtureMarks($0, of: contract, rules) }
    }
    for (operation, fixtures) in zip(operations, all) {
      for (row, key) in zip(operation.rows, operation.keys) {
        coverage.rows[row].marks.formUnion(fixtures.marks(coverage.rows[row], key.response))
      }
    }
  }

  /// The rows and the undocumented statuses.
  package func finished() -> Coverage {
    var coverage = coverage
    coverage.undocumented = undocumented.map { item, count in
      var item = item
      item.count = count
      return item
    }
    .sorted { ($0.path, $0.method, $0.status) < ($1.path, $1.method, $1.status) }
    return coverage
  }
}
