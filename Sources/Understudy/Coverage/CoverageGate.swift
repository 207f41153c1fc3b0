import SourceText

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
  package struct Verdict: Sendable, Equatable {
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
