/// The text of a `.yaml` fixture, with only the keys that it needs.
struct FixtureDescription {
  var summary: String?
  var contentType: String?
  var headers: [(name: String, value: String)] = []
  /// Whether the answer has a body and no `Content-Type`.
  var lacksType = false
  var when: RequestMatcher?
  /// The time before each record of a stream.
  var pauses: [Duration] = []
  /// What the answer breaks: the rules, with the messages as comments.
  var violations: [Diagnostic] = []
  /// Whether the body is a template; `nil` if it has no tags.
  var template: Bool?
  var bodyFile: String?
  /// The body, if it is one short line.
  var bodyText: String?

  var text: String {
    var yaml = YAMLText()
    if let summary { yaml.line("summary: \(YAMLText.scalar(summary))") }
    if let contentType { yaml.line("contentType: \(YAMLText.scalar(contentType))") }
    write(headers: &yaml)
    if let when { write(when, &yaml) }
    if !violations.isEmpty {
      yaml.line("violates:")
      for finding in violations {
        yaml.comment(VisibleText.line(finding.placedMessage), indent: 2)
        yaml.line("- \(finding.rule.id)", indent: 2)
      }
    }
    if let template { yaml.line("template: \(template)") }
    if let bodyFile { yaml.line("bodyFile: \(YAMLText.scalar(bodyFile))") }
    if let bodyText { yaml.line("text: \(YAMLText.scalar(bodyText))") }
    write(pauses: &yaml)
    // An empty document would do, but would puzzle a reader.
    return yaml.text.isEmpty ? "# An answer without a body.\n" : yaml.text
  }

  private static let pausesKey = "pauses:"

  private func write(pauses yaml: inout YAMLText) {
    guard !pauses.isEmpty else { return }
    yaml.line(Self.pausesKey)
    let texts = pauses.map { "\($0.wholeMilliseconds)ms" }
    for start in stride(from: 0, to: texts.count, by: Self.pausesInLine) {
      let end = min(texts.count, start + Self.pausesInLine)
      let line = texts[start..<end].joined(separator: ", ")
      yaml.line("\(start == 0 ? "[" : " ")\(line)\(end == texts.count ? "]" : ",")", indent: 2)
    }
  }

  private static let pausesInLine = 12

  /// The text of a description without its pauses, which are others in each recording.
  static func withoutPauses(_ text: [UInt8]) -> [UInt8] {
    var isWithin = false
    let lines = text.split(separator: 0x0A, omittingEmptySubsequences: false).filter { line in
      isWithin = line.elementsEqual(pausesKey.utf8) || isWithin && line.first == UInt8(ascii: " ")
      return !isWithin
    }
    return Array(lines.joined(separator: [0x0A]))
  }

  private func write(headers yaml: inout YAMLText) {
    guard lacksType || !headers.isEmpty else { return }
    yaml.line("headers:")
    if lacksType { yaml.line("Content-Type: null", indent: 2) }
    var written: Set<String> = []
    for (name, _) in headers where written.insert(name.lowercased()).inserted {
      let values = headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
      guard values.count > 1 else {
        yaml.line("\(YAMLText.scalar(name)): \(YAMLText.scalar(values[0]))", indent: 2)
        continue
      }
      yaml.line("\(YAMLText.scalar(name)):", indent: 2)
      for value in values { yaml.line("- \(YAMLText.scalar(value))", indent: 4) }
    }
  }

  private func write(_ matcher: RequestMatcher, _ yaml: inout YAMLText) {
    yaml.line("when:")
    for part in RequestPart.allCases {
      let conditions = matcher.conditions.filter { $0.part == part }
      guard !conditions.isEmpty else { continue }
      yaml.line("\(part.rawValue):", indent: 2)
      for condition in conditions {
        yaml.line("\(YAMLText.scalar(condition.name)): \(Self.test(condition.test))", indent: 4)
      }
    }
  }

  private static func test(_ test: RequestMatcher.Test) -> String {
    switch test {
    case .equals(let text): YAMLText.scalar(text)
    case .contains(let text): "{contains: \(JSONWriter.text(.string(text)))}"
    case .oneOf(let texts): "{oneOf: \(JSONWriter.text(.array(texts.map { .string($0) })))}"
    case .present(let isPresent): "{present: \(isPresent)}"
    case .list(let texts): "{equals: \(JSONWriter.text(.array(texts.map { .string($0) })))}"
    case .value(let test): JSONWriter.text(test.source)
    case .matches: "{present: true}"
    }
  }
}
