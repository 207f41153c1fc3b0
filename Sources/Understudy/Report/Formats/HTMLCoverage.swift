/// The coverage of a report as a matrix: one row for each operation, one column for each status, four marks in each
/// cell.
struct HTMLCoverage {
  private let rows: [Coverage.Row]
  private let undocumented: [Coverage.Undocumented]

  init(_ report: Report) {
    rows = report.coverage?.rows ?? []
    undocumented = report.coverage?.undocumented ?? []
  }

  var text: String {
    guard !rows.isEmpty || !undocumented.isEmpty else { return "" }
    let legend = Self.marks.map { "\($0.letter) \($0.name)" }.joined(separator: ", ")
    return """
      <h2>Coverage <small>\(legend)</small></h2>
      \(rows.grouped(by: \.contract).map(matrix).joined(separator: "\n"))
      \(unknown)
      """
  }

  private static let marks: [(letter: String, name: String, mark: Coverage.Mark)] = [
    ("F", "has a fixture", .fixture), ("V", "it is valid", .valid), ("S", "served", .served),
    ("A", "asserted", .asserted),
  ]

  private func matrix(_ contract: String, _ rows: [Coverage.Row]) -> String {
    let statuses = Set(rows.map(\.status)).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    let head = statuses.map { "<th>\(Markup.text(VisibleText.line($0)))</th>" }.joined()
    let lines = rows.grouped(by: \.operation).map { line($0.elements, statuses) }
    return """
      <div class="scroll"><table class="sheet"><thead><tr><th>\(Markup.text(VisibleText.line(contract)))</th>\(head)</tr></thead>
      <tbody>
      \(lines.joined(separator: "\n"))
      </tbody></table></div>
      """
  }

  private func line(_ rows: [Coverage.Row], _ statuses: [String]) -> String {
    let cells = statuses.map { status in
      let cell = rows.filter { $0.status.utf8Equals(status) }
      return "<td>\(cell.map { marks($0, showsType: cell.count > 1) }.joined())</td>"
    }
    let name = Markup.text(VisibleText.line("\(rows[0].method) \(rows[0].path)"))
    let deprecated = rows[0].isDeprecated ? " <span class=\"soft\">deprecated</span>" : ""
    return "<tr data-kind=\"row\"><th scope=\"row\"><code>\(name)</code>\(deprecated)</th>\(cells.joined())</tr>"
  }

  private func marks(_ row: Coverage.Row, showsType: Bool) -> String {
    let types = [row.requestType, row.responseType].compactMap(\.self).joined(separator: " to ")
    let marks = Self.marks.map { "\($0.name): \(row.marks.contains($0.mark) ? "yes" : "no")" }
    let title = ([types, row.meaning ?? ""].filter { !$0.isEmpty } + marks + ["tried \(row.tried), seen \(row.seen)"])
      .joined(separator: "\n")
    let boxes = Self.marks.map { "<i\(row.marks.contains($0.mark) ? " class=\"on\"" : "")>\($0.letter)</i>" }
    let label = showsType ? " <small>\(Markup.text(VisibleText.line(types)))</small>" : ""
    return "<div class=\"marks\" title=\"\(Markup.attribute(title))\">\(boxes.joined())\(label)</div>"
  }

  private var unknown: String {
    guard !undocumented.isEmpty else { return "" }
    let items = undocumented.map { item in
      let name = Markup.text(VisibleText.line("\(item.method) \(item.path) \(item.status)"))
      return "<li><code>\(name)</code> \(item.count == 1 ? "once" : "\(item.count) times")</li>"
    }
    return "<h2>Seen, not documented</h2>\n<ul>\(items.joined())</ul>"
  }
}
