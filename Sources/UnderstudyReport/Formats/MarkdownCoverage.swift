/// The coverage of a report in Markdown: the shares, a table for each contract, and the undocumented statuses.
struct MarkdownCoverage {
  private let coverage: Coverage
  private let isOpen: Bool
  /// The tables share a comment of limited size with the findings.
  private static let limit = 24_000
  /// The most items of a list.
  private static let listLimit = 20

  /// - Parameter isOpen: Whether the tables are shown without a click.
  init(_ coverage: Coverage, isOpen: Bool) {
    self.coverage = coverage
    self.isOpen = isOpen
  }

  /// Empty without operations.
  var text: String {
    guard !coverage.rows.isEmpty else { return "" }
    let shares = coverage.shares(of: Coverage.Mark.allCases)
    let note = coverage.answersNote.map { "; \($0)" } ?? ""
    return "Of \(coverage.answers.count.counted("documented answer")): \(shares)\(note).\n\n" + tables + lists
  }

  private var tables: String {
    var text = "<details\(isOpen ? " open" : "")><summary>Operations and statuses</summary>\n\n"
    var omitted = 0
    for table in CoverageTable.all(coverage) {
      text += head(table)
      for line in table.lines {
        let row = self.row(line)
        if text.utf8.count + row.utf8.count > Self.limit { omitted += 1 } else { text += row }
      }
      text += "\n"
    }
    if omitted > 0 { text += "\(omitted.counted("further operation")) in `--report html=FILE`.\n\n" }
    return text
      + "F: has a fixture, V: it is valid, S: served, A: asserted. Capital letter: every media type of the request, "
      + "small: some, ·: none, \\!: seen, not documented.\n\n</details>\n\n"
  }

  private func head(_ table: CoverageTable) -> String {
    let statuses = table.statuses.map { MarkdownText.text($0, limit: 20) }
    let rule = String(repeating: "|:-:", count: statuses.count)
    return "| \(MarkdownText.text(table.contract, limit: 80)) |\(statuses.map { " \($0) |" }.joined())\n|---\(rule)|\n"
  }

  private func row(_ line: CoverageTable.Line) -> String {
    let cells = line.cells.map { cell in
      switch cell {
      case .empty: ""
      case .stray: "\\!"
      case .documented(let rows):
        Coverage.Mark.allCases.map { mark in
          MarkState(mark, in: Coverage.answers(of: rows)).letter(of: mark, missing: "·")
        }.joined()
      }
    }
    return "| \(MarkdownText.code(line.title, limit: 80)) |\(cells.map { " \($0) |" }.joined())\n"
  }

  private var lists: String {
    let undocumented = coverage.undocumented.map { item in
      "\(MarkdownText.code("\(item.method) \(item.path) \(item.status)", limit: 120)): \(item.count.counted("time"))"
    }
    return list("Documented, never tried", coverage.neverTried.map { MarkdownText.code($0.title, limit: 160) })
      + list("Seen, not documented", undocumented)
  }

  private func list(_ title: String, _ items: [String]) -> String {
    guard !items.isEmpty else { return "" }
    let shown = items.prefix(Self.listLimit).map { "- \($0)\n" }.joined()
    let rest = items.count > Self.listLimit ? "- and \(items.count - Self.listLimit) more\n" : ""
    return "<details><summary>\(title): \(items.count)</summary>\n\n\(shown)\(rest)\n</details>\n\n"
  }
}
