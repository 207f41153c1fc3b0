/// The coverage of a report: a tile for each mark, a matrix of operations and statuses, and what was not tried or not
/// documented.
struct HTMLCoverage {
  private let coverage: Coverage
  /// The most items of a list.
  private static let listLimit = 1_000

  init(_ report: Report) { coverage = report.coverage ?? Coverage() }

  var text: String {
    guard !coverage.rows.isEmpty || !coverage.undocumented.isEmpty else { return "" }
    return """
      <h2>Coverage</h2>
      \(tiles)
      \(coverage.answersNote.map { "<p class=\"soft\">\(Markup.text($0))</p>" } ?? "")
      \(CoverageTable.all(coverage).map(matrix).joined(separator: "\n"))
      <p class="soft">\(Self.legend)</p>
      \(list("Documented, never tried", coverage.neverTried.map { self.item($0.title) }, isOpen: false))
      \(list("Tried, never seen", coverage.neverSeen.map { self.item($0.title) }, isOpen: false))
      \(list("Seen, not documented", coverage.undocumented.map(item), isOpen: true))
      """
  }

  private static let names: [(mark: Coverage.Mark, text: String)] = [
    (.fixture, "has a fixture"), (.valid, "it is valid"), (.served, "served"), (.asserted, "asserted"),
  ]

  private static let legend =
    names.map { "\($0.mark.rawValue.prefix(1).uppercased()): \($0.text)" }.joined(separator: ", ")
    + ". A pale mark is missing for some media types of the request; a cell with several media types opens on a click. "
    + "!: seen, not documented."

  private var tiles: String {
    let tiles = Coverage.Mark.allCases.map { mark -> String in
      let share = coverage.share(of: mark)
      let percent = share.percent.map { "\($0) %" } ?? "-"
      return "<li><b>\(percent)</b> \(mark.rawValue)<br><small>\(share.count) of \(share.total)</small></li>"
    }
    return "<ul class=\"counts\">\(tiles.joined())</ul>"
  }

  // MARK: - Matrix

  private func matrix(_ table: CoverageTable) -> String {
    let head = table.statuses.map { "<th>\(shown($0))</th>" }.joined()
    return """
      <div class="scroll"><table class="sheet"><thead><tr><th>\(shown(table.contract))</th>\(head)</tr></thead>
      <tbody>
      \(table.lines.map(line).joined(separator: "\n"))
      </tbody></table></div>
      """
  }

  private func line(_ line: CoverageTable.Line) -> String {
    let cells = line.cells.map { cell in
      switch cell {
      case .empty: "<td></td>"
      case .stray(let item):
        "<td><b class=\"stray\" title=\"seen, not documented: \(item.count.counted("time"))\">!</b></td>"
      case .documented(let rows): "<td>\(self.cell(rows))</td>"
      }
    }
    let deprecated = line.isDeprecated ? " <span class=\"soft\">deprecated</span>" : ""
    return
      "<tr data-kind=\"row\"><th scope=\"row\"><code>\(shown(line.title))</code>\(deprecated)</th>\(cells.joined())</tr>"
  }

  /// The marks of a cell; its media types only on a click, because they are wider than the marks.
  private func cell(_ rows: [Coverage.Row]) -> String {
    let states = Self.names.map { MarkState($0.mark, in: Coverage.answers(of: rows)) }
    let facts = zip(Self.names, states).map { name, state in
      "\(name.text): \(state == .all ? "yes" : state == .some ? "for some media types" : "no")"
    }
    let tried = rows.map(\.tried).max() ?? 0
    let counts = "tried \(tried), seen \(rows.reduce(0) { $0 + $1.seen })"
    let title = ([rows[0].meaning ?? ""].filter { !$0.isEmpty } + facts + [counts]).joined(separator: "\n")
    let summary = boxes(states, title)
    guard rows.count > 1 else { return summary }
    let details = rows.map { row in
      let types = [row.requestType, row.responseType].compactMap(\.self).joined(separator: " to ")
      let states = Self.names.map { MarkState($0.mark, in: [row]) }
      return "\(boxes(states, "tried \(row.tried), seen \(row.seen)"))<small>\(shown(types))</small>"
    }
    return "<details class=\"types\"><summary>\(summary)</summary>\(details.joined())</details>"
  }

  private func boxes(_ states: [MarkState], _ title: String) -> String {
    let boxes = zip(Self.names, states).map { name, state in
      let kind = state == .all ? " class=\"on\"" : state == .some ? " class=\"some\"" : ""
      return "<i\(kind)>\(name.mark.rawValue.prefix(1).uppercased())</i>"
    }
    return "<span class=\"marks\" title=\"\(Markup.attribute(title))\">\(boxes.joined())</span>"
  }

  // MARK: - Lists

  private func item(_ title: String) -> String { "<code>\(shown(title))</code>" }

  private func item(_ item: Coverage.Undocumented) -> String {
    "<code>\(shown("\(item.method) \(item.path) \(item.status)"))</code> \(item.count.counted("time"))"
  }

  private func list(_ title: String, _ items: [String], isOpen: Bool) -> String {
    guard !items.isEmpty else { return "" }
    let listed = items.prefix(Self.listLimit).map { "<li>\($0)</li>" }.joined()
    let rest = items.count > Self.listLimit ? "<li>and \(items.count - Self.listLimit) more</li>" : ""
    return
      "<details\(isOpen ? " open" : "")><summary>\(title): \(items.count)</summary><ul>\(listed)\(rest)</ul></details>"
  }

  private func shown(_ text: String) -> String { Markup.text(VisibleText.line(VisibleText.shortened(text, to: 300))) }
}
