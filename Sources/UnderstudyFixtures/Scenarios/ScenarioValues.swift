extension MappingReader {
  package static var fixtures: MappingReader { MappingReader(.fixtureInvalid, unknownKey: .fixtureUnknownKey) }

  package mutating func text(_ node: JSON, of title: String) -> String? {
    switch node.kind {
    case .string, .number: node.text
    case .true, .false: node.kind == .true ? "true" : "false"
    default: reject(expected: "text", of: title, node)
    }
  }

  /// One text or a list of them, each with its node.
  package mutating func texts(_ node: JSON, of title: String) -> [(text: String, node: JSON)] {
    (node.isArray ? Array(node.elements) : [node]).compactMap { item in
      text(item, of: title).map { (text: $0, node: item) }
    }
  }

  mutating func template(_ node: JSON, of title: String) -> FixtureTemplate? {
    guard let text = text(node, of: title) else { return nil }
    do {
      return try FixtureTemplate(Array(text.utf8), fileExtension: "txt")
    } catch {
      report("the template for \(title) cannot be read: \(error.message)", at: node, help: error.help)
      return nil
    }
  }

  /// A time of at least a millisecond and at most 400 days: `500ms`, `5s`, `3m`, `1h`, `2d`.
  package mutating func duration(_ node: JSON, of title: String) -> Duration? {
    let isText = node.isString || node.kind == .number
    if isText, let duration = ScenarioDuration.read(node.text) { return duration }
    if isText, ScenarioDuration.isTooLong(node.text) {
      let text = VisibleText.shortened(node.text, to: 40)
      report("`\(text)` is too long for \(title)", at: node, help: "at most \(ScenarioDuration.limitText)")
    } else {
      let isNumber = node.kind == .number || isText && Int(node.text) != nil
      report(
        "expected a time for \(title), such as `500ms`, `5s`, `3m` or `1h`", at: node,
        help: isNumber ? "`\(node.text)` has no unit" : nil)
    }
    return nil
  }
}

/// The times of scenarios, which may be longer than a delay.
package enum ScenarioDuration {
  private static let limit: Duration = .seconds(400 * 86_400)
  package static let limitText = "400 days, `400d`"

  /// Whether a text is a time beyond the limit, such as `10000h`.
  package static func isTooLong(_ text: String) -> Bool {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let units = ["ms": 0.001, "s": 1, "m": 60, "h": 3_600, "d": 86_400]
    guard let number = Double(digits), let seconds = units[String(text.dropFirst(digits.count))] else { return false }
    return number * seconds > limit / .seconds(1)
  }

  /// Reads `500ms`, `5s`, `3m`, `1h`, `2d`; `nil` for other texts, for nothing and for more than 400 days.
  package static func read(_ text: String) -> Duration? {
    // A delay is at most an hour long.
    for (unit, milliseconds) in units where text.hasSuffix(unit) {
      guard let number = Int(text.dropLast()), number > 0, number <= 100_000_000 else { continue }
      let duration = Duration.milliseconds(number * milliseconds)
      return duration <= limit ? duration : nil
    }
    // Without a unit a delay means milliseconds, which would be a surprise for `1`.
    guard text.utf8.last == UInt8(ascii: "s") else { return nil }
    return Duration(text: text).flatMap { $0 > .zero ? $0 : nil }
  }

  /// `500ms`, `5s`, `3m`, `1h`.
  package static func text(_ duration: Duration) -> String {
    let milliseconds = duration.wholeMilliseconds
    let unit = units.last { $0.milliseconds <= milliseconds && milliseconds % $0.milliseconds == 0 }
    return unit.map { "\(milliseconds / $0.milliseconds)\($0.name)" } ?? "\(milliseconds)ms"
  }

  /// The units above a millisecond, by their length.
  private static let units: [(name: String, milliseconds: Int)] = [
    ("s", 1_000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000),
  ]
}
