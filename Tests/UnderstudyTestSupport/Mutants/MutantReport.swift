/// The seeded faults that `understudy verify` finds, misses, and reports in addition.
package struct MutantReport: Sendable {
  /// Missed faults, or missed consequences of faults, each as a line.
  package private(set) var missed: [String] = []
  /// Ids that must not be found, each as a line.
  package private(set) var falseAlarms: [String] = []
  package private(set) var mutants = 0
  private var rules: [String: (mutants: Int, found: Int)] = [:]
  private var originalFindings = 0
  private var originalChecks = 0

  /// Runs every mutant of the tables, and the originals.
  /// - Parameter program: the path of `understudy`.
  package init(_ tables: [MutantTable], program: String) throws {
    let trials =
      try tables.flatMap { $0.originals() }
      + tables.flatMap { table in
        try table.mutants.map { try table.trial(of: $0) }
      }
    for (trial, outcome) in zip(trials, MutantTrial.run(trials, program)) { add(trial, outcome) }
  }

  private mutating func add(_ trial: MutantTrial, _ outcome: MutantTrial.Outcome) {
    let surplus = outcome.found.subtracting(trial.expected).sorted().joined(separator: ", ")
    let lacking = trial.expected.subtracting(outcome.found).sorted().joined(separator: ", ")
    let noise = outcome.noise.map { " (\($0))" } ?? ""
    let title = trial.mutant?.description ?? trial.title
    if !surplus.isEmpty { falseAlarms.append("\(title): found \(surplus)\(noise)") }
    guard let mutant = trial.mutant else {
      originalFindings += outcome.found.count
      originalChecks += outcome.checked
      // A run that checked nothing proves nothing.
      if outcome.checked == 0 { missed.append("\(title): nothing was checked\(noise)") }
      return
    }
    mutants += 1
    rules[mutant.rule, default: (0, 0)].mutants += 1
    if lacking.isEmpty {
      rules[mutant.rule, default: (0, 0)].found += 1
    } else {
      missed.append("\(title): not found: \(lacking)\(noise)")
    }
  }

  /// Whether all faults were found, without false alarms.
  package var isPerfect: Bool { missed.isEmpty && falseAlarms.isEmpty }

  /// A line for every rule, the problems, and the totals.
  package var text: String {
    let width = rules.keys.map(\.count).max() ?? 0
    var lines = rules.sorted { $0.key < $1.key }.map { rule, count in
      "\(rule)\(String(repeating: " ", count: width - rule.count))  \(count.found) of \(count.mutants)"
    }
    lines += missed.map { "missed: \($0)" } + falseAlarms.map { "false alarm: \($0)" }
    let found = rules.values.reduce(0) { $0 + $1.found }
    lines.append(
      "found \(found) of \(mutants), missed \(mutants - found), false alarms \(falseAlarms.count) "
        + "(originals: \(originalFindings) findings in \(originalChecks) checks)")
    return lines.joined(separator: "\n")
  }
}
