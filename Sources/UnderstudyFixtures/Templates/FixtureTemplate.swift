/// A body with Mustache tags: `{{request.body.chat}}`, `{{now}}`.
///
/// Variables, sections, inverted sections and comments follow the Mustache specification; a tag may also be a function
/// with arguments, as in `{{now +1h}}`. Partials, inheritance, lambdas and other delimiters are not supported.
package struct FixtureTemplate: Sendable {
  package static let depthLimit = 32

  /// The type of the body, as the extension of a file.
  package let fileExtension: String
  package let text: [UInt8]
  private let nodes: [Node]
  private let escaping: Escaping

  enum Node: Sendable {
    case text(Range<Int>)
    case variable(Name, tag: Range<Int>, isEscaped: Bool)
    case function(TemplateFunction, isEscaped: Bool)
    /// Its nodes follow it, up to `end`.
    case section(Name, tag: Range<Int>, isInverted: Bool, end: Int)
  }

  /// `a.b` has two parts, the implicit iterator `.` has none.
  package typealias Name = [String]

  private enum Escaping { case json, html, none }

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

  /// The names that it takes from `root`: `me` of `{{var.me}}`.
  func members(of root: String) -> [String] {
    names.compactMap { $0.name.count > 1 && $0.name[0] == root ? $0.name[1] : nil }
  }

  /// What it takes from `root`, which is `request` or `response`.
  package func values(of root: String) -> [(part: RequestPart, name: String)] {
    names.compactMap { _, name, _, _ in
      guard name.count == 3, name[0] == root else { return nil }
      return RequestPart(rawValue: name[1]).map { ($0, name[2]) }
    }
  }

  /// All names with the positions of their nodes and the ranges of their tags; for a section also the end of its nodes.
  var names: [(index: Int, name: Name, tag: Range<Int>, end: Int?)] {
    nodes.enumerated().compactMap { index, node in
      switch node {
      case .variable(let name, let tag, _): (index, name, tag, nil)
      case .section(let name, let tag, _, let end): (index, name, tag, end)
      case .text, .function: nil
      }
    }
  }

  /// The body for one request; unknown names render as nothing.
  package func render(_ request: any RequestValues, _ environment: TemplateEnvironment) -> [UInt8] {
    rendered(request, environment).text
  }

  /// The text for one request, and the first variable in it that has no value.
  package func rendered(
    _ request: any RequestValues, _ environment: TemplateEnvironment
  ) -> (text: [UInt8], missing: Name?) {
    var context = FixtureTemplateContext(request: request, environment: environment)
    var output: [UInt8] = []
    render(nodes.indices, &context, into: &output)
    return (output, context.missing)
  }

  private func render(_ range: Range<Int>, _ context: inout FixtureTemplateContext, into output: inout [UInt8]) {
    var index = range.lowerBound
    while index < range.upperBound {
      let node = nodes[index]
      index += 1
      switch node {
      case .text(let range):
        output += text[range]
      case .variable(let name, _, let isEscaped):
        if let value = context.value(of: name) {
          append(value.text, isEscaped ? escaping : .none, to: &output)
        } else {
          context.missing = context.missing ?? name
        }
      case .function(let function, let isEscaped):
        append(function.text(&context.environment), isEscaped ? escaping : .none, to: &output)
      case .section(let name, _, let isInverted, let end):
        let items = context.value(of: name)?.items ?? []
        if isInverted && items.isEmpty { render(index..<end, &context, into: &output) }
        for item in items where !isInverted {
          context.stack.append(item)
          render(index..<end, &context, into: &output)
          context.stack.removeLast()
        }
        index = end
      }
    }
  }

  private func append(_ text: String, _ escaping: Escaping, to output: inout [UInt8]) {
    switch escaping {
    case .none:
      output += text.utf8
    case .json:
      var quoted: [UInt8] = []
      JSONWriter.quote(text.utf8, into: &quoted)
      output += quoted.dropFirst().dropLast()
    case .html:
      for byte in text.utf8 {
        if let entity = Self.entities[byte] { output += entity.utf8 } else { output.append(byte) }
      }
    }
  }

  /// For `&`, `<`, `>` and both kinds of quotes.
  private static let entities: [UInt8: String] = [
    0x26: "&amp;", 0x3C: "&lt;", 0x3E: "&gt;", 0x22: "&quot;", 0x27: "&#39;",
  ]
}
