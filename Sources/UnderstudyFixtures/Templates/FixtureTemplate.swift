/// A body with Mustache tags: `{{request.body.chat}}`, `{{now}}`.
///
/// Variables, sections, inverted sections and comments follow the Mustache specification, blocks such as `{{#if name}}` and
/// functions such as `{{upper name}}` Handlebars. Partials, inheritance, lambdas and other delimiters are not supported.
package struct FixtureTemplate: Sendable {
  package static let depthLimit = 32
  /// The work of one rendering: `TemplateRun.nodeCost` for each tag, and one for each byte that it reads or writes.
  package static let workLimit = 20_000_000
  /// The maximum length of the output in bytes, in addition to the length of the template.
  package static let outputLimit = 16 << 20

  /// The type of the body, as the extension of a file.
  package let fileExtension: String
  package let text: [UInt8]
  let nodes: [Node]
  let escaping: Escaping

  enum Node: Sendable {
    case text(Range<Int>)
    case value(TemplateExpression, tag: Range<Int>, isEscaped: Bool)
    /// Its nodes follow it; its `else` has the nodes from `otherwise` to `end`.
    case block(TemplateBlock, otherwise: Int, end: Int)
  }

  enum Escaping { case json, html, none }

  /// Reads a template; a problem has the range of its tag in `text`.
  package init(_ text: [UInt8], fileExtension: String) throws(TextProblem) {
    var parser = FixtureTemplateParser(text)
    nodes = try parser.parse()
    self.text = text
    self.fileExtension = fileExtension
    switch fileExtension {
    case "json", "ndjson": escaping = .json
    case "html", "xml", "svg": escaping = .html
    default: escaping = .none
    }
  }

  /// Whether it has no tags, so that its text is always the same.
  package var isConstant: Bool {
    guard case .text(let range)? = nodes.first else { return text.isEmpty }
    return range == text.indices
  }

  /// The names that it takes from `root`: `me` of `{{var.me}}`.
  func members(of root: String) -> [String] {
    paths.compactMap { $0.parts.count > 1 && $0.root == root ? $0.parts[1].name : nil }
  }

  /// What it takes from `root`, which is `request` or `response`.
  package func values(of root: String) -> [(part: RequestPart, name: String)] {
    paths.compactMap { $0.root == root ? $0.exchangeValue : nil }
  }

  private var paths: [TemplatePath] {
    nodes.flatMap { node -> [TemplatePath] in
      switch node {
      case .value(let expression, _, _): expression.paths
      case .block(let block, _, _): block.value.paths
      case .text: []
      }
    }
  }

  /// A text for one request.
  package struct Rendering: Sendable {
    /// Empty after a failure.
    package var text: [UInt8] = []
    /// The first name in it that has no value.
    package var missing: String?
    /// The reason that there is no text: a limit, or a value that a function does not take, at its tag.
    package var failure: TextProblem?

    /// The reason that the text is not complete; `nil` for a complete text.
    package var reason: String? { failure?.message ?? missing.map { "`{{\($0)}}` is missing" } }
  }

  /// The body for one request; names without a value render as nothing.
  package func render(_ request: any RequestValues, _ environment: TemplateEnvironment) -> [UInt8] {
    rendered(request, environment).text
  }

  package func rendered(_ request: any RequestValues, _ environment: TemplateEnvironment) -> Rendering {
    var run = TemplateRun(self, request, environment)
    do throws(TextProblem) {
      try run.render(nodes.indices)
      return Rendering(text: run.output, missing: run.missing)
    } catch {
      return Rendering(missing: run.missing, failure: error)
    }
  }
}
