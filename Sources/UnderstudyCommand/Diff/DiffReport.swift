import UnderstudyVerification

/// Builds the report of a comparison: a case for each operation.
struct DiffReport {
  var report: Report
  private let levels: DiffLevels
  /// The revision of old files.
  private let revision: String?
  private var versions: [(old: String, new: String)] = []
  private var worst: Severity?

  init(_ run: Report.Run, _ levels: DiffLevels, _ before: ContractVersion) {
    report = Report(run)
    self.levels = levels
    revision = before.revision
  }

  /// Adds the differences of two contracts.
  ///
  /// - Parameter used: The recorded calls of the contract.
  mutating func add(
    _ changes: [ContractChange], of diff: ContractDiff, _ old: API, _ new: API, used: RecordedUse? = nil
  ) {
    let oldFiles = Set(old.files.map(ObjectIdentifier.init))
    let kept = changes.compactMap { change -> ContractChange? in
      var change = change
      if let used { change.diagnostic.severity = used.severity(of: change) }
      guard let severity = levels.severity(of: change.diagnostic) else { return nil }
      change.diagnostic.severity = severity
      change.diagnostic = placed(change.diagnostic, oldFiles)
      return change
    }
    let groups = Dictionary(grouping: kept) { $0.operation.map { "\($0.method) \($0.path)" } ?? "" }
    let contract = Report.Subject(contract: new.name)
    func item(_ subject: Report.Subject, _ key: String, at place: Location?) -> Report.Case {
      Report.Case(
        subject, key.isEmpty ? Report.Case.contract : "diff", checked: 1, at: place,
        findings: (groups[key] ?? []).map { finding($0, contract: new.name) })
    }
    report.cases.append(item(contract, "", at: nil))
    var seen: Set<String> = [""]
    let channels = kept.compactMap(\.operation)
    for operation in new.operations + new.webhooks + old.operations + old.webhooks + channels {
      let key = "\(operation.method) \(operation.path)"
      guard seen.insert(key).inserted else { continue }
      report.cases.append(
        item(Report.Subject(contract: new.name, operation), key, at: Location(start: operation.node).detached))
    }
    for change in kept {
      if let undecided = change.undecided { report.skip("a change of `\(undecided)` cannot be judged") }
    }
    if !old.operations.isEmpty, !new.operations.isEmpty,
      kept.count(where: { $0.diagnostic.rule == .operationAdded }) == new.operations.count
    {
      report.remarks.append(
        "the two contracts have no operation in common: check that they are versions of one API, or name the start of "
          + "their paths with `--strip-prefix`")
    }
    if let used { report.remarks.append(used.remark) }
    versions.append((old.version, new.version))
    worst = (kept.map(\.diagnostic.severity) + [worst].compactMap(\.self)).max()
  }

  /// A contract that only the new folder or revision has.
  mutating func added(_ version: ContractVersion, isNew before: ContractVersion? = nil) {
    let subject = Report.Subject(contract: ContractSource.name(of: version.name))
    if let before {
      report.remarks.append("\(before.name) does not exist: a new contract breaks nothing")
      report.cases.append(Report.Case(subject, Report.Case.contract, checked: 1))
      return
    }
    add(.contractAdded, "the contract \(version.name) was added", version.name, subject)
  }

  /// A contract that only the old folder has.
  mutating func removed(_ version: ContractVersion) {
    add(
      .contractRemoved, "the contract \(version.name) was removed", version.name,
      Report.Subject(contract: ContractSource.name(of: version.name)))
  }

  private mutating func add(_ rule: Rule, _ message: String, _ path: String, _ subject: Report.Subject) {
    var diagnostic = Diagnostic(rule, message, at: Location(path: path))
    let severity = levels.severity(of: diagnostic)
    diagnostic.severity = severity ?? diagnostic.severity
    report.cases.append(
      Report.Case(subject, Report.Case.contract, checked: 1, reporting: severity == nil ? [] : [diagnostic]))
    worst = [worst, severity].compactMap(\.self).max()
  }

  private func finding(_ change: ContractChange, contract: String) -> Report.Finding {
    let subject =
      change.operation.map { Report.Subject(contract: contract, $0, status: change.status) }
      ?? Report.Subject(contract: contract)
    var finding = Report.Finding(change.diagnostic, about: subject)
    finding.others = change.others.map { use in
      Report.Finding.Other(Report.Subject(contract: contract, use.operation, status: use.status), at: use.place)
    }
    finding.count = 1 + change.others.count
    return finding
  }

  /// The finding with the revision before the paths of old files.
  private func placed(_ diagnostic: Diagnostic, _ oldFiles: Set<ObjectIdentifier>) -> Diagnostic {
    guard let revision else { return diagnostic }
    func place(_ location: Location?) -> Location? {
      guard let location, let source = location.source, oldFiles.contains(ObjectIdentifier(source)) else {
        return location
      }
      return Location(
        path: "\(revision):\(source.path)", line: location.line, column: location.column, endLine: location.endLine,
        endColumn: location.endColumn, pointer: location.pointer, excerpt: location.excerpt)
    }
    var placed = diagnostic
    placed.location = place(diagnostic.location)
    placed.notes = diagnostic.notes.map { Diagnostic.Note($0.message, at: place($0.location)) }
    return placed
  }

  /// The report with advice on the version.
  func finished() -> Report {
    var report = report
    guard versions.count == 1, let (old, new) = versions.first, let advice = VersionAdvice(old, new, worst).text else {
      return report
    }
    report.remarks.append(advice)
    return report
  }
}

/// The version number that the changes call for.
struct VersionAdvice {
  /// Advice if the new version does not follow from the changes.
  let text: String?

  init(_ old: String, _ new: String, _ worst: Severity?) {
    func numbers(_ version: String) -> [Int]? {
      let parts = version.split(separator: "-")[..<1].first?.split(separator: ".").map { Int($0) } ?? []
      return parts.isEmpty || parts.contains(nil) ? nil : parts.compactMap(\.self)
    }
    guard let before = old.isEmpty ? nil : numbers(old), let after = new.isEmpty ? nil : numbers(new), let worst else {
      text = nil
      return
    }
    let isMajor = worst == .error
    let isRaised =
      isMajor ? before[0] < after[0] || before[0] == 0 && before != after : before.lexicographicallyPrecedes(after)
    guard !isRaised else {
      text = nil
      return
    }
    let step = isMajor ? "major" : "minor"
    text = "the changes call for a new \(step) version: `info.version` was \(old), is \(new)"
  }
}
