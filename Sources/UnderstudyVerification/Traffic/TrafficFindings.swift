/// Collects the findings of recorded exchanges, each with the first entry that shows it.
struct TrafficFindings {
  /// A check of one operation and status, in the order of the contracts.
  private struct Cell: Hashable, Comparable {
    /// In the order of the contracts; requests that reach no operation come last.
    var operation: Int
    /// For requests that reach no operation.
    var contract = 0
    /// The position of the documented answer; undocumented statuses come last.
    var status = 0
    var subject: Report.Subject
    var check: TrafficCheck

    /// The rest of the subject follows from the operation.
    func hash(into hasher: inout Hasher) {
      hasher.combine(operation)
      hasher.combine(status)
      hasher.combine(check)
      hasher.combine(subject.path)
    }

    static func < (a: Self, b: Self) -> Bool {
      let (one, other) = (a.subject, b.subject)
      return (a.operation, a.contract, one.path ?? "", one.method ?? "", a.status, a.check)
        < (b.operation, b.contract, other.path ?? "", other.method ?? "", b.status, b.check)
    }
  }

  private let contracts: ContractSet
  private let redactor: Redactor
  private var findings = FindingAggregator<Cell, Void>()

  init(_ contracts: ContractSet) {
    self.contracts = contracts
    redactor = Redactor(contracts.contracts.map(\.secrets), style: .marker)
  }

  mutating func add(_ exchange: TrafficValidator.ExchangeValidation, _ entry: Exchange, in file: String?) {
    let compiled = contracts.operations[exchange.operation]
    let operation = compiled.operation
    let code = entry.status
    let documented = operation.response(for: code)?.status
    let order = operation.responses.firstIndex { $0.status == documented }
    var cell = Cell(
      operation: exchange.operation, status: order ?? operation.responses.count + code,
      subject: Report.Subject(contract: compiled.api.name, operation, answeredWith: code), check: .security)
    for (check, count) in TrafficCheck.counts(exchange, of: operation, status: code) {
      cell.check = check
      findings.count(count, in: cell)
    }
    for (result, body) in [
      (exchange.request, entry.requestBody), (exchange.answer, entry.response?.body ?? .empty),
    ] {
      for finding in result.findings {
        cell.check = TrafficCheck(finding)
        add(finding, in: cell, TrafficEvidence(entry: entry, operation: operation, body: body, file: file))
      }
    }
  }

  /// Adds what a client broke between its requests, by the operation of the last or a missing request, if it has one.
  mutating func add(breach: Diagnostic, of operation: Int?, _ entry: Exchange? = nil, in file: String? = nil) {
    var subject = Report.Subject(contract: contracts.contracts.first?.name ?? "")
    if let operation {
      subject = Report.Subject(
        contract: contracts.operations[operation].api.name, contracts.operations[operation].operation)
    } else if let entry {
      (subject.method, subject.path) = (entry.method, path(of: entry))
      if findings.isFull { (subject.method, subject.path) = ("*", "*") }
    }
    let cell = Cell(
      operation: operation ?? contracts.operations.count, status: .max, subject: subject, check: .client)
    findings.count(1, in: cell)
    let last = operation.map { contracts.operations[$0].operation }
    add(breach, in: cell, entry.map { TrafficEvidence(entry: $0, operation: last, body: .empty, file: file) })
  }

  /// The path of a request that reaches no operation, without its secrets and ids.
  func path(of entry: Exchange) -> String {
    let path = URIReference(entry.url).path
    var request = entry.request
    request.path = path
    return Fingerprint.general(redactor.redacted(target: path, of: request, nil).value)
  }

  mutating func add(missed finding: Diagnostic, contract: Int, path: String, _ entry: Exchange, in file: String?) {
    let (path, method) = findings.isFull ? ("*", "*") : (path, entry.method)
    let cell = Cell(
      operation: contracts.operations.count, contract: contract,
      subject: Report.Subject(contract: contracts.contracts[contract].name, method: method, path: path),
      check: .parameters)
    findings.count(1, in: cell)
    add(finding, in: cell, TrafficEvidence(entry: entry, operation: nil, body: .empty, file: file))
  }

  private mutating func add(_ diagnostic: Diagnostic, in cell: Cell, _ exchange: TrafficEvidence?) {
    findings.add(diagnostic, about: cell.subject, in: cell, from: ()) { exchange?.complete(&$0, redactor) }
  }

  /// A case for every check of every cell that was seen, in the order of the contracts.
  func cases() -> [Report.Case] {
    findings.cases { cell in
      let isRouted = cell.operation < contracts.operations.count || cell.check == .client
      return (cell.subject, isRouted ? cell.check.rawValue : "request path")
    }
  }
}
