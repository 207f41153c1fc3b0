/// Rewrites a regular expression of ECMA-262 for PCRE2.
///
/// The two agree on most of the syntax and differ in what it means: `\s`, `.`, `[]`, `\u`, `\c`, the names of Unicode
/// properties. What only PCRE2 knows (inline flags, possessive quantifiers, `\A`) is refused. Escapes of punctuation and
/// lone brackets pass although the flag `u` forbids them: contracts are full of `\-`.
struct PatternTranslation {
  let input: [Unicode.Scalar]
  var position = 0
  var output = ""
  var groupNames: [String: Int] = [:]
  /// Whether a script is named; which there are depends on the version of Unicode.
  var namesScript = false
  var groupCount = 0
  private var depth = 0
  private let countsSteps: Bool
  var captures = PatternCaptures()
  /// Where in the output the character, class or reference begins that was written last; `nil` behind anything else.
  private var atomStart: Int?
  /// The largest bound of a quantifier.
  private(set) var largestCount = 0

  /// - Parameter countsSteps: Whether what repeats a single character without an end is made a group: PCRE2 counts the
  ///   turns of groups only.
  init(_ text: String, countsSteps: Bool = false) {
    input = Array(text.unicodeScalars)
    self.countsSteps = countsSteps
  }

  /// The expression for PCRE2.
  mutating func translate() throws(PatternProblem) -> String {
    countGroups()
    /// Whether a quantifier may follow.
    var isRepeatable = false
    while let scalar = next() {
      let start = output.utf8.count
      defer { atomStart = isRepeatable && scalar != ")" ? start : nil }
      switch scalar {
      case "\\":
        isRepeatable = try escape()
      case "[":
        try characterClass()
        isRepeatable = true
      case "(":
        try group()
        isRepeatable = false
      case ")":
        guard depth > 0 else { throw PatternProblem("a `)` closes nothing", help: #"write `\)` for the character"#) }
        depth -= 1
        captures.close()
        output += ")"
        isRepeatable = true
      case "|":
        captures.alternative()
        output += "|"
        isRepeatable = false
      case "^", "$":
        output.unicodeScalars.append(scalar)
        isRepeatable = false
      case ".":
        output += #"[^\n\r\x{2028}\x{2029}]"#
        isRepeatable = true
      case "*", "+", "?":
        let quantifier = Quantifier(text: String(scalar), least: scalar == "+" ? 1 : 0, most: scalar == "?" ? 1 : .max)
        try quantify(quantifier, isRepeatable)
        isRepeatable = false
      case "{":
        if let quantifier = quantifierInBraces() {
          try quantify(quantifier, isRepeatable)
          isRepeatable = false
        } else {
          output += #"\{"#
          isRepeatable = true
        }
      default:
        output += Self.literal(scalar)
        isRepeatable = true
      }
    }
    guard depth == 0 else { throw PatternProblem("a `(` is not closed", help: #"write `\(` for the character"#) }
    guard !captures.isAmbiguous else {
      throw PatternProblem(
        "it refers to a group that a repetition may leave out, or that a lookbehind reads backwards", isLimit: true)
    }
    return output
  }

  mutating func next() -> Unicode.Scalar? {
    guard position < input.count else { return nil }
    position += 1
    return input[position - 1]
  }

  var peek: Unicode.Scalar? { position < input.count ? input[position] : nil }

  mutating func skip(_ text: String) -> Bool {
    guard input[position...].starts(with: text.unicodeScalars) else { return false }
    position += text.unicodeScalars.count
    return true
  }

  /// Letters and digits as they are, everything else by number, so that nothing of PCRE2's syntax slips in.
  static func literal(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "_": String(scalar)
    default: #"\x{"# + String(scalar.value, radix: 16) + "}"
    }
  }
}

// MARK: - Groups and quantifiers

extension PatternTranslation {
  /// Numbers the groups first: a reference may stand before its group.
  private mutating func countGroups() {
    var index = 0
    var isInClass = false
    while index < input.count {
      switch input[index] {
      case "\\": index += 1
      case "[": isInClass = true
      case "]": isInClass = false
      case "(" where !isInClass:
        let rest = input[(index + 1)...]
        if rest.first != "?" {
          groupCount += 1
        } else if rest.starts(with: "?<".unicodeScalars), rest.dropFirst(2).first != "=", rest.dropFirst(2).first != "!"
        {
          groupCount += 1
          let name = String(String.UnicodeScalarView(rest.dropFirst(2).prefix { $0 != ">" }))
          // Two groups of one name may stand in different alternatives (ECMA-262, 22.2.1.1).
          groupNames[name] = groupNames[name] == nil ? groupCount : 0
        }
      default: break
      }
      index += 1
    }
  }

  private mutating func group() throws(PatternProblem) {
    depth += 1
    guard peek == "?" else {
      captures.open(.capture)
      output += "("
      return
    }
    for opening in ["?:", "?=", "?!", "?<=", "?<!"] where skip(opening) {
      captures.open(opening.hasPrefix("?<") ? .lookbehind : .other)
      output += "(" + opening
      return
    }
    guard skip("?<"), let end = input[position...].firstIndex(of: ">"), end > position else {
      throw PatternProblem(
        "`(?` is followed by no group of ECMA-262", help: "inline flags and atomic groups do not exist there")
    }
    let name = input[position..<end]
    guard name.allSatisfy({ $0.properties.isXIDContinue || $0 == "$" }), let first = name.first,
      first.properties.isXIDStart || first == "$" || first == "_"
    else { throw PatternProblem("`\(Self.text(name))` is no name for a group", help: "names are those of JavaScript") }
    // Named groups become plain ones: PCRE2 wants shorter names, and nobody asks for them.
    position = end + 1
    captures.open(.capture)
    output += "("
  }

  private struct Quantifier {
    let text: String
    let least: Int
    let most: Int
  }

  /// `{2}`, `{2,}`, `{2,3}` behind the opening brace; anything else is no quantifier.
  private mutating func quantifierInBraces() -> Quantifier? {
    let body = input[position...].prefix { "0"..."9" ~= $0 || $0 == "," }
    guard body.endIndex < input.count, input[body.endIndex] == "}", body.first != "," else { return nil }
    let parts = body.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count <= 2, let first = parts.first, let last = parts.last, !first.isEmpty else { return nil }
    position = body.endIndex + 1
    // What no `Int` holds is refused by PCRE2.
    for part in parts { largestCount = max(largestCount, Int(Self.text(part)) ?? 0) }
    return Quantifier(
      text: "{" + Self.text(body) + "}", least: Int(Self.text(first)) ?? .max, most: Int(Self.text(last)) ?? .max)
  }

  private mutating func quantify(_ quantifier: Quantifier, _ isRepeatable: Bool) throws(PatternProblem) {
    guard isRepeatable else {
      throw PatternProblem(
        "`\(quantifier.text)` repeats nothing", help: "possessive quantifiers do not exist in ECMA-262")
    }
    if atomStart == nil { captures.quantify(from: quantifier.least, to: quantifier.most) }
    if countsSteps, let atomStart {
      let start = output.utf8.index(output.startIndex, offsetBy: atomStart)
      let atom = String(output[start...])
      output.removeSubrange(start...)
      output += Self.counted(atom, quantifier.text)
    } else {
      output += quantifier.text
    }
    if peek == "?" {
      position += 1
      output += "?"
    }
  }

  /// A repeated character with its turns as those of a group.
  private static func counted(_ atom: String, _ quantifier: String) -> String {
    if quantifier == "*" || quantifier == "+" { return "(?:\(atom))\(quantifier)" }
    guard quantifier.hasSuffix(",}") else { return atom + quantifier }
    return "\(atom)\(quantifier.dropLast(2))}(?:\(atom))*"
  }

  static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    String(String.UnicodeScalarView(scalars))
  }
}
