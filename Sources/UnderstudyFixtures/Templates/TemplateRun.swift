/// One rendering of a template.
struct TemplateRun {
  private let template: FixtureTemplate
  private var scope: TemplateScope
  private(set) var output: [UInt8] = []
  /// The first name without a value.
  private(set) var missing: String?

  /// The work of a tag.
  private static let nodeCost = 20

  init(_ template: FixtureTemplate, _ request: any RequestValues, _ environment: TemplateEnvironment) {
    self.template = template
    scope = TemplateScope(request: request, environment: environment)
  }

  mutating func render(_ range: Range<Int>) throws(TextProblem) {
    var index = range.lowerBound
    while index < range.upperBound {
      let node = template.nodes[index]
      index += 1
      switch node {
      case .text(let range): try append(template.text[range])
      case .value(let expression, let tag, let isEscaped):
        scope.tag = tag
        try scope.spend(Self.nodeCost)
        if let text = try scope.text(of: expression) {
          try append(text, isEscaped ? template.escaping : .none)
        } else {
          missing = missing ?? expression.paths.first?.text
        }
      case .block(let block, let otherwise, let end):
        scope.tag = block.tag
        try scope.spend(Self.nodeCost)
        if try !render(block, index..<otherwise) { try render(otherwise..<end) }
        index = end
      }
    }
  }

  /// Returns whether the block has a value that is rendered, so that its `else` is not.
  private mutating func render(_ block: TemplateBlock, _ body: Range<Int>) throws(TextProblem) -> Bool {
    switch block.kind {
    case .section:
      let items = try scope.value(of: block.value)?.items ?? []
      for (index, item) in items.enumerated() {
        try render(body, in: TemplateScope.Frame(item, index: index, count: items.count, names: block.names))
      }
      return !items.isEmpty
    case .inverted:
      guard try scope.value(of: block.value)?.items.isEmpty ?? true else { return false }
      try render(body)
      return true
    case .when, .unless:
      guard try (scope.settled(block.value)?.isTrue ?? false) == (block.kind == .when) else { return false }
      try render(body)
      return true
    case .each:
      let elements = try scope.settled(block.value)?.elements ?? []
      for (index, element) in elements.enumerated() {
        let frame = TemplateScope.Frame(
          element.value, index: index, count: elements.count, name: element.name, names: block.names)
        try render(body, in: frame)
      }
      return !elements.isEmpty
    case .with:
      guard let value = try scope.value(of: block.value) else { return false }
      try render(body, in: TemplateScope.Frame(value, names: block.names))
      return true
    case .repeat:
      guard let count = try repetitions(block.value) else { return false }
      for index in 0..<count {
        let position = TemplateValue.number(TemplateNumber(index))
        try render(body, in: TemplateScope.Frame(position, index: index, count: count, names: block.names))
      }
      return count > 0
    }
  }

  private mutating func render(_ body: Range<Int>, in frame: TemplateScope.Frame) throws(TextProblem) {
    try scope.spend(Self.nodeCost)
    scope.frames.append(frame)
    try render(body)
    scope.frames.removeLast()
  }

  private mutating func repetitions(_ expression: TemplateExpression) throws(TextProblem) -> Int? {
    guard let value = try scope.settled(expression) else { return nil }
    guard let count = value.number?.int, 0...TemplateBlock.repetitionLimit ~= count else {
      throw scope.problem(
        "`repeat` takes a whole number from 0 to \(TemplateBlock.repetitionLimit), found "
          + "`\(VisibleText.shortened(value.text, to: 40))`")
    }
    return count
  }

  // MARK: - Output

  private mutating func append(_ bytes: some Collection<UInt8>) throws(TextProblem) {
    try scope.spend(bytes.count)
    guard output.count + bytes.count <= FixtureTemplate.outputLimit + template.text.count else {
      throw scope.problem("the text has more than \(FixtureTemplate.outputLimit >> 20) MB", .limit)
    }
    output += bytes
  }

  private mutating func append(_ text: String, _ escaping: FixtureTemplate.Escaping) throws(TextProblem) {
    switch escaping {
    case .none: try append(text.utf8)
    case .json:
      var quoted: [UInt8] = []
      JSONWriter.quote(text.utf8, into: &quoted)
      try append(quoted.dropFirst().dropLast())
    case .html:
      var escaped: [UInt8] = []
      for byte in text.utf8 {
        if let entity = Self.entities[byte] { escaped += entity.utf8 } else { escaped.append(byte) }
      }
      try append(escaped)
    }
  }

  /// For `&`, `<`, `>` and both kinds of quotes.
  private static let entities: [UInt8: String] = [
    0x26: "&amp;", 0x3C: "&lt;", 0x3E: "&gt;", 0x22: "&quot;", 0x27: "&#39;",
  ]
}
