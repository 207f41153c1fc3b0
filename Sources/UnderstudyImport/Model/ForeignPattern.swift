/// Translates another tool's regular expression to ECMA-262.
enum ForeignPattern {
  /// An expression that matches whole strings; `nil` if it has parts that ECMA-262 does not have.
  ///
  /// - Parameter isWhole: Whether the tool compares whole strings; otherwise it searches.
  static func ecma(_ text: String, isWhole: Bool, ignoringCase: Bool = false) -> String? {
    var body = text
    var ignoresCase = ignoringCase
    var matchesLines = false
    // Inline flags stand at the beginning: `(?i)`, `(?s)`.
    while body.hasPrefix("(?"), let end = body.firstIndex(of: ")"),
      case let flags = body[body.index(body.startIndex, offsetBy: 2)..<end], !flags.isEmpty,
      flags.allSatisfy({ "is".contains($0) })
    {
      ignoresCase = ignoresCase || flags.contains("i")
      matchesLines = matchesLines || flags.contains("s")
      body = String(body[body.index(after: end)...])
    }
    for part in ["(?i", "(?s", "(?m", "(?x", "\\Q", "*+", "++", "?+", "\\A", "\\z", "\\Z", "(?>"]
    where body.contains(part) {
      return nil
    }
    if ignoresCase {
      guard let folded = withoutCase(body) else { return nil }
      body = folded
    }
    if matchesLines { body = body.replacing(".", with: "[\\s\\S]") }
    let whole = isWhole ? "^(?:\(body))$" : body
    return Pattern.problem(whole) == nil ? whole : nil
  }

  /// A literal as an expression.
  static func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      if "\\^$.|?*+()[]{}".contains(character) { result.append("\\") }
      result.append(character)
    }
  }

  /// An expression for a literal in any case.
  static func anyCase(_ literal: String) -> String {
    "^" + literal.map { letter in letters(letter) ?? escaped(String(letter)) }.joined() + "$"
  }

  private static func letters(_ character: Character) -> String? {
    guard character.isASCII, character.isLetter else { return nil }
    return "[\(character.uppercased())\(character.lowercased())]"
  }

  /// Replaces letters by classes of both cases; `nil` for letters within classes.
  private static func withoutCase(_ pattern: String) -> String? {
    var result = ""
    var isEscaped = false
    var depth = 0
    for character in pattern {
      if isEscaped {
        isEscaped = false
        result.append(character)
        continue
      }
      if character == "\\" { isEscaped = true }
      if character == "[" { depth += 1 }
      if character == "]" { depth -= 1 }
      guard character.isASCII, character.isLetter else {
        result.append(character)
        continue
      }
      if depth > 0 { return nil }
      result += letters(character) ?? String(character)
    }
    return result
  }
}

extension PathPattern {
  /// The path of an expression that matches whole paths; `nil` if it cannot be carried over.
  init?(expression: String) {
    var text = expression
    if text.hasPrefix("^") { text.removeFirst() }
    if text.hasSuffix("$"), !text.hasSuffix("\\$") { text.removeLast() }
    if let segments = Self.simpleSegments(text) {
      self.init(route: "/" + segments.joined(separator: "/"))
      return
    }
    guard let whole = ForeignPattern.ecma(text, isWhole: true), let pattern = try? Pattern(ecma: whole),
      let rest = Self.rest(of: text), Pattern.problem(rest) == nil
    else { return nil }
    self.init(route: "/*")
    // The pattern of everything needs no condition.
    if [".*", ".+", "/.*", "/.+"].contains(text) { return }
    (self.pattern, restPattern) = (pattern, rest)
  }

  /// The expression for the path without its first slash; `nil` if it may begin with anything else.
  private static func rest(of text: String) -> String? {
    if text.hasPrefix(".*") || text.hasPrefix(".+") {
      let tail = text.dropFirst(2)
      let short = tail.first == "/" ? "|\(tail.dropFirst())" : ""
      return hasAlternatives(text) ? nil : "^(?:\(text)\(short))$"
    }
    let slash = text.hasPrefix("\\/") ? 2 : text.hasPrefix("/") ? 1 : 0
    guard slash > 0, !hasAlternatives(text) else { return nil }
    return "^(?:\(text.dropFirst(slash)))$"
  }

  private static func hasAlternatives(_ text: String) -> Bool {
    var (depth, isEscaped) = (0, false)
    for byte in text.utf8 {
      if isEscaped { isEscaped = false; continue }
      switch byte {
      case UInt8(ascii: "\\"): isEscaped = true
      case UInt8(ascii: "("), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: ")"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: "|") where depth == 0: return true
      default: break
      }
    }
    return false
  }

  /// Literal segments and variables, where each segment of the expression matches one segment of a path.
  private static func simpleSegments(_ text: String) -> [String]? {
    let text = text.replacing("\\/", with: "/")
    guard text.first == "/", let parts = split(text) else { return nil }
    var segments: [String] = []
    for (index, part) in parts.enumerated() {
      if let literal = literal(part) {
        segments.append(literal)
      } else if ["[^/]+", "[^\\/]+", "([^/]+)", "([^\\/]+)"].contains(part) {
        segments.append("{p\(index + 1)}")
      } else if isWithinSegment(part), !part.contains("{"), !part.contains("}"), Pattern.problem("^(?:\(part))$") == nil
      {
        segments.append("{p\(index + 1):\(part)}")
      } else {
        return nil
      }
    }
    return segments
  }

  /// Splits an expression at slashes outside of classes and groups.
  private static func split(_ text: String) -> [String]? {
    var parts: [String] = []
    var (current, depth, isEscaped) = ("", 0, false)
    for character in text.dropFirst() {
      if !isEscaped, character == "[" || character == "(" { depth += 1 }
      if !isEscaped, character == "]" || character == ")" { depth -= 1 }
      isEscaped = !isEscaped && character == "\\"
      if character == "/", depth == 0 {
        parts.append(current)
        current = ""
      } else {
        if character == "/" && !current.hasSuffix("^") { return nil }
        current.append(character)
      }
    }
    return depth == 0 && parts.count < 200 ? parts + [current] : nil
  }

  /// The text of an expression without operators.
  private static func literal(_ part: String) -> String? {
    var (result, isEscaped) = ("", false)
    for character in part {
      if isEscaped {
        guard !character.isLetter, !character.isNumber else { return nil }
        result.append(character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if "^$.|?*+()[]{}".contains(character) {
        return nil
      } else {
        result.append(character)
      }
    }
    return isEscaped ? nil : result
  }

  /// Whether an expression never matches a slash or an empty segment.
  private static func isWithinSegment(_ part: String) -> Bool {
    !part.contains(".") && !part.contains("[^") && !part.contains("\\S") && !part.contains("\\D")
      && !part.contains("\\W") && !part.contains("*") && !part.contains("?") && !part.contains("/")
      && !hasAlternatives(part) && !part.contains("\\p") && !part.contains(":") && !part.contains("|)")
  }
}
