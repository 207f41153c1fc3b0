/// The page of a mock, without requests of its own: the matrix of operations and statuses, and a line to copy for each.
struct MockPage {
  private let mock: Mock
  private let url: String
  private let rows: [Row]
  private let total: Int

  /// The maximum number of rows. A page with thousands of operations is too large for a browser; the JSON has them all.
  private static let limit = 500

  private struct Row {
    var contract: Contract
    var operation: MockOperation
    var cells: [FixtureCell]
  }

  init(_ overview: MockOverview) {
    mock = overview.mock
    url = overview.url
    var rows: [Row] = []
    var position = 0
    for contract in mock.contracts {
      for compiled in contract.compiled.operations {
        if rows.count < Self.limit, position < mock.operations.count {
          rows.append(
            Row(contract: contract, operation: mock.operations[position], cells: contract.cells(of: compiled)))
        }
        position += 1
      }
    }
    self.rows = rows
    total = position
  }

  /// `Content-Security-Policy`: no request leaves the page, and no script runs but its own.
  static let policy = """
    default-src 'none'; img-src data:; style-src 'sha256-\(MockPageAssets.styleHash)'; \
    script-src 'sha256-\(MockPageAssets.scriptHash)'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'
    """

  var text: String {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>\(line(mock.contracts.map(\.name).joined(separator: ", "))) · understudy</title>
    <link rel="icon" href="data:,">
    <style>\(MockPageAssets.style)</style>
    </head>
    <body>
    <header>
    <h1>Understudy</h1>
    <p>This is a mock. It answers every operation below with every documented status, at <code>\(line(url))</code>.</p>
    \(settings)
    </header>
    <p class="tools"><input id="filter" type="search" placeholder="Filter: a path, an operation, a status" \
    aria-label="Filter operations"><span class="legend">\(legend)</span></p>
    \(mock.contracts.map(section).joined(separator: "\n"))
    \(rest)
    <footer>Send <code>Prefer: code=404</code> or <code>?__code=404</code> to ask for a status, \
    <code>Prefer: example=NAME</code> for a named answer. <code>Accept: application/json</code> gets this page as JSON.</footer>
    <output id="copied" role="status"></output>
    <script>\(MockPageAssets.script)</script>
    </body>
    </html>

    """
  }

  // MARK: - Head

  private var settings: String {
    var items = [refusals]
    if let scenario = mock.options.scenario { items.append("scenario: <b>\(line(scenario))</b>") }
    if mock.options.isDynamic { items.append("<b>samples</b> in place of fixtures and examples") }
    let forced = rows.filter { $0.operation.forced != nil }.count
    if forced > 0 { items.append("<b class=\"warn\">\(forced.counted("operation")) forced</b>") }
    if let console = mock.options.consolePath {
      items.append("<a href=\"\(line(console))\">Open the console</a> to see requests and to change answers")
    }
    return "<p class=\"facts\">\(items.joined(separator: " · "))</p>"
  }

  private var refusals: String {
    switch mock.options.onInvalid {
    case .contract: "A bad request gets the contract’s own error, or a problem document where it has none."
    case .problem: "A bad request gets a problem document."
    case .warn: "A bad request is answered like any other, with its findings in <code>sl-violations</code>."
    }
  }

  private static let answers: [(answer: RouteListing.Answer, meaning: String)] = [
    (.fixture, "from a file"), (.example, "from the contract"), (.sample, "made from the schema"), (.empty, "no body"),
  ]

  private var legend: String {
    Self.answers.map { "<span><i class=\"key \($0.answer)\"></i>\($0.answer): \($0.meaning)</span>" }
      .joined(separator: " ")
  }

  private var rest: String {
    total <= rows.count
      ? "" : "<p>and \((total - rows.count).counted("more operation")); the JSON of this page has them all</p>"
  }

  // MARK: - The matrix

  private func section(_ contract: Contract) -> String {
    let own = rows.enumerated().filter { $0.element.contract.compiled === contract.compiled }
    guard !own.isEmpty else { return "" }
    let statuses = Set(own.flatMap { $0.element.cells.map(\.cell.status.description) }).sorted {
      $0.utf8.lexicographicallyPrecedes($1.utf8)
    }
    let api = contract.api
    let head = statuses.map { "<th scope=\"col\">\(line($0))</th>" }.joined()
    return """
      <section>
      <h2>\(line(api.title.isEmpty ? api.name : api.title)) <small>\(line(api.name)), version \(line(api.version)), \
      \(own.count.counted("operation")), \(contract.cellCount), \(contract.fixtures.count.counted("fixture"))</small></h2>
      <div class="scroll"><table><thead><tr><th scope="col">operation</th>\(head)</tr></thead>
      <tbody>
      \(own.map { tableRow($0.offset, $0.element, statuses) }.joined(separator: "\n"))
      </tbody></table></div>
      \(own.map { lines($0.offset, $0.element) }.joined(separator: "\n"))
      </section>
      """
  }

  private func tableRow(_ index: Int, _ row: Row, _ statuses: [String]) -> String {
    let operation = row.operation.compiled.operation
    let cells = statuses.map { status -> String in
      guard let cell = row.cells.first(where: { $0.cell.status.description == status }) else { return "<td></td>" }
      return "<td>\(chip(index, row, cell))</td>"
    }
    return """
      <tr><th scope="row"><a href="#o\(index)"><b class="method">\(line(operation.method))</b> \
      <code>\(line(row.operation.compiled.basePath + operation.path))</code></a>\
      <small>\(line(operation.id))\(operation.isDeprecated ? ", deprecated" : "")</small></th>\(cells.joined())</tr>
      """
  }

  private func chip(_ index: Int, _ row: Row, _ cell: FixtureCell) -> String {
    let answer = answer(cell)
    let isForced = row.operation.forced.map { row.operation.cell(for: $0.code)?.status == cell.cell.status } ?? false
    let names = cell.names.isEmpty ? "" : "\nalso: \(cell.names.joined(separator: ", "))"
    let file = cell.defaults.first.map { " \(Path.name(of: $0.source.path))" } ?? ""
    let meaning = cell.cell.response == nil ? "not documented" : cell.cell.explicitMeaning ?? ""
    let title = "\(meaning.isEmpty ? "" : "\(meaning)\n")\(answer)\(answer == .fixture ? file : "")\(names)"
    let more = cell.names.isEmpty ? "" : "<sup>+\(cell.names.count)</sup>"
    return """
      <a class="cell \(answer)\(isForced ? " forced" : "")" href="#\(id(index, cell))" title="\(Markup.attribute(title))">\
      \(answer)\(more)</a>
      """
  }

  private func answer(_ cell: FixtureCell) -> RouteListing.Answer {
    let answer = RouteListing.answer(cell)
    return mock.options.isDynamic && answer != .empty ? .sample : answer
  }

  // MARK: - Lines to copy

  private func lines(_ index: Int, _ row: Row) -> String {
    let operation = row.operation.compiled.operation
    let values = PathValues(row.operation, seed: mock.options.seed)
    let items = row.cells.flatMap { cell -> [String] in
      let code = cell.cell.status.code
      let plain = item(
        id(index, cell), cell.cell.status.description, cell.cell.explicitMeaning ?? "", values, "code=\(code)")
      return [plain]
        + cell.names.map {
          item(nil, "\(cell.cell.status).\($0)", "", values, "code=\(code), example=\(Self.quoted($0))")
        }
    }
    return """
      <details id="o\(index)"><summary><b class="method">\(line(operation.method))</b> \
      <code>\(line(row.operation.compiled.basePath + operation.path))</code> <small>\(line(operation.id))</small></summary>
      <ul>
      \(items.joined(separator: "\n"))
      </ul></details>
      """
  }

  private func item(
    _ id: String?, _ label: String, _ meaning: String, _ values: PathValues, _ preference: String
  ) -> String {
    var fields = HTTPFields()
    if let prefer = HTTPField.Name("Prefer") { fields[prefer] = preference }
    let curl = CurlLine(method: values.method, url: url + values.target, fields: fields, body: .none).text()
    let attribute = id.map { " id=\"\($0)\"" } ?? ""
    return
      "<li\(attribute)><b>\(line(label))</b> <span>\(line(meaning))</span> <code class=\"line\">\(line(curl))</code></li>"
  }

  /// The target of a cell's line in the page.
  private func id(_ index: Int, _ cell: FixtureCell) -> String { "o\(index)-\(cell.cell.status)" }

  /// A name as `Prefer` takes it (RFC 7240, 2: a token or a quoted string).
  private static func quoted(_ name: String) -> String {
    HeaderText.isName(name)
      ? name : "\"" + name.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }

  private func line(_ text: String) -> String { Markup.text(VisibleText.line(text)) }
}

/// A method and a target that match an operation.
struct PathValues {
  let method: String
  let target: String

  /// - Parameter seed: Seeds the values for the expressions of the path.
  init(_ operation: MockOperation, seed: String) {
    method = operation.compiled.operation.method
    target =
      QuickStartRequest.target(of: operation, seed: seed) ?? operation.compiled.basePath
      + operation.compiled.operation.path
  }
}
