extension Contract {
  /// `106 cells`, and the statuses that only fixtures have: those are no cells, and coverage does not count them.
  package var cellCount: String {
    let all = compiled.operations.flatMap(cells(of:))
    let documented = all.count { $0.cell.response != nil }
    let rest = all.count - documented
    return documented.counted("cell") + (rest > 0 ? " (\(rest) more by fixtures alone)" : "")
  }
}
