/// Reads the tag that begins a block: `{{#name}}`, `{{#each request.body.items as |item|}}`, `{{#eq a b}}`.
struct TemplateBlockReader {
  private let source: TemplateWords
  private let tag: Range<Int>

  init(_ text: [UInt8], tag: Range<Int>) {
    source = TemplateWords(text: text)
    self.tag = tag
  }

  /// The block, and the range of the text that its end tag repeats.
  func read(_ content: Range<Int>, isInverted: Bool) throws(TextProblem) -> (block: TemplateBlock, name: Range<Int>) {
    let words = try source.words(content)
    guard words.count > 1, !isInverted else {
      let path = try reader.path(content)
      return (TemplateBlock(kind: isInverted ? .inverted : .section, value: .path(path), tag: tag), content)
    }
    let name = source.string(words[0])
    if TemplateOperation.conditions.contains(name) {
      return (TemplateBlock(kind: .when, value: try reader.read(content), tag: tag), words[0])
    }
    guard let kind = TemplateBlock.Kind(rawValue: name), TemplateBlock.words.contains(name) else {
      throw source.problem(
        "`\(name)` is not a block", at: words[0],
        help: Suggestion.help(for: name, among: TemplateBlock.words)
          + "; a section has one name, as in `{{#request.query.tag}}`")
    }
    let (value, names) = try parameters(Array(words.dropFirst()))
    guard value.count == 1 else {
      throw source.problem(
        "`\(name)` takes 1 value, found \(value.count)", at: value.count > 1 ? value[1] : words[0],
        help: "a function stands in parentheses, as in `{{#if (eq request.query.sort 'name')}}`")
    }
    let expression = try reader.value(value[0])
    if kind == .repeat, case .constant(let constant) = expression {
      guard let count = constant?.number?.int, 0...TemplateBlock.repetitionLimit ~= count else {
        throw source.problem(
          "`repeat` takes a whole number from 0 to \(TemplateBlock.repetitionLimit), found `\(source.string(value[0]))`",
          at: value[0])
      }
    }
    return (TemplateBlock(kind: kind, value: expression, tag: tag, names: names), words[0])
  }

  private var reader: TemplateExpressionReader { TemplateExpressionReader(source.text, tag: tag) }

  /// Splits off `as |item index|`.
  private func parameters(_ words: [Range<Int>]) throws(TextProblem) -> (value: [Range<Int>], names: [String]) {
    guard let position = words.firstIndex(where: { source.string($0) == "as" }), position + 1 < words.count else {
      return (words, [])
    }
    let range = words[position + 1].lowerBound..<words[words.count - 1].upperBound
    let text = source.text[range]
    let names = text.dropFirst().dropLast().split(whereSeparator: FixtureTemplateParser.isSpace)
    guard text.first == UInt8(ascii: "|"), text.last == UInt8(ascii: "|"), 1...2 ~= names.count else {
      throw source.problem(
        "`as` has no names", at: range,
        help: "expected names, as in `{{#each request.body.items as |item index|}}`")
    }
    return (Array(words[..<position]), names.map { String(decoding: $0, as: UTF8.self) })
  }
}
