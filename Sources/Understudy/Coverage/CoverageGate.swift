/// What a coverage must have: a share of answers with a mark, or cells that must have been served.
package enum CoverageGate: Sendable, Equatable {
  /// At least this percentage of the answers has the mark.
  case share(Coverage.Mark, percent: Int)
  /// Operations by a pattern, and the statuses that each of them that documents them must have served.
  case cells(pattern: String, statuses: [String])

  /// Why a text is no gate.
  package struct Problem: Error, Equatable, Sendable {
    package var message: String
    package var help: String
  }

  /// What came of holding a coverage against a gate.
  package struct Evaluation: Sendable, Equatable {
    package var gate: CoverageGate
    /// How many answers or cells were looked at.
    package var checked: Int
    /// The answers that lack the mark, where the gate is not passed.
    package var missing: [Coverage.Row]
    package var isPassed: Bool
    /// `served: 60 %, wanted 80 % (12 of 20)`
    package var sentence: String
  }

  // MARK: - Reading

  /// Reads `served=80,asserted=50`; a number alone is for `served`.
  package static func shares(_ text: String) throws(Problem) -> [CoverageGate] {
    var gates: [CoverageGate] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let name = sides.count == 2 ? sides[0] : Coverage.Mark.served.rawValue
      let known = Coverage.Mark.allCases.map(\.rawValue)
      guard let mark = Coverage.Mark(rawValue: name) else {
        throw Problem(
          message: "`\(name)` is no mark",
          help: Suggestion.phrase(for: name, among: known) ?? "known: \(known.joined(separator: ", "))")
      }
      guard let last = sides.last, let percent = Int(last), 0...100 ~= percent else {
        throw Problem(
          message: "`\(part)` is no share", help: "expected a mark and a whole percentage, as in served=80,asserted=50")
      }
      gates.append(.share(mark, percent: percent))
    }
    return gates
  }

  /// Reads `chat/*:200,401,500`: a pattern for operations, in which `*` stands for any text, and statuses or meanings.
  package init(cells text: String) throws(Problem) {
    // The pattern may be a path, and paths may hold colons.
    guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")), colon != text.startIndex else {
      throw Problem(
        message: "`\(text)` lacks a side", help: "expected operations and statuses, as in chat/*:200,401,500")
    }
    let statuses = text[text.index(after: colon)...].split(separator: ",").map(String.init)
    guard !statuses.isEmpty else {
      throw Problem(
        message: "`\(text)` names no status", help: "expected statuses behind the colon, as in :200,401,500")
    }
    self = .cells(pattern: String(text[..<colon]), statuses: statuses)
  }

  // MARK: - Evaluating

  /// Holds a coverage against the gate; a pattern or a status that names nothing is a problem, since it would hold for ever.
  package func evaluate(_ coverage: Coverage) throws(Problem) -> Evaluation {
    switch self {
    case .share(let mark, let wanted):
      let share = coverage.share(of: mark)
      let reached = share.percent ?? 0
      let isPassed = share.total > 0 && reached >= wanted
      return Evaluation(
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
      return Evaluation(
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

extension CoverageGate: CustomStringConvertible {
  /// As it is written on the command line.
  package var description: String {
    switch self {
    case .share(let mark, let percent): "--min-coverage \(mark.rawValue)=\(percent)"
    case .cells(let pattern, let statuses): "--require \(pattern):\(statuses.joined(separator: ","))"
    }
  }
}
