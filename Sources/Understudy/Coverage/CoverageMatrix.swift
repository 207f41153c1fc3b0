/// A coverage as a table for terminals: operations down, statuses across, four marks in each cell.
package struct CoverageMatrix {
  private let coverage: Coverage
  private let answers: [Coverage.Row]
  private let style: TerminalStyle
  private let glyphs: Glyphs

  /// Columns of the widest line.
  package static let width = 100
  /// Lines of the longest list below the table.
  static let listLimit = 20

  package struct Glyphs: Sendable {
    var missing: String
    var ellipsis: String

    package static let unicode = Glyphs(missing: "·", ellipsis: "…")
    package static let ascii = Glyphs(missing: ".", ellipsis: "~")
  }

  package init(_ coverage: Coverage, style: TerminalStyle, glyphs: Glyphs = .unicode) {
    self.coverage = coverage
    answers = coverage.answers
    self.style = style
    self.glyphs = glyphs
  }

  package var text: String {
    let tables = answers.map(\.contract).unique().map { table($0) + "\n" }.joined()
    return tables
      + "capital letter: every media type of the request; small: some; \(glyphs.missing): none; !: seen, not documented\n\n"
      + totals + lists
  }

  // MARK: - Table

  private func table(_ contract: String) -> String {
    let rows = answers.filter { $0.contract == contract }
    let extra = coverage.undocumented.filter { $0.contract == contract }
    var operations: [(id: String, title: String, path: String, method: String)] = []
    for row in rows where operations.last?.id != row.operation {
      let title = DiagnosticPrinter.visible("\(row.method) \(row.path)")
      operations.append((row.operation, title, row.path, row.method))
    }
    let strays = extra.filter { stray in
      operations.contains { $0.path == stray.path && $0.method == stray.method }
    }
    let statuses = Self.ordered(rows.map(\.status) + strays.map { "\($0.status)" })
    let cells = Dictionary(grouping: rows) { "\($0.operation) \($0.status)" }
    let label = min(max(operations.map { $0.title.unicodeScalars.count }.max() ?? 0, contract.unicodeScalars.count), 44)
    // `default` is the last column and three characters wider than the others.
    let perBlock = max(1, (Self.width - label - 3) / 5)
    var text = ""
    for start in stride(from: 0, to: statuses.count, by: perBlock) {
      let block = statuses[start..<min(start + perBlock, statuses.count)]
      let head = block.map { pad($0, 4) }.joined(separator: " ")
      text += style.bold(trimmed("\(pad(cut(contract, label), label)) \(head)")) + "\n"
      for operation in operations {
        let line = block.map { status -> String in
          if let rows = cells["\(operation.id) \(status)"] { return marks(rows) }
          let isSeen = strays.contains {
            $0.path == operation.path && $0.method == operation.method && "\($0.status)" == status
          }
          return isSeen ? style.red("!   ") : "    "
        }
        .joined(separator: " ")
        text += trimmed("\(pad(cut(operation.title, label), label)) \(line)") + "\n"
      }
      if block.endIndex < statuses.endIndex { text += "\n" }
    }
    return text
  }

  private func marks(_ rows: [Coverage.Row]) -> String {
    let text = Coverage.Mark.allCases.map { mark -> String in
      let count = rows.count { $0.marks.contains(mark) }
      let letter = String(mark.rawValue.prefix(1))
      return count == 0 ? glyphs.missing : count == rows.count ? letter.uppercased() : letter
    }
    .joined()
    let served = rows.count { $0.marks.isSuperset(of: [.served, .asserted]) }
    return served == rows.count
      ? style.green(text) : rows.contains { $0.seen > 0 } ? style.yellow(text) : style.dim(text)
  }

  /// Codes in ascending order, then ranges, then `default`.
  private static func ordered(_ statuses: [String]) -> [String] {
    Set(statuses).sorted { a, b in
      let (first, second) = (Int(a) == nil ? (a == "default" ? 2 : 1) : 0, Int(b) == nil ? (b == "default" ? 2 : 1) : 0)
      return (first, a) < (second, b)
    }
  }

  // MARK: - Totals and lists

  private var totals: String {
    Coverage.Mark.allCases.map { mark in
      let share = coverage.share(of: mark)
      let percent = share.percent.map { "\($0) %" } ?? "-"
      let numbers = "\(pad("\(share.count)", 5, right: true)) of \(share.total) \(pad(percent, 6, right: true))"
      return "\(mark.rawValue.prefix(1).uppercased()) \(pad(mark.rawValue, 9))\(numbers)\n"
    }
    .joined()
  }

  private var lists: String {
    list("documented, never tried", coverage.neverTried.map(\.title))
      + list("tried, never seen", coverage.neverSeen.map(\.title))
      + list(
        "seen, not documented",
        coverage.undocumented.map { "\($0.method) \($0.path) \($0.status) (\($0.count.counted("time")))" })
  }

  private func list(_ title: String, _ items: [String]) -> String {
    guard !items.isEmpty else { return "" }
    var text = "\n" + style.bold("\(title): \(items.count)") + "\n"
    for item in items.prefix(Self.listLimit) { text += "  \(cut(DiagnosticPrinter.visible(item), Self.width - 2))\n" }
    if items.count > Self.listLimit { text += "  and \(items.count - Self.listLimit) more (--format json has all)\n" }
    return text
  }

  // MARK: - Columns

  private func cut(_ text: String, _ width: Int) -> String {
    let scalars = text.unicodeScalars
    guard scalars.count > width else { return text }
    return String(String.UnicodeScalarView(scalars.prefix(width - 1))) + glyphs.ellipsis
  }

  private func pad(_ text: String, _ width: Int, right: Bool = false) -> String {
    let blanks = String(repeating: " ", count: max(0, width - text.unicodeScalars.count))
    return right ? blanks + text : text + blanks
  }

  private func trimmed(_ line: String) -> String {
    var line = line
    while line.utf8.last == 0x20 { line.removeLast() }
    return line
  }
}
