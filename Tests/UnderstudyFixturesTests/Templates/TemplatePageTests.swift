import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyTestSupport

/// The examples of docs/templates.md: tags in tables, rendered for the request of the page.
struct TemplatePageTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let tag: String
    /// `nil` for a random value, which the page describes.
    let rendered: String?
    var testDescription: String { tag }
  }

  private static let page = (try? Project.text("docs/templates.md"))?.split(separator: "\n") ?? []

  /// The rows of the tables with the columns `tag` and `renders`.
  static let rows: [Row] = {
    var rows: [Row] = []
    var isTable = false
    for line in page {
      if line == "| tag | renders |" { isTable = true }
      guard isTable, line.hasPrefix("| ") else {
        isTable = isTable && line.hasPrefix("|")
        continue
      }
      let cells = line.replacing("\\|", with: "\u{0}").split(separator: "|").map { $0.replacing("\u{0}", with: "|") }
      let rendered = spans(cells.count > 1 ? cells[1] : "")
      let isPlain = cells.count > 1 && rendered.count == 1 && cells[1].hasPrefix(" `") && cells[1].hasSuffix("` ")
      rows += spans(cells[0]).map { Row(tag: $0, rendered: isPlain ? rendered[0] : nil) }
    }
    return rows
  }()

  private static func spans(_ cell: some StringProtocol) -> [String] {
    cell.split(separator: "`", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }
      .map { String($0.element) }
  }

  private static func request() -> RequestView {
    let lines = page.drop { $0 != "```http" }.dropFirst().prefix { $0 != "```" }.map(String.init)
    let words = (lines.first ?? "").split(separator: " ").map(String.init)
    var request = HTTPRequest(method: .post, scheme: nil, authority: nil, path: words[1])
    for line in lines.dropFirst().dropLast() {
      let field = line.split(separator: ": ", maxSplits: 1).map(String.init)
      if let name = HTTPField.Name(field[0]) { request.headerFields[name] = field[1] }
    }
    return RequestView(
      request: request, target: words[1], captures: [(name: "id", range: 8..<10)], body: Array((lines.last ?? "").utf8))
  }

  @Test func `the page has examples of each function`() {
    #expect(Self.rows.count > 60)
    let text = Self.page.joined(separator: "\n")
    for signature in TemplateNamesOfPage.all { #expect(text.contains(signature), "\(signature)") }
  }

  @Test(arguments: rows) func `each tag of the page renders as it says`(row: Row) throws {
    let template = try FixtureTemplate(Array(row.tag.utf8), fileExtension: "txt")
    #expect(template.unknownNames(in: .fixture) == [])
    let rendering = template.rendered(Self.request(), .sample)
    #expect(rendering.failure == nil)
    let text = String(decoding: rendering.text, as: UTF8.self)
    if let rendered = row.rendered {
      #expect(text == rendered)
    } else {
      #expect(!text.isEmpty || row.tag.hasPrefix("{{!"))
    }
  }
}

/// The functions of the page, each in a tag, in parentheses or in prose.
private enum TemplateNamesOfPage {
  static let all = [
    "{{upper ", "{{lower ", "{{capitalize ", "{{trim ", "{{default ", "{{join ", "{{add ", "{{subtract ", "{{multiply ",
    "{{divide ", "{{modulo ", "{{round ", "{{math ", "{{date ", "(parseDate ", "{{base64 ", "{{json ", "{{jsonPath ",
    "{{size ", "{{#eq ", "`ne`", "`lt`", "`lte`", "(gt ", "`gte`", "`contains`", "`and`", "`or`", "`not`", "{{now",
    "{{uuid",
    "{{random ", "{{jwt ",
  ]
}
