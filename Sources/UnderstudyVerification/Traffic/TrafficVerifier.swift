/// Validates recordings, entry by entry, and fills a report.
package struct TrafficVerifier {
  private let contracts: [Contract]
  private let rules: RuleSettings
  private let validator: TrafficValidator
  private let shard: Shard
  private let checks: [ClientCheckSettings]
  private var findings: TrafficFindings
  private var coverage: CoverageTally
  private var uses = FixtureUse()
  /// The exchanges out of scope, by reason and origin.
  private var ignored: [Ignored: Int] = [:]
  private var skipped: [String: Int] = [:]
  private var rebuilt = 0
  private var brokenEvents = 0
  private var damages: [String] = []
  /// The number of validated entries, and of those that were met.
  private var entries = 0
  private var met = 0

  private struct Ignored: Hashable {
    var reason: String
    var origin: String
  }

  /// The most different reasons, and origins.
  private static let kindLimit = 100

  /// - Parameters:
  ///   - shard: The part of the entries. Recordings often ask a few operations most of the time, so entries are divided
  ///     and not operations: of `n` parts, the first has the entries 1, n + 1, 2n + 1, ... of all files.
  ///   - checks: The checks of the mock that made the recording.
  package init(
    _ contracts: [Contract], rules: RuleSettings, scope: TrafficScope, shard: Shard = .whole,
    checks: [ClientCheckSettings] = []
  ) {
    self.checks = checks
    self.contracts = contracts
    self.rules = rules
    let compiled = contracts.map(\.compiled)
    self.shard = shard
    validator = TrafficValidator(
      compiled, conditional: contracts.flatMap(\.conditionalFixtures), rules: rules, scope: scope)
    findings = TrafficFindings(validator.contracts)
    coverage = CoverageTally(compiled)
    coverage.markFixtures(of: contracts, rules: rules)
  }

  /// - Parameter isPrivate: Whether only this program reads the file, so that no finding names it.
  package mutating func validate(_ file: HARFile, isPrivate: Bool = false) {
    let isOwn = file.creator?.utf8Equals(HARFormat.creator) == true
    for position in 0..<file.count {
      let isOurs = shard.contains(position: met)
      met += 1
      // The first part reports unused fixtures, so it must see every entry.
      guard isOurs || isOwn && shard.index == 1 else { continue }
      do throws(HAREntry.Problem) {
        let entry = try file.entry(position)
        if isOwn { uses.see(entry) }
        if isOurs { validate(entry, in: isPrivate ? nil : file.path, isOwn: isOwn) }
      } catch {
        guard isOurs else { continue }
        if error.isDamage { damages.append(error.message) } else { skip(error.message) }
      }
    }
    if file.strays > 0, shard.index == 1 { skip("an element of `log.entries` is not an object", count: file.strays) }
    if let damage = file.damage { damages.append(damage) }
  }

  package mutating func validate(_ entry: Exchange, in file: String?, isOwn: Bool = false) {
    entries += 1
    if isOwn { addBreaches(of: entry, in: file) }
    if entry.socket != nil { countEvents(of: entry) }
    switch validator.validate(entry, isOwn: isOwn) {
    case .ignored(let reason): ignore(reason, entry.url)
    case .skipped(let reason): skip(reason)
    case .missed(let finding, let answer, let contract, let template):
      let path = template ?? findings.path(of: entry)
      var request = [finding].compactMap(\.self)
      checks.raise(&request, of: nil)
      for finding in request + answer {
        findings.add(missed: finding, contract: contract, path: path, entry, in: file)
      }
      coverage.count(undocumented: entry.status, entry.method, path, contract: contracts[contract].api.name)
    case .validated(let exchange):
      findings.add(raised(exchange), entry, in: file)
      for item in exchange.request.notValidated + exchange.answer.notValidated { skip(item.reason) }
      if case .rebuilt = entry.requestBody { rebuilt += 1 }
      coverage.count(
        operation: exchange.operation, requestType: exchange.requestType, status: entry.status,
        responseType: exchange.responseType, holds: exchange.holds)
    }
  }

  /// An exchange in which the findings of rules that are checked by name are errors.
  private func raised(_ exchange: TrafficValidator.ExchangeValidation) -> TrafficValidator.ExchangeValidation {
    guard !checks.isEmpty else { return exchange }
    var exchange = exchange
    checks.raise(&exchange.request.findings, of: validator.contracts.operations[exchange.operation].id)
    return exchange
  }

  /// Counts the events of a socket. Once there is one, the coverage lists the events of all contracts.
  private mutating func countEvents(of entry: Exchange) {
    guard let recorded = RecordedEvents(entry, contracts) else { return }
    coverage.addEvents(of: contracts, rules: rules)
    for event in recorded.events {
      let holds = recorded.holds(event)
      if !holds { brokenEvents += 1 }
      coverage.count(
        event: event.name, isFromClient: event.isFromClient, contract: recorded.contract.api.name, holds: holds)
    }
  }

  /// Adds what the mock that made the recording has found by its checks. The rules of this run give the severities.
  private mutating func addBreaches(of entry: Exchange, in file: String?) {
    let breaches = entry.findings
    guard !breaches.isEmpty else { return }
    let id = entry.source?.operation
    let operation = id.flatMap { position(of: $0, entry.source?.contract ?? "") }
    // An operation of another contract is that run's business.
    guard operation != nil || id == nil else { return }
    for breach in breaches.compactMap(rules.validationOptions(for: id).weighed) {
      findings.add(breach: breach, of: operation, entry, in: file)
    }
  }

  /// Adds what the clients of a mock had broken when their lanes closed.
  package mutating func add(_ closing: [ClosingFinding]) {
    for closing in closing {
      findings.add(breach: closing.finding, of: position(of: closing.operation, closing.contract))
    }
  }

  private func position(of operation: String, _ contract: String) -> Int? {
    validator.contracts.operations.firstIndex { $0.id.utf8Equals(operation) && $0.api.name.utf8Equals(contract) }
  }

  private mutating func skip(_ reason: String, count: Int = 1) {
    let isNew = skipped[reason] == nil && skipped.count >= Self.kindLimit
    skipped[isNew ? "for other reasons" : reason, default: 0] += count
  }

  private mutating func ignore(_ reason: String, _ url: String) {
    let reference = URIReference(url)
    // A URL without a scheme has no origin; its path identifies it without the secrets of a query.
    let origin =
      reference.scheme.map { scheme in scheme + (reference.authority.map { "://" + $0 } ?? ":") }
      ?? "`\(VisibleText.line(String(reference.path.prefix(100))))`"
    var item = Ignored(reason: reason, origin: String(VisibleText.withoutUsers(origin).prefix(100)))
    if ignored[item] == nil, ignored.count >= Self.kindLimit { item.origin = "other origins" }
    ignored[item, default: 0] += 1
  }

  /// The cases that show what clients broke, by every rule about single requests with `withRequests`, otherwise by
  /// rules that are checked by name.
  package func clientCases(withRequests: Bool) -> [Report.Case] {
    findings.cases().compactMap { item in
      if item.name.utf8Equals(TrafficCheck.client.rawValue) { return item }
      guard item.name.hasPrefix("request ") else { return nil }
      var item = item
      item.findings.removeAll { finding in
        finding.diagnostic.owner != .client
          || !withRequests && !checks.includes(finding.diagnostic, of: item.subject.operation)
      }
      return item.findings.isEmpty ? nil : item
    }
  }

  package func fill(_ report: inout Report) {
    report.cases += findings.cases() + (shard.index == 1 ? uses.cases(contracts, rules) : [])
    for (reason, count) in skipped.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
      report.skip(reason, count: count)
    }
    report.remarks.append(
      shard == .whole
        ? "read \(entries.counted("exchange"))" : "read \(entries) of \(met.counted("exchange")), part \(shard)")
    for (item, count) in ignored.sorted(by: { ($1.value, $0.key.origin) < ($0.value, $1.key.origin) }) {
      report.remarks.append("left out \(count.counted("exchange")) with \(item.origin): \(item.reason)")
    }
    if brokenEvents > 0 {
      report.remarks.append(
        "\(brokenEvents.counted("event")) of sockets \(brokenEvents == 1 ? "breaks" : "break") the contract; `serve` reports "
          + (brokenEvents == 1 ? "it" : "them"))
    }
    if rebuilt > 0 {
      report.remarks.append(
        "\(rebuilt == 1 ? "1 body" : "\(rebuilt) bodies") of requests rebuilt from `postData.params`")
    }
    report.coverage = coverage.finished()
    guard let first = damages.first else { return }
    let more = damages.count > 1 ? " (and \(damages.count - 1) more)" : ""
    report.run.abortedBecause = "\(first)\(more)"
  }
}
