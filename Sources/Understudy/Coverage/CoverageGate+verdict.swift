import SourceText

extension CoverageGate {
  /// Holds a coverage against the gate; a pattern or a status that names nothing is a problem, since it would hold for ever.
  package func verdict(_ coverage: Coverage) throws(Problem) -> Verdict {
    switch self {
    case .share(let mark, let wanted):
      let share = coverage.share(of: mark)
      let reached = share.percent ?? 0
      let isPassed = share.total > 0 && reached >= wanted
      return Verdict(
        gate: self, checked: share.total,
        missing: isPassed ? [] : coverage.answers.filter { !$0.marks.contains(mark.marks) }, isPassed: isPassed,
        sentence: "\(mark.rawValue): \(reached) %, wanted \(wanted) % (\(share.count) of \(share.total))")
    case .cells(let pattern, let statuses):
      let answers = coverage.answers
      let rows = answers.filter { Self.matches(pattern, $0) }
      guard !rows.isEmpty else {
        let known = answers.map(\.operation)
        throw Problem(
          message: "`\(pattern)` matches no operation",
          help: Suggestion.phrase(for: pattern, among: known) ?? "it may be an operation's id, its path, or `*`")
      }
      for status in statuses where !rows.contains(where: { Self.isNamed($0, status) }) {
        let known = rows.flatMap { [$0.status, $0.meaning ?? $0.status] }
        throw Problem(
          message: "no operation of `\(pattern)` documents `\(status)`",
          help: Suggestion.phrase(for: status, among: known) ?? "leave it out, or document it")
      }
      let named = rows.filter { row in statuses.contains { Self.isNamed(row, $0) } }
      let cells = Coverage.grouped(named) { [$0.contract, $0.operation, $0.status] }
      // A cell is served when any of its rows is: the types are another matter.
      let missing = cells.compactMap { rows in
        rows.contains { $0.marks.contains(.served) } ? nil : rows.first
      }
      return Verdict(
        gate: self, checked: cells.count, missing: missing, isPassed: missing.isEmpty,
        sentence: "\(pattern): \(cells.count - missing.count) of \(cells.count) cells served")
    }
  }

  /// Whether a pattern means an operation: its id, its path with or without the first slash, or method and path.
  private static func matches(_ pattern: String, _ row: Coverage.Row) -> Bool {
    [row.operation, row.path, String(row.path.drop { $0 == "/" }), "\(row.method) \(row.path)"].contains {
      glob(pattern.utf8[...], $0.utf8[...])
    }
  }

  private static func isNamed(_ row: Coverage.Row, _ status: String) -> Bool {
    row.status.utf8Equals(status) || row.meaning?.utf8Equals(status) == true || status.utf8Equals("*")
  }

  /// `*` stands for any text; each star takes as little as it can, which is enough to decide.
  private static func glob(_ pattern: Substring.UTF8View, _ text: Substring.UTF8View) -> Bool {
    let pieces = pattern.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false).map { Array($0) }
    guard let first = pieces.first, let last = pieces.last, text.starts(with: first) else { return false }
    guard pieces.count > 1 else { return text.count == first.count }
    var rest = Array(text.dropFirst(first.count))[...]
    for piece in pieces.dropFirst().dropLast() where !piece.isEmpty {
      guard let found = rest.firstRange(of: piece) else { return false }
      rest = rest[found.upperBound...]
    }
    return rest.count >= last.count && rest.suffix(last.count).elementsEqual(last)
  }
}
