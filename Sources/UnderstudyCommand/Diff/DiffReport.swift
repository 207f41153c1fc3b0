import UnderstudyDiff
import UnderstudyVerification

/// Builds the report of a comparison: a case for each operation.
struct DiffReport {
  var report: Report
  private let levels: DiffLevels
  private let before: ContractVersion
  private let after: ContractVersion
  private var fixtures: OutdatedFixtures?
  private var versions: [(old: String, new: String)] = []
  private var worst: Severity?

  init(_ run: Report.Run, _ levels: DiffLevels, _ before: ContractVersion, _ after: ContractVersion) {
    report = Report(run)
    self.levels = levels
    self.before = before
    self.after = after
  }

  // MARK: - Contracts

  /// Adds the differences of two contracts.
  mutating func add(_ changes: [ContractChange], _ use: ContractUse) {
    let (old, new) = (use.old, use.new)
    let places = ChangeLocations(old, new, before.tree, after.tree)
    let kept = changes.compactMap { change -> ContractChange? in
      var change = use.weighed(change)
      guard let severity = levels.severity(of: change.diagnostic) else { return nil }
      change.diagnostic.severity = severity
      change.diagnostic = places.placed(change.diagnostic)
      return change
    }
    let groups = Dictionary(grouping: kept) { $0.operation.map { "\($0.method) \($0.path)" } ?? "" }
    func item(_ subject: Report.Subject, _ key: String, at place: Location?) -> Report.Case {
      Report.Case(
        subject, key.isEmpty ? Report.Case.contract : "diff", checked: 1, at: place,
        findings: (groups[key] ?? []).map { finding($0, use) })
    }
    report.cases.append(item(Report.Subject(contract: use.name), "", at: nil))
    var seen: Set<String> = [""]
    let operations = [(new.operations + new.webhooks, true), (old.operations + old.webhooks, false)]
    for (list, isNew) in operations + [(kept.compactMap(\.operation), false)] {
      for operation in list {
        let key = "\(operation.method) \(operation.path)"
        // An operation of the old version that is left in the new one may have another path there.
        guard seen.insert(key).inserted, isNew || groups[key] != nil else { continue }
        let place = isNew ? places.place(Location(start: operation.node)).detached : nil
        report.cases.append(item(Report.Subject(contract: use.name, operation), key, at: place))
      }
    }
    for change in kept {
      if let undecided = change.undecided { report.skip("a change of `\(undecided)` cannot be judged") }
    }
    if !old.operations.isEmpty, !new.operations.isEmpty,
      kept.count(where: { $0.diagnostic.rule == .operationAdded }) == new.operations.count
    {
      report.remarks.append(
        "the versions of \(VisibleText.line(use.name)) have no operation in common: check that they are versions of one "
          + "API, or name the start of their paths with `--strip-prefix`")
    }
    if let found = use.fixtures {
      fixtures?.add(found)
      fixtures = fixtures ?? found
    }
    versions.append((old.version, new.version))
    worst = (kept.map(\.diagnostic.severity) + [worst].compactMap(\.self)).max()
  }

  private func finding(_ change: ContractChange, _ use: ContractUse) -> Report.Finding {
    let subject =
      change.operation.map { Report.Subject(contract: use.name, $0, status: change.status) }
      ?? Report.Subject(contract: use.name)
    // The fingerprint does not depend on use.
    var finding = Report.Finding(change.diagnostic, about: subject)
    finding.diagnostic.notes += use.notes(on: change).map { Diagnostic.Note($0.message, at: $0.location?.detached) }
    finding.others = change.others.map { other in
      Report.Finding.Other(Report.Subject(contract: use.name, other.operation, status: other.status), at: other.place)
    }
    finding.count = 1 + change.others.count
    return finding
  }

  /// Adds a contract that the old revision does not have.
  mutating func isNew(_ name: String) {
    report.remarks.append("\(before.name) does not exist: a new contract breaks nothing")
    report.cases.append(Report.Case(Report.Subject(contract: name), Report.Case.contract, checked: 1))
  }

  /// Adds a contract that only the new folder has.
  mutating func added(_ name: String) {
    add(.contractAdded, "the contract `\(name)` was added", name)
  }

  /// Adds a contract that only the old folder has.
  mutating func removed(_ name: String) {
    add(.contractRemoved, "the contract `\(name)` was removed", name)
  }

  private mutating func add(_ rule: Rule, _ message: String, _ name: String) {
    // A removed file had this path, which a platform shows among the changes.
    var diagnostic = Diagnostic(rule, message, at: Location(path: after.file(name).localPath))
    let severity = levels.severity(of: diagnostic)
    diagnostic.severity = severity ?? diagnostic.severity
    report.cases.append(
      Report.Case(
        Report.Subject(contract: name), Report.Case.contract, checked: 1, reporting: severity == nil ? [] : [diagnostic]
      ))
    worst = [worst, severity].compactMap(\.self).max()
  }

  /// The report with remarks on fixtures, and advice on the version.
  func finished() -> Report {
    var report = report
    report.remarks += fixtures?.remarks ?? []
    guard versions.count == 1, let (old, new) = versions.first, let advice = VersionAdvice(old, new, worst).text else {
      return report
    }
    report.remarks.append(advice)
    return report
  }
}
