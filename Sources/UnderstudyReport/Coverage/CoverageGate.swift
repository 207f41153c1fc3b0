/// A requirement on a coverage: a share of answers with a mark, or cells that must be served.
package enum CoverageGate: Sendable, Equatable {
  /// At least this percentage of the answers has the mark.
  case share(Coverage.Mark, percent: Int)
  /// The operations that match the pattern have served these statuses, where they document them.
  case cells(pattern: String, statuses: [String])

  package struct Evaluation: Sendable, Equatable {
    package var gate: CoverageGate
    /// The number of answers or cells.
    package var checked: Int
    /// The answers without the mark, if the gate is not passed.
    package var missing: [Coverage.Row]
    package var isPassed: Bool
    /// `served: 60 %, expected 80 % (12 of 20)`, if passed `served 83 % of 80 %`
    package var sentence: String

    /// The most missing answers that are listed.
    private static let listLimit = 20

    /// The result for people: `served 83 % of 80 %: passed`, or the reason with the first missing answers.
    package func lines(_ style: TerminalStyle) -> [String] {
      guard !isPassed else { return ["\(VisibleText.line(sentence)): \(style.green("passed"))"] }
      let shown = missing.prefix(Self.listLimit).map { "  missing: \(VisibleText.line($0.title))" }
      let rest = missing.count - shown.count
      return ["\(style.red("too low:")) \(VisibleText.line(sentence))"] + shown
        + (rest > 0 ? ["  and \(rest) more (--format json has all)"] : [])
    }
  }

  // MARK: - Reading

  /// Reads `served=80,asserted=50`. A number alone means `served`.
  package static func shares(_ text: String) throws(UsageProblem) -> [CoverageGate] {
    var gates: [CoverageGate] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let name = sides.count == 2 ? sides[0] : Coverage.Mark.served.rawValue
      let known = Coverage.Mark.allCases.map(\.rawValue)
      guard let mark = Coverage.Mark(rawValue: name) else {
        throw UsageProblem(
          message: "`\(name)` is not a mark",
          help: Suggestion.help(for: name, among: known))
      }
      guard let last = sides.last, let percent = Int(last), 0...100 ~= percent else {
        throw UsageProblem(
          message: "`\(part)` is not a share",
          help: "expected a mark and a whole percentage, as in served=80,asserted=50")
      }
      gates.append(.share(mark, percent: percent))
    }
    return gates
  }

  /// Reads `chat/*:200,401,500`: a pattern for operations, where `*` matches any text, and statuses or meanings.
  package init(cells text: String) throws(UsageProblem) {
    // The pattern may be a path, and paths may hold colons.
    guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")), colon != text.startIndex else {
      throw UsageProblem(
        message: "`\(text)` has no colon", help: "expected operations and statuses, as in chat/*:200,401,500")
    }
    let statuses = text[text.index(after: colon)...].split(separator: ",").map(String.init)
    guard !statuses.isEmpty else {
      throw UsageProblem(
        message: "`\(text)` names no status", help: "expected statuses after the colon, as in :200,401,500")
    }
    self = .cells(pattern: String(text[..<colon]), statuses: statuses)
  }

  // MARK: - Evaluating

  /// Throws if a pattern or a status matches nothing: such a gate would always be passed.
  package func evaluate(_ coverage: Coverage) throws(UsageProblem) -> Evaluation {
    switch self {
    case .share(let mark, let minimum):
      let share = coverage.share(of: mark)
      let reached = share.percent ?? 0
      let isPassed = share.total > 0 && reached >= minimum
      return Evaluation(
        gate: self, checked: share.total,
        missing: isPassed ? [] : coverage.answers.filter { !$0.marks.contains(mark) }, isPassed: isPassed,
        sentence: isPassed
          ? "\(mark.rawValue) \(reached) % of \(minimum) %"
          : "\(mark.rawValue): \(reached) %, expected \(minimum) % (\(share.count) of \(share.total))")
    case .cells(let pattern, let statuses):
      let answers = coverage.answers
      let rows = answers.filter { Self.matches(pattern, $0) }
      guard !rows.isEmpty else {
        let known = answers.map(\.operation)
        throw UsageProblem(
          message: "`\(pattern)` matches no operation",
          help: Suggestion.phrase(for: pattern, among: known) ?? "expected an operation's id, its path, or `*`")
      }
      for status in statuses where !rows.contains(where: { Self.isNamed($0, status) }) {
        let known = rows.flatMap { [$0.status, $0.meaning ?? $0.status] }
        throw UsageProblem(
          message: "no operation of `\(pattern)` documents `\(status)`",
          help: Suggestion.phrase(for: status, among: known) ?? "remove it, or document it")
      }
      let named = rows.filter { row in statuses.contains { Self.isNamed(row, $0) } }
      let cells = named.grouped { [$0.contract, $0.operation, $0.status] }
      // A cell is served when any of its rows is, in any media type.
      let missing = cells.compactMap { _, rows in
        rows.contains { $0.marks.contains(.served) } ? nil : rows.first
      }
      return Evaluation(
        gate: self, checked: cells.count, missing: missing, isPassed: missing.isEmpty,
        sentence: "\(pattern): \(cells.count - missing.count) of \(cells.count) cells served")
    }
  }

  /// Whether a pattern matches an operation's id, its path with or without the first slash, or its method and path.
  private static func matches(_ pattern: String, _ row: Coverage.Row) -> Bool {
    [row.operation, row.path, String(row.path.drop { $0 == "/" }), "\(row.method) \(row.path)"].contains {
      glob(pattern.utf8[...], $0.utf8[...])
    }
  }

  private static func isNamed(_ row: Coverage.Row, _ status: String) -> Bool {
    row.status.utf8Equals(status) || row.meaning?.utf8Equals(status) == true || status.utf8Equals("*")
  }

  /// `*` matches any text. Each takes the shortest match, which is enough to decide.
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
  /// The gate as a command line option.
  package var description: String {
    switch self {
    case .share(let mark, let percent): "--min-coverage \(mark.rawValue)=\(percent)"
    case .cells(let pattern, let statuses): "--require \(pattern):\(statuses.joined(separator: ","))"
    }
  }
}
