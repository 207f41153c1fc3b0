/// Interoperable regular expressions (RFC 9485), checked by their grammar and run as ECMA-262 (section 5.3).
struct IRegexp {
  private let text: [Unicode.Scalar]
  private var position = 0
  private var depth = 0
  private var result = ""

  /// The maximum depth of parentheses.
  private static let depthLimit = 100

  /// - Parameter isWhole: Whether the pattern takes a whole string, as `match`, or a part, as `search`.
  static func pattern(_ text: String, isWhole: Bool) throws(TextProblem) -> Pattern {
    var reader = IRegexp(text: Array(text.unicodeScalars))
    try reader.read()
    do {
      return try Pattern(ecma: isWhole ? "^(?:\(reader.result))$" : reader.result)
    } catch {
      throw TextProblem(.syntax, error.message, at: 0..<0)
    }
  }

  private init(text: [Unicode.Scalar]) { self.text = text }

  private var next: Unicode.Scalar? { position < text.count ? text[position] : nil }

  private mutating func read() throws(TextProblem) {
    var hasAtom = false
    while let scalar = next {
      position += 1
      switch scalar {
      case "(":
        depth += 1
        guard depth <= Self.depthLimit else { throw problem("parentheses nest deeper than \(Self.depthLimit) levels") }
        result += "("
        hasAtom = false
        continue
      case ")":
        depth -= 1
        guard depth >= 0 else { throw problem("`)` without `(`") }
        result += ")"
      case "|":
        result += "|"
        hasAtom = false
        continue
      case "*", "+", "?":
        guard hasAtom else { throw problem("nothing to repeat before `\(scalar)`") }
        result.unicodeScalars.append(scalar)
        hasAtom = false
        continue
      case "{":
        guard hasAtom else { throw problem("nothing to repeat before `{`") }
        try range()
        hasAtom = false
        continue
      case ".": result += "[^\\n\\r]"
      case "[": try characterClass()
      case "\\": result += try escape(isInClass: false)
      case "]", "}": throw problem("`\(scalar)` needs a backslash")
      case "/": result += "\\/"
      default: result.unicodeScalars.append(scalar)
      }
      hasAtom = true
    }
    guard depth == 0 else { throw problem("`(` without `)`") }
  }

  /// `{2}`, `{2,}` or `{2,4}`.
  private mutating func range() throws(TextProblem) {
    result += "{"
    try digits(isNeeded: true)
    if next == "," {
      position += 1
      result += ","
      try digits(isNeeded: false)
    }
    guard next == "}" else { throw problem("expected `}` after a number of repetitions") }
    position += 1
    result += "}"
  }

  private mutating func digits(isNeeded: Bool) throws(TextProblem) {
    let start = position
    while let scalar = next, "0"..."9" ~= scalar {
      result.unicodeScalars.append(scalar)
      position += 1
    }
    guard !isNeeded || position > start else { throw problem("expected a number after `{`") }
  }

  private mutating func characterClass() throws(TextProblem) {
    result += "["
    if next == "^" {
      result += "^"
      position += 1
    }
    var isEmpty = true
    if next == "-" {
      result += "\\-"
      position += 1
      isEmpty = false
    }
    while let scalar = next, scalar != "]" {
      if scalar == "-" {
        position += 1
        guard next == "]" else { throw problem("`-` in a class needs a backslash") }
        result += "\\-"
        break
      }
      let isProperty = try classCharacter()
      isEmpty = false
      guard !isProperty, next == "-", position + 1 < text.count, text[position + 1] != "]" else { continue }
      position += 1
      result += "-"
      guard next != "-", try !classCharacter() else { throw problem("expected a character after `-`") }
    }
    guard next == "]", !isEmpty else { throw problem(isEmpty ? "an empty class" : "`[` without `]`") }
    position += 1
    result += "]"
  }

  /// Reads one character of a class; returns whether it is a property, which no range may have.
  private mutating func classCharacter() throws(TextProblem) -> Bool {
    guard let scalar = next else { throw problem("`[` without `]`") }
    position += 1
    switch scalar {
    case "\\":
      let isProperty = next == "p" || next == "P"
      result += try escape(isInClass: true)
      return isProperty
    case "[": throw problem("`[` in a class needs a backslash")
    case "^": result += "\\^"
    default: result.unicodeScalars.append(scalar)
    }
    return false
  }

  private mutating func escape(isInClass: Bool) throws(TextProblem) -> String {
    guard let scalar = next else { throw problem("a backslash without a character") }
    position += 1
    switch scalar {
    case "-": return isInClass ? "\\-" : "-"
    case "(", ")", "*", "+", ".", "?", "[", "\\", "]", "^", "n", "r", "t", "{", "|", "}": return "\\\(scalar)"
    case "p", "P":
      guard next == "{", let end = text[position...].firstIndex(of: "}") else {
        throw problem("expected a category such as `\\p{Lu}`")
      }
      let name = String(String.UnicodeScalarView(text[position + 1..<end]))
      guard Self.categories[name.prefix(1)]?.contains(name.dropFirst()) == true else {
        throw problem("`\(name)` is not a general category of Unicode")
      }
      position = end + 1
      return "\\\(scalar){\(name)}"
    default: throw problem("`\\\(scalar)` is not part of I-Regexp (RFC 9485): expected a class such as `[0-9]`")
    }
  }

  private static let categories: [Substring: Set<Substring>] = [
    "L": ["", "l", "m", "o", "t", "u"], "M": ["", "c", "e", "n"], "N": ["", "d", "l", "o"],
    "P": ["", "c", "d", "e", "f", "i", "o", "s"], "Z": ["", "l", "p", "s"], "S": ["", "c", "k", "m", "o"],
    "C": ["", "c", "f", "n", "o"],
  ]

  private func problem(_ message: String) -> TextProblem {
    TextProblem(.syntax, message, at: max(0, position - 1)..<position)
  }
}
