/// Rewrites a regular expression of ECMA-262 for PCRE2.
///
/// The two agree on most of the syntax and differ in what it means: `\s`, `.`, `[]`, `\u`, `\c`, the names of Unicode
/// properties. Syntax of PCRE2 alone (inline flags, possessive quantifiers, `\A`) is refused. Escapes of punctuation and
/// lone brackets pass although the flag `u` forbids them: contracts are full of `\-`.
struct PatternTranslation {
  private(set) var captures = PatternCaptures()
  /// The largest bound of a quantifier.
  private(set) var largestCount = 0
  /// Whether a script is named; which there are depends on the version of Unicode.
  private(set) var namesScript = false
  private var cursor: PatternCursor
  private var output = ""
  private var groupNames: [String: Int] = [:]
  private var groupCount = 0
  private var depth = 0
  private let countsSteps: Bool
  /// Where in the output the character, class or reference begins that was written last; `nil` behind anything else.
  private var atomStart: Int?

  /// - Parameter countsSteps: Whether what repeats a single character without an end is made a group: PCRE2 counts the
  ///   turns of groups only.
  init(_ text: String, countsSteps: Bool = false) {
    cursor = PatternCursor(text)
    self.countsSteps = countsSteps
  }

  /// The expression for PCRE2.
  mutating func translate() throws(PatternProblem) -> String {
    countGroups()
    /// Whether a quantifier may follow.
    var isRepeatable = false
    while let scalar = cursor.next() {
      let start = output.utf8.count
      defer { atomStart = isRepeatable && scalar != ")" ? start : nil }
      switch scalar {
      case "\\":
        isRepeatable = try escape()
      case "[":
        let set = try PatternClass(&cursor)
        if set.namesScript { namesScript = true }
        output += set.text
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

  /// Letters and digits as they are, everything else by number, so that nothing of PCRE2's syntax slips in.
  static func literal(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "_": String(scalar)
    default: #"\x{"# + String(scalar.value, radix: 16) + "}"
    }
  }
}

// MARK: - Escapes

extension PatternTranslation {
  /// An escape outside of a class; whether it may be repeated.
  private mutating func escape() throws(PatternProblem) -> Bool {
    switch cursor.peek {
    case "b", "B":
      output += cursor.peek == "b" ? #"\b"# : #"\B"#
      cursor.skip(1)
      return false
    case "k":
      var behind = cursor
      guard behind.skip("k<"), let name = behind.text(upTo: ">") else { break }
      cursor = behind
      guard let number = groupNames[name] else { throw PatternProblem("no group is named `\(name)`") }
      guard number > 0 else { throw PatternProblem("several groups are named `\(name)`", isLimit: true) }
      backReference(to: number)
      return true
    case let digit? where "1"..."9" ~= digit:
      let digits = cursor.digits
      guard let number = Int(digits), number <= groupCount else {
        throw PatternProblem(#"`\\#(digits)` refers to no group"#)
      }
      cursor.skip(digits.utf8.count)
      backReference(to: number)
      return true
    default: break
    }
    switch try PatternEscape(&cursor) {
    case .scalar(let scalar): output += Self.literal(scalar)
    case .surrogate: output += "(?!)"
    case .set(let set): output += "[" + set + "]"
    case .script(let set):
      output += "[" + set + "]"
      namesScript = true
    }
    return true
  }

  /// In a group of its own: PCRE2 lets a bare one that is repeated fail where its group has taken no part, while for
  /// ECMA-262 (22.2.2.9.1, BackreferenceMatcher) it matches the empty text.
  private mutating func backReference(to group: Int) {
    captures.refer(to: group)
    output += #"(?:\g{\#(group)})"#
  }
}

// MARK: - Groups and quantifiers

extension PatternTranslation {
  /// Numbers the groups first: a reference may stand before its group.
  private mutating func countGroups() {
    var input = cursor
    var isInClass = false
    while let scalar = input.next() {
      switch scalar {
      case "\\": input.skip(1)
      case "[": isInClass = true
      case "]": isInClass = false
      case "(" where !isInClass:
        if input.peek != "?" {
          groupCount += 1
        } else if input.skip("?<"), input.peek != "=", input.peek != "!" {
          groupCount += 1
          let name = String(String.UnicodeScalarView(input.rest.prefix { $0 != ">" }))
          // Two groups of one name may stand in different alternatives (ECMA-262, 22.2.1.1).
          groupNames[name] = groupNames[name] == nil ? groupCount : 0
        }
      default: break
      }
    }
  }

  private mutating func group() throws(PatternProblem) {
    depth += 1
    guard cursor.peek == "?" else {
      captures.open(.capture)
      output += "("
      return
    }
    for opening in ["?:", "?=", "?!", "?<=", "?<!"] where cursor.skip(opening) {
      captures.open(opening.hasPrefix("?<") ? .lookbehind : .other)
      output += "(" + opening
      return
    }
    guard cursor.skip("?<"), cursor.peek != ">", let name = cursor.text(upTo: ">") else {
      throw PatternProblem(
        "`(?` is followed by no group of ECMA-262", help: "inline flags and atomic groups do not exist there")
    }
    let scalars = name.unicodeScalars
    guard scalars.allSatisfy({ $0.properties.isXIDContinue || $0 == "$" }), let first = scalars.first,
      first.properties.isXIDStart || first == "$" || first == "_"
    else { throw PatternProblem("`\(name)` is not a valid name for a group", help: "names are those of JavaScript") }
    // Named groups become plain ones: PCRE2 limits the length of names, and they are not used.
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
    let body = cursor.rest.prefix { "0"..."9" ~= $0 || $0 == "," }
    guard cursor.rest.dropFirst(body.count).first == "}", body.first != "," else { return nil }
    let parts = body.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count <= 2, let first = parts.first, let last = parts.last, !first.isEmpty else { return nil }
    cursor.skip(body.count + 1)
    // PCRE2 refuses numbers that do not fit in `Int`.
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
    if cursor.skip("?") { output += "?" }
  }

  /// A repeated character with its turns as those of a group.
  private static func counted(_ atom: String, _ quantifier: String) -> String {
    if quantifier == "*" || quantifier == "+" { return "(?:\(atom))\(quantifier)" }
    guard quantifier.hasSuffix(",}") else { return atom + quantifier }
    return "\(atom)\(quantifier.dropLast(2))}(?:\(atom))*"
  }

  private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    String(String.UnicodeScalarView(scalars))
  }
}
