/// A coverage as a table for terminals: operations down, statuses across, four marks in each cell.
package struct CoverageMatrix {
  private let coverage: Coverage
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
    self.style = style
    self.glyphs = glyphs
  }

  package var text: String {
    let tables = CoverageTable.all(coverage).map { text($0) + "\n" }.joined()
    return tables
      + "capital letter: every media type of the request; small: some; \(glyphs.missing): none; !: seen, not documented\n\n"
      + totals + lists
  }

  // MARK: - Table

  private func text(_ table: CoverageTable) -> String {
    let titles = table.lines.map { DiagnosticPrinter.visible($0.title) }
    let contract = DiagnosticPrinter.visible(table.contract)
    let label = min((titles + [contract]).map(\.unicodeScalars.count).max() ?? 0, 44)
    // `default` is the last column and three characters wider than the others.
    let perBlock = max(1, (Self.width - label - 3) / 5)
    var text = ""
    for start in stride(from: 0, to: table.statuses.count, by: perBlock) {
      let block = start..<min(start + perBlock, table.statuses.count)
      let head = table.statuses[block].map { pad($0, 4) }.joined(separator: " ")
      text += style.bold(trimmed("\(pad(cut(contract, label), label)) \(head)")) + "\n"
      for (title, line) in zip(titles, table.lines) {
        let cells = line.cells[block].map(cell).joined(separator: " ")
        text += trimmed("\(pad(cut(title, label), label)) \(cells)") + "\n"
      }
      if block.upperBound < table.statuses.count { text += "\n" }
    }
    return text
  }

  private func cell(_ cell: CoverageTable.Cell) -> String {
    switch cell {
    case .empty: "    "
    case .stray: style.red("!   ")
    case .documented(let rows): marks(Coverage.answers(of: rows))
    }
  }

  private func marks(_ rows: [Coverage.Row]) -> String {
    let text = Coverage.Mark.allCases.map { MarkState($0, in: rows).letter(of: $0, missing: glyphs.missing) }.joined()
    let served = rows.count { $0.marks.isSuperset(of: [.served, .asserted]) }
    return served == rows.count
      ? style.green(text) : rows.contains { $0.seen > 0 } ? style.yellow(text) : style.dim(text)
  }

  // MARK: - Totals and lists

  private var totals: String {
    Coverage.Mark.allCases.map { mark in
      let share = coverage.share(of: mark)
      let percent = share.percent.map { "\($0) %" } ?? "-"
      let numbers = "\(pad("\(share.count)", 5, right: true)) of \(share.total) \(pad(percent, 6, right: true))"
      return "\(mark.rawValue.prefix(1).uppercased()) \(pad(mark.rawValue, 9))\(numbers)\n"
    }
    .joined() + (coverage.answersNote.map { "\($0)\n" } ?? "")
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
