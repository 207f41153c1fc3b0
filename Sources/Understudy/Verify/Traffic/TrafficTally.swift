import SourceText

/// Gathers what was found in many exchanges: a report has one finding for a cause, not one for each time it was met.
struct TrafficTally {
  /// The operation, in the order of the contracts; past the last for what reaches none.
  private struct Cell: Hashable, Comparable {
    var operation: Int
    /// For what reaches no operation.
    var contract: Int
    var method: String
    var path: String
    var status: Int

    static func < (a: Self, b: Self) -> Bool {
      (a.operation, a.contract, a.path, a.method, a.status) < (b.operation, b.contract, b.path, b.method, b.status)
    }
  }

  /// One cause within a cell: the rule, and the line of the contract that is broken.
  private struct Cause: Hashable {
    var rule: String
    var severity: Severity
    var place: String
    /// Where the place says nothing of what is wrong.
    var message = ""
  }

  private struct Group {
    var first: Report.Finding
    var count: Int
    var order: Int
  }

  private struct Slot {
    var checked: [TrafficCheck: Int] = [:]
    var groups: [TrafficCheck: [Cause: Group]] = [:]
    var exchanges = 0
  }

  private let contracts: ContractSet
  private let redaction: Redaction
  private var slots: [Cell: Slot] = [:]
  private var groupCount = 0

  /// Causes that are told apart; what comes after is counted under its rule. A hostile recording has millions.
  static let causeLimit = 2000

  init(_ contracts: ContractSet) {
    self.contracts = contracts
    redaction = Redaction(contracts.contracts.map(\.api))
  }

  // MARK: - Taking in

  mutating func add(_ exchange: TrafficJudge.Exchange, _ entry: HAREntry, in file: String) {
    let compiled = contracts.operations[exchange.operation]
    let operation = compiled.operation
    let status = operation.response(for: entry.answer.status)?.status.description ?? "\(entry.answer.status)"
    let cell = Cell(
      operation: exchange.operation, contract: contracts.contractIndex(ofOperation: exchange.operation), method: "",
      path: "", status: statusOrder(operation, entry.answer.status))
    let subject = Report.Subject(contract: compiled.api.name, operation, status: status)
    var slot = slots[cell] ?? Slot()
    slot.exchanges += 1
    for (check, count) in TrafficCheck.counts(exchange, of: operation, status: entry.answer.status) {
      slot.checked[check, default: 0] += count
    }
    for finding in exchange.request.findings { add(finding, to: &slot, subject, entry, entry.requestBody, file) }
    for finding in exchange.answer.findings { add(finding, to: &slot, subject, entry, entry.answer.body, file) }
    slots[cell] = slot
  }

  /// A request that reaches no operation.
  mutating func add(missed finding: Finding, contract: Int, path: String, _ entry: HAREntry, in file: String) {
    let isOne = slots.count < Self.causeLimit
    let (path, method) = isOne ? (path, entry.method) : ("*", "*")
    let cell = Cell(operation: contracts.operations.count, contract: contract, method: method, path: path, status: 0)
    let subject = Report.Subject(contract: contracts.contracts[contract].name, method: method, path: path)
    var slot = slots[cell] ?? Slot()
    slot.exchanges += 1
    slot.checked[.parameters, default: 0] += 1
    add(finding, to: &slot, subject, entry, .empty, file)
    slots[cell] = slot
  }

  private mutating func add(
    _ finding: Finding, to slot: inout Slot, _ subject: Report.Subject, _ entry: HAREntry, _ body: RecordedBody,
    _ file: String
  ) {
    let diagnostic = finding.diagnostic
    let check = TrafficCheck(diagnostic)
    var cause = Cause(
      rule: diagnostic.rule.id, severity: diagnostic.severity, place: Fingerprint.place(of: diagnostic))
    if Rule.wholeBody.contains(diagnostic.rule) { cause.message = diagnostic.message }
    if slot.groups[check]?[cause] == nil, groupCount >= Self.causeLimit { (cause.place, cause.message) = ("*", "") }
    if slot.groups[check]?[cause] != nil {
      slot.groups[check]?[cause]?.count += 1
      return
    }
    groupCount += 1
    let new = Group(
      first: told(diagnostic, subject, entry, body, file, as: cause), count: 1, order: groupCount)
    slot.groups[check, default: [:]][cause] = new
  }

  /// The finding as it is told for all that share its cause: by the first that was met.
  private func told(
    _ diagnostic: Diagnostic, _ subject: Report.Subject, _ entry: HAREntry, _ body: RecordedBody, _ file: String,
    as cause: Cause
  ) -> Report.Finding {
    var finding = Report.Finding(diagnostic, about: subject, reproduction: entry.curl(redaction))
    if Self.showsValue(diagnostic.rule), let pointer = diagnostic.location?.pointer, redaction.isSecret(pointer),
      Self.isPresent(pointer, in: entry)
    {
      finding.message = "the value breaks the contract; it is a secret, so nothing of it is shown"
      finding.help = nil
    }
    var place = Report.Place(file: file, line: entry.line, pointer: entry.pointer)
    place.column = entry.column
    let time = entry.startedDateTime.isEmpty ? "" : ", \(entry.startedDateTime)"
    finding.notes.append(.init("first seen in entry \(entry.index)\(time)", at: place))
    if case .rebuilt = body, diagnostic.location?.pointer?.hasPrefix("/body") == true {
      finding.notes.append(.init("the body was rebuilt from `postData.params`"))
    }
    finding.fingerprint = Fingerprint.of(rule: cause.rule, subject, place: cause.place)
    return finding
  }

  /// Whether messages of a rule hold what was found.
  private static func showsValue(_ rule: Rule) -> Bool {
    [
      .requestParamSchema, .requestParamEncoding, .requestBodySchema, .requestExpectedInvalid, .responseHeaderSchema,
      .responseBodySchema,
    ].contains(rule)
  }

  /// Whether there is a value that could be shown; what is missing shows nothing.
  private static func isPresent(_ pointer: String, in entry: HAREntry) -> Bool {
    guard let tokens = JSONPointer(pointer)?.tokens, tokens.count > 1, tokens[0] == "query" || tokens[0] == "header"
    else {
      return true
    }
    let input = ParameterInput(target: entry.url, fields: entry.requestFields)
    return tokens[0] == "query"
      ? !input.query.texts(of: tokens[1]).isEmpty
      : (entry.requestFields.first(named: tokens[1]) ?? entry.answer.fields.first(named: tokens[1])) != nil
  }

  // MARK: - Giving out

  /// A case for every check of every cell that was seen, in the order of the contracts.
  func cases() -> [Report.Case] {
    slots.sorted { $0.key < $1.key }.flatMap { cell, slot in
      TrafficCheck.allCases.compactMap { check -> Report.Case? in
        guard let checked = slot.checked[check], checked > 0 || slot.groups[check] != nil else { return nil }
        let findings = (slot.groups[check] ?? [:]).values.sorted { $0.order < $1.order }.map { group in
          var finding = group.first
          finding.count = group.count
          return finding
        }
        return Report.Case(
          subject(cell), name(check, cell), checked: max(checked, 1), findings: findings)
      }
    }
  }

  private func name(_ check: TrafficCheck, _ cell: Cell) -> String {
    cell.operation < contracts.operations.count ? check.rawValue : "request path"
  }

  private func subject(_ cell: Cell) -> Report.Subject {
    guard cell.operation < contracts.operations.count else {
      return Report.Subject(contract: contracts.contracts[cell.contract].name, method: cell.method, path: cell.path)
    }
    let compiled = contracts.operations[cell.operation]
    let responses = compiled.operation.responses
    let status =
      responses.indices.contains(cell.status)
      ? responses[cell.status].status.description : "\(cell.status - responses.count)"
    return Report.Subject(contract: compiled.api.name, compiled.operation, status: status)
  }

  /// The place of the documented answer in the contract's order; behind them all, the status itself.
  private func statusOrder(_ operation: Operation, _ status: Int) -> Int {
    let documented = operation.response(for: status)?.status
    return operation.responses.firstIndex { $0.status == documented } ?? operation.responses.count + status
  }
}
