struct FixtureTemplateParser {
  private let text: [UInt8]
  private var nodes: [FixtureTemplate.Node] = []
  /// The sections whose end tags are not read yet.
  private var open: [Section] = []
  /// The start of the text that is not part of a node yet.
  private var position = 0

  private struct Section {
    let node: Int
    let name: Range<Int>
    let tag: Range<Int>
  }

  init(_ text: [UInt8]) { self.text = text }

  mutating func parse() throws(TextProblem) -> [FixtureTemplate.Node] {
    while let start = find("{{", from: position) { try readTag(at: start) }
    if let section = open.last { throw problem("the section \(quoted(section.tag)) has no end", at: section.tag) }
    addText(upTo: text.count)
    return nodes
  }

  private mutating func readTag(at start: Int) throws(TextProblem) {
    let isTriple = text[start...].starts(with: "{{{".utf8)
    let length = isTriple ? 3 : 2
    guard let end = find(isTriple ? "}}}" : "}}", from: start + length) else {
      throw problem("a tag has no end", at: start..<start + length, help: "a tag is `{{name}}`")
    }
    let tag = start..<end + length
    var content = trimmed(start + length..<end)
    var sigil: Unicode.Scalar? = isTriple ? "&" : nil
    if !isTriple, let first = content.first, Self.sigils.contains(text[first]) {
      sigil = Unicode.Scalar(text[first])
      content = trimmed(content.dropFirst())
    }
    let line = sigil == nil || sigil == "&" ? tag : standaloneLine(of: tag) ?? tag
    addText(upTo: line.lowerBound)
    position = line.upperBound
    switch sigil {
    case nil: nodes.append(try value(content, in: tag, isEscaped: true))
    case "&": nodes.append(try value(content, in: tag, isEscaped: false))
    case "#", "^":
      guard open.count < FixtureTemplate.depthLimit else {
        throw TextProblem(.limit, "sections are nested more than \(FixtureTemplate.depthLimit) deep", at: tag)
      }
      open.append(Section(node: nodes.count, name: content, tag: tag))
      nodes.append(.section(try name(content, in: tag), tag: tag, isInverted: sigil == "^", end: 0))
    case "/": try endSection(content, tag)
    case "!": break
    default:
      throw problem(
        "the tag \(quoted(tag)) is not supported", at: tag,
        help: "a template has variables, sections, inverted sections and comments")
    }
  }

  /// `>` is a partial, `<` and `$` are inheritance, `=` sets delimiters, `%` is an extension of other implementations.
  private static let sigils = Set("&#^/!><$=%".utf8)

  private mutating func endSection(_ name: Range<Int>, _ tag: Range<Int>) throws(TextProblem) {
    guard let section = open.popLast() else { throw problem("\(quoted(tag)) ends no section", at: tag) }
    guard text[section.name] == text[name], case .section(let name, let tag, let isInverted, _) = nodes[section.node]
    else {
      throw problem("\(quoted(tag)) cannot end the section \(quoted(section.tag))", at: tag)
    }
    nodes[section.node] = .section(name, tag: tag, isInverted: isInverted, end: nodes.count)
  }

  private mutating func addText(upTo end: Int) {
    if position < end { nodes.append(.text(position..<end)) }
  }

  /// The whole line of a tag, with its end, if the rest of the line is white space.
  private func standaloneLine(of tag: Range<Int>) -> Range<Int>? {
    let start = text[..<tag.lowerBound].lastIndex { !Self.isBlank($0) }.map { $0 + 1 } ?? 0
    guard start == 0 || text[start - 1] == UInt8(ascii: "\n") else { return nil }
    let end = text[tag.upperBound...].firstIndex { !Self.isBlank($0) } ?? text.count
    if end == text.count { return start..<end }
    if text[end] == UInt8(ascii: "\n") { return start..<end + 1 }
    return text[end...].starts(with: "\r\n".utf8) ? start..<end + 2 : nil
  }

  /// A name, or a function with arguments.
  private func value(
    _ content: Range<Int>, in tag: Range<Int>, isEscaped: Bool
  ) throws(TextProblem) -> FixtureTemplate.Node {
    var reader = TemplateFunctionReader(text, content)
    if let function = try reader.read() { return .function(function, isEscaped: isEscaped) }
    return .variable(try name(content, in: tag), tag: tag, isEscaped: isEscaped)
  }

  private func name(_ range: Range<Int>, in tag: Range<Int>) throws(TextProblem) -> FixtureTemplate.Name {
    if text[range].elementsEqual(".".utf8) { return [] }
    let parts = text[range].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let isName = parts.allSatisfy { part in
      !part.isEmpty && !part.contains { Self.isSpace($0) || "{}()".utf8.contains($0) }
    }
    guard isName else {
      let first = String(decoding: text[range].prefix { !Self.isSpace($0) }, as: UTF8.self)
      throw problem(
        "the tag \(quoted(tag)) has no valid name", at: tag,
        help: Suggestion.phrase(for: first, among: TemplateFunction.names) ?? "as in `{{request.body.chat}}`")
    }
    return parts.map { String(decoding: $0, as: UTF8.self) }
  }

  private func find(_ token: String, from start: Int) -> Int? {
    text.indices[start...].first { text[$0...].starts(with: token.utf8) }
  }

  private func trimmed(_ range: Range<Int>) -> Range<Int> {
    let start = range.first { !Self.isSpace(text[$0]) } ?? range.upperBound
    let last = range.last { !Self.isSpace(text[$0]) } ?? start - 1
    return start..<last + 1
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  static func isSpace(_ byte: UInt8) -> Bool { isBlank(byte) || byte == 0x0A || byte == 0x0D }

  private func quoted(_ tag: Range<Int>) -> String { "`\(String(decoding: text[tag].prefix(80), as: UTF8.self))`" }

  private func problem(_ message: String, at tag: Range<Int>, help: String? = nil) -> TextProblem {
    TextProblem(.syntax, message, at: tag, help: help)
  }
}
