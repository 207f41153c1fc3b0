struct FixtureTemplateParser {
  private let text: [UInt8]
  private var nodes: [FixtureTemplate.Node] = []
  /// The sections whose end tags are not read yet.
  private var open: [Section] = []
  /// The start of the text that is not part of a node yet.
  private var position = 0

  private struct Section {
    let node: Int
    /// The text that its end tag repeats: a name, or `if`.
    let name: Range<Int>
    let tag: Range<Int>
    var otherwise: Int?
    /// Whether it began with `else if`, and ends with the section around it.
    var isChained = false
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
    let isElse = sigil == nil && !open.isEmpty && isElse(content)
    let isInLine = (sigil == nil || sigil == "&") && !isElse
    let line = isInLine ? tag : standaloneLine(of: tag) ?? tag
    addText(upTo: line.lowerBound)
    position = line.upperBound
    switch sigil {
    case nil where isElse: try addElse(content, tag)
    case nil, "&":
      let value = try TemplateExpressionReader(text, tag: tag).read(content)
      nodes.append(.value(value, tag: tag, isEscaped: sigil == nil))
    case "#", "^": try beginSection(content, tag, isInverted: sigil == "^")
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

  private mutating func beginSection(
    _ content: Range<Int>, _ tag: Range<Int>, isInverted: Bool = false, isChained: Bool = false
  ) throws(TextProblem) {
    guard open.count < FixtureTemplate.depthLimit else {
      throw TextProblem(.limit, "sections are nested more than \(FixtureTemplate.depthLimit) deep", at: tag)
    }
    let reader = TemplateBlockReader(text, tag: tag)
    let (block, name) = try reader.read(content, isInverted: isInverted)
    open.append(Section(node: nodes.count, name: name, tag: tag, isChained: isChained))
    nodes.append(.block(block, otherwise: 0, end: 0))
  }

  /// Whether a tag is `else` or `else if name`.
  private func isElse(_ content: Range<Int>) -> Bool {
    let words = text[content].split(whereSeparator: Self.isSpace)
    return words.first?.elementsEqual("else".utf8) == true && (words.count == 1 || words[1].elementsEqual("if".utf8))
  }

  private mutating func addElse(_ content: Range<Int>, _ tag: Range<Int>) throws(TextProblem) {
    let section = open[open.count - 1]
    guard section.otherwise == nil else {
      throw problem("the section \(quoted(section.tag)) has a second `else`", at: tag)
    }
    open[open.count - 1].otherwise = nodes.count
    let rest = trimmed(content.dropFirst("else".utf8.count))
    if !rest.isEmpty { try beginSection(rest, tag, isChained: true) }
  }

  private mutating func endSection(_ name: Range<Int>, _ tag: Range<Int>) throws(TextProblem) {
    while let section = open.popLast() {
      guard case .block(let block, _, _) = nodes[section.node] else { continue }
      nodes[section.node] = .block(block, otherwise: section.otherwise ?? nodes.count, end: nodes.count)
      if section.isChained { continue }
      guard text[section.name] == text[name] else {
        throw problem("\(quoted(tag)) cannot end the section \(quoted(section.tag))", at: tag)
      }
      return
    }
    throw problem("\(quoted(tag)) ends no section", at: tag)
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
