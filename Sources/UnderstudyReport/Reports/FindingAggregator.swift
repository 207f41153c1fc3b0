/// Gathers the findings of a run into the cases of a report: one finding for each cause, however many exchanges show
/// it.
///
/// `Cell` identifies a case and gives its order. `Evidence` is kept of the lightest exchange that shows a finding.
package struct FindingAggregator<Cell: Hashable & Comparable & Sendable, Evidence: Sendable>: Sendable {
  /// A finding, and the exchange that shows it.
  package struct Entry: Sendable {
    package let key: FindingKey
    package let cell: Cell
    package fileprivate(set) var finding: Report.Finding
    package fileprivate(set) var evidence: Evidence
    fileprivate var weight: Int

    /// Shows the same by another exchange.
    fileprivate mutating func replace(_ shown: Report.Finding, _ evidence: Evidence) {
      let known = finding
      finding = shown
      finding.count = known.count
      finding.fingerprint = known.fingerprint
      finding.variant = known.variant
      self.evidence = evidence
    }
  }

  /// In the order in which they were first seen.
  package private(set) var entries: [Entry] = []
  private var positions: [FindingKey: Int] = [:]
  private var cells: [Cell: (checked: Int, duration: Duration)] = [:]
  private let limit: Int

  /// - Parameter limit: The number of causes that are distinguished. After them, all findings of a rule in a subject are one,
  ///   because a hostile recording may have millions.
  package init(limit: Int = 2000) { self.limit = limit }

  /// Whether further causes are no longer distinguished.
  package var isFull: Bool { entries.count >= limit }

  package var errors: Int { entries.count { $0.finding.severity == .error } }

  /// Counts comparisons.
  package mutating func count(_ checked: Int, in cell: Cell, duration: Duration = .zero) {
    cells[cell, default: (0, .zero)].checked += checked
    cells[cell, default: (0, .zero)].duration += duration
  }

  /// Adds a finding of an exchange. The lightest exchange is kept, and of equal ones the first. A finding with a
  /// reproduction keeps its exchange.
  ///
  /// - Parameters:
  ///   - variant: Separates causes with the same rule and place.
  ///   - complete: Adds details of the exchange to the finding.
  package mutating func add(
    _ diagnostic: Diagnostic, about subject: Report.Subject, in cell: Cell, variant: Report.Variant = .none,
    from evidence: @autoclosure () -> Evidence, weight: Int = 0, complete: (inout Report.Finding) -> Void = { _ in }
  ) {
    var key = FindingKey(diagnostic, about: subject, variant: variant)
    if isFull, positions[key] == nil { key = FindingKey(allOf: diagnostic, about: subject) }
    let known = positions[key]
    if let known {
      entries[known].finding.count += 1
      guard entries[known].finding.reproduction == nil, weight < entries[known].weight else { return }
    }
    var finding = Report.Finding(diagnostic, about: subject)
    finding.fingerprint = key.fingerprint
    finding.variant = variant
    complete(&finding)
    if let known {
      entries[known].replace(finding, evidence())
      entries[known].weight = weight
    } else {
      positions[key] = entries.count
      entries.append(Entry(key: key, cell: cell, finding: finding, evidence: evidence(), weight: weight))
    }
  }

  /// Adds a reproduction to a finding, and replaces its text by `diagnostic` if the reproduction shows another text.
  package mutating func reproduce(
    _ position: Int, as diagnostic: Diagnostic? = nil, by evidence: Evidence, _ reproduction: String
  ) {
    let known = entries[position].finding
    var finding = diagnostic.map { Report.Finding($0, about: known.subject) } ?? known
    finding.reproduction = reproduction
    entries[position].replace(finding, evidence)
  }

  /// Discards findings that are reported elsewhere.
  package mutating func removeAll(where isReported: (Entry) -> Bool) {
    entries.removeAll(where: isReported)
    positions = Dictionary(uniqueKeysWithValues: entries.enumerated().map { ($1.key, $0) })
  }

  /// Counts findings among others that show the same.
  ///
  /// - Parameter target: The key of the finding that has the cause of another; `nil` where none has.
  package mutating func fold(into target: (Entry) -> FindingKey?) {
    for entry in entries {
      guard let key = target(entry), let position = positions[key] else { continue }
      entries[position].finding.count += entry.finding.count
      removeAll { $0.key == entry.key }
    }
  }

  /// A case for every cell with comparisons or findings.
  package func cases(_ name: (Cell) -> (subject: Report.Subject, name: String)) -> [Report.Case] {
    let found = Dictionary(grouping: entries, by: \.cell)
    let used = Set(cells.filter { $0.value.checked > 0 }.keys).union(found.keys)
    return used.sorted().map { cell in
      let (subject, name) = name(cell)
      let tally = cells[cell] ?? (0, .zero)
      return Report.Case(
        subject, name, checked: max(1, tally.checked), duration: tally.duration,
        // What valid requests show comes before what invalid ones do.
        findings: (found[cell] ?? []).map(\.finding).enumerated().sorted {
          ($0.element.variant.isOfInvalid ? 1 : 0, $0.offset) < ($1.element.variant.isOfInvalid ? 1 : 0, $1.offset)
        }.map(\.element))
    }
  }
}

/// Identifies findings of one cause: the same rule at the same line of the contract, in the same subject.
package struct FindingKey: Hashable, Sendable {
  package let fingerprint: String
  private let severity: Severity
  /// Empty unless the location is a whole body, which does not identify the cause.
  private let message: String

  /// - Parameter variant: Separates causes with the same rule and place.
  package init(_ diagnostic: Diagnostic, about subject: Report.Subject, variant: Report.Variant = .none) {
    let fingerprint = Fingerprint.of(diagnostic, about: subject)
    let parts = variant.fingerprint
    self.fingerprint = parts.isEmpty ? fingerprint : Fingerprint.of([fingerprint] + parts)
    severity = diagnostic.severity
    message = Rule.wholeBody.contains(diagnostic.rule) ? diagnostic.message : ""
  }

  /// All findings of a rule in a subject.
  init(allOf diagnostic: Diagnostic, about subject: Report.Subject) {
    fingerprint = Fingerprint.of(diagnostic.rule, about: subject, at: "*")
    severity = diagnostic.severity
    message = ""
  }
}
